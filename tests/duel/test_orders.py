"""Whole lists: what units do without orders, and whom they attack."""

from __future__ import annotations

import pytest
from duel_units import aos, blasters, load, marine, monster

import mathhammer as mh
from mathhammer.duel.moving import halt_of

Z = 6.2


@pytest.mark.slow
@pytest.mark.needs_jit
def test_lists_fight_by_policy() -> None:
    ours = [load("aos4", "Liberators"), load("aos4", "Liberators")]
    theirs = [load("aos4", "Clanrats"), load("aos4", "Rat Ogors")]
    found = {
        policy: mh.duel(ours, theirs, policy=policy, trials=2000)
        for policy in ("nearest", "points", "weakest")
    }
    for policy, fought in found.items():
        assert fought.method == "simulate"
        assert [fate.side for fate in fought.fates] == ["a", "a", "b", "b"]
        assert fought.p_ahead + fought.p_behind <= 1.0
        assert fought.points_lost[0] > 0 < fought.points_lost[1]
        assert fought.setup.distance == 24.0
        assert "No terrain" in fought.explain()
        assert {"nearest": "first enemy as listed", "points": "most points", "weakest": "fewest wounds"}[
            policy
        ] in fought.explain()
    assert found["nearest"].points_lost != found["points"].points_lost


@pytest.mark.slow
@pytest.mark.needs_jit
def test_a_few_against_one() -> None:
    # Two single orcs in combat with one: each of the three strikes once a turn, the active side first.
    found = mh.duel([aos(), aos()], aos("Elf", models=1), rounds=1, distance=1, trials=40_000)
    miss = 3 / 4
    first = 1 - miss**1  # a picks first, then b, then a again
    after_b = miss * miss  # the first orc missed, and so did the elf
    hit_b = miss * (1 - miss)
    first += after_b * (1 - miss) + hit_b * (
        1 - miss
    )  # the second orc is still there either way: the elf strikes the first listed
    assert abs(found.course[0].p_win - first) <= Z * (first * (1 - first) / 40_000) ** 0.5


@pytest.mark.slow
@pytest.mark.rule("WH40K-BGNT")
def test_nobody_shoots_at_enemies_that_fight_his_friends() -> None:
    """WH40K-BGNT: after the first turn the only enemy is in combat with a friend of the gunner."""
    gun = {
        "name": "Gun",
        "kind": "ranged",
        "range": 36,
        "attacks": 1,
        "skill": 4,
        "strength": 8,
        "ap": -6,
        "damage": 50,
    }
    giant, gunner = marine("Giant", wounds=50), marine("Gunner", wounds=50, weapon=[gun])
    once = 1 / 2 * 5 / 6  # it hits and wounds in the first turn or never
    found = mh.duel(
        [marine("Friend", wounds=50), gunner], giant, rounds=3, distance=3, trials=40_000, charge="a"
    )
    assert abs(found.p_win - once) <= Z * (once * (1 - once) / 40_000) ** 0.5


@pytest.mark.slow
@pytest.mark.rule("WH40K-PRECISION")
def test_shooters_stay_back_and_models_strike_with_one_weapon() -> None:
    fought = mh.duel([blasters(), monster()], [load("wh40k10", "Boyz")] * 2, trials=500)
    assert [fighter.charges for fighter in fought.setup.fighters[0]] == [False, True]
    assert halt_of(fought.setup, 0, 0) == 36.0
    assert halt_of(fought.setup, 0, 1) == 2.0
    assert "WH40K-PRECISION" in fought.explain()
    two = {"attacks": 3, "skill": 3, "strength": 4, "ap": 0}
    both = mh.make_unit(
        "wh40k10",
        {
            "name": "Both",
            "models": 3,
            "wounds": 2,
            "toughness": 4,
            "weapon": [{"name": "Sword", "damage": 1, **two}, {"name": "Axe", "damage": 2, **two}],
        },
    )
    foe = load("wh40k10", "Intercessor Squad")
    for rivals in ([both], [both, both]):  # alone exactly, in an army simulated: always the axe
        setup = mh.duel(
            rivals if len(rivals) > 1 else both, foe, trials=500 if len(rivals) > 1 else None
        ).setup
        used = {
            w.name for question in setup.strikes if question.attacker.name == "Both" for w in question.weapons
        }
        assert used == {"Axe"}


@pytest.mark.slow
def test_lists_go_for_the_most_points() -> None:
    """Without a policy the order of a file does not decide who is attacked first."""
    rats, ogors = load("aos4", "Clanrats"), load("aos4", "Rat Ogors")
    mine = [load("aos4", "Liberators")] * 2
    plain = mh.duel(mine, [rats, ogors], trials=300, seed=5)
    assert plain.setup.policy == "points"
    turned = mh.duel(mine, [ogors, rats], trials=300, seed=5)
    assert plain.points_lost[1] == pytest.approx(turned.points_lost[1], rel=0.2)
