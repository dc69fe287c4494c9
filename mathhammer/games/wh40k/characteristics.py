"""Characteristics of 40k and their modifiers: WH40K-MODORDER, WH40K-LIMITS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import ceil

from mathhammer.dice.notation import Dice
from mathhammer.dice.pmf import Pmf
from mathhammer.games.applying_effects import with_bonus
from mathhammer.units.effects import Change

# WH40K-LIMITS: the least and the most that modifiers may make of a characteristic.
LIMITS: dict[str, tuple[int | None, int | None]] = {
    "attacks": (1, None),
    "strength": (1, None),
    "toughness": (1, None),
    "damage": (1, None),
    "skill": (2, None),
    "save": (2, None),
    "ap": (None, 0),
    "leadership": (5, 8),
}


def changed(value: int, changes: Sequence[Change], stat: str) -> int:
    """WH40K-MODORDER: set, divide, multiply, add and subtract, round up once, then the limits.

    WH40K-CHARMOD: improving an x+ lowers it.
    """
    low, high = LIMITS[stat]
    exact = Fraction(value)
    for change in changes:
        if change.op == "set":  # WH40K-SETTWO: the last one listed stands
            exact = Fraction(change.value)
            # WH40K-DZERO: a least of 1 does not lift it
            low = 0 if stat == "damage" and change.value == 0 else LIMITS[stat][0]
    for change in changes:
        if change.op == "div":
            exact /= change.value
    for change in changes:
        if change.op == "mul":
            exact *= change.value
    result = ceil(exact + sum(change.value for change in changes if change.op == "add"))
    result = result if low is None else max(low, result)
    return result if high is None else min(high, result)


Changing = Callable[[int, Sequence[Change], str], int]


def changed_dice(
    dice: Dice, changes: Sequence[Change], stat: str, more: Dice | None = None, by: Changing = changed
) -> Pmf:
    """A characteristic that may be random; the constant of D6+1 belongs to it (WH40K-DPLUS,
    WH40K11-02.02.03). `more` is a rolled bonus, `by` the order of the edition's modifiers.
    """
    if more is None and not changes:
        return dice.pmf()
    return with_bonus(
        dice, more, lambda value, extra: by(value, [*changes, Change(stat, "add", extra)], stat)
    )


def wound_needs(strength: int, toughness: int) -> int:
    """WH40K-SVT, WH40K11-05.02: what a Wound roll needs.

    >>> [wound_needs(strength, 4) for strength in (8, 5, 4, 3, 2)]
    [2, 3, 4, 5, 6]
    """
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def told(name: str, before: object, changes: Iterable[Change]) -> list[str]:
    """A line for `explain` where something changed."""
    listed = "".join(f", {change}" for change in changes)
    return [f"{name}: {before}{listed}"] if listed else []
