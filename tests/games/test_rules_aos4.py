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
    """AOS4-AMB-24: value 9 with 4 points stored: a 1 costs D3, 2 to 4 nothing, 5 and 6 empty the store."""
    left = ask("prayer", value=9, ritual_points=4)["points_left_pmf"].to_dict()
    assert left == pytest.approx({0: 2 / 6, 1: 1 / 18, 2: 1 / 18, 3: 1 / 18, 4: 3 / 6})
    assert ask("prayer", value=9)["points_left_pmf"].to_dict() == {0: pytest.approx(1.0)}
