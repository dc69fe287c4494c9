"""Readers of list formats: each registers itself with `@reader`, and the first that knows
the content reads it.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from pathlib import Path

from mathhammer.errors import BadInputError
from mathhammer.lists import formats
from mathhammer.lists.documents import Document, open_document
from mathhammer.lists.editions import refuse_others
from mathhammer.lists.lookup import resolve
from mathhammer.lists.registry import READERS, Reader
from mathhammer.units.roster import Roster

MOST_UNITS = 1000
FIRST_TEXT = 10  # readers of this rank and above read what people paste


def readers() -> tuple[Reader, ...]:
    """All readers, the most particular first.

    >>> [reader.name for reader in readers()][:2]
    ['rosz', 'ros']
    """
    for module in pkgutil.iter_modules(formats.__path__):
        importlib.import_module(f"{formats.__name__}.{module.name}")
    return tuple(sorted(READERS, key=lambda reader: (reader.rank, reader.name)))


def detect(document: Document) -> Reader:
    """The reader for a document, by its content alone; the name of the file plays no part."""
    known = readers()
    if not document.zipped and document.start not in ("<", "{", "[") and not document.shared:
        refuse_others(document)
    for reader in known:
        if reader.matches(document):
            return reader
    titles = ", ".join(reader.title for reader in sorted(known, key=lambda reader: reader.title))
    raise BadInputError(f"{document.where}: not a list in any known format (known: {titles})")


def read_rosters(given: str | bytes | Path, *, datasheets: str | Path | None = None) -> tuple[Roster, ...]:
    """Every list of a file, a pasted text or bytes: usually one, more where several were pasted together.

    >>> one = 'system = "aos4"\\n[[regiment]]\\n[[regiment.unit]]\\nname = "Clanrats"\\n'
    >>> [len(roster.entries) for roster in read_rosters(one)]
    [1]
    """
    document = open_document(given)
    reader = detect(document)
    rosters = reader.read(document)
    for roster in rosters:
        if sum(len(block.entries) for block in roster.blocks) > MOST_UNITS:
            raise BadInputError(f"{document.where}: more than {MOST_UNITS} units (no army list has)")
    return tuple(resolve(_finished(roster, document, reader), datasheets) for roster in rosters)


def read_roster(given: str | bytes | Path, *, datasheets: str | Path | None = None) -> Roster:
    """The list in a file, a pasted text or bytes, whatever exported it; profiles it lacks come from the
    datasheets.

    >>> head = 'system = "aos4"\\nfaction = "Skaven"\\n'
    >>> army = read_roster(head + '[[regiment]]\\n[[regiment.unit]]\\nname = "clanrats"\\npoints = 150\\n')
    >>> army.points, army.units[0].name, army.units[0].models
    (150, 'Clanrats', 20)
    """
    rosters = read_rosters(given, datasheets=datasheets)
    if len(rosters) == 1:
        return rosters[0]
    remark = (
        f"{rosters[0].source}: holds {len(rosters)} lists, this is the first (read_rosters gives them all)"
    )
    return replace(rosters[0], warnings=(*rosters[0].warnings, remark))


def _finished(roster: Roster, document: Document, reader: Reader) -> Roster:
    """The list with its source, and with what does not add up said."""
    warnings = [*(() if document.zipped else document.warnings), *roster.warnings]
    if roster.difference:
        unpriced = [entry.name for entry in roster.entries if entry.points is None and not entry.bundle]
        why = f"; no points are given for {', '.join(unpriced[:6])}" if unpriced else ""
        warnings.append(f"points: {roster.declared} declared, {roster.points} counted{why}")
    if roster.declared is None and reader.rank >= FIRST_TEXT:
        warnings.append("no total is given: nothing tells whether a unit was lost")
    return replace(roster, warnings=tuple(warnings), format=reader.name, source=document.where)
