"""40k lists with a title `Name (1995 points)`: the official app, with or without its indentation."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.games.discovery import current_game
from mathhammer.lists.documents import Document
from mathhammer.lists.text_wh40k import (
    BULLET,
    COUNTED,
    SIZES,
    UNIT,
    UnitLines,
    amount,
    bullet_part,
    finished,
    level_of,
    not_understood,
    refuse_other_editions,
    unit_of,
)
from mathhammer.units.roster import Roster

TITLE = re.compile(r"(.*?) ?\(([\d,. ]{1,7}?) ?(?:points|pts)\)", re.IGNORECASE)
FOOTER = re.compile(r"export[ée]", re.IGNORECASE)
HEADINGS = (
    "CHARACTERS|CHARACTER|EPIC HERO|EPIC HEROES|BATTLELINE|DEDICATED TRANSPORTS|DEDICATED "
    "TRANSPORT|OTHER DATASHEETS|ALLIED UNITS|"
    "FORTIFICATIONS|PERSONNAGES|LIGNE|TRANSPORTS ASSIGNÉS|AUTRES FICHES TECHNIQUES|UNITÉS ALLIÉES"
).split("|")


def heading(line: str) -> bool:
    """Whether a line is a heading of the app: a known one, or any line in capitals without points."""
    return line in HEADINGS or (
        line.isupper() and len(line) > 3 and "(" not in line and BULLET.fullmatch(line) is None
    )


def is_titled(document: Document) -> bool:
    """Whether the text has the app's title and one of its headings, or its footer."""
    if document.zipped or not any(TITLE.fullmatch(line) for line in document.plain[:6]):
        return False
    return any(line in HEADINGS for line in document.plain) or any(
        FOOTER.match(line) for line in document.plain
    )


def read_titled(document: Document) -> list[Roster]:
    """The one list of the text."""
    refuse_other_editions(document)
    roster = Roster(current_game("wh40k"))
    header: list[str] = []
    sheaves: list[UnitLines] = []
    warnings: list[str] = []
    role, level, titled = "", 1, False
    for number, raw in document.lines:
        line = raw.strip()
        bullet = BULLET.fullmatch(raw)
        if FOOTER.match(line) or line.lower().startswith("created with"):
            continue
        if not role and not bullet:
            if heading(line) and titled:
                role = line
            elif not titled and (match := TITLE.fullmatch(line)):
                roster, titled = replace(roster, name=match[1], declared=amount(match[2])), True
            elif (match := TITLE.fullmatch(line)) and match[1].lower().replace("’", "'") in SIZES:
                roster = replace(roster, battlepack=match[1], limit=amount(match[2]))
            elif titled:
                header.append(re.sub(r" \(.{0,300}\)$", "", line))
            else:
                roster = replace(roster, name=line)
        elif bullet and sheaves:
            level = level_of(len(bullet[1]), bullet[2])
            sheaves[-1].add(bullet_part(raw))
        elif match := UNIT.fullmatch(line):
            sheaves.append(unit_of(match, number, role))
            level = 1
        elif heading(line):
            role = line
        elif sheaves and COUNTED.fullmatch(line):
            sheaves[-1].add(bullet_part(line, level))
        else:
            warnings.append(not_understood(number, raw))
    faction, formation = (" - ".join(header[:-1]), header[-1]) if len(header) > 1 else ("".join(header), "")
    return [replace(finished(roster, sheaves, warnings), faction=faction, formation=formation)]
