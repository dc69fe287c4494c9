"""Whose weapons or attacks a phrase means: "melee weapons equipped by models in that unit", "its Claws"."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.rulestext.frame import Frame, Who, one
from mathhammer.rulestext.who import weapon_words, who

_F = re.IGNORECASE
_MOUNT = r"(?P<no>non-)?(?P<what>Companion|Psychic|Torrent|Blast|Melta|Heavy|Assault|Pistol|Rapid Fire|\[[\w -]+\])"
_BY = re.compile(
    rf"(?:the )?(?:all )?(?:(?P<kind>melee|ranged|combat|shooting) )?(?:{_MOUNT} )?(?P<kind2>melee |ranged )?weapons?(?: \(excluding (?P<but>[^)]+?)(?: weapons)?\))?"
    r" (?:(?:that (?:is|are) )?equipped by|used by|of|carried by|in(?= (?:this|that) unit)) (?P<who>.+?)(?P<tail> for attacks .+| that target .+)?", _F
)
_OWN = re.compile(
    rf"(?P<who>.+?)(?:'s|s'|(?<=its)|(?<=their)) (?:(?P<kind>melee|ranged|combat|shooting) )?(?:{_MOUNT} )?(?P<kind2>melee |ranged )?(?P<noun>weapons?|attacks?)(?P<tail> for attacks .+| that target .+|, including .+| \(including .+)?", _F
)
_ATTACKS = re.compile(
    r"(?:all )?(?:(?P<kind>melee|ranged|combat|shooting|psychic) )?attacks?(?: made)? (?:by|for) (?P<who>.+?)(?P<tail> (?:that|which) targets? .+| against .+)?", _F
)
_AT = re.compile(
    r"(?:(?P<kind2>melee |ranged )?(?P<what>Companion )?weapons? (?:used )?for )?(?:(?P<kind>melee|ranged|combat|shooting|psychic) )?attacks?(?: made by (?P<foe>[^,]+?))?(?:,? and)? (?:that|which) (?:targets?|are allocated to) (?P<who>.+)", _F
)
_MADE_WITH = re.compile(r"attacks? made with (?P<arms>.+?)(?P<tail> that targets? .+)?", _F)
_THAT = re.compile(r"(?:that|the|those|its|such) (?:attack|attacks)|(?:that|those) weapons?", _F)
_NAMED = re.compile(
    r"(?P<who>.+?)(?:'s|s'|(?<=its)|(?<=their)) (?P<name>[^,]+(?:, [^,]+)*?)(?P<tail> for attacks .+| that target .+)?", _F
)
_NAMED_BY = re.compile(r"(?P<name>[\w' -]+?) (?:used|equipped|carried) by (?P<who>.+?)(?P<tail> for attacks .+| that target .+)?", _F)
_FOR = re.compile(r"(?:for attacks |)(?:that target|that targets|made that target|against) (?P<whom>.+)", _F)
_COMPANION = re.compile(r",? ?\(?including (?:its |their )?Companion(?: weapons)?\)?", _F)
_LIST = re.compile(r", (?:and |or )?| and | or ")
_KINDS = {"melee": "melee", "ranged": "ranged", "combat": "melee", "shooting": "ranged"}


def weapon_names(text: str) -> tuple[str, ...] | None:
    """The names of weapons in a phrase; None where it does not look like names.

    >>> weapon_names("Claws, Teeth and Horns")
    ('Claws', 'Teeth', 'Horns')
    """
    text = text.strip()
    if not text or len(text) > 120 or _NOT_NAMES.search(text) or _ONLY_KIND.fullmatch(text):
        return None
    parts = [part.strip() for part in _LIST.split(text) if part.strip()]
    return tuple(parts) if "," in text or " or " in text else (text,)


_ONLY_KIND = re.compile(r"(?:(?:all|its|their|melee|ranged|non-\w+|companion|psychic|other|combat|shooting|that|those) )*weapons?", _F)
_NOT_NAMES = re.compile(
    r"\b(?:while|they|are|is|within|wholly|if|friendly|enemy|have|has|attacks?|unit|units|model|models|characteristics?|rolls?|abilit|target|this|that|turn|phase|by|instead|until|keyword|army|move|points?|for|rest|with|when)\b|[\d:;]", _F
)


def arms(text: str, frame: Frame) -> tuple[Frame, Who] | None:
    """The frame of attacks with these weapons, and whose they are; None where it is not understood."""
    text = text.strip().rstrip(".,")
    companion = bool(_COMPANION.search(text))
    text = _COMPANION.sub("", text).strip()
    frame = replace(frame, companion=companion or frame.companion)
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
        moved, meant = inner
        moved = replace(moved, by=meant)
        return _towards(moved, parts.get("tail"), meant)
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
        moved = moved.when(one("weapon has Psychic") if kind == "psychic" else one(_KINDS[kind]))
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
    from mathhammer.rulestext.leads import aimed

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
