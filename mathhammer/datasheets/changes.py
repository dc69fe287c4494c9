"""What changed between two sets of datasheets: points, profiles, weapons and abilities, unit by unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.datasheets.library import Sheet

KINDS = ("new", "gone", "points", "profile", "weapon", "ability")
POINTS = ("points", "prices")
UNTOLD = (
    "name",
    "source",
    "weapon",
    "effect",
    "group",
    "not_covered",
    "model_names",
    "wargear",
    "shields",
    *POINTS,
)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is not as it was: of which unit, of what kind (`KINDS`), and in words."""

    faction: str
    unit: str
    kind: str
    text: str


def changes(old: Iterable[Sheet], new: Iterable[Sheet]) -> list[Change]:
    """What changed from the old datasheets to the new ones, in the order of factions and units.

    >>> from pathlib import Path
    >>> rats = {"name": "Rats", "models": 10, "points": 90, "save": 5}
    >>> sheets = [[Sheet("aos4", "Vermin", Path("v.toml"), 0, {**rats, "points": points})]
    ...     for points in (90, 100)]
    >>> [change.text for change in changes(*sheets)]
    ['points 90 -> 100']
    """
    before, after = _by_name(old), _by_name(new)
    found: list[Change] = []
    for key in sorted({*before, *after}):
        if key not in after:
            found.append(Change(*key, "gone", "is no longer there"))
        elif key not in before:
            found.append(Change(*key, "new", f"is new{_priced(after[key])}"))
        else:
            found += (Change(*key, kind, text) for kind, text in _differences(before[key], after[key]))
    return found


def _by_name(sheets: Iterable[Sheet]) -> dict[tuple[str, str], Mapping[str, Any]]:
    named: dict[tuple[str, str], Mapping[str, Any]] = {}
    for sheet in sheets:
        named.setdefault((sheet.faction, sheet.name), sheet.fields)
    return named


def _priced(fields: Mapping[str, Any]) -> str:
    return f", {fields['points']} points" if fields.get("points") else ""


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in POINTS:
        if old.get(key) != new.get(key):
            yield "points", f"{key} {_said(old.get(key))} -> {_said(new.get(key))}"
    for text in _fields({"models": 1, **old}, {"models": 1, **new}, UNTOLD):
        yield "profile", text
    yield from _tables(old, new, "group", "profile")
    yield from _tables(old, new, "weapon", "weapon")
    yield from _tables(old, new, "effect", "ability")
    before, after = set(old.get("not_covered", ())), set(new.get("not_covered", ()))
    for name in sorted(before ^ after):
        yield "ability", f"{name}: {'new' if name in after else 'gone'} (not modelled)"


def _fields(old: Mapping[str, Any], new: Mapping[str, Any], untold: Iterable[str]) -> Iterator[str]:
    skipped = set(untold)
    for key in [*old, *(key for key in new if key not in old)]:
        if key in skipped or old.get(key) == new.get(key):
            continue
        if isinstance(old.get(key, new.get(key)), list) and all(
            isinstance(side.get(key, []), list) for side in (old, new)
        ):
            yield f"{key}: {_words(old.get(key, []), new.get(key, []))}"
        else:
            yield f"{key} {_said(old.get(key))} -> {_said(new.get(key))}"


def _words(old: list[Any], new: list[Any]) -> str:
    """What a list of words gained and lost."""
    gained = [f"+ {word}" for word in new if word not in old]
    lost = [f"- {word}" for word in old if word not in new]
    return ", ".join([*gained, *lost]) or "in another order"


def _said(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{size}: {points}" for size, points in value.items())
    return str(value)


def _tables(
    old: Mapping[str, Any], new: Mapping[str, Any], table: str, kind: str
) -> Iterator[tuple[str, str]]:
    usual = {"kind": "melee"} if table == "weapon" else {}
    before = {str(one.get("name", "")): {**usual, **one} for one in old.get(table, ())}
    after = {str(one.get("name", "")): {**usual, **one} for one in new.get(table, ())}
    for name in [*before, *(name for name in after if name not in before)]:
        if name not in after:
            yield kind, f"{name}: gone"
        elif name not in before:
            yield kind, f"{name}: new"
        elif told := list(_fields(before[name], after[name], ("name",))):
            yield kind, f"{name}: {', '.join(told)}"
