"""The official Age of Sigmar app ("Storm Forge"), also as pasted into tournament sites,
several lists at once.
"""

from __future__ import annotations

import re

from mathhammer.games.discovery import current_game
from mathhammer.lists.documents import Document
from mathhammer.lists.registry import reader
from mathhammer.lists.text_aos import TOTAL, titled, walk
from mathhammer.units.roster import Roster

_SHAPE = re.compile(
    (
        r"(drops: *\d+|.*handbook.*|general['’]?s regiment|regiment \d+|created with warhammer age "
        r"of sigmar.*|army of renown)"
    ),
    re.IGNORECASE,
)


def has_total(document: Document) -> bool:
    """Whether a line ends in `1990/2000 pts`."""
    return not document.zipped and any(TOTAL.fullmatch(line) for line in document.plain[:40])


def _shapes(document: Document) -> int:
    return sum(_SHAPE.fullmatch(line) is not None for line in document.plain)


def _matches(document: Document) -> bool:
    if has_total(document):
        return _shapes(document) > 0
    return not document.zipped and _shapes(document) > 1  # the line with the total is lost


@reader("aos-app", "official Age of Sigmar app text", rank=13, matches=_matches)
def read(document: Document) -> list[Roster]:
    """Every list of the text; one without its title where the line with the total is lost."""
    if not has_total(document):
        return [walk(document.lines, Roster(current_game("sigmar")))]
    return [walk(rows, roster) for roster, rows in titled(document.lines)]
