"""How much of a list is known: units and points with a datasheet, and how to get the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.datasheets.understood import Understood
from mathhammer.units.roster import Entry, Roster

EQUAL = 0.9  # of the points of the larger of two lists: below this they are not equal
SOURCE = "the BSData organisation on GitHub"
ENOUGH = 0.9  # of the points: below this an army that is partly known is given no verdict


@dataclass(frozen=True, slots=True)
class Coverage:
    """Units and points of a list with a profile, of all that it has.

    >>> some = Coverage(3, 17, 390, 2000, ("Forgefiend",), "wh40k10")
    >>> str(some), some.enough
    ('3 of 17 units, 390 of 2000 points have a datasheet', False)
    >>> print(some.advice())  # doctest: +NORMALIZE_WHITESPACE
    without one: Forgefiend; mathhammer import FOLDER --system wh40k10 reads catalogues (the BSData
    organisation on GitHub has them)
    """

    units: int
    all_units: int
    points: int
    all_points: int
    missing: tuple[str, ...]
    system: str

    def __str__(self) -> str:
        points = f", {self.points} of {self.all_points} points" if self.all_points else ""
        units, have = ("unit", "has") if self.all_units == 1 else ("units", "have")
        return f"{self.units} of {self.all_units} {units}{points} {have} a datasheet"

    @property
    def share(self) -> float:
        """The share of the points, or of the units where the list has no points."""
        known, total = (self.points, self.all_points) if self.all_points else (self.units, self.all_units)
        return known / total if total else 1.0

    @property
    def enough(self) -> bool:
        """Whether an answer about the whole list can be given."""
        return self.share >= ENOUGH

    def advice(self) -> str:
        """What is missing, and what to run to get it; empty where all is there."""
        if not self.missing:
            return ""
        names = ", ".join(self.missing[:6]) + (
            f" and {len(self.missing) - 6} more" if len(self.missing) > 6 else ""
        )
        how = f"mathhammer import FOLDER --system {self.system} reads catalogues ({SOURCE} has them)"
        return f"without one: {names}; {how}"

    def refusal(self) -> str:
        """Why there is no verdict."""
        return f"No verdict: {self} (--anyway gives one for what is known)"

    def to_dict(self) -> dict[str, Any]:
        """The numbers for programs.

        >>> Coverage(1, 1, 100, 100, (), "aos4").to_dict()["share"]
        1.0
        """
        return {
            "units": self.units,
            "all_units": self.all_units,
            "points": self.points,
            "all_points": self.all_points,
            "share": self.share,
            "missing": list(self.missing),
        }


def unequal_points(names: Sequence[str], points: Sequence[int]) -> str:
    """What is said where one list has clearly more points than the other; empty where it has not.

    >>> unequal_points(["Rats", "Ogors"], [1000, 2000]), unequal_points(["Rats", "Ogors"], [1950, 2000])
    ('unequal points: Rats 1000 against Ogors 2000', '')
    """
    if min(points) >= EQUAL * max(points):
        return ""
    sides = (f"{name} {number}" for name, number in zip(names, points, strict=True))
    return f"unequal points: {' against '.join(sides)}"


def coverage_of(roster: Roster) -> Coverage:
    """How much of a list is known.

    >>> coverage_of(Roster("aos4")).share
    1.0
    """
    known = [entry for entry in roster.entries if entry.unit is not None]
    unknown = [entry for entry in roster.entries if entry.unit is None]
    priced = bool(roster.priced)
    return Coverage(
        len(known),
        len(roster.entries),
        _points(known) if priced else 0,
        _points([*known, *unknown]) if priced else 0,
        tuple(dict.fromkeys(entry.name for entry in unknown)),
        roster.system,
    )


def _points(entries: list[Entry]) -> int:
    return sum(entry.points or 0 for entry in entries)


def abilities_of_list(roster: Roster) -> Understood:
    """How much of the rules text of a list's units was understood, by unit.

    >>> abilities_of_list(Roster("aos4")).total.all
    0
    """
    found = Understood()
    for entry in roster.entries:
        if entry.unit is not None and entry.name not in found.groups:
            found.add(entry.name, entry.unit)
    return found
