"""Profiles of rosters and catalogues: what kind they are, and their characteristics by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from mathhammer.battlescribe.tree import Node
from mathhammer.dataclass import dataclass
from mathhammer.games.discovery import family_of, listed_games
from mathhammer.text import clean, fold

Kind = Literal["unit", "melee", "ranged", "manifestation", "ability", "other"]
POINTS = "pts"
PRICES = ("points", "51b2-306e-1021-d207")  # the ids of that cost, in the order of the games
# by type id first, by name where a converter dropped the ids
KINDS: dict[str, Kind] = {
    "ff03-376e-972f-8ab2": "unit",
    "1287-3a-9799-7e40": "manifestation",
    "9074-76b6-9e2f-81e3": "melee",
    "1fd-a42f-41d3-fe05": "ranged",
    "c547-1836-d8a-ff4f": "unit",
    "f77d-b953-8fa4-b762": "ranged",
    "8a40-4aaa-c780-9046": "melee",
    "9cc3-6d83-4dd3-9b64": "ability",
    "unit": "unit",
    "manifestation": "manifestation",
    "melee weapon": "melee",
    "melee weapons": "melee",
    "ranged weapon": "ranged",
    "ranged weapons": "ranged",
    "abilities": "ability",
}


# core abilities of a unit that a datasheet has a field for
FLAGS = {"stealth": "stealth", "lone operative": "lone_operative", "fights first": "fights_first"}


# profiles that are neither models nor weapons, and no rules either
NO_RULES = frozenset({"transport", "leader", "battle tactic card"})


# characteristics of a weapon, whatever its profile is called, such as "C'tan Powers"
WEAPON = frozenset({"range", "a", "s", "ap", "d"})
SKILLS: tuple[tuple[str, Kind], ...] = (("bs", "ranged"), ("ws", "melee"))


def kind_of(node: Node) -> Kind:
    """What a `profile` element describes: by its type, else a weapon by its characteristics.

    >>> [kind_of(Node("profile", {"typeName": name})) for name in ("Melee Weapon", "Orders")]
    ['melee', 'other']
    """
    if _is_known(node):
        return KINDS.get(node.get("typeId")) or KINDS[node.get("typeName").strip().lower()]
    names = {item.name.strip().lower() for item in node.items("characteristics")}
    if names >= WEAPON:
        return next((kind for skill, kind in SKILLS if skill in names), "other")
    return "other"


def _is_known(node: Node) -> bool:
    return node.get("typeId") in KINDS or node.get("typeName").strip().lower() in KINDS


def is_ability(node: Node) -> bool:
    """Whether a `profile` element describes a rule of a unit: what is neither a model nor a weapon does.

    >>> [is_ability(Node("profile", {"typeName": name})) for name in ("Ability (Passive)", "Unit", "Orders")]
    [True, False, True]
    """
    named, kind = node.get("typeName").strip().lower(), kind_of(node)
    return kind == "ability" or (kind == "other" and bool(named) and named not in NO_RULES)


@dataclass(frozen=True, slots=True)
class Profile:
    """One profile: its name, what it describes, and its characteristics."""

    name: str
    kind: Kind
    values: tuple[tuple[str, str], ...]

    def get(self, *names: str) -> str:
        """The first of these characteristics that the profile has; empty when none."""
        values = dict(self.values)
        return next((values[name] for name in names if name in values), "")


def game_ids() -> dict[str, str]:
    """The ids that catalogues and rosters give the games, and the games.

    >>> game_ids()["e51d-b1a3-75fc-dc3g"]
    'aos4'
    """
    return {id_: key for key, lists in listed_games().items() for id_ in lists.ids}


def other_games() -> dict[str, str]:
    """The ids of games and editions that are known and not read, and what they are called.

    >>> other_games()["28ec-711c-d87f-3aeb"]
    'Warhammer 40,000, 9th edition or older'
    """
    return {id_: title for lists in listed_games().values() for id_, title in lists.others}


def read_profile(node: Node) -> Profile:
    """A `profile` element.

    >>> read_profile(Node("profile", {"name": "Claws", "typeName": "Melee Weapon"})).kind
    'melee'
    """
    kind = kind_of(node)
    values = tuple((item.name, item.text or item.get("value")) for item in node.items("characteristics"))
    name, type_ = (clean(fold(node.get(key))) for key in ("name", "typeName"))
    if kind in ("melee", "ranged") and not _is_known(node):
        name = f"➤ {type_} - {name}"  # as catalogues write one of several profiles to choose from
    return Profile(name, kind, values)


def profiles_of(node: Node) -> Iterator[Profile]:
    """The profiles that hang on an element itself."""
    return (read_profile(child) for child in node.items("profiles"))


_BOOKKEEPING = {
    "configuration",
    "unit",
    "ranged weapon",
    "melee weapon",
    "psychic weapon",
    "extra attacks weapon",
    "pistol weapon",
    "crucible",
    "uncategorised",
    "illegal units",
}


def keywords_of(system: str, categories: list[str]) -> list[str]:
    """The keywords among the categories: catalogues also use categories for their own bookkeeping.

    >>> keywords_of("aos4", ["INFANTRY", "Regimental Option", "WARD (5+)", "CHAMPION (1/10)"])
    ['infantry', 'champion (1/10)']
    >>> keywords_of("wh40k10", ["Faction: Necrons", "Infantry", "Attacks Dx Weapon", "Unit"])
    ['necrons', 'infantry']
    """
    keywords: dict[str, None] = {}
    for raw in categories:
        name = clean(fold(raw))
        if family_of(system) == "sigmar":
            if not name or name != name.upper() or ward_of([name]) is not None:
                continue
        else:
            name = name.removeprefix("Faction:").strip()
            if (
                name.lower() in _BOOKKEEPING
                or name.lower().endswith(" dx weapon")
                or name.lower().startswith("non-")
            ):
                continue
        keywords[name.lower()] = None
    return [name for name in keywords if name]


_WARD = re.compile(r"WARD \(([2-6])\+\)")


def ward_of(categories: list[str]) -> int | None:
    """The ward that a category gives.

    >>> ward_of(["INFANTRY", "WARD (5+)"])
    5
    """
    wards = [
        int(match[1]) for match in map(_WARD.fullmatch, (clean(fold(name)) for name in categories)) if match
    ]
    return min(wards) if wards else None
