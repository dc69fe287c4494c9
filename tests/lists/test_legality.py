"""Legality: every rule of army building, broken and kept; what the data does not tell is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from roster_files import ROSTERS, SHEETS

from mathhammer.lists import Block, Entry, Extra, Finding, Roster, check_list, read_roster
from mathhammer.units.roster import Standard

HERO = Entry("Warden", 100, 1, keywords=("hero", "emberfolk"))
GENERAL = replace(HERO, general=True)
TROOP = Entry("Guards", 100, 10, keywords=("infantry", "emberfolk"))
MASTER = Entry("Matriarch", 300, 1, keywords=("hero", "unique", "warmaster", "emberfolk"))


def aos(*blocks: Block, **changes: object) -> Roster:
    army = Roster(
        "aos4",
        faction="Emberfolk",
        formation="Host",
        limit=2000,
        blocks=blocks or (regiment(GENERAL, TROOP),),
    )
    return replace(army, **changes)  # type: ignore[arg-type]


def regiment(*entries: Entry, kind: str = "regiment", name: str = "Regiment") -> Block:
    return Block(name, kind, entries)  # type: ignore[arg-type]


def found(army: Roster, verdict: str = "broken", limit: int | None = None) -> list[str]:
    return [
        str(finding).removeprefix(f"{verdict} ")
        for finding in check_list(army, limit)
        if finding.verdict == verdict
    ]


@pytest.mark.rule("AOS4-AC-1.2.1")
def test_a_legal_list_breaks_nothing() -> None:
    assert found(aos()) == []
    assert found(aos(), "note") == [
        "AC-1.2.1: at least 50 points below the limit: one more command point in the first round"
    ]


@pytest.mark.rule(
    "AOS4-AC-3.1",
    "AOS4-AC-3.2",
    "AOS4-AMB-22",
    "AOS4-AC-3.5",
    "AOS4-AC-1.2",
    "AOS4-AMB-13",
    "AOS4-AC-3.3",
    "AOS4-AC-3.4",
    "AOS4-AC-3.7",
    "AOS4-AC-4.1",
    "AOS4-AC-4.2",
)
@pytest.mark.parametrize(
    ("army", "broken"),
    [
        (aos(*[regiment(GENERAL if n == 0 else HERO) for n in range(6)]), ["AC-3.1: 6 regiments (1 to 5 are allowed)"]),
        (aos(regiment(TROOP, kind="auxiliary")), ["AC-3.1: 0 regiments (1 to 5 are allowed)", "AC-3.2: no general is named (exactly one leads the army)"]),
        (aos(regiment(GENERAL, *[TROOP] * 4)), []),
        (aos(regiment(GENERAL, *[TROOP] * 5)), ["AC-3.1: Regiment: 5 units beside its leader (4 are allowed)"]),
        (aos(regiment(GENERAL), regiment(HERO, *[TROOP] * 4, name="Second")), ["AC-3.1: Second: 4 units beside its leader (3 are allowed)"]),
        (aos(regiment(GENERAL), regiment(HERO, HERO, *[TROOP] * 2, name="Second")), []),
        (aos(regiment(GENERAL), regiment(HERO, HERO, *[TROOP] * 3, name="Second")), ["AC-3.1: Second: 4 units beside its leader (3 are allowed)"]),  # AMB-22
        (aos(regiment(GENERAL), regiment(TROOP, name="Second")), ["AC-3.1: Second: no hero leads it"]),
        (aos(regiment(HERO, TROOP)), ["AC-3.2: no general is named (exactly one leads the army)"]),
        (aos(regiment(GENERAL), regiment(GENERAL)), ["AC-3.2: 2 generals (exactly one leads the army)"]),
        (aos(regiment(HERO, replace(TROOP, general=True))), ["AC-3.2: Guards: the general is not a hero"]),
        (aos(regiment(HERO), regiment(GENERAL, kind="auxiliary")), ["AC-3.2: Warden: the general leads no regiment"]),
        (aos(regiment(HERO), regiment(GENERAL, kind="renown", name="Lost")), ["AC-3.5: Warden: the general comes from a Regiment of Renown"]),
        (aos(regiment(GENERAL, MASTER)), ["AC-3.2: Matriarch has the keyword WARMASTER, so one of those must be the general"]),
        (aos(regiment(replace(MASTER, general=True), HERO)), []),
        (aos(regiment(GENERAL), regiment(MASTER, kind="renown")), []),  # AC-3.5: members of a Regiment of Renown do not count
        (aos(regiment(GENERAL, replace(TROOP, points=1010))), ["AC-1.2: Guards: 1010 points, more than half of 2000"]),
        (aos(regiment(GENERAL, replace(TROOP, points=1000))), []),  # AMB-13: half of the limit, not of the points spent
        (aos(regiment(GENERAL, *[replace(TROOP, points=950)] * 2)), []),
        (aos(regiment(GENERAL, *[replace(TROOP, points=951)] * 2)), ["AC-1.2: 2002 points where 2000 are allowed"]),
        (aos(regiment(GENERAL, replace(TROOP, models=2, reinforced=True))), ["AC-3.3: Guards: reinforced, but its minimum size is 1"]),
        (aos(regiment(GENERAL, replace(TROOP, models=20, reinforced=True))), []),
        (aos(regiment(replace(MASTER, general=True), MASTER)), ["AC-3.4: Matriarch: unique, but there 2 times"]),
        (aos(regiment(replace(MASTER, general=True, reinforced=True, models=6))), ["AC-3.4: Matriarch: unique, but reinforced"]),
        (aos(regiment(replace(MASTER, general=True, enhancements=(Extra("Brand", kind="artefact"),)))), ["AC-3.4: Matriarch: unique, but has Brand"]),
        (
            aos(regiment(GENERAL), *[regiment(TROOP, kind="renown", name=f"Lost {n}") for n in range(2)]),
            ["AC-3.5: 2 Regiments of Renown (1 is allowed unless a profile says otherwise)"],
        ),
        (
            aos(regiment(GENERAL), regiment(replace(TROOP, enhancements=(Extra("Brand"),)), kind="renown")),
            ["AC-3.5: Guards: of a Regiment of Renown, but has Brand"],
        ),
        (aos(regiment(GENERAL), regiment(Entry("A", 0), Entry("B", 0), kind="terrain")), ["AC-3.7: 2 faction terrain features (A, B; 1 is allowed)"]),
        (
            aos(regiment(replace(GENERAL, enhancements=(Extra("Brand", kind="artefact"), Extra("Ring", kind="artefact"))))),
            ["AC-4.1: Warden: 2 enhancements of one type (artefact)"],
        ),
        (
            aos(regiment(replace(GENERAL, enhancements=(Extra("Brand"),))), regiment(replace(HERO, enhancements=(Extra("brand"),)))),
            ["AC-4.1: Brand is there 2 times (each enhancement once)"],
        ),
        (aos(lores=(Extra("A", kind="spell"), Extra("B", kind="spell"), Extra("C", kind="prayer"))), ["AC-4.2: 2 spell lores (1 is allowed)"]),
    ],
)  # fmt: skip
def test_broken_rules_of_age_of_sigmar(army: Roster, broken: list[str]) -> None:
    assert found(army) == broken


@pytest.mark.rule(
    "AOS4-AC-1.2",
    "AOS4-AC-3.1",
    "AOS4-AMB-23",
    "AOS4-AC-2.0",
    "AOS4-AC-4.1",
    "AOS4-AC-3.6",
    "AOS4-AC-2.2",
    "AOS4-AC-2.1",
    "AOS4-AC-3.2",
    "AOS4-AC-3.3",
    "AOS4-AC-3.4",
    "AOS4-AC-3.5",
)
@pytest.mark.parametrize(
    ("army", "verdict", "what"),
    [
        (aos(regiment(GENERAL), Block("Lost", "renown", (TROOP,), points=1100)), "warning", "AC-1.2: Lost: this package costs 1100 points, more than half of 2000"),
        (aos(*[regiment(GENERAL if n == 0 else HERO) for n in range(5)], regiment(TROOP, kind="renown")), "warning", "AC-3.1: 5 regiments and a Regiment of Renown (some count it as a sixth regiment)"),  # AMB-23
        (aos(regiment(GENERAL, replace(TROOP, keywords=("infantry",)))), "warning", "AC-2.0: Guards: does not have the keyword EMBERFOLK (its battle profile must allow it)"),
        (aos(declared=210), "warning", "AC-1.2: 210 points declared, 200 counted"),
        (aos(drops=3), "warning", "glossary: 3 drops declared, 1 counted"),
        (aos(regiment(replace(GENERAL, enhancements=(Extra("A", kind="Trait"),))), regiment(replace(HERO, enhancements=(Extra("B", kind="trait"),)))), "warning", "AC-4.1: 2 enhancements of the type trait (1, unless an ability grants more)"),
        (aos(regiment(GENERAL), regiment(TROOP, kind="auxiliary")), "note", "AC-3.6: 1 auxiliary unit: an opponent with fewer has one more command point each round"),
        (aos(regiment(GENERAL), regiment(HERO, kind="auxiliary")), "cannot check", "AC-3.6: whether Warden must lead a regiment (mandatory regiment options)"),
        (aos(limit=None), "cannot check", "AC-1.2: the list has no points limit (give --limit)"),
        (aos(faction=""), "cannot check", "AC-2.0: the list names no faction"),
        (aos(formation=""), "cannot check", "AC-2.1: the list names no battle formation; whether the faction has one is not in the data"),
        (aos(formation="", army_of_renown=True), "cannot check", "AC-2.2: what the Army of Renown puts in place of the faction's rules: it is not in the data"),
        (aos(regiment(GENERAL, replace(TROOP, points=None))), "cannot check", "AC-1.2: no points are given for Guards"),
        (aos(regiment(GENERAL, HERO)), "cannot check", "AC-3.1: Regiment: whether Warden may join another hero's regiment"),
        (aos(), "cannot check", "AC-3.1: whether each hero's battle profile allows the units beside it: it is not in the data"),
        (aos(regiment(Entry("X", 1, general=True))), "cannot check", "AC-3.1: Regiment: whether a hero leads it: keywords of X are not known"),
        (aos(regiment(Entry("X", 1, general=True))), "cannot check", "AC-3.2: X: whether the general is a hero: its keywords are not known"),
        (aos(regiment(GENERAL, Entry("X", 1, reinforced=True))), "cannot check", "AC-3.3: X: whether it may be reinforced: its minimum size is not known"),
        (aos(regiment(GENERAL, Entry("X", 1), Entry("X", 1))), "cannot check", "AC-3.4: whether X are unique: their keywords are not known"),
        (aos(regiment(GENERAL), regiment(TROOP, kind="renown", name="Lost")), "cannot check", "AC-3.5: Lost: whether it may join Emberfolk: it is not in the data"),
        (aos(regiment(replace(GENERAL, enhancements=(Extra("Brand"),)))), "cannot check", "AC-4.1: from which tables the enhancements come: Brand"),
    ],
)  # fmt: skip
def test_what_else_is_said_about_age_of_sigmar(army: Roster, verdict: str, what: str) -> None:
    assert what in found(army, verdict)
    assert found(army) == [] or "whether a hero leads it" in what


GUARDS = replace(TROOP, standard=Standard(10, 100, "Emberfolk"))
STRANGERS = replace(TROOP, name="Rats", keywords=("infantry", "skaven"), standard=Standard(10, 100, "Skaven"))
TOTEM = Entry("Totem", 0, keywords=("faction terrain", "emberfolk"))


def carrying(entry: Entry, kind: str) -> Entry:
    return replace(entry, enhancements=(Extra("Brand", kind=kind),))


@pytest.mark.rule("AOS4-AC-3.3")
@pytest.mark.parametrize(
    ("guards", "broken"),
    [
        (GUARDS, []),
        (replace(GUARDS, models=None), []),
        (replace(GUARDS, models=7), ["AC-3.3: Guards: 7 models (10, or 20 when it is reinforced)"]),
        (replace(GUARDS, models=15, points=150), ["AC-3.3: Guards: 15 models (10, or 20 when it is reinforced)"]),
        (replace(GUARDS, models=30, points=300), ["AC-3.3: Guards: 30 models (10, or 20 when it is reinforced)"]),
        (replace(GUARDS, models=20, points=200), []),  # many lists give the number alone
        (replace(GUARDS, models=20, points=200, reinforced=True), []),
        (replace(GUARDS, models=None, points=200, reinforced=True), []),
        (replace(GUARDS, models=10, points=200, reinforced=True), ["AC-3.3: Guards: reinforced to 10 models (10, or 20 when it is reinforced)"]),
        (replace(GUARDS, models=20), ["AC-3.3: Guards: reinforced, but costs 100 points as at its smallest size (200 are right)"]),
        (replace(GUARDS, models=20, reinforced=True), ["AC-3.3: Guards: reinforced, but costs 100 points as at its smallest size (200 are right)"]),
        (replace(GUARDS, models=2, standard=Standard(1, 100, "Emberfolk"), points=200), ["AC-3.3: Guards: 2 models (1)"]),
    ],
)  # fmt: skip
def test_sizes_and_points_against_the_datasheets(guards: Entry, broken: list[str]) -> None:
    assert found(aos(regiment(GENERAL, guards))) == broken


@pytest.mark.rule("AOS4-AC-3.3")
def test_a_reinforced_unit_costs_twice_what_the_same_list_pays_for_the_other() -> None:
    twice = replace(TROOP, models=20, reinforced=True)
    assert found(aos(regiment(GENERAL, TROOP, replace(twice, points=200)))) == []
    assert found(aos(regiment(GENERAL, TROOP, twice))) == [
        "AC-3.3: Guards: reinforced, but costs 100 points as at its smallest size (200 are right)"
    ]


@pytest.mark.rule("AOS4-AC-2.0", "AOS4-AC-3.7", "AOS4-AC-4.1")
@pytest.mark.parametrize(
    ("army", "broken"),
    [
        (aos(regiment(GENERAL, STRANGERS)), ["AC-2.0: Rats: is not of the faction Emberfolk, but of Skaven"]),
        (aos(regiment(GENERAL), regiment(STRANGERS, kind="renown", name="Lost")), []),
        (aos(regiment(GENERAL, STRANGERS), army_of_renown=True), []),
        (aos(regiment(GENERAL), regiment(TOTEM, kind="terrain")), []),
        (
            aos(regiment(GENERAL), regiment(replace(TOTEM, keywords=("skaven",)), kind="terrain")),
            ["AC-3.7: Totem: is not terrain of Emberfolk"],
        ),
        (aos(regiment(carrying(GENERAL, "Artefacts of Power"), TROOP)), []),
        (
            aos(regiment(GENERAL, carrying(TROOP, "artefact"))),
            ["AC-4.1: Guards: is not a hero, but has Brand (artefact)"],
        ),
        (
            aos(regiment(GENERAL, carrying(TROOP, "Heroic Traits"))),
            ["AC-4.1: Guards: is not a hero, but has Brand (Heroic Traits)"],
        ),
        (aos(regiment(GENERAL, carrying(TROOP, "Moulder upgrades"))), []),
        (
            aos(
                regiment(
                    carrying(replace(GENERAL, keywords=("hero", "infantry", "emberfolk")), "mount trait")
                )
            ),
            ["AC-4.1: Warden: is on foot, but has Brand (mount trait)"],
        ),
        (
            aos(
                regiment(carrying(replace(GENERAL, keywords=("hero", "monster", "emberfolk")), "mount trait"))
            ),
            [],
        ),
    ],
)
def test_factions_terrain_and_bearers(army: Roster, broken: list[str]) -> None:
    assert found(army) == broken


@pytest.mark.rule("AOS4-AC-1.2", "AOS4-AC-2.0", "AOS4-AC-3.3", "AOS4-AC-3.7", "AOS4-AC-4.1")
@pytest.mark.parametrize(
    ("army", "verdict", "what"),
    [
        (
            aos(regiment(GENERAL, replace(GUARDS, points=120, enhancements=(Extra("Brand", 10),)))),
            "note",
            "AC-1.2: other points than in the datasheets (in brackets): Guards 110 (100)",
        ),
        (
            aos(regiment(GENERAL, replace(STRANGERS, keywords=("unique", "skaven")))),
            "warning",
            "AC-2.0: Rats: does not have the keyword EMBERFOLK (its battle profile must allow it)",
        ),
        (
            aos(regiment(GENERAL, TROOP)),
            "cannot check",
            "AC-3.3: the unit sizes of Guards: their smallest sizes are not known",
        ),
        (
            aos(regiment(GENERAL), regiment(replace(TOTEM, points=20), kind="terrain")),
            "warning",
            "AC-3.7: Totem: costs 20 points (faction terrain is free unless the battlepack prices it)",
        ),
        (
            aos(
                regiment(GENERAL),
                regiment(replace(TOTEM, points=20), kind="terrain"),
                battlepack="General's Handbook 2024-25",
            ),
            "warning",
            "AC-3.7: Totem: costs 20 points (faction terrain is free unless the battlepack prices it)",
        ),
        (
            aos(
                regiment(GENERAL),
                regiment(replace(TOTEM, points=20), kind="terrain"),
                battlepack="General's Handbook 2025-26",
            ),
            "note",
            "AC-3.7: Totem: costs 20 points (handbooks from 2025-26 on price faction terrain)",
        ),
        (
            aos(regiment(GENERAL), regiment(Entry("Totem", 0), kind="terrain")),
            "cannot check",
            "AC-3.7: Totem: whether it is terrain of Emberfolk: its keywords are not known",
        ),
        (
            aos(regiment(carrying(GENERAL, "mount trait"))),
            "cannot check",
            "AC-4.1: Warden: whether it has a mount for Brand (mount trait): its keywords do not say",
        ),
        (
            aos(regiment(GENERAL, carrying(Entry("X", 1), "artefact"))),
            "cannot check",
            "AC-4.1: X: whether it may have Brand (artefact): its keywords are not known",
        ),
    ],
)
def test_doubts_about_units(army: Roster, verdict: str, what: str) -> None:
    assert what in found(army, verdict)
    assert found(army) == []


@pytest.mark.rule("AOS4-AC-3.3")
@pytest.mark.parametrize(("models", "legal"), [(7, False), (20, True), (40, True), (60, False)])
def test_sizes_of_clanrats_come_from_the_shipped_datasheets(models: int, legal: bool) -> None:
    text = (
        'system = "aos4"\nfaction = "Skaven"\n[[regiment]]\n[[regiment.unit]]\nname = "Clawlord"\ngeneral = true\n'
        f'[[regiment.unit]]\nname = "Clanrats"\nmodels = {models}\n'
    )
    assert [what for what in found(read_roster(text)) if "Clanrats" in what] == (
        [] if legal else [f"AC-3.3: Clanrats: {models} models (20, or 40 when it is reinforced)"]
    )


@pytest.mark.rule("AOS4-AC-1.2.1", "AOS4-AMB-15")
def test_the_bonus_begins_at_fifty_points() -> None:
    def army(points: int) -> Roster:
        return aos(regiment(GENERAL, *[replace(TROOP, points=900)] * 2, replace(TROOP, points=points - 1900)))

    assert any("AC-1.2.1" in note for note in found(army(1950), "note"))  # AMB-15: exactly fifty will do
    assert not any("AC-1.2.1" in note for note in found(army(1951), "note"))


# --- 40k ------------------------------------------------------------------------------------------------------------------

LORD = Entry("Marshal", 80, 1, keywords=("character", "glass choir"), general=True, role="Character")
SQUAD = Entry("Squad", 100, 5, keywords=("infantry", "glass choir"))
LINE = Entry("Line", 50, 10, keywords=("battleline", "glass choir"))
EPIC = Entry("Vesper", 110, 1, keywords=("character", "epic hero", "glass choir"))
CROWN, BELL = Extra("Crown", 10, "enhancement"), Extra("Bell", 10, "enhancement")


def choir(*entries: Entry, **changes: object) -> Roster:
    army = Roster(
        "wh40k10",
        faction="Glass Choir",
        formation="Lance",
        battlepack="Strike Force",
        blocks=(Block("Army", "detachment", (LORD, *entries)),),
    )
    return replace(army, **changes)  # type: ignore[arg-type]


@pytest.mark.rule(
    "WH40K-ROSTER", "WH40K-BATTLELINEIF", "WH40K-SIZE", "WH40K-WARLORD", "WH40K-ENH", "WH40K-LEADER"
)
@pytest.mark.parametrize(
    ("army", "broken"),
    [
        (choir(SQUAD, LINE, EPIC), []),
        (choir(*[SQUAD] * 3), []),
        (choir(*[SQUAD] * 4), ["WH40K-ROSTER: Squad: there 4 times (3 are allowed, 6 of Battleline and Dedicated Transports)"]),
        (choir(*[LINE] * 6), []),
        (choir(*[LINE] * 7), ["WH40K-ROSTER: Line: there 7 times (6 are allowed)"]),
        (choir(*[replace(SQUAD, role="BATTLELINE")] * 4), []),  # WH40K-BATTLELINEIF
        (choir(*[replace(SQUAD, keywords=("dedicated transport",))] * 6), []),
        (choir(EPIC, EPIC), ["WH40K-ROSTER: Vesper: an Epic Hero, but there 2 times"]),
        (choir(*[replace(LINE, points=320)] * 6), []),
        (choir(*[replace(LINE, points=321)] * 6), ["WH40K-SIZE: 2006 points where 2000 are allowed"]),
        (choir(blocks=(Block("Army", "detachment", (SQUAD,)),)), ["WH40K-WARLORD: no warlord is named"]),
        (choir(replace(EPIC, general=True)), ["WH40K-WARLORD: 2 warlords: Marshal, Vesper"]),
        (choir(blocks=(Block("Army", "detachment", (replace(SQUAD, general=True),)),)), ["WH40K-WARLORD: Squad: the warlord is not a Character"]),
        (choir(replace(SQUAD, enhancements=(CROWN,))), ["WH40K-ENH: Squad: no Character, but has Crown"]),
        (choir(replace(EPIC, enhancements=(CROWN,))), ["WH40K-ENH: Vesper: an Epic Hero, but has Crown"]),
        (choir(replace(LORD, general=False, enhancements=(CROWN, BELL))), ["WH40K-ENH: Marshal: 2 Enhancements on one unit"]),
        (choir(*[replace(LORD, general=False, name=f"M{n}", enhancements=(Extra(f"E{n}"),)) for n in range(4)]), ["WH40K-ENH: 4 Enhancements (3 are allowed)"]),
        (choir(*[replace(LORD, general=False, name=f"M{n}", enhancements=(CROWN,)) for n in range(2)]), ["WH40K-ENH: Crown is there 2 times (each once)"]),
        (choir(replace(EPIC, leads="Nobody")), ["WH40K-LEADER: Vesper: joins Nobody, which is not in the list"]),
        (choir(SQUAD, *[replace(LORD, general=False, name=f"M{n}", leads="Squad") for n in range(3)]), ["WH40K-LEADER: squad: 3 leaders join it (1 of it, never more than two each)"]),
    ],
)  # fmt: skip
def test_broken_rules_of_40k(army: Roster, broken: list[str]) -> None:
    assert found(army) == broken


@pytest.mark.rule(
    "WH40K-SIZE",
    "WH40K-ROSTER",
    "WH40K-WARLORD",
    "WH40K-ENH",
    "WH40K-LEADER",
    "WH40K-RESERVES",
    "WH40K-OPTIONS",
    "WH40K-BATTLELINEIF",
)
@pytest.mark.parametrize(
    ("army", "verdict", "what"),
    [
        (choir(battlepack=""), "cannot check", "WH40K-SIZE: the list has no points limit (give --limit)"),
        (choir(formation=""), "cannot check", "WH40K-ROSTER: the list names no detachment"),
        (choir(faction=""), "cannot check", "WH40K-ROSTER: the list names no faction"),
        (choir(*[Entry("X", 1)] * 4), "cannot check", "WH40K-ROSTER: X: there 4 times (3 are allowed, 6 of Battleline and Dedicated Transports)"),
        (choir(*[Entry("X", 1)] * 2), "cannot check", "WH40K-ROSTER: X: there 2 times: whether it is an Epic Hero is not known"),
        (choir(replace(SQUAD, keywords=("infantry",))), "warning", "WH40K-ROSTER: Squad: does not have the keyword GLASS CHOIR (a rule must allow it)"),
        (choir(blocks=(Block("A", "detachment", (Entry("X", 1, general=True),)),)), "cannot check", "WH40K-WARLORD: X: whether the warlord is a Character: its keywords are not known"),
        (choir(Entry("X", 1, enhancements=(CROWN,))), "cannot check", "WH40K-ENH: X: whether it is a Character: its keywords are not known"),
        (choir(SQUAD, replace(EPIC, leads="Squad"), replace(LORD, name="M", general=False, leads="Squad")), "warning", "WH40K-LEADER: squad: 2 leaders join it (a second one needs a rule that says so)"),
        (choir(SQUAD, replace(EPIC, leads="Squad")), "cannot check", "WH40K-LEADER: which units a Leader may join: it is not in the data"),
        (choir(replace(SQUAD, keywords=("dedicated transport",))), "cannot check", "WH40K-LEADER: whether every Dedicated Transport starts with a unit embarked: a list does not say"),
        (choir(), "cannot check", "WH40K-RESERVES: which units start in Strategic Reserves: a list does not say"),
        (choir(), "cannot check", "WH40K-OPTIONS: wargear options: they are not in the data"),
        (choir(declared=90), "warning", "WH40K-SIZE: 90 points declared, 80 counted"),
    ],
)  # fmt: skip
def test_what_else_is_said_about_40k(army: Roster, verdict: str, what: str) -> None:
    assert what in found(army, verdict)


@pytest.mark.rule("WH40K-ROSTER")
@pytest.mark.parametrize(
    ("models", "least", "verdict", "what"),
    [
        (4, 5, "broken", "WH40K-ROSTER: Squad: 4 models (at least 5)"),
        (1, 5, "broken", "WH40K-ROSTER: Squad: 1 model (at least 5)"),
        (11, 5, "warning", "WH40K-ROSTER: Squad: 11 models, where its smallest size is 5 (most units double it at most)"),
        (4, 1, "warning", "WH40K-ROSTER: Squad: 4 models, where its smallest size is 1 (most units double it at most)"),
        (5, None, "cannot check", "WH40K-ROSTER: the unit sizes of Squad: their smallest sizes are not known"),
    ],
)  # fmt: skip
def test_sizes_of_40k_units(models: int, least: int | None, verdict: str, what: str) -> None:
    standard = None if least is None else Standard(least, 100, "Glass Choir")
    assert what in found(choir(replace(SQUAD, models=models, standard=standard)), verdict)


@pytest.mark.rule("WH40K-ROSTER")
@pytest.mark.parametrize(("models", "least"), [(5, 5), (7, 5), (10, 5), (3, 1), (None, 5)])
def test_sizes_of_40k_units_that_are_right(models: int | None, least: int) -> None:
    army = choir(replace(SQUAD, models=models, standard=Standard(least, 100, "Glass Choir")))
    assert found(army) == found(army, "warning") == []
    assert not any("sizes" in what for what in found(army, "cannot check"))


# --- Diskwars and others --------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-ARMY-7", "DW-ARMY-11", "DW-ARMY-12", "DW-ARMY-14", "DW-ARMY-1")
def test_diskwars_asks_the_game() -> None:
    army = read_roster(ROSTERS / "diskwars.toml")
    assert found(army) == [
        "DW-ARMY-7: regiment 1: 1 small units against 2 medium and large ones",
        "DW-ARMY-11: 2 command cards where the heroes bring 1",
        "DW-ARMY-12: the command card March is there 2 times",
    ]
    assert found(army, "note") == ["DW-ARMY-14: 1 unspent points: the initiative bonus"]
    assert found(replace(army, limit=None), "cannot check") == [
        "DW-ARMY-1: how many regiments were agreed: the list has no limit (2 short, 3 long game)"
    ]
    many = replace(army, blocks=army.blocks * 3)
    assert "DW-ARMY-1: 3 regiments where 2 were agreed" in found(many)


@pytest.mark.rule("DW-ARMY-7")
def test_diskwars_says_where_sizes_are_assumed() -> None:
    """DW-ARMY-7: the Bloodthirster is not small, but whether it is large is assumed."""
    text = 'system = "diskwars"\nlimit = 1\n[[regiment]]\nhero = "Kairos Fateweaver"\n'
    army = read_roster(text + 'units = ["Bloodthirster", "Kurgan Marauders"]\n')
    assert found(army, "cannot check") == [
        "DW-ARMY-7: the sizes of Bloodthirster (large) are assumed, so numbers by size may be wrong"
    ]


def test_diskwars_without_figures_cannot_be_checked() -> None:
    army = read_roster('system = "diskwars"\n[[regiment]]\nhero = "Karl Franz"\nunits = ["Orc Boys"]\n')
    (finding,) = check_list(army)
    assert finding.verdict == "cannot check"
    assert finding.rule == "DW-ARMY"
    assert finding.what.startswith("army: regiment 1")


def test_games_without_rules_for_armies() -> None:
    assert check_list(Roster("uprising")) == (
        Finding("cannot check", "army", "no rules for building armies are known for uprising"),
    )


@pytest.mark.rule("AOS1-ARMY")
def test_the_first_edition_of_age_of_sigmar_allows_everything() -> None:
    army = read_roster('system = "aos1"\n[[regiment]]\n[[regiment.unit]]\nname = "X"\n')
    assert check_list(army) == (
        Finding("note", "AOS1-ARMY", "no points and no limits: 1 unit, all of them allowed"),
    )


# --- lists of every kind --------------------------------------------------------------------------------------------------


@pytest.mark.rule("AOS4-AC-3.2", "WH40K-ENH")
@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("army.toml", []),
        ("kilns.ros", []),
        ("listbot.txt", []),
        (
            "newrecruit_aos.txt",
            [
                "AC-3.3: Cinderguard: reinforced, but costs 140 points as at its smallest size (280 are right)",
                "AC-3.2: no general is named (exactly one leads the army)",
            ],
        ),
        ("glass.ros", []),
        ("wh40k_app.txt", []),
        ("newrecruit_gw.txt", []),  # its detachment makes the Prism Walker a Character
    ],
)
def test_lists_of_our_own(name: str, broken: list[str]) -> None:
    assert found(read_roster(ROSTERS / name, datasheets=SHEETS)) == broken


@pytest.mark.rule("AOS4-AC-3.3", "AOS4-AC-3.4")
def test_keywords_come_from_the_datasheets(tmp_path: Path) -> None:
    text = 'system = "aos4"\nfaction = "Emberfolk"\nlimit = 1000\n[[regiment]]\n[[regiment.unit]]\nname = "Matriarch Sol"\npoints = 300\ngeneral = true\nreinforced = true\n'
    army = read_roster(text, datasheets=SHEETS)
    assert found(army) == [
        "AC-3.3: Matriarch Sol: reinforced, but its minimum size is 1",
        "AC-3.4: Matriarch Sol: unique, but reinforced",
    ]
