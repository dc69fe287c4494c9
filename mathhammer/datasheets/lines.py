"""Where in a file a fault stands: its name, and the line if it is known."""

from __future__ import annotations

import re
from pathlib import Path

from mathhammer.datasheets.reading import Fault


def placed(fault: Fault, path: Path, text: str) -> Fault:
    """The fault with file and line in front."""
    return Fault(f"{shown(path)}:{line_of(text, fault.path)}, {fault.where}", fault.what, fault.path)


def shown(path: Path) -> str:
    """A file as a message names it: below `datasheets/`, or as it was given."""
    parts = path.parts
    if "_datasheets" in parts or "datasheets" in parts:
        start = max(index for index, part in enumerate(parts) if part in ("_datasheets", "datasheets"))
        return "/".join(("datasheets", *parts[start + 1 :]))
    return str(path)


_TABLE = re.compile(r"\s*\[\[\s*([\w.\"']+)\s*\]\]")
_KEY = re.compile(r"\s*([\w-]+|\"[^\"]{1,80}\")\s*=")


def line_of(text: str, path: tuple[str | int, ...]) -> int:
    """The line on which a value stands, counted from 1: tables and keys are counted as they pass by.

    >>> line_of('system = "aos4"\\n[[unit]]\\nname = "A"\\n[[unit.weapon]]\\nhit = 1', ("unit", 0,
    ...     "weapon", 0, "hit"))
    5
    """
    wanted_key = path[-1] if path and isinstance(path[-1], str) else None
    wanted_table = path[:-1] if wanted_key is not None else path
    counts: dict[str, int] = {}
    here: tuple[str | int, ...] = ()
    table_line = 1
    for number, line in enumerate(text.splitlines(), 1):
        if found := _TABLE.match(line):
            name = found[1]
            for deeper in [key for key in counts if key.startswith(name + ".")]:
                del counts[deeper]
            counts[name] = counts.get(name, -1) + 1
            here = ()
            for depth, part in enumerate(parts := name.split(".")):
                here = (*here, part, counts.get(".".join(parts[: depth + 1]), 0))
            if here == wanted_table:
                table_line = number
        elif here == wanted_table and (key := _KEY.match(line)) and key[1].strip('"') == wanted_key:
            return number
    return table_line
