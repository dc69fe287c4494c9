"""Tables as text: plain columns, Markdown, comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from mathhammer.errors import printable


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
    """Names cannot end a cell or a line, and are no HTML."""
    return (
        "| "
        + " | ".join(" ".join(cell.split()).replace("|", "\\|").replace("<", "&lt;") for cell in cells)
        + " |"
    )


def _cell(value: Any) -> str:
    """A value as CSV: whole numbers and names as they are, floats with every digit, formulas disarmed."""
    if value is None:
        return ""
    text = repr(value) if isinstance(value, float) else str(value)
    return "'" + text if isinstance(value, str) and value[:1] in "=+-@\t" else text


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Comma-separated values with a header line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[_cell(value) for value in row] for row in rows])
    return out.getvalue().rstrip("\n")


def as_table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """Plain columns with two spaces between them: for pipes and files, no lines, no wrapping."""
    shown = [[printable(cell) for cell in line] for line in (columns, *rows)]
    widths = [max(len(line[c]) for line in shown) for c in range(len(columns))]
    lines = []
    for line in shown:
        cells = [
            cell.rjust(width) if r else cell.ljust(width)
            for cell, width, r in zip(line, widths, right, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
