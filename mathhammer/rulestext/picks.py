"""Somebody, or something, is picked."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.frame import Frame, one
from mathhammer.rulestext.productions import Said, goes_on, production
from mathhammer.rulestext.who import who


@production(
    "options",
    "lead",
    r"(?:you can )?(?:select|choose|pick) (?:either|one|1)(?: of the following)?(?: weapon)?(?: "
    r"abilities)?(?: for [^;:]*?)?:? (?:the )?(?P<names>\[[^.]+?\](?:(?:;|,|,? or|,? and)? (?:the "
    r")?\[[^.]+?\])*)(?: abilit(?:y|ies))?",
    "Each time this unit is selected to fight, select one of the following abilities: [LETHAL HITS]; "
    "[LANCE]. Until the end of the phase, melee weapons equipped by models in this unit have that "
    "ability.",
    soft=True,
)
def _options(match: re.Match[str], frame: Frame) -> Said | None:
    if " to gain" in match[0]:  # what gains them is told at once
        return None
    names = tuple(name.strip() for name in re.findall(r"\[([^\]]+)\]", match["names"]))
    return goes_on(replace(frame.chosen(), options=names))


@production(
    "pick.again",
    "lead",
    r"each time [^,;:]* is destroyed, (?:you can )?(?:select|pick|choose) (?:one|a|another) new [^;:]*",
    "Each time this unit's prey is destroyed, select one new enemy unit to be its prey.",
)
def _pick_again(match: re.Match[str], frame: Frame) -> Said:
    return goes_on(frame)


@production(
    "pick",
    "lead",
    r"(?:then,? )?(?:you (?:can|must|may) |this (?:model|unit|psyker) can |the bearer can "
    r")?(?:select|pick|choose) (?:up to )?(?P<whom>(?:one|an?|another|1|2|3|two|three|each|all|this|"
    r"any number of|one or more|every|that|visible|friendly|enemy|\d)\b[^;:.]*?)(?:,? to be "
    r"(?:(?:the|its|a|their|this (?:model|unit)'s|your)(?: second)? )?(?P<mark>targets?|[\w' ]+?))?",
    'Select one enemy unit within 12" of this unit. Until the end of the turn, subtract 1 from hit '
    "rolls for attacks made by that unit.",
    soft=True,
)
def _pick(match: re.Match[str], frame: Frame) -> Said | None:
    return picked_by(match, frame, lenient=False)


def picked_by(match: re.Match[str], frame: Frame, lenient: bool) -> Said | None:
    picked = picking(match["whom"], frame, lenient)
    if picked is None or _GOES_ON.match(match.string, match.end()):
        return None
    mark = (match["mark"] or "").lower()
    return goes_on(replace(picked, mark="" if mark.startswith("target") else mark))


_GOES_ON = re.compile(r" (?:that|which)\b(?! (?:enemy )?unit\b| model\b)", re.IGNORECASE)
_YOURS = re.compile(
    r"(?P<head>(?:one|an?|up to \w+) )(?:unit|model) from your opponent's army(?P<tail>.*)", re.IGNORECASE
)


def picking(text: str, frame: Frame, lenient: bool = True) -> Frame | None:
    """The frame after somebody was picked; `lenient`: a clause that is not understood is a switch."""
    text = text.strip()
    text = re.sub(
        r"^(one|an?|each) unit(?= (?:\([^)]*\) )?(?:that was )?hit by)",
        r"\1 enemy unit",
        text,
        flags=re.IGNORECASE,
    )
    if match := _YOURS.fullmatch(text):
        text = f"{match['head']}enemy unit{match['tail']}"
    if match := re.fullmatch(
        r"(?:one|a) of (?:those|them|the enemy) ?(?:units|enemy units)?.*", text, re.IGNORECASE
    ):
        return frame.chosen() if frame.foe else None
    if match := _PICKED_WEAPON.fullmatch(text):
        chosen = frame.chosen().when(one("if the chosen weapon"))
        return chosen.when(one(match["kind"].lower())) if match["kind"] else chosen
    meant = who(text, frame, lenient)
    if meant is None:
        return None
    chosen = frame.chosen()
    if meant.side == "foes":
        reach = next(
            (
                cond.word.removeprefix("within ")
                for way in meant.alts
                for cond in way
                if cond.word.startswith("within ")
            ),
            "",
        )
        meant = replace(meant, picked=True, reach=reach)
        return replace(chosen, it=meant, foe=meant)
    return replace(chosen, it=meant)


_PICKED_WEAPON = re.compile(
    r"(?:one|1|a) (?:of (?:this unit's|its|the bearer's|your hero's|the target's) (?:non-Companion "
    r")?)?(?P<kind>melee|ranged)? ?weapons?(?: (?:equipped by|used by) (?:the bearer|this model|this "
    r"unit))?(?: \([^)]*\))?(?: and .*)?",
    re.IGNORECASE,
)
