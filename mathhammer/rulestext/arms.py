"""Whose weapons or attacks a phrase means: "melee weapons equipped by models in that unit", "its Claws"."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.aiming import aimed
from mathhammer.rulestext.frame import Frame, Who, one
from mathhammer.rulestext.weapon_words import KINDS, weapon_names, weapon_words
from mathhammer.rulestext.who import who

_MOUNT = (
    r"(?P<no>non-)?(?P<what>Companion|Psychic|Torrent|Blast|Melta|Heavy|Assault|Pistol|Rapid Fire|\[[\w "
    r"-]+\])"
)


_BY = re.compile(
    rf"(?:the )?(?:all )?(?:(?P<kind>melee|ranged|combat|shooting) )?(?:{_MOUNT} )?(?P<kind2>melee |"
    rf"ranged )?weapons?(?: \(excluding (?P<but>[^)]+?)(?: weapons)?\))?"
    r" (?:(?:that (?:is|are) )?equipped by|used by|of|carried by|in(?= (?:this|that) unit)) "
    r"(?P<who>.+?)(?P<tail> for attacks .+| that target .+)?",
    re.IGNORECASE,
)


_OWN = re.compile(
    rf"(?P<who>.+?)(?:'s|s'|(?<=its)|(?<=their)) (?:(?P<kind>melee|ranged|combat|shooting) "
    rf")?(?:{_MOUNT} )?(?P<kind2>melee |ranged )?(?P<noun>weapons?|attacks?)(?P<tail> for attacks .+|"
    rf" that target .+|, including .+| \(including .+)?",
    re.IGNORECASE,
)


_ATTACKS = re.compile(
    r"(?:all )?(?:(?P<kind>melee|ranged|combat|shooting|psychic) )?attacks?(?: made)? (?:by|for) "
    r"(?P<who>.+?)(?P<tail> (?:that|which) targets? .+| against .+)?",
    re.IGNORECASE,
)


_AT = re.compile(
    r"(?:(?P<kind2>melee |ranged )?(?P<what>Companion )?weapons? (?:used )?for )?(?:(?P<kind>melee|"
    r"ranged|combat|shooting|psychic) )?attacks?(?: made by (?P<foe>[^,]+?))?(?:,? and)? (?:that|"
    r"which) (?:targets?|are allocated to) (?P<who>.+)",
    re.IGNORECASE,
)


_OF_THAT = re.compile(r"attacks? made as part of that (?P<what>shoot|fight) ability", re.IGNORECASE)
_MADE_WITH = re.compile(r"attacks? made with (?P<arms>.+?)(?P<tail> that targets? .+)?", re.IGNORECASE)


_THAT = re.compile(r"(?:that|the|those|its|such) (?:attack|attacks)|(?:that|those) weapons?", re.IGNORECASE)


_NAMED = re.compile(
    r"(?P<who>.+?)(?:'s|s'|(?<=its)|(?<=their)) (?P<name>[^,]+?(?:, [^,]+?)*?)(?P<tail> for attacks .+|"
    r" that target .+)?",
    re.IGNORECASE,
)


_NAMED_BY = re.compile(
    r"(?P<name>[\w' -]+?) (?:used|equipped|carried) by (?P<who>.+?)(?P<tail> for attacks .+| that "
    r"target .+)?",
    re.IGNORECASE,
)


_FOR = re.compile(
    r"(?:for attacks |)(?:that target|that targets|made that target|against) (?P<whom>.+)", re.IGNORECASE
)


_COMPANION = re.compile(r",? ?\(?including (?:its |their )?Companion(?: weapons)?\)?", re.IGNORECASE)


def arms(text: str, frame: Frame) -> tuple[Frame, Who] | None:
    """The frame of attacks with these weapons, and whose they are; None where it is not understood."""
    text = text.strip().rstrip(".,")
    companion = bool(_COMPANION.search(text))
    text = _COMPANION.sub("", text).strip()
    frame = replace(frame, companion=companion or frame.companion)
    if (match := _OF_THAT.fullmatch(text)) and frame.declared is not None:
        moved = replace(frame, by=frame.declared, against=None)
        return moved.when(one("ranged" if match["what"].lower() == "shoot" else "melee")), frame.declared
    if _THAT.fullmatch(text):
        meant = frame.by or frame.against
        if meant is None and frame.weapon:
            return frame, frame.it
        if meant is None and any(cond.word == "if the chosen weapon" for way in frame.alts for cond in way):
            return replace(frame, by=frame.it), frame.it
        return None if meant is None else (frame, meant)
    for pattern in (_AT, _BY, _OWN, _ATTACKS, _MADE_WITH, _NAMED_BY, _NAMED):
        match = pattern.fullmatch(text)
        if match is not None and (found := _meant(match, frame, pattern is _AT)) is not None:
            return found
    return None


def _meant(match: re.Match[str], frame: Frame, at: bool) -> tuple[Frame, Who] | None:
    parts = match.groupdict()
    if "arms" in parts and "who" not in parts:
        inner = arms(parts["arms"], frame)
        if inner is None:
            return None
        return _towards(replace(inner[0], by=inner[1]), parts.get("tail"), inner[1])
    meant = whose(parts["who"], frame)
    if meant is None or meant.reach == "attacker":
        return None
    if at:
        moved = replace(frame, against=meant, by=None)
    else:
        moved = replace(frame, by=meant, against=frame.against if meant.side == "foes" else None)
    if at and parts.get("foe"):
        foe = who(parts["foe"], frame)
        if foe is None or foe.side != "foes":
            return None
        moved = moved.when(foe.alts)
    kind = (parts.get("kind") or parts.get("kind2") or "").strip().lower()
    if kind:
        moved = moved.when(one("weapon has Psychic") if kind == "psychic" else one(KINDS[kind]))
    if what := (parts.get("what") or "").strip():
        word = what.strip("[]")
        named = one(f"weapon has {word[0].upper()}{word[1:].lower()}", no=bool(parts.get("no")))
        moved = moved if parts.get("no") and word.lower() == "companion" else moved.when(named)
    if but := parts.get("but"):
        alts = weapon_words(but)
        if alts is None or len(alts) != 1:
            return None
        moved = moved.when(tuple(tuple(replace(c, no=True) for c in way) for way in alts))
    if name := parts.get("name"):
        names = weapon_names(name)
        if names is None:
            return None
        moved = replace(moved, weapon=names)
    return _towards(moved, parts.get("tail"), meant)


def _towards(frame: Frame, tail: str | None, meant: Who) -> tuple[Frame, Who] | None:
    """The frame with the target that stands behind the weapons."""
    if not tail or not tail.strip():
        return frame, meant
    match = _FOR.fullmatch(tail.strip())
    if match is None:
        return None
    moved = aimed(match["whom"], replace(frame, attack=True))
    return None if moved is None else (moved, meant)


def whose(text: str, frame: Frame) -> Who | None:
    """Who a possessive means; "its" and "their" are who was spoken of."""
    low = text.strip().lower()
    if low in ("its", "their"):
        return frame.it
    if low in ("enemy", "enemies"):
        return Who("foes")
    return who(text, frame)
