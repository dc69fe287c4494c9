"""What registers itself by a decorator, known before anything is imported: decorators are read in the files.

    @command("compare", "What units do to targets.", rank=10)

A new command or chart kind is a file with such a line, and `--help` knows it without loading its libraries.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Registered(NamedTuple):
    """A name that a decorator registers: the module below its package, one line about it, its place."""

    module: str
    line: str
    rank: int


@cache
def registered(folder: Path, decorator: str) -> dict[str, Registered]:
    """All names that a decorator registers in the files of a folder, by rank.

    >>> commands = registered(Path(__file__).parent / "cli", "command")
    >>> next(iter(commands)), commands["shoot"].module
    ('compare', 'diskwars.shoot')
    """
    pattern = re.compile(rf'^@{decorator}\(\s*"([\w-]+)",\s*"([^"\n]*)",\s*rank=(\d+)', re.MULTILINE)
    names: dict[str, Registered] = {}
    for path in sorted(folder.rglob("*.py")):
        module = ".".join(path.relative_to(folder).with_suffix("").parts)
        for name, line, rank in pattern.findall(path.read_text(encoding="utf-8")):
            if name in names:
                raise ValueError(f"{decorator} {name!r} is registered twice ({names[name].module}, {module})")
            names[name] = Registered(module, line, int(rank))
    return dict(sorted(names.items(), key=lambda item: item[1].rank))
