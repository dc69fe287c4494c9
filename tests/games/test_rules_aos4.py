"""Age of Sigmar, 4th edition: rules one by one, each with a number worked out by hand or by counting dice."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import mathhammer as mh

D6 = range(1, 7)


def weapon(**fields: Any) -> dict[str, Any]:
    return {"name": "Sword", "attacks": 2, "hit": 4, "wound": 4, "damage": 1} | fields


def unit(*weapons: dict[str, Any], **fields: Any) -> mh.Unit:
    return mh.make_unit(
        "aos4", {"name": "Unit", "models": 5, "health": 2, "save": 4, "weapon": list(weapons)} | fields
    )


def ask(question: str, **details: Any) -> Any:
    return mh.odds("aos4", question, **details)


PLAIN, TARGET = unit(weapon()), unit(name="Target")
SURE = [{"auto_hit": True}, {"auto_wound": True}]


def funnel(key: str, attacker: mh.Unit = PLAIN, target: mh.Unit = TARGET, **how: Any) -> float:
    return mh.fight(attacker, target, **how).funnel[key]


# --- effects ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("AOS4-29.0", "AOS4-30.0")
def test_the_attackers_rule_comes_last_and_wins() -> None:
    """AOS4-29.0, AOS4-30.0: both sides set the same characteristic."""
    meek = unit(
        name="Meek",
        effect=[{"name": "Awe", "on": "attacker", "attacks": "=1"}, {"name": "Iron", "save": "=2"}],
    )
    proud = unit(
        weapon(), effect=[{"name": "Pride", "attacks": "=3"}, {"name": "Rust", "on": "target", "save": "=6"}]
    )
    assert funnel("attacks", target=meek) == 5 * 1
    assert funnel("attacks", proud, meek) == 5 * 3
    assert funnel("unsaved", target=meek) == pytest.approx(5 / 4 * 1 / 6)
    assert funnel("unsaved", proud, meek) == pytest.approx(15 / 4 * 5 / 6)


@pytest.mark.rule("AOS4-28.1", "AOS4-AMB-18")
def test_the_same_lasting_effect_counts_once() -> None:
    """AOS4-28.1, AOS4-AMB-18: a second copy of one rule adds nothing, another rule of the same worth does."""
    shield = {
        "name": "Shield",
        "on": "friends",
        "save_roll": "-1",
    }  # worse, so that no cap hides a second one
    wizard, witch = (
        unit(name="Wizard", effect=[shield]),
        unit(name="Witch", effect=[shield | {"name": "Hex"}]),
    )
    assert funnel("unsaved", target_friends=[wizard]) == pytest.approx(10 / 4 * 4 / 6)
    assert funnel("unsaved", target_friends=[wizard, wizard]) == pytest.approx(10 / 4 * 4 / 6)
    assert funnel("unsaved", target_friends=[wizard, witch]) == pytest.approx(10 / 4 * 5 / 6)
    hammer = unit(weapon(rend=2))
    for commands in (("all_out_defence",), ("all_out_defence", "all_out_defence")):
        assert funnel("unsaved", hammer, commands=commands) == pytest.approx(10 / 4 * 4 / 6)  # 4+ at -2 + 1


@pytest.mark.rule("AOS4-AMB-8")
def test_characteristics_never_fall_below_one_but_rend_to_nothing() -> None:
    """AOS4-AMB-8."""
    assert funnel("attacks", effects=[{"attacks": "-9"}]) == 5
    assert funnel("damage", effects=[{"damage": "-9"}]) == pytest.approx(10 / 8)
    assert funnel("unsaved", unit(weapon(rend=1)), effects=[{"rend": "-3"}]) == pytest.approx(10 / 8)


@pytest.mark.rule("AOS4-AMB-12")
def test_fractions_are_rounded_down_at_once() -> None:
    """AOS4-AMB-12: 5 halved is 2, and doubled again 4, not 5."""
    five = unit(weapon(attacks=5))
    assert funnel("attacks", five, effects=[{"attacks": "/2"}, {"attacks": "x2"}]) == 5 * 4


@pytest.mark.rule("AOS4-AMB-21")
def test_nobody_rerolls_what_succeeds() -> None:
    """AOS4-AMB-21: a 3 that hits at +1 is kept, although it is below 4+."""
    hits = sum((first >= 3) or (again >= 3) for first, again in itertools.product(D6, D6)) / 36
    for mode in ("failed", "any"):
        assert funnel("hits", effects=[{"hit_roll": "+1"}, {"reroll_hit": mode}]) == pytest.approx(10 * hits)


# --- attacks ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("AOS4-AMB-9")
def test_random_attacks_are_rolled_for_each_weapon() -> None:
    """AOS4-AMB-9: the claws and the tail of one model have a D3 each."""
    beast = unit(weapon(name="Claws", attacks="D3"), weapon(name="Tail", attacks="D3"), models=1)
    law = mh.fight(
        beast, mh.make_unit("aos4", {"name": "Foe", "models": 9, "health": 1}), effects=SURE
    ).damage
    assert law.to_dict() == pytest.approx({2: 1 / 9, 3: 2 / 9, 4: 3 / 9, 5: 2 / 9, 6: 1 / 9})


@pytest.mark.rule("AOS4-AMB-10")
def test_a_unit_without_a_save_is_never_saved() -> None:
    """AOS4-AMB-10."""
    bare = mh.make_unit("aos4", {"name": "Bare", "models": 5, "health": 2})
    assert (
        funnel(
            "unsaved",
            target=bare,
            effects=[{"save_roll": "+1", "on": "target"}, {"save": "-2", "on": "target"}],
        )
        == 10 / 4
    )


@pytest.mark.rule("AOS4-AMB-11")
def test_a_critical_on_five_hits_too() -> None:
    """AOS4-AMB-11: 6+ at -1 hits on criticals alone, or on nothing by the strict reading."""
    sixes = unit(weapon(hit=6))
    worse = [{"hit_roll": "-1"}, {"crit_on": 5}]
    assert funnel("hits", sixes, effects=worse) == pytest.approx(10 * 2 / 6)
    assert funnel("hits", sixes, effects=worse, options={"crit_always_hits": False}) == 0.0


@pytest.mark.rule("AOS4-AMB-7")
def test_wards_know_no_natural_one_and_no_cap() -> None:
    """AOS4-AMB-7: 3+ at +2 stops every point."""
    warded = unit(name="Warded", ward=3)
    assert funnel("damage", target=warded, effects=[{"ward_roll": "+1", "on": "target"}]) == pytest.approx(
        10 / 8 / 6
    )
    assert funnel("damage", target=warded, effects=[{"ward_roll": "+2", "on": "target"}]) == 0.0


@pytest.mark.rule("AOS4-20.0", "AOS4-AMB-5", "AOS4-AMB-6", "AOS4-CM-1.0")
def test_companions_keep_their_own_abilities_and_take_none_from_friends() -> None:
    """AOS4-20.0, AOS4-AMB-5, AOS4-AMB-6: not an ability, not an attack, not the champion's."""
    claws = unit(weapon(abilities=["Companion", "Crit (2 Hits)"]), keywords=["champion"])
    assert funnel("attacks", claws) == 10
    assert funnel("hits", claws) == pytest.approx(10 * (3 / 6 + 1 / 6))
    zeal = [{"gain": ["Crit (Auto-wound)"]}, {"attacks": "+1"}, {"hit_roll": "+1"}, {"crit_on": 5}]
    assert funnel("hits", claws, effects=zeal) == pytest.approx(10 * (3 / 6 + 1 / 6))
    assert dict(mh.fight(claws, TARGET, effects=zeal).choices) == {}
    plain = unit(weapon(abilities=["Companion"]))
    assert funnel("wounds", plain, effects=[{"gain": ["Crit (Auto-wound)"]}]) == pytest.approx(10 / 4)
    banner = unit(name="Banner", effect=[{"name": "Zeal", "on": "friends", "gain": ["Crit (Mortal)"]}])
    assert funnel("mortal", plain, friends=[banner]) == 0.0
    assert funnel("mortal", friends=[banner]) == pytest.approx(10 / 6)
    assert funnel("hits", plain, commands="all_out_attack") == pytest.approx(10 * 4 / 6)  # it names them


@pytest.mark.rule("AOS4-18.3", "AOS4-CM-1.0")
def test_champions_fall_last() -> None:
    """AOS4-CM-1.0: of twenty models two are champions, and they are still there when one model is gone (AOS4-18.3)."""
    horde = unit(weapon(), models=20, health=1, keywords=["champion (1/10)"])
    assert [funnel("attacks", horde.with_lost(lost)) for lost in (0, 1, 11, 19)] == [42, 40, 20, 3]


@pytest.mark.rule("AOS4-SP-3", "AOS4-C-4.0")
def test_spearhead_cards_go_together() -> None:
    """AOS4-SP-3: -1 for Covering Fire and +1 for All-out Attack are nothing."""
    bows = unit(weapon(name="Bow", kind="ranged", range=18))
    both = ("covering_fire", "all_out_attack")
    assert funnel("hits", bows, commands=both, options={"spearhead": True}) == pytest.approx(10 * 3 / 6)
    assert funnel("hits", bows, commands="covering_fire", options={"spearhead": True}) == pytest.approx(
        10 * 2 / 6
    )


@pytest.mark.rule("AOS4-14.1", "AOS4-C-4.0", "AOS4-C-3.0")
def test_who_does_not_shoot() -> None:
    """AOS4-14.1: not after a run or a retreat; AOS4-C-4.0: no Covering Fire in combat."""
    archers = unit(weapon(name="Bow", kind="ranged", range=18, abilities=["Shoot in Combat"]), weapon())
    for move in ("ran", "retreated"):
        assert dict(mh.fight(archers, TARGET, weapons="ranged", situation=move).skipped) == {
            "Bow": f"the unit {move} and does not shoot (AOS4-14.1)"
        }
        assert not mh.fight(archers, TARGET, weapons="melee", situation=move).skipped
    with pytest.raises(mh.BadInputError) as caught:
        mh.fight(archers, TARGET, weapons="ranged", situation="in_combat", commands="covering_fire")
    assert (
        str(caught.value)
        == "fight: covering_fire is for units that are not in combat (AOS4-C-4.0; drop one of them)"
    )


@pytest.mark.rule("AOS4-SP-1.5")
def test_the_squigs_of_the_spearhead_example() -> None:
    """AOS4-SP-1.5: five hoppers over an enemy, then slittas and gobs at a 4+ save."""
    jumped = ask("mortal_dice", dice=5, needs=4)
    assert jumped["damage_pmf"].to_dict() == pytest.approx(
        {k: n / 32 for k, n in enumerate((1, 5, 10, 10, 5, 1))}
    )
    hoppers = mh.load_unit("Squig Hoppas", "aos4").with_models(5)
    move = hoppers.stat("move").pmf()
    assert move.to_dict() == pytest.approx(dict.fromkeys(range(9, 15), 1 / 6))
    slittas, gobs = 5 * 2 * 3 / 6 * 2 / 6 * 3 / 6, 5 * 3 * 3 / 6 * 4 / 6 * 4 / 6
    assert funnel("damage", hoppers, options={"spearhead": True}) == pytest.approx(slittas + gobs)


# --- turns and other dice ---------------------------------------------------------------------------------------------


@pytest.mark.rule("AOS4-13.0")
def test_a_turn_shoots_then_charges_then_fights() -> None:
    """AOS4-13.0: a bow that would be silent in combat is shot before the charge, the axe only after it."""
    bow = {"name": "Bow", "kind": "ranged", "range": 12, "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    archer = mh.make_unit(
        "aos4", {"name": "Archer", "health": 9, "weapon": [bow, weapon(name="Axe", attacks=1)]}
    )
    target = mh.make_unit("aos4", {"name": "Target", "health": 1})
    found = mh.duel(archer, target, distance=9, rounds=1)
    assert found.course[0].p_win == pytest.approx(1 / 4 + 3 / 4 * 10 / 36 * 1 / 4)


@pytest.mark.rule("AOS4-2.2", "AOS4-9.1.2")
def test_roll_offs() -> None:
    """AOS4-9.1.2, AOS4-2.2: ties are rolled again until one die is higher."""
    wins = sum(a > b for a, b in itertools.product(D6, D6)) / 36
    ties = sum(a == b for a, b in itertools.product(D6, D6)) / 36
    told = ask("roll_off")
    assert told["p_win"] == pytest.approx(wins / (1 - ties))
    assert told["mean_rolls"] == pytest.approx(sum(n * ties ** (n - 1) * (1 - ties) for n in range(1, 60)))


@pytest.mark.rule("AOS4-AC-1.2.1", "AOS4-AC-3.6", "AOS4-AMB-15", "AOS4-C-1.1")
@pytest.mark.parametrize(
    ("details", "points"),
    [
        ({}, 4),
        ({"underdog": True}, 5),
        ({"fewer_auxiliaries": True}, 5),
        ({"points_unspent": 50, "first_round": True}, 5),
        ({"points_unspent": 49, "first_round": True}, 4),
        ({"points_unspent": 90}, 4),  # later rounds
        ({"points_unspent": 90, "first_round": True, "underdog": True, "fewer_auxiliaries": True}, 7),
    ],
)
def test_command_points(details: dict[str, Any], points: int) -> None:
    """AOS4-C-1.1, AOS4-AC-3.6, AOS4-AC-1.2.1, AOS4-AMB-15."""
    assert ask("command_points", **details) == {"command_points": points}


def test_command_points_are_not_owed() -> None:
    with pytest.raises(mh.BadInputError, match=r"^command points: -1 points unspent \(give 0 or more\)$"):
        ask("command_points", points_unspent=-1)


@pytest.mark.rule("AOS4-AMB-24")
def test_a_prayer_that_falls_short_keeps_its_points() -> None:
    """AOS4-AMB-24: value 9 with 4 points stored: a 1 costs D3, 5 and 6 empty the store; 2 to 4 are banked, as
    the choice follows the roll, or leave it as it was.
    """
    answer = ask("prayer", value=9, ritual_points=4)
    fallen = {0: 2 / 6, 1: 1 / 18, 2: 1 / 18, 3: 1 / 18}
    assert answer["points_left_pmf"].to_dict() == pytest.approx(fallen | {6: 1 / 6, 7: 1 / 6, 8: 1 / 6})
    assert answer["falls_short"] == "bank"
    left = ask("prayer", value=9, ritual_points=4, falls_short="nothing")["points_left_pmf"].to_dict()
    assert left == pytest.approx(fallen | {4: 3 / 6})
    assert ask("prayer", value=9, falls_short="nothing")["points_left_pmf"].to_dict() == {
        0: pytest.approx(1.0)
    }
    with pytest.raises(mh.BadInputError, match=r"^prayer: falls_short 'keep' \(give 'bank' or 'nothing'"):
        ask("prayer", value=9, falls_short="keep")


def by_hand(value: int, turns: int, points: int = 0) -> float:
    """The chance that a prayer is answered within so many turns, by going through all dice."""
    if turns == 0:
        return 0.0
    lost = sum(by_hand(value, turns - 1, max(0, points - (face + 1) // 2)) for face in range(1, 7)) / 6
    rolled = [
        1.0 if points + face >= value else by_hand(value, turns - 1, points + face) for face in range(2, 7)
    ]
    return (lost + sum(rolled)) / 6


@pytest.mark.rule("AOS4-M-3.0")
def test_prayers_over_several_turns() -> None:
    """AOS4-M-3.0: banked until roll and store reach the value."""
    for value, turns, points in ((7, 1, 4), (7, 2, 0), (9, 3, 0), (12, 4, 2)):
        answer = ask("prayers", value=value, turns=turns, ritual_points=points)
        assert answer["p_answered"] == pytest.approx(by_hand(value, turns, points))
        assert answer["p_answered_by_turn_1"] == pytest.approx(by_hand(value, 1, points))
    with pytest.raises(mh.BadInputError, match=r"^prayers: 0 turns from 0 points \(give 1 to 100 turns"):
        ask("prayers", value=7, turns=0)


@pytest.mark.rule("AOS4-M-3.0")
def test_a_bank_may_start_with_points() -> None:
    begun = ask("ritual_bank", turns=2, start=3)
    assert begun["points_pmf"] == ask("ritual_bank", turns=2, ritual_points=3)["points_pmf"]
    assert begun["mean_points"] > ask("ritual_bank", turns=2)["mean_points"] + 2
    with pytest.raises(mh.BadInputError, match="are the same thing"):
        ask("ritual_bank", turns=2, start=3, ritual_points=3)


TWO = [(a, b) for a in range(1, 7) for b in range(1, 7)]


@pytest.mark.rule("AOS4-M-1.1", "AOS4-M-5.0", "AOS4-M-2.0")
def test_several_spells() -> None:
    """Two casters try on their own; one Wizard (2) stops after a miscast."""
    works = sum(a + b >= 6 for a, b in TWO) / 36
    apart = ask("spells", value=6, tries=2)
    assert apart["p_at_least_one"] == pytest.approx(1 - (1 - works) ** 2)
    one = ask("spells", value=6, tries=2, one_caster=True)
    none = sum((1 if a + b == 2 else 1 - works) for a, b in TWO if a + b < 6) / 36
    assert one["p_at_least_one"] == pytest.approx(1 - none)
    assert one["p_all"] == pytest.approx(works**2)
    with pytest.raises(mh.BadInputError, match=r"^spells: 0 tries \(give 1 to 20\)$"):
        ask("spells", value=6, tries=0)


@pytest.mark.rule("AOS4-M-2.0", "AOS4-AMB-20")
def test_other_casting_rolls() -> None:
    """Three dice without the lowest, three dice, and a failed roll again: all by counting."""
    dice = [(a, b, c) for a, b in TWO for c in range(1, 7)]
    best = [sorted(roll)[1:] for roll in dice]
    wanted = sum(sum(kept) >= 7 and kept != [1, 1] for kept in best) / 216
    assert ask("cast", value=7, dice=3, drop="lowest")["p_resolved"] == pytest.approx(wanted)
    wanted = sum(sum(roll) >= 4 and roll.count(1) < 2 for roll in dice) / 216
    three = ask("cast", value=4, dice=3)
    assert three["p_resolved"] == pytest.approx(wanted)
    assert three["p_miscast"] == pytest.approx(sum(roll.count(1) >= 2 for roll in dice) / 216)
    works = sum(a + b >= 8 for a, b in TWO) / 36
    again = ask("cast", value=8, reroll=True)
    assert again["p_resolved"] == pytest.approx(works + (1 - works) * works)
    assert again["p_miscast"] == pytest.approx((1 - works) / 36)
    with pytest.raises(mh.BadInputError, match=r"^cast: 2 dice, drop 'lowest' \(give 2 to 4 dice"):
        ask("cast", value=8, drop="lowest")


@pytest.mark.rule("AOS4-26.0", "AOS4-14.1", "AOS4-14.3")
def test_random_moves() -> None:
    """AOS4-26.0: a Move of D6+8 is rolled for a run, and for a move before a charge."""
    far = ask("run", move="D6+8")["reach_pmf"].to_dict()
    totals = [a + b + 8 for a, b in TWO]
    assert far == pytest.approx({total: totals.count(total) / 36 for total in totals})
    arrives = sum(8 + c + a + b >= 20 - 0.5 for a, b in TWO for c in range(1, 7)) / 216
    assert ask("threat", distance=20, move="D6+8")["p_arrives"] == pytest.approx(arrives)
    near = ask("threat", distance=12, move=6, reroll=True)
    works = sum(a + b >= 6 for a, b in TWO) / 36
    assert near["p_arrives"] == pytest.approx(works + (1 - works) * works)
    assert near["reroll_dice"] == "all"


@pytest.mark.rule("AOS4-32.1", "AOS4-32.2", "AOS4-32.3", "AOS4-CM-3.0")
def test_control() -> None:
    """AOS4-32.2: Control of each model; AOS4-CM-3.0: a standard bearer adds 1; AOS4-32.3: terrain is lost."""
    rats = mh.make_unit(
        "aos4",
        {"name": "Rats", "models": 10, "health": 1, "control": 1, "keywords": ["standard bearer (1/10)"]},
    )
    hero = mh.make_unit("aos4", {"name": "Hero", "health": 3, "control": 2})
    assert ask("control", target=rats)["control_score"] == 11
    assert ask("control", target=rats, lost=4) == {"models": 6, "control_score": 7}
    assert ask("control", target=hero)["control_score"] == 2
    nothing = mh.make_unit("aos4", {"name": "Ghost", "health": 3, "control": 0})
    assert ask("control", target=nothing)["control_score"] == 1
    assert ask("objective", mine=3, theirs=2) == {"objective": "mine", "terrain": "mine"}
    assert ask("objective", mine=2, theirs=2, held="theirs") == {"objective": "theirs", "terrain": "theirs"}
    assert ask("objective", mine=0, theirs=0, held="mine") == {"objective": "mine", "terrain": "nobody"}
    with pytest.raises(mh.BadInputError, match=r"^objective: held by 'me' \(give mine, theirs or nobody\)$"):
        ask("objective", mine=1, theirs=0, held="me")
    club = {"name": "Club", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    orc = mh.make_unit("aos4", {"name": "Orc", "health": 1, "weapon": [club]})
    left = mh.fight(orc, rats).aftermath["control_left"]
    assert left.to_dict() == pytest.approx({11: 3 / 4, 10: 1 / 4})
    assert mh.fight(orc, orc).aftermath["control_left"].to_dict() == pytest.approx({1: 3 / 4, 0: 1 / 4})
