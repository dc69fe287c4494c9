"""Units asked for in words: sizes, leaders, situations, commands and buffs; what cannot be read is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mathhammer as mh
from mathhammer.games.buff_words import EXAMPLES, buff_of
from mathhammer.games.discovery import attacks_of


@pytest.mark.parametrize(
    ("text", "name", "models"),
    [
        ("Liberators", "Liberators", 5),
        ("10 Liberators", "Liberators", 10),
        ("10x liberators", "Liberators", 10),
        ("Liberators x10", "Liberators", 10),
        ("Liberators (reinforced)", "Liberators", 10),
        ("Liberators: Reinforced", "Liberators", 10),
        ("20 Vulkite Berzerkers with Fyresteel Weapons", "Vulkite Berzerkers with Fyresteel Weapons", 20),
        ("Intercessor Squad with Captain", "Intercessor Squad with Captain", 6),
    ],
)
def test_sizes_and_names(text: str, name: str, models: int) -> None:
    unit = mh.unit(text)
    assert (unit.name, unit.models) == (name, models)


def test_losses() -> None:
    assert mh.unit("Liberators: 3 lost").lost == 3
    assert mh.unit("Liberators: 2 models lost").models_left == 3
    assert mh.unit("Liberators: 3 lost").label == "Liberators: 3 lost"


def test_leaders_join_or_stand_beside() -> None:
    """40k leaders join the unit; in Age of Sigmar a friend's gift counts, and only where it fits."""
    captain, squad = mh.load_unit("Captain", "wh40k10"), mh.load_unit("Intercessor Squad", "wh40k10")
    assert mh.unit("Intercessor Squad with Captain") == mh.attach(captain, squad)
    large = mh.unit("10 Intercessor Squad with Captain: +1 to hit")
    assert (large.models, large.label) == (11, "10 Intercessor Squad with Captain: +1 to hit")
    assert mh.unit(large.label) == large
    led = mh.unit("Brutes with Megaboss")
    boss = mh.load_unit("Megaboss", "aos4")
    assert led.stance.friends == (boss,)
    given = mh.fight("Brutes", "Clanrats", friends=[boss])
    assert mh.fight(led, "Clanrats").damage.mean() == pytest.approx(given.damage.mean())
    assert given.damage.mean() > mh.fight("Brutes", "Clanrats").damage.mean()


@pytest.mark.parametrize(
    ("attacker", "target", "how"),
    [
        ("Liberators: charged", "Clanrats", {"situation": "charged"}),
        ("Liberators", "Clanrats: In Cover", {"situation": "target_in_cover"}),
        ("Liberators: target in cover", "Clanrats", {"situation": "target_in_cover"}),
        ("Liberators: All-out Attack", "Clanrats", {"commands": "all_out_attack"}),
        ("Liberators", "Clanrats: all_out_defence", {"commands": "all_out_defence"}),
        ("Liberators: all-out defence", "Clanrats: all-out attack", {}),  # each has its own command
        ("Liberators: in cover", "Clanrats", {}),
        ("Liberators: grandhammer", "Clanrats", {"weapons": "Grandhammer"}),
        ("Castigators: melee", "Clanrats", {"weapons": "melee"}),
        ("Liberators: +1 to hit", "Clanrats", {"effects": {"hit_roll": 1}}),
        ("Liberators", "Clanrats: -1 to be hit", {"effects": {"hit_roll": -1}}),
        ("Liberators", "Clanrats: +1 to save, ward 6+", {"effects": {"save_roll": 1, "ward": 6, "on": "target"}}),
        ("Liberators: reroll hits", "Clanrats", {"effects": {"reroll_hit": "failed"}}),
        ("Liberators: re-roll wound rolls of 1", "Clanrats", {"effects": {"reroll_wound": "ones"}}),
        ("Liberators: +1 attack, +1 damage, +1 rend", "Clanrats",
         {"effects": {"attacks": "+1", "damage": "+1", "rend": "+1"}}),
        ("Liberators: crit on 5+", "Clanrats", {"effects": {"crit_on": 5}}),
        ("Rat Ogors: crit (mortal)", "Clanrats", {"effects": {"gain": ["Crit (Mortal)"]}}),
    ],
)  # fmt: skip
def test_a_word_is_what_the_argument_is(attacker: str, target: str, how: dict[str, object]) -> None:
    worded = mh.fight(attacker, target)
    plain = mh.fight(attacker.partition(":")[0], target.partition(":")[0], **how)  # type: ignore[arg-type]
    assert worded.damage.mean() == pytest.approx(plain.damage.mean())
    matrix = mh.matrix(attacker, target)
    assert matrix["damage"].tolist() == [pytest.approx(plain.damage.mean())]


@pytest.mark.parametrize(
    ("attacker", "target", "effects"),
    [
        ("Intercessor Squad: ap -1", "Marines", {"ap": "-1"}),
        ("Intercessor Squad: +1 strength", "Marines", {"strength": "+1"}),
        ("Intercessor Squad: lethal hits", "Marines", {"gain": ["Lethal Hits"]}),
        ("Intercessor Squad: critical wounds on 5+", "Marines", {"crit_wound_on": 5}),
        ("Intercessor Squad", "Marines: fnp 5+", {"fnp": 5, "on": "target"}),
        ("Intercessor Squad", "Marines: 4++", {"invuln": 4, "on": "target"}),
        ("Intercessor Squad", "Terminators: half damage", {"halve_damage": True, "on": "target"}),
    ],
)
def test_words_of_40k(attacker: str, target: str, effects: dict[str, object]) -> None:
    names = attacker.partition(":")[0], target.partition(":")[0]
    worded = mh.fight(attacker, target, weapons="ranged").lost.mean()
    assert worded == pytest.approx(mh.fight(*names, weapons="ranged", effects=effects).lost.mean())


@pytest.mark.parametrize("system", ["aos4", "wh40k10"])
def test_every_example_is_a_buff_of_its_game(system: str) -> None:
    known = {field.name for field in attacks_of(system).effect_fields} | {"on"}
    read = 0
    for example in EXAMPLES:
        try:
            change = buff_of(attacks_of(system), example)
        except mh.BadInputError as error:
            assert "is not a buff of this game" in str(error)
        else:
            assert change is not None
            assert set(change) <= known
            read += 1
    assert read > 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Librators", "unit: no unit 'Librators' in aos4 (did you mean 'Liberators'?)"),
        ("10 Librators: charged", "unit: no unit 'Librators' in aos4 (did you mean 'Liberators'?)"),
        ("Liberators: chraged", "unit: Liberators: cannot read 'chraged' (did you mean 'charged'?)"),
        ("Liberators: +1 to hti", "unit: Liberators: cannot read '+1 to hti' (did you mean '+1 to hit'?)"),
        ("Liberators: 4++", "unit: Liberators: '4++' is not a buff of this game (it has no invuln)"),
        (
            "Liberators: fnord",
            "unit: Liberators: cannot read 'fnord' (a word is a size, weapons, a situation, a command or a buff, "
            "such as '+1 to hit')",
        ),
        ("Liberators: 99 lost", "Liberators: 99 wounds lost (give 0 to 9: at least one is left)"),
        ("0 Liberators", "Liberators: 0 models (give a whole number from 1 to 1000)"),
        ("x" * 301, "unit: 301 characters are too many for a unit (at most 300)"),
    ],
)
def test_messages(text: str, message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        mh.unit(text, "aos4")
    assert str(caught.value) == message


def test_with_a_leader_nobody_knows() -> None:
    with pytest.raises(mh.UnknownNameError, match="no unit 'Fnord' in aos4"):
        mh.unit("Liberators with Fnord", "aos4")


PIECES = (
    "Liberators",
    "Clanrats",
    "10",
    "x",
    "x10",
    "with",
    "Lord-Terminos",
    ":",
    ",",
    "charged",
    "+1",
    "to hit",
    "(",
    ")",
)
PIECES += (
    "reinforced",
    "3 lost",
    "reroll",
    "hits",
    "ward",
    "5+",
    "crit",
    "on",
    "melee",
    "-1",
    "of 1",
    "\u0000",
    "鼠",
    "",
)


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join), st.text(max_size=20))
def test_any_words_are_a_unit_or_a_sentence(words: str, noise: str) -> None:
    for text in (words, f"Liberators: {words}", noise, f"Liberators: {noise}"):
        try:
            unit = mh.unit(text, "aos4")
        except mh.MathhammerError as error:
            assert str(error)
        else:
            assert unit.name in ("Liberators", "Clanrats", "Lord-Terminos")
            again = mh.unit(unit.label, "aos4")  # what a table shows can be asked again
            assert (again.models, again.lost, again.stance) == (unit.models, unit.lost, unit.stance)
