"""One tree for XML and JSON: elements with attributes, text and children, read from files
nobody vouches for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any
from xml.parsers import expat

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.text import clean

MOST_BYTES = 50_000_000
MOST_DEPTH = 200  # the deepest real file has 21 levels
MOST_ELEMENTS = 500_000  # the largest real catalogue has about 30 thousand
MOST_JSON = 10_000_000
MOST_TEXT = 2_000_000  # one attribute or text; the largest real one has a few thousand characters


@dataclass(frozen=True, slots=True)
class Skipped:
    """What is left out while a tree is read: elements by tag, unless they are part of a modifier of one of
    the fields that are kept, of one that sets a number, or of its groups of conditions.

    >>> prices = Skipped(frozenset({"conditions"}), frozenset({"points"}))
    >>> [prices.leaves_out("conditions", "modifier", {"field": field}) for field in ("points", "name")]
    [False, True]
    >>> prices.leaves_out("conditions", "modifier", {"field": "a-limit", "type": "set", "value": "2"})
    False
    """

    tags: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()

    def leaves_out(self, tag: str, parent: str, above: Mapping[str, Any]) -> bool:
        """Whether an element is left out, given its parent's tag and attributes."""
        if tag not in self.tags or parent in ("conditionGroup", "localConditionGroup"):
            return False
        if parent != "modifier":
            return True
        number = above.get("type") == "set" and str(above.get("value", "")).isdigit()
        return not (number or above.get("field") in self.kept)


NOTHING_SKIPPED = Skipped()


@dataclass(slots=True)
class Node:
    """An element: its tag, attributes, text and children; JSON objects are read into the same shape.

    >>> node = parse_xml(b"<a x='1'><costs><cost name='pts'/></costs>hi</a>", "a.ros")
    >>> node.get("x"), node.text, [cost.get("name") for cost in node.items("costs")]
    ('1', 'hi', ['pts'])
    """

    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Node] = field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        """An attribute, or the text of a child of that name."""
        if name in self.attrs:
            return self.attrs[name]
        return next((child.text for child in self.children if child.tag == name and child.text), default)

    def items(self, container: str) -> Iterator[Node]:
        """What a container holds: `items("costs")` gives each `cost`."""
        for child in self.children:
            if child.tag == container:
                yield from child.children

    @property
    def name(self) -> str:
        """The `name` attribute as one clean line of at most 300 characters."""
        return clean(self.get("name"))[:300]


def parse_xml(data: bytes, where: str, skip: Skipped = NOTHING_SKIPPED) -> Node:
    """The root of an XML document, without the subtrees to skip.

    Refuses document types and entities, more than 200 levels and more than half a million elements.
    """
    if len(data) > MOST_BYTES:
        raise BadInputError(f"{where}: larger than {MOST_BYTES // 10**6} MB (no real file is)")
    builder = _Builder(where, skip)
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = builder.refuse
    parser.EntityDeclHandler = builder.refuse
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.characters
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise BadInputError(
            f"{where}: line {error.lineno} is not XML: {reason} (export the file again)"
        ) from None
    except (LookupError, ValueError) as error:
        if isinstance(error, BadInputError):
            raise
        raise BadInputError(f"{where}: its encoding cannot be read (save it as UTF-8)") from None
    assert builder.root is not None
    return builder.root


class _Builder:
    def __init__(self, where: str, skip: Skipped) -> None:
        self.where = where
        self.skip = skip
        self.root: Node | None = None
        self.stack: list[Node] = []
        self.skipping = 0
        self.depth = 0
        self.count = 0

    def refuse(self, *_: object) -> None:
        raise BadInputError(
            f"{self.where}: has a document type or entities (rosters and catalogues have none)"
        )

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        self.depth += 1
        self.count += 1
        if self.depth > MOST_DEPTH:
            raise BadInputError(
                f"{self.where}: nested more than {MOST_DEPTH} levels deep (real files have about 20)"
            )
        if self.count > MOST_ELEMENTS:
            raise BadInputError(f"{self.where}: more than {MOST_ELEMENTS} elements (no real file has)")
        tag = tag.rpartition("}")[2]
        above = self.stack[-1] if self.stack else None
        if self.skipping or (above is not None and self.skip.leaves_out(tag, above.tag, above.attrs)):
            self.skipping += 1
            return
        node = Node(tag, attrs)
        if above is not None:
            above.children.append(node)
        else:
            self.root = node
        self.stack.append(node)

    def end(self, _: str) -> None:
        self.depth -= 1
        if self.skipping:
            self.skipping -= 1
            return
        self.stack.pop()

    def characters(self, text: str) -> None:
        if self.skipping or not self.stack or (text.isspace() and not self.stack[-1].text):
            return
        if len(self.stack[-1].text) > MOST_TEXT:
            raise BadInputError(
                f"{self.where}: a text of more than {MOST_TEXT // 10**6} million characters (no real "
                "file "
                "has)"
            )
        self.stack[-1].text += text


def parse_json(text: str, where: str, most: int = MOST_JSON) -> Any:
    """A JSON document as plain values, or one sentence."""
    if len(text) > most:
        raise BadInputError(f"{where}: larger than {most // 10**6} MB (no real file is)")
    try:
        return json.loads(text, parse_constant=lambda word: word)
    except json.JSONDecodeError as error:
        raise BadInputError(
            f"{where}: line {error.lineno} is not JSON: {error.msg} (export the file again)"
        ) from None
    except RecursionError:
        raise BadInputError(
            f"{where}: nested more than {MOST_DEPTH} levels deep (real files have about 20)"
        ) from None
    except ValueError:  # Python's limit on the digits of a number
        raise BadInputError(f"{where}: has a number of thousands of digits (no real file has)") from None


def json_node(
    value: Mapping[str, Any], tag: str, where: str, depth: int = 0, skip: Skipped = NOTHING_SKIPPED
) -> Node:
    """A JSON object in the shape of the XML it was converted from.

    Containers may be lists, single objects, or wrapped once more (`{"selections": {"selection": [...]}}`);
    keys may begin with `_` or `@_`.

    >>> node = json_node({"roster": {"_name": "x", "costs": {"cost": [{"name": "pts"}]}}},
    ...     "document", "x.json")
    >>> [(roster.get("name"),
    ...     [cost.get("name") for cost in roster.items("costs")]) for roster in node.children]
    [('x', ['pts'])]
    """
    if depth > MOST_DEPTH:
        raise BadInputError(f"{where}: nested more than {MOST_DEPTH} levels deep (real files have about 20)")
    node = Node(tag)
    for raw, held in value.items():
        key = raw.removeprefix("@").removeprefix("_") if len(raw) > 2 else raw
        if skip.leaves_out(key, tag, value):
            continue
        if key in ("$text", "#text", "text"):
            node.text = _scalar(held)
        elif isinstance(held, list):
            node.children.append(_container(key, held, where, depth, skip))
        elif isinstance(held, Mapping):
            inner = held.get(_singular(key))
            if isinstance(inner, (list, Mapping)) and len(held) == 1:
                node.children.append(
                    _container(key, inner if isinstance(inner, list) else [inner], where, depth, skip)
                )
            else:
                node.children.append(
                    _container(key, [held], where, depth, skip)
                    if key.endswith("s")
                    else json_node(held, key, where, depth + 1, skip)
                )
        else:
            node.attrs[key] = _scalar(held)
    return node


def _container(key: str, held: list[Any], where: str, depth: int, skip: Skipped) -> Node:
    node = Node(key)
    for item in held:
        if isinstance(item, Mapping):
            node.children.append(json_node(item, _singular(key), where, depth + 2, skip))
    return node


def _singular(key: str) -> str:
    """What a container holds: `sharedSelectionEntries` hold each a `selectionEntry`."""
    plain = key.removeprefix("shared")
    key = plain[:1].lower() + plain[1:] if plain[:1].isupper() else key
    return key[:-3] + "y" if key.endswith("ies") else key.removesuffix("s")


def _scalar(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
