"""Age of Sigmar, 1st edition: vectors, three-way agreement, rules, properties and messages."""

from __future__ import annotations

import itertools
import json
import tomllib
from math import sqrt
from typing import Any

import aos1_cases
import naive_aos1
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likelihood import z_of_variance, z_score
from places import OWN_VECTORS, ROOT

import mathhammer as mh
from mathhammer.engine.landing import land
from mathhammer.engine.plan import Group, Target
from mathhammer.games.aos1.quick import quick_target

LIMIT = 6.2
TRIALS = 1_000_000
GAMES = 100_000
CASES = json.loads((OWN_VECTORS / "aos1.json").read_text(encoding="utf-8"))["cases"]
DATASHEETS = ROOT / "datasheets" / "aos1"


# --- three ways to one answer -------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_simulate_agrees_with_exact(case: dict[str, Any]) -> None:
    exact = aos1_cases.ask(case)
    played = aos1_cases.ask(case, method="simulate", trials=TRIALS, seed=20261116)
    pairs = [(exact.damage, played.damage), (exact.lost, played.lost), (exact.slain, played.slain)]
    assert set(exact.aftermath) == set(played.aftermath)
    for law, seen in pairs:
        assert seen.trials == TRIALS
        assert abs(z_score(law, seen.mean(), TRIALS)) < LIMIT
    for (
        name,
        law,
    ) in exact.aftermath.items():  # the test itself is exact in both, so less varies than z allows for
        assert played.aftermath[name].trials == TRIALS
        assert abs(z_score(law, played.aftermath[name].mean(), TRIALS)) < LIMIT
    p = exact.p_destroyed
    assert abs(played.p_destroyed - p) <= LIMIT * sqrt(p * (1 - p) / TRIALS) + 1e-12


def check_against_naive(case: dict[str, Any], seed: int) -> None:
    exact = aos1_cases.ask(case)
    rolled = naive_aos1.play(case, seed=seed, games=GAMES)
    pairs = [(exact.damage, rolled["damage"]), (exact.slain, rolled["slain"])]
    if exact.aftermath:
        pairs.append((exact.aftermath["fled"], rolled["fled"]))
        pairs.append((exact.aftermath["models_lost"], rolled["slain"] + rolled["fled"]))
    for law, seen in pairs:
        assert abs(z_score(law, float(seen.mean()), GAMES)) < LIMIT
        assert abs(z_of_variance(law, seen)) < LIMIT


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_naive_agrees_with_exact(case: dict[str, Any]) -> None:
    check_against_naive(case, seed=4)


def random_case(rng: np.random.Generator) -> dict[str, Any]:
    """A legal fight with several rules at once, in the format of the vectors."""

    def pick(*options: Any) -> Any:
        return options[rng.integers(len(options))]

    def few(low: int, high: int) -> list[int]:
        return [int(value) for value in rng.integers(low, high, rng.integers(0, 3))]

    phase = pick("combat", "shooting")

    def weapon(name: str) -> dict[str, Any]:
        return {
            "name": name,
            "type": "melee" if phase == "combat" else "ranged",
            "models": int(rng.integers(1, 5)),
            "attacks": pick("1", "2", "3", "D3", "D6", "D3+1"),
            "hit": int(rng.integers(2, 7)),
            "wound": int(rng.integers(2, 7)),
            "rend": int(rng.integers(0, 4)),
            "damage": pick("1", "2", "3", "D3", "D6", "D3+2"),
        }

    return {
        "weapons": [weapon("a"), weapon("b")][: int(rng.integers(1, 3))],
        "attacker_state": {"phase": phase},
        "target": {
            "models": int(rng.integers(1, 25)),
            "wounds": (wounds := int(rng.integers(1, 5))),
            "wounds_suffered": int(rng.integers(0, wounds)),
            "save": pick(2, 3, 4, 5, 6, None),
            "ward": pick([], [], [6], [5], [6, 4]),
            "bravery": pick(4, 5, 6, 7, 10, None),
            "slain_earlier_this_turn": pick(0, 0, 2, 4),
            "charged": bool(rng.integers(2)),
            "in_cover": bool(rng.integers(2)),
        },
        "modifiers": {
            "hit": few(-2, 3),
            "wound": few(-2, 3),
            "save": few(-2, 3),
            "reroll_hit": pick("none", "ones", "failed", "any"),
            "reroll_wound": pick("none", "ones", "failed", "any"),
            "reroll_save": pick("none", "none", "ones", "failed", "any"),
            "reroll_ward": pick("none", "ones", "failed"),
            "mystic_shield": pick(0, 0, 1, 2),
            "mortal_wounds": pick([], ["D3"], ["D3", "2"]),
            "bravery": few(-2, 3),
            "inspiring_presence": pick(False, False, False, True),
            "allocation": pick("wounded_first", "fresh_first"),
            "damage": pick(
                [], [{"op": "div", "value": 2, "by": "enemy"}], [{"op": "add", "value": -2, "weapon": "a"}]
            ),
            "attacks": pick([], [{"op": "add", "value": 1}], [{"op": "add", "value": -2}]),
        },
        "options": {"ones_always_fail": bool(rng.integers(2))},
    }


@pytest.mark.parametrize("number", range(40))
def test_naive_agrees_with_exact_when_rules_combine(number: int) -> None:
    check_against_naive(random_case(np.random.default_rng(number)), seed=number)


# --- rules, one by one --------------------------------------------------------------------------------------------

SWORD = {"name": "Sword", "attacks": 4, "hit": 4, "wound": 4, "rend": 1, "damage": 1}
BOW = {"name": "Bow", "kind": "ranged", "range": 18, "attacks": 1, "hit": 4, "wound": 3, "damage": 1}


def unit(name: str = "Men", **fields: Any) -> mh.Unit:
    return mh.make_unit("aos1", {"name": name, "models": 10, "wounds": 1, "save": 4, "bravery": 6} | fields)


MEN = unit(weapon=[SWORD, BOW])


def mean(**how: Any) -> float:
    return float(mh.fight(MEN, how.pop("target", unit("Foes", models=60)), **how).damage.mean())


@pytest.mark.rule("AOS1-COVER", "AOS1-TERRAIN-1", "AOS1-TERRAIN-5")
@pytest.mark.parametrize(
    ("situation", "effect"),
    [
        ("damned", {"hit_roll": 1}),
        ("ensorcelled", {"reroll_wound": "failed"}),
        ("target_in_cover", {"save_roll": 1, "on": "target"}),
        ("charged", {"hit_roll": 0}),
        ("near_enemy", {"hit_roll": 0}),
        ("ran", {"hit_roll": 0}),
        ("target_afraid", {"hit_roll": 0}),
    ],
)
def test_a_situation_is_worth_its_effect(situation: str, effect: dict[str, Any]) -> None:
    """AOS1-TERRAIN-1, AOS1-TERRAIN-5, AOS1-COVER."""
    assert mean(situation=situation) == pytest.approx(mean(effects=[effect]), rel=1e-12)


@pytest.mark.rule("AOS1-TRIUMPH")
def test_inspired_rerolls_failed_hits() -> None:
    assert mean(commands="inspired") == pytest.approx(1.5 * mean(), rel=1e-12)


def test_cover_is_lost_by_a_charge_in_the_combat_phase_only() -> None:
    charged = ("target_in_cover", "target_charged")
    assert mean(situation=charged) == pytest.approx(mean(), rel=1e-12)
    assert mean(weapons="ranged", situation=charged) == pytest.approx(
        mean(weapons="ranged", situation="target_in_cover"), rel=1e-12
    )


@pytest.mark.rule("AOS1-MYSTIC-SHIELD", "AOS1-SILENT-7")
def test_mystic_shields_add_up_unless_told_otherwise() -> None:
    """AOS1-MYSTIC-SHIELD, AOS1-SILENT-7."""
    by_number = [mean(options={"mystic_shields": number}) for number in range(4)]
    assert by_number[0] > by_number[1] > by_number[2] > by_number[3]
    assert mean(options={"mystic_shields": 3, "mystic_shields_stack": False}) == pytest.approx(
        by_number[1], rel=1e-12
    )


@pytest.mark.rule("AOS1-SILENT-1", "AOS1-SILENT-7")
def test_the_same_rule_twice_counts_twice() -> None:
    """AOS1-SILENT-7: no limit is stated, so two banners of one name are +2: hits on 2+ instead of 3+ and 4+ (AOS1-SILENT-1)."""
    blade = {"name": "Blade", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    banner = unit("Banner", effect=[{"name": "Zeal", "on": "friends", "hit_roll": "+1"}])
    hits = [
        mh.fight(unit(models=12, weapon=[blade]), unit("Foes"), friends=[banner] * number).funnel["hits"]
        for number in range(3)
    ]
    assert hits == pytest.approx([6.0, 8.0, 10.0])


@pytest.mark.rule("AOS1-SILENT-6")
def test_a_unit_without_a_save_is_never_saved() -> None:
    """AOS1-SILENT-6: not even by +6."""
    bare = mh.make_unit("aos1", {"name": "Foes", "models": 60, "wounds": 1})
    assert mean(target=bare, effects=[{"save_roll": 6, "on": "target"}]) == pytest.approx(
        40 / 2 / 2, rel=1e-12
    )


@pytest.mark.rule("AOS1-SILENT-1")
def test_equal_rules_of_two_friends_add_up() -> None:
    """AOS1-SILENT-1: no limit is stated for what helps a roll."""
    banner = unit("Banner", effect=[{"name": "Zeal", "on": "friends", "hit_roll": 1}])
    assert mean(friends=[banner, banner]) == pytest.approx(40 * 5 / 6 / 2 * 4 / 6, rel=1e-12)


def test_there_are_no_natural_ones_and_sixes() -> None:
    sure = {"effects": [{"hit_roll": 3}, {"wound_roll": 3}, {"save_roll": -6, "on": "target"}]}
    assert mean(**sure) == pytest.approx(40.0, rel=1e-12)
    house = mean(**sure, options={"ones_always_fail": True})
    assert house == pytest.approx(40 * (5 / 6) ** 2, rel=1e-12)
    assert mean(effects=[{"hit_roll": -3}]) == 0.0
    assert mean(effects=[{"save_roll": 4, "on": "target"}]) == 0.0
    assert mean(effects=[{"save_roll": 4, "on": "target"}], options={"ones_always_fail": True}) > 0.0


def test_failed_is_judged_before_modifiers_and_any_after_them() -> None:
    lower = {"hit_roll": -1}  # 4+ at -1: a 4 misses, but it is not a failed roll
    assert mean(effects=[lower, {"reroll_hit": "failed"}]) == pytest.approx(
        40 * (1 / 3 + 3 / 6 / 3) / 2 * 4 / 6, rel=1e-12
    )
    assert mean(effects=[lower, {"reroll_hit": "any"}]) == pytest.approx(
        40 * (1 / 3 + 4 / 6 / 3) / 2 * 4 / 6, rel=1e-12
    )
    higher = {"hit_roll": 1}  # a 3 hits after modifiers and is kept
    assert mean(effects=[higher, {"reroll_hit": "failed"}]) == pytest.approx(
        mean(effects=[higher, {"reroll_hit": "any"}]), rel=1e-12
    )


def test_random_attacks_and_damage_are_rolled_each_time() -> None:
    club = {"name": "Club", "attacks": "D3", "hit": 4, "wound": 4, "damage": "D6"}
    law = mh.fight(unit(models=2, weapon=[club]), unit("Foe", save=6, models=100)).damage
    one, count = law_of_damage(), [0.0, 0.0, 1 / 9, 2 / 9, 3 / 9, 2 / 9, 1 / 9]  # two D3
    total = np.zeros(37)
    for number, chance in enumerate(count):
        power = np.ones(1)
        for _ in range(number):
            power = np.convolve(power, one)
        total[: len(power)] += chance * power
    assert law.probs == pytest.approx(total, rel=1e-12, abs=1e-15)


def law_of_damage() -> np.ndarray:
    goes_through = 0.5 * 0.5 * 5 / 6
    return np.array([1 - goes_through] + [goes_through / 6] * 6)


@pytest.mark.rule("AOS1-SILENT-15")
def test_characteristics_may_fall_to_nothing() -> None:
    """AOS1-SILENT-15."""
    weaker = [{"damage": "-1"}]
    assert mean(effects=weaker) == 0.0
    assert mean(effects=weaker, options={"least_characteristic": 1}) == pytest.approx(mean(), rel=1e-12)
    assert mh.fight(MEN, unit("Foes"), effects=[{"attacks": "-9"}]).funnel["attacks"] == 0.0


def test_changed_characteristics_reach_the_rolls() -> None:
    assert mean(effects=[{"hit": "-1"}]) == pytest.approx(mean(effects=[{"hit_roll": 1}]), rel=1e-12)
    assert mean(effects=[{"rend": "+1"}]) == pytest.approx(
        mean(effects=[{"save_roll": -1, "on": "target"}]), rel=1e-12
    )
    assert mean(effects=[{"save": "+1", "on": "target"}]) == pytest.approx(
        mean(effects=[{"rend": "+1"}]), rel=1e-12
    )


def test_a_leader_makes_more_attacks_with_his_unit() -> None:
    led = unit(weapon=[SWORD | {"leader_attacks": 2}])
    result = mh.fight(led, unit("Foes"))
    assert result.funnel["attacks"] == 42.0
    assert "Leader: +2 Attacks" in result.explain()
    assert mh.fight(led.with_lost(9), unit("Foes")).funnel["attacks"] == 6.0


@pytest.mark.rule("AOS1-MORTAL", "AOS1-SILENT-5")
def test_a_ward_ignores_wounds_and_mortal_wounds() -> None:
    """AOS1-SILENT-5, AOS1-MORTAL."""
    spell = [{"mortal_damage": "D3"}]
    plain = mean(effects=spell)
    assert mean(effects=spell, target=unit("Foes", models=60, ward=5)) == pytest.approx(
        plain * 2 / 3, rel=1e-12
    )
    best = [*spell, {"ward": 4, "on": "target"}]
    assert mean(effects=best, target=unit("Foes", models=60, ward=5)) == pytest.approx(plain / 2, rel=1e-12)
    again = [*spell, {"reroll_ward": "failed", "on": "target"}]
    assert mean(effects=again, target=unit("Foes", models=60, ward=5)) == pytest.approx(
        plain * 4 / 9, rel=1e-12
    )


@pytest.mark.rule("AOS1-MOVE", "AOS1-ATTACK", "AOS1-TERRAIN-5")
def test_who_may_attack() -> None:
    def skipped(**how: Any) -> dict[str, str]:
        return dict(mh.fight(MEN, unit("Foes"), **how).skipped)

    assert skipped(weapons="ranged", situation="near_enemy") == {}  # nothing forbids it
    assert skipped(weapons="ranged", situation="ran") == {
        "Bow": "the unit ran and does not shoot (AOS1-MOVE)"
    }
    assert skipped(weapons="ranged", situation="retreated") == {
        "Bow": "the unit retreated and does not shoot (AOS1-MOVE)"
    }
    assert skipped(weapons="ranged", distance=18) == {}
    assert skipped(weapons="ranged", distance=18.5) == {"Bow": "18.5 inches away, range 18 (AOS1-ATTACK)"}
    assert skipped(weapons="melee", situation="befuddled") == {
        "Sword": "the unit cannot attack (AOS1-TERRAIN-5)"
    }
    both = skipped(weapons=["Sword", "Bow"], phase="shooting")
    assert both == {"Sword": "melee weapons are not used in the shooting phase (AOS1-ATTACK)"}


@pytest.mark.rule("AOS1-DAMAGE", "AOS1-SILENT-4")
def test_fresh_models_first_spares_the_wounded_one() -> None:
    """AOS1-SILENT-4, AOS1-DAMAGE."""
    target = unit("Foes", models=3, wounds=3, save=6).with_lost(2)
    certain = {"effects": [{"hit_roll": 6}, {"wound_roll": 6}, {"save_roll": -6, "on": "target"}]}
    one = unit(models=1, weapon=[SWORD])
    first = mh.fight(one, target, **certain)
    spared = mh.fight(one, target, options={"allocation": "fresh_first"}, **certain)
    assert (first.slain.to_dict(), spared.slain.to_dict()) == ({2: 1.0}, {1: 1.0})
    assert first.lost == spared.lost
    assert (first.p_left_damaged, spared.p_left_damaged) == (0.0, 1.0)
    assert dict(first.groups).keys() == {"Foes"}
    assert dict(spared.groups).keys() == {"Foes", "Foes (wounded)"}
    five = unit(models=1, weapon=[SWORD | {"attacks": 6}])
    assert mh.fight(five, target, options={"allocation": "fresh_first"}, **certain).slain.to_dict() == {
        2: 1.0
    }
    pair, scratch = (
        unit("Foes", models=2, wounds=3, save=6).with_lost(2),
        unit(models=1, weapon=[SWORD | {"attacks": 1}]),
    )
    assert mh.fight(scratch, pair, options={"allocation": "fresh_first"}, **certain).slain.to_dict() == {
        0: 1.0
    }
    assert mh.fight(scratch, pair, **certain).slain.to_dict() == {1: 1.0}
    all_dead = unit(models=1, weapon=[SWORD | {"attacks": 7}])
    assert mh.fight(all_dead, target, options={"allocation": "fresh_first"}, **certain).p_destroyed == 1.0


def test_a_wounded_model_behind_others_has_fewer_wounds_left() -> None:
    landing = land(Target((Group("fresh", 1, 2), Group("wounded", 2, 3, hurt=1)), ((0, 1),)))
    assert landing.lost.tolist() == list(range(8))  # 2 + 2 + 3
    assert landing.slain.tolist() == [0, 0, 1, 1, 2, 2, 2, 3]
    assert landing.left[0].tolist() == [2, 1, 2, 1, 3, 2, 1, 0]


def test_an_empowered_general_has_one_more_wound() -> None:
    general = unit("General", models=1, wounds=4, save=5)
    plain, empowered = mh.fight(MEN, general), mh.fight(MEN, general, situation="target_empowered")
    assert plain.damage == empowered.damage
    assert plain.p_destroyed == pytest.approx(plain.damage.at_least(4), rel=1e-12)
    assert empowered.p_destroyed == pytest.approx(plain.damage.at_least(5), rel=1e-12)


# --- battleshock --------------------------------------------------------------------------------------------------


@pytest.mark.rule("AOS1-BATTLESHOCK", "AOS1-SILENT-11", "AOS1-SILENT-12")
def test_battleshock_goes_with_the_number_slain() -> None:
    """AOS1-BATTLESHOCK; AOS1-SILENT-11: those who fled are lost like the slain; AOS1-SILENT-12: full tens only."""
    result = mh.fight(
        MEN, unit("Foes", models=12, save=5), weapons="ranged", options={"slain_earlier_this_turn": 3}
    )
    fled = lost = 0.0
    for slain, chance in result.slain.to_dict().items():
        left = 12 - slain
        runs = [min(left, max(0, face + slain + 3 - 6 - left // 10)) for face in range(1, 7)]
        fled += chance * sum(runs) / 6
        lost += chance * (slain + sum(runs) / 6)
    assert result.aftermath["fled"].mean() == pytest.approx(fled, rel=1e-12)
    assert result.aftermath["models_lost"].mean() == pytest.approx(lost, rel=1e-12)
    assert result.aftermath["models_left"].mean() == pytest.approx(12 - lost, rel=1e-12)


@pytest.mark.rule("AOS1-TERRAIN-3", "AOS1-TERRAIN-6", "AOS1-COMMAND", "AOS1-BATTLESHOCK")
def test_terrain_and_options_change_bravery() -> None:
    def fled(**how: Any) -> float:
        return float(mh.fight(MEN, unit("Foes", models=30), **how).aftermath["fled"].mean())

    assert fled(situation="target_inspiring_terrain") == pytest.approx(
        fled(options={"bravery": 1}), rel=1e-12
    )
    assert fled(situation="target_afraid") == pytest.approx(fled(options={"bravery": -1}), rel=1e-12)
    assert fled(situation=("target_afraid", "target_inspiring_terrain")) == pytest.approx(fled(), rel=1e-12)
    assert fled(options={"inspiring_presence": True}) == 0.0
    assert fled(options={"slain_earlier_this_turn": 2}) > fled() > 0.0


@pytest.mark.rule("AOS1-SILENT-8", "AOS1-SILENT-9")
def test_no_battleshock_without_losses_or_bravery() -> None:
    """AOS1-SILENT-8; AOS1-SILENT-9: a model lost earlier, in Deadly terrain for instance, is reason enough."""
    harmless = [{"hit_roll": -6}]
    assert mh.fight(MEN, unit("Foes", bravery=1), effects=harmless).aftermath["fled"].to_dict() == {0: 1.0}
    earlier = mh.fight(
        MEN, unit("Foes", bravery=1), effects=harmless, options={"slain_earlier_this_turn": 1}
    ).aftermath
    assert earlier["fled"].mean() == pytest.approx(sum(range(6)) / 6)  # bravery 1 + 1 for ten models
    nameless = mh.make_unit("aos1", {"name": "Foes", "models": 3, "wounds": 1})
    assert dict(mh.fight(MEN, nameless).aftermath) == {}


# --- questions ----------------------------------------------------------------------------------------------------

PAIRS = list(itertools.product(range(1, 7), repeat=2))


@pytest.mark.rule("AOS1-CHARGE", "AOS1-DICE", "AOS1-SILENT-13", "AOS1-TRIUMPH")
@pytest.mark.parametrize("needed", range(2, 14))
@pytest.mark.parametrize("blessed", [False, True])
def test_charge_by_counting(needed: int, blessed: bool) -> None:
    """AOS1-CHARGE; AOS1-SILENT-13: the whole roll again, or the better part of it (AOS1-DICE)."""

    def good(a: int, b: int) -> bool:
        return (max(a, b) + 6 if blessed else a + b) >= needed

    def chance(pairs: list[tuple[int, int]]) -> float:
        return sum(good(a, b) for a, b in pairs) / len(pairs)

    once = chance(PAIRS)
    answer = mh.odds("aos1", "charge", needed=needed, blessed=blessed)
    assert answer["p_success"] == pytest.approx(once, abs=1e-12)
    whole = mh.odds("aos1", "charge", needed=needed, reroll=True, blessed=blessed)
    assert whole["p_success"] == pytest.approx(1 - (1 - once) ** 2, abs=1e-12)
    subset = mh.odds("aos1", "charge", needed=needed, reroll=True, reroll_dice="subset", blessed=blessed)
    best = [
        1.0
        if good(a, b)
        else max(once, chance([(a, c) for c in range(1, 7)]), chance([(c, b) for c in range(1, 7)]))
        for a, b in PAIRS
    ]
    assert subset["p_success"] == pytest.approx(sum(best) / 36, abs=1e-12)


def test_charge_from_a_distance() -> None:
    ask = mh.odds("aos1", "charge", distance=9)
    assert (ask["needed"], ask["eligible"]) == (9, True)
    assert mh.odds("aos1", "charge", distance="8.5")["needed"] == 8
    assert mh.odds("aos1", "charge", distance=12)["p_success"] == pytest.approx(1 / 36)
    for away in (12.1, 3, 2):
        assert (
            mh.odds("aos1", "charge", distance=away)["p_success"],
            mh.odds("aos1", "charge", distance=away)["eligible"],
        ) == (0.0, False)


@pytest.mark.parametrize(
    ("value", "modifier", "unbind_modifier"), [(5, 0, 0), (6, 1, 0), (7, -1, 2), (4, 0, 1)]
)
def test_cast_and_unbind_by_counting(value: int, modifier: int, unbind_modifier: int) -> None:
    cast = resolved = 0
    for dice in itertools.product(range(1, 7), repeat=4):
        roll, other = dice[0] + dice[1] + modifier, dice[2] + dice[3] + unbind_modifier
        cast += roll >= value
        resolved += roll >= value and not other > roll
    answer = mh.odds(
        "aos1", "cast", value=value, modifier=modifier, unbind=True, unbind_modifier=unbind_modifier
    )
    assert answer["p_cast_roll_succeeds"] == pytest.approx(cast / 1296, abs=1e-12)
    assert answer["p_resolved"] == pytest.approx(resolved / 1296, abs=1e-12)
    assert answer["p_miscast"] == 0.0


@pytest.mark.rule(
    "AOS1-ARCANE-BOLT", "AOS1-MYSTIC-SHIELD", "AOS1-WIZARD", "AOS1-DAMAGE", "AOS1-MORTAL", "AOS1-SILENT-5"
)
def test_spells_of_every_wizard() -> None:
    """AOS1-WIZARD, AOS1-ARCANE-BOLT, AOS1-MYSTIC-SHIELD."""
    assert mh.odds("aos1", "arcane_bolt")["p_resolved"] == pytest.approx(30 / 36)
    assert mh.odds("aos1", "mystic_shield")["p_resolved"] == pytest.approx(26 / 36)
    assert mh.odds("aos1", "unbind", roll=7)["p_unbound"] == pytest.approx(15 / 36)
    assert mh.odds("aos1", "cast", value=12, blessed=True)["p_resolved"] == pytest.approx(11 / 36)
    assert mh.odds("aos1", "unbind", roll=11, blessed=True)["p_unbound"] == pytest.approx(11 / 36)
    bolt = mh.odds("aos1", "arcane_bolt", models=2, wounds=2, wounds_suffered=1, ward=4)
    kept = {1: [1 / 2, 1 / 2, 0, 0], 2: [1 / 4, 2 / 4, 1 / 4, 0], 3: [1 / 8, 3 / 8, 3 / 8, 1 / 8]}
    points = [sum(kept[d3][n] for d3 in kept) / 3 for n in range(4)]
    assert bolt["mean_slain"] == pytest.approx(30 / 36 * (points[1] + points[2] + 2 * points[3]))
    assert bolt["mean_mortal_wounds"] == pytest.approx(30 / 36 * 2)


@pytest.mark.rule("AOS1-SILENT-12", "AOS1-TRIUMPH", "AOS1-SILENT-9", "AOS1-BATTLESHOCK")
def test_battleshock_question() -> None:
    def fled(**more: Any) -> dict[int, float]:
        law = mh.odds(
            "aos1", "battleshock", **({"models_left": 20, "slain_this_turn": 6, "bravery": 5} | more)
        )["fled_pmf"]
        return dict(law.to_dict())

    assert fled() == pytest.approx(dict.fromkeys(range(6), 1 / 6))  # D6 + 6 - 7
    assert fled(bravery_modifier=2) == pytest.approx({0: 3 / 6, 1: 1 / 6, 2: 1 / 6, 3: 1 / 6})
    assert fled(blessed=True) == {0: 1.0}
    assert fled(blessed=True, slain_this_turn=8) == {2: 1.0}
    assert fled(inspiring_presence=True) == {0: 1.0}
    assert fled(models_left=0) == {0: 1.0}
    assert fled(models_left=19) == pytest.approx(
        dict.fromkeys(range(1, 7), 1 / 6)
    )  # AOS1-SILENT-12: D6 + 6 - 6
    assert mh.odds("aos1", "battleshock", models_left=2, slain_this_turn=8, bravery=5)[
        "p_all_flee"
    ] == pytest.approx(1.0)
    assert (
        mh.odds("aos1", "battleshock", models_left=0, slain_this_turn=8, bravery=5)["p_all_flee"] == 0.0
    )  # nobody is left to flee


@pytest.mark.rule("AOS1-MOVE", "AOS1-TERRAIN", "AOS1-TERRAIN-1", "AOS1-TERRAIN-5")
def test_terrain_questions() -> None:
    """AOS1-TERRAIN and its kinds, AOS1-MOVE."""
    for chosen in range(4):
        answer = mh.odds("aos1", "terrain_density", choice=chosen)
        assert answer["mean_features"] == pytest.approx((14 + 16 + 14 + 3 * chosen) / 36)
    assert mh.odds("aos1", "terrain_density", areas=6)["mean_features"] == pytest.approx(6 * 47 / 36)
    assert mh.odds("aos1", "damned_terrain", models=5)["slain_pmf"].to_dict() == pytest.approx(
        {1: 1 / 3, 2: 1 / 3, 3: 1 / 3}
    )
    assert mh.odds("aos1", "mystical_terrain") == pytest.approx(
        {"p_befuddled": 1 / 6, "p_ensorcelled": 5 / 6}
    )
    assert sum(mh.odds("aos1", "mysterious_terrain").values()) == pytest.approx(1.0)
    assert mh.odds("aos1", "run", move=5)["mean_reach"] == 8.5
    assert mh.odds("aos1", "run", move=5, blessed=True)["mean_reach"] == 11.0


@pytest.mark.rule("AOS1-DEPLOY", "AOS1-ROUND", "AOS1-SILENT-10", "AOS1-TRIUMPH")
def test_triumph_and_priority() -> None:
    """AOS1-TRIUMPH; AOS1-ROUND and AOS1-DEPLOY: the higher die decides, ties are rolled again (AOS1-SILENT-10)."""
    assert list(mh.odds("aos1", "triumph").values()) == pytest.approx([1 / 3] * 3)
    assert mh.odds("aos1", "priority") == pytest.approx({"p_choose": 0.5, "p_tie": 1 / 6, "mean_rolls": 1.2})


@pytest.mark.rule("AOS1-SILENT-14", "AOS1-ARMY", "AOS1-VICTORY", "AOS1-SILENT-11")
@pytest.mark.parametrize(
    ("losses", "outcome"),
    [
        ((100, 50, 100, 75), "minor_victory"),  # the example of the rules
        ((100, 75, 100, 50), "minor_defeat"),
        ((10, 3, 100, 30), "draw"),  # AOS1-SILENT-14
        ((10, 0, 100, 100), "major_victory"),
        ((10, 10, 100, 99), "major_defeat"),
        ((10, 10, 10, 10), "draw"),
    ],
)
def test_victory(losses: tuple[int, int, int, int], outcome: str) -> None:
    """AOS1-VICTORY: shares of the models deployed (AOS1-ARMY)."""
    names = ("deployed", "lost", "enemy_deployed", "enemy_lost")
    assert mh.odds("aos1", "victory", **dict(zip(names, losses, strict=True)))["outcome"] == outcome


def test_models_added_count_when_lost() -> None:
    answer = mh.odds("aos1", "victory", deployed=10, lost=12, added=5, enemy_deployed=10, enemy_lost=9)
    assert (answer["outcome"], answer["share_lost"]) == ("minor_defeat", 1.2)


@pytest.mark.rule("AOS1-SUDDEN-DEATH")
@pytest.mark.parametrize(
    ("models", "enemies", "own", "theirs"),
    [(30, 40, True, False), (30, 39, False, False), (40, 30, False, True), (5, 5, False, False)],
)
def test_sudden_death(models: int, enemies: int, own: bool, theirs: bool) -> None:
    """AOS1-SUDDEN-DEATH: a third more, no less."""
    assert mh.odds("aos1", "sudden_death", models=models, enemy_models=enemies) == {
        "may_pick": own,
        "enemy_may_pick": theirs,
    }


# --- properties ---------------------------------------------------------------------------------------------------

PROFILES = st.fixed_dictionaries(
    {
        "attacks": st.sampled_from([1, 2, "D3", "D6+1"]),
        "hit": st.integers(2, 6),
        "wound": st.integers(2, 6),
        "rend": st.integers(0, 3),
        "damage": st.sampled_from([1, 2, "D3", "D6"]),
    }
)
TARGETS = st.fixed_dictionaries(
    {
        "models": st.integers(1, 30),
        "wounds": st.integers(1, 4),
        "save": st.integers(2, 6),
        "bravery": st.integers(3, 10),
    }
)
MODES = st.sampled_from(["ones", "failed", "any"])
EFFECTS = st.one_of(
    st.fixed_dictionaries({"hit_roll": st.integers(-3, 3)}),
    st.fixed_dictionaries({"wound_roll": st.integers(-3, 3)}),
    st.fixed_dictionaries({"save_roll": st.integers(-3, 3), "on": st.just("target")}),
    st.fixed_dictionaries({"reroll_hit": MODES}),
    st.fixed_dictionaries({"reroll_wound": MODES}),
    st.fixed_dictionaries({"reroll_save": MODES, "on": st.just("target")}),
    st.fixed_dictionaries({"ward": st.integers(2, 6), "on": st.just("target")}),
    st.fixed_dictionaries({"damage": st.sampled_from(["+1", "-1", "+2"])}),
    st.fixed_dictionaries({"mortal_damage": st.sampled_from([1, "D3"])}),
)


def fight_of(profile: dict[str, Any], target: dict[str, Any], **how: Any) -> mh.Result:
    foe = mh.make_unit("aos1", {"name": "Foe"} | target)
    return mh.fight(unit(models=3, weapon=[{"name": "W"} | profile]), foe, **how)


@given(PROFILES, TARGETS, st.lists(EFFECTS, max_size=4))
def test_laws_add_up_to_one(
    profile: dict[str, Any], target: dict[str, Any], effects: list[dict[str, Any]]
) -> None:
    result = fight_of(profile, target, effects=effects)
    for law in (result.damage, result.lost, result.slain, *result.aftermath.values()):
        assert law.probs.sum() == pytest.approx(1.0, abs=1e-12)
        assert law.probs.min() >= 0.0
    after = result.aftermath
    assert after["models_lost"].mean() == pytest.approx(result.slain.mean() + after["fled"].mean(), abs=1e-9)
    assert after["models_left"].mean() == pytest.approx(
        target["models"] - after["models_lost"].mean(), abs=1e-9
    )


@given(PROFILES, TARGETS, st.lists(EFFECTS, min_size=2, max_size=4))
def test_effects_commute(
    profile: dict[str, Any], target: dict[str, Any], effects: list[dict[str, Any]]
) -> None:
    one, other = (fight_of(profile, target, effects=order).damage for order in (effects, effects[::-1]))
    assert len(one) == len(other)
    assert one.probs == pytest.approx(other.probs, rel=1e-12, abs=1e-15)


@given(PROFILES, TARGETS, st.integers(-3, 3))
def test_better_is_never_worse(profile: dict[str, Any], target: dict[str, Any], modifier: int) -> None:
    def damage(value: int) -> float:
        return float(fight_of(profile, target, effects=[{"hit_roll": value}]).damage.mean())

    def fled(value: int) -> float:
        return float(fight_of(profile, target, options={"bravery": value}).aftermath["fled"].mean())

    assert damage(modifier + 1) >= damage(modifier) - 1e-12
    assert fled(modifier + 1) <= fled(modifier) + 1e-12


@given(PROFILES, TARGETS, st.integers(0, 3))
def test_sparing_the_wounded_model_saves_models(
    profile: dict[str, Any], target: dict[str, Any], hurt: int
) -> None:
    foe = mh.make_unit("aos1", {"name": "Foe"} | target).with_lost(min(hurt, target["wounds"] - 1))
    attacker = unit(models=3, weapon=[{"name": "W"} | profile])
    first, spared = (
        mh.fight(attacker, foe, options={"allocation": order}) for order in ("wounded_first", "fresh_first")
    )
    assert spared.slain.mean() <= first.slain.mean() + 1e-12
    assert spared.p_destroyed == pytest.approx(first.p_destroyed, abs=1e-12)
    assert spared.lost.mean() == pytest.approx(first.lost.mean(), abs=1e-9)


# --- messages -----------------------------------------------------------------------------------------------------

FOES = unit("Foes")


@pytest.mark.rule("AOS1-SILENT-15", "AOS1-ATTACK", "AOS1-TRIUMPH", "AOS1-SILENT-1")
@pytest.mark.parametrize(
    ("how", "text"),
    [
        (
            {"options": {"allocation": "fresh"}},
            "fight: unknown allocation 'fresh' (did you mean 'fresh_first'?)",
        ),
        ({"options": {"mystic_shields": -1}}, "fight: option mystic_shields is -1 (give 0 or more)"),
        ({"options": {"mystic_shields": True}}, "fight: option mystic_shields is True (its default is 0)"),
        (
            {"options": {"least_characteristic": 2}},
            "fight: option least_characteristic is 2 (give 0 or 1, AOS1-SILENT-15)",
        ),
        (
            {"weapons": ["Sword", "Bow"]},
            "fight: missile weapons shoot, melee weapons strike in the combat phase (AOS1-ATTACK; choose one kind)",
        ),
        (
            {"weapons": "ranged", "commands": "inspired"},
            "fight: inspired is for a combat phase (AOS1-TRIUMPH; use it with melee weapons)",
        ),
        (
            {"situation": "target_cover"},
            "fight: unknown situation 'target_cover' (did you mean 'target_in_cover'?)",
        ),
        (
            {"situation": "target_empowered"},
            "fight: Foes has 10 models (target_empowered is for a general on his own)",
        ),
        ({"commands": "inspring"}, "fight: unknown command 'inspring' (did you mean 'inspired'?)"),
        ({"effects": [{"name": "Sure", "crit_on": 5}]}, "Sure: unknown field 'crit_on'"),
        (
            {"effects": [{"name": "Sure", "reroll_hit": "non_crit"}]},
            "Sure: reroll_hit 'non_crit' (known: 'any', 'failed', 'one die', 'ones')",
        ),
    ],
)
def test_fight_messages(how: dict[str, Any], text: str) -> None:
    with pytest.raises(mh.MathhammerError) as error:
        mh.fight(MEN, FOES, **how)
    assert str(error.value).splitlines()[0].startswith(text)


def test_a_negative_number_of_earlier_losses_is_refused() -> None:
    result = mh.fight(MEN, FOES, options={"slain_earlier_this_turn": -1})
    with pytest.raises(
        mh.BadInputError, match=r"^fight: option slain_earlier_this_turn is -1 \(give 0 or more\)$"
    ):
        _ = result.aftermath


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"wounds": 0}, "Men: wounds 0 (give a whole number from 1 to 1000)"),
        ({"save": 1}, "Men: save 1+ is not a roll of a D6 (give 2 to 6, 3 means 3+)"),
        ({"health": 2}, "Men: unknown field 'health'"),
        (
            {"weapon": [SWORD | {"abilities": ["Crit (Mortal)"]}]},
            "Men, Sword: unknown ability 'Crit (Mortal)'",
        ),
        ({"weapon": [SWORD | {"rend": -1}]}, "Men, Sword: rend -1 (give a whole number from 0 to 10)"),
    ],
)
def test_datasheet_messages(fields: dict[str, Any], text: str) -> None:
    with pytest.raises(mh.BadInputError) as error:
        unit(**fields)
    assert str(error.value).startswith(text)


@pytest.mark.parametrize(
    ("question", "details", "text"),
    [
        ("charge", {}, "charge: give either needed= (the total on 2D6) or distance= (inches to the enemy)"),
        (
            "charge",
            {"distance": "far"},
            "charge: 'far' is not a distance (give inches from 0 on, such as 9 or 9.5)",
        ),
        (
            "charge",
            {"needed": 7, "reroll_dice": "some"},
            "charge: unknown reroll_dice 'some' (known: 'all', 'subset')",
        ),
        ("cast", {"value": "6"}, "odds: cast: value is '6' (give a whole number)"),
        ("arcane_bolt", {"models": 0}, "mortal wounds: models is 0 (give a whole number from 1 to 1000)"),
        (
            "arcane_bolt",
            {"wounds_suffered": 1},
            "mortal wounds: wounds_suffered is 1 (give a whole number from 0 to 0)",
        ),
        ("battleshock", {"models_left": 3}, "odds: battleshock needs slain_this_turn and bravery"),
        ("terrain_density", {"choice": 4}, "terrain density: choice is 4 (give a whole number from 0 to 3)"),
        (
            "victory",
            {"deployed": 5, "lost": 6, "enemy_deployed": 5, "enemy_lost": 0},
            "victory: lost is 6 (give a whole number from 0 to 5)",
        ),
        ("miscast", {}, "odds: unknown question 'miscast' (did you mean 'cast'?)"),
    ],
)
def test_question_messages(question: str, details: dict[str, Any], text: str) -> None:
    with pytest.raises(mh.MathhammerError) as error:
        mh.odds("aos1", question, **details)
    assert str(error.value) == text


# --- the account and the datasheets -------------------------------------------------------------------------------


@pytest.mark.rule("AOS1-SILENT-5", "AOS1-TERRAIN-1", "AOS1-ATTACK", "AOS1-COVER", "AOS1-MYSTIC-SHIELD")
def test_explain_cites_the_rules() -> None:
    ready = {
        "situation": ("damned", "target_in_cover"),
        "options": {"mystic_shields": 1},
        "effects": [{"damage": "+1"}],
    }
    text = mh.fight(MEN, unit("Foes", ward=6), **ready).explain()
    for line in (
        "  Attacks: 10 models x 4",
        "  Damage: 1, +1 effect",
        "  Ward 6+ ignores each wound with chance 0.1667 (AOS1-SILENT-5)",
        "  hit: 4+; +1 Damned (AOS1-TERRAIN-1); 3+ on the die; chance 0.6667",
        "  save: 4+; -1 Rend (AOS1-ATTACK); +1 Cover (AOS1-COVER); +1 Mystic Shield (AOS1-MYSTIC-SHIELD); 3+ on the die; chance 0.6667",
    ):
        assert line in text.splitlines()


def datasheet_units() -> list[tuple[str, dict[str, Any]]]:
    return [
        (path.stem, entry)
        for path in sorted(DATASHEETS.glob("*.toml"))
        for entry in tomllib.loads(path.read_text("utf-8"))["unit"]
    ]


@pytest.mark.parametrize(
    ("file", "entry"),
    datasheet_units(),
    ids=lambda value: value["name"] if isinstance(value, dict) else value,
)
def test_every_datasheet_unit_fights(file: str, entry: dict[str, Any]) -> None:
    made = mh.make_unit("aos1", entry)
    assert made.points is None  # the first edition has none
    assert made.stat("bravery") is not None
    if file == "targets":
        assert mh.fight(MEN, made).slain.mean() > 0.0
        return
    for kind in {weapon.kind for weapon in made.weapons if not weapon.optional}:
        result = mh.fight(made, FOES, weapons=kind)
        assert result.slain.mean() > 0.0
        assert result.aftermath["models_lost"].mean() >= result.slain.mean()


def test_the_datasheets_cover_three_factions() -> None:
    files = {file for file, _ in datasheet_units()}
    assert len(files - {"targets"}) >= 3
    assert sum(file == "targets" for file, _ in datasheet_units()) == 8
    assert sum(file != "targets" for file, _ in datasheet_units()) >= 12


def test_a_quick_target_has_one_wound_unless_it_says_more() -> None:
    assert quick_target("4+") == {"save": 4, "wounds": 1}
