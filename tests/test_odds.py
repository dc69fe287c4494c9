"""The other dice of a game, asked through `odds`: against small enumerations, and every refusal."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import mathhammer as mh

D6 = range(1, 7)
TWO = list(itertools.product(D6, repeat=2))


def ask(question: str, **details: Any) -> Any:
    return mh.odds("aos4", question, **details)


def share(rolls: Any) -> float:
    rolls = list(rolls)
    return sum(rolls) / len(rolls)


@pytest.mark.rule("AOS4-5.2")
@pytest.mark.parametrize("needed", range(2, 13))
def test_charges(needed: int) -> None:
    """AOS4-5.2: whoever rolls again has seen the first roll, so a charge that arrives is kept."""
    assert ask("charge", needed=needed)["p_success"] == pytest.approx(share(a + b >= needed for a, b in TWO))
    assert ask("charge", needed=needed, modifier=1)["p_success"] == pytest.approx(
        share(a + b + 1 >= needed for a, b in TWO)
    )
    twice = share(a + b >= needed or c + d >= needed for (a, b), (c, d) in itertools.product(TWO, TWO))
    assert ask("charge", needed=needed, reroll=True)["p_success"] == pytest.approx(twice)


@pytest.mark.parametrize(
    ("distance", "needed"), [(9, 9), (9.5, 9), ("9.6", 10), (0, 0), (0.3, 0), (12.51, 13)]
)
def test_the_charge_roll_for_a_distance(distance: Any, needed: int) -> None:
    assert ask("charge", distance=distance)["needed"] == needed


@pytest.mark.rule("AOS4-M-2.0", "AOS4-M-4.0", "AOS4-SP-1")
def test_casting_against_an_unbinding_wizard() -> None:
    """AOS4-M-2.0, AOS4-M-4.0; without miscasts it is Spearhead (AOS4-SP-1)."""
    resolved = share(
        (a, b) != (1, 1) and a + b + 1 >= 7 and not c + d > a + b + 1
        for (a, b), (c, d) in itertools.product(TWO, TWO)
    )
    assert ask("cast", value=7, modifier=1, unbind=True)["p_resolved"] == pytest.approx(resolved)
    assert ask("cast", value=2)["p_cast_roll_succeeds"] == pytest.approx(35 / 36)
    assert ask("cast", value=2, miscast=False)["p_cast_roll_succeeds"] == pytest.approx(1.0)
    assert ask("cast", value=6, intervention=True) == ask("cast", value=6, modifier=-1)
    assert ask("unbind", roll=8)["p_unbound"] == pytest.approx(share(a + b > 8 for a, b in TWO))


@pytest.mark.rule(
    "AOS4-14.1", "AOS4-C-3.0", "AOS4-C-8.0", "AOS4-17.2", "AOS4-18.1", "AOS4-18.2", "AOS4-T-1.2"
)
def test_runs_and_small_mortal_damage() -> None:
    """AOS4-14.1, AOS4-C-3.0 (At the Double, Redeploy), AOS4-C-8.0."""
    assert ask("run", move=5)["reach_pmf"].to_dict() == pytest.approx(dict.fromkeys(range(6, 12), 1 / 6))
    assert ask("run", move=5, at_the_double=True)["mean_reach"] == 11
    assert ask("redeploy")["mean_reach"] == pytest.approx(3.5)
    assert ask("retreat", health=2, models=3, damage_allocated=1)["slain_pmf"].to_dict() == pytest.approx(
        {1: 2 / 3, 2: 1 / 3}
    )
    assert ask("retreat", ward=4)["mean_damage"] == pytest.approx(1.0)
    assert ask("power_through", health=1, models=2)["p_destroyed"] == pytest.approx(2 / 3)
    assert ask("mortal_dice", dice=10, needs=4, each="D3", ward=4, health=5, models=2)[
        "mean_damage"
    ] == pytest.approx(5.0)
    assert ask("place_of_power")["mean_damage"] == pytest.approx(2 / 6)
    assert ask("power_through", ward=2)["mean_damage"] == pytest.approx(2 / 6)
    assert ask("power_through")["slain_pmf"].to_dict() == {1: 1.0}  # one model of one health
    for dice, needs, mean in ((3, 1, 3.0), (3, 7, 0.0), (0, 4, 0.0), (1000, 7, 0.0)):
        assert ask("mortal_dice", dice=dice, needs=needs)["mean_damage"] == pytest.approx(mean)
    for dice, needs in ((3, 0), (3, 8), (-1, 4), (1001, 4)):
        with pytest.raises(mh.BadInputError, match=r"^mortal dice: "):
            ask("mortal_dice", dice=dice, needs=needs)
    for ward in (1, 7):
        with pytest.raises(mh.BadInputError, match=r"^odds: ward "):
            ask("retreat", ward=ward)


def test_a_double_1_is_a_miscast_but_not_in_spearhead() -> None:
    assert ask("cast", value=2)["p_miscast"] == pytest.approx(1 / 36)
    assert ask("cast", value=2)["p_cast_roll_succeeds"] == pytest.approx(35 / 36)
    assert ask("cast", value=2, miscast=False)["p_miscast"] == 0.0
    assert ask("cast", value=2, miscast=False)["p_cast_roll_succeeds"] == pytest.approx(1.0)


@pytest.mark.rule("AOS4-AMB-17", "AOS4-AMB-16", "AOS4-27.0")
def test_prayers_bank_and_banish() -> None:
    assert ask("pray", value=7, ritual_points=4) == ask("prayer", value=7, ritual_points=4)
    assert ask("prayer", value=7, ritual_points=4, modifier=1)["p_answered_now"] == pytest.approx(5 / 6)
    assert ask("ritual_bank", turns=0, ritual_points=3)["points_pmf"].to_dict() == {3: 1.0}
    assert ask("ritual_bank", turns=1, ritual_points=1)["points_pmf"].to_dict() == pytest.approx(
        {0: 1 / 6} | dict.fromkeys(range(3, 8), 1 / 6)  # AOS4-AMB-17: a 1 takes D3 points, never below 0
    )
    assert ask("ritual_bank", turns=1, modifier=2)["points_pmf"].to_dict() == pytest.approx(
        {0: 1 / 6} | dict.fromkeys(range(4, 9), 1 / 6)  # AOS4-AMB-16: the modified roll is banked
    )
    assert ask("ritual_bank", turns=1, modifier=-3)["points_pmf"].to_dict() == pytest.approx(
        {0: 1 / 6, 1: 3 / 6, 2: 1 / 6, 3: 1 / 6}  # AOS4-27.0: no roll below 1
    )
    assert ask("banish", value=14)["p_banished"] == 0.0
    assert ask("banish", value=9, modifier=2)["p_banished"] == pytest.approx(21 / 36)
    assert ask("banish", value=9, modifier=-1, other_enemy_manifestations=2)["p_banished"] == pytest.approx(
        15 / 36
    )
    assert sum(
        ask("priority")[key] for key in ("p_previous_first_chooses", "p_previous_second_chooses")
    ) == pytest.approx(1.0)


@pytest.mark.rule("AOS4-AMB-20")
@pytest.mark.parametrize(
    ("question", "details", "message"),
    [
        ("charge", {}, "charge: give either needed= (the total on 2D6) or distance= (inches between bases)"),
        (
            "charge",
            {"needed": 9, "reroll_dice": "some"},
            "charge: reroll_dice 'some' (give 'all' or 'subset', AOS4-AMB-20)",
        ),
        (
            "charge",
            {"distance": "far"},
            "charge: 'far' is not a distance (give inches from 0 on, such as 9 or 9.5)",
        ),
        ("charge", {"distance": float("nan")}, "odds: charge: distance is nan (give a number or a word)"),
        (
            "charge",
            {"needed": 9, "rerol": True},
            "odds: charge: unknown detail 'rerol' (did you mean 'reroll'?)",
        ),
        ("charge", {"needed": 9.5}, "odds: charge: needed is 9.5 (give a whole number)"),
        ("cast", {}, "odds: cast needs value"),
        ("cast", {"value": "seven"}, "odds: cast: value is 'seven' (give a whole number)"),
        ("charge", {"needed": 9, "reroll": "yes"}, "odds: charge: reroll is 'yes' (give true or false)"),
        ("charge", {"needed": 10**30}, f"odds: charge: needed is {10**30} (give a whole number)"),
        (
            "rally",
            {"health": 0},
            "rally: give health of at least 1, slain of at least 0, and damage_allocated below health",
        ),
        (
            "retreat",
            {"health": 2, "damage_allocated": 2},
            "odds: give health and models of at least 1, and damage_allocated below health",
        ),
        ("retreat", {"ward": 1}, "odds: ward 1+ (give 2 to 6, or leave it out)"),
        ("mortal_dice", {"dice": -1}, "mortal dice: -1 dice on 4+ (give 0 to 1000 dice and 1 to 7)"),
        ("prayer", {"value": 7, "ritual_points": -1}, "prayer: -1 ritual points (give 0 or more)"),
        (
            "ritual_bank",
            {"turns": 101},
            "ritual bank: 101 turns from 0 points (give 0 to 100 turns, 0 points or more)",
        ),
        (
            "banish",
            {"value": 7, "other_enemy_manifestations": -1},
            "banish: other_enemy_manifestations must be 0 or more",
        ),
    ],
)
def test_messages(question: str, details: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        ask(question, **details)
    assert str(caught.value) == message


def test_a_seed_may_be_large() -> None:
    asked = {
        "dice": 2,
        "strength": 3,
        "target": {"stamina": 3},
        "range": "short",
        "method": "simulate",
        "trials": 10,
    }
    assert mh.odds("diskwars", "ranged", **asked, seed=2**63 - 1)["disks"][0]["damage"].trials == 10
    with pytest.raises(
        mh.BadInputError, match=r"ranged: seed is 9223372036854775808 \(give a whole number from 0 to"
    ):
        mh.odds("diskwars", "ranged", **asked, seed=2**63)
    with pytest.raises(mh.BadInputError, match="ranged: seed is 'x'"):
        mh.odds("diskwars", "ranged", **asked, seed="x")
