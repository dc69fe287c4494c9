"""Heat maps: every unit of a list against every target, each cell with the whole fight behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathhammer.compare.matchups import points_removed
from mathhammer.engine.result import Result
from mathhammer.errors import TooLargeError
from mathhammer.fight import fight
from mathhammer.lists.army import Army, ways_to_attack
from mathhammer.units.unit import Unit


@dataclass(frozen=True, slots=True)
class Cell:
    """A unit's better attack against one target; `result` is None where it has none, and `why` says so."""

    value: float
    kind: str = ""
    result: Result | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of units (rows) against targets (columns), and what their values are."""

    title: str
    what: str
    rows: tuple[tuple[Unit, int], ...]
    columns: tuple[tuple[Unit, int], ...]
    cells: tuple[tuple[Cell, ...], ...]

    @property
    def most(self) -> float:
        """The highest value; 1 where all are 0."""
        return max((cell.value for row in self.cells for cell in row), default=0.0) or 1.0


def counted(units: Sequence[Unit]) -> tuple[tuple[Unit, int], ...]:
    """Units that are alike as one, with their number.

    >>> from mathhammer import load_unit
    >>> rats = load_unit("Clanrats", "aos4")
    >>> [(unit.name, number) for unit, number in counted([rats, rats])]
    [('Clanrats', 2)]
    """
    found: dict[Unit, int] = {}
    for unit in units:
        found[unit] = found.get(unit, 0) + 1
    return tuple(found.items())


def make_grid(army: Army, targets: Sequence[Unit], title: str, *, points: bool) -> Grid:
    """Every unit of an army against every target: mean damage, or mean points removed."""
    rows, columns = counted(army.units), counted(targets)
    cells = tuple(tuple(_cell(army, unit, target, points) for target, _ in columns) for unit, _ in rows)
    return Grid(title, "mean points removed" if points else "mean damage", rows, columns, cells)


def _cell(army: Army, unit: Unit, target: Unit, points: bool) -> Cell:
    """The better of the unit's attacks, by mean wounds lost."""
    best = Cell(0.0, why="no attack")
    lost = -1.0
    for kind, how in ways_to_attack(army, unit).items():
        try:
            result = fight(unit, target, **how)
        except TooLargeError as error:  # said in the cell, in the error's own words
            best = best if best.result else Cell(0.0, kind, why=str(error))
            continue
        if result.lost.mean() > lost:
            lost = result.lost.mean()
            harm = (result.lost if result.pool is None else result.damage).mean()
            best = Cell((points_removed(target, lost) or 0.0) if points else harm, kind, result)
    return best
