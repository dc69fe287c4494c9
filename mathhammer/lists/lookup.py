"""Profiles for the units of a list that has none: found in the datasheets by name, sized
and armed as the list says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from mathhammer.dataclass import dataclass
from mathhammer.datasheets.library import TARGETS, Sheet, folders, sheets
from mathhammer.errors import MathhammerError
from mathhammer.games.discovery import get_game
from mathhammer.lists.arming import armed
from mathhammer.lists.flat import retold
from mathhammer.lists.shields import shielded
from mathhammer.names import Match, Names, find_in, normal, singular
from mathhammer.units.roster import Block, Entry, Missing, Roster, Standard
from mathhammer.units.unit import MOST_MODELS, Unit

_VARIANT = re.compile(r".+ \((\d{1,3}) models?\)", re.IGNORECASE)
_MADE_CHARACTER = re.compile(r".+ character", re.IGNORECASE)  # what a detachment makes of some units


def resolve(roster: Roster, datasheets: str | Path | None = None) -> Roster:
    """The list with a unit for every entry whose profile the datasheets know; the others are listed as
    missing.

    Profiles that the list itself brings are left as they are; what the datasheets say of a unit of that name
    stands beside them.
    """
    if get_game(roster.system).attacks is None:
        return roster
    where = tuple(map(str, folders(datasheets)))
    known = _known(roster.system, normal(roster.faction), where, datasheets)
    missing: dict[Missing, None] = dict.fromkeys(roster.missing)
    warnings = list(roster.warnings)
    blocks = []
    for block in roster.blocks:
        if block.kind == "renown" and (unit := _run_in(known.tiers, block.name)):
            warnings.append(f"{block.name}: begins with the name of a unit, {unit} (two lines in one?)")
        entries = tuple(_resolved(entry, block, known, missing, warnings) for entry in block.entries)
        blocks.append(replace(block, entries=entries))
    return replace(
        roster, blocks=tuple(blocks), missing=tuple(missing), warnings=tuple(dict.fromkeys(warnings))
    )


def _run_in(tiers: tuple[Names[Sheet], ...], bundle: str) -> str:
    """The unit whose line ran into that of the next bundle, where the name of a bundle begins with one."""
    words = bundle.split()
    begins = (" ".join(words[:end]) for end in range(len(words) - 1, 0, -1))
    return next((name for name in begins if find_in(tiers, name).how == "exact"), "")


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """The datasheets as a list of a faction looks them up: by name, and smaller variants by their size."""

    faction: str
    tiers: tuple[Names[Sheet], ...]
    variants: Mapping[tuple[str, int], Sheet]

    def find(self, name: str, models: int | None) -> Match[Sheet]:
        """The unit of that name; of one that has a variant of that size, the variant."""
        match = _sure(find_in(self.tiers, name), name)
        sheet = match.thing
        variant = None if sheet is None or models is None else self.variants.get((normal(sheet.name), models))
        return match if variant is None else replace(match, thing=variant)


@lru_cache(maxsize=32)
def _known(system: str, faction: str, where: tuple[str, ...], own: str | Path | None) -> _Known:
    del where  # part of the key: another folder is another answer
    known = [sheet for sheet in sheets(system, own) if sheet.path.name != TARGETS]
    order = list(dict.fromkeys(sheet.path.parent for sheet in known))
    # of one folder's copies of a unit those with points first: bundles bring copies without
    known.sort(key=lambda sheet: (order.index(sheet.path.parent), not sheet.priced))
    near = [sheet for sheet in known if faction and _near(sheet.faction, faction)]
    tiers = tuple(Names((sheet.name, sheet) for sheet in each) for each in (near, known) if each)
    variants: dict[tuple[str, int], Sheet] = {}
    for sheet in (*near, *known):
        if told := _VARIANT.fullmatch(sheet.name):
            variants.setdefault((normal(sheet.name), int(told[1])), sheet)
    return _Known(faction, tiers, variants)


def _near(known: str, faction: str) -> bool:
    """Whether a sheet's faction is that of a list, under one of its names."""
    return normal(known) in faction or faction in normal(known)


def _resolved(
    entry: Entry,
    block: Block,
    known: _Known,
    missing: dict[Missing, None],
    warnings: list[str],
) -> Entry:
    if block.kind == "manifestation":
        return entry
    match = known.find(entry.name, entry.models)
    if entry.unit is not None and match.how != "exact":
        return entry
    if match.thing is None:
        missing[Missing(entry.name, suggestion=match.suggestion)] = None
        return _alone(entry, warnings)
    try:
        sheet = match.thing.unit()
        entry = _told(entry, match.thing, sheet, warnings)
        unit = sized(sheet, entry)
    except MathhammerError as error:
        warnings.append(str(error).splitlines()[0])
        return entry
    if match.how == "exact":
        entry = replace(entry, standard=Standard(sheet.models, sheet.points, match.thing.faction))
    if entry.unit is not None:
        return entry
    if match.how != "exact":
        warnings.append(f"{entry.name}: taken as {unit.name}")
    if known.faction and not _near(match.thing.faction, known.faction):
        warnings.append(f"{entry.name}: taken from {match.thing.faction}")
    if told := _other_size(entry, sheet, unit.models):
        warnings.append(told)
    as_listed, unknown = armed(unit, entry)
    harmless = {
        normal(name) for key in ("wargear", "model_names") for name in match.thing.fields.get(key, ())
    }
    unknown = [(name, suggestion) for name, suggestion in unknown if normal(name) not in harmless]
    missing |= {Missing(name, entry.name, suggestion): None for name, suggestion in unknown}
    if unknown and unit.weapons and as_listed is unit:
        warnings.append(f"{entry.name}: no weapon in the list is on its datasheet, whose own are taken")
    unit, told_shields = shielded(as_listed, entry, match.thing.fields.get("shields", {}))
    warnings += told_shields
    points = unit.points if entry.points is None else entry.points
    keywords = entry.keywords or tuple(sorted(word.lower() for word in unit.keywords))
    if any(_MADE_CHARACTER.fullmatch(name) for name in entry.carried()):
        keywords = (*keywords, "character")
    return replace(entry, unit=replace(unit, points=points), keywords=keywords)


DEARER = 1.6  # a unit of unknown size that costs so many times its price is likely a larger one
NAMED_ONCE = frozenset({"UNIQUE", "EPIC HERO"})  # a hero under a shorter name is still that hero


def _sure(match: Match[Sheet], name: str) -> Match[Sheet]:
    """A match by some of its words only where the others are those of its faction: "Kiln Wardens" are none of
    the "Veiled Kiln Wardens". Any other is suggested.
    """
    sheet = match.thing
    if sheet is None or match.how != "words":
        return match
    wanted, known = (frozenset(singular(normal(text)).split()) for text in (name, sheet.name))
    faction = frozenset(singular(normal(sheet.faction)).split())
    keywords = {str(word).upper() for word in sheet.fields.get("keywords", ())}
    if wanted ^ known <= faction or keywords & NAMED_ONCE:
        return match
    return Match(suggestion=sheet.name)


def _alone(entry: Entry, warnings: list[str]) -> Entry:
    """A unit without a datasheet whose models the list does not tell: names may, else one model is taken
    where nothing is there twice.
    """
    if entry.told or entry.models is not None:
        return entry
    entry = retold(entry, (), ())
    if entry.models is not None:
        return entry
    if all(item.number == 1 for item in entry.items):
        return replace(entry, models=1)
    if entry.flat:
        warnings.append(f"{entry.name}: its models cannot be told from what they carry")
        return entry
    return replace(entry, models=1)


def _told(entry: Entry, sheet: Sheet, unit: Unit, warnings: list[str]) -> Entry:
    """The unit with its models told by what the datasheet calls them; too few of them are said."""
    if entry.unit is not None:
        return entry
    if entry.flat or (not entry.told and entry.models is None):
        named = sheet.fields.get("model_names", ())
        if named or len(unit.groups) > 1:
            named = (*named, entry.name, *(group.name for group in unit.groups))
        entry = retold(entry, named, [weapon.name for weapon in unit.weapons])
        if entry.models is None and unit.models == 1:
            entry = replace(entry, models=1)
        elif entry.models is None:
            told = f"its models are not in the list, {unit.models} are taken as on the datasheet"
            warnings.append(f"{entry.name}: {told}")
    if entry.models is not None and entry.models < unit.models and entry.kinds:
        few = f"{entry.models} {'model' if entry.models == 1 else 'models'} in the list"
        warnings.append(f"{entry.name}: {few}, its datasheet has at least {unit.models}")
    return entry


def _other_size(entry: Entry, sheet: Unit, models: int) -> str:
    """What is said where the points of a unit are those of another size than the list gives it."""
    paid, sizes = entry.own_points, [size for size, _ in sheet.prices] or [sheet.models, 2 * sheet.models]
    if not paid or not sheet.points or sheet.price(models) == paid:
        return ""
    other = next((size for size in sizes if sheet.price(size) == paid), None)
    usual = sheet.price(models)
    if other is None and entry.models is None and sheet.models > 1 and usual and paid >= DEARER * usual:
        return f"{entry.name}: {paid} points, where {models} models cost {usual} (is the unit larger?)"
    if other is None:
        return ""
    return f"{entry.name}: {paid} points are the price of {other} models, {models} are in the list"


def sized(unit: Unit, entry: Entry) -> Unit:
    """The unit with the models the list says: given, or doubled when reinforced (AOS4-AC-3.3)."""
    models = (
        entry.models
        if entry.models is not None
        else unit.reinforced_size
        if entry.reinforced
        else unit.models
    )
    if models == unit.models or not 1 <= models <= MOST_MODELS:
        return unit
    # of several kinds of models the largest takes the rest
    others = unit.models - max(group.models for group in unit.groups)
    return unit if models <= others else unit.with_models(models)
