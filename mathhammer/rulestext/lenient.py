"""The last readings of a clause: what is not understood, but may be a switch that the player sets."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.frame import Frame
from mathhammer.rulestext.picks import picked_by
from mathhammer.rulestext.productions import Said, goes_on, production
from mathhammer.rulestext.switches import switch


@production(
    "pick.lenient",
    "lead",
    r"(?:then,? )?(?:you (?:can|must|may) |this (?:model|unit|psyker) can |the bearer can "
    r")?(?:select|pick|choose) (?:up to )?(?P<whom>(?:one|an?|another|1|2|3|two|three|each|all|any "
    r"number of|one or more|every|visible|friendly|enemy|\d)\b[^;:.,]*? that [^;:.,]*?)(?:,? to be "
    r"(?:(?:the|its|a|their|this (?:model|unit)'s|your)(?: second)? )?(?P<mark>targets?|[\w' ]+?))?",
    "Select one enemy unit that sang this turn. Until the end of the turn, that enemy unit has Strike-last.",
    soft=True,
)
def _pick_lenient(match: re.Match[str], frame: Frame) -> Said | None:
    return picked_by(match, frame, lenient=True)


@production(
    "if.switch",
    "lead",
    r"(?:if|provided(?: that)?|while|as long as) <words>",
    "If the moon is full, this unit has Ward (2+).",
)
def _if_switch(match: re.Match[str], frame: Frame) -> Said | None:
    alts = switch(match["words"])
    if alts is None or (_BROUGHT_IN.search(match["words"]) and _SPOKEN_OF.search(match.string, match.end())):
        return None
    return goes_on(replace(frame.when(alts), last=alts))


# somebody is brought in and spoken of later: a switch would make "that unit" somebody else
_BROUGHT_IN = re.compile(r"\b(?:an?|one or more|another|any) (?:enemy|friendly)\b", re.IGNORECASE)
_SPOKEN_OF = re.compile(
    r"\b(?:that (?:enemy |friendly )?(?:unit|model)|those units|it|they|them)\b", re.IGNORECASE
)
