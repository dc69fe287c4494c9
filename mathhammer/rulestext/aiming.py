"""At whom attacks are aimed, and with which weapons."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.conditions import target_of
from mathhammer.rulestext.frame import ALWAYS, Alts, Frame, Who, one
from mathhammer.rulestext.predicate_kinds import kind_of
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


_OATH = re.compile(r"your Oath of Moment target", re.IGNORECASE)
_STATUS = re.compile(r"an? (?P<what>Afflicted|Spotted|stupefied|marked) (?:enemy )?unit", re.IGNORECASE)
_OR = re.compile(r" or ")
_AGAIN = re.compile(r"(?:that|those|the) (?:[\w-]+ ){0,3}(?:units?|models?|targets?)|it|them", re.IGNORECASE)
_A_UNIT = re.compile(
    r"(?:an?|one or more|any) (?:(?:enemy )?(?:units?|models?|targets?))(?P<tail> .*|)$", re.IGNORECASE
)


def aimed(text: str, frame: Frame) -> Frame | None:
    """The frame of attacks at this target."""
    text = text.strip()
    if match := _OR_CLOSEST.fullmatch(text):
        either = aimed("a " + match["two"], replace(frame, alts=ALWAYS))
        return None if either is None else frame.when((*one("closest_target"), *either.alts))
    if _CLOSEST.fullmatch(text):
        return frame.when(one("closest_target"))
    if frame.mark and frame.foe is not None and frame.mark in text.lower() and "," not in text:
        return frame.when(one(f"target_picked {frame.foe.reach}".strip()))
    if _OATH.fullmatch(text):
        return frame.when(one("is Oath of Moment", "foe"))
    if match := _STATUS.fullmatch(text):
        return frame.when(one(f"is {match['what']}", "foe"))
    if match := _A_UNIT.fullmatch(text):
        text = f"an enemy unit{match['tail']}"
    whom = who(text, frame)
    if (whom is None or whom.side != "foes") and _AGAIN.fullmatch(text):
        whom = frame.foe
    if whom is None:
        return _at_a_kind(text, frame)
    alts = target_of(whom)
    return None if alts is None else replace(frame.when(_as_target(alts)), foe=whom)


def _at_a_kind(text: str, frame: Frame) -> Frame | None:
    """Attacks at enemies of a kind, or of one of two."""
    if (match := _KINDS.fullmatch(text)) and (alts := kind_of(match, "foe")) is not None:
        return replace(frame.when(alts), foe=frame.foe or Who("foes", alts))
    for match in _OR.finditer(text):
        first = who(f"enemy {text[: match.start()]}", frame)
        second = who(f"enemy {text[match.end() :]}", frame)
        if first is not None and second is not None:
            return frame.when((*first.alts, *second.alts))
    alts = target_of(who(f"enemy {text}", frame))
    return None if alts is None else frame.when(_as_target(alts))


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
