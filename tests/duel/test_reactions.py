"""Commands that are steps of their own in a duel: shooting, charging and moving out of turn, dice, leaving combat."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest
from wh40k_units import blade, gun, squad

import mathhammer as mh
from mathhammer.duel.advice import advise


def clan(*weapons: dict[str, Any], **fields: Any) -> mh.Unit:
    return mh.make_unit(
        "aos4", {"name": "Clan", "models": 5, "health": 1, "move": 5, "weapon": list(weapons)} | fields
    )


AXE = {"name": "Axe", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
BOW = {"name": "Bow", "kind": "ranged", "range": 18, "attacks": 1, "hit": 3, "wound": 4, "damage": 1}
IDLE = AXE | {"attacks": 0}
TANK = squad(blade(attacks=0), name="Tank", models=1, toughness=9, wounds=12, move=6, keywords=["vehicle"])
MEN = squad(gun(), blade(attacks=0), name="Men", models=6, wounds=1, save=7, move=6, keywords=["grenades"])
SILENT = squad(blade(attacks=0), name="Silent", models=10, wounds=1, save=7)


@pytest.mark.rule("WH40K-OVERWATCHSTRAT")
def test_fire_overwatch() -> None:
    """WH40K-OVERWATCHSTRAT: twelve shots hit on 6s and wound on 4+ before the enemy charges, within 24 inches."""
    duel = mh.duel(SILENT, MEN, rounds=1, distance=12, charge="none", commands={"b": "fire_overwatch@1a"})
    assert duel.course[0].models[0] == pytest.approx(10 - 12 / 6 / 2)
    far = mh.duel(
        SILENT,
        squad(gun(range=48), name="Men"),
        rounds=1,
        distance=25,
        charge="none",
        commands={"b": "fire_overwatch"},
    )
    assert far.course[0].models[0] == 10.0
    titan = squad(gun(), name="Titan", keywords=["titanic"])
    with pytest.raises(
        mh.BadInputError, match="Titan cannot use fire_overwatch: a Titanic unit cannot use it"
    ):
        mh.duel(SILENT, titan, rounds=1, distance=12, commands={"b": "fire_overwatch"})


@pytest.mark.rule("WH40K-GRENADE")
def test_grenades() -> None:
    """WH40K-GRENADE: six dice on 4+ within 8 inches, for units with the keyword."""
    duel = mh.duel(
        MEN, SILENT, rounds=1, distance=8, charge="none", weapons={"a": "Blade"}, commands="grenade"
    )
    assert duel.course[0].models[1] == pytest.approx(7.0)
    far = mh.duel(
        MEN, SILENT, rounds=1, distance=9, charge="none", weapons={"a": "Blade"}, commands="grenade"
    )
    assert far.course[0].models[1] == 10.0
    with pytest.raises(
        mh.BadInputError, match=r"^duel: b: Silent cannot use grenade: it is for Grenades units"
    ):
        mh.duel(MEN, SILENT, rounds=1, distance=8, commands={"b": "grenade"})


@pytest.mark.rule("WH40K-TANKSHOCK")
def test_tank_shock() -> None:
    """WH40K-TANKSHOCK: nine dice on 5+ after a charge, at most six: only if the charge arrives."""
    duel = mh.duel(TANK, SILENT, rounds=1, distance=8, commands="tank_shock", weapons={"a": "Blade"})
    hits = [min(6, n) for n in range(10)]
    with pytest.raises(mh.BadInputError, match="cannot use tank_shock: it is for Vehicle units"):
        mh.duel(MEN, SILENT, rounds=1, distance=8, commands="tank_shock")
    mean = sum(h * comb(9, n) * 2 ** (9 - n) for n, h in enumerate(hits)) / 3**9
    assert duel.course[0].models[1] == pytest.approx(10 - 21 / 36 * mean)


@pytest.mark.rule("WH40K-DESPERATE")
@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_falling_back(method: str) -> None:
    """Who falls back is apart by its Move, and neither shoots nor strikes in that turn."""
    how = {} if method == "exact" else {"method": method, "trials": 20_000, "seed": 2}
    fighter = squad(gun(), blade(), name="A", move=6)
    foe = squad(blade(), name="B", move=6)
    duel = mh.duel(fighter, foe, rounds=1, commands="fall_back@1a", charge="none", **how)
    assert duel.course[0].models == (5.0, 5.0)
    assert duel.course[0].p_engaged == 0.0
    back = mh.duel(fighter, foe, rounds=1, commands="fall_back@1a", charge="b", **how)
    assert back.course[1].p_charged == pytest.approx(
        26 / 36, abs=1e-12 if method == "exact" else 0.02
    )  # 7 inches


@pytest.mark.rule("AOS4-C-4.0")
def test_covering_fire() -> None:
    """AOS4-C-4.0: five arrows at 3+, one worse, in the enemy's shooting phase."""
    target = clan(IDLE, name="Silent", models=10)
    duel = mh.duel(
        target, clan(BOW), rounds=1, distance=12, charge="none", commands={"b": "covering_fire@1a"}
    )
    assert duel.course[0].models[0] == pytest.approx(10 - 5 * 3 / 6 / 2)


@pytest.mark.rule("AOS4-C-5.0")
def test_counter_charge() -> None:
    """AOS4-C-5.0: b charges nine inches in a's charge phase, and counts as having charged."""
    lance = AXE | {"abilities": ["Charge (+1 Damage)"], "hit": 2, "wound": 2, "attacks": 1}
    rider = clan(lance, name="Rider", models=1)
    wall = clan(IDLE, name="Wall", models=9, health=2)
    duel = mh.duel(wall, rider, rounds=1, distance=9, charge="b", commands={"b": "counter_charge@1a"})
    assert duel.course[0].p_charged == pytest.approx(10 / 36)
    # a blow of 25/36 with two damage slays one model
    assert duel.course[0].models[0] == pytest.approx(9 - 10 / 36 * 25 / 36)


@pytest.mark.rule("AOS4-C-8.0", "AOS4-17.2")
def test_power_through() -> None:
    """AOS4-C-8.0: D3 mortal damage to an enemy of lower Health, after a charge; a ward helps."""
    ogre = clan(IDLE, name="Ogre", models=1, health=4)
    rats = clan(IDLE, name="Rats", models=10, ward=4)
    duel = mh.duel(
        ogre, rats, rounds=1, situation="charged", commands="power_through@1", weapons={"b": "Axe"}
    )
    assert duel.course[0].models[1] == pytest.approx(9.0)
    with pytest.raises(mh.BadInputError, match="the enemy has no lower Health"):
        mh.duel(rats, ogre, rounds=1, commands="power_through")


@pytest.mark.rule("AOS4-14.1")
def test_retreat() -> None:
    """AOS4-14.1: D3 mortal damage to the unit itself, then it is out of combat."""
    duel = mh.duel(clan(AXE), clan(AXE, name="Foe"), rounds=1, charge="none", commands="retreat@1a")
    assert duel.course[0].models == (pytest.approx(3.0), 5.0)
    assert duel.course[0].p_engaged == 0.0


@pytest.mark.rule("AOS4-C-3.0")
@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_redeploy(method: str) -> None:
    """AOS4-C-3.0: the enemy is 6 inches away and withdraws by D6 before the charge."""
    how = {} if method == "exact" else {"method": method, "trials": 40_000, "seed": 9}
    duel = mh.duel(
        clan(AXE),
        clan(AXE, name="Foe"),
        rounds=1,
        distance=6,
        charge="a",
        commands={"b": "redeploy@1a"},
        **how,
    )
    ways = [sum(a + b >= 6 + roll for a in range(1, 7) for b in range(1, 7)) / 36 for roll in range(1, 7)]
    assert duel.course[0].p_charged == pytest.approx(sum(ways) / 6, abs=1e-12 if method == "exact" else 0.02)
    both = mh.duel(
        clan(AXE),
        clan(BOW, AXE, name="Foe"),
        rounds=1,
        distance=6,
        charge="none",
        commands={"b": ["redeploy@1a", "covering_fire@1a"]},
        **how,
    )
    assert both.course[0].models[0] == pytest.approx(5.0)  # it ran, so it does not shoot


CASES: dict[str, tuple[mh.Unit, mh.Unit, dict[str, Any]]] = {
    "overwatch and grenade": (
        squad(gun(), blade(), name="A", move=6, keywords=["grenades"]),
        squad(gun(abilities=["Heavy"]), blade(), name="B", move=6, deadly_demise=1),
        {"distance": 8, "rounds": 2, "commands": {"a": ["grenade"], "b": ["fire_overwatch"]}},
    ),
    "tank shock": (
        TANK,
        squad(gun(), blade(), name="B"),
        {"distance": 8, "rounds": 2, "commands": "tank_shock"},
    ),
    "fall back and forth": (
        squad(gun(), blade(), name="A", move=6),
        squad(gun(), blade(), name="B", move=6),
        {"distance": 14, "rounds": 3, "approach": "both", "commands": {"b": ["fall_back"]}},
    ),
    "covering fire and counter-charge": (
        clan(AXE, BOW),
        clan(AXE, BOW, name="B"),
        {"distance": 9, "rounds": 3, "commands": {"b": ["covering_fire", "counter_charge"]}},
    ),
    "redeploy": (
        clan(AXE, BOW),
        clan(AXE, BOW, name="B"),
        {"distance": 9, "rounds": 3, "approach": "both", "commands": {"b": "redeploy"}},
    ),
    "power through and retreat": (
        clan(AXE, health=3),
        clan(AXE, name="B", health=2),
        {"distance": 6, "rounds": 3, "commands": {"a": "power_through", "b": "retreat@2"}},
    ),
    "hazards and last blows": (
        squad(
            gun(abilities=["Hazardous"]), blade(), name="A", effect=[{"name": "Last", "fight_on_death": "4+"}]
        ),
        squad(
            blade(),
            name="B",
            deadly_demise="D3",
            effect=[{"name": "Twice", "when": ["melee"], "strike_again": True}],
        ),
        {"distance": 5, "rounds": 2},
    ),
    "luck and spikes": (
        clan(AXE, effect=[{"name": "Luck", "needs": "4+", "attacks": "+1"}]),
        clan(
            AXE,
            name="B",
            effect=[
                {"name": "Spikes", "on": "attacker", "mortal": {"dice": "models", "on": "5+", "each": "1"}}
            ],
        ),
        {"rounds": 2},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_both_engines_agree(name: str) -> None:
    """Exact and played, within 6.2 standard errors."""
    a, b, how = CASES[name]
    trials = 20_000
    exact, rolled = mh.duel(a, b, **how), mh.duel(a, b, **how, method="simulate", trials=trials, seed=17)
    for one, other in zip(exact.models, rolled.models, strict=True):
        assert abs(one.mean() - other.mean()) < 6.2 * (one.sd() + 1e-9) / trials**0.5
    assert abs(exact.p_win - rolled.p_win) < 6.2 * 0.5 / trials**0.5


def test_advice_counts_reactions() -> None:
    """Overwatch is worth something, and what a unit cannot use is refused with the reason."""
    fought = mh.duel(squad(blade(), name="A"), MEN, rounds=1, distance=9)
    found = {str(one.use): one for one in advise(fought, "b")}
    assert found["fire_overwatch@1a"].gain > 0
    assert "is for Vehicle units" in found["tank_shock@1b"].refused


@pytest.mark.rule("WH40K-COUNTER")
def test_counter_offensive_changes_nothing_between_two() -> None:
    """WH40K-COUNTER: the unit fights next, which it does anyway."""
    with pytest.raises(mh.BadInputError, match="between two units it changes nothing"):
        mh.duel(MEN, SILENT, rounds=1, commands={"b": "counter_offensive"})
