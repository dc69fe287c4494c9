"""The order of modifiers of the 11th edition, and its limits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from mathhammer.games.wh40k import characteristics as shared
from mathhammer.units.effects import Change

# WH40K11-02.02.01-LIMITS: a skill is 2+ at best and 6+ at worst
LIMITS = shared.LIMITS | {"skill": (2, 6)}


def changed(value: int, changes: Sequence[Change], stat: str) -> int:
    """WH40K11-02.02.01-ORDER: set, multiply, add, divide, subtract, round up once, then the limits; what is
    set to 0 stays 0. Of several values the last one listed stands.

    WH40K11-02.02.01-IMPROVE: improving an x+ lowers it.

    >>> changed(3, [Change("attacks", "add", 1), Change("attacks", "div", 2)], "attacks")
    2
    """
    exact = Fraction(value)
    for change in changes:
        exact = Fraction(change.value) if change.op == "set" else exact
    if any(change.op == "set" for change in changes) and exact == 0:
        return 0
    for change in changes:
        exact *= change.value if change.op == "mul" else 1
    exact += sum(change.value for change in changes if change.op == "add" and change.value > 0)
    for change in changes:
        exact /= change.value if change.op == "div" else 1
    result = ceil(exact + sum(change.value for change in changes if change.op == "add" and change.value < 0))
    low, high = LIMITS[stat]
    result = result if low is None else max(low, result)
    return result if high is None else min(high, result)
