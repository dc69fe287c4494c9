"""What every example of the grammar is read as, in the games it is for; every predicate in five sentences, said of the unit itself, of
the target, of the attacker, of a friend, and denied. `python tests/rulestext/test_example_readings.py` writes example_readings.json
anew: look at what has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mathhammer.rulestext.grammar import productions
from mathhammer.rulestext.predicates import PREDICATES
from mathhammer.rulestext.reader import read
from mathhammer.rulestext.reading import RulesText

STORED = Path(__file__).with_suffix(".json").with_name("example_readings.json")
FAMILIES = ("wh40k", "sigmar")
SAID = (
    "If this unit {}, add 3 to hit rolls for this unit.",
    "Each time a model in this unit makes an attack that targets an enemy unit that {}, add 3 to the Wound roll.",
    "Each time a melee attack targets this unit, if the attacking unit {}, subtract 3 from the Hit roll.",
    'Friendly Guard units have Ward (2+) while they are within 12" of this unit, if this unit {}.',
    "Each time a model in a friendly Guard unit that {} makes an attack, re-roll a Hit roll of 1.",
)
DENIED = (
    ("is ", "is not "),
    ("was ", "was not "),
    ("has ", "does not have "),
    ("contains ", "does not contain "),
)


def sentences() -> Iterator[tuple[str, str]]:
    """Every sentence, with the game that reads it."""
    for rule in productions():
        for family in (rule.family,) if rule.family else FAMILIES:
            yield family, rule.example
    for predicate in PREDICATES:
        said = predicate.example.removeprefix("it ")
        no = next((said.replace(yes, not_, 1) for yes, not_ in DENIED if said.startswith(yes)), None)
        for family in FAMILIES:
            for frame in SAID:
                yield family, frame.format(said)
            if no is not None:
                yield family, SAID[0].format(no)
                yield family, SAID[1].format(no)


def readings() -> dict[str, dict[str, object]]:
    """What each sentence is read as, and what of it was not understood."""
    found: dict[str, dict[str, object]] = {family: {} for family in FAMILIES}
    for family, sentence in sentences():
        reading = read(RulesText(sentence), family)
        told: list[object] = [reading.about, *reading.effects]
        found[family][sentence] = [*told, {"rest": reading.rest}] if reading.rest else told
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


def test_examples_are_read_as_before() -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    made = readings()
    changed = {
        (family, sentence): (stored[family].get(sentence), said)
        for family in FAMILIES
        for sentence, said in made[family].items()
        if stored[family].get(sentence) != said
    }
    assert changed == {}
    assert {family: list(stored[family]) for family in FAMILIES} == {
        family: list(made[family]) for family in FAMILIES
    }


# Sentences with a condition, and without.
CONDITIONAL = (
    ("If this unit {}, add 3 to hit rolls for this unit.", "Add 3 to hit rolls for this unit."),
    (
        "Each time a model in this unit makes an attack that targets an enemy unit that {}, add 3 to the Wound roll.",
        "Each time a model in this unit makes an attack that targets an enemy unit, add 3 to the Wound roll.",
    ),
    (
        "Each time a melee attack targets this unit, if the attacking unit {}, subtract 3 from the Hit roll.",
        "Each time a melee attack targets this unit, subtract 3 from the Hit roll.",
    ),
    (
        "Each time a model in a friendly Guard unit that {} makes an attack, re-roll a Hit roll of 1.",
        "Each time a model in a friendly Guard unit makes an attack, re-roll a Hit roll of 1.",
    ),
    (
        "Each time a ranged attack targets this unit, if this unit {}, subtract 3 from the Wound roll.",
        "Each time a ranged attack targets this unit, subtract 3 from the Wound roll.",
    ),
    (
        "Models in this unit have a 2+ invulnerable save while this unit {}.",
        "Models in this unit have a 2+ invulnerable save.",
    ),
    (
        "While this unit {}, melee weapons equipped by models in this unit have the [MELTA 7] ability.",
        "Melee weapons equipped by models in this unit have the [MELTA 7] ability.",
    ),
    (
        "Each time a model in this unit makes an attack, if this unit {}, add 3 to the Hit roll.",
        "Each time a model in this unit makes an attack, add 3 to the Hit roll.",
    ),
    (
        "Each time a model in this unit makes an attack, if the target {}, add 3 to the Hit roll.",
        "Each time a model in this unit makes an attack, add 3 to the Hit roll.",
    ),
    (
        "Add 3 to the Attacks characteristic of this unit's melee weapons while it {}.",
        "Add 3 to the Attacks characteristic of this unit's melee weapons.",
    ),
    ("Add 3 to save rolls for this unit while this unit {}.", "Add 3 to save rolls for this unit."),
    (
        "Subtract 3 from hit rolls for attacks that target this unit if this unit {}.",
        "Subtract 3 from hit rolls for attacks that target this unit.",
    ),
    (
        "Subtract 3 from hit rolls for attacks that target friendly Guard units that {}.",
        "Subtract 3 from hit rolls for attacks that target friendly Guard units.",
    ),
    (
        "If this unit {}, roll a dice. On a 4+, this unit has Ward (2+).",
        "Roll a dice. On a 4+, this unit has Ward (2+).",
    ),
    (
        "While this model is leading a unit, if that unit {}, add 3 to Hit rolls made for that unit.",
        "While this model is leading a unit, add 3 to Hit rolls made for that unit.",
    ),
)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("conditional", "bare"), CONDITIONAL)
def test_no_condition_is_dropped(conditional: str, bare: str, family: str) -> None:
    """A sentence with a condition is not read as if it had none."""
    [plain] = read(RulesText(bare), family).effects
    dropped = [
        (sentence, effect)
        for predicate in PREDICATES
        for sentence in [conditional.format(predicate.example.removeprefix("it "))]
        for reading in [read(RulesText(sentence), family)]
        for effect in reading.effects
        # what was not used yet is no condition, and who leads gives to the unit that is led
        if set(effect.get("when", [])) <= set(plain.get("when", []))
        and effect.get("on") == plain.get("on")
        and predicate.id != "if.done"
    ]
    assert dropped == []


if __name__ == "__main__":
    rows = {
        family: ",\n".join(
            f"  {json.dumps(sentence, ensure_ascii=False)}: {json.dumps(said, ensure_ascii=False)}"
            for sentence, said in of_family.items()
        )
        for family, of_family in readings().items()
    }
    body = ",\n".join(f" {json.dumps(family)}: {{\n{text}\n }}" for family, text in rows.items())
    STORED.write_text(f"{{\n{body}\n}}\n", encoding="utf-8")
