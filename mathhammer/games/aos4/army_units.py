"""The units of an Age of Sigmar list: their factions, sizes and points, and who carries an enhancement."""

from __future__ import annotations

import re

from mathhammer.names import normal
from mathhammer.units.findings import Finding, has, named
from mathhammer.units.roster import Entry, Extra, Roster

ON_FOOT, MOUNTED = ("infantry",), ("cavalry", "monster", "mount")
TERRAIN_PRICED_SINCE = 2025  # the General's Handbooks from 2025-26 on give faction terrain a price


def bought(roster: Roster) -> list[Entry]:
    """Units that are neither of a Regiment of Renown nor terrain."""
    return [
        entry for block in roster.blocks if block.kind in ("regiment", "auxiliary") for entry in block.entries
    ]


# --- factions ---------------------------------------------------------------------------------------------


def faction_findings(roster: Roster) -> list[Finding]:
    """AC-2.0: units of another faction; Regiments of Renown bring theirs, Armies of Renown say which."""
    if not roster.faction:
        return [Finding("cannot check", "AC-2.0", "the list names no faction")]
    entries = bought(roster)
    common = any(_of_faction(entry, roster) for entry in entries)
    strangers = {
        entry.name: entry
        for entry in entries
        if _of_faction(entry, roster) is False and (common or entry.standard is not None)
    }
    return [_stranger(entry, roster) for entry in strangers.values()]


def _stranger(entry: Entry, roster: Roster) -> Finding:
    """Broken where it has the keyword of another faction; several factions have some of the unique units."""
    home = entry.standard.faction if entry.standard else ""
    if home and has(entry, home.lower()) and not has(entry, "unique") and not roster.army_of_renown:
        what = f"is not of the faction {roster.faction}, but of {home}"
        return Finding("broken", "AC-2.0", what, entry.name)
    what = f"does not have the keyword {roster.faction.upper()} (its battle profile must allow it)"
    return Finding("warning", "AC-2.0", what, entry.name)


def _of_faction(entry: Entry, roster: Roster) -> bool | None:
    """By the datasheets or its keywords; None where neither is known."""
    faction = normal(roster.faction.partition(" - ")[0])
    home = normal(entry.standard.faction) if entry.standard else ""
    if home and (home in faction or faction in home):
        return True
    return has(entry, faction, roster.faction.lower())


def terrain_findings(roster: Roster) -> list[Finding]:
    """AC-3.7: one faction terrain feature, of the own faction, free unless the list's handbook prices it."""
    findings = []
    terrain = [entry for block in roster.blocks if block.kind == "terrain" for entry in block.entries]
    if len(terrain) > 1:
        findings.append(
            Finding(
                "broken",
                "AC-3.7",
                f"{len(terrain)} faction terrain features ({named(terrain)}; 1 is allowed)",
            )
        )
    for entry in terrain:
        if entry.points:
            findings.append(_terrain_price(entry, roster))
        if not roster.faction:
            continue
        own = _of_faction(entry, roster)
        if own is False:
            what = f"is not terrain of {roster.faction}"
            findings.append(Finding("broken", "AC-3.7", what, entry.name))
        elif own is None:
            what = f"whether it is terrain of {roster.faction}: its keywords are not known"
            findings.append(Finding("cannot check", "AC-3.7", what, entry.name))
    return findings


def _terrain_price(entry: Entry, roster: Roster) -> Finding:
    """Terrain that costs points: as it should be, or not, by the year of the handbook that the list names."""
    year = re.search(r"handbook (20\d\d)", roster.battlepack, re.IGNORECASE)
    if year is not None and int(year[1]) >= TERRAIN_PRICED_SINCE:
        what = f"costs {entry.points} points (handbooks from 2025-26 on price faction terrain)"
        return Finding("note", "AC-3.7", what, entry.name)
    what = f"costs {entry.points} points (faction terrain is free unless the battlepack prices it)"
    return Finding("warning", "AC-3.7", what, entry.name)


# --- sizes and points -------------------------------------------------------------------------------------


def size_findings(roster: Roster) -> list[Finding]:
    """AC-3.3: a unit has its smallest size, or exactly twice that when it is reinforced."""
    findings = [finding for entry in bought(roster) for finding in _size(entry)]
    unknown = [
        entry
        for entry in bought(roster)
        if entry.models is not None and entry.models > 1 and entry.standard is None
    ]
    if unknown:
        what = f"the unit sizes of {named(unknown)}: their smallest sizes are not known"
        findings.append(Finding("cannot check", "AC-3.3", what))
    return findings


def _size(entry: Entry) -> list[Finding]:
    least = _smallest(entry)
    if entry.reinforced and least is None:
        what = "whether it may be reinforced: its minimum size is not known"
        return [Finding("cannot check", "AC-3.3", what, entry.name)]
    if entry.reinforced and least is not None and least <= 1:
        return [Finding("broken", "AC-3.3", "reinforced, but its minimum size is 1", entry.name)]
    if entry.models is None or least is None:
        return []
    if entry.models == 2 * least > 2 or (entry.models == least and not entry.reinforced):
        return []  # many lists give the number alone
    allowed = f"{least}, or {2 * least} when it is reinforced" if least > 1 else "1"
    state = "reinforced to " if entry.reinforced else ""
    return [Finding("broken", "AC-3.3", f"{state}{_models(entry.models)} ({allowed})", entry.name)]


def _models(number: int) -> str:
    return f"{number} {'model' if number == 1 else 'models'}"


def _smallest(entry: Entry) -> int | None:
    """The smallest size: of the datasheets, else half of what a reinforced unit has."""
    if entry.standard is not None:
        return entry.standard.models
    if entry.reinforced and entry.models is not None:
        return entry.models // 2
    return entry.unit.minimum if entry.unit is not None and entry.reinforced else None


def price_findings(roster: Roster) -> list[Finding]:
    """AC-3.3: twice the points when reinforced; AC-1.2: points that the datasheets give otherwise."""
    findings, other = [], {}
    entries = [entry for entry in bought(roster) if entry.own_points is not None]
    single = {normal(entry.name): entry.own_points for entry in reversed(entries) if not _doubled(entry)}
    for entry in entries:
        known = entry.standard.points if entry.standard else None
        once = single.get(normal(entry.name), known)
        if _doubled(entry) and once and entry.own_points == once:
            what = f"reinforced, but costs {once} points as at its smallest size ({2 * once} are right)"
            findings.append(Finding("broken", "AC-3.3", what, entry.name))
        elif known is not None and (right := known * (1 + _doubled(entry))) not in _prices(entry):
            other[entry.name] = f"{entry.name} {entry.own_points} ({right})"
    if other:
        what = f"other points than in the datasheets (in brackets): {', '.join(other.values())}"
        findings.append(Finding("note", "AC-1.2", what))
    return findings


def _prices(entry: Entry) -> tuple[int | None, int | None]:
    """Its points as the list gives them and without its enhancements: lists do both."""
    return entry.points, entry.own_points


def _doubled(entry: Entry) -> bool:
    """Whether it is reinforced, by its word or by its size; a single model never is."""
    if entry.standard is None:
        return entry.reinforced
    return entry.standard.models > 1 and (entry.reinforced or entry.models == 2 * entry.standard.models)


# --- enhancements -----------------------------------------------------------------------------------------


def carrier_findings(roster: Roster) -> list[Finding]:
    """AC-4.1: artefacts and heroic traits are for heroes, mount traits for heroes on mounts."""
    return [
        finding
        for entry in bought(roster)
        for extra in entry.enhancements
        for finding in _carrier(entry, extra)
    ]


def _carrier(entry: Entry, extra: Extra) -> list[Finding]:
    kind = normal(extra.kind)
    mount = "mount trait" in kind or "monstrous trait" in kind
    if not mount and "artefact" not in kind and "heroic trait" not in kind:
        return []
    hero = has(entry, "hero")
    if hero is False:
        return [
            Finding("broken", "AC-4.1", f"is not a hero, but has {extra.name} ({extra.kind})", entry.name)
        ]
    if hero is None:
        what = f"whether it may have {extra.name} ({extra.kind}): its keywords are not known"
        return [Finding("cannot check", "AC-4.1", what, entry.name)]
    if not mount or has(entry, *MOUNTED):
        return []
    if has(entry, *ON_FOOT):
        return [Finding("broken", "AC-4.1", f"is on foot, but has {extra.name} ({extra.kind})", entry.name)]
    what = f"whether it has a mount for {extra.name} ({extra.kind}): its keywords do not say"
    return [Finding("cannot check", "AC-4.1", what, entry.name)]
