"""What registers itself by a decorator, known before anything is imported: decorators are read in the files.

    @command("compare", "What units do to targets.", rank=10)

A new command or chart kind is a file with such a line, and `--help` knows it without loading its libraries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    names: dict[str, Registered] = {}
    for path in sorted(folder.rglob("*.py")):
        for name, entry in _registers(folder, path, decorator):
            if name in names:
                raise ValueError(
                    f"{decorator} {name!r} is registered twice ({names[name].module}, {entry.module})"
                )
            names[name] = entry
    return dict(sorted(names.items(), key=lambda item: item[1].rank))


def one_registered(folder: Path, decorator: str, name: str) -> Registered | None:
    """The entry of one name, found at once where its file has the same name.

    >>> one_registered(Path(__file__).parent / "cli", "command", "compare").module
    'compare'
    """
    likely = folder / f"{name}.py"
    own = dict(_registers(folder, likely, decorator)) if name.isidentifier() and likely.is_file() else {}
    return own.get(name) or registered(folder, decorator).get(name)


def _registers(folder: Path, path: Path, decorator: str) -> Iterator[tuple[str, Registered]]:
    """What one file registers."""
    module = ".".join(path.relative_to(folder).with_suffix("").parts)
    pattern = rf'^@{decorator}\(\s*"([\w-]+)",\s*"([^"\n]*)",\s*rank=(\d+)'
    for name, line, rank in re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE):
        yield name, Registered(module, line, int(rank))
