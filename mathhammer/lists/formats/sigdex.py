"""Sigdex text: like the Age of Sigmar app without separators, with a footer of its own."""

from __future__ import annotations

from mathhammer.lists.documents import Document
from mathhammer.lists.formats.aos_app import has_total
from mathhammer.lists.registry import reader
from mathhammer.lists.text_aos import titled, walk
from mathhammer.units.roster import Roster


def _matches(document: Document) -> bool:
    return has_total(document) and any(
        line.lower().startswith("created with sigdex") for line in document.plain
    )


@reader("sigdex", "Sigdex text", rank=10, matches=_matches)
def read(document: Document) -> list[Roster]:
    """Every list of the text."""
    return [walk(rows, roster) for roster, rows in titled(document.lines)]
