"""What units and weapons have: weapon abilities, unit abilities, wards, invulnerable saves, keywords."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from mathhammer.rulestext.amounts import STATS, WEAPON_STATS
from mathhammer.rulestext.arms import arms, weapon_names, whose
from mathhammer.rulestext.frame import Frame, Who, one
from mathhammer.rulestext.placing import after_roll, attacks, said, theirs
from mathhammer.rulestext.productions import Said, production

WEAPON_ABILITIES = re.compile(
    r"\[?(?P<name>(?:Lethal Hits|Sustained Hits (?:\d|D3|D6)|Devastating Wounds|Twin[- ]linked|Ignores Cover|Lance|Precision|"
    r"Hazardous|Torrent|Blast|Heavy|Assault|Pistol|Psychic|Indirect Fire|Extra Attacks|Melta \d|Rapid Fire (?:\d|D3|D6)|One Shot|Close[- ]quarters|Conversion \d\"?|"
    r"Anti[- ][\w' -]+? \d\+|Crit \([\w ]+\)|Anti-[\w -]+? ?\(\+1 Rend\)|Charge \(\+1 Damage\)|Shoot in Combat|Companion|Cleave \d))\]?",
    re.IGNORECASE,
)
UNIT_ABILITIES = re.compile(
    r"(?P<name>Stealth|Fights? First|Lone Operative|Strike-first|Strike-last|Deep Strike|Infiltrators|Scouts \d+\"?|Fly|Deadly Demise (?:\d|D3|D6)|Firing Deck \d+)",
    re.IGNORECASE,
)
_AND = re.compile(r",? (?:and|or) (?:the )?|, (?:the )?|\] \[", re.IGNORECASE)
_NOUN = re.compile(r" (?:weapon )?abilit(?:y|ies)$", re.IGNORECASE)
_UPPER = re.compile(r"Anti[- ](.+) (\d\+)", re.IGNORECASE)


def spelled(name: str) -> str:
    """A weapon ability in the usual spelling.

    >>> spelled("SUSTAINED HITS 1"), spelled("anti-infantry 4+"), spelled("Crit (2 Hits)")
    ('Sustained Hits 1', 'Anti-INFANTRY 4+', 'Crit (2 Hits)')
    """
    if match := _UPPER.fullmatch(name):
        return f"Anti-{match[1].upper()} {match[2]}"
    if "(" in name:
        return name
    words = name.replace("Twin linked", "Twin-linked").lower().split(" ")
    return " ".join(word.capitalize() if not re.fullmatch(r"d[36]", word) else word.upper() for word in words)


def _listed(text: str, pattern: re.Pattern[str]) -> list[str] | None:
    """All names of a list that the pattern knows; None where one is not known."""
    text = _NOUN.sub("", text.strip())
    found = []
    for part in _AND.split(text):
        part = part.strip(" []")
        if not part:
            continue
        match = pattern.fullmatch(part) or pattern.fullmatch(f"[{part}]")
        if match is None:
            return None
        found.append(match["name"])
    return found or None


@production("gain.weapon", "change", r"<arms> (?:have|has|gains?|also have|also has|gain) (?:the )?(?P<what>\[?(?:Lethal|Sustained|Devastating|Twin|Ignores|Lance|Precision|Hazardous|Torrent|Blast|Heavy|Assault|Pistol|Psychic|Indirect|Extra|Melta|Rapid|Anti|Crit|Charge|Shoot|Companion|Conversion|Cleave|One Shot)[^;:]*)", "This unit's melee weapons have Crit (Mortal).")
def _gain(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    if base is None:
        return None
    what, instead, lost = match["what"].partition(" instead of ")
    what = re.sub(r" weapon abilit(?:y|ies)$", "", what)
    names = _listed(what, WEAPON_ABILITIES)
    armed = _armed(match["arms"], base)
    if names is None or armed is None:
        return None
    change: dict[str, Any] = {"gain": [spelled(name) for name in names]}
    if instead:
        old = _listed(lost, WEAPON_ABILITIES)
        if old is None:
            return None
        change["lose"] = [spelled(name) for name in old]
    return said(attacks(armed, change), replace(frame, weapon=armed.weapon) if armed.weapon else None)


def _armed(text: str, frame: Frame) -> Frame | None:
    found = arms(text, frame)
    if found is None:
        if text.lower() in ("it", "they", "that weapon") and frame.weapon:
            return replace(frame, by=frame.by or frame.it)
        return None
    moved, meant = found
    return replace(moved, by=meant) if moved.by is None and moved.against is None else moved


@production("gain.option", "change", r"<arms> (?:have|has|gains?) (?:that|the|the selected|the chosen|this|that selected) (?:selected |chosen )?(?:weapon )?abilit(?:y|ies)", "Each time this unit is selected to fight, select one of the following abilities: [LETHAL HITS]; [LANCE]. Until the end of the phase, melee weapons equipped by models in this unit have that ability.")
def _gain_option(match: re.Match[str], frame: Frame) -> Said | None:
    armed = _armed(match["arms"], frame)
    if armed is None or not frame.options:
        return None
    found = []
    for name in frame.options:
        known = WEAPON_ABILITIES.fullmatch(name)
        if known is None:
            return None
        placed = attacks(armed.when(one(f"if {spelled(known['name'])}")), {"gain": [spelled(known["name"])]})
        if placed is None:
            return None
        found += placed
    return said(found)


@production("gain.weapon-of", "change", r"(?:that|those) attacks? (?:also )?(?:has|have|gains?) (?:the )?(?P<what>[^;:]+? abilit(?:y|ies))", "Each time this unit makes a melee attack, that attack has the [LETHAL HITS] ability.")
def _gain_attack(match: re.Match[str], frame: Frame) -> Said | None:
    names = _listed(match["what"], WEAPON_ABILITIES)
    return None if names is None else said(attacks(frame, {"gain": [spelled(name) for name in names]}))


@production("lose.weapon", "change", r"(?:other than (?:the )?(?P<but>Companion)(?: weapon ability)?, )?weapon abilities (?:for|of) <arms> have no effect", "Weapon abilities for combat attacks that target this unit have no effect.")
def _no_effect(match: re.Match[str], frame: Frame) -> Said | None:
    armed = _armed(match["arms"], frame)
    lost = "all but Companion" if match["but"] else "all"
    return None if armed is None else said(attacks(armed, {"lose": [lost]}))


@production("lose.one", "change", r"(?:the )?(?P<what>(?:Crit|Charge|Anti-)[^;:]*?) (?:weapon )?(?:ability )?(?:has|have) no effect (?:on|for) <arms>", "Charge (+1 Damage) has no effect on attacks that target this unit.")
def _one_lost(match: re.Match[str], frame: Frame) -> Said | None:
    names = _listed(match["what"], WEAPON_ABILITIES)
    armed = _armed(match["arms"], frame)
    return None if names is None or armed is None else said(attacks(armed, {"lose": [spelled(name) for name in names]}))


# ---- what the unit has

_AGAINST = r"(?: against (?P<against>[^;:.]+?))?"
_KINDS = re.compile(r"(?P<kind>melee|ranged) attacks?|attacks made with (?P<kind2>melee|ranged) weapons|(?P<kind3>melee|ranged) weapons", re.IGNORECASE)
_BY_ATTACKS = re.compile(r"damage(?: points)? (?:inflicted|caused) by (?P<kind>shooting|combat) attacks", re.IGNORECASE)
_ITEM = re.compile(
    r"(?:an? |the |a )?(?:(?P<invuln>[2-6])\+\*? invulnerable saves?(?: characteristic)?|invulnerable save (?:characteristic )?of (?P<invuln2>[2-6])\+|"
    r"(?:the )?feel no pain (?P<fnp>[2-6])\+(?: ability)?|ward ?\((?P<ward>[2-6])\+\)(?: keyword)?)(?: against (?P<against>.+))?", re.IGNORECASE
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
    names = _listed(re.sub(r" keywords?$", "", text), UNIT_ABILITIES)
    if names is not None:
        return [(frame, {"gain_unit": [_unit_name(name) for name in names]})]
    named = re.fullmatch(r"(?P<what>[A-Z][\w' ()+,-]+?) keywords?", text)
    if named is not None:
        words = _keyword_names(named["what"])
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


_KEYWORD_NAME = re.compile(r"[A-Z0-9][\w'()+!-]*(?: (?:of|the|to|in|on|(?:[A-Z0-9(][\w'()+!-]*)))*")


def _keyword_names(text: str) -> list[str] | None:
    """The keywords of a list; None where a part of it does not look like one."""
    words = [word.strip() for word in _AND.split(text) if word.strip()]
    return words if words and all(_KEYWORD_NAME.fullmatch(word) for word in words) else None


_STAT = re.compile(r"(?:an? )?(?P<stat>[A-Za-z ]+?) characteristic of (?P<value>\d{1,2})[+\"]?", re.IGNORECASE)
_WARD = re.compile(r"Ward ?\((?P<n>[2-6])\+\)", re.IGNORECASE)


def _unit_name(name: str) -> str:
    low = name.lower()
    return {"fights first": "Fights First", "fight first": "Fights First", "lone operative": "Lone Operative"}.get(low, name[0].upper() + name[1:].rstrip('"'))


def _save(item: re.Match[str], frame: Frame) -> list[tuple[Frame, dict[str, Any]]] | None:
    value = int(item["invuln"] or item["invuln2"] or item["fnp"] or item["ward"])
    against = (item["against"] or "").strip().rstrip(".")
    if item["fnp"]:
        keys = _fnp(against)
        if keys is None:
            if (kind := _KINDS.fullmatch(against)) is not None:
                return [(frame.when(one((kind["kind"] or kind["kind2"] or kind["kind3"]).lower())), {"fnp": value})]
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
    kinds = {"mortal wounds": "fnp_mortal", "psychic attacks": "fnp_psychic", "attacks made with psychic weapons": "fnp_psychic"}
    found = [kinds.get(part.strip()) for part in re.split(r",? and |,? or ", low)]
    return tuple(found) if all(found) else None  # type: ignore[arg-type]


@production("has", "change", r"<who> (?:also )?(?:has|have|gains?|receives?) (?P<what>(?:the |an? )?[^;:]+)", "This unit has Ward (5+).")
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
        found += theirs(moved, meant[0], change) if not meant[1] else theirs(moved.when(one(f"model {meant[1]}")), meant[0], change)
    return said(found, replace(frame, it=meant[0]) if meant[0].side == "self" else None)


_A_MODEL = re.compile(r"(?i:this unit's|the bearer's unit's|its|an?|the|this) (?P<name>[A-Z][\w'’-]*(?: (?:of|the|with|in|[A-Z][\w'’-]*))*?)(?: models?)?(?: in this unit)?", 0)
_MODELS_WITH = re.compile(r"(?P<name>[A-Z][\w'-]*(?: [A-Z][\w'-]*)*) models?(?: in this unit)?")


def _holder(text: str, frame: Frame) -> tuple[Who, str] | None:
    meant = whose(text, frame)
    if meant is not None:
        return meant, ""
    if text.lower().startswith(("you", "your", "each player")):
        return None
    match = _A_MODEL.fullmatch(text) or _MODELS_WITH.fullmatch(text)
    if match is not None and not re.search(r"unit|army|weapon|attack|this|ability", match["name"], re.IGNORECASE):
        return Who("self"), match["name"]
    return None


@production("lose.unit", "change", r"<who> (?:(?:do|does) not have|loses?) (?:the )?(?P<what>Strike-first|Fights First|Stealth|Lone Operative)(?: keyword| ability)?", "Enemy units in combat with this unit do not have Strike-first.")
def _lose_unit(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    meant = whose(match["who"], frame)
    return None if base is None or meant is None else said(theirs(base, meant, {"lose_unit": [match["what"]]}, timed=False))


@production("cover", "change", r"<who> (?:has|have|gains?|receives?|is treated as having|are treated as having)? ?(?:the )?benefits? of cover(?: against (?P<against>[^;:,]+))?", "Models in this unit have the Benefit of Cover.")
def _cover(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(match["who"], frame)
    if meant is None or (match["against"] and match["against"].lower() not in ("that attack", "those attacks", "ranged attacks", "it")):
        return None
    return said(theirs(frame, meant, {"cover": True}, timed=False))


@production("no-cover", "change", r"<who> cannot have the benefit of cover(?: against (?P<against>[^;:,]+))?", "Until the end of the phase, that enemy unit cannot have the Benefit of Cover.")
def _no_cover(match: re.Match[str], frame: Frame) -> Said | None:
    meant = whose(match["who"], frame)
    if meant is None or (match["against"] and not match["against"].lower().startswith(("that attack", "those attacks"))):
        return None
    return said(theirs(frame, meant, {"cover": False}, timed=False))


@production("no-ward", "change", r"(?:(?:ward rolls|feel no pain rolls) cannot be made|you cannot make ward rolls) for <words>", "Ward rolls cannot be made for that enemy unit.")
def _no_ward(match: re.Match[str], frame: Frame) -> Said | None:
    if re.match(r"(?:those|that|this|the) (?:damage|mortal)", match["words"], re.IGNORECASE) or "damage" in match["words"].lower():
        return None
    base = after_roll(frame)
    meant = whose(match["words"], frame) if base is not None else None
    return None if meant is None or base is None else said(theirs(base, meant, {"no_ward": True}, timed=False))


# ---- changes of a sheet


@production("sheet.stat", "change", r"change (?:the |this model's |its |your hero's |the bearer's )?(?P<stats>[A-Za-z ]+?) characteristic(?: of (?:this model|the bearer|your hero))? to (?P<value>\d{1,2})[+\"]?", "Change the Health characteristic to 12.")
def _sheet_stat(match: re.Match[str], frame: Frame) -> Said | None:
    stat = STATS.get(match["stats"].strip().lower())
    if stat is None or stat in ("attacks", "damage", "strength", "ap", "skill", "rend") or (stat in WEAPON_STATS and not frame.weapon):
        return None
    return said(theirs(frame, whose("this unit", frame) or frame.it, {stat: f"={match['value']}"}))


@production("sheet.weapon-stat", "change", r"(?:and )?the (?P<stats>Attacks|Hit|Wound|Rend|Damage) characteristic to (?P<value>\d|D3|D6)\+?", "Change the Hit characteristic of their Blade to 3+, the Attacks characteristic to 5.", family="sigmar")
def _sheet_weapon_stat(match: re.Match[str], frame: Frame) -> Said | None:
    if not frame.weapon:
        return None
    return said(theirs(frame, frame.it, {STATS[match["stats"].lower()]: f"={match['value']}"}))


@production("sheet.its-stat", "change", r"its (?P<stats>[A-Za-z ]+?) characteristic to (?P<value>\d{1,2})[+\"]?", "Change this model's Move characteristic to 12\", its Toughness characteristic to 6.")
def _sheet_its(match: re.Match[str], frame: Frame) -> Said | None:
    return _sheet_stat(match, frame)


@production("sheet.keyword", "change", r"replace the (?P<old>[A-Z][\w' ,]+?) keywords? with (?:the following keywords?: (?P<new>[^.;:]+)|the (?P<new2>[A-Z][\w' ,]+?) keywords?)", "Replace the Infantry keyword with the Cavalry keyword.")
def _sheet_keyword(match: re.Match[str], frame: Frame) -> Said | None:
    new, old = _keyword_names(match["new"] or match["new2"]), _keyword_names(match["old"])
    if new is None or old is None:
        return None
    return said(theirs(frame, Who("self"), {"gain_unit": new, "lose_unit": old}))


@production("sheet.add-keyword", "change", r"add the (?P<new>(?:(?!keyword)[\w' ,])+?) keywords?", "Add the Psyker and Synapse keywords.")
def _sheet_add(match: re.Match[str], frame: Frame) -> Said | None:
    words = _keyword_names(match["new"])
    return None if words is None else said(theirs(frame, Who("self"), {"gain_unit": words}))


@production("sheet.remove-keyword", "change", r"remove the (?P<old>(?:(?!keyword)[\w' ,])+?) keywords?", "Remove the Infantry keyword.")
def _sheet_remove(match: re.Match[str], frame: Frame) -> Said | None:
    words = _keyword_names(match["old"])
    return None if words is None else said(theirs(frame, Who("self"), {"lose_unit": words}))


@production("sheet.weapon", "change", r"add the (?P<name>[^,;:]+?) weapon to (?:your hero's|this unit's) warscroll", "Add the Horned Beak weapon to your hero's warscroll.")
def _sheet_weapon(match: re.Match[str], frame: Frame) -> Said | None:
    names = weapon_names(match["name"]) or ((match["name"],) if len(match["name"]) < 60 else None)
    return None if names is None else said(theirs(frame, Who("self"), {"gain_weapon": [match["name"]]}))


@production("sheet.armed", "change", r"(?:this (?:unit|model)|it|the bearer) is (?:armed|equipped) with (?:\d |an? |the )?(?P<name>[^,;:]+?)(?: in addition to [^,;:]+)?", "It is equipped with 1 horned beak.")
def _sheet_armed(match: re.Match[str], frame: Frame) -> Said | None:
    names = weapon_names(match["name"])
    return None if names is None else said(theirs(frame, Who("self"), {"gain_weapon": list(names)}))


@production("sheet.ability", "change", r"replace (?:this hero's|your hero's|the|this unit's) '(?P<old>[^,;:]+?)' ability with the '(?P<new>[^,;:]+?)' ability", "Replace this hero's 'Slow' ability with the 'Quick' ability.")
def _sheet_ability(match: re.Match[str], frame: Frame) -> Said | None:
    return said(theirs(frame, Who("self"), {"gain_unit": [match["new"]], "lose_unit": [match["old"]]}))
