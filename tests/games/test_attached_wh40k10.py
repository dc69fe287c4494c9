"""Warhammer 40,000: Attached units, whose weapons are whose, allocation, and what a distance tells."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from wh40k_units import blade, gun, squad

import mathhammer as mh
from mathhammer.lists import Entry, Item
from mathhammer.lists.arming import armed

D6 = range(1, 7)


def captain(*weapons: dict[str, Any], **fields: Any) -> mh.Unit:
    return mh.make_unit(
        "wh40k10",
        {
            "name": "Captain",
            "toughness": 5,
            "wounds": 5,
            "save": 3,
            "keywords": ["character"],
            "weapon": list(weapons),
        }
        | fields,
    )


SWORD = blade(name="Sword", attacks=6, skill=2, strength=5, ap=-2, damage=2)
KNIVES = squad(blade(name="Knife", ap=-1), save=3)
LED = mh.attach(captain(SWORD, toughness=4, invuln=4), KNIVES)


# --- Epic Challenge ---------------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-EPIC")
def test_epic_challenge_is_the_characters_alone() -> None:
    """WH40K-EPIC: five bodyguards with a captain against the same unit; only his own blows pick the leader."""
    assert mh.fight(LED, LED, commands="epic_challenge").p_character_slain == pytest.approx(0.2157, abs=5e-5)
    assert mh.fight(LED, LED).p_character_slain < 0.01
    played = mh.fight(LED, LED, commands="epic_challenge", method="simulate", trials=400_000, seed=3)
    assert played.p_character_slain == pytest.approx(0.2157, abs=0.004)


def challenge(games: int, seed: int) -> float:
    """The same by literal dice: the captain's six blows go to the leader, the others to his guards."""
    rng = np.random.default_rng(seed)
    slain = 0
    for _ in range(games):
        guards, wounds = [2] * 5, 5
        for _ in range(15):
            if rng.integers(1, 7) >= 3 and rng.integers(1, 7) >= 4 and rng.integers(1, 7) < 4:
                hurt = [place for place, left in enumerate(guards) if left]
                if hurt:
                    first = min(hurt, key=lambda place: guards[place])
                    guards[first] -= 1
                else:
                    wounds -= 1
        for _ in range(6):
            if rng.integers(1, 7) >= 2 and rng.integers(1, 7) >= 3 and rng.integers(1, 7) < 4:
                wounds -= 2
        slain += wounds <= 0
    return slain / games


@pytest.mark.rule("WH40K-EPIC")
def test_epic_challenge_by_literal_dice() -> None:
    exact = mh.fight(LED, LED, commands="epic_challenge").p_character_slain
    games = 20_000
    assert abs(challenge(games, 5) - exact) < 6.2 * (exact * (1 - exact) / games) ** 0.5


# --- a die is rolled again once ---------------------------------------------------------------------------


@pytest.mark.rule("WH40K-REROLL", "WH40K-CMDREROLL")
def test_command_reroll_takes_no_die_twice() -> None:
    """WH40K-REROLL: six hits at 3+ with failures rolled again, six Twin-linked wounds, failed saves again."""
    rock = squad(name="Rock", save=7, models=20)
    gunner = squad(gun(attacks=6), models=1)
    again = {"commands": "command_reroll_hit", "effects": [{"reroll_hit": "failed"}]}
    assert mh.fight(gunner, rock, **again).funnel["hits"] == pytest.approx(6 * 8 / 9)
    sure = [{"auto_hit": True}]
    twin = squad(gun(attacks=6, abilities=["Twin-linked"]), models=1)
    wounded = mh.fight(twin, rock, commands="command_reroll_wound", effects=sure).lost.mean()
    assert wounded == pytest.approx(6 * 0.75)
    guard = squad(name="Guard", save=4, reroll_saves="failed")
    plain = mh.fight(gunner, guard)
    assert mh.fight(gunner, guard, commands="command_reroll_save").lost.mean() == pytest.approx(
        plain.lost.mean()
    )


# --- what a distance tells --------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-HALFRANGE")
def test_a_known_distance_tells_half_range() -> None:
    """WH40K-HALFRANGE: Eradicators at 6 inches use their Melta against a Redemptor."""
    shooters, walker = (
        mh.load_unit("Eradicator Squad", "wh40k10"),
        mh.load_unit("Redemptor Dreadnought", "wh40k10"),
    )
    near = mh.fight(shooters, walker, weapons="ranged", distance=6)
    assert near.lost.mean() == pytest.approx(2.48, abs=5e-3)
    assert near.lost == mh.fight(shooters, walker, weapons="ranged", situation="half_range").lost
    assert mh.fight(shooters, walker, weapons="ranged", distance=10).lost.mean() == pytest.approx(
        1.48, abs=5e-3
    )
    rapid = squad(gun(abilities=["Rapid Fire 1"]), gun(name="Long", range=48, abilities=["Rapid Fire 1"]))
    assert mh.fight(rapid, squad(), distance=20).funnel["attacks"] == 5 * 2 + 5 * 3


# --- attached units after losses --------------------------------------------------------------------------


@pytest.mark.rule("WH40K-LEADING", "WH40K-UNITT", "WH40K-HALF")
def test_a_leader_whose_bodyguard_is_gone() -> None:
    """WH40K-LEADING: no gift without a unit; WH40K-UNITT: his own Toughness; WH40K-HALF: his own strength."""
    gift = {"name": "Lead", "on": "led", "hit_roll": "+1"}
    boss = captain(blade(name="Axe", attacks=6, skill=4), effect=[gift])
    unit = mh.attach(boss, squad(blade(), wounds=2))
    alone = unit.with_lost(10)
    rock = squad(name="Rock", models=20, save=7)
    assert mh.fight(unit, rock).funnel["hits"] == pytest.approx(15 * 5 / 6 + 6 * 4 / 6)
    assert mh.fight(alone, rock).funnel["hits"] == pytest.approx(6 * 3 / 6)
    shooter = squad(gun(), models=1)
    wounding = {"funnel": lambda target: mh.fight(shooter, target).funnel["wounds"]}["funnel"]
    assert wounding(unit) == pytest.approx(2 * 4 / 6 * 3 / 6)  # Strength 4 against Toughness 4
    assert wounding(unit.with_lost(9)) == pytest.approx(2 * 4 / 6 * 3 / 6)
    assert wounding(alone) == pytest.approx(2 * 4 / 6 * 2 / 6)  # and against 5
    states = mh.odds("wh40k10", "half_strength", target=alone)
    assert states == {"below_half_strength": False, "below_starting_strength": False}
    assert mh.odds("wh40k10", "half_strength", target=unit.with_lost(8))["below_half_strength"]
    assert mh.odds("wh40k10", "half_strength", target=unit.with_lost(13))["below_half_strength"]


@pytest.mark.rule("WH40K-LEADING", "WH40K-UNITT")
def test_the_volley_that_ends_an_attachment_meets_the_whole_unit() -> None:
    """WH40K-UNITT: fixed when the target is chosen, so one guard in front keeps the lower Toughness."""
    unit = mh.attach(captain(save=7, wounds=2), squad(models=1, wounds=1, save=7))
    sure = squad(gun(attacks=2, abilities=["Torrent"]), models=1)
    # two wounds on 4+: the guard falls to the first, the captain is hurt by the second
    assert mh.fight(sure, unit).lost.to_dict() == pytest.approx({0: 1 / 4, 1: 2 / 4, 2: 1 / 4})
    alone = mh.fight(sure, unit.with_lost(1)).lost.to_dict()
    assert alone == pytest.approx({0: 4 / 9, 1: 4 / 9, 2: 1 / 9})


@pytest.mark.rule("WH40K-LEADING", "WH40K-UNITT")
@pytest.mark.parametrize("method", ["exact", "simulate"])
def test_duels_know_when_a_bodyguard_is_gone(method: str) -> None:
    """The leader of a lost squad hits on 4+ again in a duel, and is wounded on 5+."""
    gift = {"name": "Lead", "on": "led", "hit_roll": "+1"}
    boss = captain(blade(name="Axe", attacks=1, skill=4, strength=8), effect=[gift], save=7, wounds=1)
    unit = mh.attach(boss, squad(models=1, wounds=1, save=7)).with_lost(1)
    foe = squad(blade(attacks=1, skill=2, damage=1), name="Foe", models=1, wounds=1, save=7)
    # the foe strikes first in the captain's turn (the other player picks first): 5/6 x 2/6, then the captain 3/6 x 5/6
    duel = mh.duel(
        unit, foe, rounds=1, method=method, **({} if method == "exact" else {"trials": 200_000, "seed": 4})
    )
    dies, kills = 5 / 6 * 2 / 6, 3 / 6 * 5 / 6
    first = {"lose": dies, "win": (1 - dies) * kills}
    rest = (1 - dies) * (1 - kills)
    win = first["win"] + rest * kills
    assert duel.p_win == pytest.approx(win, abs=1e-12 if method == "exact" else 4e-3)


@pytest.mark.rule("WH40K-PERSIST")
def test_what_was_given_for_a_time_stays() -> None:
    """WH40K-PERSIST: an effect that lasts holds for the leader whose bodyguard is gone."""
    unit = mh.attach(captain(SWORD), squad(blade(), wounds=1)).with_lost(5)
    lasting = mh.fight(unit, squad(models=20), effects=[{"attacks": "+1"}])
    assert lasting.funnel["attacks"] == 7


@pytest.mark.rule("WH40K-BSHOCK")
def test_the_best_leadership_of_an_attached_unit() -> None:
    """WH40K-BSHOCK: the Leadership of a unit is the best of its models."""
    assert mh.attach(captain(leadership=6), squad(leadership=7)).stat("leadership") == 6
    assert mh.attach(captain(leadership=8), squad(leadership=7)).stat("leadership") == 7
    assert mh.attach(captain(), squad(leadership=7)).stat("leadership") == 7


@pytest.mark.rule("WH40K-FIGHTORDER")
def test_fights_first_needs_every_model() -> None:
    assert not mh.attach(captain(fights_first=True), squad()).stat("fights_first")
    assert mh.attach(captain(fights_first=True), squad(fights_first=True)).stat("fights_first")


@pytest.mark.rule("WH40K-LEADER", "WH40K-LEADING")
def test_two_leaders() -> None:
    """Both lead, and both are left when the bodyguard is gone, with the higher Toughness."""
    gift = {"name": "Lead", "on": "led", "hit_roll": "+1"}
    one = mh.attach(captain(SWORD, effect=[gift]), squad(blade(), wounds=1))
    both = mh.attach(captain(blade(name="Mace"), name="Ancient", toughness=4, wounds=4), one)
    assert both.name == "Squad with Captain with Ancient"
    rest = both.with_lost(5).now()
    assert (rest.name, rest.stat("toughness")) == ("Captain and Ancient", 5)
    assert mh.fight(both.with_lost(5), squad(models=20)).funnel["attacks"] == 6 + 3
    same = mh.attach(captain(SWORD), captain(SWORD, name="Captain"))
    assert [group.name for group in same.groups] == ["Captain", "Captain (leader)"]


# --- allocation -------------------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-ALLOC")
def test_a_wounded_model_takes_the_next_attack() -> None:
    """WH40K-ALLOC: whatever the order of groups says, but for a protected Character."""
    groups = [
        {"name": "Fresh", "models": 2, "wounds": 2},
        {"name": "Hurt", "models": 1, "wounds": 2, "wounded": 1},
    ]
    mixed = mh.make_unit("wh40k10", {"name": "Mixed", "toughness": 4, "save": 7, "group": groups})
    shot = squad(gun(attacks=1, abilities=["Torrent"]), models=1)
    assert mh.fight(shot, mixed).slain.to_dict() == pytest.approx({0: 1 / 2, 1: 1 / 2})
    assert mh.fight(shot, mixed).groups["Hurt"].p_destroyed == pytest.approx(1 / 2)
    groups[1] |= {"character": True}
    led = mh.make_unit(
        "wh40k10", {"name": "Led", "toughness": 4, "save": 7, "group": groups, "attached": True}
    )
    assert mh.fight(shot, led).groups["Hurt"].p_destroyed == 0.0
    loose = mh.make_unit("wh40k10", {"name": "Loose", "toughness": 4, "save": 7, "group": groups})
    assert mh.fight(shot, loose).groups["Hurt"].p_destroyed == pytest.approx(1 / 2)  # not an Attached unit
    always = {"characters_protected": "always"}
    assert mh.fight(shot, loose, options=always).groups["Hurt"].p_destroyed == 0.0


@pytest.mark.rule("WH40K-ATTACHED", "WH40K-PRECISION")
def test_precision_picks_characters_of_attached_units_only() -> None:
    """WH40K-PRECISION: a mixed unit that is not attached keeps its listed order."""
    groups = [
        {"name": "Guard", "models": 2, "wounds": 1},
        {"name": "Boss", "models": 1, "wounds": 1, "character": True},
    ]
    fields = {"name": "Mixed", "toughness": 4, "save": 7, "group": groups}
    sniper = squad(gun(attacks=1, abilities=["Torrent", "Precision"]), models=1)
    plain, led = mh.make_unit("wh40k10", fields), mh.make_unit("wh40k10", fields | {"attached": True})
    assert mh.fight(sniper, led).groups["Boss"].p_destroyed == pytest.approx(1 / 2)
    assert mh.fight(sniper, plain).groups["Boss"].p_destroyed == 0.0


# --- Big Guns Never Tire ----------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-BGNT", "WH40K-BLAST", "WH40K-PISTOL")
def test_an_engaged_vehicle_shoots_at_another_unit() -> None:
    """WH40K-BGNT: -1 to hit, and Blast at a unit that it is not engaged with; WH40K-PISTOL: not for others."""
    cannon = gun(attacks=6, skill=4, abilities=["Blast"])
    tank, men = squad(cannon, models=1, keywords=["vehicle"]), squad(cannon, models=1)
    crowd = squad(name="Crowd", models=10)
    shot = mh.fight(tank, crowd, situation="engaged_elsewhere")
    assert shot.funnel["attacks"] == 8
    assert shot.funnel["hits"] == pytest.approx(8 * 2 / 6)
    assert "Gun" in mh.fight(tank, crowd, situation="engaged").skipped
    assert "Gun" in mh.fight(men, crowd, situation="engaged_elsewhere").skipped
    pistol = squad(gun(abilities=["Pistol"]))
    assert "Gun" in mh.fight(pistol, crowd, situation="engaged_elsewhere").skipped
    assert mh.fight(tank, crowd, situation=["engaged_elsewhere", "overwatch"]).skipped


# --- copies -----------------------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-ATTACKS", "WH40K-BLAST", "WH40K-RAND")
def test_copies_of_a_weapon() -> None:
    """WH40K-ATTACKS: a model with two of a weapon fires both: Blast, more Attacks and dice count for each."""
    twin = squad(gun(attacks="D3", abilities=["Blast"], copies=2), models=1)
    crowd = squad(name="Crowd", models=10)
    rolled = mh.fight(twin, crowd, effects=[{"attacks": "+1"}]).plan.volleys[0].attacks
    dice = [(a + 1) // 2 + (b + 1) // 2 + 2 * 2 + 2 for a, b in itertools.product(D6, D6)]
    assert rolled.to_dict() == pytest.approx({value: dice.count(value) / 36 for value in dice})
    assert "Attacks: 1 x 2 copies x D3" in mh.fight(twin, crowd).explain()


@pytest.mark.rule("WH40K-ATTACKS", "WH40K-BLAST")
def test_copies_that_a_list_gives() -> None:
    """A Forgefiend whose list has three plasma cannons: D3 and Blast for each of them."""
    fiend, _ = armed(mh.load_unit("Forgefiend", "wh40k10"), Entry("F", items=(Item("Ectoplasma cannon", 3),)))
    crowd = squad(name="Crowd", models=10)
    rolled = mh.fight(fiend, crowd, weapons="ranged").plan.volleys[0].attacks
    dice = [sum((face + 1) // 2 + 2 for face in faces) for faces in itertools.product(D6, repeat=3)]
    assert rolled.to_dict() == pytest.approx({value: dice.count(value) / 216 for value in dice})


@pytest.mark.rule("WH40K-EPIC", "WH40K-GOTOGROUND", "WH40K-SMOKE")
@pytest.mark.parametrize(
    ("command", "weapon", "message"),
    [
        ("epic_challenge", blade(), "epic_challenge is for a Character, and Squad has none"),
        ("go_to_ground", gun(), "go_to_ground is for Infantry units, and Tank is none"),
        ("smokescreen", gun(), "smokescreen is for Smoke units, and Tank is none"),
    ],
)
def test_stratagems_for_those_who_may_use_them(command: str, weapon: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.BadInputError, match=message):
        mh.fight(squad(weapon), squad(name="Tank"), commands=command)


@pytest.mark.rule("WH40K-BSHOCK")
@pytest.mark.parametrize("flag", ["battle_shocked", "target_battle_shocked"])
def test_rules_that_ask_for_battle_shock(flag: str) -> None:
    brave = squad(gun(), effect=[{"name": "Rule", "when": [flag], "hit_roll": "+1"}])
    assert mh.fight(brave, squad(), situation=flag).funnel["hits"] == pytest.approx(10 * 5 / 6)
    assert mh.fight(brave, squad()).funnel["hits"] == pytest.approx(10 * 4 / 6)


def test_a_unit_with_several_kinds_of_models_is_sized() -> None:
    """The largest kind grows; a sergeant and what he alone carries stay."""
    groups = [{"name": "Sergeant", "models": 1, "wounds": 2}, {"name": "Men", "models": 4, "wounds": 1}]
    arms = [gun(models=4, group="Men"), gun(name="Pistol", models=1, group="Sergeant")]
    team = mh.make_unit(
        "wh40k10", {"name": "Team", "toughness": 4, "points": 50, "group": groups, "weapon": arms}
    )
    ten = team.with_models(10)
    assert [group.models for group in ten.groups] == [1, 9]
    assert [weapon.bearers for weapon in ten.weapons] == [9, 1]
    assert ten.points == 100
    with pytest.raises(mh.BadInputError, match="has several kinds of models"):
        team.with_models(1)
