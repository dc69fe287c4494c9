"""Sentences of abilities, read as effects: a grammar, not a guess.

A sentence is read from left to right, clause by clause. Each clause is matched by one production: a `lead`
that says when, who or on which roll (`moments`, `whiles`, `attacks`, `picks`, `rolls`, `events`), a
`change` that becomes an effect (`roll_changes`, `stats`, `harm`, `healing`, `fighting`, `gaining`,
`having`, `sheets`), or an aside that changes no number. Phrases inside are read by their own small
grammars: `who`, `tails`, `arms`, `conditions`, `keywords`. What no production covers is named in `rest`; a
change with a limit that is not understood is left out whole.

A parser library was tried first (lark). Its LALR parser is fast and fails on the first open word, and these
sentences are full of them: names of units, weapons and rules, and conditions that nobody foresaw. Its Earley
parser copes with those, but took longer for ten rules than this takes for two hundred, and gives all of a
sentence or nothing; here the clauses that are understood stand, and the others are named.
"""

from __future__ import annotations

from mathhammer.games.discovery import family_of
from mathhammer.rulestext.reader import read
from mathhammer.rulestext.reading import Reading, RulesText

__all__ = ["Reading", "RulesText", "read_rule"]


def read_rule(rule: RulesText, system: str) -> Reading:
    """What an ability of a game's unit says; what the grammar does not cover is in `rest`.

    >>> read_rule(RulesText("This unit has Ward (2+) if it charged this turn."), "aos4").effects
    ({'when': ['charged'], 'ward': 2},)
    """
    return read(rule, family_of(system))
