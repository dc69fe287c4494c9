"""What new datasheets do to an army list: its points, and its damage against the reference targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mathhammer.battlescribe.places import sheets_in
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.library import reference_targets
from mathhammer.lists.army import army_of, army_values
from mathhammer.lists.lookup import resolve
from mathhammer.units.roster import Entry, Roster
from mathhammer.units.unit import Unit


@dataclass(frozen=True, slots=True)
class Before:
    """A unit of a list under one set of datasheets: its price, and mean wounds that it takes from the
    reference targets; None where it has no datasheet there.
    """

    points: int | None
    damage: float | None


@dataclass(frozen=True, slots=True)
class UnitUpdate:
    """A unit of a list under the old and the new datasheets."""

    name: str
    models: int | None
    old: Before
    new: Before


def update_of(roster: Roster, old: Path, new: Path) -> list[UnitUpdate]:
    """Each unit of a list with its points and damage under two folders of datasheets.

    Profiles that the list brings itself are those of the day it was exported: both sides are looked up.
    """
    sides = [_looked_up(roster, folder) for folder in (old, new)]
    told = [_before(entries) for entries in sides]
    return [
        UnitUpdate(entry.name, there.size, before, after)
        for entry, there, before, after in zip(roster.entries, sides[1], *told, strict=True)
    ]


def _looked_up(roster: Roster, folder: Path) -> tuple[Entry, ...]:
    """The units of a list as the datasheets of a folder have them."""
    blocks = tuple(
        replace(
            block,
            entries=tuple(
                replace(entry, points=None, unit=None, models=entry.size) for entry in block.entries
            ),
        )
        for block in roster.blocks
    )
    here = {sheet.name for sheet in sheets_in(folder, roster.system)}
    found = resolve(replace(roster, blocks=blocks, missing=(), warnings=()), folder).entries
    # what only the shipped datasheets have is no part of the comparison
    return tuple(
        replace(entry, unit=None) if entry.unit is not None and entry.unit.name not in here else entry
        for entry in found
    )


def _before(entries: Sequence[Entry]) -> list[Before]:
    units = [entry.unit for entry in entries if entry.unit is not None]
    damage = iter(_damage(units))
    return [
        Before(None, None) if entry.unit is None else Before(entry.unit.points, next(damage))
        for entry in entries
    ]


def _damage(units: Sequence[Unit]) -> list[float]:
    """Mean wounds that one action of each unit takes from a reference target, over all of them."""
    if not units:
        return []
    values = army_values(army_of(units, "list", auras=False), reference_targets(units[0].system))
    return [float(row.mean()) for row in values.lost]
