"""What the rules of army building say of a list of the 11th edition."""

from __future__ import annotations

import re

from mathhammer.games.game import ArmyRules, Count
from mathhammer.games.wh40k11.muster import (
    SIZES,
    Bought,
    Chosen,
    Detachment,
    Size,
    copies_allowed,
    violations,
)
from mathhammer.names import normal
from mathhammer.units.findings import Finding, has, points_findings
from mathhammer.units.roster import Entry, Roster
from mathhammer.units.unit import Unit

UPGRADE = "(upgrade)"  # WH40K11-25.04-UPGRADE: marked so in its name
MARKING = ("wh40k-app", "bcp", "toml", "")  # the formats of lists in which Upgrades are marked


def size_of(roster: Roster) -> Size | None:
    """The battle size: named, or the smallest whose points hold the limit of the list."""
    named = SIZES.get(roster.battlepack.lower())
    if named is not None or roster.limit is None:
        return named
    return next((size for size in SIZES.values() if roster.limit <= size.points), SIZES["onslaught"])


def check(roster: Roster) -> list[Finding]:
    """All findings about a list."""
    size = size_of(roster)
    limit = roster.limit or (None if size is None else size.points)
    detachments = detachments_of(roster)
    found = [*points_findings(roster, "WH40K11-25.03-POINTS", limit)]
    if not detachments:
        found.append(Finding("cannot check", "WH40K11-25.03-DP", "the list names no detachment"))
    found += violations(size, detachments, [_chosen(entry, roster) for entry in roster.entries])
    return [
        *found,
        Finding("cannot check", "WH40K11-20.01", "which units start in reserves: a list does not say"),
        Finding(
            "cannot check", "WH40K11-MFM-UNIQUE", "Unique kinds of detachments: a list does not say them"
        ),
    ]


TOLD = re.compile(r"(.+?) \((\d{1,2}) detachment points?\)", re.IGNORECASE)


def detachments_of(roster: Roster) -> list[Detachment]:
    """The detachments of a list, which it names in one line, with the points of all of them where it
    tells them. "A and B" may be one detachment; which one is not known without their names.

    >>> roster = Roster("wh40k11", formation="A, B and C (3 Detachment Points)")
    >>> [one.points for one in detachments_of(roster)]
    [3, 0, 0]
    """
    told = TOLD.fullmatch(roster.formation)
    names = (told[1] if told else roster.formation).replace(" and ", ",").split(",")
    named = [name.strip() for name in names if name.strip()]
    if told is None:
        return [Detachment(name, None) for name in named]
    return [Detachment(name, 0 if place else int(told[2])) for place, name in enumerate(named)]


def _chosen(entry: Entry, roster: Roster) -> Chosen:
    plain = False if roster.format in MARKING else None  # an enhancement without the mark
    return Chosen(
        entry.name,
        entry.points or 0,
        f"{entry.name}, line {entry.line}" if entry.leads or not entry.id else entry.id,
        character=_is(entry, "character", "characters", "epic heroes"),
        epic_hero=bool(_is(entry, "epic hero", "epic heroes")),
        many=_either(_is(entry, "battleline"), _is(entry, "dedicated transport", "dedicated transports")),
        warlord=entry.general,
        role=dict(entry.details).get("joined", "") or (entry.unit.stat("role", "") if entry.unit else ""),
        joins=(entry.id or entry.leads) if entry.leads else "",
        enhancements=tuple(
            Bought(extra.name, True if UPGRADE in extra.name.lower() or extra.kind == "upgrade" else plain)
            for extra in entry.enhancements
        ),
    )


def _is(entry: Entry, word: str, *roles: str) -> bool | None:
    """Whether a unit has a keyword, by its keywords or by the heading that it stands under."""
    if normal(entry.role) in {normal(role) for role in (word, *roles)}:
        return True
    return has(entry, word)


def _either(one: bool | None, other: bool | None) -> bool | None:
    return True if one or other else None if one is None or other is None else False


def most(unit: Unit, limit: int) -> int:
    """WH40K11-25.03-UNITS for a unit with its keywords."""
    size = next((size for size in SIZES.values() if limit <= size.points), SIZES["onslaught"])
    keywords = unit.keywords
    many = bool(keywords & {"BATTLELINE", "DEDICATED TRANSPORT"})
    return copies_allowed(size, [Chosen(unit.name, epic_hero="EPIC HERO" in keywords, many=many)])


ARMY = ArmyRules(
    check, most, (Count("WH40K11-25.04-WARLORD", lambda unit: float("CHARACTER" in unit.keywords), low=1),)
)
