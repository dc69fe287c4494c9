"""New Recruit's own 40k text: markdown headings and units as `Name [180 pts]: item, item`."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.lists.documents import Document
from mathhammer.lists.editions import edition_of
from mathhammer.lists.registry import reader
from mathhammer.lists.text_wh40k import (
    BULLET,
    NATIVE_UNIT,
    UnitLines,
    amount,
    bullet_part,
    finished,
    not_understood,
    unit_of,
)
from mathhammer.units.roster import Roster

_TITLE = re.compile(r"(.*?)(?: -)? ?\[([\d,]{1,7}) ?pts\]")
_HEADING = re.compile(r"#{1,3} (?:\+\+ )?(.+?)(?: \+\+)?(?: \[[\d,]{1,7} ?pts\])?")
_SIZE = re.compile(r"Battle Size: (?:\d\. )?(.+?)(?: \((\d{3,5}) [Pp]oint limit\))?")
_DETACHMENT = re.compile(r"Detachment(?: Choice)?: (.+)")


def _matches(document: Document) -> bool:
    marked = any(line.startswith("# ++ ") for line in document.plain[:20])
    return marked or sum(NATIVE_UNIT.fullmatch(line) is not None for line in document.plain[:60]) >= 2


@reader("newrecruit-native", "New Recruit text (40k)", rank=19, matches=_matches)
def read(document: Document) -> list[Roster]:
    """The one list of the text."""
    roster = Roster(edition_of(document, "wh40k"))
    sheaves: list[UnitLines] = []
    warnings: list[str] = []
    role = ""
    for number, raw in document.lines:
        line = raw.strip()
        if line.lower().startswith("created with"):
            continue
        if (
            not role
            and not line.startswith("#")
            and roster.declared is None
            and (match := _TITLE.fullmatch(line))
        ):
            faction, name = _named([part for part in match[1].split(" - ") if part])
            roster = replace(roster, declared=amount(match[2]), faction=faction, name=name)
        elif line.startswith("#") and (match := _HEADING.fullmatch(line)):
            role = match[1]
        elif role.lower() == "configuration":
            if match := _SIZE.fullmatch(line):
                roster = replace(roster, battlepack=match[1], limit=int(match[2]) if match[2] else None)
            elif match := _DETACHMENT.fullmatch(line):
                roster = replace(roster, formation=match[1])
        elif BULLET.fullmatch(raw) and sheaves:
            sheaves[-1].add(bullet_part(raw))
        elif match := NATIVE_UNIT.fullmatch(line):
            sheaves.append(unit_of(match, number, role))
        # an indented line without a bullet is the label of a loadout
        elif not (raw.startswith(" ") and sheaves):
            warnings.append(not_understood(number, raw))
    return [finished(roster, sheaves, warnings)]


def _named(parts: list[str]) -> tuple[str, str]:
    """Faction and name from `Chaos - World Eaters - Name`: the catalogue may have a dash of its own."""
    if len(parts) > 1 and parts[0].lower() in ("chaos", "imperium", "xenos", "aeldari"):
        parts = parts[1:]
    return (parts[0], " - ".join(parts[1:])) if len(parts) > 1 else ("", "".join(parts))
