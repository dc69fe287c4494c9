"""Rolls that a rule depends on: `3+`, `2-3`, `2D6 7+`, `cast 6`, `>= save`, and their chances."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from itertools import product

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError

_SIGN: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}
_NEEDS = (
    r"(?:(?P<dice>\d?D[36]) )?"
    r"(?:(?P<low>\d{1,2})(?P<plus>\+)?(?:-(?P<high>\d{1,2}))?|(?P<sign>>=|>|<=|<) (?P<stat>[a-z]{2,20}))"
)
_MAGIC = r"(cast|chant) (\d{1,2})"
FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Needs:
    """A roll that a rule needs: its dice, and the totals that are right, or the characteristic it is set
    against.

    >>> parse_needs("needs", "2-3").chance({}), parse_needs("needs", "> save").chance({"save": 4})
    (0.3333333333333333, 0.3333333333333333)
    """

    text: str
    number: int = 1
    sides: int = 6
    low: int = 1
    high: int | None = None
    sign: str = ""
    stat: str = ""
    unmodified_fails: int = 0  # dice that fail whatever is added: a 1 to chant, two 1s to cast

    def rolls(self) -> list[tuple[int, tuple[int, ...]]]:
        """Every total with its dice, all equally likely."""
        thrown = product(FACES, repeat=self.number)
        return [(sum((die + 1) // 2 if self.sides == 3 else die for die in dice), dice) for dice in thrown]

    def right(
        self, total: int, dice: tuple[int, ...], stats: Mapping[str, int | None], more: int = 0
    ) -> bool:
        """Whether this roll is right, with `more` added to it; a characteristic that it lacks is not met."""
        if self.unmodified_fails and dice.count(1) >= self.unmodified_fails:
            return False
        if self.stat:
            value = stats.get(self.stat)
            return value is not None and _SIGN[self.sign](total + more, value)
        return total + more >= self.low and (self.high is None or total + more <= self.high)

    def chance(self, stats: Mapping[str, int | None], more: int = 0) -> float:
        """How often the roll is right."""
        rolls = self.rolls()
        return sum(self.right(total, dice, stats, more) for total, dice in rolls) / len(rolls)


def parse_needs(where: str, text: str) -> Needs:
    """A roll from its text.

    >>> parse_needs("needs", "2D6 7+").chance({})
    0.5833333333333334
    >>> parse_needs("needs", "maybe")
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: needs 'maybe' (write 3+, 2-3, 6, 2D6 7+, cast 6, chant 4 or >= save)
    """
    words = " ".join(str(text).split())
    if magic := re.fullmatch(_MAGIC, words):
        thrown = 2 if magic[1] == "cast" else 1
        return Needs(words, thrown, low=int(magic[2]), unmodified_fails=thrown)
    match = re.fullmatch(_NEEDS, words)
    if match is None:
        raise BadInputError(f"{where} {text!r:.60} (write 3+, 2-3, 6, 2D6 7+, cast 6, chant 4 or >= save)")
    dice = (match["dice"] or "1D6").rjust(3, "1")
    number, sides = int(dice[0]), int(dice[-1])
    if match["stat"]:
        return Needs(words, number, sides, sign=match["sign"], stat=match["stat"])
    low = int(match["low"])
    high = None if match["plus"] else int(match["high"] or low)
    return Needs(words, number, sides, low, high)
