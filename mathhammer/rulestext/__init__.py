"""Sentences of abilities, read as effects: a grammar, not a guess."""

from __future__ import annotations

from mathhammer.games.discovery import family_of
from mathhammer.rulestext.reader import read
from mathhammer.rulestext.reading import Reading, RulesText

__all__ = ["Reading", "RulesText", "read_rule"]


def read_rule(rule: RulesText, system: str) -> Reading:
    """What an ability of a game's unit says; what the grammar does not cover is in `rest`.

    >>> read_rule(RulesText("This unit has Ward (5+) if it charged this turn."), "aos4").effects
    ({'when': ['charged'], 'ward': 5},)
    """
    return read(rule, family_of(system))
