"""Dice besides attacks that editions of 40k share: two dice against a number, Advances, objectives."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.games.wh40k.control import control_of
from mathhammer.units.unit import Unit

Odds = dict[str, Any]
TWO_DICE = parse_dice("2D6").pmf()
ONE_DIE = parse_dice("D6").pmf()
MOST_DISCARDED = 4


def roll_2d6(*, need: int, modifier: int = 0, reroll: str | bool = "none", discard: str = "") -> Odds:
    """2D6 plus a modifier against a number; with re-roll, the whole roll is taken again when it fails.

    `discard` is "lowest" or "highest", or several with commas: one more die for each, thrown away in that
    order (WH40K-DISCARD).
    """
    if reroll not in ("none", "failed", True, False):
        raise BadInputError(f"roll_2d6: reroll {reroll!r} (give 'none' or 'failed')")
    first = two_of_more(discard).at_least(need - modifier)
    again = reroll in ("failed", True)
    return {"p_success": first + (1.0 - first) * first if again else first}


@lru_cache(maxsize=16)
def two_of_more(discard: str) -> Pmf:
    """The sum of two dice that are left when others were discarded, one after the other (WH40K-DISCARD).

    >>> round(two_of_more("lowest").mean(), 3), two_of_more("").mean()
    (8.458, 7.0)
    """
    words = [word.strip() for word in discard.split(",")] if discard else []
    if len(words) > MOST_DISCARDED or not {"lowest", "highest"}.issuperset(words):
        raise BadInputError(
            f"roll_2d6: discard {discard!r:.60} (give lowest or highest, at most {MOST_DISCARDED} with "
            "commas)"
        )
    left: dict[int, float] = {}
    for dice in product(range(1, 7), repeat=2 + len(words)):
        used = sorted(dice)
        for word in words:
            used = used[1:] if word == "lowest" else used[:-1]
        left[sum(used)] = left.get(sum(used), 0.0) + 1 / 6 ** len(dice)
    return Pmf.of(left)


def advance(*, move: int = 0, reroll: bool = False) -> Odds:
    """An Advance (WH40K-ADVANCE, WH40K11-09.06): Move + D6; a re-roll is used on 1 to 3."""
    rolled = parse_dice("D6").with_reroll("low").pmf() if reroll else ONE_DIE
    reach = rolled.map(lambda value: value + move)
    return {"reach_pmf": reach, "mean_reach": reach.mean()}


def control(*, target: Unit, lost: int | None = None, battle_shocked: bool = False) -> Odds:
    """The Level of Control that a unit brings to an objective (WH40K-OC, WH40K11-14.02): the Objective
    Control of each model left, none while Battle-shocked (WH40K-BSHOCK, WH40K11-01.07).
    """
    left = target if lost is None else target.with_lost(lost)
    level = control_of(left, 0, battle_shocked)
    return {"models": left.models_left, "level_of_control": level}


def objective(*, mine: int, theirs: int, sticky: str = "nobody") -> Odds:
    """Who controls an objective marker (WH40K-OC, WH40K11-14.02): the higher Level of Control, nobody where
    they are equal; `sticky` control without models lasts until the other side's level is higher.
    """
    if sticky not in ("mine", "theirs", "nobody"):
        raise BadInputError(f"objective: sticky {sticky!r} (give mine, theirs or nobody)")
    if mine < 0 or theirs < 0:
        raise BadInputError(f"objective: levels of {mine} and {theirs} (give 0 or more)")
    return {"controlled_by": "mine" if mine > theirs else "theirs" if theirs > mine else sticky}
