"""What a unit costs at each size: catalogues give a price, and others that hold from so many models on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mathhammer.battlescribe.catalogues import MOST_LINKS, Library
from mathhammer.battlescribe.entry_facts import is_noise, kind_of, limit, price
from mathhammer.battlescribe.profiles import PRICES
from mathhammer.battlescribe.tree import Node
from mathhammer.battlescribe.values import UnreadableError, points, whole
from mathhammer.dataclass import dataclass

MOST_SIZE = 200  # models of the largest unit whose sizes are walked through
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "atLeast": lambda here, value: here >= value,
    "greaterThan": lambda here, value: here > value,
    "atMost": lambda here, value: here <= value,
    "lessThan": lambda here, value: here < value,
    "equalTo": lambda here, value: here == value,
    "notEqualTo": lambda here, value: here != value,
}


@dataclass(slots=True)
class _Models:
    """Models of one kind: the ids under which conditions ask for them, how many there are and may be."""

    ids: frozenset[str]
    number: int
    most: int


def prices_of(library: Library, node: Node, smallest: int) -> dict[int, int]:
    """The price of a unit by size: for each price the largest size that has it; empty where there is one
    price only.
    """
    base = price(library, node)
    changes = [
        modifier
        for face in library.faces(node)
        for modifier in face.items("modifiers")
        if modifier.get("field") in PRICES and modifier.get("type") == "set"
    ]
    if not base or not changes:
        return {}
    own = frozenset(face.get("id") for face in library.faces(node)) | {"self"}
    sizes: dict[int, int] = {}
    for composition in _compositions(library, node, 0) or [""]:
        kinds = list(_kinds(library, node, frozenset(), composition, 0))
        size = sum(kind.number for kind in kinds)
        while size < smallest and _grow(kinds):
            size += 1
        while 0 < size <= MOST_SIZE:
            held = [modifier for modifier in changes if _holds(modifier, kinds, own)]
            sizes.setdefault(size, _value(held[-1], base) if held else base)
            if not _grow(kinds):
                break
            size += 1
    return _steps(sizes)


def surcharge_of(library: Library, node: Node) -> tuple[int, int] | None:
    """From which copy of a unit in a list on it costs more, and how much; None where all cost the same.

    Catalogues count the copies that come before: with at least two of them, this is the third.
    """
    for face in library.faces(node):
        for modifier in face.items("modifiers"):
            if modifier.get("field") not in PRICES or modifier.get("type") != "increment":
                continue
            for group in modifier.items("conditionGroups"):
                for count in group.items("localConditionGroups"):
                    earlier = any(one.get("type") == "before" for one in count.items("conditions"))
                    if earlier and count.get("type") == "atLeast":
                        try:
                            return whole(count.get("value"), MOST_SIZE) + 1, points(modifier.get("value"))
                        except UnreadableError:
                            return None
    return None


def _steps(sizes: dict[int, int]) -> dict[int, int]:
    """Of each run of sizes with one price the largest; empty where all have the same."""
    steps: list[tuple[int, int]] = []
    for size, points_then in sorted(sizes.items()):
        if steps and steps[-1][1] == points_then:
            steps.pop()
        steps.append((size, points_then))
    return dict(steps) if len(steps) > 1 else {}


def _compositions(library: Library, node: Node, depth: int) -> list[str]:
    """The choices of a unit between whole sets of models, as `1 leader and 10 others` or `2 and 20`."""
    found: list[str] = []
    for child in library.children(node) if depth < 3 else ():
        if kind_of(library, child) == "group" and not is_noise(library, child):
            for option in library.children(child):
                if kind_of(library, option) == "upgrade" and any(
                    _kinds(library, option, frozenset(), "", depth + 1)
                ):
                    found.append(library.faces(option)[0].get("id"))
            found += _compositions(library, child, depth + 1)
    return found


def _value(modifier: Node, default: int) -> int:
    try:
        return points(modifier.get("value"))
    except UnreadableError:
        return default


def _grow(kinds: list[_Models]) -> bool:
    """One more model, of the kind that has most and may have more; False where the unit is full."""
    free = [kind for kind in kinds if kind.number < kind.most]
    if not free:
        return False
    max(free, key=lambda kind: (kind.number, kind.most)).number += 1
    return True


def _kinds(
    library: Library, node: Node, above: frozenset[str], composition: str, depth: int
) -> Iterator[_Models]:
    """The kinds of models below an entry, each with its least number; a group's own limits hold for all
    that is in it. Of choices between whole sets of models only that one counts.
    """
    if depth > MOST_LINKS:
        return
    for child in library.children(node):
        if is_noise(library, child):
            continue
        ids = above | {face.get("id") for face in library.faces(child)}
        kind = kind_of(library, child)
        low, high = limit(library, child, "min") or 0, limit(library, child, "max")
        if kind == "model":
            yield _Models(ids, low, max(low, MOST_SIZE if high is None else high))
        elif kind == "group":
            inside = list(_kinds(library, child, ids, composition, depth + 1))
            # the limits of the group that holds the choice count choices, not models
            chooses = composition not in ids and any(composition in each.ids for each in inside)
            yield from inside if chooses else _limited(inside, low, high)
        elif kind == "unit" or low or composition in ids:
            yield from _kinds(library, child, ids, composition, depth + 1)


def _limited(inside: list[_Models], low: int, high: int | None) -> list[_Models]:
    while sum(kind.number for kind in inside) < min(low, MOST_SIZE) and _grow(inside):
        pass
    if high is not None:
        room = max(0, high - sum(kind.number for kind in inside))
        # what one kind takes of the room the others do not have: the first with room takes it
        for kind in sorted(inside, key=lambda kind: (-kind.number, -kind.most)):
            taken = min(room, kind.most - kind.number)
            kind.most = kind.number + taken
            room -= taken
    return inside


def _holds(modifier: Node, kinds: list[_Models], own: frozenset[str]) -> bool:
    """Whether the conditions of a modifier hold for these models; one without conditions always does."""
    return all(_inside(modifier, kinds, own))


def _inside(node: Node, kinds: list[_Models], own: frozenset[str]) -> Iterator[bool]:
    for condition in node.items("conditions"):
        yield _asks(condition, kinds, own)
    for group in node.items("conditionGroups"):
        yield (any if group.get("type") == "or" else all)(_inside(group, kinds, own))


def _asks(condition: Node, kinds: list[_Models], own: frozenset[str]) -> bool:
    """Whether one condition holds; what asks for anything but models of the unit does not."""
    compare = COMPARED.get(condition.get("type"))
    if compare is None or condition.get("scope") not in own or condition.get("field") != "selections":
        return False
    wanted = condition.get("childId")
    here = sum(kind.number for kind in kinds if wanted == "model" or wanted in kind.ids)
    try:
        return compare(here, whole(condition.get("value"), MOST_SIZE))
    except UnreadableError:
        return False
