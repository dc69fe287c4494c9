"""Tables for blog posts and READMEs."""

from __future__ import annotations

from collections.abc import Sequence


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
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|").replace("<", "&lt;") for cell in cells) + " |"
