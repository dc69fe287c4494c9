"""Small pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; bars inside of cells are kept."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def code(word: str) -> str:
    """A word as code."""
    return f"`{word}`"


def contents(pages: Iterable[str], caption: str = "", depth: int = 1, hidden: bool = False) -> str:
    """A list of pages."""
    options = [f":maxdepth: {depth}", *([f":caption: {caption}"] if caption else [])]
    options += [":hidden:"] if hidden else []
    return "```{toctree}\n" + "\n".join([*options, "", *pages]) + "\n```"
