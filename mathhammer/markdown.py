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
    lines = ["| " + " | ".join(columns) + " |", "|" + "|".join("---:" if r else "---" for r in right) + "|"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
