"""`fight` as a user calls it: what it understands, what it decides, and every sentence it refuses with."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mathhammer as mh


def weapon(**fields: Any) -> dict[str, Any]:
    return {"name": "Sword", "attacks": 2, "hit": 4, "wound": 4, "damage": 1} | fields


def unit(*weapons: dict[str, Any], **fields: Any) -> mh.Unit:
    return mh.make_unit(
        "aos4", {"name": "Unit", "models": 5, "health": 2, "save": 4, "weapon": list(weapons)} | fields
    )


TARGET = unit(name="Target")


def attacks(attacker: mh.Unit, **how: Any) -> float:
    return mh.fight(attacker, TARGET, **how).funnel["attacks"]


# --- units ------------------------------------------------------------------------------------------------------------


def test_reinforced_units_bring_their_weapons() -> None:
    squad = unit(weapon(models=4), weapon(name="Great", models=1, attacks=3), points=100)
    ten = squad.with_models(10)
    assert (ten.models, ten.points, ten.minimum) == (10, 200, 5)
    assert attacks(squad) == 4 * 2 + 3
    assert attacks(ten) == 8 * 2 + 2 * 3


@pytest.mark.rule("AOS4-18.3")
def test_casualties_spare_the_special_weapon() -> None:
    """AOS4-18.3: the owner picks who is slain."""
    squad = unit(weapon(models=4), weapon(name="Great", models=1, attacks=3))
    assert attacks(squad.with_lost(4)) == 2 * 2 + 3
    assert attacks(squad.with_lost(8)) == 3  # the special weapon goes last
    assert attacks(unit(weapon()).with_lost(5)) == 3 * 2


def test_a_hurt_unit_is_damaged_and_its_effects_know() -> None:
    beast = unit(
        weapon(),
        models=1,
        health=10,
        effect=[
            {"name": "Cornered", "when": ["damaged"], "weapon": "Sword", "attacks": "+3"},
            {"name": "Broken", "when": ["lost >= 8"], "attacks": "-1"},
        ],
    )
    assert attacks(beast) == 2
    assert attacks(beast.with_lost(1)) == 5
    assert attacks(beast.with_lost(8)) == 4
    assert attacks(beast, situation="damaged") == 5


@pytest.mark.rule("AOS4-SP-1")
@pytest.mark.parametrize(
    ("keywords", "models", "champions"),
    [([], 20, 0), (["champion"], 20, 1), (["Champion (1/10)"], 20, 2), (["CHAMPION (1/10)"], 9, 0)],
)
def test_champions_attack_once_more(keywords: list[str], models: int, champions: int) -> None:
    assert attacks(unit(weapon(), models=models, keywords=keywords)) == 2 * models + champions
    assert (
        attacks(unit(weapon(), models=models, keywords=keywords), options={"spearhead": True}) == 2 * models
    )  # AOS4-SP-1


def test_a_champion_carries_what_most_models_carry() -> None:
    squad = unit(weapon(models=4), weapon(name="Great", models=1), keywords=["champion"])
    means = {w: mh.fight(squad, TARGET, weapons=[w]).funnel["attacks"] for w in ("Sword", "Great")}
    assert means == {"Sword": 9, "Great": 2}


# --- weapons and targets ----------------------------------------------------------------------------------------------


def test_weapons_by_kind_or_by_name() -> None:
    both = unit(
        weapon(), weapon(name="Bow", kind="ranged", range=18, attacks=1), weapon(name="Axe", optional=True)
    )
    assert attacks(both) == attacks(both, weapons="melee") == 10
    assert attacks(both, weapons="ranged") == 5
    assert attacks(both, weapons="axe") == 10
    assert attacks(unit(weapon(kind="ranged", range=10))) == 10  # nothing else to use


@pytest.mark.rule("AOS4-16.0", "AOS4-T-1.2", "AOS4-7.0", "AOS4-SP-5", "AOS4-25.0")
def test_why_a_weapon_does_not_attack() -> None:
    bow = weapon(name="Bow", kind="ranged", range=18)
    pistol = weapon(name="Pistol", kind="ranged", range=8, abilities=["Shoot in Combat"])
    shooters = unit(bow, pistol)
    fought = mh.fight(shooters, TARGET, weapons="ranged", situation="in_combat")
    assert dict(fought.skipped) == {
        "Bow": "ranged weapons are silent in combat without Shoot in Combat (AOS4-16.0)"
    }
    far = mh.fight(shooters, TARGET, weapons="ranged", distance=12)
    assert dict(far.skipped) == {"Pistol": "12 inches away, range 8 (AOS4-16.0)"}
    hidden = mh.fight(shooters, TARGET, weapons="ranged", situation="target_obscured")
    assert set(hidden.skipped.values()) == {"the target is obscured (AOS4-T-1.2)"}
    assert hidden.lost.to_dict() == {0: 1.0}
    assert not mh.fight(
        shooters, TARGET, weapons="ranged", situation="target_obscured", distance=3
    ).skipped  # AOS4-7.0, AOS4-SP-5
    assert mh.fight(
        shooters,
        TARGET,
        weapons="ranged",
        situation="target_obscured",
        distance=3,
        options={"spearhead": True},
    ).skipped
    hero = unit(name="Hero", models=1, keywords=["hero", "infantry"])
    guarded = mh.fight(shooters, hero, weapons="ranged", situation="target_guarded", distance=12.5)
    assert set(guarded.skipped.values()) >= {
        "a guarded infantry hero cannot be picked from more than 12 inches (AOS4-25.0)"
    }
    near = mh.fight(unit(bow), hero, situation="target_guarded", distance=12)
    assert near.funnel["hits"] == pytest.approx(10 * 2 / 6)  # -1 to hit


def test_the_best_critical_ability_is_taken_and_reported() -> None:
    many = unit(weapon(damage=3, abilities=["Crit (2 Hits)", "Crit (Mortal)", "Crit (Auto-wound)"]))
    tough = unit(name="Tough", save=2)
    chosen = mh.fight(many, tough)
    assert dict(chosen.choices) == {"Sword": "Crit (Mortal)"}
    others = [
        mh.fight(many, tough, choices={"Sword": name}).damage.mean()
        for name in ("Crit (2 Hits)", "Crit (Auto-wound)")
    ]
    assert chosen.damage.mean() > max(others)
    assert dict(mh.fight(unit(weapon(abilities=["Crit (Mortal)"])), tough).choices) == {}


@pytest.mark.rule("AOS4-5.3")
def test_effects_reach_whom_they_are_meant_for() -> None:
    banner = unit(name="Banner", effect=[{"name": "Zeal", "on": "friends", "hit_roll": "+1"}])
    plain = unit(weapon())
    assert mh.fight(plain, TARGET, friends=[banner]).funnel["hits"] == pytest.approx(10 * 4 / 6)
    assert mh.fight(plain, TARGET, friends=[banner, banner]).funnel["hits"] == pytest.approx(
        10 * 4 / 6
    )  # AOS4-5.3: once
    zealots = unit(name="Zealots", effect=[{"name": "Zeal", "on": "friends", "attacks": "+1"}])
    assert mh.fight(plain, TARGET, friends=[zealots]).funnel["attacks"] == 15
    assert mh.fight(plain, TARGET, friends=[zealots, zealots]).funnel["attacks"] == 15
    misty = unit(
        name="Misty",
        effect=[{"name": "Mist", "on": "attacker", "hit_roll": "-1"}, {"name": "Tough", "ward": 5}],
    )
    assert mh.fight(plain, misty).funnel["hits"] == pytest.approx(10 * 2 / 6)
    assert mh.fight(plain, misty).funnel["damage"] == pytest.approx(10 * 2 / 6 * 0.5 * 0.5 * 2 / 3)
    roar = unit(weapon(), effect=[{"name": "Roar", "on": "target", "save_roll": "-1"}])
    assert mh.fight(roar, TARGET).funnel["unsaved"] == pytest.approx(10 * 0.5 * 0.5 * 4 / 6)
    shield = unit(
        name="Shield", effect=[{"name": "Wall", "when": ["melee", "not charged"], "save_roll": "+1"}]
    )
    assert mh.fight(plain, shield).funnel["unsaved"] == pytest.approx(10 * 0.5 * 0.5 * 2 / 6)
    assert mh.fight(plain, shield, situation="target_charged").funnel["unsaved"] == pytest.approx(
        10 * 0.5 * 0.5 * 3 / 6
    )


@pytest.mark.parametrize(
    ("effect", "funnel", "wanted"),
    [
        ({"attacks": "x2"}, "attacks", 20.0),
        ({"attacks": "=1"}, "attacks", 5.0),
        ({"attacks": "/2"}, "attacks", 5.0),
        ({"hit": "=2"}, "hits", 10 * 5 / 6),
        ({"wound": "-1"}, "wounds", 10 * 0.5 * 4 / 6),
        ({"rend": "+2"}, "unsaved", 10 * 0.25 * 5 / 6),
        ({"damage": "+1"}, "damage", 10 * 0.25 * 0.5 * 2),
        ({"wound_roll": "+1"}, "wounds", 10 * 0.5 * 4 / 6),
        ({"reroll_hit": "ones"}, "hits", 10 * 7 / 12),
        ({"reroll_hit": [1, 2]}, "hits", 10 * (0.5 + 2 / 12)),
        ({"reroll_wound": "failed"}, "wounds", 10 * 0.5 * 0.75),
        ({"crit_on": 5, "gain": ["Crit (2 Hits)"]}, "hits", 10 * (1 / 6 + 4 / 6)),
        ({"auto_hit": True}, "hits", 10.0),
        ({"auto_wound": True}, "wounds", 5.0),
        ({"mortal_damage": "D3"}, "damage", 10 * 0.125 + 2),
        ({"mortal_on_crit": "D3"}, "damage", 10 * 0.125 + 10 / 6 * 2),
        ({"gain": ["Crit (Auto-wound)"]}, "wounds", 10 * (1 / 6 + 2 / 6 * 0.5)),
        ({"ward": 4, "on": "target"}, "damage", 10 * 0.125 * 0.5),
        ({"save": "+1", "on": "target"}, "unsaved", 10 * 0.25 * 4 / 6),
        ({"reroll_save": "failed", "on": "target"}, "unsaved", 10 * 0.25 * 0.25),
        ({"ward": 5, "ward_roll": "+1", "on": "target"}, "damage", 10 * 0.125 * 0.5),
    ],
)
def test_each_change_does_what_it_says(effect: dict[str, Any], funnel: str, wanted: float) -> None:
    assert mh.fight(unit(weapon()), TARGET, effects=[effect]).funnel[funnel] == pytest.approx(wanted)


def test_ignored_penalties_and_lost_abilities() -> None:
    mist = {"hit_roll": "-1"}
    assert (
        mh.fight(unit(weapon()), TARGET, effects=[mist, {"ignore": ["hit_penalties"]}]).funnel["hits"] == 5.0
    )
    mortal = unit(weapon(abilities=["Crit (Mortal)"]))
    assert "mortal" in mh.fight(mortal, TARGET).funnel
    assert mh.fight(mortal, TARGET, effects=[{"lose": ["Crit (Mortal)"]}]).funnel["mortal"] == 0.0
    random = unit(weapon(attacks="D6", damage="D6"))
    assert mh.fight(random, TARGET, effects=[{"reroll_attacks": "low"}]).funnel["attacks"] == pytest.approx(
        5 * 4.25
    )
    assert (
        mh.fight(random, TARGET, effects=[{"reroll_damage": "ones"}]).funnel["damage"]
        > mh.fight(random, TARGET).funnel["damage"]
    )


@pytest.mark.rule("AOS4-5.4")
@pytest.mark.parametrize(
    ("when", "how", "holds"),
    [
        ("charged", {"situation": "charged"}, True),
        ("not charged", {"situation": "charged"}, False),
        ("target_charged", {"situation": "target_charged"}, True),
        ("phase combat", {}, True),
        ("phase shooting", {}, False),
        ("melee", {}, True),
        ("target has HERO", {}, False),
        ("target lacks HERO", {}, True),
        ("has WIZARD", {}, False),
        ("models >= 5", {}, True),
        ("models > 5", {}, False),
        ("target models <= 5", {}, True),
        ("distance <= 12", {"distance": 12}, True),
        ("distance <= 12", {}, False),
        ("round == 2", {"round": 2}, True),
        ("round >= 3", {"round": 2}, False),
        ("target_in_cover", {"situation": ("target_in_cover", "target_charged")}, True),
        ("stationary", {"situation": "stationary"}, True),
        ("target_damaged", {}, False),
    ],
)
def test_conditions(when: str, how: dict[str, Any], holds: bool) -> None:
    """AOS4-5.4: a passive works whenever its condition holds, and only then."""
    attacker = unit(weapon(), effect=[{"name": "Rule", "when": [when], "attacks": "+1"}])
    assert attacks(attacker, **how) == (15 if holds else 10)


# --- properties ---------------------------------------------------------------------------------------------------------

needs = st.integers(2, 6)
weapons = st.fixed_dictionaries(
    {
        "name": st.just("W"),
        "attacks": st.sampled_from([1, 3, "D3", "D6"]),
        "hit": needs,
        "wound": needs,
        "rend": st.integers(0, 3),
        "damage": st.sampled_from([1, 2, "D3", "D6"]),
        "abilities": st.sampled_from([[], ["Crit (Mortal)"], ["Crit (2 Hits)"], ["Crit (Auto-wound)"]]),
    }
)
targets = st.fixed_dictionaries(
    {
        "name": st.just("T"),
        "models": st.integers(1, 12),
        "health": st.integers(1, 5),
        "save": needs,
        "ward": needs,
    }
)


@given(weapons, targets)
def test_distributions_add_up_and_help_helps(sword: dict[str, Any], target: dict[str, Any]) -> None:
    attacker, defender = unit(sword), mh.make_unit("aos4", target)
    plain = mh.fight(attacker, defender)
    for law in (plain.damage, plain.lost, plain.slain):
        assert law.probs.sum() == pytest.approx(1.0)
        assert law.probs.min() >= 0.0
    assert plain.slain.at_least(target["models"]) == pytest.approx(plain.p_destroyed)
    assert plain.damage.mean() == pytest.approx(plain.funnel["damage"])
    assert plain.lost.mean() <= plain.damage.mean() + 1e-9
    for better in (
        {"hit_roll": "+1"},
        {"wound_roll": "+1"},
        {"rend": "+1"},
        {"damage": "+1"},
        {"reroll_hit": "any"},
        {"attacks": "+1"},
    ):
        assert mh.fight(attacker, defender, effects=[better]).damage.mean() >= plain.damage.mean() - 1e-12
    for worse in ({"hit_roll": "-1"}, {"save_roll": "+1", "on": "target"}, {"ward": 2, "on": "target"}):
        assert mh.fight(attacker, defender, effects=[worse]).damage.mean() <= plain.damage.mean() + 1e-12


@given(weapons, weapons, targets)
def test_the_order_of_weapons_does_not_matter_where_damage_pools(
    a: dict[str, Any], b: dict[str, Any], target: dict[str, Any]
) -> None:
    defender = mh.make_unit("aos4", target)
    forward = mh.fight(unit(a | {"name": "A"}, b | {"name": "B"}), defender)
    backward = mh.fight(unit(b | {"name": "B"}, a | {"name": "A"}), defender)
    assert forward.damage.probs == pytest.approx(backward.damage.probs, abs=1e-12)


# --- every sentence -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"situation": "chraged"}, "fight: unknown situation 'chraged' (did you mean 'charged'?)"),
        (
            {"commands": "all_out_atack"},
            "fight: unknown command 'all_out_atack' (did you mean 'all_out_attack'?)",
        ),
        ({"weapons": ["Swrod"]}, "fight: Unit: unknown weapon 'Swrod' (did you mean 'Sword'?)"),
        ({"weapons": "ranged"}, "fight: Unit has no ranged weapon (known: 'Sword')"),
        ({"method": "exacct"}, "fight: unknown method 'exacct' (did you mean 'exact'?)"),
        (
            {"options": {"crit_allways_hits": True}},
            "fight: unknown option 'crit_allways_hits' (did you mean 'crit_always_hits'?)",
        ),
        ({"options": {"crit_always_hits": 1}}, "fight: option crit_always_hits is 1 (its default is True)"),
        (
            {"choices": {"Swrod": "Crit (Mortal)"}},
            "fight: Unit: unknown weapon 'Swrod' (did you mean 'Sword'?)",
        ),
        ({"choices": {"Sword": "Crit (Mortal)"}}, "fight: Sword: unknown critical ability 'Crit (Mortal)'"),
        ({"distance": float("nan")}, "fight: distance nan (give inches from 0 to 1000)"),
        ({"distance": -1}, "fight: distance -1 (give inches from 0 to 1000)"),
        ({"round": 0}, "fight: battle round 0 (give a whole number from 1 on)"),
        ({"phase": "fihgt"}, "fight: unknown phase 'fihgt' (did you mean 'fight'?)"),
        (
            {"commands": "covering_fire"},
            "fight: covering_fire is a command to shoot (use it with ranged weapons)",
        ),
        ({"effects": [{"hit_rol": 1}]}, "an effect: unknown field 'hit_rol' (did you mean 'hit_roll'?)"),
    ],
)
def test_messages(how: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        mh.fight(unit(weapon()), TARGET, **how)
    assert str(caught.value) == message


@pytest.mark.rule("AOS4-16.0", "AOS4-C-1.2")
def test_messages_about_kinds_and_commands() -> None:
    bow = weapon(name="Bow", kind="ranged", range=18)
    with pytest.raises(mh.BadInputError) as caught:
        mh.fight(unit(weapon(), bow), TARGET, weapons=["Sword", "Bow"])
    assert (
        str(caught.value)
        == "fight: melee and ranged weapons are never part of one attack (AOS4-16.0; choose one kind)"
    )
    with pytest.raises(mh.BadInputError) as caught:
        mh.fight(unit(bow), TARGET, commands=("covering_fire", "all_out_attack"))
    assert (
        str(caught.value)
        == "fight: a unit uses one command per phase (AOS4-C-1.2; drop covering_fire or all_out_attack)"
    )
    with pytest.raises(mh.BadInputError) as caught:
        mh.fight(("Liberators",), TARGET)  # type: ignore[arg-type]
    assert str(caught.value) == "fight: ('Liberators',) is not a unit (give one, or its name)"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"models": -3}, "Unit: models -3 (give a whole number from 1 to 1000)"),
        ({"models": float("nan")}, "Unit: models nan (give a whole number from 1 to 1000)"),
        ({"health": 0}, "Unit: health 0 (give a whole number from 1 to 1000)"),
        ({"save": 1}, "Unit: save 1+ is not a roll of a D6 (give 2 to 6, 3 means 3+)"),
        ({"save": "8+"}, "Unit: save '8+' is not a roll of a D6 (give 2 to 6, 3 means 3+)"),
        ({"helth": 3}, "Unit: unknown field 'helth' (did you mean 'health'?)"),
        ({"keywords": "hero"}, "Unit: keywords 'hero' (give a list of texts)"),
        ({"weapon": [weapon(hit=1)]}, "Unit, Sword: hit 1+ is not a roll of a D6 (give 2 to 6, 3 means 3+)"),
        (
            {"weapon": [weapon(wound=8)]},
            "Unit, Sword: wound 8+ is not a roll of a D6 (give 2 to 6, 3 means 3+)",
        ),
        (
            {"weapon": [weapon(attacks="2D")]},
            "Unit, Sword: attacks: '2D' is not dice text (write a number, D3, D6, 2D6 or D6+1)",
        ),
        (
            {"weapon": [weapon(attacks=10**9)]},
            "Unit, Sword: attacks: '1000000000' is out of range (1 to 1000 dice, numbers up to 1000)",
        ),
        (
            {"weapon": [weapon(damage=float("nan"))]},
            "Unit, Sword: damage: nan is not dice text (write a number, D3, D6, 2D6 or D6+1)",
        ),
        (
            {"weapon": [weapon(damage=[1])]},
            "Unit, Sword: damage: [1] is not dice text (write a number, D3, D6, 2D6 or D6+1)",
        ),
        (
            {"weapon": [weapon(abilities=["Crit (Mortl)"])]},
            "Unit, Sword: unknown ability 'Crit (Mortl)' (did you mean 'Crit (Mortal)'?)",
        ),
        ({"weapon": [weapon(models=6)]}, "Unit, Sword: 6 models carry it, the unit has 5 (give 1 to 5)"),
        (
            {"weapon": [weapon(range=6)]},
            'Unit, Sword: a melee weapon has no range (drop it, or write kind = "ranged")',
        ),
        ({"weapon": [weapon(kind="meele")]}, "Unit, Sword: kind 'meele' (did you mean 'melee'?)"),
        (
            {"weapon": [{"name": "Fist", "hit": 3, "wound": 3, "damage": 1}]},
            "Unit, Fist: attacks is missing (Attacks, a number or dice text)",
        ),
        ({"weapon": [weapon(), weapon()]}, "Unit: two weapons are called 'Sword' (give each its own name)"),
        ({"weapon": "Sword"}, "Unit: weapon must be a list of tables (write [[unit.weapon]])"),
        (
            {"effect": [{"name": "E", "when": ["chargd"], "attacks": "+1"}]},
            "Unit, E: unknown condition 'chargd' (did you mean 'charged'?)",
        ),
        (
            {"effect": [{"name": "E", "when": ["phase fihgt"], "attacks": "+1"}]},
            "Unit, E: unknown phase 'fihgt' (did you mean 'fight'?)",
        ),
        (
            {"effect": [{"name": "E", "attacks": "3"}]},
            "Unit, E: attacks: '3' is not a change (write '+1', '-1', '=4', 'x2', '/2' or '+D3')",
        ),
        (
            {"effect": [{"name": "E", "attacks": "/0"}]},
            "Unit, E: attacks: '/0' is not a change (write '+1', '-1', '=4', 'x2', '/2' or '+D3')",
        ),
        (
            {"effect": [{"name": "E", "on": "freinds", "hit_roll": "+1"}]},
            "Unit, E: on 'freinds' (did you mean 'friends'?)",
        ),
        (
            {"effect": [{"name": "E", "weapon": "Axe", "attacks": "+1"}]},
            "Unit, E: no weapon 'Axe' in this unit",
        ),
        ({"effect": [{"name": "E"}]}, "Unit, E: changes nothing (give at least one change)"),
        (
            {"effect": [{"name": "E", "hit_roll": "plus one"}]},
            "Unit, E: hit_roll 'plus one' (write '+1' or '-1')",
        ),
        (
            {"effect": [{"name": "E", "reroll_hit": "one"}]},
            "Unit, E: reroll_hit 'one' (did you mean 'ones'?)",
        ),
        (
            {"effect": [{"name": "E", "reroll_hit": 1}]},
            "Unit, E: reroll_hit 1 (give one of ones, failed, any, non_crit, one die, or a list of faces)",
        ),
        ({"effect": [{"name": "E", "auto_hit": "yes"}]}, "Unit, E: auto_hit 'yes' (give true or false)"),
        ({"name": 7}, "7: name 7 (give a line of text)"),
    ],
)
def test_messages_of_bad_units(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.BadInputError) as caught:
        unit(**fields)
    assert str(caught.value) == message


def test_all_faults_of_a_unit_are_told_at_once() -> None:
    with pytest.raises(mh.BadInputError) as caught:
        unit(weapon(hit=7, abilities=["Fast"]), save=1, colour="blue")
    assert len(str(caught.value).splitlines()) == 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda u: u.with_models(-2), "Unit: -2 models (give a whole number from 1 to 1000)"),
        (lambda u: u.with_models(2.5), "Unit: 2.5 models (give a whole number from 1 to 1000)"),
        (lambda u: u.with_lost(10), "Unit: 10 wounds lost (give 0 to 9: at least one is left)"),
        (lambda u: u.with_lost(-1), "Unit: -1 wounds lost (give 0 to 9: at least one is left)"),
        (lambda u: mh.make_unit("aos5", {}), "mathhammer: unknown system 'aos5' (did you mean 'aos4'?)"),
        (
            lambda u: mh.make_unit("aos4", [1]),
            "make_unit: list is not a mapping (give the fields of one unit)",
        ),
    ],
)
def test_messages_of_units(call: Any, message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        call(unit())
    assert str(caught.value) == message


# --- explain ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "AOS4-CM-1.0",
    "AOS4-20.0",
    "AOS4-17.1",
    "AOS4-C-6.0",
    "AOS4-T-1.2",
    "AOS4-17.0",
    "AOS4-C-7.0",
    "AOS4-18.1",
)
def test_explain_tells_every_modifier_the_cap_and_the_die() -> None:
    sword = weapon(rend=1, damage=2, abilities=["Crit (Mortal)", "Charge (+1 Damage)", "Anti-HERO (+1 Rend)"])
    told = mh.fight(
        unit(sword, keywords=["champion"]),
        unit(name="Hero", models=1, health=6, keywords=["hero"], ward=5),
        situation=("charged", "target_in_cover"),
        commands=("all_out_attack", "all_out_defence"),
        effects=[
            {"name": "Zeal", "hit_roll": "+1"},
            {"name": "Zeal 2", "hit_roll": "+1"},
            {"name": "Luck", "reroll_hit": "ones"},
        ],
    ).explain()
    assert "Attacks: 5 models x 2" in told
    assert "Champions: 1, +1 Attacks each (AOS4-CM-1.0)" in told
    assert "Damage: 2, +1 Charge (AOS4-20.0)" in told
    assert "Rend: 1, +1 Anti-HERO (AOS4-20.0)" in told
    assert (
        "-1 Cover (AOS4-T-1.2); +1 All-out Attack (AOS4-C-6.0); +1 Zeal; +1 Zeal 2; limited to +1 (AOS4-17.1); 3+ on the die; re-roll ones"
        in told
    )
    assert (
        "save: 4+; -2 Rend (AOS4-17.0); +1 All-out Defence (AOS4-C-7.0); 5+ on the die; chance 0.3333" in told
    )
    assert "Ward 5+ ignores each point with chance 0.3333 (AOS4-18.1)" in told


@pytest.mark.rule("AOS4-16.0")
def test_explain_says_what_did_not_attack_and_the_error_of_a_simulation() -> None:
    bow = unit(weapon(name="Bow", kind="ranged", range=18))
    assert (
        "Bow: does not attack, 20 inches away, range 18 (AOS4-16.0)"
        in mh.fight(bow, TARGET, distance=20).explain()
    )
    assert "standard error" in mh.fight(bow, TARGET, method="simulate", trials=1000).explain()
    nothing = mh.fight(unit(weapon()), unit(save=2), effects=[{"save_roll": "+1", "on": "target"}]).explain()
    assert "2+ on the die" in nothing
    pierced = mh.fight(unit(weapon(rend=3)), unit(save=6)).explain()
    assert "save: 6+; -3 Rend (AOS4-17.0); impossible; chance 0\n" in pierced
    assert pierced.count("impossible") == 1


def test_explain_names_what_was_chosen_what_is_ignored_and_what_is_not_rolled() -> None:
    both = unit(weapon(abilities=["Crit (Mortal)", "Crit (2 Hits)"]))
    worth = {
        name: mh.fight(both, TARGET, choices={"Sword": name}).damage.mean()
        for name in ("Crit (Mortal)", "Crit (2 Hits)")
    }
    assert (
        f"Of several critical abilities: {max(worth, key=lambda name: worth[name])}"
        in mh.fight(both, TARGET).explain()
    )
    naked = mh.make_unit("aos4", {"name": "Naked", "health": 1})
    mist, steady = {"name": "Mist", "hit_roll": "-1"}, {"name": "Steady", "ignore": ["hit_penalties"]}
    told = mh.fight(unit(weapon()), naked, effects=[mist, steady]).explain()
    assert "  hit: 4+; -1 Mist; penalties ignored; 4+ on the die; chance 0.5\n" in told
    assert "  save: none\n" in told
