"""WarOrgan text: units as `Name [120 points]`, models as `2 Troopers with Lasgun and Close combat weapon`."""

from __future__ import annotations

import re
from dataclasses import field, replace

from mathhammer.dataclass import dataclass
from mathhammer.lists.documents import Document
from mathhammer.lists.editions import edition_of
from mathhammer.lists.registry import reader
from mathhammer.lists.text_parts import Part
from mathhammer.lists.text_wh40k import BULLET, UnitLines, amount, finished, not_understood
from mathhammer.units.roster import Extra, Item, Roster

_UNIT = re.compile(r"(.+?) \[([\d,]{1,7}) ?points\]?(.*)", re.IGNORECASE)
_SIZE = re.compile(r"Battle Size: (.+?)(?: \(([\d,]{3,6}) point limit\))?", re.IGNORECASE)
_DETACHMENT = re.compile(r"Detachments?: (.+)", re.IGNORECASE)
_MODELS = re.compile(r"(\d{1,3})x? (.+?) with (.+)")
_COUNTED = re.compile(r"(\d{1,3})x? (.+)")
_EXTRA = re.compile(r"(.+?) \[\+(\d{1,3}) ?points\]", re.IGNORECASE)
_AND = re.compile(r" ?, | and ")


def _matches(document: Document) -> bool:
    if document.zipped:
        return False
    signed = any(line.lower().startswith("created with warorgan") for line in document.plain)
    return signed or sum(_UNIT.fullmatch(line) is not None for line in document.plain[:60]) >= 2


@dataclass(slots=True)
class _Reading:
    """A list while its lines pass by."""

    roster: Roster
    sheaves: list[UnitLines] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@reader("warorgan", "WarOrgan text", rank=18, matches=_matches)
def read(document: Document) -> list[Roster]:
    """The one list of the text."""
    state = _Reading(Roster(edition_of(document, "wh40k")))
    for number, raw in document.lines:
        line = raw.strip()
        if line.lower().startswith("created with"):
            continue
        bullet = BULLET.fullmatch(raw)
        if bullet and state.sheaves:
            _carried(state.sheaves[-1], bullet[3])
        elif bullet or not _headed(state, number, line):
            state.warnings.append(not_understood(number, raw))
    return [finished(state.roster, state.sheaves, state.warnings)]


def _headed(state: _Reading, number: int, line: str) -> bool:
    """A line without a bullet: the title, the battle size, detachment, faction, or a unit."""
    roster, match = state.roster, _UNIT.fullmatch(line)
    if match and roster.declared is None and not state.sheaves and not roster.faction:
        state.roster = replace(roster, name=match[1], declared=amount(match[2]))
    elif match:
        state.sheaves.append(UnitLines(match[1], amount(match[2]), None, number, "", remark=match[3].strip()))
    elif size := _SIZE.fullmatch(line):
        state.roster = replace(roster, battlepack=size[1], limit=amount(size[2]) if size[2] else None)
    elif detachment := _DETACHMENT.fullmatch(line):
        state.roster = replace(roster, formation=detachment[1])
    elif not state.sheaves and not roster.faction:
        state.roster = replace(roster, faction=line)
    else:
        return False
    return True


def _carried(sheaf: UnitLines, text: str) -> None:
    """A bullet: models with what each of them carries, or what the only model carries."""
    if text.lower() == "warlord":
        sheaf.general = True
    elif match := _MODELS.fullmatch(text):
        part = Part(1, match[2], int(match[1]), counted=True)
        part.loadouts.append((part.number, _items(sheaf, match[3])))
        sheaf.parts.append(part)
    else:
        sheaf.loadouts.append((1, _items(sheaf, text)))


def _items(sheaf: UnitLines, text: str) -> list[Item]:
    items = []
    for name in filter(None, (part.strip() for part in _AND.split(text))):
        if extra := _EXTRA.fullmatch(name):
            sheaf.enhancements.append(Extra(extra[1], int(extra[2]), "enhancement"))
        elif name.lower() == "warlord":
            sheaf.general = True
        else:
            counted = _COUNTED.fullmatch(name)
            items.append(Item(counted[2], int(counted[1])) if counted else Item(name))
    return items
