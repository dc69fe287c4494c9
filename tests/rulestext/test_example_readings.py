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
    "If this unit {}, add 1 to hit rolls for this unit.",
    "Each time a model in this unit makes an attack that targets an enemy unit that {}, add 1 to the Wound roll.",
    "Each time a melee attack targets this unit, if the attacking unit {}, subtract 1 from the Hit roll.",
    'Friendly Guard units have Ward (5+) while they are within 12" of this unit, if this unit {}.',
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


@pytest.mark.parametrize("family", FAMILIES)
def test_no_condition_is_dropped(family: str) -> None:
    """A sentence with a condition is not read as if it had none."""
    bare = [
        "Add 1 to hit rolls for this unit.",
        "Each time a model in this unit makes an attack that targets an enemy unit, add 1 to the Wound roll.",
        "Each time a melee attack targets this unit, subtract 1 from the Hit roll.",
        'Friendly Guard units have Ward (5+) while they are within 12" of this unit.',
        "Each time a model in a friendly Guard unit makes an attack, re-roll a Hit roll of 1.",
    ]
    plain = [[effect.get("when", []) for effect in read(RulesText(text), family).effects] for text in bare]
    assert all(len(found) == 1 for found in plain)
    dropped = [
        frame.format(said)
        for predicate in PREDICATES
        for frame, [unconditional] in zip(SAID, plain, strict=True)
        for said in [predicate.example.removeprefix("it ")]
        for effect in read(RulesText(frame.format(said)), family).effects
        # what was not used yet is no condition, and who leads gives to the unit that is led
        if set(effect.get("when", [])) <= set(unconditional)
        and predicate.id != "if.done"
        and effect.get("on") != "led"
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
