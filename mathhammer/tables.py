"""Tables as text: plain columns, Markdown, comma-separated values."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any
from unicodedata import combining, east_asian_width

from mathhammer.dataclass import dataclass
from mathhammer.errors import printable

GAP = "  "  # between two columns


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, and a key of the rows or a function that shows a row.

    `rank` says what a narrow terminal does without: the highest first, 0 never. `prose` may go on in the next
    line, at a space; of other columns on the left, long texts are cut. `brief` shows less of a row where
    there is no room, from the rank `brief_rank` on.

    >>> Column("Points", "points", right=True).cell({"points": None})
    '-'
    """

    heading: str
    show: Hashable | Callable[[Any], str]
    right: bool = False
    rank: int = 0
    prose: bool = False
    brief: Callable[[Any], str] | None = None
    brief_rank: int = 0

    def cell(self, row: Any) -> str:
        """A row as this column shows it; what is not known is a dash."""
        if callable(self.show):
            return str(self.show(row))
        value = row[self.show]
        return "-" if value is None else str(value)

    def shorter(self) -> Column:
        """The column with its brief cells."""
        return self if self.brief is None else replace(self, show=self.brief, brief=None)


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows. With `stacked`, columns that do not fit a terminal go below the others, beside that
    many of the first ones again. With `grouped`, a terminal shows the first column once for rows that have it
    in common; `best` tells the rows that it colours.

    >>> table = Table([Column("Unit", 0), Column("Slain", 1, right=True)], [("Rats | Co", "1.5")])
    >>> print(table.plain())
    Unit       Slain
    Rats | Co    1.5
    """

    columns: Sequence[Column]
    rows: Sequence[Any]
    stacked: int = 0
    grouped: bool = False
    best: Callable[[Any], bool] | None = None

    @property
    def headings(self) -> list[str]:
        """The headings."""
        return [column.heading for column in self.columns]

    @property
    def cells(self) -> list[list[str]]:
        """Every row as text."""
        return [[column.cell(row) for column in self.columns] for row in self.rows]

    @property
    def right(self) -> list[bool]:
        """Which columns stand on the right."""
        return [column.right for column in self.columns]

    def plain(self) -> str:
        """For pipes and files: every column, however wide."""
        return as_table(self.headings, self.cells, self.right)

    def markdown(self) -> str:
        """For a blog post or a README."""
        return as_markdown(self.headings, self.cells, self.right)


def as_markdown(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """A table for a blog post or a README.

    >>> print(as_markdown(["Unit", "Slain"], [["Rats | Co", "1.5"]], [False, True]))
    | Unit | Slain |
    |---|---:|
    | Rats \\| Co | 1.5 |
    """
    lines = [_row(columns), "|" + "|".join("---:" if r else "---" for r in right) + "|", *map(_row, rows)]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    """Names cannot end a cell or a line, and are not HTML."""
    clean = [" ".join(cell.split()).replace("|", "\\|").replace("<", "&lt;") for cell in cells]
    return "| " + " | ".join(clean) + " |"


# what a spreadsheet would work out; "+1 Damage" and "-1 to hit" are words behind a number, and no sum
_FORMULA = r"[=@\t\r]|[+-](?!\d+ [A-Za-z][\w ]*$)"


def _value(value: Any) -> str:
    """A value as CSV: whole numbers and names as they are, floats with every digit, formulas disarmed."""
    if value is None:
        return ""
    text = repr(value) if isinstance(value, float) else str(value)
    return "'" + text if isinstance(value, str) and re.match(_FORMULA, text) else text


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Comma-separated values with a header line.

    >>> print(as_csv(["unit", "slain"], [["Rats", 1.5], ["=1+1", None]]))
    unit,slain
    Rats,1.5
    '=1+1,
    """
    import csv  # tables on a terminal do without it

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[_value(value) for value in row] for row in rows])
    return out.getvalue().rstrip("\n")


def as_table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """Plain columns with two spaces between them: no lines, no wrapping.

    >>> print(as_table(["Unit", "Slain"], [["Rats", "1.5"]], [False, True]))
    Unit  Slain
    Rats    1.5
    """
    shown = [[printable(cell) for cell in line] for line in (columns, *rows)]
    widths = [max(map(width_of, cells)) for cells in zip(*shown, strict=True)]
    return "\n".join(line_of(line, widths, right) for line in shown)


def width_of(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> width_of("Rats"), width_of("鼠人")
    (4, 4)
    """
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def line_of(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    """Cells side by side, each as wide as its column.

    >>> line_of(["Rats", "1.5"], [6, 5], [False, True])
    'Rats      1.5'
    """
    padded = []
    for cell, width, is_right in zip(cells, widths, right, strict=True):
        blank = " " * (width - width_of(cell))
        padded.append(blank + cell if is_right else cell + blank)
    return GAP.join(padded).rstrip()
