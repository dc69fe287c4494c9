"""ListForge JSON, plain or packed in a share link: New Recruit's tree with the metadata beside the roster."""

from __future__ import annotations

from mathhammer.lists.documents import Document, unpack_shared
from mathhammer.lists.formats.newrecruit_json import read_json
from mathhammer.lists.registry import reader
from mathhammer.units.roster import Roster


def _matches(document: Document) -> bool:
    if unpack_shared(document.data, document.where) is not None:
        return True
    return document.start == "{" and '"List Forge"' in document.text[:5000]


@reader("listforge-json", "ListForge JSON or share link", rank=2, matches=_matches)
def read(document: Document) -> list[Roster]:
    """The one roster of a ListForge file or link."""
    return [read_json(document)]
