"""Sentences of abilities, read as effects: a grammar, not a guess."""

from __future__ import annotations

from mathhammer.rulestext.reading import Reading, RulesText

__all__ = ["Reading", "RulesText", "read_rule"]


def read_rule(rule: RulesText, system: str) -> Reading:
    """What an ability of a game's unit says; what the grammar does not cover is in `rest`.

    >>> read_rule(RulesText("Nobody wrote this rule."), "aos4").state
    'unread'
    """
    return Reading("combat", (), (rule.text,))
