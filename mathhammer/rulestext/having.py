"""What units have: wards, saves, Feel No Pain, unit abilities, cover, keywords."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from mathhammer.rulestext.amounts import STATS, WEAPON_STATS
from mathhammer.rulestext.arms import whose
from mathhammer.rulestext.frame import Frame, Who, one
from mathhammer.rulestext.listing import keyword_names, listed
from mathhammer.rulestext.placing import after_roll, given, said, theirs
from mathhammer.rulestext.productions import Said, production

UNIT_ABILITIES = re.compile(
    r"(?P<name>Stealth|Fights? First|Lone Operative|Strike-first|Strike-last|Deep Strike|"
    r"Infiltrators|Scouts \d+\"?|Fly|Deadly Demise (?:\d|D3|D6)|Firing Deck \d+)",
    re.IGNORECASE,
)


_AGAINST = r"(?: against (?P<against>[^;:.]+?))?"


_KINDS = re.compile(
    r"(?P<kind>melee|ranged) attacks?|attacks made with (?P<kind2>melee|ranged) weapons|"
    r"(?P<kind3>melee|ranged) weapons",
    re.IGNORECASE,
)


_BY_ATTACKS = re.compile(
    r"damage(?: points)? (?:inflicted|caused) by (?P<kind>shooting|combat) attacks", re.IGNORECASE
)


_ITEM = re.compile(
    r"(?:an? |the |a )?(?:(?P<invuln>[2-6])\+\*? invulnerable saves?(?: characteristic)?|"
    r"invulnerable save (?:characteristic )?of (?P<invuln2>[2-6])\+|"
    r"(?:the )?feel no pain (?P<fnp>[2-6])\+(?: ability)?|ward ?\((?P<ward>[2-6])\+\)(?: "
    r"keyword)?)(?: against (?P<against>.+))?",
    re.IGNORECASE,
)


def _items(text: str, frame: Frame) -> list[tuple[Frame, dict[str, Any]]] | None:
    """The things of a list that a unit has, each with its conditions; None where one is not known."""
    text = text.strip()
    text = re.sub(r"^the ", "", text)
    item = _ITEM.fullmatch(text)
    if item is not None:
        return _save(item, frame)
    stat = _STAT.fullmatch(text)
    if stat is not None and (key := STATS.get(stat["stat"].lower())) is not None and key not in WEAPON_STATS:
        return [(frame, {key: f"={stat['value']}"})]
    names = listed(re.sub(r" keywords?$", "", text), UNIT_ABILITIES)
    if names is not None:
        return [(frame, {"gain_unit": [_unit_name(name) for name in names]})]
    named = re.fullmatch(r"(?P<what>[A-Z][\w' ()+,-]+?) keywords?", text)
    if named is not None:
        words = keyword_names(named["what"])
        if words is None:
            return None
        if any(word.lower().startswith("ward") and not _WARD.fullmatch(word) for word in words):
            return None
        if any(_WARD.fullmatch(word) for word in words):
            found: list[tuple[Frame, dict[str, Any]]] = []
            plain = [word for word in words if not _WARD.fullmatch(word)]
            for word in words:
                if (ward := _WARD.fullmatch(word)) is not None:
                    found.append((frame, {"ward": int(ward["n"])}))
            if plain:
                found.append((frame, {"gain_unit": plain}))
            return found
        return [(frame, {"gain_unit": words})]
    for joint in (" and ", ", "):
        for place in [m.start() for m in re.finditer(re.escape(joint), text)]:
            first, second = _items(text[:place], frame), _items(text[place + len(joint) :], frame)
            if first is not None and second is not None:
                return first + second
    ability = re.fullmatch(r"(?P<what>[A-Z][\w' -]+?) ability", text)
    if ability is not None:
        return [(frame, {"gain_unit": [ability["what"]]})]
    return None


_STAT = re.compile(
    r"(?:an? )?(?P<stat>[A-Za-z ]+?) characteristic of (?P<value>\d{1,2})[+\"]?", re.IGNORECASE
)


_WARD = re.compile(r"Ward ?\((?P<n>[2-6])\+\)", re.IGNORECASE)


def _unit_name(name: str) -> str:
    low = name.lower()
    return {
        "fights first": "Fights First",
        "fight first": "Fights First",
        "lone operative": "Lone Operative",
    }.get(low, name[0].upper() + name[1:].rstrip('"'))


def _save(item: re.Match[str], frame: Frame) -> list[tuple[Frame, dict[str, Any]]] | None:
    value = int(item["invuln"] or item["invuln2"] or item["fnp"] or item["ward"])
    against = (item["against"] or "").strip().rstrip(".")
    if item["fnp"]:
        keys = _fnp(against)
        if keys is None:
            if (kind := _KINDS.fullmatch(against)) is not None:
                return [
                    (
                        frame.when(one((kind["kind"] or kind["kind2"] or kind["kind3"]).lower())),
                        {"fnp": value},
                    )
                ]
            return None
        return [(frame, dict.fromkeys(keys, value))]
    key = "ward" if item["ward"] else "invuln"
    if not against:
        return [(frame, {key: value})]
    if (kind := _KINDS.fullmatch(against)) is not None:
        return [(frame.when(one((kind["kind"] or kind["kind2"] or kind["kind3"]).lower())), {key: value})]
    if (kind := _BY_ATTACKS.fullmatch(against)) is not None:
        return [(frame.when(one("ranged" if kind["kind"].lower() == "shooting" else "melee")), {key: value})]
    return None


def _fnp(against: str) -> tuple[str, ...] | None:
    low = against.lower()
    if not low:
        return ("fnp",)
    kinds = {
        "mortal wounds": "fnp_mortal",
        "psychic attacks": "fnp_psychic",
        "attacks made with psychic weapons": "fnp_psychic",
    }
    found = [kinds.get(part.strip()) for part in re.split(r",? and |,? or ", low)]
    return tuple(found) if all(found) else None  # type: ignore[arg-type]


@production(
    "has",
    "change",
    r"<who> (?:also )?(?:has|have|gains?|receives?) (?P<what>(?:the |an? )?[^;:]+)",
    "This unit has Ward (2+).",
)
def _has(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    if base is None:
        return None
    meant = _holder(match["who"], base)
    what = re.sub(r" (?:until|for the rest of) .*$", "", match["what"])
    if meant is None:
        return None
    items = _items(what, base)
    if items is None:
        return None
    found = []
    for moved, change in items:
        found += (
            theirs(moved, meant[0], change)
            if not meant[1]
            else theirs(moved.when(one(f"model {meant[1]}")), meant[0], change)
        )
    return said(found, replace(frame, it=meant[0]) if meant[0].side == "self" else None)


_A_MODEL = re.compile(
    r"(?i:this unit's|the bearer's unit's|its|an?|the|this) (?P<name>[A-Z][\w'’-]*(?: (?:of|the|with|"
    r"in|[A-Z][\w'’-]*))*?)(?: models?)?(?: in this unit)?",
    0,
)


_MODELS_WITH = re.compile(r"(?P<name>[A-Z][\w'-]*(?: [A-Z][\w'-]*)*) models?(?: in this unit)?")


_PROPER = re.compile(
    r"(?P<name>(?!Friendly|Enemy|Melee|Ranged|Each|All|Other|The|If|That|This|Those)[A-Z][\w'-]+"
    r"(?: [A-Z][\w'-]+)+)"
)


def _holder(text: str, frame: Frame) -> tuple[Who, str] | None:
    meant = whose(text, frame)
    if meant is not None:
        return meant, ""
    if text.lower().startswith(("you", "your", "each player")):
        return None
    match = _A_MODEL.fullmatch(text) or _MODELS_WITH.fullmatch(text) or _PROPER.fullmatch(text)
    if match is not None and not re.search(
        r"unit|army|weapon|attack|this|ability", match["name"], re.IGNORECASE
    ):
        return Who("self"), match["name"]
    return None


@production(
    "lose.unit",
    "change",
    r"<who> (?:(?:do|does) not have|loses?) (?:the )?(?P<what>Strike-first|Fights First|Stealth|Lone "
    r"Operative)(?: keyword| ability)?",
    "Enemy units in combat with this unit do not have Strike-first.",
)
def _lose_unit(match: re.Match[str], frame: Frame) -> Said | None:
    return given(match["who"], frame, {"lose_unit": [match["what"]]})


@production(
    "cover",
    "change",
    r"<who> (?:has|have|gains?|receives?|is treated as having|are treated as having)? ?(?:the "
    r")?benefits? of cover(?: against (?P<against>[^;:,]+))?",
    "Friendly Moss Guard units have the Benefit of Cover.",
)
def _cover(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(match["who"], frame)
    if meant is None or (
        match["against"]
        and match["against"].lower()
        not in ("that attack", "this attack", "those attacks", "ranged attacks", "it")
    ):
        return None
    return said(theirs(frame, meant, {"cover": True}, timed=False))


@production(
    "no-cover",
    "change",
    r"<who> cannot have the benefit of cover(?: against (?P<against>[^;:,]+))?",
    'Select one enemy unit within 12" of this unit. That enemy unit cannot have the Benefit of Cover '
    "against those attacks.",
)
def _no_cover(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(match["who"], frame)
    if meant is None or (
        match["against"] and not match["against"].lower().startswith(("that attack", "those attacks"))
    ):
        return None
    return said(theirs(frame, meant, {"cover": False}, timed=False))


@production(
    "no-ward",
    "change",
    r"(?:(?:ward rolls|feel no pain rolls) cannot be made|you cannot make ward rolls) for <words>",
    'Pick an enemy unit within 12" of this unit. Ward rolls cannot be made for that enemy unit.',
)
def _no_ward(match: re.Match[str], frame: Frame) -> Said | None:
    if (
        re.match(r"(?:those|that|this|the) (?:damage|mortal)", match["words"], re.IGNORECASE)
        or "damage" in match["words"].lower()
    ):
        return None
    base = after_roll(frame)
    meant = whose(match["words"], frame) if base is not None else None
    return (
        None if meant is None or base is None else said(theirs(base, meant, {"no_ward": True}, timed=False))
    )
