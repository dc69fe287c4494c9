"""Weapon abilities that weapons or attacks gain and lose."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from mathhammer.rulestext.arms import arms
from mathhammer.rulestext.frame import Frame, one
from mathhammer.rulestext.listing import listed
from mathhammer.rulestext.placing import after_roll, attacks, said
from mathhammer.rulestext.productions import Said, production

WEAPON_ABILITIES = re.compile(
    r"\[?(?P<name>(?:Lethal Hits|Sustained Hits (?:\d|D3|D6)|Devastating Wounds|Twin[- ]linked|"
    r"Ignores Cover|Lance|Precision|"
    r"Hazardous|Torrent|Blast|Heavy|Assault|Pistol|Psychic|Indirect Fire|Extra Attacks|Melta \d|"
    r"Rapid Fire (?:\d|D3|D6)|One Shot|Close[- ]quarters|Conversion \d\"?|"
    r"Anti[- ][\w' -]+? \d\+|Crit \([\w -]+\)|Anti-[\w -]+? ?\(\+1 Rend\)|Charge \(\+1 Damage\)|Shoot "
    r"in Combat|Companion|Cleave \d))\]?",
    re.IGNORECASE,
)


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


@production(
    "gain.weapon",
    "change",
    r"<arms> (?:have|has|gains?|also have|also has|gain) (?:the )?(?P<what>\[?(?:Lethal|Sustained|"
    r"Devastating|Twin|Ignores|Lance|Precision|Hazardous|Torrent|Blast|Heavy|Assault|Pistol|Psychic|"
    r"Indirect|Extra|Melta|Rapid|Anti|Crit|Charge|Shoot|Companion|Conversion|Cleave|One Shot)[^;:]*)",
    "This unit's ranged weapons have Crit (Mortal) and Companion.",
)
def _gain(match: re.Match[str], frame: Frame) -> Said | None:
    base = after_roll(frame)
    if base is None:
        return None
    what, instead, lost = match["what"].partition(" instead of ")
    what = re.sub(r" weapon abilit(?:y|ies)$", "", what)
    names = listed(what, WEAPON_ABILITIES)
    held = armed(match["arms"], base)
    if names is None or held is None:
        return None
    change: dict[str, Any] = {"gain": [spelled(name) for name in names]}
    if instead:
        old = listed(lost, WEAPON_ABILITIES)
        if old is None:
            return None
        change["lose"] = [spelled(name) for name in old]
    return said(attacks(held, change), replace(frame, weapon=held.weapon) if held.weapon else None)


def armed(text: str, frame: Frame) -> Frame | None:
    found = arms(text, frame)
    if found is None:
        if text.lower() in ("it", "they", "that weapon") and frame.weapon:
            return replace(frame, by=frame.by or frame.it)
        return None
    moved, meant = found
    return replace(moved, by=meant) if moved.by is None and moved.against is None else moved


@production(
    "gain.option",
    "change",
    r"<arms> (?:have|has|gains?) (?:that|the|the selected|the chosen|this|that selected) (?:selected "
    r"|chosen )?(?:weapon )?abilit(?:y|ies)",
    "Each time this unit is selected to fight, select one of the following abilities: [LETHAL HITS]; "
    "[LANCE]. Until the end of the phase, melee weapons equipped by models in this unit have that "
    "ability.",
)
def _gain_option(match: re.Match[str], frame: Frame) -> Said | None:
    return _one_of(frame.options, match["arms"], frame)


@production(
    "gain.one-of",
    "change",
    r"(?:select|choose|pick) (?:one|1) of the following (?:weapon )?abilities for <arms> to gain(?: "
    r"<span>)?: (?P<names>\[[^.]+?\](?:(?:;|,|,? or) \[[^.]+?\])*)",
    "Each time this unit is selected to fight, select one of the following abilities for its weapons "
    "to gain until the end of the phase: [LETHAL HITS]; [LANCE].",
)
def _gain_one_of(match: re.Match[str], frame: Frame) -> Said | None:
    return _one_of(tuple(re.findall(r"\[([^\]]+)\]", match["names"])), match["arms"], frame.chosen())


def _one_of(names: tuple[str, ...], arms: str, frame: Frame) -> Said | None:
    """One of several weapon abilities, by choice."""
    held = armed(arms, frame)
    if held is None or not names:
        return None
    found = []
    for name in names:
        known = WEAPON_ABILITIES.fullmatch(name)
        if known is None:
            return None
        placed = attacks(held.when(one(f"if {spelled(known['name'])}")), {"gain": [spelled(known["name"])]})
        if placed is None:
            return None
        found += placed
    return said(found)


@production(
    "lose.weapon",
    "change",
    r"(?:other than (?:the )?(?P<but>Companion)(?: weapon ability)?, )?weapon abilities (?:for|of) "
    r"<arms> have no effect",
    "Weapon abilities for combat attacks that target this unit have no effect.",
)
def _no_effect(match: re.Match[str], frame: Frame) -> Said | None:
    held = armed(match["arms"], frame)
    lost = "all but Companion" if match["but"] else "all"
    return None if held is None else said(attacks(held, {"lose": [lost]}))


@production(
    "lose.one",
    "change",
    r"(?:the )?(?P<what>(?:Crit|Charge|Anti-)[^;:]*?) (?:weapon )?(?:ability )?(?:has|have) no "
    r"effect (?:on|for) <arms>|"
    r"ignore the effect of the (?P<what2>(?:Crit|Charge|Anti-)[^;:]*?) (?:weapon )?ability "
    r"(?:on|for) <arms2>",
    "Charge (+1 Damage) has no effect on attacks that target this unit.",
)
def _one_lost(match: re.Match[str], frame: Frame) -> Said | None:
    names = listed(match["what"] or match["what2"], WEAPON_ABILITIES)
    held = armed(match["arms"] or match["arms2"], frame)
    return (
        None
        if names is None or held is None
        else said(attacks(held, {"lose": [spelled(name) for name in names]}))
    )
