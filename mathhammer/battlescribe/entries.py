"""From a catalogue's entry to a draft: its models in their default numbers, and what all of them share."""

from __future__ import annotations

from collections.abc import Iterator

from mathhammer.battlescribe.carrying import arm, arm_loose
from mathhammer.battlescribe.catalogues import MOST_LINKS, Catalogue, Library
from mathhammer.battlescribe.entry_facts import (
    MOST,
    amounts,
    default_of,
    is_noise,
    kind_of,
    limit,
    name_of,
    price,
)
from mathhammer.battlescribe.profiles import Profile
from mathhammer.battlescribe.rules import rules_of_entry
from mathhammer.battlescribe.saves import feel_no_pain, invulnerable
from mathhammer.battlescribe.tree import Node
from mathhammer.battlescribe.unit_draft import Draft, ModelGroupDraft
from mathhammer.dataclass import dataclass
from mathhammer.text import clean


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
        arm(library, node, [kit])
    else:
        _models(library, node, draft, True)
        if own is None and all(kit.profile is None for kit in draft.kits):
            draft.kits.clear()
            draft.unmarked = True
            _models(library, node, draft, True)
        loose = ModelGroupDraft(draft.name, 0)
        arm_loose(library, node, loose)
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
        arm(library, child.node, kits, most=child.high)
        if number and not draft.points:  # some units are priced by the model
            draft.points = (price(library, child.node) or 0) * number or draft.points
    chosen = default_of(library, node, children)
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
        if default_of(library, node, list(library.children(child))) is not None:
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
        chosen = default_of(library, node, [child.node for child in models])
        order = sorted(range(len(models)), key=lambda index: index != chosen)
        for index in order:
            room = rest if models[index].high is None else max(0, (models[index].high or 0) - numbers[index])
            taken = min(rest, room)
            numbers[index] += taken
            rest -= taken
    return numbers


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
        library.within = _identities(library, node)
        reach = library.reach(node)
        if reach.unit:
            yield node, reach.weapons


def _identities(library: Library, node: Node) -> frozenset[str]:
    """What conditions know a unit by: its ids, and those of its categories."""
    faces = library.faces(node)
    categories = (link.get("targetId") for face in faces for link in face.items("categoryLinks"))
    return frozenset({*(face.get("id") for face in faces), *categories} - {""})
