"""Dice text such as `2D6+1`: the only parser of dice notation in the project."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError

DiceReroll = Literal["none", "ones", "low"]

MOST = 1000  # the largest number a characteristic may show, and the most dice in one text
_TEXT = r"(?i)(?:(\d{0,9})D(\d{1,9}))?(?:([+-]?)(\d{1,9}))?"


@dataclass(frozen=True, slots=True)
class Dice:
    """`count` dice of `sides` sides plus a constant; no dice at all for a fixed number.

    >>> round(Dice(2, 6, 1).pmf().mean(), 9)
    8.0
    """

    count: int
    sides: int
    plus: int
    reroll: DiceReroll = "none"

    def __str__(self) -> str:
        if not self.count:
            return str(self.plus)
        dice = f"{self.count if self.count > 1 else ''}D{self.sides}"
        return dice + (f"{self.plus:+d}" if self.plus else "")

    @property
    def fixed(self) -> bool:
        """True when nothing is rolled."""
        return self.count == 0

    def with_reroll(self, reroll: DiceReroll) -> Dice:
        """The same dice with re-rolls: `ones` each die showing 1, `low` the whole roll if
        below its average.
        """
        return replace(self, reroll=reroll)

    def pmf(self) -> Pmf:
        """The distribution of the roll."""
        return _pmf(self)


@lru_cache(maxsize=4096)
def _pmf(dice: Dice) -> Pmf:
    if dice.fixed:
        return Pmf.constant(dice.plus)
    # WH40K-DICE, WH40K11-01.05: a D6 halved and rounded up is even on 1 to 3
    one = Pmf.of([0.0] + [1.0 / dice.sides] * dice.sides)
    if dice.reroll == "ones":  # WH40K-REROLL (d): a D3 showing 1 is judged on the halved value
        one = Pmf.of(
            [0.0]
            + [(1.0 / dice.sides) * ((face != 1) + 1.0 / dice.sides) for face in range(1, dice.sides + 1)]
        )
    roll = one.power(dice.count)
    if dice.reroll == "low":  # WH40K-REROLLMODE: judged before the constant
        average = dice.count * (dice.sides + 1) / 2
        low = sum(roll[value] for value in range(len(roll)) if value < average)
        roll = Pmf.of([roll[value] * ((value >= average) + low) for value in range(len(roll))])
    return roll.map(lambda value: max(0, value + dice.plus))


@lru_cache(maxsize=4096)
def parse_dice(text: str | int) -> Dice:
    """Dice from text or a whole number; a clear error for anything else.

    >>> str(parse_dice("d6 + 1")), parse_dice(3).fixed
    ('D6+1', True)
    >>> parse_dice("2D")
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: dice: '2D' is not dice text (write a number, D3, D6, 2D6 or D6+1)
    """
    if isinstance(text, bool) or not isinstance(text, (str, int)):
        raise BadInputError(f"dice: {text!r} is not dice text (write a number, D3, D6, 2D6 or D6+1)")
    if isinstance(text, int):
        return _checked(Dice(0, 0, text), str(text))
    squeezed = text.replace(" ", "")
    match = re.fullmatch(_TEXT, squeezed) if 0 < len(squeezed) <= 24 and squeezed.isascii() else None
    if match is None:
        raise BadInputError(f"dice: {text!r} is not dice text (write a number, D3, D6, 2D6 or D6+1)")
    plus = int((match[3] or "") + match[4]) if match[4] else 0
    if match[2] is None:
        return _checked(Dice(0, 0, plus), text)
    return _checked(Dice(int(match[1] or 1), int(match[2]), plus), text)


def _checked(dice: Dice, text: str) -> Dice:
    if dice.count and dice.sides not in (3, 6):
        raise BadInputError(f"dice: {text!r} has a D{dice.sides} (these games roll D3 and D6 only)")
    if dice.fixed and dice.plus < 0:
        raise BadInputError(f"dice: {text!r} is negative (give 0 or more)")
    if ("D" in text.upper() and dice.count == 0) or dice.count > MOST or abs(dice.plus) > MOST:
        raise BadInputError(f"dice: {text!r} is out of range (1 to {MOST} dice, numbers up to {MOST})")
    return dice
