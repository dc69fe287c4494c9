"""Every production there is; in each part, those of the first files come first."""

from __future__ import annotations

import importlib
from functools import cache

from mathhammer.rulestext.productions import ALL, Part, Production, heads

FILES = {
    "lead": ("moments", "whiles", "attacks", "picks", "rolls", "events", "lenient", "asides"),
    "change": (
        "roll_changes",
        "stats",
        "harm",
        "healing",
        "fighting",
        "gaining",
        "having",
        "rolls",
        "sheets",
    ),
    "aside": ("asides",),
}


@cache
def productions() -> tuple[Production, ...]:
    """All productions: leads, changes, asides.

    >>> len(productions()) > 100
    True
    """
    for name in dict.fromkeys(name for names in FILES.values() for name in names):
        importlib.import_module(f"mathhammer.rulestext.{name}")
    return tuple(sorted(ALL.values(), key=_rank))


def _rank(rule: Production) -> tuple[int, int]:
    part: Part = rule.part
    return list(FILES).index(part), FILES[part].index(rule.build.__module__.rpartition(".")[2])


@cache
def starting_with(word: str, family: str) -> tuple[Production, ...]:
    """The productions whose clause may begin with that word, in their order."""
    return tuple(
        rule
        for rule in productions()
        if rule.family in ("", family) and ((first := heads(rule.pattern.pattern)) is None or word in first)
    )
