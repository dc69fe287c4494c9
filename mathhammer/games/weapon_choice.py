"""Which weapons a unit attacks with: the better kind, one kind, or those that are named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.discovery import attacks_of
from mathhammer.units.unit import Unit, Weapon

Names = str | Sequence[str]
KINDS = ("melee", "ranged")
BEST, ALL = "best", "all"  # the kind that does more to this target; each kind by itself


class NoWeaponError(BadInputError):
    """A unit has no weapon of the kind that was asked for.

    >>> str(NoWeaponError("fight: Clanrats has no ranged weapon"))
    'fight: Clanrats has no ranged weapon'
    """


def kinds_of(unit: Unit) -> tuple[str, ...]:
    """The kinds of attack that a unit can make without naming a weapon.

    >>> from mathhammer import load_unit
    >>> kinds_of(load_unit("Clanrats", "aos4"))
    ('melee',)
    """
    return tuple(kind for kind in KINDS if any(w.kind == kind and not w.optional for w in unit.weapons))


def wanted_weapons(unit: Unit, wanted: Names | None) -> Names:
    """What a unit's own expression says, else what is asked of all, else the better kind."""
    if unit.stance.weapons is not None:
        return unit.stance.weapons
    return BEST if wanted is None else wanted


def with_weapons(unit: Unit, weapons: str | None) -> Unit:
    """The unit with a kind of attack of its own."""
    return replace(unit, stance=replace(unit.stance, weapons=weapons))


def chosen_weapons(unit: Unit, wanted: Names) -> tuple[Weapon, ...]:
    """The weapons of a kind, or those of these names; an error that says what the unit carries."""
    if wanted in KINDS:
        chosen = tuple(w for w in unit.weapons if w.kind == wanted and not w.optional)
        if not chosen:
            raise NoWeaponError(f"fight: {unit.name} has no {wanted} weapon (known: {_listed(unit)})")
        return chosen
    by_name = {weapon.name.lower(): weapon for weapon in unit.weapons}
    names = words_of("weapons", wanted)
    if not names and unit.weapons:
        raise BadInputError(f"fight: {unit.name}: no weapon is named (known: {_listed(unit)})")
    for name in names:
        if name.lower() not in by_name:
            known = [*(weapon.name for weapon in unit.weapons), *KINDS, BEST]
            raise UnknownNameError(f"fight: {unit.name}", "weapon", name, known)
    return tuple(by_name[name] for name in dict.fromkeys(name.lower() for name in names))


def words_of(name: str, given: Any) -> tuple[str, ...]:
    """One word or several, as an argument gives them."""
    if given == ():
        return ()
    words = (given,) if isinstance(given, str) else given
    if isinstance(words, Mapping) or not isinstance(words, Iterable):
        raise BadInputError(f"fight: {name} is {given!r:.60} (give a word or a list of words)")
    return tuple(map(str, words))


def _listed(unit: Unit) -> str:
    return ", ".join(repr(weapon.name) for weapon in unit.weapons) or "it carries none"


def ways_to_attack(unit: Unit, weapons: Names | None = None) -> tuple[tuple[Unit, Names], ...]:
    """Every way in which a unit may attack, each with its weapons: among them the best for a target is taken.

    Left to choose (`best`), it strikes or shoots; striking, its models may choose between melee weapons.

    >>> from mathhammer import make_unit
    >>> blade = {"attacks": 2, "skill": 3, "strength": 4, "damage": 1}
    >>> arms = [blade | {"name": "Knife"}, blade | {"name": "Fist", "models": 1, "strength": 8}]
    >>> body = {"name": "Squad", "models": 5, "toughness": 4, "wounds": 2}
    >>> squad = make_unit("wh40k10", body | {"weapon": arms})
    >>> [[(w.name, squad.models if w.bearers is None else w.bearers) for w in way.weapons if not w.optional]
    ...  for way, _ in ways_to_attack(squad)]
    [[('Knife', 5)], [('Knife', 4), ('Fist', 1)]]
    """
    wanted = wanted_weapons(unit, weapons)
    if unit.stance.weapons is not None:  # said once
        unit = with_weapons(unit, None)
    return _ways(unit, wanted if isinstance(wanted, str) else words_of("weapons", wanted))


@lru_cache(maxsize=4096)
def _ways(unit: Unit, wanted: str | tuple[str, ...]) -> tuple[tuple[Unit, Names], ...]:
    if wanted == ALL:
        raise BadInputError("fight: 'all' is a row for each kind (ask compare, or fight for one kind)")
    if wanted != BEST:
        return _ways_with(unit, wanted)
    kinds = kinds_of(unit)
    if not kinds:
        raise NoWeaponError(f"fight: {unit.name} has no weapon to attack with (known: {_listed(unit)})")
    return tuple(way for kind in kinds for way in _ways_with(unit, kind))


def _ways_with(unit: Unit, wanted: Names) -> tuple[tuple[Unit, Names], ...]:
    choose = attacks_of(unit.system).ways_to_strike
    chosen_weapons(unit, wanted)
    if choose is None or wanted != "melee":
        return ((unit, wanted),)
    return tuple((way, wanted) for way in choose(unit))


def weapons_text(unit: Unit, weapons: Sequence[Weapon]) -> str:
    """What a unit attacked with, in a word or in names.

    >>> from mathhammer import load_unit
    >>> rats = load_unit("Clanrats", "aos4")
    >>> weapons_text(rats, rats.weapons)
    'melee'
    """
    names = [weapon.name for weapon in weapons]
    for kind in KINDS:
        if names == [w.name for w in unit.weapons if w.kind == kind and not w.optional]:
            return kind
    return ", ".join(names)
