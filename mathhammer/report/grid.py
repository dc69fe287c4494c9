"""Heat maps: every unit of a list against every target, each cell with the whole fight behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mathhammer.compare.matchups import points_removed
from mathhammer.dataclass import dataclass
from mathhammer.engine.result import Result
from mathhammer.errors import TooLargeError
from mathhammer.fight import fight
from mathhammer.lists.army import Army, ways_to_attack
from mathhammer.units.unit import Unit


@dataclass(frozen=True, slots=True)
class BestAttack:
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
    cells: tuple[tuple[BestAttack, ...], ...]
    points: bool = False  # values are points removed

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
    numbers: dict[Unit, int] = {}
    for unit in units:
        numbers[unit] = numbers.get(unit, 0) + 1
    return tuple(numbers.items())


def make_grid(
    army: Army,
    targets: Sequence[Unit],
    title: str,
    *,
    points: bool,
    how: Mapping[str, Any] | None = None,
    tell: Callable[[], None] = lambda: None,
) -> Grid:
    """Every unit of an army against every target: mean damage, or mean points removed; `how` goes to
    `fight`, `tell` is called with every row.
    """
    rows, columns = counted(army.units), counted(targets)
    cells = []
    for unit, _ in rows:
        tell()
        cells.append(tuple(_best_attack(army, unit, target, points, how or {}) for target, _ in columns))
    what = "mean points removed" if points else "mean damage"
    return Grid(title, what, rows, columns, tuple(cells), points)


def _best_attack(army: Army, unit: Unit, target: Unit, points: bool, how: Mapping[str, Any]) -> BestAttack:
    """The better of the unit's attacks, by mean wounds lost."""
    best = BestAttack(0.0, why="no attack")
    lost = -1.0
    for kind, attack in ways_to_attack(army, unit).items():
        try:
            result = fight(unit, target, **{**how, **attack})
        except TooLargeError as error:  # said in the cell, in the error's own words
            best = best if best.result else BestAttack(0.0, kind, why=str(error))
            continue
        if result.lost.mean() > lost:
            lost = result.lost.mean()
            damage = (result.lost if result.pool is None else result.damage).mean()
            best = BestAttack((points_removed(target, lost) or 0.0) if points else damage, kind, result)
    return best
