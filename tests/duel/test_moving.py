"""Moves, charges and distances in duels."""

from __future__ import annotations

from math import nextafter

import pytest
from duel_units import aos, marine

import mathhammer as mh
from mathhammer.duel.bands import band_edges
from mathhammer.duel.moving import Line


@pytest.mark.rule("AOS4-14.3", "WH40K-CHARGE", "AOS1-CHARGE", "AOS4-7.0")
def test_charge_odds_in_each_game() -> None:
    # AOS4-14.3: 9 inches need a 9 (10/36); WH40K-CHARGE: Engagement Range makes it an 8 (15/36)
    assert mh.duel(aos(), aos(), distance=9).first_charge == pytest.approx(10 / 36)
    assert mh.duel(aos(), aos(), distance=9.5).first_charge == pytest.approx(10 / 36)  # within half an inch
    assert mh.duel(marine(), marine(), distance=9).first_charge == pytest.approx(15 / 36)
    assert mh.duel(aos(), aos(), distance=9, commands=["reroll_charge"]).first_charge == pytest.approx(
        1 - (26 / 36) ** 2
    )
    assert mh.duel(aos(), aos()).first_charge is None
    assert mh.duel(aos(), aos(), distance=2.5).first_charge is None  # within 3 inches is in combat


@pytest.mark.rule("AOS1-CHARGE", "WH40K-CHARGE")
def test_charges_are_declared_within_12_inches() -> None:
    """WH40K-CHARGE, AOS1-CHARGE."""
    sword = {"name": "Sword", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    old = mh.make_unit(
        "aos1", {"name": "Old", "models": 1, "wounds": 1, "save": 6, "bravery": 10, "weapon": [sword]}
    )
    assert mh.duel(marine(), marine(), distance=12).first_charge == pytest.approx(3 / 36)
    assert mh.duel(old, old, distance=12).first_charge == pytest.approx(1 / 36)
    for unit in (marine(), old):
        with pytest.raises(mh.BadInputError, match=r"never meet: 12\.1 inches apart, no charge reaches"):
            mh.duel(unit, unit, distance=12.1)


def test_charges_are_made_in_turn() -> None:
    harmless = aos(attacks=0, weapon=[{"name": "Fist", "attacks": 1, "hit": 6, "wound": 6, "damage": 1}])
    p = 10 / 36
    found = mh.duel(harmless, harmless, distance=9, rounds=2)
    assert [point.p_charged for point in found.course] == pytest.approx(
        [p, (1 - p) * p, (1 - p) ** 2 * p, (1 - p) ** 3 * p], rel=0.1
    )
    assert found.course[0].p_engaged == pytest.approx(
        p * (35 / 36) ** 2
    )  # both strike and both are still there
    assert found.p_charge["a"] == found.course[0].p_charged + found.course[2].p_charged
    only_b = mh.duel(harmless, harmless, distance=9, rounds=2, charge="b")
    assert only_b.p_charge["a"] == 0.0
    assert only_b.course[1].p_charged == pytest.approx(p)


def test_charges_of_whoever_has_the_turn() -> None:
    """With a priority roll nobody knows whose turn it is: the chance is that of four charge rolls, one after the other."""
    wall = aos("Wall", health=30)
    assert mh.duel(wall, wall, distance=9, rounds=2, priority="roll").p_charge == {
        "any": pytest.approx(1 - (26 / 36) ** 4)
    }


@pytest.mark.rule("AOS4-14.4")
def test_a_charge_counts_where_rules_ask_for_it() -> None:
    lance = {
        "name": "Lance",
        "attacks": 1,
        "hit": 4,
        "wound": 4,
        "damage": 1,
        "abilities": ["Charge (+1 Damage)"],
    }
    rider = mh.make_unit("aos4", {"name": "Rider", "health": 2, "weapon": [lance]})
    target = aos(health=2, attacks=0, weapon=[])
    walked = mh.duel(rider, target, rounds=1, first="a")
    charged = mh.duel(rider, target, rounds=1, situation="charged")
    assert walked.p_win == pytest.approx(1 / 16)  # two blows of 1, one in each turn
    assert charged.course[0].p_win == pytest.approx(1 / 4)  # one blow of 2
    rolled = mh.duel(rider, target, rounds=1, distance=9)
    assert rolled.course[0].p_win == pytest.approx(
        1 / 4 * 10 / 36
    )  # AOS4-14.4: without the charge nobody is there to fight


def test_units_approach_by_their_move() -> None:
    walker = aos(move=5)
    found = mh.duel(walker, walker, distance=24, approach="both", rounds=3)
    line, seen = Line.start(found.setup), []
    for side in (0, 1) * 3:
        line.move(found.setup, side)
        seen.append(line.away)
    assert seen == [19.0, 14.0, 9.0, 4.0, 3.01, 3.01]
    assert found.first_charge_distance == 19.0
    assert found.course[1].p_charged == 0.0  # 14 inches
    assert found.course[2].p_charged == pytest.approx(10 / 36)


@pytest.mark.rule("AOS4-16.0")
def test_shooting_depends_on_range_and_combat() -> None:
    bow = {"name": "Bow", "kind": "ranged", "range": 12, "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    archer = mh.make_unit("aos4", {"name": "Archer", "health": 1, "weapon": [bow]})
    target = aos("Target", health=1, weapon=[])
    assert mh.duel(archer, target, distance=12, rounds=1).p_win == pytest.approx(1 / 4)
    with pytest.raises(mh.BadInputError, match="never meet: 13 inches apart"):
        mh.duel(archer, target, distance=13, rounds=1)
    with pytest.raises(mh.BadInputError, match="cannot hurt each other"):
        mh.duel(archer, target, rounds=1)  # AOS4-16.0: silent in combat
    pistol = {
        "name": "Gun",
        "kind": "ranged",
        "range": 12,
        "attacks": 1,
        "skill": 4,
        "strength": 4,
        "ap": 0,
        "damage": 1,
    }
    melta = {**pistol, "abilities": ["Rapid Fire 1"]}
    for distance, attacks in ((12, 1), (6, 2)):  # half range is known from the distance
        shooter = mh.make_unit("wh40k10", {"name": "Shooter", "wounds": 1, "toughness": 4, "weapon": [melta]})
        found = mh.duel(shooter, marine(models=3), distance=distance, rounds=1, charge="none")
        assert found.course[0].models[1] == pytest.approx(3 - attacks / 4)


@pytest.mark.rule("AOS4-7.0", "AOS4-25.0", "WH40K-LONEOP")
@pytest.mark.parametrize(("system", "edges"), [("aos4", [3.0, 12.0]), ("wh40k10", [12.0])])
def test_distances_of_the_games_own_rules_are_edges(system: str, edges: list[float]) -> None:
    """AOS4-7.0, AOS4-25.0, WH40K-LONEOP: obscured targets, guarded heroes and Lone Operatives are far away or near."""
    rolls = {"hit": 4, "wound": 4} if system == "aos4" else {"skill": 4, "strength": 4}
    gun = {"name": "Gun", "kind": "ranged", "range": 18, "attacks": 1, "damage": 1} | rolls
    body = {"health": 1} if system == "aos4" else {"wounds": 1, "toughness": 4}
    shooter = mh.make_unit(system, {"name": "Shooter", "weapon": [gun]} | body)
    setup = mh.duel(shooter, shooter, distance=18, rounds=1).setup
    reach = setup.turns.reach
    near = [edge for edge in edges for edge in (nextafter(edge, 0.0), edge) if edge > reach]
    assert band_edges(setup, 0, 0) == sorted({9.0, 18.0, *near})
