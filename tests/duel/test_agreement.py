"""Exact and simulated duels agree: rules that ask for distance on every side, and random units at any distance."""

from __future__ import annotations

from math import nextafter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likelihood import LIMIT, likely, z_score
from random_units import DICE, GAMES, WH40K

import mathhammer as mh
from mathhammer.duel.bands import band_edges
from mathhammer.units.unit import Unit

pytestmark = pytest.mark.slow

TRIALS = 4_000
MANY = 40_000


def assert_agree(a: Unit, b: Unit, trials: int, **options: Any) -> None:
    """Every mean and chance of the simulated duel within 6.2 standard errors of the exact one."""
    exact = mh.duel(a, b, **options)
    played = mh.duel(a, b, method="simulate", trials=trials, seed=23, **options)
    for here, there in zip(exact.fates, played.fates, strict=True):
        assert abs(z_score(here.lost, there.lost.mean(), trials)) < LIMIT
        assert likely(min(1.0, here.p_gone), there.p_gone, trials)
    for before, after in zip(exact.course, played.course, strict=True):
        for chance, seen in (
            (before.p_win, after.p_win),
            (before.p_engaged, after.p_engaged),
            (before.p_charged, after.p_charged),
        ):
            assert likely(min(1.0, max(0.0, chance)), seen, trials)


# --- the distances that rules ask for


def shooter(name: str, effects: list[dict[str, Any]] | None = None, models: int = 5) -> Unit:
    """Models that shoot 24 inches far."""
    gun = {"name": "Gun", "kind": "ranged", "range": 24, "attacks": 2, "skill": 4, "strength": 4}
    fields = {"name": name, "models": models, "wounds": 2, "toughness": 4, "save": 5, "effect": effects or []}
    return mh.make_unit("wh40k10", {**fields, "weapon": [{**gun, "ap": 0, "damage": 1}]})


FAR_OFF = {"name": "Far off", "when": ["distance >= 10"], "on": "attacker", "hit_roll": -1}
GIFT = {"name": "Veil", "when": ["distance >= 10"], "on": "friends", "save_roll": "+1"}
BOON = {"name": "Aim", "when": ["distance < 10"], "on": "friends", "hit_roll": "+1"}


@pytest.mark.needs_jit
@pytest.mark.parametrize("distance", [8, 9.5, nextafter(10, 0), 10, nextafter(10, 11), 11.9, 12, 12.1])
@pytest.mark.parametrize("test", [">=", ">", "<=", "<", "=="])
def test_a_rule_of_the_target_asks_for_distance(distance: float, test: str) -> None:
    """House rule: -1 to be hit from afar; the band in which a shooter stands is not cut by its own rules."""
    effect = {**FAR_OFF, "when": [f"distance {test} 10"]}
    a, b = shooter("Gunners"), shooter("Hidden", [effect])
    assert_agree(a, b, MANY, distance=distance, rounds=1, charge="none")


@pytest.mark.needs_jit
@pytest.mark.parametrize("distance", [8, nextafter(10, 0), 10, 13.3])
@pytest.mark.parametrize(("side", "gift"), [("a", BOON), ("b", GIFT), ("a", GIFT), ("b", BOON)])
def test_a_rule_of_a_friend_asks_for_distance(distance: float, side: str, gift: dict[str, Any]) -> None:
    friend = shooter("Friend", [gift])
    options: dict[str, Any] = {"distance": distance, "rounds": 2, "charge": "none"}
    assert_agree(shooter("Gunners"), shooter("Hidden"), MANY, friends={side: [friend]}, **options)


def test_the_effect_of_such_a_rule_is_seen() -> None:
    """At 8 inches nothing is far off, at 10 everything is: in both ways of working it out."""
    a, b = shooter("Gunners"), shooter("Hidden", [FAR_OFF])
    for method, trials, slack in (("exact", None, 1e-9), ("simulate", 2_000, 0.2)):
        means = [
            mh.duel(a, b, distance=away, rounds=1, charge="none", method=method, trials=trials)
            for away in (8, 10)
        ]
        near, far = (one.fates[1].lost.mean() for one in means)
        assert near == pytest.approx(10 / 6, abs=slack)  # 10 shots of 1/2 x 1/2 x 2/3
        assert far == pytest.approx(10 / 9, abs=slack)  # of 1/3 x 1/2 x 2/3


def test_a_weapon_without_a_range_meets_rules_about_any_distance() -> None:
    spell = {"name": "Spell", "kind": "ranged", "attacks": 4, "hit": 3, "wound": 3, "damage": 1}
    fields = {"models": 3, "health": 2, "save": 6}
    a = mh.make_unit("aos4", {"name": "Wizards", **fields, "weapon": [spell]})
    far = {"name": "Mist", "when": ["distance > 20"], "on": "attacker", "hit_roll": -1}
    b = mh.make_unit("aos4", {"name": "Misty", **fields, "weapon": [spell], "effect": [far]})
    for distance in (15, 20, 30):
        assert_agree(a, b, 2_000, distance=distance, rounds=1, charge="none")


def test_edges_of_bands() -> None:
    """Ranges and half ranges end a band; a distance of a rule begins one and ends one; combat is not a distance."""
    a, b = shooter("Gunners"), shooter("Hidden", [FAR_OFF, {**FAR_OFF, "when": ["distance <= 1"]}])
    setup = mh.duel(a, b, distance=8, rounds=1).setup
    assert band_edges(setup, 0, 0) == [nextafter(10, 0), 10.0, nextafter(12, 0), 12.0, 24.0]
    assert band_edges(setup, 1, 0) == band_edges(setup, 0, 0)


# --- random units


@st.composite
def unit(draw: st.DrawFn, system: str, name: str) -> dict[str, Any]:
    """A small unit that shoots and strikes, with rules that ask for distance."""
    size = draw(st.integers(1, 4))
    ability = {"aos4": "Crit (2 Hits)", "wh40k10": "Rapid Fire 1", "wh40k11": "Rapid Fire 1"}.get(system)
    made: dict[str, Any] = {"name": name, "models": size, "move": draw(st.integers(3, 8)), "save": 5}
    made["health" if system == "aos4" else "wounds"] = draw(st.integers(1, 3))
    made |= {"toughness": 4} if system in WH40K else {}
    made |= {"bravery": draw(st.integers(3, 8))} if system == "aos1" else {}
    rolls = {"skill": 3, "strength": 4, "ap": 0} if system in WH40K else {"hit": 3, "wound": 4}
    gun = {"name": "Gun", "kind": "ranged", "range": draw(st.integers(6, 24)), "attacks": draw(DICE)}
    gun |= {"abilities": [ability]} if ability and draw(st.booleans()) else {}
    axe = {"name": "Axe", "attacks": draw(st.integers(1, 3)), "damage": draw(st.sampled_from([1, 2, "D3"]))}
    made["weapon"] = [{**gun, "damage": 1, **rolls}, {**axe, **rolls}]
    made["effect"] = draw(st.lists(distance_rules(), max_size=2))
    return made


@st.composite
def distance_rules(
    draw: st.DrawFn, scopes: tuple[str, ...] = ("unit", "target", "attacker")
) -> dict[str, Any]:
    """A rule that asks for a distance."""
    value = draw(st.one_of(st.integers(1, 30), st.floats(1, 30).map(lambda inches: round(inches, 2))))
    test = draw(st.sampled_from([">=", "<=", ">", "<"]))
    negated = draw(st.sampled_from(["", "not "]))
    change = draw(
        st.sampled_from([{"hit_roll": "-1"}, {"hit_roll": "+1"}, {"save_roll": "+1"}, {"attacks": "+2"}])
    )
    return {
        "name": "Rule",
        "when": [f"{negated}distance {test} {value}"],
        "on": draw(st.sampled_from(scopes)),
        **change,
    }


@st.composite
def duels(draw: st.DrawFn) -> tuple[Unit, Unit, dict[str, Any]]:
    """Two units, friends of either side, and the options of their duel."""
    system = draw(st.sampled_from(GAMES))
    a, b = (mh.make_unit(system, draw(unit(system, name))) for name in "AB")
    gifts = [draw(st.lists(distance_rules(("friends",)), min_size=1, max_size=1)) for _ in "ab"]
    body = {"name": "Friend", "health" if system == "aos4" else "wounds": 1}
    body |= {"toughness": 4} if system in WH40K else {}
    friends = {
        side: [mh.make_unit(system, {**body, "effect": gift})]
        for side, gift in zip("ab", gifts, strict=True)
        if draw(st.booleans())
    }
    rules = [float(c.value) for one in (a, b) for e in one.effects for c in e.when]
    near = st.sampled_from([value for value in rules if value > 3] or [9.0])
    return (
        a,
        b,
        {
            "distance": draw(st.one_of(st.floats(3.5, 23), near)),
            "friends": friends,
            "rounds": draw(st.integers(1, 2)),
            "approach": draw(st.sampled_from(["none", "a", "both"])),
            "charge": draw(st.sampled_from(["both", "none", "b"])),
            "first": draw(st.sampled_from("ab")),
        },
    )


@pytest.mark.needs_jit
@settings(max_examples=max(8, settings().max_examples // 2))
@given(duels())
def test_random_duels_agree(duel: tuple[Unit, Unit, dict[str, Any]]) -> None:
    a, b, options = duel
    try:
        mh.duel(a, b, **options)
    except mh.BadInputError as error:
        assert "never meet" in str(error) or "cannot hurt" in str(error)
        return
    assert_agree(a, b, TRIALS, **options)


@pytest.mark.needs_jit
def test_abilities_that_read_the_distance_agree_too() -> None:
    """Conversion X starts at its own distance, in the exact duel and in the bands of the simulated one."""
    beam = {
        "name": "Beam",
        "kind": "ranged",
        "range": 48,
        "attacks": 6,
        "skill": 5,
        "strength": 4,
        "damage": 1,
    }
    body = {"models": 6, "toughness": 4, "wounds": 1, "save": 6, "move": 5, "points": 100}
    abilities = ["Conversion 24", "Sustained Hits 1"]
    a = mh.make_unit("wh40k10", {"name": "A", "weapon": [beam | {"abilities": abilities}]} | body)
    b = mh.make_unit("wh40k10", {"name": "B", "weapon": [beam]} | body)
    for distance in (24.0, 26.5, 31.0):
        exact = mh.duel(a, b, rounds=2, distance=distance, approach="both")
        played = mh.duel(a, b, rounds=2, distance=distance, approach="both", method="simulate", trials=60_000)
        for which in (0, 1):
            z = z_score(exact.models[which], played.models[which].mean(), 60_000)
            assert abs(z) < LIMIT
    near, far = (
        mh.duel(a, b, rounds=1, distance=d, first="a", charge="none").models[1].mean() for d in (24, 25)
    )
    assert far < near - 0.3
