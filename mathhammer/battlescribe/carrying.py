"""What the models of an entry carry, and what they could carry instead."""

from __future__ import annotations

from mathhammer.battlescribe.catalogues import MOST_LINKS, Library
from mathhammer.battlescribe.entry_facts import (
    amounts,
    default_of,
    is_noise,
    kind_of,
    limit,
    name_of,
    replaced_by,
)
from mathhammer.battlescribe.profiles import Profile
from mathhammer.battlescribe.rules import rules_of_entry
from mathhammer.battlescribe.saves import carried_save
from mathhammer.battlescribe.tree import Node
from mathhammer.battlescribe.unit_draft import ModelGroupDraft


def arm(library: Library, node: Node, kits: list[ModelGroupDraft], most: int | None = None) -> None:
    """Gives the kits of a model what it carries; alternatives are noted as optional."""
    _hang(library, node, kits, [True] * len(kits), [1] * len(kits), most)
    _choices(library, node, kits, [True] * len(kits), [1] * len(kits), most, frozenset(), 0)


def arm_loose(library: Library, node: Node, kit: ModelGroupDraft) -> None:
    """Weapons that hang on the unit itself and on no model."""
    for profile in library.profiles(node):
        if profile.kind in ("melee", "ranged"):
            kit.weapons.append((profile, 1))
    kit.models = 1
    _choices(library, node, [kit], [True], [1], None, frozenset(), 0)
    kit.models = 0


def _hang(
    library: Library,
    node: Node,
    kits: list[ModelGroupDraft],
    used: list[bool],
    times: list[int],
    most: int | None,
) -> None:
    """Puts the weapons and rules of one entry into the kits."""
    for profile in library.profiles(node):
        if profile.kind in ("melee", "ranged"):
            for kit, carried, number in zip(kits, used, times, strict=True):
                _put(kit, profile, max(1, kit.models) * min(number, 12), not carried, most)


def _choices(
    library: Library,
    node: Node,
    kits: list[ModelGroupDraft],
    used: list[bool],
    times: list[int],
    most: int | None,
    seen: frozenset[str],
    depth: int,
) -> None:
    """The upgrades below an entry or group: required ones and defaults are carried, the others could be.

    `used` and `times` go with the kits: whether each of them has the entry at all, and how often.
    """
    identity = node.get("id") or str(id(node))
    if depth > MOST_LINKS or identity in seen:
        return
    children = [
        child
        for child in library.children(node)
        if kind_of(library, child) in ("upgrade", "group") and not is_noise(library, child)
    ]
    splits = [amounts(library, child) for child in children]
    chosen = _chosen(library, node, children, splits)
    taken_ids = _taken(library, children, splits, len(kits))
    for index, child in enumerate(children):
        split = splits[index]
        if split and len(split) == len(kits) and len(kits) > 1:
            carried = [each and number > 0 for each, number in zip(used, split, strict=True)]
            numbers = [max(1, number) for number in split] if kind_of(library, child) == "upgrade" else times
            numbers = [1] * len(kits) if max(split) == 1 else numbers
        else:
            least = max(limit(library, child, "min") or 0, split[0] if split and len(split) == 1 else 0)
            if index == chosen:
                least = max(least, limit(library, node, "min") or 0)
            taken = least > 0 or kind_of(library, child) == "group"
            carried = [each and taken for each in used]
            if split and len(split) > 1:  # of other groups than these: the first has it
                carried = [each and place == 0 and split[0] > 0 for place, each in enumerate(used)]
            numbers = (
                [max(1, least) * each for each in times] if kind_of(library, child) == "upgrade" else times
            )
        if not split and (instead := replaced_by(library, child)):
            carried = [each and not (instead & ids) for each, ids in zip(carried, taken_ids, strict=True)]
        if name_of(library, child) == "Champion":
            for kit, has_it in zip(kits, carried, strict=True):
                kit.champion = kit.champion or has_it
        _shield(library, child, kits, carried)
        _hang(library, child, kits, carried, numbers, most)
        for kit, has_it in zip(kits, carried, strict=True):
            kit.texts += rules_of_entry(library, child, kit.name) if has_it else ()
        _choices(library, child, kits, carried, numbers, most, seen | {identity}, depth + 1)


def _shield(library: Library, node: Node, kits: list[ModelGroupDraft], carried: list[bool]) -> None:
    """The saves that wargear gives those who carry it; where none does by default it is told."""
    for profile in library.profiles(node):
        if profile.kind != "ability" or (defence := carried_save(profile.get("Description"))) is None:
            continue
        for kit, has_it in zip(kits, carried, strict=True):
            if has_it:
                kit.invulnerable.append(defence)
            else:
                kit.shields[profile.name] = defence


def _taken(
    library: Library, children: list[Node], splits: list[list[int] | None], kits: int
) -> list[set[str]]:
    """For each kit the ids of what `defaultAmount` gives it."""
    taken: list[set[str]] = [set() for _ in range(kits)]
    for child, split in zip(children, splits, strict=True):
        if split and len(split) == kits:
            for ids, number in zip(taken, split, strict=True):
                if number:
                    ids |= {face.get("id") for face in library.faces(child)}
    return taken


def _chosen(library: Library, node: Node, children: list[Node], splits: list[list[int] | None]) -> int | None:
    """Which child of a group that wants one is its default: the one it names, else the first where nothing
    else decides.
    """
    if kind_of(library, node) != "group" or not (limit(library, node, "min") or 0):
        return None
    named = default_of(library, node, children)
    if (
        named is not None
        or not children
        or any(splits)
        or any(limit(library, child, "min") for child in children)
    ):
        return named
    return 0


def _put(kit: ModelGroupDraft, profile: Profile, number: int, optional: bool, most: int | None) -> None:
    if kit.models == 0:
        optional, number = True, most or 1
    known = [each for each, _ in (*kit.weapons, *kit.optional)]
    if profile in known:
        if not optional and all(each != profile for each, _ in kit.weapons):
            kit.optional = [pair for pair in kit.optional if pair[0] != profile]
            kit.weapons.append((profile, number))
        return
    (kit.optional if optional else kit.weapons).append((profile, number))
