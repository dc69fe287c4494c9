"""Every weapon ability does what its row says; an ability may look at just what it declares."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ability_rows import ROWS, Row, rule_of, without_a_row
from wh40k_units import blade, gun

import mathhammer as mh
from mathhammer.compare.landed import VALUES
from mathhammer.compare.matrix import fill_matrix
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.abilities import Abilities, Draft, WeaponAbility
from mathhammer.games.applying_effects import edited
from mathhammer.games.discovery import attacks_of
from mathhammer.games.wh40k.quick import weapon_reader
from mathhammer.games.wh40k10.abilities import ABILITIES
from mathhammer.units.conditions import Facts
from mathhammer.units.effects import Active

GUN, BLADE = gun(), blade()
quick_weapon = weapon_reader(ABILITIES)
SWORD = {"name": "Sword", "attacks": 2, "hit": 4, "wound": 4, "damage": 1}
BOW = {"name": "Bow", "kind": "ranged", "range": 18, "attacks": 2, "hit": 4, "wound": 4, "damage": 1}
WEAPONS = {
    ("wh40k10", "ranged"): GUN,
    ("wh40k10", "melee"): BLADE,
    ("wh40k11", "ranged"): GUN,
    ("wh40k11", "melee"): BLADE,
    ("aos4", "melee"): SWORD,
    ("aos4", "ranged"): BOW,
    ("aos1", "melee"): SWORD,
}
BODIES: dict[str, dict[str, Any]] = {
    "wh40k10": {"models": 5, "toughness": 4, "wounds": 2, "save": 4, "keywords": ["infantry", "smoke"]},
    "wh40k11": {"models": 5, "toughness": 4, "wounds": 2, "save": 4, "keywords": ["infantry", "smoke"]},
    "aos4": {"models": 5, "health": 2, "save": 4, "keywords": ["hero"]},
    "aos1": {"models": 5, "wounds": 2, "save": 4},
}


@pytest.mark.parametrize(
    ("game", "row"),
    [
        pytest.param(game, row, id=f"{game}-{row}", marks=pytest.mark.rule(rule_of(game, row)))
        for game, rows in ROWS.items()
        for row in rows
    ],
)
def test_every_row(game: str, row: Row) -> None:
    weapon = WEAPONS[game, row.kind] | {"abilities": [row.ability]}
    attacker = mh.make_unit(game, {"name": "Unit", "weapon": [weapon]} | BODIES[game])
    target = mh.make_unit(game, {"name": "Target"} | BODIES[game])
    assert mh.fight(attacker, target, **row.how).funnel[row.step] == pytest.approx(row.wanted)


@pytest.mark.parametrize("game", ROWS)
def test_every_ability_has_a_row(game: str) -> None:
    assert without_a_row(game) == []


def test_every_ability_says_something() -> None:
    """A tag that other rules look at, a hook, or an edit; and a sentence about it."""
    # the question `hazardous`, and Feel No Pain, look at them; the rolls of an attack at what they trigger
    tags = {"Hazardous", "Psychic", *(ability.name for ability in attacks_of("aos1").abilities.known)}
    for key in ROWS:
        for ability in attacks_of(key).abilities.known:
            hooks = (ability.edit, ability.may_attack, ability.cover, ability.reached_by)
            flags = (ability.allows, ability.picks_characters, ability.once, ability.extra, ability.instead)
            assert any(hooks) or any(flags) or ability.name in tags, ability.name
            assert ability.doc.endswith("."), ability.name


@pytest.mark.rule("WH40K-CRIT")
def test_an_ability_that_reads_what_it_did_not_declare_raises() -> None:
    own = Abilities()

    @own.add("Keen", rule="WH40K-CRIT", reads=("flags",))
    def keen(draft: Draft, facts: Facts, _held: WeaponAbility) -> Draft:
        return draft.edit("hit", crit_on=5) if facts.distance else draft

    squad = mh.make_unit("wh40k10", {"name": "Unit", "weapon": [GUN]} | BODIES["wh40k10"])
    draft = Draft(mh.fight(squad, squad).plan.volleys[0].chain)
    facts = Facts(frozenset(), frozenset(), frozenset(), 5, 5, distance=30.0)
    with pytest.raises(
        AttributeError, match=r"^facts\.distance is read but not declared \(add it to reads=\)$"
    ):
        own.find("Keen").edit(draft, facts)


@pytest.mark.rule("WH40K-DUP")
def test_abilities_look_at_the_distance_of_the_fight() -> None:
    """What an ability declares reaches it: a distance, and the number of models for Blast."""
    beam = mh.make_unit(
        "wh40k10",
        {"name": "Beam", "weapon": [GUN | {"range": 48, "skill": 5, "abilities": ["Conversion 24"]}]}
        | BODIES["wh40k10"],
    )
    hits = [mh.fight(beam, beam, distance=distance).funnel["hits"] for distance in (24, 24.01, 40)]
    assert hits == pytest.approx([10 * 2 / 6, 10 * 3 / 6, 10 * 3 / 6])
    doubled = mh.fight(beam, beam, distance=13, effects=[{"gain": ["Conversion 12"]}])
    assert doubled.funnel["hits"] == pytest.approx(10 * 3 / 6)  # WH40K-DUP: the lower distance is worth more


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Melta X", "weapon: 'Melta X' needs its number (write something like 'Melta 2')"),
        ("melta", "weapon: 'melta' needs its number (write something like 'Melta 2')"),
        ("Anti-VEHICLE", "weapon: 'Anti-VEHICLE' needs its number (write something like 'Anti-KEYWORD 4+')"),
        ("Lethal Hit", "weapon: unknown ability 'Lethal Hit' (did you mean 'Lethal Hits'?)"),
        ("Sustained Hit 1", "weapon: unknown ability 'Sustained Hit 1' (did you mean 'Sustained Hits 2'?)"),
    ],
)
def test_what_is_not_an_ability(text: str, message: str) -> None:
    with pytest.raises((BadInputError, UnknownNameError)) as caught:
        ABILITIES.find(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("melta 2", ["Melta 2"]),
        ("sustained hits d3 lethal", ["Sustained Hits D3", "Lethal Hits"]),
        ("anti-vehicle 4+, twin-linked", ["Anti-VEHICLE 4+", "Twin-linked"]),
        ("conversion 24", ["Conversion 24"]),
        ("devastating", ["Devastating Wounds"]),
    ],
)
def test_abilities_typed_in_one_line(typed: str, read: list[str]) -> None:
    """Whatever a game knows can be typed: no list of spellings is kept beside the abilities."""
    assert quick_weapon(f"10x 3+ S4 AP-1 D1 {typed}")["abilities"] == read


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("melta", "quick: 'melta' is not complete (write something like 'Melta 2')"),
        ("anti", "quick: 'anti' is not complete (write something like 'Anti-KEYWORD 4+')"),
    ],
)
def test_abilities_that_cannot_be_read_in_one_line(typed: str, message: str) -> None:
    with pytest.raises(BadInputError) as caught:
        quick_weapon(f"10x 3+ S4 AP-1 D1 {typed}")
    assert str(caught.value) == message


def test_an_effect_word_without_an_edit_raises() -> None:
    squad = mh.make_unit("wh40k10", {"name": "Unit", "weapon": [GUN]} | BODIES["wh40k10"])
    draft = Draft(mh.fight(squad, squad).plan.volleys[0].chain)
    with pytest.raises(ValueError, match=r"^no edit for the effect word 'leap' "):
        edited(draft, [Active("leap", 1, "Leap", enemy=False)], {}, frozenset())


def test_a_lost_ability_is_told_by_value_not_by_spelling() -> None:
    gun = GUN | {"abilities": ["sustained  hits 2", "Lethal Hits"]}
    squad = mh.make_unit("wh40k10", {"name": "Unit", "weapon": [gun]} | BODIES["wh40k10"])
    assert mh.fight(squad, squad, effects=[{"lose": ["Sustained Hits 2"]}]).funnel["hits"] == pytest.approx(
        10 * 4 / 6
    )


def test_gained_blast_counts_the_models_of_each_target() -> None:
    """Whole armies share answers only between targets that the weapon cannot tell apart."""
    blast = {"name": "Shells", "gain": ["Blast"]}
    squad = mh.make_unit("wh40k10", {"name": "Unit", "weapon": [GUN], "effect": [blast]} | BODIES["wh40k10"])
    ten = replace(squad.with_models(10), name="Ten")
    assert [mh.fight(squad, target).funnel["attacks"] for target in (squad, ten)] == [15.0, 20.0]
    lost = fill_matrix([squad], [squad, ten]).values[0, :, VALUES.index("lost")]
    assert lost == pytest.approx([mh.fight(squad, target).lost.mean() for target in (squad, ten)])
