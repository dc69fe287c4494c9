"""What an entry of a catalogue says about itself: its name and kind, its limits, amounts and points."""

from __future__ import annotations

from mathhammer.battlescribe.catalogues import HIDDEN, Library
from mathhammer.battlescribe.profiles import POINTS
from mathhammer.battlescribe.tree import Node
from mathhammer.battlescribe.values import UnreadableError, points, whole
from mathhammer.text import clean, fold

MOST = 1000
ABOVE = ("parent", "root-entry", "ancestor", "unit")  # where conditions look for the unit of an entry
ASKING = ("conditionGroups", "localConditionGroups", "repeats")
# groups that add upgrades of a campaign or an army, not the weapons of a unit
NOISE = (
    "crusade",
    "weapon modifications",
    "paths",
    "battle wounds + scars",
    "heroic traits",
    "artefacts of power",
    "renown",
    "enhancements",
)


def name_of(library: Library, node: Node) -> str:
    """The name of an entry: the link's own, else its target's."""
    return next((clean(fold(face.get("name"))) for face in library.faces(node) if face.get("name")), "")


def kind_of(library: Library, node: Node) -> str:
    """`unit`, `model`, `upgrade` or `group`."""
    face = library.faces(node)[-1]
    return "group" if face.tag == "selectionEntryGroup" else face.get("type")


def limit(library: Library, node: Node, kind: str) -> int | None:
    """The min or max number of selections inside the parent; a link's own word goes first. Some catalogues
    name the group or unit above instead of saying `parent`. Some units have another limit: a smaller variant
    of a unit is told from it by a category of its own.
    """
    named = None
    for face in library.faces(node):
        for constraint in face.items("constraints"):
            if constraint.get("type") != kind or constraint.get("field") != "selections":
                continue
            try:
                value = whole(_in_force(library, node, constraint), MOST, 0)
            except UnreadableError:
                continue  # -1 stands for no limit
            if constraint.get("scope") == "parent":
                return value
            above = library.index.get(constraint.get("scope"))
            if named is None and above is not None and above.tag in ("selectionEntryGroup", "selectionEntry"):
                named = value
    return named


def _in_force(library: Library, node: Node, constraint: Node) -> str:
    """The value of a constraint for the unit in hand: as modifiers set it that ask what unit it is."""
    value, identity = constraint.get("value"), constraint.get("id")
    for face in library.faces(node) if identity else ():
        for modifier in face.items("modifiers"):
            if (modifier.get("field"), modifier.get("type")) == (identity, "set"):
                value = modifier.get("value") if _meant(library, modifier) else value
    return value


def _meant(library: Library, modifier: Node) -> bool:
    """Whether a modifier is for the unit in hand, and asks for nothing else."""
    conditions = list(modifier.items("conditions"))
    others = any(True for name in ASKING for _ in modifier.items(name))
    return (
        bool(conditions)
        and not others
        and all(
            condition.get("type") == "instanceOf"
            and condition.get("scope") in ABOVE
            and condition.get("childId") in library.within
            for condition in conditions
        )
    )


def amounts(library: Library, node: Node) -> list[int] | None:
    """`defaultAmount`: how many of an entry each group of identical models has."""
    text = next((face.get("defaultAmount") for face in library.faces(node) if face.get("defaultAmount")), "")
    parts = [part for part in text.split(",") if part.strip()]
    return (
        [int(part) for part in parts]
        if parts and all(part.strip().isdigit() and len(part) < 4 for part in parts)
        else None
    )


def is_noise(library: Library, node: Node) -> bool:
    """Whether an entry belongs to campaigns or enhancements."""
    name = name_of(library, node).lower()
    return any(name.startswith(word) and not name[len(word) : len(word) + 1].isalpha() for word in NOISE)


def price(library: Library, node: Node) -> int | None:
    """The points of an entry: in AoS they stand on the faction's link, in 40k on the entry."""
    price = None
    for face in library.faces(node):
        for cost in face.items("costs"):
            if cost.name == POINTS:
                try:
                    value = points(cost.get("value"))
                except UnreadableError:
                    continue
                if value > 0:
                    return value
                price = value if price is None else price
    return price


def default_of(library: Library, node: Node, entries: list[Node]) -> int | None:
    """Which of several entries a group names as its default."""
    wanted = next(
        (
            face.get("defaultSelectionEntryId")
            for face in library.faces(node)
            if face.get("defaultSelectionEntryId")
        ),
        "",
    )
    for index, entry in enumerate(entries):
        if wanted and wanted in (entry.get("id"), entry.get("targetId")):
            return index
    return None


def replaced_by(library: Library, node: Node) -> frozenset[str]:
    """The ids of what replaces an entry: it is hidden once one of them is chosen beside it."""
    found: set[str] = set()
    for face in library.faces(node):
        for modifier in face.items("modifiers"):
            if (modifier.get("field"), modifier.get("value")) != (HIDDEN, "true"):
                continue
            groups = [group for group in modifier.items("conditionGroups") if group.get("type") == "or"]
            for holder in (modifier, *groups):
                conditions = list(holder.items("conditions"))
                if holder is modifier and len(conditions) > 1:
                    continue  # all of them together
                found |= {
                    condition.get("childId")
                    for condition in conditions
                    if condition.get("scope") == "parent"
                    and condition.get("field") == "selections"
                    and (condition.get("type"), condition.get("value"))
                    in (("atLeast", "1"), ("greaterThan", "0"))
                }
    return frozenset(found)
