"""Charges of the 11th edition: targets are chosen after the roll, within it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from mathhammer.dice.notation import parse_dice
from mathhammer.errors import BadInputError
from mathhammer.games.turns import Charge, inches
from mathhammer.games.wh40k.odds import ONE_DIE, TWO_DICE, Odds

# WH40K11-11.04: the roll is at least the distance; a unit that charged has Fights First
CHARGE = Charge(slack=0.0, within=12.0, strikes_first=True)
MOST = 12  # WH40K11-02.02.01-ROLLS: of a charge roll
FRAY = 6  # WH40K11-15.11: of one by Into the Fray
SKIES = 2  # WH40K11-21.03: inches


def charge(
    *,
    needed: int | None = None,
    distance: float | None = None,
    distances: Sequence[float] = (),
    modifier: int = 0,
    modifiers: Sequence[int] = (),
    reroll: str | bool = "none",
    take_to_the_skies: bool = False,
    hover: bool = False,
    into_the_fray: bool = False,
) -> Odds:
    """A charge roll (WH40K11-11.02): the 2D6 that are needed, or the distances to all chosen targets, of
    which it must reach the farthest (WH40K11-11.04).

    `take_to_the_skies` costs 2 inches (WH40K11-21.03), with Hover none (WH40K11-24.17); `into_the_fray` is a
    Heroic Intervention at any target, with a result of at most 6 (WH40K11-15.11).
    """
    if reroll not in ("none", "failed", True, False):
        raise BadInputError(f"charge: reroll {reroll!r} (give none or failed)")
    ways = [*(way for way in (needed, distance) if way is not None), *distances]
    if not ways or (needed is not None and len(ways) > 1):
        raise BadInputError(
            "charge: give either needed= (the total on 2D6) or distance= (inches to each target)"
        )
    far = max(inches(way) for way in ways)
    within = FRAY if into_the_fray else CHARGE.within or 0
    if far > within and needed is None:
        raise BadInputError(f"charge: {float(far):g} inches (targets are within {within:g}, WH40K11-11.02)")
    cost = SKIES if take_to_the_skies and not hover else 0
    more = modifier + sum(modifiers)
    reached = [
        total
        for total in range(2, 13)
        if min(FRAY if into_the_fray else MOST, total + more) - cost >= ceil(round(far, 6))
    ]
    first = TWO_DICE.at_least(reached[0]) if reached else 0.0
    again = reroll in ("failed", True)
    return {
        "needed": reached[0] if reached else None,
        "p_success": first + (1.0 - first) * first if again else first,
    }


def threat(
    *, distance: float, move: int | str, advance: bool = False, modifier: int = 0, reroll: bool = False
) -> Odds:
    """A move and then a charge over a distance (WH40K11-09.06, WH40K11-11.04): the chance to arrive.

    `advance` is for units that may charge after an Advance; targets are within 12 inches then.
    """
    if not 0 <= distance <= 1000:
        raise BadInputError(f"threat: {distance:g} inches (give 0 or more)")
    moves = parse_dice(move).pmf()
    if advance:
        moves = moves.convolve(ONE_DIE)
    arrives = 0.0
    for step, share in moves.to_dict().items():
        left = max(0.0, distance - step)
        if left <= (CHARGE.within or 0):
            arrives += share * charge(distance=left, modifier=modifier, reroll=reroll)["p_success"]
    return {"p_arrives": arrives, "mean_move": moves.mean()}
