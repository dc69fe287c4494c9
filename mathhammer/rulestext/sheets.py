"""Changes of a sheet: another Health, another weapon, other keywords."""

from __future__ import annotations

import re

from mathhammer.rulestext.amounts import STATS, WEAPON_STATS
from mathhammer.rulestext.arms import whose
from mathhammer.rulestext.frame import Frame, Who
from mathhammer.rulestext.listing import keyword_names
from mathhammer.rulestext.placing import said, theirs
from mathhammer.rulestext.productions import Said, production
from mathhammer.rulestext.weapon_words import weapon_names


@production(
    "sheet.stat",
    "change",
    r"change (?:the |this model's |its |your hero's |the bearer's )?(?P<stats>[A-Za-z ]+?) "
    r"characteristic(?: of (?:this model|the bearer|your hero))? to (?P<value>\d{1,2})[+\"]?",
    "Change the Health characteristic to 12.",
)
def _sheet_stat(match: re.Match[str], frame: Frame) -> Said | None:
    stat = STATS.get(match["stats"].strip().lower())
    if (
        stat is None
        or stat in ("attacks", "damage", "strength", "ap", "skill", "rend")
        or (stat in WEAPON_STATS and not frame.weapon)
    ):
        return None
    return said(theirs(frame, whose("this unit", frame) or frame.it, {stat: f"={match['value']}"}))


@production(
    "sheet.weapon-stat",
    "change",
    r"(?:and )?the (?P<stats>Attacks|Hit|Wound|Rend|Damage) characteristic to (?P<value>\d|D3|D6)\+?",
    "Change the Hit characteristic of their Blade to 3+, the Attacks characteristic to 5.",
    family="sigmar",
)
def _sheet_weapon_stat(match: re.Match[str], frame: Frame) -> Said | None:
    if not frame.weapon:
        return None
    return said(theirs(frame, frame.it, {STATS[match["stats"].lower()]: f"={match['value']}"}))


@production(
    "sheet.its-stat",
    "change",
    r"its (?P<stats>[A-Za-z ]+?) characteristic to (?P<value>\d{1,2})[+\"]?",
    "Change this model's Move characteristic to 12\", its Toughness characteristic to 6.",
)
def _sheet_its(match: re.Match[str], frame: Frame) -> Said | None:
    return _sheet_stat(match, frame)


@production(
    "sheet.keyword",
    "change",
    r"replace the (?P<old>[A-Z][\w' ,]+?) keywords? with (?:the following keywords?: "
    r"(?P<new>[^.;:]+)|the (?P<new2>[A-Z][\w' ,]+?) keywords?)",
    "Replace the Infantry keyword with the Cavalry keyword.",
)
def _sheet_keyword(match: re.Match[str], frame: Frame) -> Said | None:
    new, old = keyword_names(match["new"] or match["new2"]), keyword_names(match["old"])
    if new is None or old is None:
        return None
    return said(theirs(frame, Who("self"), {"gain_unit": new, "lose_unit": old}))


@production(
    "sheet.add-keyword",
    "change",
    r"add the (?P<new>(?:(?!keyword)[\w' ,])+?) keywords?",
    "Add the Psyker and Synapse keywords.",
)
def _sheet_add(match: re.Match[str], frame: Frame) -> Said | None:
    words = keyword_names(match["new"])
    return None if words is None else said(theirs(frame, Who("self"), {"gain_unit": words}))


@production(
    "sheet.remove-keyword",
    "change",
    r"remove the (?P<old>(?:(?!keyword)[\w' ,])+?) keywords?",
    "Remove the Infantry keyword.",
)
def _sheet_remove(match: re.Match[str], frame: Frame) -> Said | None:
    words = keyword_names(match["old"])
    return None if words is None else said(theirs(frame, Who("self"), {"lose_unit": words}))


@production(
    "sheet.weapon",
    "change",
    r"add the (?P<name>[^,;:]+?) weapon to (?:your hero's|this unit's) warscroll",
    "Add the Horned Beak weapon to your hero's warscroll.",
)
def _sheet_weapon(match: re.Match[str], frame: Frame) -> Said | None:
    names = weapon_names(match["name"]) or ((match["name"],) if len(match["name"]) < 60 else None)
    return None if names is None else said(theirs(frame, Who("self"), {"gain_weapon": [match["name"]]}))


@production(
    "sheet.armed",
    "change",
    r"(?:this (?:unit|model)|it|the bearer) is (?:armed|equipped) with (?:\d |an? |the "
    r")?(?P<name>[^,;:]+?)(?: in addition to [^,;:]+)?",
    "It is equipped with 1 horned beak.",
)
def _sheet_armed(match: re.Match[str], frame: Frame) -> Said | None:
    names = weapon_names(match["name"])
    return None if names is None else said(theirs(frame, Who("self"), {"gain_weapon": list(names)}))


@production(
    "sheet.ability",
    "change",
    r"replace (?:this hero's|your hero's|the|this unit's) '(?P<old>[^,;:]+?)' ability with the "
    r"'(?P<new>[^,;:]+?)' ability",
    "Replace this hero's 'Slow' ability with the 'Quick' ability.",
)
def _sheet_ability(match: re.Match[str], frame: Frame) -> Said | None:
    return said(theirs(frame, Who("self"), {"gain_unit": [match["new"]], "lose_unit": [match["old"]]}))


@production(
    "sheet.replace-weapon",
    "change",
    r"replace (?:their|its|your hero's|this model's) (?P<kind>melee|ranged) weapons? with (?P<names>[^;:]+)",
    "Replace their melee weapon with a Long Spear.",
)
def _replace_weapon(match: re.Match[str], frame: Frame) -> Said | None:
    parts = re.split(r",? and |, ", match["names"])
    names = [re.sub(r"^(?:an?|the|\d) ", "", part.strip(), flags=re.IGNORECASE) for part in parts]
    return said(
        theirs(
            frame, Who("self"), {"lose_weapon": [match["kind"].lower()], "gain_weapon": names}, timed=False
        )
    )
