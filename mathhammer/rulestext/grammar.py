"""Every production there is; in each part, those of the first files come first."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from mathhammer.rulestext import (
    asides,
    attacks,
    events,
    fighting,
    gaining,
    harm,
    having,
    healing,
    lenient,
    moments,
    picks,
    roll_changes,
    rolls,
    sheets,
    stats,
    whiles,
)
from mathhammer.rulestext.productions import ALL, Production, heads

FILES: dict[str, tuple[ModuleType, ...]] = {
    "lead": (moments, whiles, attacks, picks, rolls, events, lenient, asides),
    "change": (roll_changes, stats, harm, healing, fighting, gaining, having, rolls, sheets),
    "aside": (asides,),
}


@cache
def productions() -> tuple[Production, ...]:
    """All productions: leads, changes, asides.

    >>> len(productions()) > 100
    True
    """
    return tuple(sorted(ALL.values(), key=_rank))


def _rank(rule: Production) -> tuple[int, int]:
    files = [file.__name__ for file in FILES[rule.part]]
    return list(FILES).index(rule.part), files.index(rule.build.__module__)


@cache
def starting_with(word: str, family: str) -> tuple[Production, ...]:
    """The productions whose clause may begin with that word, in their order."""
    return tuple(
        rule
        for rule in productions()
        if rule.family in ("", family) and ((first := heads(rule.pattern.pattern)) is None or word in first)
    )
