"""Tables of a page: cells that are shown as one thing and sorted by another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mathhammer.dataclass import dataclass


class Cell(NamedTuple):
    """A cell: what it shows, and for a number what it is sorted by."""

    text: str
    sort_by: float | None = None

    @property
    def sorts(self) -> str:
        """The number that a script sorts by, as text."""
        return f"{self.sort_by:.6g}"


def cell(value: Any) -> Cell:
    """A value as a cell; a number that is not known is a dash below all others.

    >>> cell("Rats").text, cell(5).text, cell(2.25).text, cell(None).text
    ('Rats', '5', '2.2', '-')
    """
    if isinstance(value, Cell):
        return value
    if value is None:
        return Cell("-", float("-inf"))
    if isinstance(value, float):
        return Cell(f"{value:.1f}", value)
    return Cell(str(value), value) if isinstance(value, int) else Cell(str(value))


def percent(share: float) -> Cell:
    """A share as people read it.

    >>> percent(0.125)
    Cell(text='12%', sort_by=0.125)
    """
    return Cell(f"{share:.0%}", share)


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table to sort: its caption, its headings, its rows of cells."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]


def page_table(name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> PageTable:
    """A table of values.

    >>> page_table("points", ["Unit", "Points"], [["Rats", 150]]).rows
    [[Cell(text='Rats', sort_by=None), Cell(text='150', sort_by=150)]]
    """
    return PageTable(name, columns, [[cell(value) for value in row] for row in rows])
