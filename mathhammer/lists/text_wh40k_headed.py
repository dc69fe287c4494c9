"""40k lists with a `+ FACTION KEYWORD:` header: the WTC and GW styles of New Recruit."""

from __future__ import annotations

import re
from dataclasses import replace

from mathhammer.lists.documents import Document
from mathhammer.lists.editions import edition_of
from mathhammer.lists.text_parts import Part
from mathhammer.lists.text_wh40k import (
    BULLET,
    UNIT,
    WITH,
    UnitLines,
    amount,
    attached_line,
    bullet_part,
    finished,
    is_flat,
    items_of,
    not_understood,
    unit_of,
)
from mathhammer.names import normal
from mathhammer.units.roster import Entry, Extra, Roster

_FIELD = re.compile(r"\+ ?([A-Z][A-Z ]+?): ?(.*)")
_ON = re.compile(r"(.+?) \(on (?:\w{1,12}: )?(.+)\)")
_ENHANCEMENT = re.compile(r"Enhancements?: (.+?)(?: \(\+?(\d{1,3}) ?(?:pts|points)\))?", re.IGNORECASE)


def is_headed(document: Document) -> bool:
    """Whether the list has the header of New Recruit's tournament styles."""
    return not document.zipped and any(
        re.match(r"\+ ?FACTION KEYWORDS?:", line) for line in document.plain[:40]
    )


def read_headed(document: Document) -> list[Roster]:
    """The one list of a headed text."""
    roster = Roster(edition_of(document, "wh40k"))
    given: list[tuple[str, str]] = []
    sheaves: list[UnitLines] = []
    warnings: list[str] = []
    role, units, warlord = "", None, ""
    for number, raw in document.lines:
        line = raw.strip()
        if set(line) <= {"+", " "} or line.lower().startswith(("created with", "exported with")):
            continue
        if match := _FIELD.fullmatch(line):
            roster = _header(roster, match[1], match[2])
            units = amount(match[2]) if match[1] == "NUMBER OF UNITS" else units
            warlord = match[2].rpartition(": ")[2] if match[1] == "WARLORD" else warlord
            given += _enhancement(match[2]) if match[1].startswith("ENHANCEMENT") else []
        elif line.startswith("& ") and not sheaves:
            given += _enhancement(line[2:])
        elif not BULLET.fullmatch(raw) and (match := UNIT.fullmatch(line)):
            sheaves.append(unit_of(match, number, role))
        elif not _body(sheaves, raw):
            if line.isupper():
                role = line
            else:
                warnings.append(not_understood(number, raw))
    roster = _noted(finished(roster, sheaves, warnings, is_flat(document)), warlord, given)
    if units is not None and units != len(sheaves):
        roster = replace(
            roster, warnings=(*roster.warnings, f"units: {units} declared, {len(sheaves)} counted")
        )
    return [roster]


def _body(sheaves: list[UnitLines], raw: str) -> bool:
    """Takes a line that belongs to the last unit; False when it does not."""
    if not sheaves:
        return False
    unit, line = sheaves[-1], raw.strip()
    if attached_line(unit, line):
        return True
    if match := _ENHANCEMENT.fullmatch(line):
        unit.enhancements.append(Extra(match[1], int(match[2]) if match[2] else None, "enhancement"))
    elif match := WITH.fullmatch(line):
        (unit.loadouts if unit.last is None else unit.last.loadouts).append(
            (int(match[1]), items_of(match[2]))
        )
    elif BULLET.fullmatch(raw):
        part = bullet_part(raw)
        if unit.loadouts and part.level > 1 and unit.last is None:
            part = Part(1, part.text, part.number, counted=part.counted)
        unit.add(part)
    else:
        return False
    return True


def _header(roster: Roster, field: str, value: str) -> Roster:
    if field.startswith("FACTION KEYWORD"):
        return replace(roster, faction=value.rpartition(" - ")[2])
    if field.startswith("DETACHMENT"):
        return replace(roster, formation=re.sub(r" \(.{0,300}\)$", "", value))
    if field == "TOTAL ARMY POINTS":
        return replace(roster, declared=amount(value))
    if field == "POINTS LIMIT":
        return replace(roster, limit=amount(value))
    return replace(roster, name=value) if field == "LIST NAME" else roster


def _enhancement(text: str) -> list[tuple[str, str]]:
    match = _ON.fullmatch(text.strip())
    return [(match[1], match[2])] if match else []


def _noted(roster: Roster, warlord: str, given: list[tuple[str, str]]) -> Roster:
    """The list with what only the header says: the warlord and enhancements, matched by the unit's name."""
    entries = list(roster.entries)
    bearer = _named(entries, warlord)
    if bearer is not None and not any(entry.general for entry in entries):
        entries[bearer] = replace(entries[bearer], general=True)
    for name, unit in given:
        bearer = _named(entries, unit)
        if bearer is not None and not any(
            normal(extra.name) == normal(name) for entry in entries for extra in entry.enhancements
        ):
            extras = (*entries[bearer].enhancements, Extra(name, None, "enhancement"))
            entries[bearer] = replace(entries[bearer], enhancements=extras)
    known = iter(entries)
    blocks = tuple(
        replace(block, entries=tuple(next(known) for _ in block.entries)) for block in roster.blocks
    )
    return replace(roster, blocks=blocks)


def _named(entries: list[Entry], name: str) -> int | None:
    return next((index for index, entry in enumerate(entries) if normal(entry.name) == normal(name)), None)
