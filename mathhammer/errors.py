"""The errors a user may see: one sentence each, `where: what is wrong (what would be right)`."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class MathhammerError(ValueError):
    """The parent of every error this package raises on purpose.

    >>> issubclass(TooLargeError, MathhammerError)
    True
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """What another process needs to raise it there: the sentence, whatever it was made from."""
        return type(self).__new__, (type(self), str(self))


class UnknownNameError(MathhammerError):
    """A unit, weapon, ability, flag or question that does not exist; carries a suggestion.

    >>> str(UnknownNameError("fight", "situation", "chraged", ["charged", "in_combat"]))
    "fight: unknown situation 'chraged' (did you mean 'charged'?)"
    """

    def __init__(self, where: str, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"{where}: unknown {kind} {name!r}{did_you_mean(name, known)}")


class BadInputError(MathhammerError):
    """A value that no rule allows: a 1+ to hit, minus three models, dice text such as `2D`.

    >>> str(BadInputError("dice: '2D' is not dice text (write a number, D3, D6, 2D6 or D6+1)"))
    "dice: '2D' is not dice text (write a number, D3, D6, 2D6 or D6+1)"
    """


class TooLargeError(MathhammerError):
    """A question that would take hours or more memory than there is; says what to do instead.

    >>> str(TooLargeError("fight: exact needs 12 million states (use method=\\"simulate\\")"))
    'fight: exact needs 12 million states (use method="simulate")'
    """


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A bracket with the nearest known name, or with all of them when there are few, or nothing.

    >>> did_you_mean("Librators", ["Liberators", "Rat Ogors"])
    " (did you mean 'Liberators'?)"
    >>> did_you_mean("zzz", ["melee", "ranged"])
    " (known: 'melee', 'ranged')"
    """
    names = sorted(set(known))
    by_lower = {known_name.lower(): known_name for known_name in names}
    near = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    if near:
        return f" (did you mean {by_lower[near[0]]!r}?)"
    if 0 < len(names) <= 24:
        return f" (known: {', '.join(map(repr, names))})"
    return ""


def printable(text: str) -> str:
    """Text that does nothing to a terminal: what cannot be printed is spelled out.

    >>> print(printable("Rats\x1b[2J"))
    Rats\\x1b[2J
    """
    return (
        text
        if text.isprintable()
        else "".join(mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in text)
    )
