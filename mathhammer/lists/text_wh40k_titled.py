"""40k lists with a title `Name (1995 points)`: the official app, with or without its indentation."""

from __future__ import annotations

import re
from dataclasses import field, replace

from mathhammer.dataclass import dataclass
from mathhammer.lists.documents import Document
from mathhammer.lists.editions import edition_of
from mathhammer.lists.text_wh40k import (
    BULLET,
    COUNTED,
    SIZES,
    UNIT,
    UnitLines,
    amount,
    attached_line,
    bullet_part,
    finished,
    is_flat,
    join_parties,
    level_of,
    not_understood,
    unit_of,
)
from mathhammer.units.roster import Roster

TITLE = re.compile(r"(.*?) ?\(([\d,. ]{1,7}?) ?(?:points|pts)\)", re.IGNORECASE)
FOOTER = re.compile(r"exported with", re.IGNORECASE)
HEADINGS = (
    "CHARACTERS|CHARACTER|EPIC HERO|EPIC HEROES|BATTLELINE|DEDICATED TRANSPORTS|DEDICATED "
    "TRANSPORT|OTHER DATASHEETS|ALLIED UNITS|FORTIFICATIONS"
).split("|")
# of the 11th edition
_DETACHMENTS = re.compile(r".+ \(\d{1,2} detachment points?\)", re.IGNORECASE)
_DISPOSITIONS = {"take and hold", "purge the foe", "disruption", "reconnaissance", "priority assets"}
_PARTY = re.compile(r"attached units?(?: (\d{1,2}))?", re.IGNORECASE)
_BEHIND = re.compile(r" \(.{0,300}\)$")


def heading(line: str) -> bool:
    """Whether a line is a heading of the app: a known one, or any line in capitals without points."""
    return line in HEADINGS or (
        line.isupper() and len(line) > 3 and "(" not in line and BULLET.fullmatch(line) is None
    )


def is_titled(document: Document) -> bool:
    """Whether the text has the app's title and one of its headings, or its footer; a title may be lost where
    headings and units are there.
    """
    if document.zipped:
        return False
    headings = any(line in HEADINGS for line in document.plain)
    if any(TITLE.fullmatch(line) for line in document.plain[:6]):
        return headings or any(FOOTER.match(line) for line in document.plain)
    return headings and sum(UNIT.fullmatch(line) is not None for line in document.plain) > 1


@dataclass(slots=True)
class _Reading:
    """A list while its lines pass by."""

    roster: Roster
    header: list[str] = field(default_factory=list)
    sheaves: list[UnitLines] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    role: str = ""
    level: int = 1
    titled: bool = False
    formation: str = ""
    party: str = ""  # the attached unit whose parts follow


def read_titled(document: Document) -> list[Roster]:
    """The one list of the text."""
    state = _Reading(Roster(edition_of(document, "wh40k")))
    for number, raw in document.lines:
        line = raw.strip()
        if FOOTER.match(line) or line.lower().startswith("created with"):
            continue
        if state.role or BULLET.fullmatch(raw):
            _body(state, number, raw)
        else:
            _head(state, number, line)
    header, formation = state.header, state.formation
    if not formation and len(header) > 1:
        formation = header.pop()
    faction = " - ".join(header)
    join_parties(state.sheaves)
    roster = finished(state.roster, state.sheaves, state.warnings, is_flat(document))
    return [replace(roster, faction=faction, formation=formation)]


def _head(state: _Reading, number: int, line: str) -> None:
    """A line before the first heading: the title, the battle size, faction and detachment."""
    match = TITLE.fullmatch(line)
    if match and match[1].lower() in SIZES:
        state.roster = replace(state.roster, battlepack=match[1], limit=amount(match[2]))
    elif _DETACHMENTS.fullmatch(line):
        state.formation = line
    elif _disposition(line):
        return
    elif _party(state, line) or (heading(line) and (state.titled or line in HEADINGS)):
        state.role = line
    elif match and not state.titled:
        state.roster, state.titled = replace(state.roster, name=match[1], declared=amount(match[2])), True
        # what stood before the title is a name that was broken over lines
        state.roster = replace(state.roster, name=" ".join([*state.header, match[1]]).strip())
        state.header.clear()
    elif state.header and UNIT.fullmatch(line):
        state.role = "Army"  # the first heading got lost
        _body(state, number, line)
    else:
        state.header.append(_BEHIND.sub("", line))


def _disposition(line: str) -> bool:
    """Whether a line names Force Dispositions, which choose missions."""
    told = re.sub(r"force dispositions?\b ?:?", "", line, flags=re.IGNORECASE)
    return {name.strip().lower() for name in told.split(",") if name.strip()} <= _DISPOSITIONS


def _party(state: _Reading, line: str) -> bool:
    """Takes the heading of all attached units, or of one of them; False when it is another line."""
    found = _PARTY.fullmatch(line)
    if found is None:
        return False
    state.party = f"attached unit {found[1]}" if found[1] else ""
    return True


def _body(state: _Reading, number: int, raw: str) -> None:
    """A line of the army: a bullet, a unit, a heading, or the next line of a bullet."""
    line, bullet = raw.strip(), BULLET.fullmatch(raw)
    if bullet and state.sheaves and attached_line(state.sheaves[-1], bullet[3].strip()):
        return
    if bullet and state.sheaves:
        state.level = level_of(len(bullet[1]), bullet[2])
        state.sheaves[-1].add(bullet_part(raw))
    elif match := UNIT.fullmatch(line):
        state.sheaves.append(unit_of(match, number, state.role))
        state.sheaves[-1].party = state.party
        state.level = 1
    elif _party(state, line):
        state.role = "Attached units"
    elif heading(line):
        state.role, state.party = line, ""
    elif state.sheaves and COUNTED.fullmatch(line):
        state.sheaves[-1].add(bullet_part(line, state.level))
    else:
        state.warnings.append(not_understood(number, raw))
