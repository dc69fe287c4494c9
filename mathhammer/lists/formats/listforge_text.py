"""ListForge's detailed text: `Name - Faction - Detachment (1935 Points)`, headings with a colon, bullets at
2, 4 and 6 spaces.
"""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.lists.documents import Document
from mathhammer.lists.editions import edition_of
from mathhammer.lists.registry import reader
from mathhammer.lists.text_wh40k import (
    BULLET,
    UNIT,
    UnitLines,
    amount,
    bullet_part,
    finished,
    is_flat,
    not_understood,
    unit_of,
)
from mathhammer.units.roster import Roster

_TITLE = re.compile(r"(.+) \(([\d,]{1,7}) ?points\)", re.IGNORECASE)
_HEADING = re.compile(r"([A-Z][A-Za-z' ]{2,40}):")


def _matches(document: Document) -> bool:
    if document.zipped or sum(_HEADING.fullmatch(line) is not None for line in document.plain) < 1:
        return False
    return any(_TITLE.fullmatch(line) for line in document.plain[:4]) and any(
        UNIT.fullmatch(line) for line in document.plain
    )


@reader("listforge-text", "ListForge text", rank=23, matches=_matches)
def read(document: Document) -> list[Roster]:
    """The one list of the text."""
    roster = Roster(edition_of(document, "wh40k"))
    sheaves: list[UnitLines] = []
    warnings: list[str] = []
    role = ""
    for number, raw in document.lines:
        line = raw.strip()
        if not role and roster.declared is None and (match := _TITLE.fullmatch(line)):
            parts = ["", "", *match[1].split(" - ")]
            name = " - ".join(part for part in parts[:-2] if part)
            roster = replace(
                roster, name=name, faction=parts[-2], formation=parts[-1], declared=amount(match[2])
            )
        elif match := _HEADING.fullmatch(line):
            role = match[1]
        elif BULLET.fullmatch(raw) and sheaves:
            sheaves[-1].add(bullet_part(raw))
        elif match := UNIT.fullmatch(line):
            sheaves.append(unit_of(match, number, role))
        else:
            warnings.append(not_understood(number, raw))
    return [finished(roster, sheaves, warnings, is_flat(document))]
