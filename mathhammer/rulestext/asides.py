"""Clauses that change no number: limits of use, costs, who may be picked."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.frame import Frame
from mathhammer.rulestext.productions import Said, production


def _aside(id: str, pattern: str, example: str) -> None:
    @production(id, "aside", pattern, example)
    def _read(match: re.Match[str], frame: Frame) -> Said:
        return Said(frame=frame)


_aside(
    "aside.once",
    r"(?:each|a|the same) (?:unit|model|enemy unit|target|ability)(?: from your army)? can(?:not| "
    r"only) (?:be|have)[^.;]*",
    "Each unit can only be selected for this ability once per week.",
)
_aside(
    "aside.cumulative",
    r"(?:this unit|units|a unit|this ability|these effects|models)[^.;,]*(?:multiple times|are "
    r"cumulative|cumulative)[^.;]*",
    "Units can be affected by this ability three times and the effects are cumulative.",
)
_aside(
    "aside.use-shoot",
    r"(?:this|that|those|the|each|it|they)[^.;,]*can use [^.;,]*abilit(?:y|ies)[^.;,]*(?:even if|"
    r"this turn|in the same turn|as if)[^.;]*",
    "This unit can use Dance abilities even if it sang in the same turn.",
)
_aside(
    "aside.eligible",
    r"(?:this|that|those|the|each|it|they|models|units|friendly)[^.;,]* (?:is|are) eligible to "
    r"(?:shoot|declare|charge|fight)(?:(?!,? and (?:you|add|subtract|each|until|improve|models?|"
    r"melee|ranged|re-roll|if|has|have|its))[^.;])*",
    "This unit is eligible to shoot in a turn in which it sang.",
)


@production(
    "aside.expended",
    "lead",
    r"(?:this|that) (?:enhancement|ability|relic|effect) is (?:then )?expended",
    "It can use this Enhancement. If it does, this Enhancement is expended, and it has a 4+ "
    "invulnerable save.",
)
def _expended(match: re.Match[str], frame: Frame) -> Said:
    return Said(frame=replace(frame, limit="once per battle"))


_aside(
    "aside.must-target",
    r"(?:its|all of|that|those|the target'?s?)[^.;,]*attacks? must target[^.;,]*",
    "Its attacks must target that enemy unit.",
)
_aside(
    "aside.second-target",
    r"(?:you can )?pick (?:another|up to \d|an additional|1 additional|\d)(?: additional| other)? "
    r"(?:eligible )?[^.;]*?(?:second target|targets?|instead of 1|instead of one)",
    "If the chanting roll was 8+, pick another eligible unit to be a second target.",
)
_aside(
    "aside.regiment",
    r"(?:has |have |gains? )?the following regiment options?[^.;]*",
    "Your hero has Ward (2+) and the following regiment options.",
)
_aside(
    "aside.attach",
    r"(?:and )?(?:replace|add|change)[^.;]*list of (?:units|models)[^.;]*",
    "Replace the list of units that this hero leads: Guards.",
)


@production(
    "aside.fury",
    "lead",
    r"(?:they|your opponent) must (?:increase|reduce|lower)[^.;]*?(?:, to a maximum of \d+)?",
    "If the moon is full, they must increase their fury level by 1, to a maximum of 7. Then, this "
    "unit has Ward (2+).",
)
def _fury(match: re.Match[str], frame: Frame) -> Said:
    return Said(frame=replace(frame, alts=((),)))


_aside(
    "aside.power",
    r"(?:add|subtract) \d (?:to|from) [^.;,]*power level(?:, to a maximum of \d)?",
    "Add 7 to this unit's power level.",
)
_aside(
    "aside.control",
    r"(?:add|subtract|ignore|halve|double)[^.;,]*control scores?[^.;]*",
    "Add 77 to this unit's control score.",
)
_aside("aside.note", r"make a note of[^.;]*", "Make a note of it on your Army Roster.")
_aside(
    "aside.make-roll",
    r"(?:then )?make a (?:casting|chanting) roll of (?:2?D6)",
    "Then make a chanting roll of 2D6.",
)
_aside(
    "aside.cast",
    r"(?:pick|select) a (?:visible )?friendly [^,;]*? to (?:cast this spell|chant this prayer)",
    "Pick a friendly Wizard to cast this spell.",
)
_aside(
    "aside.no-effect",
    r"(?:on a <band>, )?(?:this|that) (?:ability|spell|prayer) has no effect|nothing happens",
    "On a 1, this ability has no effect.",
)
