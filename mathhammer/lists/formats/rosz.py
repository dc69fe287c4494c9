"""BattleScribe and New Recruit `.rosz`: a zip archive with one `.ros` inside."""

from __future__ import annotations

from mathhammer.lists.documents import Document
from mathhammer.lists.formats.ros import read_xml
from mathhammer.lists.registry import reader
from mathhammer.units.roster import Roster


@reader("rosz", "BattleScribe or New Recruit .rosz", rank=0, matches=lambda document: document.zipped)
def read(document: Document) -> list[Roster]:
    """The one roster of a `.rosz` file."""
    return [read_xml(document.unzipped(), document.where)]
