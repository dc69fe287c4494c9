"""Battleshock, healing and Rally in duels."""

from __future__ import annotations

import pytest
from duel_units import aos

import mathhammer as mh
from mathhammer.duel.states import States
from mathhammer.duel.upkeep import healing
from mathhammer.games.aos4.rally import lost_after_rally, spend_points

Z = 6.2


@pytest.mark.rule("AOS1-BATTLESHOCK")
@pytest.mark.slow
def test_battleshock_by_hand() -> None:
    # One wound that mortally strikes one of two models every turn; the other flees on D6 + 1 above its Bravery.
    doom = {"name": "Doom", "mortal_damage": 1}
    fist = {"name": "Fist", "attacks": 1, "hit": 6, "wound": 6, "damage": 1}
    slayer = mh.make_unit("aos1", {"name": "Slayer", "wounds": 9, "weapon": [fist], "effect": [doom]})
    for bravery, faces in ((2, 5), (4, 3), (9, 0)):
        cowards = mh.make_unit(
            "aos1", {"name": "Cowards", "models": 2, "wounds": 1, "save": 2, "bravery": bravery}
        )
        found = mh.duel(slayer, cowards, rounds=1)
        through = 1 / 6 * 1 / 6 * 1 / 6  # the fist slays the other one as well
        assert found.course[0].p_win == pytest.approx(through + (1 - through) * faces / 6)
        assert found.p_win == pytest.approx(1.0)  # the next turn gets the last one
    calm = mh.make_unit("aos1", {"name": "Calm", "models": 2, "wounds": 1, "save": 2})  # no bravery, no test
    assert mh.duel(slayer, calm, rounds=1).course[0].p_win == pytest.approx(1 / 216)
    calm = mh.make_unit("aos1", {"name": "Calm", "models": 2, "wounds": 1, "save": 2, "weapon": [fist]})
    brave = mh.make_unit(
        "aos1", {"name": "Brave", "models": 2, "wounds": 9, "bravery": 9, "weapon": [fist], "effect": [doom]}
    )
    played = mh.duel(
        brave, calm, rounds=1, method="simulate", trials=2000
    )  # one side would test, the other never does
    chance = mh.duel(brave, calm, rounds=1).course[0].p_win
    assert abs(played.course[0].p_win - chance) <= Z * (chance * (1 - chance) / 2000) ** 0.5


def test_the_wounded_model_flees_first() -> None:
    states = States.of(mh.make_unit("aos1", {"name": "Guard", "models": 3, "wounds": 2}))
    assert states.at_models().tolist() == [6, 4, 2, 0]


@pytest.mark.rule("AOS4-21.0", "AOS4-22.0", "AOS4-CM-2.0")
def test_healing_and_rally() -> None:
    """AOS4-21.0: healing brings nobody back; AOS4-22.0: Rally does, and what is left over heals."""
    states = States.of(aos(models=3, health=3))
    healed = healing(states, mh.Pmf.constant(2))
    assert healed[5].tolist()[3] == 1.0  # two wounds on the second model: both healed
    assert healed[3][3] == 1.0  # a whole model is gone: nothing to heal
    assert healed[9][9] == 1.0  # nobody left
    assert spend_points(4, health=3, slain=1, wounds=2) == (1, 1)  # three points return a model, one heals
    assert spend_points(4, health=3, slain=0, wounds=2) == (0, 2)
    after = lost_after_rally(states.unit, 5).to_dict()  # of 0 to 6 points, 3 return the model
    assert after == pytest.approx({5: 1 / 64, 4: 6 / 64, 3: 15 / 64, 2: 20 / 64, 1: 15 / 64, 0: 7 / 64})
    assert lost_after_rally(aos(models=3, health=3, keywords=["musician"]), 5)[0] == pytest.approx(29 / 128)


@pytest.mark.rule("AOS4-C-2.0", "AOS4-13.0", "AOS4-7.0")
def test_rally_only_while_free() -> None:
    hurt = aos(models=4).with_lost(2)
    harmless = aos(
        "Wall",
        models=1,
        health=30,
        weapon=[{"name": "Fist", "attacks": 1, "hit": 6, "wound": 6, "damage": 1}],
    )
    bow = {"name": "Bow", "kind": "ranged", "range": 20, "attacks": 1, "hit": 6, "wound": 6, "damage": 1}
    archer = aos("Archers", models=4, weapon=[bow]).with_lost(2)
    rallied = mh.duel(archer, harmless, rounds=1, distance=12, charge="none", rally="a")
    assert rallied.models[0].to_dict() == pytest.approx(
        {2: 1 / 64, 3: 6 / 64, 4: 57 / 64}
    )  # of six dice on 4+: none, one, more
    engaged = mh.duel(hurt, harmless, rounds=1, rally="a")
    assert engaged.models[0].at_least(3) == 0.0


def test_a_healing_loop_ends() -> None:
    troll = aos("Troll", health=6, attacks=1)
    found = mh.duel(troll, troll, rounds=None, heal={"a": 6, "b": 6})
    assert found.course[-1].round == 50
    assert found.p_draw > 0.99
