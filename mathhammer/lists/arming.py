"""The weapons a list names, put into the hands of the unit its datasheet describes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from mathhammer.games.discovery import attacks_of
from mathhammer.names import Match, Names, normal
from mathhammer.units.copies import shares
from mathhammer.units.roster import Entry
from mathhammer.units.unit import Unit, Weapon

_MODE = re.compile(r"(.{1,300}?) ?(?:\(.{1,300}\)|: .+)")
_COPY = re.compile(r"(.+) \((\d{1,2})\)")
_AND = re.compile(r" and | & |, ")
_SURE = ("exact", "plural")
_NUMBERED = re.compile(r"(\d{1,2}) (.+)")
_TIMES = re.compile(r".+ \(x(\d{1,2})\)")


def armed(unit: Unit, entry: Entry) -> tuple[Unit, list[tuple[str, str]]]:
    """The unit with the weapons the list names, and the named things that are no weapon of its datasheet.

    A weapon is only looked for inside its unit; a list that names none leaves the datasheet's usual weapons.
    """
    carried = {name: number for name, number in entry.carried().items() if not _is_model(name, entry)}
    if not carried:
        return unit, []
    weapons = _without_copies(unit.weapons)
    chosen, unknown = _chosen(weapons, _rejoined(weapons, carried))
    if not chosen:
        return unit, unknown
    seen: Counter[tuple[str, str]] = Counter()
    usual = Counter((_family(weapon.name), weapon.kind) for weapon in weapons if not weapon.optional)
    choices = {(_family(weapon.name), weapon.kind) for weapon in weapons if weapon.optional}
    carried_weapons: list[Weapon] = []
    for weapon in weapons:
        if weapon.name not in chosen:
            carried_weapons.append(replace(weapon, optional=True))
            continue
        family = (_family(weapon.name), weapon.kind)
        # a further mode of the same weapon stays a choice, unless the datasheet says how many are used
        again = seen[family] >= (max(1, usual[family]) if family in choices else 1)
        seen[family] += 1
        carried_weapons += _copies(unit, weapon, chosen[weapon.name], again)
    return replace(unit, weapons=tuple(carried_weapons)), unknown


def _without_copies(weapons: tuple[Weapon, ...]) -> list[Weapon]:
    """The weapons without those that stand for a second one of the same, as in `Lens cannon (2)`."""
    names = {weapon.name for weapon in weapons}
    return [
        weapon for weapon in weapons if not ((match := _COPY.fullmatch(weapon.name)) and match[1] in names)
    ]


def _rejoined(weapons: list[Weapon], carried: dict[str, int]) -> dict[str, int]:
    """What is carried, with names put together again that were taken apart, as `Teeth and claws` at `and` or
    `Cleaver, whip and claws` at the comma.
    """
    here = {normal(name): name for name in carried}
    single = {normal(weapon.name) for weapon in weapons}
    for weapon in weapons:
        for parts in (weapon.name.split(" and "), weapon.name.split(", "), _AND.split(weapon.name)):
            keys = [normal(part) for part in parts]
            if len(keys) > 1 and all(key in here and key not in single for key in keys):
                first = here[keys[0]]
                carried = {name: number for name, number in carried.items() if normal(name) not in keys[1:]}
                carried = {weapon.name if name == first else name: count for name, count in carried.items()}
                here = {normal(name): name for name in carried}
    return carried


def _chosen(weapons: list[Weapon], carried: dict[str, int]) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """How many of each weapon the list has, and the names that are none; a weapon with
    modes is named by its family.
    """
    named: dict[str, list[Weapon]] = {}
    for weapon in weapons:
        for key in dict.fromkeys((weapon.name, _family(weapon.name))):
            named.setdefault(key, []).append(weapon)
    names = Names((name, tuple(held)) for name, held in named.items())
    chosen: dict[str, int] = {}
    unknown: list[tuple[str, str]] = []
    for name, number in carried.items():
        for part, match in _meant(names, name):
            if match.thing is None:
                unknown.append((part, match.suggestion))
            times = _times(part, match.thing or ())
            for weapon in match.thing or ():
                chosen[weapon.name] = chosen.get(weapon.name, 0) + number * times
    return chosen, unknown


def _meant(names: Names[tuple[Weapon, ...]], name: str) -> list[tuple[str, Match[tuple[Weapon, ...]]]]:
    """What a name means: one weapon, or each part of a choice that gives several, as `Rat guns and claws`."""
    whole = names.find(name)
    parts = [(part, names.find(part)) for part in _AND.split(name)]
    if whole.how in _SURE or not any(match.how in _SURE for _, match in parts):
        return [(name, whole)]
    return parts


def _times(name: str, meant: tuple[Weapon, ...]) -> int:
    """How many a name speaks of, as `2 lens cannons`, where that number is no part of the weapon's name."""
    counted = _NUMBERED.fullmatch(name)
    if counted is None or any(_NUMBERED.fullmatch(weapon.name) for weapon in meant):
        return 1
    return max(1, int(counted[1]))


def _copies(unit: Unit, weapon: Weapon, number: int, optional: bool) -> list[Weapon]:
    """A weapon for as many models as carry it; those that have one more of it than the others come first."""
    times = _TIMES.fullmatch(weapon.name)  # a datasheet that has doubled the attacks already
    number = max(1, -(-number // (weapon.copies * (max(1, int(times[1])) if times else 1))))
    all_fire = weapon.kind == "ranged" and attacks_of(unit.system).fires_copies
    return [
        replace(
            weapon,
            name=weapon.name if index == 0 else f"{weapon.name} ({index + 1})",
            copies=weapon.copies * each,
            bearers=None if bearers >= unit.models else bearers,
            optional=optional,
        )
        for index, (each, bearers) in enumerate(shares(number, unit.models, all_fire))
    ]


def _family(name: str) -> str:
    match = _MODE.fullmatch(name)
    return match[1] if match else name


def _is_model(name: str, entry: Entry) -> bool:
    return any(normal(name) == normal(kind.name) for kind in entry.kinds)
