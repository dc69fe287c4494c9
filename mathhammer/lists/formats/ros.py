"""BattleScribe and New Recruit `.ros`: a roster tree in XML."""

from __future__ import annotations

from mathhammer.battlescribe.tree import parse_xml
from mathhammer.errors import BadInputError
from mathhammer.lists.documents import Document
from mathhammer.lists.registry import reader
from mathhammer.lists.trees import read_tree
from mathhammer.units.roster import Roster


def read_xml(data: bytes, where: str) -> Roster:
    """The roster of an XML document; catalogues and other documents are refused by name."""
    root = parse_xml(data, where)
    if root.tag in ("catalogue", "gameSystem"):
        raise BadInputError(
            f"{where}: is a {'catalogue' if root.tag == 'catalogue' else 'game system'}, no roster (use "
            "mathhammer import)"
        )
    if root.tag != "roster":
        raise BadInputError(
            f"{where}: is XML of another kind: <{root.tag[:40]}> (a .ros begins with <roster>)"
        )
    return read_tree(root, where)


@reader("ros", "BattleScribe or New Recruit .ros", rank=1, matches=lambda document: document.start == "<")
def read(document: Document) -> list[Roster]:
    """The one roster of a `.ros` file."""
    return [read_xml(document.data, document.where)]
