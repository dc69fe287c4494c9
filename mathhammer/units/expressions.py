"""The language of questions: a unit and how it fights, in one line.

[N] NAME [xN] [with LEADER, LEADER] [: WORD, WORD, ...]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mathhammer.dataclass import dataclass

LONGEST = 300  # characters
_BEFORE = r"(?i)(\d{1,4})\s*[x×]?\s+(\S.*)"
_BEHIND = r"(?i)(.*\S)\s*(?:\bx|×)\s*(\d{1,4})"
_BRACKET = r"(.*\S)\s*\(([^()]{1,40})\)"
_LOST = r"(?i)(\d{1,4}) ?(models?|wounds?)? ?lost"


@dataclass(frozen=True, slots=True)
class Expression:
    """One way to read an expression; whether its names are units is for the datasheets to say."""

    name: str
    models: int | None = None
    leaders: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def readings(text: str) -> Iterator[Expression]:
    """Every way to read a text, the plainest first: a name may hold a number, a colon or `with` itself.

    >>> next(readings("Clanrats"))
    Expression(name='Clanrats', models=None, leaders=(), words=())
    >>> said = Expression("Liberators", 10, ("Lord-Terminos",), ("charged", "+1 to hit"))
    >>> said in readings("10 Liberators with Lord-Terminos: charged, +1 to hit")
    True
    """
    plain = " ".join(text.split())
    yield Expression(plain)
    head, colon, tail = plain.rpartition(":")
    words = split_words(tail) if colon else ()
    if colon:
        yield Expression(head.strip(), words=words)
        yield from _sized(head.strip(), words)
    yield from _sized(plain, ())


def _sized(head: str, words: tuple[str, ...]) -> Iterator[Expression]:
    if match := re.fullmatch(_BRACKET, head):
        head, words = match[1], (*split_words(match[2]), *words)
        yield Expression(head, words=words)
    for name, leaders in _led(head):
        yield from _counted(name, leaders, words)


def _counted(name: str, leaders: tuple[str, ...], words: tuple[str, ...]) -> Iterator[Expression]:
    if leaders:
        yield Expression(name, None, leaders, words)
    if match := re.fullmatch(_BEFORE, name):
        yield Expression(match[2], int(match[1]), leaders, words)
    if match := re.fullmatch(_BEHIND, name):
        yield Expression(match[1], int(match[2]), leaders, words)


def _led(head: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The name, and the name with its leaders behind each `with`."""
    yield head, ()
    for match in re.finditer(r" with ", head, re.IGNORECASE):
        behind = head[match.end() :]
        yield head[: match.start()], (behind,)
        if (several := split_words(re.sub(r" and ", ", ", behind))) != (behind,):
            yield head[: match.start()], several


def split_words(text: str) -> tuple[str, ...]:
    """Words with commas between them; a comma inside brackets divides nothing.

    >>> split_words("charged, Crit (Mortal, 2), ")
    ('charged', 'Crit (Mortal, 2)')
    """
    parts = re.split(r",(?![^(]*\))", text)
    return tuple(part.strip() for part in parts if part.strip())


def lost_in(word: str) -> tuple[int, bool] | None:
    """How many wounds, or models (True), a word says are lost.

    >>> lost_in("3 lost"), lost_in("2 models lost"), lost_in("charged")
    ((3, False), (2, True), None)
    """
    match = re.fullmatch(_LOST, word.strip())
    return None if match is None else (int(match[1]), (match[2] or "").lower().startswith("model"))
