"""At whom attacks are aimed, and with which weapons."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.conditions import target_of
from mathhammer.rulestext.frame import ALWAYS, Alts, Frame, Who, one
from mathhammer.rulestext.predicates import kind_of
from mathhammer.rulestext.weapon_words import weapon_names, weapon_words
from mathhammer.rulestext.who import who

_CLOSEST = re.compile(
    r"the closest (?:eligible |visible )?(?:enemy )?(?:target|unit)(?: [^,]{0,60})?", re.IGNORECASE
)


_KINDS = re.compile(
    r"(?:an?|one or more|any)? ?(?P<what>(?:non-)?[A-Z].*?)(?: units?| models?)?(?: \((?:excluding|"
    r"except) (?P<but>[^)]+)\))?$"
)


_OR_CLOSEST = re.compile(
    r"(?P<one>the closest (?:eligible )?target) or (?:an?|that) (?P<two>.+)", re.IGNORECASE
)


_A_UNIT = re.compile(
    r"(?:an?|one or more|any) (?:(?:enemy )?(?:units?|models?|targets?))(?P<tail> .*|)$", re.IGNORECASE
)


def aimed(text: str, frame: Frame) -> Frame | None:
    """The frame of attacks at this target."""
    text = text.strip()
    if match := _OR_CLOSEST.fullmatch(text):
        second = aimed("a " + match["two"], replace(frame, alts=ALWAYS))
        return None if second is None else frame.when((*one("closest_target"), *second.alts))
    if _CLOSEST.fullmatch(text):
        return frame.when(one("closest_target"))
    if frame.mark and frame.foe is not None and frame.mark in text.lower() and "," not in text:
        return frame.when(one(f"target_picked {frame.foe.reach}".strip()))
    if (
        match := re.fullmatch(
            r"your Oath of Moment target|the target of .{3,40}|(?:a|an) (?P<what>Afflicted|Spotted|"
            r"stupefied|marked) (?:enemy )?unit",
            text,
            re.IGNORECASE,
        )
    ) is not None:
        if text.lower().startswith("your oath"):
            return frame.when(one("is Oath of Moment", "foe"))
        return frame.when(one(f"is {match['what']}", "foe")) if match["what"] else None
    if match := _A_UNIT.fullmatch(text):
        text = f"an enemy unit{match['tail']}"
    whom = who(text, frame)
    if whom is None and text.lower() in ("that unit", "it", "the target", "them"):
        whom = frame.foe
    if whom is not None and whom.side != "foes" and text.lower().startswith(("that", "the target", "it")):
        whom = frame.foe
    if whom is None and (match := _KINDS.fullmatch(text)):
        alts = kind_of(match, "foe")
        if alts is not None:
            return replace(frame.when(alts), foe=frame.foe or Who("foes", alts))
    if whom is None and " or " in text:
        for place in [found.start() for found in re.finditer(" or ", text)]:
            first, second = who(f"enemy {text[:place]}", frame), who(f"enemy {text[place + 4 :]}", frame)
            if first is not None and second is not None:
                return frame.when((*first.alts, *second.alts))
    if whom is None:
        whom = who(f"enemy {text}", frame)
    if whom is None or whom.side != "foes":
        return None
    alts = target_of(whom)
    if alts is None:
        return None
    alts = _as_target(alts)
    return replace(frame.when(alts), foe=whom)


def _as_target(alts: Alts) -> Alts:
    """Conditions of an enemy that is the target of an attack: near this unit is `target_within`."""
    return tuple(
        tuple(
            replace(cond, word="target_" + cond.word) if cond.word.startswith("within ") else cond
            for cond in way
        )
        for way in alts
    )


_WEAPON_NAME = re.compile(
    r"(?:(?:an?|its|their|the bearer's|this model's|this unit's|that|the) )(?P<name>(?:[\w'’-]+ "
    r"?){1,6}?)(?: weapons?)?(?: equipped by .+)?$",
    re.IGNORECASE,
)


_THAT_WEAPON = re.compile(r"(?:that|this|those) weapons?|it", re.IGNORECASE)


def with_arms(text: str, frame: Frame) -> Frame | None:
    """The frame of attacks with these weapons."""
    text = text.strip()
    alts = weapon_words(text)
    if alts is not None:
        return frame.when(alts)
    if _THAT_WEAPON.fullmatch(text):
        return frame if frame.weapon or frame.attack else None
    if text.lower() in ("a weapon", "weapons", "its weapons", "any weapon", "any of its weapons"):
        return frame
    if (match := _WEAPON_NAME.fullmatch(text)) is not None:
        named = weapon_names(match["name"])
        return None if named is None else replace(frame, weapon=named)
    return None
