"""Switches: conditions in the words of the text, which the player sets."""

from __future__ import annotations

import re

from mathhammer.rulestext.frame import Alts, one


def switch(text: str) -> Alts | None:
    """Anything else, in the words of the text: a switch that the player sets.

    >>> switch("the moon is full")
    ((Cond(word='if the moon is full', of='', no=False),),)
    """
    words = text.strip().rstrip(".,")
    if not 3 <= len(words) <= 160 or _NO_SWITCH.search(words) or _SOMEBODY_NEW.match(words):
        return None
    return one(f"if {words}")


# "while a friendly unit is near ..., that unit ...": somebody is brought in, and must be understood
_SOMEBODY_NEW = re.compile(
    r"(?:an?|one or more|each|any|another|such an?) (?:other )?(?!of\b)(?:[\w'-]+ ){0,6}?(?:units?|"
    r"models?)\b(?! (?:was|were|has|have) (?:been )?destroyed)",
    re.IGNORECASE,
)


_NO_SWITCH = re.compile(
    r"\b(?:instead|roll(?:ed|s)?\b(?! off)|re-roll|unmodified|each time|for each|D6|D3|result|test)",
    re.IGNORECASE,
)
