"""Sets of buffs that a player has named: `my_buffs.toml`, here or beside the player's own datasheets.

[buffs]
"Blessed blades" = ["+1 to hit", "reroll wound rolls of 1"]
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from mathhammer.datasheets.library import parse, user_folder
from mathhammer.datasheets.lines import shown
from mathhammer.errors import BadInputError

FILE = "my_buffs.toml"


def buff_sets(own: str | Path | None = None) -> dict[str, tuple[str, ...]]:
    """Every named set; one of the folder that the player is in wins over one beside the datasheets.

    >>> buff_sets()
    {}
    """
    sets: dict[str, tuple[str, ...]] = {}
    for path in reversed(_files(own)):
        sets |= _read(path)
    return sets


def _files(own: str | Path | None) -> list[Path]:
    """The files there are, the first wins."""
    folders = [Path()]
    if own is not None:
        folders.append(Path(own))
    else:
        with suppress(BadInputError):  # without a home there is nothing of one's own in it
            folders.append(user_folder())
    return [path for path in dict.fromkeys(folder / FILE for folder in folders) if os.path.isfile(path)]


def _read(path: Path) -> dict[str, tuple[str, ...]]:
    content = parse(path)
    buffs = content.get("buffs")
    if not isinstance(buffs, dict) or len(content) > 1:
        raise BadInputError(f'{shown(path)}: holds no buffs (write [buffs], then NAME = ["+1 to hit", ...])')
    for name, words in buffs.items():
        if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
            raise BadInputError(
                f'{shown(path)}, {name}: {words!r:.60} (give a list of buffs, such as ["+1 to hit"])'
            )
    return {name: tuple(words) for name, words in buffs.items()}
