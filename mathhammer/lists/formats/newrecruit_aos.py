"""New Recruit's text of an Age of Sigmar list: `Name (1930 points) - General's Handbook`, then regiments."""

from __future__ import annotations

import re

from mathhammer.games.discovery import current_game
from mathhammer.lists.documents import Document
from mathhammer.lists.formats.aos_app import has_total
from mathhammer.lists.registry import reader
from mathhammer.lists.text_aos import amount, walk
from mathhammer.units.roster import Roster

_TITLE = re.compile(r"(.*?) ?\(([\d,]{1,7}) points?\)(?: ?- ?(?:✦ ?)?(.+))?", re.IGNORECASE)
_SHAPE = re.compile(
    r"(spell|prayer|manifestation) lore - .*|battle tactic cards? - .*|regiment \d+|auxiliaries: *\d+",
    re.IGNORECASE,
)


def _matches(document: Document) -> bool:
    if (
        document.zipped
        or has_total(document)
        or not any(_TITLE.fullmatch(line) for line in document.plain[:3])
    ):
        return False
    signed = any(line.lower() == "created with new recruit" for line in document.plain)
    return signed or sum(_SHAPE.fullmatch(line) is not None for line in document.plain) >= 2


@reader("newrecruit-aos", "New Recruit text (Age of Sigmar)", rank=12, matches=_matches)
def read(document: Document) -> list[Roster]:
    """The one list of the text."""
    start = next(index for index, line in enumerate(document.plain) if _TITLE.fullmatch(line))
    title = _TITLE.fullmatch(document.plain[start])
    assert title is not None
    roster = Roster(
        current_game("sigmar"), name=title[1], declared=amount(title[2]), battlepack=title[3] or ""
    )
    return [walk(document.lines[start + 1 :], roster)]
