"""Rules of the 11th edition that no vector asks for, each by its number."""

from __future__ import annotations

from typing import Any

import pytest
from wh40k11_units import hero, skipped, squad
from wh40k_units import blade, gun

import mathhammer as mh
from mathhammer.games.discovery import get_game
from mathhammer.games.wh40k11.army import check, most
from mathhammer.games.wh40k11.charging import CHARGE
from mathhammer.games.wh40k11.muster import SIZES
from mathhammer.games.wh40k11.reactions import REACTIONS, TURNS
from mathhammer.games.wh40k11.strength import battle_shock
from mathhammer.units.roster import Block, Entry, Extra, Roster


@pytest.mark.rule("WH40K11-01.05", "WH40K11-02.02.03")
def test_a_d3_is_a_d6_halved() -> None:
    shots = mh.fight(squad(gun(attacks="D3")), squad(), weapons="ranged")
    assert shots.funnel["attacks"] == pytest.approx(5 * 2)
    assert shots.plan.volleys[0].attacks[5] == pytest.approx((1 / 3) ** 5)


@pytest.mark.rule("WH40K11-24.24", "WH40K11-02.02.01-RANGE")
@pytest.mark.parametrize(
    ("fields", "seen"), [({}, 12), ({"lone_operative_range": 18}, 18), ({"lone_operative_range": 9}, 9)]
)
def test_lone_operative(fields: dict[str, Any], seen: int) -> None:
    lone = hero(lone_operative=True, **fields)
    assert skipped(squad(gun()), lone, distance=seen) == ""
    assert skipped(squad(gun()), lone, distance=seen + 1) == (
        f"a Lone Operative is not visible beyond {seen} inches (WH40K11-24.24)"
    )
    assert TURNS.distances == (12.0,)


@pytest.mark.rule("WH40K11-04", "WH40K11-04.03", "WH40K11-04.03.01")
def test_sets_of_identical_attacks() -> None:
    """The third weapon has the profile of the first: they are one set, before the second."""
    weapons = [
        gun(name="A", models=1),
        gun(name="B", models=1, strength=5),
        gun(name="C", models=3, abilities=["Rapid Fire 1"]),
    ]
    volleys = mh.fight(squad(*weapons), squad(), weapons="ranged", situation="half_range").plan.volleys
    assert [volley.name for volley in volleys] == ["A and C", "B"]
    assert volleys[0].attacks.mean() == 2 + 3 * 3
    assert all(volley.apart for volley in volleys)


@pytest.mark.rule("WH40K11-04.03.01")
@pytest.mark.parametrize(
    "change", [{"strength": 5}, {"ap": -1}, {"damage": 2}, {"skill": 4}, {"abilities": ["Lethal Hits"]}]
)
def test_what_keeps_sets_apart(change: dict[str, Any]) -> None:
    weapons = [gun(name="A", models=2), gun(name="B", models=2, **change)]
    assert len(mh.fight(squad(*weapons), squad(), weapons="ranged").plan.volleys) == 2


@pytest.mark.rule("WH40K11-04.01")
def test_one_melee_weapon_for_each_model() -> None:
    two = squad(blade(name="A"), blade(name="B"), blade(name="C", abilities=["Extra Attacks"]))
    with pytest.raises(
        mh.BadInputError, match=r"one melee weapon \(WH40K11-04.01; name those you want: 'A', 'B'\)"
    ):
        mh.fight(two, squad(), weapons=["A", "B"])
    assert len(mh.fight(two, squad(), weapons=["A", "C"]).plan.volleys) == 1
    with pytest.raises(mh.BadInputError, match="different phases"):
        mh.fight(squad(blade(), gun()), squad(), weapons=["Blade", "Gun"])
    with pytest.raises(mh.BadInputError, match="overwatch is shooting"):
        mh.fight(two, squad(), weapons=["A"], situation="overwatch")


@pytest.mark.rule("WH40K11-04.02")
def test_range_and_models_count_when_targets_are_selected() -> None:
    assert skipped(squad(gun()), squad(), distance=25) == "25 inches away, range 24 (WH40K11-04.02)"
    hurt = squad().with_lost(2)
    blast = mh.fight(squad(gun(abilities=["Blast"])), hurt, weapons="ranged")
    assert blast.funnel["attacks"] == 10  # four models are left when it is selected


@pytest.mark.rule("WH40K11-04.02.02")
def test_rules_that_look_at_the_attack() -> None:
    guard = {"name": "Dense", "when": ["strength > toughness"], "on": "attacker", "wound_roll": -1}
    tough = squad(effect=[guard])
    wounds = {
        strength: mh.fight(squad(gun(strength=strength)), tough, weapons="ranged").funnel["wounds"]
        for strength in (4, 5)
    }
    assert wounds[4] == pytest.approx(10 * 4 / 6 * 3 / 6)
    assert wounds[5] == pytest.approx(10 * 4 / 6 * 3 / 6)
    thin = squad(effect=[{"name": "Thin", "when": ["ap >= 1"], "save_roll": 1}])
    saved = mh.fight(squad(gun(ap=-1)), thin, weapons="ranged").funnel
    assert saved["unsaved"] / saved["wounds"] == pytest.approx(3 / 6)


@pytest.mark.rule("WH40K11-10.04", "WH40K11-10.05", "WH40K11-10.06", "WH40K11-10.07", "WH40K11-17.03")
@pytest.mark.parametrize(
    ("flags", "keywords", "reason"),
    [
        (["advanced"], [], "the unit Advanced, and this is not an Assault weapon (WH40K11-10.05)"),
        (["target_unseen"], [], "nobody sees the target, and this is not Indirect Fire (WH40K11-10.07)"),
        (["engaged"], [], "an engaged unit fires only Close-quarters weapons (WH40K11-10.06)"),
        (
            ["engaged_elsewhere"],
            [],
            "an engaged unit shoots only at units that it is engaged with (WH40K11-10.06)",
        ),
        (
            ["engaged", "advanced"],
            ["vehicle"],
            "an engaged unit that Advanced does not shoot (WH40K11-10.06)",
        ),
        (["engaged", "indirect"], ["vehicle"], "an engaged unit does not shoot indirectly (WH40K11-10.07)"),
        (["target_engaged"], [], "the target is engaged, and no Monster or Vehicle (WH40K11-17.03)"),
    ],
)
def test_who_may_shoot(flags: list[str], keywords: list[str], reason: str) -> None:
    assert skipped(squad(gun(), keywords=keywords), squad(), situation=flags) == reason


@pytest.mark.rule("WH40K11-10.06", "WH40K11-17.03", "WH40K11-24.05")
def test_engaged_vehicles_and_blast() -> None:
    tank = squad(gun(abilities=["Blast"]), keywords=["vehicle"])
    assert "Blast" in skipped(tank, squad(), situation="engaged")
    assert "Blast" in skipped(
        squad(gun(abilities=["Blast"])), squad(keywords=["monster"]), situation="target_engaged"
    )
    plain = squad(gun(), keywords=["vehicle"])
    assert mh.fight(plain, squad(), situation="engaged").funnel["hits"] == pytest.approx(5)
    assert mh.fight(plain, squad(keywords=["vehicle"]), situation="target_engaged").funnel[
        "hits"
    ] == pytest.approx(5)


@pytest.mark.rule("WH40K11-24.07", "WH40K11-24.27")
@pytest.mark.parametrize("ability", ["Pistol", "Close-quarters"])
def test_close_quarters_or_the_others(ability: str) -> None:
    both = squad(gun(name="Rifle", models=3), gun(name="Short", abilities=[ability]))
    shots = {v.name: v.attacks.mean() for v in mh.fight(both, squad(), weapons="ranged").plan.volleys}
    assert shots == {"Rifle and Short": 10}  # two models are free for the other weapon
    engaged = mh.fight(both, squad(), weapons="ranged", situation="engaged")
    assert list(engaged.skipped) == ["Rifle"]
    assert engaged.funnel["attacks"] == 10


@pytest.mark.rule("WH40K11-05.02.01", "WH40K11-19.03", "WH40K11-19.04", "WH40K11-02.05.01", "WH40K11-19.01")
def test_an_attached_unit_stays_one_unit() -> None:
    gift = {"name": "Drill", "on": "led", "hit_roll": 1}
    own = {"name": "Ours", "wound_roll": 1}
    leader = hero(role="leader", effect=[gift], weapon=[blade()])
    unit = mh.attach(leader, squad(gun(), effect=[own]))
    assert unit.keywords == {"INFANTRY", "CHARACTER"}
    assert unit.stat("toughness") == 4
    alone = unit.with_lost(10).now()
    assert (alone.name, alone.models_left, alone.stat("toughness")) == (unit.name, 1, 5)
    assert [effect.name for effect in alone.effects] == ["Drill"]
    with pytest.raises(mh.BadInputError, match=r"has a Leader unit already \(at most one, WH40K11-19.01\)"):
        mh.attach(hero("Second", role="leader"), unit)
    three = mh.attach(hero("Helper", role="support"), unit)
    assert [group.name for group in three.groups] == ["Squad", "Hero", "Helper"]


@pytest.mark.rule("WH40K11-05.03-ORDER", "WH40K11-05.03")
def test_models_that_differ_in_other_things_are_one_group() -> None:
    groups = [
        {"name": "plain", "models": 2, "wounds": 2, "save": 4},
        {"name": "better", "models": 1, "wounds": 2, "save": 3},
        {"name": "painless", "models": 1, "wounds": 2, "save": 4, "fnp": 5},
        {"name": "chief", "models": 1, "wounds": 2, "save": 4, "character": True},
    ]
    mixed = mh.make_unit("wh40k11", {"name": "Mixed", "toughness": 4, "group": groups})
    target = mh.fight(squad(gun(ap=-1)), mixed, weapons="ranged").plan.target
    assert target.tracks == ((0, 2, 1, 3),)
    hurt = [group | ({"wounded": 1} if group["name"] == "better" else {}) for group in groups]
    second = mh.make_unit("wh40k11", {"name": "Mixed", "toughness": 4, "group": hurt})
    apart = mh.fight(squad(gun(ap=-1)), second, weapons="ranged").plan.target
    assert (apart.tracks, apart.ranks) == (((0, 2), (1,), (3,)), (0, 0, 1))


@pytest.mark.rule("WH40K11-05.04-ROLLMODS", "WH40K11-05.04")
@pytest.mark.parametrize(
    ("fields", "effects", "ap", "fails"),
    [
        ({"save": 4}, [], 0, 3),
        ({"save": 4}, [{"armour_save_roll": 2, "on": "target"}], -2, 3),
        ({"save": 4, "invuln": 5}, [{"save_roll": 1, "on": "target"}], -3, 3),
        ({"save": 4, "invuln": 5}, [{"armour_save_roll": 1, "on": "target"}], -4, 4),
        ({"save": 2}, [{"save": "-1", "on": "target"}], 0, 1),
        ({"save": 6}, [], -1, 6),
    ],
)
def test_what_a_save_fails(fields: dict[str, Any], effects: list[Any], ap: int, fails: int) -> None:
    funnel = mh.fight(squad(gun(ap=ap)), squad(**fields), weapons="ranged", effects=effects).funnel
    assert funnel["unsaved"] / funnel["wounds"] == pytest.approx(fails / 6)


@pytest.mark.rule("WH40K11-06.02-ADD", "WH40K11-24.28.01", "WH40K11-24.28")
def test_additional_mortal_wounds_are_not_steered() -> None:
    led = mh.attach(hero(role="leader"), squad())
    shot = gun(abilities=["Precision", "Devastating Wounds"], crit_wound_on=2)
    packets = (
        mh.fight(squad(shot), led, weapons="ranged", effects={"mortal_on_crit_wound": 1})
        .plan.volleys[0]
        .packets
    )
    assert [(packet.kind, packet.picks) for packet in packets] == [
        ("ordinary", (1,)),
        ("devastating", (1,)),
        ("extra mortal", ()),
    ]


@pytest.mark.rule("WH40K11-22.03", "WH40K11-24.12", "WH40K11-24.29")
def test_psychic_wounds_meet_their_feel_no_pain() -> None:
    guard = squad(fnp_psychic=4)
    asked = {"target": guard, "dice": 6, "success_on": 4}
    plain, psychic = (mh.odds("wh40k11", "mortal_dice", psychic=kind, **asked) for kind in (False, True))
    assert psychic["mean_wounds_lost"] == pytest.approx(plain["mean_wounds_lost"] / 2)
    own = mh.fight(
        squad(gun(abilities=["Psychic", "Hazardous"]), fnp_psychic=4), squad(), weapons="ranged"
    ).own_lost
    assert own is not None
    assert own.mean() == pytest.approx(5 / 3 / 2)


@pytest.mark.rule("WH40K11-22.01")
def test_the_same_aura_counts_once() -> None:
    friend = squad(name="Friend", effect=[{"name": "Aura", "on": "friends", "attacks": "+1"}])
    helped = [mh.fight(squad(gun()), squad(), friends=[friend] * n).funnel["attacks"] for n in (0, 1, 2)]
    assert helped == [10, 15, 15]


@pytest.mark.rule("WH40K11-09.06", "WH40K11-11.04")
def test_advances_and_threats() -> None:
    assert mh.odds("wh40k11", "advance", move=6)["mean_reach"] == pytest.approx(9.5)
    straight = mh.odds("wh40k11", "threat", distance=15, move=6)["p_arrives"]
    assert straight == pytest.approx(10 / 36)
    farther = mh.odds("wh40k11", "threat", distance=15, move=6, advance=True)["p_arrives"]
    reach = [15, 21, 26, 30, 33, 35]
    assert farther == pytest.approx(sum(reach) / 36 / 6)


@pytest.mark.rule("WH40K11-11.02", "WH40K11-11.04", "WH40K11-15.11", "WH40K11-02.02.01-ROLLS")
def test_charges_that_are_not_possible() -> None:
    assert mh.odds("wh40k11", "charge", distance=12, take_to_the_skies=True)["needed"] is None
    assert mh.odds("wh40k11", "charge", needed=7)["p_success"] == pytest.approx(21 / 36)
    with pytest.raises(mh.BadInputError, match=r"13 inches \(targets are within 12, WH40K11-11.02\)"):
        mh.odds("wh40k11", "charge", distance=13)
    with pytest.raises(mh.BadInputError, match=r"7 inches \(targets are within 6"):
        mh.odds("wh40k11", "charge", distance=7, into_the_fray=True)
    with pytest.raises(mh.BadInputError, match="give either needed="):
        mh.odds("wh40k11", "charge")
    assert CHARGE.strikes_first
    assert CHARGE.needs(9) == 9


@pytest.mark.rule("WH40K11-03.04")
def test_engagement_range() -> None:
    assert TURNS.reach == 2.0
    tank = squad(gun(abilities=["Blast"]), keywords=["vehicle"])
    assert skipped(tank, squad(), situation="engaged", distance=2) != ""
    assert skipped(tank, squad(), situation="engaged", distance=3) == ""


@pytest.mark.rule("WH40K11-12.04", "WH40K11-12.05", "WH40K11-24.13")
def test_a_duel_in_combat_is_begun_by_whose_turn_it_is() -> None:
    one, other = squad(blade(attacks=9), name="A"), squad(blade(attacks=9), name="B")
    ready = squad(blade(attacks=9), name="B", fights_first=True)
    struck = mh.fight(one, other, weapons="melee").p_destroyed
    plain, turned = (mh.duel(one, foe, first="a", rounds=1) for foe in (other, ready))
    assert plain.p_win >= struck > 0.2  # a strikes at full strength
    assert turned.p_win < plain.p_win


@pytest.mark.rule("WH40K11-14.02", "WH40K11-01.07")
def test_levels_of_control() -> None:
    held = squad(objective_control=2)
    assert mh.odds("wh40k11", "control", target=held)["level_of_control"] == 10
    assert mh.odds("wh40k11", "control", target=held, battle_shocked=True)["level_of_control"] == 0
    assert mh.odds("wh40k11", "objective", mine=3, theirs=3)["controlled_by"] == "nobody"
    assert mh.odds("wh40k11", "objective", mine=3, theirs=3, sticky="mine")["controlled_by"] == "mine"


@pytest.mark.rule("WH40K11-18.04", "WH40K11-18.05", "WH40K11-09.07", "WH40K11-09.07.01", "WH40K11-06.03")
def test_hazard_rolls_of_whole_units() -> None:
    assert mh.odds("wh40k11", "disembark", target=squad())["mean_failed"] == pytest.approx(5 / 3)
    escape = mh.odds("wh40k11", "desperate_escape", target=squad(), leadership=7, modifier=-1)
    assert escape["mean_failed"] == pytest.approx(5 / 2)
    assert escape["p_left_battle_shocked"] == pytest.approx(15 / 36)
    tank = mh.make_unit("wh40k11", {"name": "Tank", "toughness": 9, "wounds": 9, "keywords": ["vehicle"]})
    assert mh.odds("wh40k11", "hazard", target=tank, rolls=1)["mean_mortal_wounds"] == pytest.approx(1.0)
    again = mh.odds("wh40k11", "hazard", target=squad(), rolls=1, reroll="failed")
    assert again["mean_failed"] == pytest.approx(1 / 9)
    with pytest.raises(mh.BadInputError, match="give none, one or failed"):
        mh.odds("wh40k11", "hazard", target=squad(), rolls=1, reroll="all")


@pytest.mark.rule("WH40K11-24.15", "WH40K11-06.03")
def test_hazardous_weapons_cost_the_attacker() -> None:
    cost = mh.fight(squad(gun(abilities=["Hazardous"])), squad(), weapons="ranged").own_lost
    assert cost is not None
    assert cost.mean() == pytest.approx(5 / 3)
    big = squad(gun(abilities=["Hazardous"], models=1), keywords=["monster"])
    cost = mh.fight(big, squad(), weapons="ranged").own_lost
    assert cost is not None
    assert cost.mean() == pytest.approx(1.0)


@pytest.mark.rule("WH40K11-23", "WH40K11-22.05")
def test_aircraft() -> None:
    plane = squad(keywords=["aircraft", "vehicle"])
    assert skipped(squad(blade()), plane) == "only flying units fight Aircraft (WH40K11-23)"
    assert skipped(squad(blade(), keywords=["fly"]), plane) == ""
    high = mh.fight(squad(gun()), squad(), situation="plunging_fire").funnel["hits"]
    assert high == pytest.approx(10 * 5 / 6)
    assert mh.fight(squad(gun()), plane, situation="plunging_fire").funnel["hits"] == pytest.approx(
        10 * 4 / 6
    )


@pytest.mark.rule("WH40K11-15.01", "WH40K11-15.02")
def test_command_reroll() -> None:
    attacker, target = squad(gun(models=1, attacks=1)), squad()
    with pytest.raises(
        mh.BadInputError, match=r"once per phase \(WH40K11-15.01; choose one command_reroll\)"
    ):
        mh.fight(attacker, target, commands=["command_reroll_hit", "command_reroll_wound"])
    assert TURNS.conflict(["command_reroll_hit", "command_reroll_save"]).endswith("WH40K11-15.01")
    plain = mh.fight(attacker, target).lost.mean()
    hit = mh.fight(attacker, target, commands="command_reroll_hit").lost.mean()
    assert hit == pytest.approx((1 - 1 / 9) * 0.5 * 0.5)
    save = mh.fight(attacker, target, commands="command_reroll_save").lost.mean()
    assert (plain, save) == pytest.approx((4 / 6 * 0.25, 4 / 6 * 0.5 * 0.25))
    wild = squad(gun(models=1, attacks="D6"))
    assert mh.fight(wild, target, commands="command_reroll_attacks").funnel["attacks"] == pytest.approx(4.25)
    with pytest.raises(mh.BadInputError, match="different saves is not covered"):
        mh.fight(attacker, mh.attach(hero(), squad()), commands="command_reroll_save")
    strong = squad(gun(models=1, attacks=1, damage="D6"))
    more = mh.fight(strong, squad(wounds=6), commands="command_reroll_damage").lost.mean()
    assert more == pytest.approx(4 / 6 * 0.25 * 4.25)


@pytest.mark.rule("WH40K11-15.03")
def test_epic_challenge() -> None:
    led = mh.attach(hero(weapon=[blade(name="Axe")]), squad(blade()))
    prey = mh.attach(hero("Prey"), squad())
    volleys = mh.fight(led, prey, weapons="melee", commands="epic_challenge").plan.volleys
    assert {volley.name: volley.packets[0].picks for volley in volleys} == {"Blade": (), "Axe": (1,)}
    with pytest.raises(mh.BadInputError, match=r"Squad has none \(WH40K11-15.03\)"):
        mh.fight(squad(blade()), prey, commands="epic_challenge")


@pytest.mark.rule("WH40K11-15.04", "WH40K11-08.03")
def test_insane_bravery() -> None:
    assert battle_shock(leadership=7, half_strength=True, insane_bravery=True, phases=2)[
        "p_shocked_after"
    ] == pytest.approx([0.0, 15 / 36])
    with pytest.raises(mh.BadInputError, match="not for a unit that is already shocked"):
        battle_shock(leadership=7, shocked=True, insane_bravery=True)
    with pytest.raises(mh.BadInputError, match="give 5 to 8"):
        battle_shock(leadership=9)


@pytest.mark.rule("WH40K11-15.08", "WH40K11-15.09")
@pytest.mark.parametrize(
    ("fields", "how", "reason"),
    [
        ({}, {"distance": 25}, "snap shooting reaches 24 inches (WH40K11-15.09)"),
        ({"keywords": ["titanic"]}, {}, "a Titanic unit cannot use Fire Overwatch (WH40K11-15.08)"),
        ({}, {"more": "target_unseen"}, "the target of snap shooting must be visible (WH40K11-15.09)"),
        ({}, {"more": "engaged"}, "an engaged unit cannot use Fire Overwatch (WH40K11-15.08)"),
    ],
)
def test_snap_shooting(fields: dict[str, Any], how: dict[str, Any], reason: str) -> None:
    flags = ["overwatch", *([how.pop("more")] if "more" in how else [])]
    assert skipped(squad(gun(range=36), **fields), squad(), situation=flags, **how) == reason


@pytest.mark.rule("WH40K11-15.05", "WH40K11-15.06", "WH40K11-15.08", "WH40K11-15.12", "WH40K11-24.08")
def test_stratagems_of_a_duel() -> None:
    by_name = {reaction.command: reaction for reaction in REACTIONS}
    plain, tank = squad(deadly_demise="D3"), squad(keywords=["vehicle", "grenades", "titanic"])
    assert (
        by_name["explosives"].able(plain, tank) == "it is for Explosives and Grenades units (WH40K11-15.05)"
    )
    assert by_name["explosives"].able(tank, plain) == ""
    assert by_name["explosives"].within == 8.0
    assert (
        by_name["crushing_impact"].able(plain, tank) == "it is for Monster and Vehicle units (WH40K11-15.06)"
    )
    assert by_name["crushing_impact"].able(tank, plain) == ""
    assert by_name["fire_overwatch"].able(tank, plain) == "a Titanic unit cannot use it (WH40K11-15.08)"
    assert by_name["fire_overwatch"].within == 24.0
    assert by_name["counter_offensive"].able(plain, tank).endswith("(WH40K11-15.12)")
    assert mh.odds("wh40k11", "explosives", target=plain)["mean_wounds_lost"] == pytest.approx(3.0)
    for name, number in (("explosives", 6), ("crushing_impact", 4)):
        harm = by_name[name].harm
        assert harm is not None
        assert harm(tank, plain).volleys[0].attacks.mean() == number
    demise = TURNS.demise
    assert demise is not None
    assert demise(tank, plain) is None
    assert demise(plain, tank) is not None
    assert TURNS.demise_reach == 6.0


@pytest.mark.rule("WH40K11-15.10", "WH40K11-24.33", "WH40K11-13.08")
def test_smokescreen_is_cover() -> None:
    smoky = squad(keywords=["infantry", "smoke"])
    hits = mh.fight(squad(gun()), smoky, commands="smokescreen").funnel["hits"]
    assert hits == pytest.approx(5)
    both = mh.fight(squad(gun()), smoky, commands="smokescreen", situation="target_in_cover").funnel["hits"]
    assert both == pytest.approx(5)
    with pytest.raises(
        mh.BadInputError, match=r"smokescreen is for Smoke units, and Squad is none \(WH40K11-15.10\)"
    ):
        mh.fight(squad(gun()), squad(), commands="smokescreen")
    free = mh.fight(
        squad(gun()), squad(), commands="smokescreen", options={"stratagem_keywords": "ignored"}
    ).funnel["hits"]
    assert free == pytest.approx(5)
    assert mh.fight(squad(gun()), squad(stealth=True)).funnel["hits"] == pytest.approx(5)


@pytest.mark.rule("WH40K11-24.23")
def test_a_choice_that_is_none() -> None:
    with pytest.raises(mh.UnknownNameError, match="unknown choice 'sometimes'"):
        mh.fight(squad(gun(abilities=["Lethal Hits"])), squad(), choices={"Gun": "sometimes"})


@pytest.mark.rule("WH40K11-24.10")
def test_an_option_reduces_devastating_wounds() -> None:
    hard = squad(wounds=6, damage_reduction=1)
    shot = squad(
        gun(models=1, attacks=1, damage=3, abilities=["Devastating Wounds", "Torrent"], crit_wound_on=2)
    )
    full = mh.fight(shot, hard)
    assert full.lost.mean() == pytest.approx(5 / 6 * 3)
    assert full.options == ("devastating_reduced no (WH40K11-24.10)",)
    less = mh.fight(shot, hard, options={"devastating_reduced": "yes"}).lost.mean()
    assert less == pytest.approx(5 / 6 * 2)


# --- army building -------------------------------------------------------------------------------------------------------


def mustered(size: str = "strike force", **parts: Any) -> list[str]:
    lord = {"id": "l", "name": "Lord", "points": 100, "character": True, "warlord": True}
    asked = {"detachments": [{"name": "X", "dp": 2}], "units": [lord], **parts}
    return list(mh.odds("wh40k11", "muster", battle_size=size, **asked)["violations"])


LORD = {"id": "l", "name": "Lord", "points": 100, "character": True, "warlord": True}


@pytest.mark.rule(
    "WH40K11-25.03",
    "WH40K11-25.03-POINTS",
    "WH40K11-25.03-UNITS",
    "WH40K11-25.03-ENH",
    "WH40K11-25.04-TWICE",
    "WH40K11-25.04-ENHTWICE",
    "WH40K11-25.04-ENHBEARER",
    "WH40K11-25.04-EPICENH",
    "WH40K11-25.04-WARLORD",
    "WH40K11-25.04-INCURSION",
    "WH40K11-25.03-DP",
)
@pytest.mark.parametrize(
    ("size", "parts", "broken"),
    [
        ("incursion", {"units": [LORD | {"points": 1001}]}, ["25.03-POINTS"]),
        ("onslaught", {"units": [LORD | {"points": 3000}]}, []),
        ("strike force", {"detachments": [{"name": "X", "dp": 1}, {"name": "x", "dp": 1}]}, ["25.04-TWICE"]),
        ("incursion", {"detachments": [{"name": "X", "dp": 1}, {"name": "Y", "dp": 2}]}, ["25.03-DP"]),
        ("incursion", {"detachments": [{"name": "X", "dp": 3}]}, []),
        (
            "strike force",
            {"units": [LORD, *[{"name": "A", "points": 1, "epic_hero": True, "character": True}] * 2]},
            ["25.03-UNITS"],
        ),
        ("strike force", {"units": [LORD, *[{"name": "A", "points": 1, "battleline": True}] * 6]}, []),
        (
            "strike force",
            {"units": [LORD, *[{"name": "A", "points": 1, "dedicated_transport": True}] * 7]},
            ["25.03-UNITS"],
        ),
        ("strike force", {"units": [LORD | {"warlord": False}]}, ["25.04-WARLORD"]),
        ("strike force", {"units": [{"name": "Dog", "points": 1, "warlord": True}]}, ["25.04-WARLORD"]),
        (
            "strike force",
            {"units": [LORD | {"epic_hero": True, "enhancement": {"name": "R"}}]},
            ["25.04-EPICENH"],
        ),
        (
            "strike force",
            {"units": [LORD, {"name": "Dog", "points": 1, "enhancement": {"name": "R"}}]},
            ["25.04-ENHBEARER"],
        ),
        (
            "strike force",
            {
                "units": [
                    LORD | {"enhancement": {"name": "R"}},
                    {"name": "B", "points": 1, "character": True, "enhancement": {"name": "r"}},
                ]
            },
            ["25.04-ENHTWICE"],
        ),
        (
            "strike force",
            {
                "units": [
                    LORD,
                    *(
                        {"name": f"B{n}", "points": 1, "enhancement": {"name": "U", "upgrade": True}}
                        for n in range(4)
                    ),
                ]
            },
            ["25.04-ENHTWICE"],
        ),
        (
            "strike force",
            {
                "units": [
                    LORD,
                    *(
                        {"name": f"B{n}", "points": 1, "character": True, "enhancement": {"name": f"E{n}"}}
                        for n in range(5)
                    ),
                ]
            },
            ["25.03-ENH"],
        ),
    ],
)
def test_muster(size: str, parts: dict[str, Any], broken: list[str]) -> None:
    assert mustered(size, **parts) == [f"WH40K11-{rule}" for rule in broken]


@pytest.mark.rule("WH40K11-25.03-UNITS", "WH40K11-25.03")
def test_copies_while_a_list_is_made() -> None:
    assert [most(squad(), size.points) for size in SIZES.values()] == [2, 3, 3]
    assert most(squad(keywords=["battleline"]), 2000) == 6
    assert most(squad(keywords=["epic hero"]), 2000) == 1


@pytest.mark.rule(
    "WH40K11-25.03-DP",
    "WH40K11-25.04-UPGRADE",
    "WH40K11-25.04-WARLORD",
    "WH40K11-25.03-POINTS",
    "WH40K11-20.01",
)
def test_a_list_is_checked() -> None:
    lord = Entry("Lord", 100, 1, general=True, role="CHARACTERS", keywords=("character",), line=1)
    gift = (Extra("Shroud (Upgrade)", 5),)
    barges = tuple(
        Entry(f"Barge {n}", 50, 1, enhancements=gift, keywords=("vehicle",), line=n) for n in (2, 3, 4)
    )
    blocks = (Block("Army", "detachment", (lord, *barges)),)
    roster = Roster("wh40k11", formation="A and B (4 Detachment Points)", limit=2000, blocks=blocks)
    found = [(one.verdict, one.rule) for one in check(roster)]
    assert found[0] == ("broken", "WH40K11-25.03-DP")
    assert {verdict for verdict, _ in found[1:]} == {"cannot check"}
    assert ("cannot check", "WH40K11-20.01") in found
    nothing = check(Roster("wh40k11", blocks=(Block("Army", "detachment", barges),)))
    assert ("broken", "WH40K11-25.04-WARLORD") in [(one.verdict, one.rule) for one in nothing]
    assert [one.what for one in nothing if one.rule == "WH40K11-25.03-DP"] == ["the list names no detachment"]


@pytest.mark.rule("WH40K11-20.01")
def test_reserves() -> None:
    assert mh.odds("wh40k11", "reserves", limit=2000, points=1000) == {"most_points": 1000, "allowed": True}
    assert not mh.odds("wh40k11", "reserves", limit=2000, points=1001)["allowed"]


@pytest.mark.rule("WH40K11-MFM-TIERS")
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"copies": [{"models": 9}]}, "9 models (at most 3 have a price)"),
        ({"copies": [{"models": 3, "wargear": {"gun": 1}}]}, "no price of 'gun'"),
        ({"pricing": [{"range": "1-2", "costs": []}]}, "range '1-2' (write [1,2] or [3,))"),
        (
            {
                "copies": [{"models": 3}] * 2,
                "pricing": [{"range": "[1,1]", "costs": [{"models": 3, "points": 1}]}],
            },
            "no price for copy 2",
        ),
    ],
)
def test_prices_that_are_not_there(asked: dict[str, Any], message: str) -> None:
    tiers = [{"range": "[1,)", "costs": [{"models": 3, "points": 100}]}]
    with pytest.raises(mh.BadInputError) as caught:
        mh.odds("wh40k11", "points", **({"pricing": tiers, "copies": [{"models": 3}]} | asked))
    assert message in str(caught.value)


def test_every_rule_tells_its_day() -> None:
    from mathhammer.conformance import rules

    states = {rule.state for rule in rules("wh40k11")}
    assert states == {
        "printed rules of 1 June 2026",
        "app text of 2 September 2026",
        "points of 22 July 2026",
    }
    assert get_game("wh40k11").title.endswith("11th edition")
