"""New Recruit `.json`: the roster tree of a `.ros`, converted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.battlescribe.tree import Node, json_node
from mathhammer.errors import BadInputError
from mathhammer.lists.documents import Document
from mathhammer.lists.registry import reader
from mathhammer.lists.trees import read_tree
from mathhammer.units.roster import Roster


def is_json(document: Document) -> bool:
    """Whether the document begins like JSON."""
    return document.start in ("{", "[")


def roster_object(document: Document) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The roster object of a JSON document and the object around it."""
    outer = document.json
    if isinstance(outer, list) and len(outer) == 1:
        outer = outer[0]
    if not isinstance(outer, Mapping) or not isinstance(outer.get("roster"), Mapping):
        raise BadInputError(
            f"{document.where}: is JSON without a roster (export the list from New Recruit or ListForge)"
        )
    return outer["roster"], outer


def read_json(document: Document) -> Roster:
    """The roster of a JSON document."""
    inner, outer = roster_object(document)
    around = {key: value for key, value in outer.items() if not isinstance(value, (Mapping, list))}
    node: Node = json_node(inner, "roster", document.where)
    return read_tree(node, document.where, json_node(around, "document", document.where))


@reader("newrecruit-json", "New Recruit JSON", rank=3, matches=is_json)
def read(document: Document) -> list[Roster]:
    """The one roster of a New Recruit JSON file."""
    return [read_json(document)]
