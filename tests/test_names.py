"""Names: normalised, exact in the faction, then the game, then plural and words, then only suggested."""

from __future__ import annotations

import pytest

from mathhammer import load_unit, make_unit
from mathhammer.lists import Entry, Item
from mathhammer.lists.arming import armed
from mathhammer.names import Names, find_in, normal, singular
from mathhammer.units.unit import Weapon

NAMES = Names(
    [
        (name, name)
        for name in (
            "Kruleboyz Monsta-killaz",
            "Gutrippaz",
            "Hobgrot Vandalz",
            "Beast of Nurgle",
            "Auric Runesmiter on Magmadroth",
        )
    ]
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Khârn the Betrayer", "KHARN the  betrayer"),
        ("T’au flamer", "T'au flamer"),
        ("Shas'ui", "Shas‘ui"),
        ("Scourge of Aqshy: Megaboss", "Megaboss (Scourge of Aqshy)"),
        ("SoG Brutes", "Brutes [SoG]"),
        ("3x Gore-gruntas", "Gore gruntas"),
        ("10 Boingrot Bounderz", "Boingrot Bounderz"),
        ("Crypt Horrors (2 models)", "crypt horrors"),
        ("Lootas [Legends]", "➤ Lootas"),
    ],
)
def test_spellings_that_meet(one: str, other: str) -> None:
    assert normal(one) == normal(other)


def test_names_that_must_not_meet() -> None:
    assert normal("Brutes") != normal("Brutes (Scourge of Aqshy)")
    assert singular("boss") == "boss"


@pytest.mark.parametrize(
    ("name", "found", "how"),
    [
        ("GUTRIPPAZ", "Gutrippaz", "exact"),
        ("Gutrippa", "Gutrippaz", "plural"),
        ("Hobgrotz Vandalz", "Hobgrot Vandalz", "plural"),
        ("Beasts of Nurgle", "Beast of Nurgle", "plural"),
        ("Monsta-killaz", "Kruleboyz Monsta-killaz", "words"),
    ],
)
def test_how_a_name_is_found(name: str, found: str, how: str) -> None:
    match = NAMES.find(name)
    assert (match.thing, match.how) == (found, how)


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("Gutripperz", "Gutrippaz"),
        ("Auric Runesmiter", "Auric Runesmiter on Magmadroth"),
        ("Something else", ""),
        ("", ""),
    ],
)
def test_a_guess_is_only_suggested(name: str, suggestion: str) -> None:
    match = NAMES.find(name)
    assert (match.thing, match.suggestion) == (None, suggestion)


def test_after_many_names_of_nonsense_nothing_is_suggested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mathhammer.names.MOST_LOOKUPS", 2)
    names = Names([("Gutrippaz", 1)])
    misspelt = ("Gutripperz", "Gutrippuz", "Gutrippoz", "Gutrippyz", "Gutrippez")
    assert [names.find(name).suggestion for name in misspelt] == ["Gutrippaz"] * 3 + [""] * 2
    assert names.find("Gutrippa").thing == 1  # what is found needs no suggestion


def test_two_names_with_one_singular_decide_nothing() -> None:
    names = Names([("Hound", 1), ("Houndz", 2)])
    assert names.find("Hounds").thing is None
    assert names.find("hound").thing == 1


def test_the_faction_goes_first_and_exact_before_inexact() -> None:
    faction, whole = Names([("Wardens", "own")]), Names([("Wardens", "own"), ("Warden", "other")])
    assert find_in((faction, whole), "Wardens").thing == "own"
    assert find_in((faction, whole), "Warden").thing == "other"
    assert find_in((faction, whole), "Wardenz").thing == "own"


# --- weapons inside their unit --------------------------------------------------------------------------------------------


def weapons_in_hand(*items: Item, models: int) -> tuple[Weapon, ...]:
    base = {"attacks": 1, "skill": 3, "strength": 4, "damage": 1}
    rows = [
        ("Rifle", "ranged"),
        ("Gun (beam)", "ranged"),
        ("Gun (burst)", "ranged"),
        ("Cannon (x2)", "ranged"),
        ("Sword", "melee"),
        ("Close combat weapon", "melee"),
    ]
    unit = make_unit(
        "wh40k10",
        {
            "name": "U",
            "models": models,
            "toughness": 4,
            "wounds": 1,
            "weapon": [{"name": n, "kind": k, **base} for n, k in rows],
        },
    )
    made, unknown = armed(unit, Entry("U", items=items))
    assert [name for name, _ in unknown] == [item.name for item in items if item.name == "Banner"]
    return made.weapons


def weapons_of(*items: Item, models: int = 10) -> dict[str, tuple[int | None, bool]]:
    return {
        weapon.name: (weapon.bearers, weapon.optional) for weapon in weapons_in_hand(*items, models=models)
    }


def armed_unit(*items: Item, models: int) -> list[Weapon]:
    return [weapon for weapon in weapons_in_hand(*items, models=models) if not weapon.optional]


def test_weapons_are_given_to_as_many_as_the_list_says() -> None:
    found = weapons_of(
        Item("rifles", 9), Item("Gun"), Item("Sword", 1), Item("Close combat weapon", 10), Item("Banner")
    )
    assert found == {
        "Rifle": (9, False),
        "Gun (beam)": (1, False),
        "Gun (burst)": (1, True),  # the other mode of the same gun
        "Cannon (x2)": (None, True),
        "Sword": (1, False),
        "Close combat weapon": (None, False),  # one melee weapon each
    }


def test_several_of_the_same_gun_are_copies_of_it() -> None:
    carried = {
        weapon.label: weapon.bearers for weapon in armed_unit(Item("Rifle", 3), Item("Cannon", 2), models=1)
    }
    assert carried == {"3 x Rifle": None, "Cannon (x2)": None}  # a datasheet that has doubled it already
    uneven = {weapon.label: weapon.bearers for weapon in armed_unit(Item("Rifle", 5), models=3)}
    assert uneven == {"2 x Rifle": 2, "Rifle (2)": 1}
    swords = {weapon.label: weapon.bearers for weapon in armed_unit(Item("Sword", 2), models=1)}
    assert swords == {"Sword": None}  # a model strikes with one of them


@pytest.mark.parametrize(
    ("number", "carried"),
    [(1, {"2 x Hades autocannon"}), (2, {"2 x Hades autocannon"}), (4, {"4 x Hades autocannon"})],
)
def test_copies_that_the_datasheet_has_are_not_doubled(number: int, carried: set[str]) -> None:
    made, _ = armed(load_unit("Forgefiend", "wh40k10"), Entry("F", items=(Item("Hades autocannon", number),)))
    assert {weapon.label for weapon in made.weapons if not weapon.optional} == carried


def test_a_choice_that_gives_two_weapons_gives_both() -> None:
    found = weapons_of(Item("Rifles and Sword", 2), Item("Close combat weapon & Rifle"), Item("Banner"))
    assert {name: bearers for name, (bearers, optional) in found.items() if not optional} == {
        "Rifle": 3,
        "Sword": 2,
        "Close combat weapon": 1,
    }
    base = {
        "name": "U",
        "models": 2,
        "health": 1,
        "weapon": [{"name": "Claw", "attacks": 1, "hit": 3, "wound": 3, "damage": 1}],
    }
    _, unknown = armed(make_unit("aos4", base), Entry("U", items=(Item("Claw and Banner"),)))
    assert [name for name, _ in unknown] == ["Banner"]  # half of it is not taken for the whole


def test_a_list_without_weapons_changes_nothing() -> None:
    assert weapons_of()["Sword"] == (None, False)
    assert weapons_of(Item("Banner"))["Sword"] == (None, False)
