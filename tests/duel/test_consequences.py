"""What an attack of a duel brings about besides its damage: costs, explosions, blows of the dying, a second
strike, models that return, and who strikes first.
"""

from __future__ import annotations

from typing import Any

import pytest
from wh40k_units import blade, gun, squad

import mathhammer as mh

SURE = {"skill": 2, "strength": 8, "ap": -6}


def clan(*weapons: dict[str, Any], **fields: Any) -> mh.Unit:
    return mh.make_unit("aos4", {"name": "Clan", "models": 5, "health": 1, "weapon": list(weapons)} | fields)


def axe(**fields: Any) -> dict[str, Any]:
    """One blow that slays with chance 1/4."""
    return {"name": "Axe", "attacks": 1, "hit": 4, "wound": 4, "damage": 1} | fields


BOTH = pytest.mark.parametrize("method", ["exact", "simulate"])


def played(method: str) -> dict[str, Any]:
    return {} if method == "exact" else {"method": method, "trials": 60_000, "seed": 21}


def near(method: str, value: float) -> Any:
    return pytest.approx(value, abs=1e-12 if method == "exact" else 0.03)


@pytest.mark.rule("WH40K-HAZ")
@BOTH
def test_hazardous_bearers_fall(method: str) -> None:
    """WH40K-HAZ: three bearers of two wounds lose half a model in one volley."""
    plasma = squad(gun(abilities=["Hazardous"]), name="Plasma", models=3)
    foe = squad(name="Foe", models=20)
    duel = mh.duel(plasma, foe, distance=12, rounds=1, charge="none", **played(method))
    assert duel.models[0].mean() == near(method, 2.5)


@pytest.mark.rule("WH40K-HAZ")
def test_tests_need_a_target() -> None:
    """Once the enemy is gone there is nothing to shoot at, and no test."""
    plasma = squad(gun(abilities=["Hazardous", "Torrent"], attacks=9, strength=9), name="Plasma", models=3)
    foe = squad(name="Foe", models=1, wounds=1, save=7)
    one, three = (mh.duel(plasma, foe, distance=12, rounds=n, charge="none") for n in (1, 3))
    assert three.models[0].mean() == pytest.approx(one.models[0].mean(), abs=1e-6)


@pytest.mark.rule("WH40K-DEADLY")
@BOTH
def test_the_victor_over_a_vehicle_that_explodes(method: str) -> None:
    """WH40K-DEADLY: Deadly Demise 3 on a 6 slays three of five models with one wound."""
    hammer = blade(attacks=40, damage=6, **SURE)
    five = squad(hammer, name="Five", wounds=1)
    tank = squad(name="Tank", models=1, toughness=4, wounds=6, deadly_demise=3)
    duel = mh.duel(five, tank, rounds=1, **played(method))
    assert duel.models[0].mean() == near(method, 4.5)
    gunners = squad(gun(attacks=40, damage=6, **SURE), name="Five", wounds=1)
    far = mh.duel(gunners, tank, rounds=1, distance=7, charge="none", **played(method))
    assert far.models[0].mean() == near(method, 5.0)  # more than six inches away
    close = mh.duel(gunners, tank, rounds=1, distance=6, charge="none", **played(method))
    assert close.models[0].mean() == near(method, 4.5)


@pytest.mark.rule("WH40K-HEAVY")
@BOTH
def test_heavy_weapons_of_units_that_stand_still(method: str) -> None:
    """WH40K-HEAVY: six shots at 4+, wounding on 2+: 3.33 wounds from where it stands, 2.5 after a move."""
    gunner = squad(gun(attacks=6, skill=4, strength=8, abilities=["Heavy"]), name="Gunner", models=1, move=6)
    foe = squad(name="Foe", models=20, wounds=1, save=7)
    wounding = 5 / 6
    stands = mh.duel(gunner, foe, distance=20, rounds=1, charge="none", **played(method))
    assert stands.models[1].mean() == near(method, 20 - 6 * 4 / 6 * wounding)
    walks = mh.duel(gunner, foe, distance=30, rounds=1, approach="a", charge="a", **played(method))
    assert walks.models[1].mean() == near(method, 20 - 6 * 3 / 6 * wounding)


@pytest.mark.rule("AOS4-7.0", "AOS4-14.3")
def test_units_halt_just_outside_of_combat() -> None:
    """AOS4-7.0: a charge from just outside three inches needs a 3, which is 35 of 36."""
    walker = clan(axe(), move=12)
    duel = mh.duel(walker, clan(axe(), name="Foe"), distance=12, approach="a", rounds=1)
    assert duel.first_charge == pytest.approx(35 / 36)


@pytest.mark.rule("WH40K-DEADFIGHT")
@BOTH
def test_slain_models_fight_on(method: str) -> None:
    """WH40K-DEADFIGHT: one model that falls strikes back on 4+ before it goes, if it has not fought yet."""
    rule = {"name": "Last Blow", "fight_on_death": "4+"}
    sure = axe(hit=2, wound=2, attacks=1)
    slayer, martyr = clan(sure, models=1), clan(axe(), name="Martyr", models=1, effect=[rule])
    duel = mh.duel(slayer, martyr, rounds=1, **played(method))
    kills = 25 / 36
    # first turn: the slayer strikes; the martyr strikes back dying (1/2 x 1/4) or alive (1/4)
    first = {"win": kills * 7 / 8, "both gone": kills / 8, "lose": (1 - kills) / 4, "on": (1 - kills) * 3 / 4}
    # second turn: the martyr strikes first, and dies without a further blow
    win = first["win"] + first["on"] * 3 / 4 * kills
    assert duel.p_win == near(method, win)
    assert duel.p_lose == near(method, first["lose"] + first["on"] / 4)


@pytest.mark.rule("WH40K11-05.04.05")
@BOTH
def test_slain_models_of_the_11th_edition_fight_on(method: str) -> None:
    """WH40K11-05.04.05: the same on two dice each; it strikes 25 in 36, and the one that falls 1 in 4."""
    body = {"toughness": 4, "wounds": 1, "save": 7}
    blow = {"attacks": 1, "damage": 1}
    sure = blow | {"name": "Axe", "skill": 2, "strength": 8}
    slayer = mh.make_unit("wh40k11", body | {"name": "Slayer", "weapon": [sure]})
    last = {"name": "Last Blow", "fight_on_death": "4+"}
    blade = blow | {"name": "Blade", "skill": 4, "strength": 4}
    martyr = mh.make_unit("wh40k11", body | {"name": "Martyr", "weapon": [blade], "effect": [last]})
    duel = mh.duel(slayer, martyr, rounds=1, **played(method))
    kills, on = 25 / 36, 11 / 36 * 3 / 4  # on: both live after the first turn
    assert duel.p_win == near(method, kills * 7 / 8 + on * 3 / 4 * kills)
    assert duel.p_lose == near(method, 11 / 36 / 4 + on / 4)


def test_which_models_fall_must_be_known() -> None:
    rule = {"name": "Last Blow", "fight_on_death": True}
    mixed = clan(axe(), axe(name="Banner", models=1), effect=[rule])
    with pytest.raises(mh.BadInputError, match=r"^duel: Clan fights on death with different weapons"):
        mh.duel(clan(axe()), mixed, rounds=1)


@BOTH
def test_a_second_strike(method: str) -> None:
    """A unit that fights twice: two blows of 1/4 each before the enemy answers."""
    twice = clan(axe(), models=1, effect=[{"name": "Frenzy", "when": ["melee"], "strike_again": True}])
    foe = clan(axe(attacks=0), name="Foe", models=1)
    duel = mh.duel(twice, foe, rounds=1, **played(method))
    assert duel.p_win == near(method, 1 - (3 / 4) ** 4)  # it strikes in both turns


@pytest.mark.rule("AOS4-22.0", "WH40K-RETURNED", "WH40K-HEAL")
@pytest.mark.parametrize(
    ("change", "lost", "left"),
    [
        ({"return": "1"}, 3, 3),
        ({"return": "9"}, 3, 5),
        ({"heal": "9"}, 3, 2),
        ({"return_health": 3}, 9, 2),
        ({"reanimate": 2}, 7, 3),
    ],
)
def test_models_return(change: dict[str, Any], lost: int, left: int) -> None:
    """Models come back in the unit's own turn; healing alone returns none."""
    health = 2 if lost > 5 else 1
    weak = clan(axe(hit=6, wound=6), health=health, save=2, effect=[{"name": "Rise"} | change])
    foe = clan(axe(attacks=0), name="Foe", models=1, health=100)
    duel = mh.duel(weak.with_lost(lost), foe, rounds=1)
    assert duel.models[0].mean() == pytest.approx(left)


@pytest.mark.rule("AOS4-19.0", "WH40K-FIGHTORDER")
def test_rules_about_who_strikes_first() -> None:
    """Strike-first and Strike-last by rules, also of the enemy; both together are neither."""
    sure = axe(hit=2, wound=2)
    win_first = 25 / 36
    plain = clan(sure, models=1, name="Foe")

    def wins(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> float:
        one = clan(sure, models=1, effect=a)
        other = clan(sure, models=1, name="Foe", effect=b)
        return mh.duel(one, other, rounds=1).course[0].p_win

    first = {"name": "Quick", "gain_unit": ["Strike-first"]}
    last = {"name": "Slow", "gain_unit": ["Strike-last"]}
    dread = {"name": "Dread", "on": "enemies", "gain_unit": ["Strike-last"]}
    assert wins([], []) == pytest.approx(win_first)
    second = (1 - win_first) * win_first
    assert wins([], [first]) == pytest.approx(second)
    assert wins([last], []) == pytest.approx(second)
    assert wins([], [dread]) == pytest.approx(second)
    assert wins([first], [dread]) == pytest.approx(win_first)
    rush = {"name": "Rush", "when": ["charged"], "gain_unit": ["Strike-first"]}
    assert mh.duel(clan(sure, models=1, effect=[rush]), plain, rounds=1, situation="charged").course[
        0
    ].p_win == pytest.approx(win_first)
    hero = squad(
        blade(attacks=1, **SURE), models=1, wounds=1, effect=[{"name": "Fast", "gain_unit": ["Fights First"]}]
    )
    knight = squad(blade(attacks=1, **SURE), models=1, wounds=1, name="Foe")
    assert mh.duel(hero, knight, rounds=1).course[0].p_win == pytest.approx(25 / 36)
    assert mh.duel(knight, knight, rounds=1).course[0].p_win == pytest.approx(11 / 36 * 25 / 36)


@pytest.mark.rule("WH40K-CHARGE", "AOS4-14.3")
def test_rules_about_charge_rolls() -> None:
    """charge_roll and reroll_charge of a unit."""
    swift = clan(axe(), effect=[{"name": "Swift", "charge_roll": "+1"}])
    sure = clan(axe(), effect=[{"name": "Sure", "reroll_charge": "any"}])
    foe = clan(axe(), name="Foe")
    assert mh.duel(swift, foe, distance=9, rounds=1).first_charge == pytest.approx(15 / 36)
    assert mh.duel(clan(axe()), foe, distance=9, rounds=1).first_charge == pytest.approx(10 / 36)
    assert mh.duel(sure, foe, distance=9, rounds=1).first_charge == pytest.approx(1 - (26 / 36) ** 2)
