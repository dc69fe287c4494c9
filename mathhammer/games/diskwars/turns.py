"""The order of play: initiative, command cards, victory."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.fields import choice, listed, whole

STRATEGIES = ("bold", "steady", "devious", "slow")
BEATS = {"bold": "steady", "steady": "devious", "devious": "bold"}  # DW-CMD-1: key before value
MOST_PLAYERS = 6


@cache
def roll_off(bonuses: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The chance of each player to win D6 + bonus when tied leaders roll again and keep their bonus
    (DW-INI-2).

    >>> roll_off((3, 0))
    (Fraction(10, 11), Fraction(1, 11))
    """
    players = range(len(bonuses))
    if len(bonuses) == 1:
        return (Fraction(1),)
    ties: dict[tuple[int, ...], int] = {}
    for faces in product(range(1, 7), repeat=len(bonuses)):
        totals = [face + bonus for face, bonus in zip(faces, bonuses, strict=True)]
        leaders = tuple(player for player in players if totals[player] == max(totals))
        ties[leaders] = ties.get(leaders, 0) + 1
    everyone = ties.pop(tuple(players), 0)  # all tied: the same roll-off once more
    wins = [Fraction(0)] * len(bonuses)
    for leaders, ways in ties.items():
        for leader, chance in zip(leaders, roll_off(tuple(bonuses[p] for p in leaders)), strict=True):
            wins[leader] += ways * chance
    return tuple(win / (6 ** len(bonuses) - everyone) for win in wins)


def initiative(*, bonuses: Sequence[int]) -> dict[str, Any]:
    """Who becomes starting player: D6 plus unspent recruitment points, 0 for all in the training game
    (DW-INI-1).

    >>> initiative(bonuses=[0, 0])["p_win"]
    [0.5, 0.5]
    """
    choices = tuple(
        whole("initiative", "bonus", bonus, 0, 1000) for bonus in listed("initiative", "bonuses", bonuses)
    )
    if not 2 <= len(choices) <= MOST_PLAYERS:
        raise BadInputError(f"initiative: {len(choices)} players (give the bonuses of 2 to {MOST_PLAYERS})")
    chances = [float(chance) for chance in roll_off(choices)]
    lines = [
        "Each player rolls D6 + unspent points; tied leaders roll again and keep their bonus (DW-INI-2)."
    ]
    lines += [
        f"Player {n} with +{bonus}: {chance:.4f}."
        for n, (bonus, chance) in enumerate(zip(choices, chances, strict=True), 1)
    ]
    return {"p_win": chances, "dice_set": "D6", "explain": "\n".join(lines)}


def card_order(strategies: Sequence[str | None]) -> list[int]:
    """The players in the order in which their cards are resolved; players stand in initiative order, None has
    no card.

    >>> card_order(["bold", "devious", "steady"])
    [1, 0, 2]
    """
    fast = [player for player, strategy in enumerate(strategies) if strategy not in (None, "slow")]
    slow = [player for player, strategy in enumerate(strategies) if strategy == "slow"]
    if not fast:
        return slow
    leader = min(fast + slow)  # DW-CMD-2: whoever is placed best among those who played a card
    if leader in slow and len({strategies[player] for player in fast}) == 3:
        return fast + slow  # a full cycle among the others: initiative order
    pivot = strategies[fast[0]]
    ahead = [player for player in fast if BEATS[str(strategies[player])] == pivot]
    same = [player for player in fast if strategies[player] == pivot]
    behind = [player for player in fast if BEATS[str(pivot)] == strategies[player]]
    return ahead + same + behind + slow


def command_order(*, strategies: Sequence[str | None]) -> dict[str, Any]:
    """In which order command cards are resolved; `strategies` in initiative order, None for a player without
    a card.

    >>> command_order(strategies=["bold", "devious"])["order"]
    [1, 0]
    """
    cards = listed("command_order", "strategies", strategies)
    for card in cards:
        if card is not None:
            choice("command_order", "strategy", card, STRATEGIES)
    order = card_order(cards)
    lines = [
        (
            "Bold before steady, steady before devious, devious before bold, slow last; ties by "
            "initiative (DW-CMD-1, DW-CMD-2)."
        )
    ]
    lines += [f"{place}. player {player + 1}: {cards[player]}." for place, player in enumerate(order, 1)]
    return {"order": order, "dice_set": "none (no dice are rolled)", "explain": "\n".join(lines)}


def victory(
    *, points: Sequence[int], places: Sequence[int], disks: Sequence[int] | None = None
) -> dict[str, Any]:
    """Who wins: most victory points, ties by the better initiative place; players without disks are out
    (DW-VIC-1, DW-VIC-2).

    >>> victory(points=[10, 8, 10], places=[3, 1, 2])["winner"]
    2
    """
    scored = [whole("victory", "points", value, 0, 10_000) for value in listed("victory", "points", points)]
    place = [
        whole("victory", "place", value, 1, MOST_PLAYERS) for value in listed("victory", "places", places)
    ]
    left = [
        whole("victory", "disks", value)
        for value in listed("victory", "disks", [1] * len(scored) if disks is None else disks)
    ]
    if not len(scored) == len(place) == len(left) or len(set(place)) != len(place) or not scored:
        raise BadInputError("victory: give points, places and disks for the same players, each place once")
    standing = [player for player in range(len(scored)) if left[player]]
    winner = max(standing, key=lambda player: (scored[player], -place[player]), default=None)
    reason = (
        "nobody has a disk left (DW-VIC-2)"
        if winner is None
        else f"player {winner + 1} wins with {scored[winner]} points (DW-VIC-1)"
    )
    return {"winner": winner, "dice_set": "none (no dice are rolled)", "explain": reason}
