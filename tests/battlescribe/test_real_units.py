"""Units of real catalogues fight with their rules as units do whose effects were written by hand.

The catalogues belong to others and are not part of the project: where they are not, nothing is tested.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import mathhammer as mh
from mathhammer.battlescribe.convert import convert

CATALOGUES = Path(__file__).resolve().parents[3] / "shared" / "data" / "catalogues"
pytestmark = pytest.mark.skipif(not CATALOGUES.is_dir(), reason="the catalogues are not here")

ANY: dict[str, Any] = {"reroll_hit": "any", "reroll_wound": "any", "reroll_damage": "any"}
BY_HAND: dict[str, tuple[str, str, list[dict[str, Any]]]] = {
    "Fire Dragons": (
        "wh40k10",
        "Aeldari",
        [{"name": kind, "when": ["ranged", f"target has {kind}"], **ANY} for kind in ("MONSTER", "VEHICLE")],
    ),
    "Rubric Marines": (
        "wh40k10",
        "Thousand Sons",
        [{"name": "R", "when": ["ranged"], "reroll_wound": "ones"}],
    ),
    "Scarab Occult Terminators": (
        "wh40k10",
        "Thousand Sons",
        [{"name": "R", "on": "attacker", "wound_roll": "-1", "when": ["models >= 1"]}],
    ),
    "Khorne Berzerkers": ("wh40k10", "World Eaters", []),
    "Vanquishers": (
        "aos4",
        "Stormcast Eternals",
        [{"name": "L", "weapon": "Celestial Greatsword", "when": ["target models >= 5"], "damage": "+1"}],
    ),
    "Liberators": ("aos4", "Stormcast Eternals", []),
}


@cache
def sheets(system: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Every imported unit by faction and name."""
    files = map(tomllib.loads, convert(CATALOGUES / system, system).files.values())
    return {(file["faction"], unit["name"]): unit for file in files for unit in file["unit"]}


def pair(name: str) -> tuple[mh.Unit, mh.Unit]:
    """The unit as it is imported, and the same with effects by hand."""
    system, faction, effects = BY_HAND[name]
    fields = sheets(system)[faction, name]
    plain = {key: value for key, value in fields.items() if key not in ("ability", "effect", "not_covered")}
    return mh.make_unit(system, fields), mh.make_unit(system, plain | {"effect": effects})


def foes(system: str) -> list[mh.Unit]:
    """Few and many models, a vehicle and a monster, all with a weapon."""
    if system == "aos4":
        arm = {"name": "Axe", "attacks": 2, "hit": 4, "wound": 4, "rend": 1, "damage": "D3"}
        bodies = [
            {"models": 3, "health": 4},
            {"models": 10, "health": 1},
            {"health": 14, "keywords": ["monster"]},
        ]
        base: dict[str, Any] = {"save": 4}
    else:
        arm = {"name": "Axe", "attacks": 3, "skill": 3, "strength": 5, "ap": -1, "damage": "D3"}
        bodies = [
            {"models": 10, "toughness": 4, "wounds": 2},
            {"toughness": 10, "wounds": 12, "keywords": ["vehicle"]},
            {"toughness": 10, "wounds": 12, "keywords": ["monster"]},
        ]
        base = {"save": 3}
    return [
        mh.make_unit(system, {"name": f"Foe {number}", **base, **body, "weapon": [arm]})
        for number, body in enumerate(bodies)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_HAND)
def test_it_fights_as_one_by_hand(name: str) -> None:
    imported, by_hand = pair(name)
    kinds = dict.fromkeys(weapon.kind for weapon in imported.weapons if not weapon.optional)
    for foe in foes(imported.system):
        for kind in kinds:
            one, other = (
                mh.fight(unit, foe, weapons=kind, situation="charged" if kind == "melee" else ())
                for unit in (imported, by_hand)
            )
            assert one.lost.to_dict() == pytest.approx(other.lost.to_dict())
            assert one.funnel == pytest.approx(other.funnel)
        one, other = (mh.fight(foe, unit) for unit in (imported, by_hand))
        assert one.lost.to_dict() == pytest.approx(other.lost.to_dict())


CHANGED = {"Fire Dragons": 1, "Rubric Marines": 0, "Vanquishers": 1}


@pytest.mark.parametrize("name", CHANGED)
def test_its_rule_changes_the_numbers(name: str) -> None:
    imported, _ = pair(name)
    system, faction, _ = BY_HAND[name]
    fields = sheets(system)[faction, name]
    plain = mh.make_unit(system, {key: value for key, value in fields.items() if key != "ability"})
    foe = foes(system)[CHANGED[name]]
    kind = "melee" if system == "aos4" else "ranged"
    assert (
        mh.fight(imported, foe, weapons=kind).funnel["damage"]
        > mh.fight(plain, foe, weapons=kind).funnel["damage"]
    )


def test_scarab_terminators_are_harder_to_wound() -> None:
    imported, _ = pair("Scarab Occult Terminators")
    foe = foes("wh40k10")[0]
    wounds = mh.fight(foe, imported).funnel
    assert wounds["wounds"] / wounds["hits"] == pytest.approx(1 / 3)  # Strength 5 against Toughness 5 at -1
    alone = {"name": "Plain", "toughness": 5, "wounds": 3}
    plain = mh.fight(foe, mh.make_unit("wh40k10", alone)).funnel
    assert plain["wounds"] / plain["hits"] == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("Fire Dragons", "Rules: Assured Destruction: reroll hit, reroll wound, reroll damage"),
        ("Rubric Marines", "Rules: Bringers of Change: reroll wound"),
        ("Vanquishers", "Rules: Lightning Strikes: damage"),
    ],
)
def test_explain_cites_the_ability(name: str, rule: str) -> None:
    imported, _ = pair(name)
    kind = "melee" if imported.system == "aos4" else "ranged"
    told = mh.fight(imported, foes(imported.system)[1], weapons=kind).explain()
    assert rule in told.splitlines()


@pytest.mark.parametrize("name", ["Khorne Berzerkers", "Liberators"])
def test_rules_about_other_things_are_not_named(name: str) -> None:
    imported, _ = pair(name)
    assert not [
        rule
        for rule in mh.fight(imported, foes(imported.system)[0]).not_counted
        if "Surge" in rule or "Stalwart" in rule
    ]
