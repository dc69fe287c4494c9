"""Options of a game: readings of unclear rules, and circumstances that are numbers or switches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its default, what that means, the other value and what that means, its rule.

    A circumstance is not a reading of a rule: it says what is on the table, and holds nothing by default.

    >>> coin = Option(True, "heads count", False, "tails count", "COIN-1")
    >>> coin.other_than(True), str(coin)
    (False, 'heads count; False: tails count (COIN-1)')
    """

    default: Any
    what: str
    other: Any
    otherwise: str
    rule: str
    circumstance: bool = False

    def __str__(self) -> str:
        return f"{self.what}; {self.other}: {self.otherwise} ({self.rule})"

    def other_than(self, value: Any) -> Any:
        """The value that would be a change: the alternative of the default, or the default."""
        return self.other if value == self.default else self.default


def defaults(options: Mapping[str, Option]) -> dict[str, Any]:
    """The default of each option.

    >>> defaults({"coin": Option(True, "heads count", False, "tails count", "COIN-1")})
    {'coin': True}
    """
    return {name: option.default for name, option in options.items()}
