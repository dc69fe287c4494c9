"""Weapons as rules name them: case, plurals, modes and copies do not matter; a name may list several."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from mathhammer.names import normal, singular

_LIST = r",? and |, | or |/"
_MODE = r"(.{1,200}?)(?: ?\(.{1,100}\)|: .{1,100})"


@lru_cache(maxsize=16384)
def names_weapon(named: str, weapon: str) -> bool:
    """Whether a rule that names a weapon means this one, or a mode of it.

    >>> names_weapon("Chainblades", "Chainblade"), names_weapon("plasma gun", "Plasma gun (supercharge)")
    (True, True)
    >>> names_weapon("axes and lance of doom", "Lance of Doom"), names_weapon("axe", "Great axe")
    (True, False)
    """
    if named == weapon:
        return True
    spelled = _spellings(weapon)
    return any(singular(normal(part)) in spelled for part in (named, *re.split(_LIST, named)) if part)


@lru_cache(maxsize=16384)
def _spellings(weapon: str) -> frozenset[str]:
    """The keys of a weapon: its name, and that without its mode or copy."""
    mode = re.fullmatch(_MODE, weapon)
    return frozenset(singular(normal(name)) for name in (weapon, *([mode[1]] if mode else [])))


def meant(named: Iterable[str], weapons: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The weapons that the names of a rule mean, and the names that mean none of them.

    >>> meant(["Axe", "Horn"], ["Great axe", "Axes"])
    (('Axes',), ('Horn',))
    """
    named, known = list(named), list(weapons)
    found = [weapon for weapon in known if any(names_weapon(name, weapon) for name in named)]
    unknown = [name for name in named if not any(names_weapon(name, weapon) for weapon in known)]
    return tuple(found), tuple(unknown)
