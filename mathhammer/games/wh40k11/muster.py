"""Army building of the 11th edition: battle sizes, detachment points, enhancements, prices by copies."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.games.fields import Fields, choice
from mathhammer.games.wh40k.odds import Odds
from mathhammer.names import normal
from mathhammer.units.findings import Finding

EPIC_COPIES = 1
UPGRADES = 3  # WH40K11-25.04-ENHTWICE: of one Upgrade


@dataclass(frozen=True, slots=True)
class Size:
    """A battle size (WH40K11-25.03): points, detachment points, enhancements, copies of a datasheet."""

    points: int
    detachment_points: int
    enhancements: int
    copies: int


SIZES = {
    "incursion": Size(1000, 2, 2, 2),
    "strike force": Size(2000, 3, 4, 3),
    "onslaught": Size(3000, 3, 4, 3),  # unconfirmed
}


@dataclass(frozen=True, slots=True)
class Detachment:
    """A detachment of an army; `points` is None where its detachment points are not known."""

    name: str
    points: int | None
    unique: str = ""


@dataclass(frozen=True, slots=True)
class Bought:
    """An enhancement of a unit; an Upgrade is for other units than Characters too. None: not known."""

    name: str
    upgrade: bool | None = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """A unit of an army; None where something is not known."""

    name: str
    points: int = 0
    key: str = ""
    character: bool | None = False
    epic_hero: bool | None = False
    many: bool | None = False  # Battleline or a Dedicated Transport
    warlord: bool = False
    role: str = ""  # leader or support
    joins: str = ""  # the key of the unit that it is attached to
    enhancements: tuple[Bought, ...] = ()
    reserves: bool = False


def violations(
    size: Size | None, detachments: Sequence[Detachment], units: Sequence[Chosen]
) -> list[Finding]:
    """All findings about an army; without a battle size its limits are left out."""
    found = [*_detachments(size, detachments), *_enhancements(size, units), *_attached(units)]
    if size is not None:
        found += [*_copies(size, units), *_reserves(size, units)]
    return [*found, *_warlord(units)]


def _detachments(size: Size | None, detachments: Sequence[Detachment]) -> Iterable[Finding]:
    """WH40K11-25.03-DP within the limit, WH40K11-25.04-TWICE, WH40K11-MFM-UNIQUE."""
    spent = [one.points for one in detachments if one.points is not None]
    # WH40K11-25.04-INCURSION: one detachment of 3 points may be the only one
    alone = size is SIZES["incursion"] and len(detachments) == 1 and sum(spent) <= 3
    if size is not None and sum(spent) > size.detachment_points and not alone:
        what = f"{sum(spent)} detachment points ({size.detachment_points} are allowed)"
        yield Finding("broken", "WH40K11-25.03-DP", what)
    for name, number in Counter(normal(one.name) for one in detachments).items():
        if number > 1:
            yield Finding("broken", "WH40K11-25.04-TWICE", f"{name} is there {number} times")
    for tag, number in Counter(one.unique for one in detachments if one.unique).items():
        if number > 1:
            yield Finding("broken", "WH40K11-MFM-UNIQUE", f"{number} detachments of the Unique kind {tag}")


def _copies(size: Size, units: Sequence[Chosen]) -> Iterable[Finding]:
    """WH40K11-25.03-UNITS: Battleline and Dedicated Transports double, Epic Heroes once."""
    for name, number in Counter(normal(unit.name) for unit in units).items():
        alike = [unit for unit in units if normal(unit.name) == name]
        allowed = copies_allowed(size, alike)
        if number > allowed:
            unknown = any(unit.many is None for unit in alike) and number <= 2 * size.copies
            what = f"there {number} times ({allowed} are allowed)"
            yield Finding("cannot check" if unknown else "broken", "WH40K11-25.03-UNITS", what, alike[0].name)


def copies_allowed(size: Size, alike: Iterable[Chosen]) -> int:
    """How often a datasheet may be in an army of this size."""
    alike = list(alike)
    if any(unit.epic_hero for unit in alike):
        return EPIC_COPIES
    return 2 * size.copies if any(unit.many for unit in alike) else size.copies


def _enhancements(size: Size | None, units: Sequence[Chosen]) -> Iterable[Finding]:
    given = [(unit, one) for unit in units for one in unit.enhancements]
    # WH40K11-25.03-ENH: further copies of an Upgrade do not count
    counted = len({normal(one.name) for _, one in given if one.upgrade is not False})
    counted += sum(one.upgrade is False for _, one in given)
    if size is not None and counted > size.enhancements:
        what = f"{counted} enhancements ({size.enhancements} are allowed)"
        yield Finding("broken", "WH40K11-25.03-ENH", what)
    for name, number in Counter(normal(one.name) for _, one in given).items():
        # WH40K11-25.04-UPGRADE: marked as such
        upgrade = any(one.upgrade is not False for _, one in given if normal(one.name) == name)
        if number > (UPGRADES if upgrade else 1):
            yield Finding("broken", "WH40K11-25.04-ENHTWICE", f"{name} is there {number} times")
        elif number > 1 and not any(one.upgrade for _, one in given if normal(one.name) == name):
            what = f"{name} is there {number} times: whether it is an Upgrade (up to {UPGRADES} times)"
            yield Finding("cannot check", "WH40K11-25.04-ENHTWICE", what)
    for unit, one in given:
        if unit.epic_hero:
            yield Finding("broken", "WH40K11-25.04-EPICENH", f"an Epic Hero, but has {one.name}", unit.name)
        elif not one.upgrade and not unit.character:
            known = unit.character is False and one.upgrade is False
            what = f"no Character, but has {one.name}" if known else "whether it is a Character"
            if unit.character is False and not known:
                what = f"no Character, but has {one.name}: whether that is an Upgrade"
            yield Finding("broken" if known else "cannot check", "WH40K11-25.04-ENHBEARER", what, unit.name)
    bearers = Counter((unit.joins or unit.key or str(id(unit))) for unit, _ in given)
    names = {unit.key: unit.name for unit in units}
    for key, number in bearers.items():
        if number > 1:  # WH40K11-25.04-ENHUNIT: attached units included
            yield Finding(
                "broken", "WH40K11-25.04-ENHUNIT", f"{number} enhancements in one unit", names.get(key, "")
            )


def _attached(units: Sequence[Chosen]) -> Iterable[Finding]:
    names = {unit.key: unit.name for unit in units}
    joined = Counter((unit.joins, unit.role or "leader") for unit in units if unit.joins)
    for (key, role), number in joined.items():
        if number > 1:  # WH40K11-19.01: one Leader and one Support unit at most
            what = f"{number} {role.capitalize()} units join it"
            yield Finding("broken", "WH40K11-19.01", what, names.get(key, key))
    for unit in units:
        if unit.role == "support" and not unit.joins:  # WH40K11-25.04-SUPPORT
            yield Finding("broken", "WH40K11-25.04-SUPPORT", "a Support unit that joins no unit", unit.name)


def _warlord(units: Sequence[Chosen]) -> Iterable[Finding]:
    """WH40K11-25.04-WARLORD: one Character is the Warlord."""
    lords = [unit for unit in units if unit.warlord]
    if len(lords) != 1:
        what = "no warlord is named" if not lords else f"{len(lords)} warlords"
        yield Finding("broken", "WH40K11-25.04-WARLORD", what)
    for unit in lords:
        if unit.character is False:
            yield Finding("broken", "WH40K11-25.04-WARLORD", "the warlord is not a Character", unit.name)


def _reserves(size: Size, units: Sequence[Chosen]) -> Iterable[Finding]:
    """WH40K11-20.01: at most half of the points limit starts in reserves."""
    held = sum(unit.points for unit in units if unit.reserves)
    if not reserves(limit=size.points, points=held)["allowed"]:
        yield Finding("broken", "WH40K11-20.01", f"{held} points in reserves of {size.points}")


def reserves(*, limit: int, points: int) -> Odds:
    """How many points may start in strategic reserves (WH40K11-20.01): half of the limit, with cargo."""
    if limit < 0 or points < 0:
        raise BadInputError(f"reserves: {points} points of {limit} (give 0 or more)")
    return {"most_points": limit // 2, "allowed": 2 * points <= limit}


def muster(
    *, battle_size: str, detachments: Sequence[Mapping[str, Any]], units: Sequence[Mapping[str, Any]]
) -> Odds:
    """Which rules of army building a list breaks: size, detachments, units, attachments, enhancements."""
    size = SIZES[choice("muster", "battle size", battle_size, SIZES)]
    fields = [Fields(f"muster: detachment {n}", one, "name and dp") for n, one in enumerate(detachments, 1)]
    chosen = [_detachment(one) for one in fields]
    bought = [_unit(Fields(f"muster: unit {n}", one, "name and points")) for n, one in enumerate(units, 1)]
    found = violations(size, chosen, bought)
    total = sum(unit.points for unit in bought)
    if total > size.points:  # WH40K11-25.03-POINTS
        what = f"{total} points where {size.points} are allowed"
        found.append(Finding("broken", "WH40K11-25.03-POINTS", what))
    broken = [finding for finding in found if finding.verdict == "broken"]
    return {
        "violations": sorted({finding.rule for finding in broken}),
        "findings": [str(finding) for finding in broken],
        "points": total,
    }


def _detachment(fields: Fields) -> Detachment:
    made = Detachment(fields.text("name"), fields.whole("dp", high=10), fields.text("unique", ""))
    fields.reject_unknown()
    return made


def _unit(fields: Fields) -> Chosen:
    given = fields.take("enhancement", None)
    bought: tuple[Bought, ...] = ()
    if given is not None:
        one = Fields(f"{fields.where}: enhancement", given, "name and upgrade")
        bought = (Bought(one.text("name"), one.flag("upgrade")),)
        one.reject_unknown()
    made = Chosen(
        fields.text("name"),
        fields.whole("points", high=10000),
        fields.text("id", fields.where),
        character=fields.flag("character"),
        epic_hero=fields.flag("epic_hero"),
        many=any([fields.flag("battleline"), fields.flag("dedicated_transport")]),
        warlord=fields.flag("warlord"),
        role=fields.choice("role", ("leader", "support", ""), ""),
        joins=fields.text("attached_to", ""),
        enhancements=bought,
        reserves=fields.flag("reserves"),
    )
    fields.reject_unknown()
    return made


# --- prices -----------------------------------------------------------------------------------------------

RANGE = re.compile(r"\[(\d+),(\d*)[\])]")


def points(
    *,
    pricing: Sequence[Mapping[str, Any]],
    copies: Sequence[Mapping[str, Any]],
    wargear: Sequence[Mapping[str, Any]] = (),
) -> Odds:
    """What each copy of a datasheet costs (WH40K11-MFM-TIERS): by its place among the copies, by its size
    (one between two rows pays the larger), with priced wargear and enhancements on top.
    """
    prices = {str(item["item"]): int(item["points"]) for item in wargear}
    costs = []
    for place, copy in enumerate(copies, 1):
        fields = Fields(f"points: copy {place}", copy, "models, wargear and enhancement")
        cost = price(pricing, place, fields.whole("models", low=1))
        for item, number in dict(fields.take("wargear", {})).items():
            if item not in prices:
                raise BadInputError(f"points: copy {place}: no price of {item!r} (give it in wargear)")
            cost += prices[item] * int(number)
        costs.append(cost + fields.whole("enhancement", 0))
        fields.reject_unknown()
    return {"costs": costs, "total": sum(costs)}


def price(pricing: Sequence[Mapping[str, Any]], place: int, models: int) -> int:
    """The price of the n-th copy of a datasheet with so many models (WH40K11-MFM-TIERS).

    >>> tiers = [{"range": "[1,2]", "costs": [{"models": 3, "points": 110}, {"models": 6, "points": 220}]},
    ...          {"range": "[3,)", "costs": [{"models": 3, "points": 130}]}]
    >>> price(tiers, 2, 4), price(tiers, 3, 3)
    (220, 130)
    """
    for tier in pricing:
        found = RANGE.fullmatch(str(tier["range"]).replace(" ", ""))
        if found is None:
            raise BadInputError(f"points: range {tier['range']!r:.20} (write [1,2] or [3,))")
        if int(found[1]) <= place <= (int(found[2]) if found[2] else place):
            rows = sorted((int(row["models"]), int(row["points"])) for row in tier["costs"])
            for size, cost in rows:
                if models <= size:
                    return cost
            raise BadInputError(f"points: {models} models (at most {rows[-1][0]} have a price)")
    raise BadInputError(f"points: no price for copy {place} (give a tier whose range holds it)")
