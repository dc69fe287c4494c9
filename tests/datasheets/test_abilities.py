"""Abilities of a datasheet: named rules with effects, what no effect says, and words no game can act on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mathhammer as mh
from mathhammer.datasheets.json_schema import json_schema
from mathhammer.datasheets.reading import make_effects, read_unit
from mathhammer.units.conditions import Facts, parse_condition
from mathhammer.units.weapon_names import meant

LABELLED = Path(__file__).resolve().parents[3] / "shared" / "abilities" / "labelled"
BODIES: dict[str, dict[str, Any]] = {
    "aos4": {"name": "Clan", "models": 3, "health": 2, "save": 4},
    "wh40k10": {"name": "Squad", "models": 3, "toughness": 4, "wounds": 2, "save": 4},
}
ARMS: dict[str, dict[str, Any]] = {
    "aos4": {"attacks": 2, "hit": 4, "wound": 4, "rend": 1, "damage": "D3"},
    "wh40k10": {"attacks": 2, "skill": 4, "strength": 4, "ap": -1, "damage": "D3"},
}


def weapon(system: str, name: str, kind: str = "melee") -> dict[str, Any]:
    return {"name": name, "kind": kind, **ARMS[system]} | ({"range": 18} if kind == "ranged" else {})


def made(
    system: str, *abilities: dict[str, Any], weapons: tuple[str, ...] = ("Sword",), **more: Any
) -> mh.Unit:
    arms = [weapon(system, name) for name in weapons]
    return mh.make_unit(system, BODIES[system] | {"weapon": arms, "ability": list(abilities)} | more)


def test_an_ability_gives_its_name_to_its_effects() -> None:
    unit = made("aos4", {"name": "Rite", "effect": [{"use": "choice", "hit_roll": "+1"}, {"ward": 6}]})
    assert [(effect.name, effect.use) for effect in unit.effects] == [("Rite", "choice"), ("Rite", "")]
    assert [(one.name, one.about, one.state, one.effects) for one in unit.abilities] == [
        ("Rite", "combat", "whole", 2)
    ]


def test_effects_by_hand_stand_for_the_ability_of_their_name() -> None:
    read = {"name": "Rite", "rest": ["and so on"], "effect": [{"hit_roll": "+1"}]}
    unit = made("aos4", read, effect=[{"name": "Rite", "attacks": "+2"}])
    assert [effect.changes for effect in unit.effects] == [(("attacks", "+2"),)]
    assert unit.abilities[0].state == "whole"
    assert mh.fight(unit, made("aos4")).not_counted == ()


def test_an_ability_fights_as_an_effect_does() -> None:
    effect = {"when": ["charged"], "attacks": "+1"}
    by_ability = made("wh40k10", {"name": "Frenzy", "effect": [effect]})
    by_effect = made("wh40k10", effect=[{"name": "Frenzy", **effect}])
    foe = made("wh40k10")
    results = [mh.fight(unit, foe, situation="charged") for unit in (by_ability, by_effect)]
    assert results[0].lost.to_dict() == results[1].lost.to_dict()
    assert results[0].lost.mean() > mh.fight(by_ability, foe).lost.mean()


def test_what_was_not_understood_is_in_every_answer() -> None:
    unit = made(
        "aos4",
        {"name": "Song", "rest": ["the wind sings back"]},
        {"name": "Dance", "rest": ["twice at dusk"], "effect": [{"hit_roll": "+1"}]},
        {"name": "Stroll", "about": "none"},
        {"name": "Luck", "about": "dice", "rest": ["who knows"]},
        {"name": "Odd", "effect": [{"fnp": 5, "hit_roll": "+1"}]},
    )
    said = (
        "Clan: Odd (not modelled: fnp 5)",
        "Clan: Song (not understood: the wind sings back)",
        "Clan: Dance (in part not understood: twice at dusk)",
    )
    assert mh.fight(unit, made("aos4", name="Foe")).not_counted == said
    assert mh.fight(made("aos4", name="Foe"), unit).not_counted == said


@pytest.mark.parametrize(
    ("system", "effect", "note"),
    [
        ("aos4", {"strength": "+1"}, "strength +1"),
        ("aos4", {"damage_set": 1}, "damage set 1"),
        ("wh40k10", {"ward": 5}, "ward 5"),
        ("wh40k10", {"strength": "+D3"}, "strength +D3"),
        ("wh40k10", {"save": "-1 limit 3"}, "save -1 limit 3"),
        ("aos4", {"heal": "1 per slain"}, "heal 1 per slain"),
        ("aos4", {"hit_roll": "+1 per friend limit 3"}, "hit roll +1 per friend limit 3"),
        ("aos4", {"gain": ["Crit (Mortal)", "Singing"]}, "gain Singing"),
        ("wh40k10", {"no_reroll": ["hit", "charge"]}, "no reroll charge"),
        ("wh40k10", {"reroll_save": "one die"}, "reroll save one die"),
        ("aos4", {"mortal": {"each": "1 per slain"}}, "mortal each 1 per slain"),
        ("aos4", {"weapon": "Horn", "attacks": "+1"}, "no weapon 'Horn'"),
    ],
)
def test_what_a_game_cannot_act_on_is_kept_and_named(system: str, effect: dict[str, Any], note: str) -> None:
    unit = made(system, {"name": "Odd", "effect": [effect]})
    assert unit.effects[0].noted == (note,)
    result = mh.fight(unit, made(system, name="Foe"))
    assert result.not_counted == (f"{unit.name}: Odd (not modelled: {note})",)


def test_counted_dice_of_things_that_no_fight_knows_are_named() -> None:
    unit = made(
        "aos4",
        {
            "name": "Bites",
            "effect": [{"on": "enemies", "mortal": {"dice": "2 per Hound", "on": "4+", "each": "1"}}],
        },
    )
    assert mh.fight(unit, made("aos4", name="Foe")).not_counted == ("Clan: Bites (not modelled)",)


def test_effects_by_hand_are_checked_as_before() -> None:
    with pytest.raises(mh.MathhammerError, match="unknown field 'fnp'"):
        made("aos4", effect=[{"name": "E", "fnp": 5}])
    with pytest.raises(mh.MathhammerError, match="no weapon 'Horn' in this unit"):
        made("aos4", effect=[{"name": "E", "weapon": "Horn", "attacks": "+1"}])


@pytest.mark.parametrize(
    ("ability", "message"),
    [
        (
            {"effect": []},
            "Clan, an ability without a name: name is missing (the rule's name; its effects have it too)",
        ),
        ({"name": "A", "about": "war"}, "Clan, A: about 'war' (known: 'combat', 'dice', 'none')"),
        ({"name": "A", "rest": "words"}, "Clan, A: rest 'words' (give a list of texts)"),
        ({"name": "A", "text": 7}, "Clan, A: text 7 (give the text of the rule)"),
        (
            {"name": "A", "effect": {"hit_roll": "+1"}},
            "Clan, A: effect must be a list of tables (write [[unit.effect]])",
        ),
        (
            {"name": "A", "effect": [{"hitroll": "+1"}]},
            "Clan, A: unknown field 'hitroll' (did you mean 'hit_roll'?)",
        ),
        (
            {"name": "A", "effect": [{"attacks": "3"}]},
            "Clan, A: attacks: '3' is not a change (write '+1', '-1', '=4', 'x2', '/2' or '+D3')",
        ),
        ({"name": "A", "effect": [{}]}, "Clan, A: changes nothing (give at least one change)"),
    ],
)
def test_messages(ability: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        made("aos4", ability)
    assert str(caught.value) == message


def test_two_abilities_of_one_name_are_a_fault() -> None:
    with pytest.raises(mh.MathhammerError, match="Clan, A: two abilities have this name"):
        made("aos4", {"name": "A"}, {"name": "A"})


def test_the_schema_knows_abilities() -> None:
    fields = json_schema("aos4")["properties"]["unit"]["items"]["properties"]["ability"]["items"][
        "properties"
    ]
    assert set(fields) == {"name", "about", "rest", "text", "effect"}


# --- weapons as rules name them ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("named", "weapons", "found"),
    [
        ("CHAINBLADES", ["Chainblade"], ["Chainblade"]),
        ("axe and shield", ["Axe", "Shield", "Spear"], ["Axe", "Shield"]),
        ("Flame Pots and Fires", ["Flame Pots and Fires", "Fires"], ["Flame Pots and Fires", "Fires"]),
        ("plasma gun", ["Plasma gun (standard)", "Plasma gun (supercharge)"], None),
        ("Axe", ["Axe", "Axe (2)"], ["Axe", "Axe (2)"]),
        ("Axe", ["Great axe"], []),
    ],
)
def test_weapons_are_found_by_the_names_that_rules_give(
    named: str, weapons: list[str], found: list[str] | None
) -> None:
    assert list(meant([named], weapons)[0]) == (weapons if found is None else found)


def test_a_rule_acts_on_the_weapons_that_it_names_only() -> None:
    rule = {"name": "Sharp", "effect": [{"weapon": "swords", "attacks": "+1"}]}
    unit, foe = made("aos4", rule, weapons=("Sword", "Axe")), made("aos4")
    attacks = {volley.name: volley.attacks.mean() for volley in mh.fight(unit, foe).plan.volleys}
    assert attacks == {"Sword": 9.0, "Axe": 6.0}


# --- conditions of rules text -----------------------------------------------------------------------------


def facts(*flags: str) -> Facts:
    return Facts(frozenset(flags), frozenset(), frozenset(), 5, 5)


@pytest.mark.parametrize(
    ("condition", "known", "flags", "holds"),
    [
        ("in_combat", ["in_combat"], ["melee"], True),
        ("in_combat", ["engaged"], ["engaged"], True),
        ("in_combat", ["engaged"], ["ranged"], False),
        ("retreated", ["fell_back"], ["fell_back"], True),
        ("advanced", ["ran"], ["ran"], True),
        ("facing_charge", ["facing_charge"], ["melee", "target_charged"], True),
        ("facing_charge", ["facing_charge"], ["ranged", "target_charged"], False),
        ("my_turn", [], ["charged"], True),
        ("enemy_turn", [], ["target_charged"], True),
        ("not my_turn", [], ["charged"], False),
    ],
)
def test_what_follows_from_the_question(
    condition: str, known: list[str], flags: list[str], holds: bool
) -> None:
    assert parse_condition(condition, known).holds(facts(*flags)) is holds


def test_a_word_without_a_situation_is_said_by_the_player() -> None:
    unit = made("aos4", {"name": "Calm", "effect": [{"when": ["not battle_shocked"], "hit_roll": "+1"}]})
    shaken = made("aos4", {"name": "Shaken", "effect": [{"when": ["battle_shocked"], "hit_roll": "+1"}]})
    foe = made("aos4")
    plain = mh.fight(foe, foe).damage.mean()
    assert mh.fight(unit, foe).damage.mean() > plain
    assert mh.fight(shaken, foe).damage.mean() == plain
    assert mh.fight(shaken, foe, use="battle shocked").damage.mean() > plain
    assert mh.fight(shaken, foe).not_counted == ("Clan: Shaken (needs battle_shocked)",)


def test_self_speaks_of_the_unit_that_has_the_rule() -> None:
    hero = {"name": "Dread", "effect": [{"on": "target", "when": ["self has HERO"], "save": "+1"}]}
    foe = made("aos4", name="Foe")
    with_it, without = (made("aos4", hero, keywords=words) for words in (["hero"], []))
    assert mh.fight(with_it, foe).damage.mean() > mh.fight(without, foe).damage.mean()
    gift = {"name": "Call", "effect": [{"on": "friends", "when": ["self in_combat"], "hit_roll": "+1"}]}
    caller, plain = made("aos4", gift, name="Caller"), mh.fight(foe, foe).damage.mean()
    assert mh.fight(foe, foe, friends=[caller]).damage.mean() == plain
    assert mh.fight(foe, foe, friends=[caller], use="self in combat").damage.mean() > plain


def test_to_use_a_rule_is_to_pick_its_target() -> None:
    oath = {"name": "Oath", "effect": [{"use": "choice", "when": ["target_picked 18"], "hit_roll": "+1"}]}
    unit, foe = made("aos4", oath), made("aos4", name="Foe")
    assert mh.fight(unit, foe).not_counted == ("Clan: Oath (not used)",)
    used = mh.fight(unit, foe, use="Oath")
    assert used.not_counted == ()
    assert used.damage.mean() > mh.fight(unit, foe).damage.mean()


def test_the_name_of_a_datasheet_is_a_keyword_of_it() -> None:
    rule = {"name": "Grudge", "effect": [{"when": ["target has STONE TROLL"], "hit_roll": "+1"}]}
    unit = made("aos4", rule)
    trolls, goblins = (made("aos4", name=name) for name in ("Stone Trolls", "Goblins"))
    assert mh.fight(unit, trolls).damage.mean() > mh.fight(unit, goblins).damage.mean()


def test_a_rule_that_says_so_reaches_companions() -> None:
    beast = weapon("aos4", "Bite") | {"abilities": ["Companion"]}

    def dealt(**effect: Any) -> float:
        unit = mh.make_unit(
            "aos4", BODIES["aos4"] | {"weapon": [beast], "ability": [{"name": "R", "effect": [effect]}]}
        )
        return mh.fight(unit, made("aos4")).damage.mean()

    plain = dealt(rend="+1")
    assert dealt(rend="+1", companion=True) > plain
    assert dealt(when=["weapon has Companion"], rend="+1") > plain


# --- readings by hand of real rules, where they are ---------------------------------------------------------


def labelled(system: str) -> Iterator[dict[str, Any]]:
    with (LABELLED / f"{system}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@pytest.mark.skipif(not LABELLED.is_dir(), reason="the readings by hand are not here")
@pytest.mark.parametrize("system", sorted(BODIES))
def test_every_reading_by_hand_is_accepted(system: str) -> None:
    for reading in labelled(system):
        for effect in reading["effects"]:
            make_effects(system, {"name": reading["name"], **effect})


@pytest.mark.slow
@pytest.mark.skipif(not LABELLED.is_dir(), reason="the readings by hand are not here")
@pytest.mark.parametrize("system", sorted(BODIES))
def test_units_with_readings_by_hand_fight(system: str) -> None:
    foe = made(system, name="Foe")
    for reading in labelled(system):
        ability = {
            "name": reading["name"],
            "effect": reading["effects"],
            "rest": reading["rest"],
            "about": reading["about"],
        }
        arms = [weapon(system, "Sword"), weapon(system, "Bow", "ranged")]
        unit, faults = read_unit(system, BODIES[system] | {"weapon": arms, "ability": [ability]})
        assert not faults, reading["id"]
        used = {"use": reading["name"]} if any(effect.use for effect in unit.effects) else {}
        for how in ({"weapons": "melee"}, {"weapons": "ranged"}, {"weapons": "melee", **used}):
            exact = mh.fight(unit, foe, **how)
            assert abs(exact.lost.probs.sum() - 1) < 1e-9
            played = mh.fight(unit, foe, method="simulate", trials=4000, seed=1, **how)
            spread = max(exact.lost.std(), 1e-9) / 4000**0.5
            assert abs(played.lost.mean() - exact.lost.mean()) < 6.2 * spread + 1e-9, reading["id"]
        mh.fight(foe, unit, weapons="melee", **used)
        mh.fight(foe, foe, friends=[unit], target_friends=[unit], **used)


def test_mortal_damage_as_large_as_the_roll_that_was_needed() -> None:
    rule = {
        "name": "Bolt",
        "effect": [{"on": "enemies", "needs": "3+", "mortal": {"each": "roll"}, "no_attack": True}],
    }
    foe = made("aos4", name="Foe", models=10)
    dealt = mh.fight(made("aos4", rule), foe).damage.to_dict()
    without = mh.fight(made("aos4"), foe).damage.to_dict()
    assert {value: dealt[value] for value in (3, 4, 5, 6)} == pytest.approx(
        {value: (1 + 2 * without.get(value, 0)) / 6 for value in (3, 4, 5, 6)}
    )
    rule["effect"].append({"on": "enemies", "needs": "6", "mortal": {"each": "1"}})  # type: ignore[attr-defined]
    both = mh.fight(made("aos4", rule), foe).damage.to_dict()
    assert both[7] == pytest.approx((1 + 2 * without.get(7, 0)) / 6)  # a 6 shows six, and one more
    assert both[6] == pytest.approx(2 * without.get(6, 0) / 6)


def test_what_nobody_has_cannot_be_used() -> None:
    unit = made(
        "aos4", {"name": "Dark Rite", "effect": [{"use": "choice", "when": ["if it rains"], "ward": 5}]}
    )
    foe = made("aos4", name="Foe")
    with pytest.raises(mh.MathhammerError) as caught:
        mh.fight(unit, foe, use="Drak Rite")
    assert str(caught.value) == "fight: unknown ability or switch 'Drak Rite' (did you mean 'Dark Rite'?)"
    mh.fight(unit, foe, use=["dark-rite", "It rains"])
    table = mh.compare([unit, foe], [foe], use="Dark Rite")  # one of several has it
    assert len(table) == 2
    with pytest.raises(mh.MathhammerError, match="compare: unknown ability or switch 'Drak Rite'"):
        mh.compare([unit, foe], [foe], use="Drak Rite")


def test_a_rule_that_is_not_used_is_told_once() -> None:
    rule = {"name": "Rite", "rest": ["and so on"], "effect": [{"use": "choice", "hit_roll": "+1"}]}
    unit, foe = made("aos4", rule), made("aos4", name="Foe")
    assert mh.fight(unit, foe).not_counted == ("Clan: Rite (not used)",)
    assert mh.fight(unit, foe, use="Rite").not_counted == ("Clan: Rite (in part not understood: and so on)",)


def test_in_melee_the_target_is_near() -> None:
    rule = {"name": "Stare", "effect": [{"when": ["target_within 12"], "hit_roll": "+1"}]}
    aura = {"name": "Dread", "effect": [{"on": "enemies", "when": ["within 6"], "save": "+1"}]}
    foe = made("aos4", name="Foe")
    for ability in (rule, aura):
        assert mh.fight(made("aos4", ability), foe).damage.mean() > mh.fight(made("aos4"), foe).damage.mean()


def test_a_distance_that_nobody_said_is_named() -> None:
    rule = {"name": "Stare", "effect": [{"when": ["target_within 12"], "hit_roll": "+1"}]}
    bows = mh.make_unit(
        "aos4", BODIES["aos4"] | {"weapon": [weapon("aos4", "Bow", "ranged")], "ability": [rule]}
    )
    foe = made("aos4", name="Foe")
    assert mh.fight(bows, foe).not_counted == ("Clan: Stare (the distance is not known)",)
    assert mh.fight(bows, foe, distance=10).not_counted == ()
    late = made("aos4", {"name": "Late", "effect": [{"when": ["round >= 3"], "hit_roll": "+1"}]})
    assert mh.fight(late, foe).not_counted == ("Clan: Late (the round is not known)",)


def test_what_only_some_models_gain_is_named_in_words() -> None:
    unit = made(
        "wh40k10",
        {"name": "Veil", "effect": [{"when": ["model Herald"], "gain_unit": ["Stealth", "Scouts 6"]}]},
    )
    assert [effect.noted for effect in unit.effects] == [("gain unit Stealth, Scouts 6 for Herald",)]
