"""One unit's selections: its models, what they carry, and the fighting unit made from the profiles inside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from mathhammer.battlescribe.profiles import POINTS, Profile, keywords_of, profiles_of
from mathhammer.battlescribe.rules import rules_of_selection
from mathhammer.battlescribe.saves import carried_save, feel_no_pain, invulnerable
from mathhammer.battlescribe.tree import Node
from mathhammer.battlescribe.unit_draft import Draft, ModelGroupDraft, make_fields
from mathhammer.battlescribe.values import UnreadableError, points, whole
from mathhammer.battlescribe.weapons import spelled
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.reading import read_unit
from mathhammer.games.discovery import family_of
from mathhammer.text import clean, fold
from mathhammer.units.roster import Entry, Extra, Item, Kind
from mathhammer.units.unit import Unit

MOST = 10_000
COMMAND = ("Champion", "Musician", "Standard Bearer")


@dataclass(slots=True)
class Reading:
    """The state of reading one roster tree: complaints, and the links between selections."""

    system: str
    where: str
    warnings: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def price(self, node: Node) -> int:
        """The points on a selection itself."""
        price = 0
        for cost in node.items("costs"):
            if cost.name == POINTS:
                try:
                    price += points(cost.get("value"))
                except UnreadableError as error:
                    self.warnings.append(f"{node.name}: {error}")
        return price

    def total(self, node: Node) -> int:
        """The points on a selection and all below it: numbers are already multiplied in the file."""
        return self.price(node) + sum(self.total(child) for child in node.items("selections"))

    def number(self, node: Node) -> int:
        """How many of a selection there are, with bounds."""
        try:
            return whole(node.get("number"), MOST, 1)
        except UnreadableError as error:
            self.warnings.append(f"{node.name}: {error}")
            return 1


def primary(selection: Node) -> str:
    """The primary category of a selection."""
    return next((item.name for item in selection.items("categories") if item.get("primary") == "true"), "")


def entry_of(selection: Node, reading: Reading) -> Entry:
    """A unit or single model of a roster tree as an `Entry`, with its fighting unit where
    profiles are given.
    """
    categories = [item.name for item in selection.items("categories")]
    keywords = tuple(keywords_of(reading.system, categories))
    kinds: list[Kind] = []
    items: list[Item] = []
    extras: list[Extra] = []
    flags: set[str] = set()
    single = selection.get("type") == "model"
    if single:
        kinds.append(
            Kind(
                selection.name, reading.number(selection), tuple(_wargear(selection, reading, flags, extras))
            )
        )
    else:
        for child in selection.items("selections"):
            _sort(child, reading, kinds, items, extras, flags)
    identity = selection.get("id")
    if identity:
        reading.names[identity] = selection.name
        for link in selection.items("associations"):
            reading.links += [
                (identity, value)
                for key, value in link.attrs.items()
                if key not in ("id", "name") and value != identity
            ]
    unit = _unit(selection, reading, categories)
    if unit is not None and "Reinforced" in flags:
        unit = replace(unit, minimum=max(1, unit.models // 2))  # AC-3.3
    return Entry(
        name=clean(fold(selection.get("name"))),
        points=reading.total(selection),
        models=sum(kind.number for kind in kinds),
        kinds=tuple(kinds),
        items=tuple(items),
        enhancements=tuple(extras),
        general=bool(flags & {"General", "Warlord"}),
        reinforced="Reinforced" in flags,
        keywords=keywords,
        role=primary(selection),
        unit=unit,
        id=identity,
    )


def _sort(
    child: Node, reading: Reading, kinds: list[Kind], items: list[Item], extras: list[Extra], flags: set[str]
) -> None:
    if child.get("type") == "model":
        kinds.append(Kind(child.name, reading.number(child), tuple(_wargear(child, reading, flags, extras))))
        return
    nested = [grandchild for grandchild in child.items("selections") if grandchild.get("type") == "model"]
    if nested:
        for grandchild in nested:
            _sort(grandchild, reading, kinds, items, extras, flags)
        return
    items += _one(child, reading, flags, extras, of_unit=family_of(reading.system) == "sigmar")


def _wargear(model: Node, reading: Reading, flags: set[str], extras: list[Extra]) -> Iterator[Item]:
    for child in model.items("selections"):
        yield from _one(child, reading, flags, extras)


def _one(
    child: Node, reading: Reading, flags: set[str], extras: list[Extra], of_unit: bool = False
) -> Iterator[Item]:
    """One upgrade: a flag, an enhancement, or wargear; a wrapper gives what is inside it.

    `of_unit`: it hangs on an AoS unit and on none of its models, where all that is not a weapon is an
    enhancement.
    """
    name, group = child.name, clean(child.get("group"))
    if name in ("General", "Warlord", "Reinforced"):
        flags.add(name)
        return
    armed = any(profile.kind in ("melee", "ranged") for profile in profiles_of(child))
    inside = list(child.items("selections"))
    enhancement = "enhancement" in group.lower() or group.lower().startswith(
        ("heroic trait", "artefact", "mount trait")
    )
    if enhancement or (not armed and not inside and (reading.price(child) > 0 or of_unit)):
        kind = group.rpartition("::")[2].partition(":")[0]
        if name and name not in COMMAND:
            extras.append(
                Extra(name, reading.price(child) or None, kind or ("" if of_unit else "enhancement"))
            )
        return
    if inside and not armed:
        for grandchild in inside:
            yield from _one(grandchild, reading, flags, extras, of_unit)
        return
    if name and name not in COMMAND:
        yield Item(spelled(fold(name))[0], reading.number(child))


# --- the fighting unit ------------------------------------------------------------------------------------


def _unit(selection: Node, reading: Reading, categories: list[str]) -> Unit | None:
    """The unit made from the profiles in the selection; None when it brings none."""
    draft = Draft(
        reading.system,
        clean(fold(selection.get("name"))),
        points=reading.total(selection),
        categories=categories,
        exact=True,
    )
    armoury: dict[str, list[Profile]] = {}
    _stock(selection, armoury)
    _gather(selection, draft, None, reading, armoury, depth=0)
    if draft.profile is None and all(kit.profile is None for kit in draft.kits):
        return None
    if not draft.kits:
        draft.kits.append(ModelGroupDraft(draft.name, 1))
    try:
        datasheet = make_fields(draft)
    except UnreadableError as error:
        reading.warnings.append(f"{draft.name}: {error}")
        return None
    unit, faults = read_unit(reading.system, datasheet.fields)
    reading.warnings += [f"{draft.name}: {problem}" for problem in datasheet.problems]
    for weapon, words in datasheet.notes.items():
        reading.warnings.append(
            f"{draft.name}, {weapon}: {', '.join(words)} not understood, left out of the numbers"
        )
    if faults:
        reading.warnings += map(str, faults)
        return None
    return unit


def _stock(node: Node, armoury: dict[str, list[Profile]]) -> None:
    profiles = [profile for profile in profiles_of(node) if profile.kind in ("melee", "ranged")]
    if profiles:
        armoury.setdefault(node.name, profiles)
    for child in node.items("selections"):
        _stock(child, armoury)


def _gather(
    node: Node,
    draft: Draft,
    kit: ModelGroupDraft | None,
    reading: Reading,
    armoury: dict[str, list[Profile]],
    depth: int,
) -> None:
    """Sorts profiles into the draft: models open a kit, weapons go to the kit they hang below."""
    number = reading.number(node)
    if node.get("type") == "model" and (kit is None or depth == 1):
        kit = ModelGroupDraft(node.name, number, categories=[one.name for one in node.items("categories")])
        draft.kits.append(kit)
    own = list(profiles_of(node))
    armed = [profile for profile in own if profile.kind in ("melee", "ranged")]
    for profile in own:
        if profile.kind in ("unit", "manifestation"):
            if kit is None:
                draft.profile = draft.profile or profile
            else:
                kit.profile = kit.profile or profile
        elif (defence := invulnerable(profile.name, profile.get("Description"))) is not None:
            (draft if kit is None else kit).invulnerable.append(defence)
        elif profile.kind == "ability" and kit is not None and node.get("type") == "upgrade":
            _shield(kit, profile, number, reading)
    for rule in node.items("rules"):
        if (pain := feel_no_pain(rule.name)) is not None:
            draft.pain.append(pain)
        elif depth == 0:
            draft.rules.append(rule.name)
    texts = rules_of_selection(reading.system, node, "" if kit is None else kit.name)
    (draft if kit is None or depth == 0 else kit).texts.extend(texts)
    if not armed and depth and not any(True for _ in node.items("selections")):
        armed = armoury.get(node.name, [])  # exporters leave a profile out where it stood before
    for profile in armed:
        _carry(draft, kit, profile, number)
    if node.name == "Champion" and kit is not None:
        kit.champion = True
    for child in node.items("selections"):
        _gather(child, draft, kit, reading, armoury, depth + 1)


def _shield(kit: ModelGroupDraft, profile: Profile, number: int, reading: Reading) -> None:
    """The save of a shield, where all models of a kind carry one; else it is told."""
    defence = carried_save(profile.get("Description"))
    if defence is None:
        return
    if number >= kit.models:
        kit.invulnerable.append(defence)
    else:
        reading.warnings.append(
            f"{kit.name}: {number} of {kit.models} models carry {profile.name}, its save is left out"
        )


def _carry(draft: Draft, kit: ModelGroupDraft | None, profile: Profile, number: int) -> None:
    if kit is None:  # hung on the unit: whoever is most numerous carries it
        kit = max(draft.kits, key=lambda each: each.models, default=None)
    if kit is None:
        kit = ModelGroupDraft(draft.name, 1)
        draft.kits.append(kit)
    for index, (known, carried) in enumerate(kit.weapons):
        if known == profile:
            kit.weapons[index] = (known, carried + number)
            return
    kit.weapons.append((profile, max(1, number)))
