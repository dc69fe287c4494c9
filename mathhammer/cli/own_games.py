"""Games with commands of their own: each has a folder here with its commands, records and duels."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from types import ModuleType

from mathhammer.games.discovery import game_keys


@cache
def own_games() -> dict[str, ModuleType]:
    """The games with a folder here, by key: its package says which commands answer for it (`ASKED_WITH`).

    >>> own_games()["diskwars"].ASKED_WITH
    'mathhammer shoot, clash, round or regiments'
    """
    here = Path(__file__).parent
    return {
        key: importlib.import_module(f"mathhammer.cli.{key}") for key in game_keys() if (here / key).is_dir()
    }


def part_of(key: str, name: str) -> ModuleType:
    """One file of such a game: `records` or `duel`."""
    return importlib.import_module(f"{own_games()[key].__name__}.{name}")
