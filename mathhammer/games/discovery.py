"""Which games there are: every folder here with a list of rules is one."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from mathhammer.errors import UnknownNameError
from mathhammer.games.game import Attacks, Game, Lists

DEFAULT = "aos4"  # where a question names no game


@cache
def get_game(key: str) -> Game:
    """The game of that key.

    >>> get_game("aos4").title
    'Warhammer Age of Sigmar, 4th edition'
    """
    if key not in game_keys():
        raise UnknownNameError("mathhammer", "system", str(key), game_keys())
    game: Game = importlib.import_module(f"mathhammer.games.{key}").GAME
    return game


def attacks_of(key: str, where: str = "mathhammer") -> Attacks:
    """How the units of a game attack; an error that names its questions where they have no weapons.

    >>> attacks_of("aos4").wounds
    'health'
    """
    return get_game(key).fighting(where)


def listed_games() -> dict[str, Lists]:
    """The games whose lists and catalogues are read, by key.

    >>> list(listed_games())
    ['aos4', 'wh40k10', 'wh40k11']
    """
    games = {key: get_game(key).lists for key in game_keys()}
    return {key: lists for key, lists in games.items() if lists is not None}


def current_game(family: str) -> str:
    """The newest edition of a family of games, for lists that do not say which one they are for.

    >>> current_game("sigmar")
    'aos4'
    """
    return current_editions(key for key, lists in listed_games().items() if lists.family == family)[-1]


def family_of(key: str) -> str:
    """How lists of a game are written; empty when none are read."""
    lists = get_game(key).lists
    return "" if lists is None else lists.family


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


def meant_editions(keys: Iterable[str]) -> list[str]:
    """The editions that a name without a game means: the newest one whose shipped library is no small one.

    >>> meant_editions(["wh40k10", "wh40k11"]), meant_editions(["wh40k11"])
    (['wh40k10'], ['wh40k11'])
    """
    editions: dict[str, list[str]] = {}
    for key in keys:
        editions.setdefault(key.rstrip("0123456789"), []).append(key)
    return [_meant(found) for found in editions.values()]


def _meant(editions: list[str]) -> str:
    """Of several editions of one game; only games that have to be asked are loaded."""
    if len(editions) == 1:
        return editions[0]
    newest_first = sorted(editions, key=lambda key: -int(key[len(key.rstrip("0123456789")) :] or 0))
    return next((key for key in newest_first if not get_game(key).small_library), newest_first[0])


@cache
def game_keys() -> tuple[str, ...]:
    """The keys of all games, found by looking at the folder.

    >>> "aos4" in game_keys()
    True
    """
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/rules.toml")))
