"""Warhammer 40,000: dice outside of attacks, each number worked out by counting dice."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from wh40k_units import gun, squad

import mathhammer as mh

D6 = range(1, 7)
TWO = list(itertools.product(D6, D6))


def ask(question: str, **details: Any) -> Any:
    return mh.odds("wh40k10", question, **details)


@pytest.mark.rule("WH40K-HAZ")
def test_hazardous_tests_count_mortal_wounds() -> None:
    """WH40K-HAZ: each failed test is three mortal wounds, so four tests deal two on average."""
    answer = ask("hazardous", target=squad(models=5, wounds=3), tests=4)
    assert answer["mean_mortal_wounds"] == pytest.approx(2.0)
    assert answer["mean_models_slain"] == pytest.approx(4 / 6)


@pytest.mark.rule("WH40K-DESPERATE")
def test_an_escape_takes_models_and_not_wounds() -> None:
    answer = ask("desperate_escape", tests=6, models=10)
    assert set(answer) == {"mean_models_slain", "models_slain_pmf", "p_destroyed"}


@pytest.mark.rule("WH40K-LIMITS")
@pytest.mark.parametrize("value", [2, 4, 9, 12])
def test_leadership_is_from_5_to_8(value: int) -> None:
    """WH40K-LIMITS: 4+ and 9+ do not exist."""
    for question in ("battle_shock", "leadership"):
        with pytest.raises(mh.BadInputError, match=rf"Leadership {value}\+ \(give 5 to 8, WH40K-LIMITS\)$"):
            ask(question, leadership=value)


@pytest.mark.rule("WH40K-MORTAL", "WH40K-ATTACHED")
def test_mortal_wounds_and_the_character() -> None:
    """The leader dies only after his two guards: four dice on 4+ against 1 + 1 + 2 wounds."""
    guards = squad(name="Guards", models=2, wounds=1)
    boss = squad(name="Boss", models=1, wounds=2, keywords=["character"])
    unit = mh.attach(boss, guards)
    answer = ask("mortal_dice", target=unit, dice=4, success_on=4)
    assert answer["p_character_slain"] == pytest.approx(1 / 16)
    assert ask("hazardous", target=unit, tests=3)["p_character_slain"] == pytest.approx(1 / 216)
    assert "p_character_slain" not in ask("mortal_dice", target=guards, dice=4, success_on=4)
    fists = squad(gun(), models=1)
    with pytest.raises(mh.BadInputError, match=r"^p_character_slain: Guards has no Character"):
        _ = mh.fight(fists, guards).p_character_slain


@pytest.mark.rule("WH40K-OC", "WH40K-BSHOCK")
def test_objective_control() -> None:
    """WH40K-OC: the sum over models; equal levels are contested; WH40K-BSHOCK: 0 while Battle-shocked."""
    unit = squad(objective_control=2)
    assert ask("control", target=unit, lost=4) == {"models": 3, "level_of_control": 6}
    assert ask("control", target=unit, battle_shocked=True)["level_of_control"] == 0
    assert ask("control", target=squad())["level_of_control"] is None
    assert ask("objective", mine=6, theirs=5) == {"controlled_by": "mine"}
    assert ask("objective", mine=5, theirs=5) == {"controlled_by": "nobody"}
    assert ask("objective", mine=0, theirs=0, sticky="theirs") == {"controlled_by": "theirs"}
    assert ask("objective", mine=1, theirs=0, sticky="theirs") == {"controlled_by": "mine"}
    with pytest.raises(mh.BadInputError, match=r"^objective: sticky 'yes' \(give mine, theirs or nobody\)$"):
        ask("objective", mine=1, theirs=0, sticky="yes")
    shooter = squad(gun(attacks=1, skill=4, strength=4), models=1)
    bare = squad(models=2, wounds=1, save=7, objective_control=2)
    assert mh.fight(shooter, bare).aftermath["control_left"].to_dict() == pytest.approx({4: 3 / 4, 2: 1 / 4})
    assert "control_left" not in mh.fight(shooter, squad()).aftermath


@pytest.mark.rule("WH40K-CHARGE", "WH40K-ADVANCE")
def test_threat_range() -> None:
    """A move of 6, an Advance and a charge: declared within 12 inches, into one inch."""
    plain = sum(a + b >= 18 - 6 - 1 for a, b in TWO) / 36
    assert ask("threat", distance=18, move=6)["p_arrives"] == pytest.approx(plain)
    assert ask("threat", distance=19, move=6)["p_arrives"] == 0.0
    rolls = [(c, a + b) for c in D6 for a, b in TWO]
    arrives = sum(20 - 6 - c <= 12 and total >= 20 - 6 - c - 1 for c, total in rolls) / 216
    assert ask("threat", distance=20, move=6, advance=True)["p_arrives"] == pytest.approx(arrives)
