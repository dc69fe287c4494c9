"""Which games there are: every folder here with a list of rules is one."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from mathhammer.errors import UnknownNameError
from mathhammer.games.game import Attacks, Game


@cache
def get_game(key: str) -> Game:
    """The game of that key.

    >>> get_game("aos4").title
    'Warhammer Age of Sigmar, 4th edition'
    """
    if key not in game_keys():
        raise UnknownNameError("mathhammer", "system", str(key), game_keys())
    found: Game = importlib.import_module(f"mathhammer.games.{key}").GAME
    return found


def attacks_of(key: str, where: str = "mathhammer") -> Attacks:
    """How the units of a game attack; an error that names its questions where they have no weapons.

    >>> attacks_of("aos4").wounds
    'health'
    """
    return get_game(key).fighting(where)


def current_editions(keys: Iterable[str]) -> list[str]:
    """Of several editions of one game (keys that differ in the number at their end) the newest.

    >>> current_editions(["aos1", "aos4", "wh40k10"])
    ['aos4', 'wh40k10']
    """
    newest: dict[str, str] = {}
    for key in keys:
        game = key.rstrip("0123456789")
        newest[game] = max(
            key, newest.get(game, key), key=lambda one: int(one[len(one.rstrip("0123456789")) :] or 0)
        )
    return list(newest.values())


@cache
def game_keys() -> tuple[str, ...]:
    """The keys of all games, found by looking at the folder.

    >>> "aos4" in game_keys()
    True
    """
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/rules.toml")))
