"""Army composition of Age of Sigmar, 4th edition: the rules AC-1.2 to AC-4.2."""

from __future__ import annotations

from collections import Counter

from mathhammer.games.aos4.army_units import (
    bought,
    carrier_findings,
    faction_findings,
    price_findings,
    size_findings,
    terrain_findings,
)
from mathhammer.games.game import MOST_COPIES, ArmyRules, Count
from mathhammer.names import normal
from mathhammer.units.findings import Finding, has, named, points_findings
from mathhammer.units.roster import Block, Roster
from mathhammer.units.unit import Unit

BONUS = 50  # AC-1.2.1, AMB-15: exactly so many are enough
MOST_REGIMENTS = 5
PLACES, GENERALS_PLACES = 3, 4


def most(unit: Unit, limit: int) -> int:
    """AC-1.2: no unit above half of the limit; AC-3.4: a unique one once."""
    if too_dear(unit.points, limit):
        return 0
    return 1 if "UNIQUE" in unit.keywords else MOST_COPIES


def too_dear(points: int | None, limit: int) -> bool:
    """AC-1.2, AMB-13: more than half of the points limit."""
    return (points or 0) > limit / 2


def _leads(unit: Unit) -> float:
    return float("HERO" in unit.keywords)


def check(roster: Roster) -> list[Finding]:
    """All findings about an Age of Sigmar list."""
    return [
        *_points(roster),
        *price_findings(roster),
        *faction_findings(roster),
        *_rules_of_the_faction(roster),
        *_regiments(roster),
        *_general(roster),
        *size_findings(roster),
        *_unique(roster),
        *_renown(roster),
        *_auxiliaries(roster),
        *terrain_findings(roster),
        *_enhancements(roster),
        *carrier_findings(roster),
        *_lores(roster),
    ]


def _blocks(roster: Roster, kind: str) -> list[Block]:
    return [block for block in roster.blocks if block.kind == kind]


def _points(roster: Roster) -> list[Finding]:
    findings = points_findings(roster, "AC-1.2", roster.limit)
    if roster.limit is None:
        return findings
    for entry in roster.entries:
        if too_dear(entry.points, roster.limit):
            findings.append(
                Finding(
                    "broken", "AC-1.2", f"{entry.points} points, more than half of {roster.limit}", entry.name
                )
            )
    for block in _blocks(roster, "renown"):
        if too_dear(block.points, roster.limit):  # packages are only warned about
            findings.append(
                Finding(
                    "warning",
                    "AC-1.2",
                    f"this package costs {block.points} points, more than half of {roster.limit}",
                    block.name,
                )
            )
    if max(roster.points, roster.declared or 0) <= roster.limit - BONUS and not any(
        f.verdict == "cannot check" for f in findings
    ):
        findings.append(
            Finding(
                "note",
                "AC-1.2.1",
                "at least 50 points below the limit: one more command point in the first round",
            )
        )
    return findings


def _rules_of_the_faction(roster: Roster) -> list[Finding]:
    if roster.army_of_renown:
        what = "what the Army of Renown puts in place of the faction's rules: it is not in the data"
        return [Finding("cannot check", "AC-2.2", what)]
    if not roster.formation:
        what = "the list names no battle formation; whether the faction has one is not in the data"
        return [Finding("cannot check", "AC-2.1", what)]
    return []


def _regiments(roster: Roster) -> list[Finding]:
    findings = []
    regiments = _blocks(roster, "regiment")
    if not 1 <= len(regiments) <= MOST_REGIMENTS:
        findings.append(
            Finding("broken", "AC-3.1", f"{len(regiments)} regiments (1 to {MOST_REGIMENTS} are allowed)")
        )
    elif len(regiments) == MOST_REGIMENTS and _blocks(roster, "renown"):  # AMB-23
        findings.append(
            Finding(
                "warning",
                "AC-3.1",
                "5 regiments and a Regiment of Renown (some count it as a sixth regiment)",
            )
        )
    for number, block in enumerate(regiments, 1):
        name = block.name or f"Regiment {number}"
        general = any(entry.general for entry in block.entries) or block.name.lower().startswith("general")
        places = GENERALS_PLACES if general else PLACES  # AC-3.2
        beside = len(block.entries) - 1  # AMB-22: a hero who joins uses a place too
        if beside > places:
            findings.append(
                Finding("broken", "AC-3.1", f"{beside} units beside its leader ({places} are allowed)", name)
            )
        heroes = [entry for entry in block.entries if has(entry, "hero")]
        unknown = [entry for entry in block.entries if has(entry, "hero") is None]
        if not heroes and not unknown:
            findings.append(Finding("broken", "AC-3.1", "no hero leads it", name))
        elif not heroes:
            findings.append(
                Finding(
                    "cannot check",
                    "AC-3.1",
                    f"whether a hero leads it: keywords of {named(unknown)} are not known",
                    name,
                )
            )
        elif len(heroes) > 1:
            findings.append(
                Finding(
                    "cannot check",
                    "AC-3.1",
                    f"whether {named(heroes[1:])} may join another hero's regiment",
                    name,
                )
            )
    if any(len(block.entries) > 1 for block in regiments):
        findings.append(
            Finding(
                "cannot check",
                "AC-3.1",
                "whether each hero's battle profile allows the units beside it: it is not in the data",
            )
        )
    return findings


def _general(roster: Roster) -> list[Finding]:
    findings = []
    generals = [(block, entry) for block in roster.blocks for entry in block.entries if entry.general]
    if len(generals) != 1:
        number = "no general is named" if not generals else f"{len(generals)} generals"
        findings.append(Finding("broken", "AC-3.2", f"{number} (exactly one leads the army)"))
    for block, entry in generals:
        if block.kind == "renown" or entry.bundle:
            findings.append(
                Finding("broken", "AC-3.5", "the general comes from a Regiment of Renown", entry.name)
            )
        elif block.kind != "regiment":
            findings.append(Finding("broken", "AC-3.2", "the general leads no regiment", entry.name))
        hero = has(entry, "hero")
        if hero is False:
            findings.append(Finding("broken", "AC-3.2", "the general is not a hero", entry.name))
        elif hero is None:
            findings.append(
                Finding(
                    "cannot check",
                    "AC-3.2",
                    "whether the general is a hero: its keywords are not known",
                    entry.name,
                )
            )
    masters = [entry for entry in bought(roster) if has(entry, "warmaster")]
    if masters and generals and not any(has(entry, "warmaster") for _, entry in generals):
        findings.append(
            Finding(
                "broken",
                "AC-3.2",
                f"{named(masters)} has the keyword WARMASTER, so one of those must be the general",
            )
        )
    return findings


def _unique(roster: Roster) -> list[Finding]:
    findings = []
    unique = [entry for entry in roster.entries if has(entry, "unique")]
    for name, copies in Counter(entry.name for entry in unique).items():
        if copies > 1:
            findings.append(Finding("broken", "AC-3.4", f"unique, but there {copies} times", name))
    for entry in unique:
        if entry.reinforced:
            findings.append(Finding("broken", "AC-3.4", "unique, but reinforced", entry.name))
        if entry.enhancements:
            findings.append(
                Finding("broken", "AC-3.4", f"unique, but has {entry.enhancements[0].name}", entry.name)
            )
    unknown = [entry for entry in roster.entries if has(entry, "unique") is None]
    often = Counter(entry.name for entry in unknown)
    doubtful = [entry for entry in unknown if often[entry.name] > 1 or entry.reinforced or entry.enhancements]
    if doubtful:
        findings.append(
            Finding(
                "cannot check",
                "AC-3.4",
                f"whether {named(doubtful)} are unique: their keywords are not known",
            )
        )
    return findings


def _renown(roster: Roster) -> list[Finding]:
    findings = []
    packages = _blocks(roster, "renown")
    if len(packages) > 1:
        findings.append(
            Finding(
                "broken",
                "AC-3.5",
                f"{len(packages)} Regiments of Renown (1 is allowed unless a profile says otherwise)",
            )
        )
    for block in packages:
        findings.append(
            Finding(
                "cannot check",
                "AC-3.5",
                f"whether it may join {roster.faction or 'this faction'}: it is not in the data",
                block.name,
            )
        )
        for entry in block.entries:
            if entry.enhancements:
                findings.append(
                    Finding(
                        "broken",
                        "AC-3.5",
                        f"of a Regiment of Renown, but has {entry.enhancements[0].name}",
                        entry.name,
                    )
                )
    return findings


def _auxiliaries(roster: Roster) -> list[Finding]:
    findings = []
    auxiliary = [entry for block in _blocks(roster, "auxiliary") for entry in block.entries]
    if auxiliary:
        many = f"{len(auxiliary)} auxiliary {'unit' if len(auxiliary) == 1 else 'units'}"
        findings.append(
            Finding("note", "AC-3.6", f"{many}: an opponent with fewer has one more command point each round")
        )
        heroes = [entry for entry in auxiliary if has(entry, "hero") is not False]
        if heroes:
            findings.append(
                Finding(
                    "cannot check",
                    "AC-3.6",
                    f"whether {named(heroes)} must lead a regiment (mandatory regiment options)",
                )
            )
    drops = len(_blocks(roster, "regiment")) + len(_blocks(roster, "renown")) + len(auxiliary)
    if roster.drops is not None and roster.drops != drops:
        findings.append(Finding("warning", "glossary", f"{roster.drops} drops declared, {drops} counted"))
    return findings


def _enhancements(roster: Roster) -> list[Finding]:
    findings = []
    given = [(entry, extra) for entry in bought(roster) for extra in entry.enhancements]
    for name, copies in Counter(normal(extra.name) for _, extra in given).items():
        if copies > 1:
            title = next(extra.name for _, extra in given if normal(extra.name) == name)
            findings.append(
                Finding("broken", "AC-4.1", f"{title} is there {copies} times (each enhancement once)")
            )
    for entry in bought(roster):
        for kind, copies in Counter(extra.kind.lower() for extra in entry.enhancements if extra.kind).items():
            if copies > 1:
                findings.append(
                    Finding("broken", "AC-4.1", f"{copies} enhancements of one type ({kind})", entry.name)
                )
    for kind, copies in Counter(extra.kind.lower() for _, extra in given if extra.kind).items():
        if copies > 1:
            findings.append(
                Finding(
                    "warning",
                    "AC-4.1",
                    f"{copies} enhancements of the type {kind} (1, unless an ability grants more)",
                )
            )
    if any(not extra.kind for _, extra in given):
        loose = ", ".join(dict.fromkeys(extra.name for _, extra in given if not extra.kind))
        findings.append(
            Finding("cannot check", "AC-4.1", f"from which tables the enhancements come: {loose}")
        )
    return findings


def _lores(roster: Roster) -> list[Finding]:
    copies = Counter(lore.kind for lore in roster.lores)
    return [
        Finding("broken", "AC-4.2", f"{number} {kind} lores (1 is allowed)")
        for kind, number in copies.items()
        if number > 1
    ]


ARMY = ArmyRules(
    check,
    most,
    (
        Count("AC-3.1", _leads, 1, MOST_REGIMENTS),  # a regiment for each hero
        # AC-3.1, AC-3.2: so many others for each hero, and one more for the general's
        Count("AC-3.1", lambda unit: 1 - (1 + PLACES) * _leads(unit), high=GENERALS_PLACES - PLACES),
    ),
)
