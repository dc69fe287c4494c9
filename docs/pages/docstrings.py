"""Docstrings as Sphinx wants them: a list of parameters ends where a line says so."""

from __future__ import annotations

from typing import Any


def end_parameters(_app: Any, _what: str, _name: str, _thing: Any, _options: Any, lines: list[str]) -> None:
    """Puts the heading of a section above what follows the last parameter."""
    starts = [n for n, line in enumerate(lines) if line == "Parameters"]
    if not starts:
        return
    for n in range(starts[0] + 2, len(lines)):
        after = lines[n + 1] if n + 1 < len(lines) else ""
        if lines[n] and not lines[n].startswith(" ") and not after.startswith(" ") and not lines[n - 1]:
            lines[n:n] = ["Examples", "--------"]
            return
