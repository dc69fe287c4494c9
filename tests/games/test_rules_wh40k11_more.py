"""More of the rules of the 11th edition: limits, options, steps of a duel, and what a check of a list says."""

from __future__ import annotations

from typing import Any

import pytest
from wh40k11_units import hero, skipped, squad
from wh40k_units import blade, gun

import mathhammer as mh
from mathhammer.datasheets.library import sheets
from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.turns import Shoot
from mathhammer.games.wh40k11.army import ARMY, check
from mathhammer.games.wh40k11.reactions import REACTIONS, TURNS
from mathhammer.units.roster import Block, Entry, Extra, Roster

ATTACKS = attacks_of("wh40k11")


@pytest.mark.rule("WH40K11-01.05.02")
def test_dice_that_are_rolled_again_already() -> None:
    effects = {"reroll_attacks": "low"}
    with pytest.raises(mh.BadInputError, match="command_reroll_attacks and reroll_attacks together"):
        mh.fight(squad(gun(attacks="D6")), squad(), commands="command_reroll_attacks", effects=effects)


@pytest.mark.rule("WH40K11-01.06", "WH40K11-02.02.01-LIMITS")
def test_leadership_rolls() -> None:
    assert mh.odds("wh40k11", "leadership", leadership=7)["p_passed"] == pytest.approx(21 / 36)
    assert mh.odds("wh40k11", "battle_shock", leadership=[8, 6])["p_pass"] == pytest.approx(26 / 36)
    with pytest.raises(mh.BadInputError, match=r"Leadership 4 \(give 5 to 8, WH40K11-02.02.01-LIMITS\)"):
        mh.odds("wh40k11", "battle_shock", leadership=4)


@pytest.mark.rule("WH40K11-02.02.01-LIMITS", "WH40K11-13.08")
def test_a_skill_is_never_worse_than_6() -> None:
    """6+ in cover with +1 to the roll: a 5 hits, which a skill of 7+ would not allow."""
    shots = mh.fight(
        squad(gun(skill=6)), squad(), situation="target_in_cover", effects={"hit_roll": 1}
    ).funnel["hits"]
    assert shots == pytest.approx(10 * 2 / 6)


@pytest.mark.rule("WH40K11-01.07")
@pytest.mark.parametrize("flag", ["battle_shocked", "target_battle_shocked"])
def test_rules_may_ask_for_battle_shock(flag: str) -> None:
    effect = {"when": [flag], "hit_roll": 1}
    assert mh.fight(squad(gun()), squad(), situation=flag, effects=effect).funnel["hits"] > 8


@pytest.mark.rule("WH40K11-04.03.02", "WH40K11-24.06")
def test_cleave_adds_dice_only_at_one_target() -> None:
    sword = squad(blade(abilities=["Cleave 2"]))
    many = squad(models=12)
    assert mh.fight(sword, many).funnel["attacks"] == 5 * (3 + 4)
    assert mh.fight(sword, many, situation="split_attacks").funnel["attacks"] == 15


@pytest.mark.rule("WH40K11-05.02", "WH40K11-05.02.01")
@pytest.mark.parametrize(("strength", "needs"), [(8, 2), (5, 3), (4, 4), (3, 5), (2, 6)])
def test_strength_against_toughness(strength: int, needs: int) -> None:
    funnel = mh.fight(squad(gun(strength=strength)), squad()).funnel
    assert funnel["wounds"] / funnel["hits"] == pytest.approx((7 - needs) / 6)
    tougher = mh.fight(squad(gun(strength=4)), squad(), effects={"toughness": "+1", "on": "target"}).funnel
    assert tougher["wounds"] / tougher["hits"] == pytest.approx(2 / 6)


@pytest.mark.rule("WH40K11-06.02")
def test_mortal_wounds_of_a_rule_come_before_and_after() -> None:
    rule = {"name": "Blast wave", "on": "target", "mortal": {"each": "2"}}
    result = mh.fight(squad(gun(), effect=[rule]), squad(), weapons="ranged")
    first = result.plan.volleys[0]
    assert (first.name, first.attacks.mean(), first.apart) == ("Blast wave", 2, True)
    assert result.lost.mean() > mh.fight(squad(gun()), squad(), weapons="ranged").lost.mean() + 1
    alone = squad(gun(attacks=1, models=1), effect=[rule | {"on": "unit"}])
    cost = mh.fight(alone, squad(), weapons="ranged").own_lost
    assert cost is not None
    assert cost.mean() == 2


@pytest.mark.rule("WH40K11-24.19", "WH40K11-10.07")
def test_indirect_fire_gives_cover() -> None:
    """4+ in cover is 5+, so of 4, 5 and 6 two are left."""
    flags = ["indirect", "stationary", "target_seen_by_friend"]
    shots = mh.fight(squad(gun(skill=4, abilities=["Indirect Fire"])), squad(), situation=flags).funnel
    assert shots["hits"] == pytest.approx(10 * 2 / 6)


@pytest.mark.rule("WH40K11-24.26")
def test_one_shot_is_used_once_in_a_duel() -> None:
    often, once = (
        mh.duel(squad(gun(abilities=words), name="A"), squad(name="B", wounds=9), rounds=3, distance=20)
        for words in ([], ["One Shot"])
    )
    assert once.models[1].mean() > often.models[1].mean()


@pytest.mark.rule("WH40K11-22.01")
def test_rules_of_one_name_add_up_inside_a_unit_only() -> None:
    twice = squad(gun(), effect=[{"name": "Zeal", "attacks": "+1"}] * 2)
    assert mh.fight(twice, squad()).funnel["attacks"] == 20
    assert ATTACKS.stacking == {"unit"}


@pytest.mark.rule(
    "WH40K11-05.03.02", "WH40K11-24.28", "WH40K11-24.11", "WH40K11-24.37", "WH40K11-15.10", "WH40K11-24.10"
)
def test_every_option_has_its_rule_and_its_default() -> None:
    rules = {name: (option.default, option.rule) for name, option in ATTACKS.readings.items()}
    assert rules == {
        "precision_choice": ("character", "WH40K11-24.28"),
        "precision_target": ("", "WH40K11-24.28"),
        "devastating_reduced": ("no", "WH40K11-24.10"),
        "extra_attacks": ("modifiable", "WH40K11-24.11"),
        "snap_torrent": ("automatic", "WH40K11-24.37"),
        "critical_pool": ("first", "WH40K11-05.03.02"),
        "stratagem_keywords": ("required", "WH40K11-15.10"),
    }
    assert dict(ATTACKS.options) == {name: default for name, (default, _) in rules.items()}


@pytest.mark.rule("WH40K11-05.03.02", "WH40K11-24.28")
def test_options_that_matter_are_named() -> None:
    led = mh.attach(hero(), squad())
    shot = squad(gun(abilities=["Precision"], crit_wound_ap=2, attacks=4))
    named = mh.fight(shot, led, options={"precision_target": "Hero"}).options
    assert named == (
        "precision_choice character (WH40K11-24.28)",
        "precision_target Hero (WH40K11-24.28)",
        "critical_pool first (WH40K11-05.03.02)",
    )


@pytest.mark.rule("WH40K11-10.06", "WH40K11-09.07", "WH40K11-15.09")
def test_steps_of_a_turn() -> None:
    shoot = TURNS.step(Shoot)
    assert shoot is not None
    assert (shoot.engaged, shoot.into_combat) == ("engaged", False)
    by_name = {reaction.command: reaction for reaction in REACTIONS}
    assert set(by_name) == {
        "counter_offensive",
        "fire_overwatch",
        "explosives",
        "crushing_impact",
        "fall_back",
    }
    assert (by_name["fall_back"].act, by_name["fire_overwatch"].within) == ("leave", 24.0)
    assert skipped(squad(gun(range=36)), squad(), situation="overwatch", distance=24) == ""


@pytest.mark.rule("WH40K11-15.06")
def test_crushing_impact_has_a_cap() -> None:
    asked: dict[str, Any] = {"toughness": 200, "own": squad(wounds=9), "enemy": squad(wounds=9)}
    answer = mh.odds("wh40k11", "crushing_impact", **asked)
    assert answer["mean_own_mortal_wounds"] == pytest.approx(6.0)
    assert answer["enemy"]["mean_wounds_lost"] == pytest.approx(6.0)


@pytest.mark.rule(
    "WH40K11-25.03-POINTS", "WH40K11-MFM-UNIQUE", "WH40K11-25.04-ENHTWICE", "WH40K11-25.04-WARLORD"
)
def test_what_a_list_alone_tells() -> None:
    lord = Entry("Lord", 1200, 1, general=True, role="CHARACTERS", keywords=("character",), line=1)
    gift = (Extra("Shroud (Upgrade)", 5),)
    barges = tuple(Entry(f"B{n}", 50, 1, enhancements=gift, keywords=("vehicle",), line=n) for n in (2, 3, 4))
    blocks = (Block("Army", "detachment", (lord, *barges)),)
    found = check(Roster("wh40k11", formation="A", limit=1000, blocks=blocks))
    assert [one.rule for one in found if one.verdict == "broken"] == ["WH40K11-25.03-POINTS"]
    assert [one.rule for one in found if one.verdict == "cannot check"] == [
        "WH40K11-20.01",
        "WH40K11-MFM-UNIQUE",
    ]
    assert [(count.rule, count.low) for count in ARMY.counts] == [("WH40K11-25.04-WARLORD", 1)]
    assert get_game("wh40k11").general == "warlord"


def test_rules_of_shipped_units_count_or_are_named() -> None:
    """Every unit of the library says what its abilities do, as effects or as what is not counted."""
    shipped = [sheet.unit() for sheet in sheets("wh40k11") if sheet.faction != "Reference targets"]
    assert len(shipped) > 30
    assert [unit.name for unit in shipped if not (unit.effects or unit.not_covered)] == []
    marines = mh.load_unit("Marines", "wh40k11")
    asked = {"system": "wh40k11", "weapons": "ranged"}
    near = [
        mh.fight("Immortals", marines, situation=s, **asked).lost.mean() for s in ((), "target on objective")
    ]
    # of two attacks in three that hit one in six wounds at once; the others need a 3+, 1s or all failed again
    hits, saved = 5 * 2 * 2 / 3, 1 / 2
    wounds = [hits * (1 / 4 + 3 / 4 * chance) for chance in (2 / 3 * 7 / 6, 2 / 3 * 4 / 3)]
    assert near == pytest.approx([saved * number for number in wounds], rel=1e-3)
    overlord = mh.load_unit("Overlord", "wh40k11")
    assert mh.fight("Tyrannofex", overlord, weapons="ranged").not_counted == (
        "Tyrannofex: Resilient Organism (not used)",
        "Overlord: Reanimation Protocols (counts in duels only)",
    )
    green = mh.fight("Nobz: Waaagh!", marines, **asked | {"weapons": "melee"})
    assert (
        green.funnel["attacks"]
        == mh.fight("Nobz", marines, **asked | {"weapons": "melee"}).funnel["attacks"] + 5
    )


@pytest.mark.rule("WH40K11-24.35")
def test_a_super_heavy_walker_may_be_shocked() -> None:
    """WH40K11-24.35: a 1 after a mobile move."""
    assert mh.odds("wh40k11", "super_heavy_walker")["p_battle_shocked"] == pytest.approx(1 / 6)
    assert mh.odds("wh40k11", "super_heavy_walker", moves=2)["p_battle_shocked"] == pytest.approx(11 / 36)
    with pytest.raises(mh.BadInputError, match=r"^super-heavy walker: 0 moves \(give 1 to 100\)$"):
        mh.odds("wh40k11", "super_heavy_walker", moves=0)
