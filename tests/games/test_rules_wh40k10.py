"""Warhammer 40,000: rules one by one, each with a number worked out by hand or by counting dice."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from wh40k_units import blade, gun, squad

import mathhammer as mh
from mathhammer.compare.matchups import points_removed
from mathhammer.compare.matrix import fill_matrix
from mathhammer.dice.notation import parse_dice
from mathhammer.duel.states import States
from mathhammer.duel.upkeep import healing
from mathhammer.games.abilities import strongest
from mathhammer.games.wh40k10.abilities import ABILITIES

D6 = range(1, 7)


def leader(**fields: Any) -> mh.Unit:
    return mh.make_unit(
        "wh40k10",
        {"name": "Captain", "toughness": 6, "wounds": 5, "save": 2, "keywords": ["character"]} | fields,
    )


def ask(question: str, **details: Any) -> Any:
    return mh.odds("wh40k10", question, **details)


PLAIN, TARGET = squad(gun()), squad(name="Target")
BARE = squad(name="Bare", save=7)


def funnel(key: str, attacker: mh.Unit = PLAIN, target: mh.Unit = TARGET, **how: Any) -> float:
    return mh.fight(attacker, target, **how).funnel[key]


# --- dice -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-DICE")
@pytest.mark.parametrize(
    ("text", "rolled"),
    [
        ("D3", [(face + 1) // 2 for face in D6]),
        ("D6", list(D6)),
        ("2D3+1", [(a + 1) // 2 + (b + 1) // 2 + 1 for a, b in itertools.product(D6, D6)]),
        ("2D6", [a + b for a, b in itertools.product(D6, D6)]),
    ],
)
def test_dice_are_sums_of_d6(text: str, rolled: list[int]) -> None:
    """WH40K-DICE: a D3 is a D6 halved and rounded up."""
    assert parse_dice(text).pmf().to_dict() == pytest.approx(
        {value: rolled.count(value) / len(rolled) for value in rolled}
    )


@pytest.mark.rule("WH40K-UNMOD")
def test_criticals_and_failures_look_at_the_unmodified_die() -> None:
    """WH40K-UNMOD: at +1 a 5 shows a 6, but is not critical; at 2+ and +1 a 1 still misses."""
    keen = squad(gun(abilities=["Sustained Hits 1"]))
    hits = sum((die >= 2) + (die == 6) for die in D6) / 6
    assert funnel("hits", keen, effects=[{"hit_roll": "+1"}]) == pytest.approx(10 * hits)
    assert funnel("hits", squad(gun(skill=2)), effects=[{"hit_roll": "+1"}]) == pytest.approx(10 * 5 / 6)


@pytest.mark.rule("WH40K-MODROLL")
def test_a_modified_die_may_exceed_six() -> None:
    """WH40K-MODROLL: 7+ in cover is saved by a 6; -1 and -1 and +1 are -1."""
    assert funnel("unsaved", target=BARE, situation="target_in_cover") == pytest.approx(
        10 * 4 / 6 / 2 * 5 / 6
    )
    mixed = [{"hit_roll": "-1"}, {"hit_roll": "-1"}, {"hit_roll": "+1"}]
    assert funnel("hits", effects=mixed) == pytest.approx(10 * 3 / 6)


@pytest.mark.rule("WH40K-REROLLMODE")
@pytest.mark.parametrize(
    ("mode", "passed"),
    [
        ("ones", lambda a, b: b >= 4 if a == 1 else a >= 4),
        ("failed", lambda a, b: a >= 4 or b >= 4),
        ("noncrit", lambda a, b: a == 6 or b >= 4),
    ],
)
def test_policies_of_rerolls(mode: str, passed: Any) -> None:
    """WH40K-REROLLMODE: 4+ to wound; fishing throws 4s and 5s away."""
    wounds = sum(passed(a, b) for a, b in itertools.product(D6, D6)) / 36
    assert funnel("wounds", effects=[{"reroll_wound": mode}]) == pytest.approx(10 * 4 / 6 * wounds)
    wider = [{"reroll_wound": "ones"}, {"reroll_wound": mode}]
    assert funnel("wounds", effects=wider) == pytest.approx(10 * 4 / 6 * wounds)


@pytest.mark.rule("WH40K-REROLLMODE")
def test_failed_is_judged_after_modifiers() -> None:
    """WH40K-REROLLMODE: at -1 a 3 misses, and so it may be rolled again."""
    hits = sum(a >= 4 or b >= 4 for a, b in itertools.product(D6, D6)) / 36
    assert funnel("hits", effects=[{"hit_roll": "-1"}, {"reroll_hit": "failed"}]) == pytest.approx(10 * hits)


@pytest.mark.rule("WH40K-DISCARD")
@pytest.mark.parametrize(
    ("discard", "kept"),
    [
        ("lowest", lambda dice: sorted(dice)[1:]),
        ("highest", lambda dice: sorted(dice)[:-1]),
        ("lowest, highest", lambda dice: sorted(dice)[1:-1]),
        ("lowest,lowest", lambda dice: sorted(dice)[2:]),
    ],
)
def test_discarded_dice(discard: str, kept: Any) -> None:
    """WH40K-DISCARD: so many more dice, thrown away one after the other."""
    rolls = list(itertools.product(D6, repeat=3 + discard.count(",")))
    chance = sum(sum(kept(dice)) >= 9 for dice in rolls) / len(rolls)
    assert ask("charge", needed=9, discard=discard)["p_success"] == pytest.approx(chance)
    assert ask("roll_2d6", need=9, reroll="failed", discard=discard)["p_success"] == pytest.approx(
        1 - (1 - chance) ** 2
    )
    with pytest.raises(
        mh.BadInputError,
        match=r"^roll_2d6: discard 'middle' \(give lowest or highest, at most 4 with commas\)$",
    ):
        ask("charge", needed=9, discard="middle")


@pytest.mark.rule("WH40K-TWOSTAGE")
def test_the_better_stage_needs_both_conditions() -> None:
    """WH40K-TWOSTAGE: ones when charging, all failed ones when the target is damaged as well."""
    ones = {"name": "Eager", "when": ["charged"], "reroll_hit": "ones"}
    hunter = squad(
        blade(),
        effect=[ones, {"name": "Fierce", "when": ["charged", "target_damaged"], "reroll_hit": "failed"}],
    )
    hits = {
        flags: funnel("hits", hunter, situation=flags)
        for flags in ((), ("charged",), ("target_damaged",), ("charged", "target_damaged"))
    }
    assert list(hits.values()) == pytest.approx(
        [15 * 4 / 6, 15 * (4 / 6 + 1 / 6 * 4 / 6), 15 * 4 / 6, 15 * (4 / 6 + 2 / 6 * 4 / 6)]
    )


# --- characteristics --------------------------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-LIMITS")
def test_limits_of_characteristics() -> None:
    """WH40K-LIMITS: A, S, T and D at least 1, BS and Sv 2+ at best, AP 0 at worst."""
    assert funnel("attacks", effects=[{"attacks": "-9"}]) == 5
    assert funnel("damage", target=BARE, effects=[{"damage": "-9"}]) == pytest.approx(10 * 4 / 6 / 2)
    assert funnel("wounds", effects=[{"strength": "-9"}]) == pytest.approx(10 * 4 / 6 / 6)
    assert funnel("wounds", effects=[{"toughness": "-9", "on": "target"}]) == pytest.approx(
        10 * 4 / 6 * 5 / 6
    )
    assert funnel("hits", effects=[{"skill": "-9"}]) == pytest.approx(10 * 5 / 6)
    assert funnel("unsaved", effects=[{"save": "-9", "on": "target"}]) == pytest.approx(10 * 4 / 6 / 2 / 6)
    assert funnel("unsaved", squad(gun(ap=-1)), effects=[{"ap": "+9"}]) == pytest.approx(10 * 4 / 6 / 2 / 2)


@pytest.mark.rule("WH40K-DPLUS", "WH40K-HALVE")
def test_the_constant_belongs_to_the_dice() -> None:
    """WH40K-DPLUS: D6+2 halved is the half of all of it, rounded up at the end (WH40K-HALVE)."""
    tank = squad(name="Tank", models=1, wounds=50, save=7, halve_damage=True)
    mean = sum(-(-(face + 2) // 2) for face in D6) / 6
    assert funnel("damage", squad(gun(damage="D6+2")), tank) == pytest.approx(10 * 4 / 6 / 2 * mean)


@pytest.mark.rule("WH40K-BESTWORST")
def test_the_lowest_of_several_values_is_the_best() -> None:
    """WH40K-BESTWORST: invulnerable saves and Feel No Pain."""
    lucky = squad(
        name="Lucky",
        save=7,
        invuln=5,
        fnp=6,
        effect=[{"name": "Aegis", "invuln": 4}, {"name": "Stoic", "fnp": 5}],
    )
    assert funnel("damage", target=lucky) == pytest.approx(10 * 4 / 6 / 2 * 3 / 6 * 4 / 6)


@pytest.mark.rule("WH40K-ATTACKPROFILE", "WH40K-UNITMOD")
def test_changes_reach_all_weapons_of_a_unit_or_the_named_one_alone() -> None:
    """WH40K-UNITMOD, WH40K-ATTACKPROFILE: the profiles themselves stay as they are."""
    two = squad(gun(), gun(name="Cannon", attacks=1, strength=4))
    assert funnel("wounds", two, effects=[{"strength": "+4"}]) == pytest.approx(15 * 4 / 6 * 5 / 6)
    assert funnel("wounds", two, effects=[{"strength": "+4", "weapon": "Cannon"}]) == pytest.approx(
        10 * 4 / 6 / 2 + 5 * 4 / 6 * 5 / 6
    )
    assert funnel("wounds", two) == pytest.approx(15 * 4 / 6 / 2)
    assert funnel(
        "hits", squad(gun(), blade()), weapons="ranged", effects=[{"skill": "+1"}]
    ) == pytest.approx(10 * 3 / 6)


# --- the sequence -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-ORDER")
def test_weapons_attack_in_the_listed_order() -> None:
    """WH40K-ORDER: damage 1 and then 2 slays a model of two wounds as surely as 2 and then 1, but leaves another one hurt."""
    small, large = gun(name="Small", attacks=1, damage=1), gun(name="Large", attacks=1, damage=2)
    hit = 4 / 6 * 1 / 2
    for order, lost in ((("Small", "Large"), 2), (("Large", "Small"), 3)):
        found = mh.fight(squad(small, large, models=1), BARE, weapons=order)
        laws = {0: (1 - hit) ** 2, 1: hit * (1 - hit), 2: hit * (1 - hit), 3: 0.0}
        laws[lost] += hit**2  # Large on a hurt model loses a point, on a whole one it does not
        assert [found.lost[k] for k in range(4)] == pytest.approx(list(laws.values()))


@pytest.mark.rule("WH40K-TARGETCHECK")
def test_what_attacks_look_at_is_fixed_before_the_first_die() -> None:
    """WH40K-TARGETCHECK: the second Blast weapon counts the models that the first one has slain."""
    sure = {"attacks": 20, "skill": 2, "strength": 8, "damage": 2, "abilities": ["Torrent", "Blast"]}
    pair = squad(gun(name="First", **sure), gun(name="Second", **sure), models=1)
    assert funnel("attacks", pair, BARE) == 2 * (20 + 1)


@pytest.mark.rule("WH40K-DEADTARGET")
def test_attacks_on_a_destroyed_unit_vanish() -> None:
    """WH40K-DEADTARGET: three sure wounds on two models."""
    hail = squad(gun(attacks=1, strength=8, abilities=["Torrent"]), models=3)
    found = mh.fight(hail, squad(name="Pair", models=2, wounds=1, save=7))
    wounds = {k: n * (5 / 6) ** k * (1 / 6) ** (3 - k) for k, n in enumerate((1, 3, 3, 1))}
    assert found.slain.to_dict() == pytest.approx({0: wounds[0], 1: wounds[1], 2: wounds[2] + wounds[3]})
    assert found.p_destroyed == pytest.approx(wounds[2] + wounds[3])


@pytest.mark.rule("WH40K-AGAINST", "WH40K-COVER")
def test_cover_looks_at_the_modified_ap_and_save() -> None:
    """WH40K-AGAINST, WH40K-COVER: 3+ against AP 0 has no cover, whatever the weapon and the datasheet say."""
    guard = squad(name="Guard", save=3)
    cover: dict[str, Any] = {"situation": "target_in_cover"}
    assert funnel("unsaved", squad(gun(ap=-1)), guard, **cover) == pytest.approx(10 / 3 * 2 / 6)
    assert funnel("unsaved", squad(gun(ap=-1)), guard, effects=[{"ap": "+1"}], **cover) == pytest.approx(
        10 / 3 * 2 / 6
    )
    assert funnel(
        "unsaved", squad(gun()), guard, effects=[{"save": "+1", "on": "target"}], **cover
    ) == pytest.approx(10 / 3 * 2 / 6)
    assert funnel("unsaved", squad(gun()), guard, effects=[{"ap": "-1"}], **cover) == pytest.approx(
        10 / 3 * 2 / 6
    )
    assert funnel(
        "unsaved", squad(gun()), guard, situation=("target_in_cover", "plunging_fire")
    ) == pytest.approx(10 / 3 * 2 / 6)


@pytest.mark.rule("WH40K-HALFRANGE")
def test_half_range_may_hold_for_one_weapon() -> None:
    """WH40K-HALFRANGE: a flag for all weapons, or for one of them."""
    two = squad(gun(abilities=["Rapid Fire 1"]), gun(name="Carbine", attacks=1, abilities=["Rapid Fire 1"]))
    assert [funnel("attacks", two, situation=flag) for flag in ((), "half_range", "half_range:Carbine")] == [
        15,
        25,
        20,
    ]


@pytest.mark.rule("WH40K-ONESHOT")
def test_one_shot_weapons_are_used_once_in_a_duel() -> None:
    """WH40K-ONESHOT: one missile of 1/4 a battle, whatever the number of rounds; a plain one fires each time."""
    for abilities, misses in ((["One Shot"], 3 / 4), ([], (3 / 4) ** 3)):
        tube = gun(name="Tube", range=48, attacks=1, skill=4, abilities=abilities)
        crew = squad(tube, models=1, save=7)
        for method in ("exact", "simulate"):
            how: dict[str, Any] = {"method": method, "trials": 40_000} if method == "simulate" else {}
            found = mh.duel(
                crew,
                squad(name="Foe", models=1, wounds=1, save=7),
                distance=30,
                charge="none",
                rounds=3,
                **how,
            )
            assert found.p_win == pytest.approx(1 - misses, abs=0.0 if method == "exact" else 0.015, rel=1e-9)
        assert ("WH40K-ONESHOT" in found.explain()) == bool(abilities)
    knife = squad(blade(attacks=1, skill=4, abilities=["One Shot"]), models=1)
    fought = mh.duel(knife, squad(name="Foe", models=1, wounds=1, save=7), rounds=2)
    assert fought.p_win == pytest.approx(1 / 4)


@pytest.mark.rule("WH40K-BGNT", "WH40K-BLAST", "WH40K-PISTOL")
def test_engaged_shooters_and_targets_afar() -> None:
    """WH40K-PISTOL: only at units in Engagement Range; WH40K-BGNT, WH40K-BLAST: an engaged tank may blast whom it is not engaged with."""
    pistols = squad(gun(abilities=["Pistol"]))
    assert mh.fight(pistols, TARGET, situation="engaged", distance=1).funnel["hits"] == pytest.approx(
        10 * 4 / 6
    )
    assert dict(mh.fight(pistols, TARGET, situation="engaged", distance=5).skipped) == {
        "Gun": "in Engagement Range Pistols are fired at units in it (WH40K-PISTOL)"
    }
    tank = squad(gun(abilities=["Blast"]), keywords=["vehicle"])
    assert mh.fight(tank, TARGET, situation="engaged", distance=12).funnel["hits"] == pytest.approx(
        (10 + 5) * 3 / 6
    )
    for distance in (1, None):
        assert dict(mh.fight(tank, TARGET, situation="engaged", distance=distance).skipped) == {
            "Gun": "Blast cannot be used at an engaged target (WH40K-BLAST)"
        }


# --- abilities and effects of the same name ---------------------------------------------------------------------------


@pytest.mark.rule("WH40K-DUP")
def test_of_one_core_ability_the_stronger_counts() -> None:
    """WH40K-DUP: D3 more hits beat one more; Anti is one ability for each keyword; Stealth twice is -1."""
    assert strongest(ABILITIES.of(("Sustained Hits 1", "Sustained Hits D3"))) == (
        ABILITIES.find("Sustained Hits D3"),
    )
    assert funnel("hits", squad(gun(abilities=["Sustained Hits 1", "Sustained Hits D3"]))) == pytest.approx(
        10 * (4 / 6 + 2 / 6)
    )
    hidden = squad(name="Hidden", stealth=True, keywords=["smoke"])
    assert funnel("hits", target=hidden, commands="smokescreen") == pytest.approx(10 * 3 / 6)


@pytest.mark.rule("WH40K-SAMENAME")
def test_equal_names_add_up_but_equal_auras_do_not() -> None:
    """WH40K-SAMENAME: what a unit has twice counts twice, what two friends hand out counts once."""
    rage = {"name": "Rage", "attacks": "+1"}
    assert funnel("attacks", squad(gun(), effect=[rage, rage])) == 5 * 4
    herald = squad(name="Herald", effect=[rage | {"on": "friends"}])
    assert funnel("attacks", friends=[herald, herald]) == 5 * 3
    foul = {"name": "Foul", "on": "attacker", "attacks": "-1"}
    assert (
        funnel("attacks", squad(gun(attacks=4)), squad(name="Foul", effect=[foul, foul])) == 5 * 3
    )  # a condition counts once


# --- leaders ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-PRECISION", "WH40K-UNITT", "WH40K-EPIC")
def test_an_attached_unit_has_the_toughness_of_its_bodyguard() -> None:
    """WH40K-UNITT: also where the leader himself is picked out (WH40K-PRECISION)."""
    joined = mh.attach(leader(save=7, wounds=1), squad(save=7))
    assert funnel("wounds", target=joined) == pytest.approx(10 * 4 / 6 / 2)  # Strength 4 on 4, not on 6
    sniper = squad(gun(attacks=1, abilities=["Precision"]), models=1)
    assert mh.fight(sniper, joined).groups["Captain"].p_destroyed == pytest.approx(4 / 6 / 2)
    brawler = squad(blade(attacks=1), models=1, keywords=["character"])
    assert mh.fight(brawler, joined).groups["Captain"].p_destroyed == 0.0
    assert mh.fight(brawler, joined, commands="epic_challenge").groups[
        "Captain"
    ].p_destroyed == pytest.approx(4 / 6 / 2)  # WH40K-EPIC


@pytest.mark.rule("WH40K-LEADING")
def test_what_a_leader_gives_holds_for_the_whole_volley() -> None:
    """WH40K-LEADING: his Feel No Pain is on his men and on himself, and stays on when his last man has fallen."""
    blessed = mh.attach(
        leader(save=7, wounds=1, effect=[{"name": "Faith", "on": "friends", "fnp": 4}]),
        squad(save=7, models=1, wounds=1),
    )
    hits = squad(gun(attacks=1, strength=8, abilities=["Torrent"]), models=2)
    through = 5 / 6 / 2
    assert mh.fight(hits, blessed).slain.to_dict() == pytest.approx(
        {0: (1 - through) ** 2, 1: 2 * through * (1 - through), 2: through**2}
    )


@pytest.mark.rule("WH40K-ATTACHED")
def test_only_characters_of_a_leaders_unit_are_protected() -> None:
    """WH40K-ATTACHED: a standard bearer beside the captain falls before him."""
    court = [
        {"name": "Captain", "models": 1, "wounds": 1, "character": True},
        {"name": "Bearer", "models": 1, "wounds": 1},
    ]
    joined = mh.attach(
        mh.make_unit("wh40k10", {"name": "Court", "toughness": 4, "group": court}),
        squad(models=1, wounds=1, save=7),
    )
    assert [group.name for group in joined.groups] == ["Squad", "Bearer", "Captain"]
    hits = squad(gun(attacks=1, strength=8, abilities=["Torrent"]), models=2)
    found = mh.fight(hits, joined)
    assert found.groups["Bearer"].p_destroyed == pytest.approx((5 / 6) ** 2)
    assert found.groups["Captain"].p_destroyed == 0.0
    sniper = squad(gun(attacks=1, strength=8, abilities=["Torrent", "Precision"]), models=1)
    assert mh.fight(sniper, joined).groups["Captain"].p_destroyed == pytest.approx(5 / 6)


@pytest.mark.rule("WH40K-LONEOP", "WH40K-STEALTH")
def test_stealth_needs_every_model_and_nobody_is_alone_in_company() -> None:
    """WH40K-STEALTH, WH40K-LONEOP."""
    for one, other, hits in ((True, True, 3 / 6), (True, False, 4 / 6), (False, True, 4 / 6)):
        joined = mh.attach(leader(stealth=one, lone_operative=True), squad(stealth=other))
        assert funnel("hits", target=joined, distance=20) == pytest.approx(10 * hits)
    assert mh.fight(PLAIN, leader(lone_operative=True), distance=20).skipped


# --- stratagems -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-GOTOGROUND", "WH40K-SMOKE")
def test_go_to_ground_and_smokescreen() -> None:
    """WH40K-GOTOGROUND: 6+ invulnerable and cover for Infantry; WH40K-SMOKE: cover and Stealth."""
    bare = squad(name="Bare", save=7, keywords=["infantry"])
    assert funnel("unsaved", squad(gun(ap=-3)), bare, commands="go_to_ground") == pytest.approx(
        10 / 3 * 5 / 6
    )
    assert funnel(
        "unsaved", target=squad(name="Men", keywords=["infantry"]), commands="go_to_ground"
    ) == pytest.approx(10 / 3 * 2 / 6)
    loose = {"stratagem_keywords": "ignored"}
    shot = funnel("unsaved", squad(gun(ap=-3)), BARE, commands="go_to_ground", options=loose)
    assert shot == pytest.approx(10 / 3)
    smoky = squad(name="Smoky", keywords=["smoke"])
    assert funnel("unsaved", target=smoky, commands="smokescreen") == pytest.approx(10 * 3 / 6 / 2 * 2 / 6)


@pytest.mark.rule("WH40K-OVERWATCHSTRAT")
@pytest.mark.parametrize(
    ("attacker", "how", "reason"),
    [
        ({}, {"distance": 25}, "Fire Overwatch reaches 24 inches (WH40K-OVERWATCHSTRAT)"),
        ({"keywords": ["titanic"]}, {}, "a Titanic unit cannot use Fire Overwatch (WH40K-OVERWATCHSTRAT)"),
        (
            {},
            {"situation": ("overwatch", "target_unseen")},
            "the target of Fire Overwatch must be visible (WH40K-OVERWATCHSTRAT)",
        ),
        ({}, {"distance": 24}, None),
    ],
)
def test_who_may_use_fire_overwatch(
    attacker: dict[str, Any], how: dict[str, Any], reason: str | None
) -> None:
    found = mh.fight(
        squad(gun(range=48, abilities=["Indirect Fire"]), **attacker),
        TARGET,
        **({"situation": "overwatch"} | how),
    )
    assert found.skipped.get("Gun") == reason
    assert found.funnel.get("hits", 0.0) == pytest.approx(0.0 if reason else 10 / 6)


@pytest.mark.rule("WH40K-HEROIC")
def test_heroic_intervention_is_a_short_charge_without_fights_first() -> None:
    """WH40K-HEROIC: within 6 inches, the same roll as any charge."""
    brave = ask("charge", distance=6, heroic=True)
    assert (brave["needed"], brave["fights_first"]) == (5, False)
    assert brave["p_success"] == pytest.approx(30 / 36)
    assert ask("charge", distance=6)["fights_first"]
    with pytest.raises(mh.BadInputError) as caught:
        ask("charge", distance=7, heroic=True)
    assert str(caught.value) == "charge: 7 inches (a charge is declared within 6 inches, WH40K-HEROIC)"


# --- other dice -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("WH40K-PIVOT")
def test_charges_pay_for_pivots() -> None:
    """WH40K-PIVOT: 8.5 inches less Engagement Range plus a pivot of 2 need a 10."""
    told = ask("charge", distance=8.5, pivot=2)
    assert told["needed"] == 10
    assert told["p_success"] == pytest.approx(6 / 36)


@pytest.mark.rule("WH40K-ADVANCE", "WH40K-SURGE")
def test_advances_and_surges() -> None:
    """WH40K-ADVANCE, WH40K-SURGE: a D6; rolled again below 4 it is 4.25 on average."""
    assert ask("advance", move=6)["reach_pmf"].to_dict() == pytest.approx(dict.fromkeys(range(7, 13), 1 / 6))
    again = sum(b if a < 3.5 else a for a, b in itertools.product(D6, D6)) / 36
    assert ask("advance", reroll=True)["mean_reach"] == pytest.approx(again)
    assert ask("surge")["reach_pmf"].to_dict() == pytest.approx(dict.fromkeys(D6, 1 / 6))


@pytest.mark.rule("WH40K-BRAVERY", "WH40K-BSHOCK", "WH40K-LDTEST")
@pytest.mark.parametrize("leadership", range(5, 9))
def test_leadership(leadership: int) -> None:
    """WH40K-LDTEST, WH40K-BSHOCK: 2D6 of Leadership or more; WH40K-BRAVERY: no roll at all."""
    passed = sum(a + b >= leadership for a, b in itertools.product(D6, D6)) / 36
    assert ask("leadership", leadership=leadership) == {"p_passed": pytest.approx(passed)}
    assert ask("battle_shock", leadership=leadership)["p_battle_shocked"] == pytest.approx(1 - passed)
    assert ask("battle_shock", leadership=leadership, insane_bravery=True)["p_passed"] == 1.0


@pytest.mark.rule("WH40K-HALF")
@pytest.mark.parametrize(
    ("unit", "half", "starting"),
    [
        (squad(models=10).with_lost(9), False, True),  # 6 left
        (squad(models=10).with_lost(10), False, True),  # 5 left
        (squad(models=10).with_lost(11), False, True),  # 5 left, one of them hurt
        (squad(models=10).with_lost(12), True, True),  # 4 left
        (squad(models=5).with_lost(4), False, True),  # 3 left
        (squad(models=5).with_lost(6), True, True),  # 2 left
        (squad(models=5).with_lost(1), False, False),  # all models there
        (squad(models=1, wounds=12).with_lost(6), False, True),
        (squad(models=1, wounds=12).with_lost(7), True, True),
        (squad(models=1, wounds=12), False, False),
        (mh.attach(leader(), squad()).with_lost(6), False, True),  # of six models three are left
        (mh.attach(leader(), squad()).with_lost(8), True, True),
    ],
)
def test_below_half_strength(unit: mh.Unit, half: bool, starting: bool) -> None:
    """WH40K-HALF: models left, or wounds left of a single model; an Attached unit counts as one."""
    assert ask("half_strength", target=unit) == {
        "below_half_strength": half,
        "below_starting_strength": starting,
    }


@pytest.mark.rule("WH40K-RESERVES")
@pytest.mark.parametrize(("limit", "most"), [(1000, 250), (2000, 500), (3000, 750)])
def test_strategic_reserves(limit: int, most: int) -> None:
    """WH40K-RESERVES: a quarter of the limit."""
    assert ask("reserves", limit=limit, points=most) == {"most_points": most, "allowed": True}
    assert not ask("reserves", limit=limit, points=most + 1)["allowed"]
    with pytest.raises(mh.BadInputError, match=r"^reserves: -1 points of 2000 \(give 0 or more\)$"):
        ask("reserves", limit=2000, points=-1)


@pytest.mark.rule("WH40K-TRANSPORT")
def test_passengers_of_a_destroyed_transport() -> None:
    """WH40K-TRANSPORT: a mortal wound for each 1, or for each 1 to 3, on five models of one wound."""
    crew = squad(wounds=1)
    for emergency, chance in ((False, 1 / 6), (True, 1 / 2)):
        law = ask("transport_destroyed", target=crew, emergency=emergency)["models_slain_pmf"]
        ways = (1, 5, 10, 10, 5, 1)
        assert law.to_dict() == pytest.approx(
            {k: n * chance**k * (1 - chance) ** (5 - k) for k, n in enumerate(ways)}
        )


@pytest.mark.rule("WH40K-HEAL")
def test_healing_ends_at_the_start_of_the_battle() -> None:
    """WH40K-HEAL: three wounds for a model that lost two are two, and nobody returns."""
    healed = healing(States.of(squad(models=2, wounds=4)), mh.Pmf.constant(3))
    assert [int(healed[lost].argmax()) for lost in range(8)] == [0, 0, 0, 0, 4, 4, 4, 4]
    assert healed[8][8] == 1.0


@pytest.mark.rule("WH40K-METRICS")
def test_points_removed_go_by_the_share_of_wounds() -> None:
    """WH40K-METRICS: 100 points, ten wounds."""
    priced = squad(save=7, points=100)
    fought = mh.fight(squad(gun(attacks=1), models=1), priced)
    assert points_removed(priced, fought.lost.mean()) == pytest.approx(100 * (4 / 6 / 2) / 10)


@pytest.mark.rule("WH40K-AGAINST")
@pytest.mark.parametrize(
    ("strength", "effects", "wounds"),
    [
        (5, [], 3 / 6),  # 3+, made 4+
        (4, [], 3 / 6),  # 4+, not stronger
        (4, [{"name": "Might", "strength": "+1"}], 3 / 6),  # modified Strength counts: 3+, made 4+
        (
            5,
            [{"name": "Hex", "on": "target", "toughness": "+1"}],
            3 / 6,
        ),  # modified Toughness too: 4+ as it is
        (3, [], 2 / 6),
    ],
)
def test_a_rule_against_strength(strength: int, effects: list[dict[str, Any]], wounds: float) -> None:
    """WH40K-AGAINST: -1 to wound for attacks stronger than the unit is tough, looked at when the attack begins."""
    hard = {"name": "Hard", "on": "attacker", "when": ["strength > toughness"], "wound_roll": "-1"}
    attacker = squad(gun(strength=strength, attacks=6, abilities=["Torrent"]), models=1)
    target = squad(name="Hard", effect=[hard])
    assert mh.fight(attacker, target, effects=effects).funnel["wounds"] == pytest.approx(6 * wounds)


@pytest.mark.rule("WH40K-AGAINST")
def test_a_rule_against_strength_in_a_matrix() -> None:
    """WH40K-AGAINST: targets of other Toughness do not share the answer."""
    hard = {"name": "Hard", "when": ["strength >= 6"], "save_roll": "+1"}
    targets = [squad(name=f"T{toughness}", toughness=toughness, effect=[hard]) for toughness in (3, 4, 8)]
    attackers = [squad(gun(strength=strength), models=3) for strength in (4, 6)]
    filled = fill_matrix(attackers, targets, workers=1).of("slain")
    wanted = [[mh.fight(attacker, target).slain.mean() for target in targets] for attacker in attackers]
    assert filled.ravel().tolist() == pytest.approx([mean for row in wanted for mean in row])


def test_the_funnel_ends_with_the_first_groups_damage() -> None:
    """Before and after Feel No Pain of the models that are hit first, whoever stands behind them."""
    groups = [
        {"name": "Men", "models": 4, "wounds": 3, "save": 4, "fnp": 5},
        {"name": "Captain", "models": 1, "wounds": 5, "character": True},
    ]
    target = mh.make_unit("wh40k10", {"name": "Joined", "models": 5, "toughness": 4, "group": groups})
    steps = mh.fight(squad(gun(attacks=6, damage="D3"), models=1), target).funnel
    unsaved = 6 * 4 / 6 * 3 / 6 * 3 / 6
    assert steps["unsaved"] == pytest.approx(unsaved)
    assert steps["damage before ward"] == pytest.approx(unsaved * 2.0)
    assert steps["damage"] == pytest.approx(unsaved * 2.0 * 4 / 6)
