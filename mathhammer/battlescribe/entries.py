"""From a catalogue's entry to a draft: default models, what they carry, what they could carry instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mathhammer.battlescribe.catalogues import HIDDEN, MOST_LINKS, Catalogue, Library
from mathhammer.battlescribe.profiles import POINTS, Profile
from mathhammer.battlescribe.rules import rules_of_entry
from mathhammer.battlescribe.saves import carried_save, feel_no_pain, invulnerable
from mathhammer.battlescribe.tree import Node
from mathhammer.battlescribe.unit_draft import Draft, ModelGroupDraft
from mathhammer.battlescribe.values import UnreadableError, points, whole
from mathhammer.text import clean, fold

MOST = 1000
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
    name the group or unit above instead of saying `parent`.
    """
    named = None
    for face in library.faces(node):
        for constraint in face.items("constraints"):
            if constraint.get("type") != kind or constraint.get("field") != "selections":
                continue
            try:
                value = whole(constraint.get("value"), MOST, 0)
            except UnreadableError:
                continue  # -1 stands for no limit
            if constraint.get("scope") == "parent":
                return value
            above = library.index.get(constraint.get("scope"))
            if named is None and above is not None and above.tag in ("selectionEntryGroup", "selectionEntry"):
                named = value
    return named


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


def draft_of(library: Library, catalogue: Catalogue, node: Node) -> Draft:
    """A root entry as a draft, with where it stands in the catalogues."""
    entry = library.faces(node)[-1]
    revision = catalogue.root.get("revision")
    source = f"{catalogue.path.name}, entry {clean(entry.get('id'))[:60]}" + (
        f", revision {clean(revision)[:10]}" if revision else ""
    )
    draft = Draft(library.system, name_of(library, node), points=price(library, node), source=source)
    draft.catalogue = catalogue.name
    draft.categories += _categories(library, node)
    _defences(library, node, draft, None)
    own = next(
        (profile for profile in library.profiles(node) if profile.kind in ("unit", "manifestation")), None
    )
    draft.profile = own
    if kind_of(library, node) == "model":
        kit = ModelGroupDraft(draft.name, 1, profile=own)
        draft.kits.append(kit)
        _arm(library, node, [kit])
    else:
        _models(library, node, draft, True)
        if own is None and all(kit.profile is None for kit in draft.kits):
            draft.kits.clear()
            draft.unmarked = True
            _models(library, node, draft, True)
        loose = ModelGroupDraft(draft.name, 0)
        _arm_loose(library, node, loose)
        _spread(draft, loose)
    if draft.models == 0:
        _one_model(draft)
    return draft


def _categories(library: Library, node: Node) -> Iterator[str]:
    for face in library.faces(node):
        for link in face.items("categoryLinks"):
            target = library.index.get(link.get("targetId"))
            yield link.name or (target.name if target else "")


def _defences(library: Library, node: Node, draft: Draft, kit: ModelGroupDraft | None) -> None:
    for profile in library.profiles(node):
        if (
            profile.kind == "ability"
            and (defence := invulnerable(profile.name, profile.get("Description"))) is not None
        ):
            (draft if kit is None else kit).invulnerable.append(defence)
    for rule in library.rules(node):
        if (pain := feel_no_pain(rule)) is not None:
            draft.pain.append(pain)
        elif kit is None:
            draft.rules.append(rule)
    if kit is None:
        draft.texts += rules_of_entry(library, node)
    else:
        kit.texts += rules_of_entry(library, node, kit.name)


@dataclass(frozen=True, slots=True)
class _Child:
    node: Node
    low: int
    high: int | None


def _models(
    library: Library, node: Node, draft: Draft, used: bool, seen: frozenset[str] = frozenset(), more: int = 0
) -> None:
    """Opens a kit for every kind of model below an entry or group, with its default number: none where
    another choice is the default. A profile that hangs on a group is that of all models in it; `more` models
    than its own least number are wanted by the group around it.
    """
    identity = node.get("id") or str(id(node))
    if len(seen) > MOST_LINKS or identity in seen:
        return
    top, seen = not seen, seen | {identity}
    first = len(draft.kits)
    children = [child for child in library.children(node) if not is_noise(library, child)]
    kinds = [_counts_as(library, child, draft) for child in children]
    models = [
        _Child(child, limit(library, child, "min") or 0, limit(library, child, "max"))
        for child, kind in zip(children, kinds, strict=True)
        if kind == "model" and not _comes_later(library, child)
    ]
    wanted = more + ((limit(library, node, "min") or 0) if kind_of(library, node) == "group" else 0)
    below_least = _below(library, children)
    numbers = _shared(library, node, models, wanted - below_least) if used else [0] * len(models)
    rest = max(0, wanted - below_least - sum(numbers))
    for child, number in zip(models, numbers, strict=True):
        kits = _kits(library, child.node, number)
        draft.kits += kits
        for kit in kits:
            kit.profile = _unit_profile(library, child.node)
            kit.categories += _categories(library, child.node)
            _defences(library, child.node, draft, kit)
        _arm(library, child.node, kits, most=child.high)
        if number and not draft.points:  # some units are priced by the model
            draft.points = (price(library, child.node) or 0) * number or draft.points
    chosen = _default(library, node, children)
    if chosen is None and wanted and "model" not in kinds and "group" not in kinds:
        # a choice between whole sets of models: the first of them
        chosen = next((i for i, child in enumerate(children) if _holds_models(library, child)), None)
    for index, (below, kind) in enumerate(zip(children, kinds, strict=True)):
        if kind in ("group", "unit"):
            extra = rest if rest and kind == "group" and index == _filling(library, node, children) else 0
            _models(library, below, draft, used, seen, extra)
        elif kind == "upgrade":
            required = (limit(library, below, "min") or 0) > 0 or (wanted > 0 and index == chosen)
            _models(library, below, draft, used and required, seen)
    shared = None if top else _unit_profile(library, node)
    for kit in draft.kits[first:]:
        kit.profile = kit.profile or shared


def _counts_as(library: Library, node: Node, draft: Draft) -> str:
    """The kind of an entry; where a unit has no models, upgrades that must be there and have a profile of
    models are its models.
    """
    kind = kind_of(library, node)
    if draft.unmarked and kind == "upgrade" and limit(library, node, "min") and _unit_profile(library, node):
        return "model"
    return kind


def _filling(library: Library, node: Node, children: list[Node]) -> int | None:
    """The group below that takes what a group still wants: where its default is, else the first that has
    models and room for more.
    """
    groups = [
        (index, child)
        for index, child in enumerate(children)
        if kind_of(library, child) == "group" and _holds_models(library, child)
    ]
    for index, child in groups:
        if _default(library, node, list(library.children(child))) is not None:
            return index
    for index, child in groups:
        most = limit(library, child, "max")
        if most is None or most > (limit(library, child, "min") or 0):
            return index
    return None


def _holds_models(library: Library, node: Node) -> bool:
    return any(kind_of(library, child) in ("model", "group") for child in library.children(node))


def _unit_profile(library: Library, node: Node) -> Profile | None:
    return next((profile for profile in library.profiles(node) if profile.kind == "unit"), None)


def _comes_later(library: Library, node: Node) -> bool:
    """Whether a model is not there when a battle begins: an ability of its own tells how it is used."""
    wanted = f"using {name_of(library, node)}".lower()
    return any(profile.name.lower() == wanted for profile in library.profiles(node))


def _below(library: Library, children: list[Node]) -> int:
    return sum(limit(library, child, "min") or 0 for child in children if kind_of(library, child) == "group")


def _shared(library: Library, node: Node, models: list[_Child], wanted: int) -> list[int]:
    """How many of each kind: the least of each, and what the group still wants from its default."""
    numbers = [min(child.low, MOST) for child in models]
    rest = min(wanted, MOST) - sum(numbers)
    if rest > 0 and models:
        chosen = _default(library, node, [child.node for child in models])
        order = sorted(range(len(models)), key=lambda index: index != chosen)
        for index in order:
            room = rest if models[index].high is None else max(0, (models[index].high or 0) - numbers[index])
            taken = min(rest, room)
            numbers[index] += taken
            rest -= taken
    return numbers


def _default(library: Library, node: Node, entries: list[Node]) -> int | None:
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


def _kits(library: Library, node: Node, number: int) -> list[ModelGroupDraft]:
    """One kit, or one for each group of identical models where `defaultAmount` gives them, on the models or
    on what they carry.
    """
    split = amounts(library, node)
    name = name_of(library, node)
    if not split or len(split) < 2 or sum(split) != number:
        groups = max((len(inner) for inner in _splits_below(library, node, 0)), default=1)
        split = [1] * (groups - 1) + [number - groups + 1] if 1 < groups <= number else [number]
    return [ModelGroupDraft(name, each) for each in split]


def _splits_below(library: Library, node: Node, depth: int) -> Iterator[list[int]]:
    for child in library.children(node):
        if split := amounts(library, child):
            yield split
        if kind_of(library, child) == "group" and depth < 3:
            yield from _splits_below(library, child, depth + 1)


def _arm(library: Library, node: Node, kits: list[ModelGroupDraft], most: int | None = None) -> None:
    """Gives the kits of a model what it carries; alternatives are noted as optional."""
    _hang(library, node, kits, [True] * len(kits), [1] * len(kits), most)
    _choices(library, node, kits, [True] * len(kits), [1] * len(kits), most, frozenset(), 0)


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
    named = _default(library, node, children)
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


def _arm_loose(library: Library, node: Node, kit: ModelGroupDraft) -> None:
    """Weapons that hang on the unit itself and on no model."""
    for profile in library.profiles(node):
        if profile.kind in ("melee", "ranged"):
            kit.weapons.append((profile, 1))
    kit.models = 1
    _choices(library, node, [kit], [True], [1], None, frozenset(), 0)
    kit.models = 0


def _spread(draft: Draft, loose: ModelGroupDraft) -> None:
    """Gives weapons of the unit as a whole to its most numerous models."""
    if not loose.weapons and not loose.optional and not loose.texts:
        return
    if not draft.kits:
        draft.kits.append(ModelGroupDraft(draft.name, 1))
    bearer = max(draft.kits, key=lambda kit: kit.models)
    draft.texts += loose.texts
    held = {profile for kit in draft.kits for profile, _ in (*kit.weapons, *kit.optional)}
    bearer.weapons += [(profile, number) for profile, number in loose.weapons if profile not in held]
    bearer.optional += [(profile, number) for profile, number in loose.optional if profile not in held]


def _one_model(draft: Draft) -> None:
    """A unit whose catalogue gives no number has one model, the first kind it lists."""
    if not draft.kits:
        draft.kits.append(ModelGroupDraft(draft.name, 1))
        return
    first = draft.kits[0]
    first.models = 1
    first.weapons, first.optional = [*first.weapons, *first.optional[:]], []


def unit_roots(library: Library, catalogue: Catalogue) -> Iterator[tuple[Node, frozenset[str]]]:
    """The roots of a catalogue that are units: those from which a Unit profile can be reached; with all
    weapon names in reach.
    """
    for node in catalogue.roots():
        library.steps = 0
        reach = library.reach(node)
        if reach.unit:
            yield node, reach.weapons
