"""Rally of Age of Sigmar, 4th edition (AOS4-C-2.0)."""

from __future__ import annotations

import re

from mathhammer.dice.pmf import Pmf
from mathhammer.units.unit import Unit

_MUSICIAN = r"MUSICIAN(?: \(\d+/\d+\))?"


def has_musician(unit: Unit) -> bool:
    """Whether a keyword of the unit says that it has a musician (AOS4-CM-2.0)."""
    return any(re.fullmatch(_MUSICIAN, word) for word in unit.keywords)


def rally_points(musician: bool) -> Pmf:
    """Six dice, a point for each 4+; a musician adds a die (AOS4-CM-2.0).

    >>> rally_points(musician=True).mean()
    3.5
    """
    return Pmf.binomial(7 if musician else 6, 0.5)


def spend_points(points: int, *, health: int, slain: int, wounds: int) -> tuple[int, int]:
    """Models returned (AOS4-22.0) for as many points as they have health, then wounds healed (AOS4-21.0).

    >>> spend_points(4, health=3, slain=2, wounds=2)
    (1, 1)
    """
    returned = min(slain, points // health)
    return returned, min(wounds, points - returned * health)


def lost_after_rally(unit: Unit, lost: int) -> Pmf:
    """The wounds that a unit has lost after a rally, from those it had lost before."""
    health = int(unit.groups[0].stat(unit.wounds))

    def after(points: int) -> int:
        returned, healed = spend_points(points, health=health, slain=lost // health, wounds=lost % health)
        return lost - returned * health - healed

    return rally_points(has_musician(unit)).map(after)
