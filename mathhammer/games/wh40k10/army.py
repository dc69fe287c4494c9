"""Army building of 40k, 10th edition: what the rules of section 13 let a list alone decide."""

from __future__ import annotations

from collections import Counter

from mathhammer.games.game import ArmyRules, Count
from mathhammer.names import normal
from mathhammer.units.findings import Finding, has, named, points_findings
from mathhammer.units.roster import Entry, Roster
from mathhammer.units.unit import Unit

SIZES = {"combat patrol": 500, "incursion": 1000, "strike force": 2000, "onslaught": 3000}  # WH40K-SIZE
COPIES, BATTLELINE_COPIES, EPIC_COPIES = 3, 6, 1
MOST_ENHANCEMENTS = 3
SQUADRON = 3  # models that stand alone are at most so many in a unit


def copies_allowed(epic: bool, many: bool) -> int:
    """WH40K-ROSTER: how often a datasheet may be in a list; `many`: Battleline and Dedicated Transports."""
    return EPIC_COPIES if epic else BATTLELINE_COPIES if many else COPIES


def most(unit: Unit, _limit: int) -> int:
    """WH40K-ROSTER for a unit with its keywords."""
    return copies_allowed(
        "EPIC HERO" in unit.keywords, bool(unit.keywords & {"BATTLELINE", "DEDICATED TRANSPORT"})
    )


def check(roster: Roster) -> list[Finding]:
    """All findings about a 40k list."""
    limit = roster.limit or SIZES.get(roster.battlepack.lower())
    return [
        *points_findings(roster, "WH40K-SIZE", limit),
        *_roster(roster),
        *_sizes(roster),
        *_warlord(roster),
        *_enhancements(roster),
        *_leaders(roster),
        Finding(
            "cannot check", "WH40K-RESERVES", "which units start in Strategic Reserves: a list does not say"
        ),
        Finding("cannot check", "WH40K-OPTIONS", "wargear options: they are not in the data"),
    ]


def _is(entry: Entry, word: str, *roles: str) -> bool | None:
    """Whether a unit has a keyword, by its keywords or by the heading it stands under;
    None when neither tells.
    """
    if normal(entry.role) in {normal(role) for role in (word, *roles)}:
        return True
    return has(entry, word)


def _roster(roster: Roster) -> list[Finding]:
    findings = []
    if not roster.formation:
        findings.append(Finding("cannot check", "WH40K-ROSTER", "the list names no detachment"))
    copies = Counter(normal(entry.name) for entry in roster.entries)
    for key, number in copies.items():
        entries = [entry for entry in roster.entries if normal(entry.name) == key]
        first = entries[0]
        epic = any(_is(entry, "epic hero", "epic heroes") for entry in entries)
        many = any(
            _is(entry, "battleline") or _is(entry, "dedicated transport", "dedicated transports")
            for entry in entries
        )
        too_many = number > copies_allowed(epic, many)
        if epic and too_many:
            findings.append(
                Finding("broken", "WH40K-ROSTER", f"an Epic Hero, but there {number} times", first.name)
            )
        elif many and too_many:
            findings.append(
                Finding("broken", "WH40K-ROSTER", f"there {number} times (6 are allowed)", first.name)
            )
        elif too_many:
            unknown = _is(first, "battleline") is None and not first.role  # WH40K-BATTLELINEIF
            allowed = "(3 are allowed, 6 of Battleline and Dedicated Transports)"
            findings.append(
                Finding(
                    "cannot check" if unknown else "broken",
                    "WH40K-ROSTER",
                    f"there {number} times {allowed}",
                    first.name,
                )
            )
        elif (
            number > EPIC_COPIES
            and not epic
            and has(first, "epic hero") is None
            and _character(first) is not False
        ):
            findings.append(
                Finding(
                    "cannot check",
                    "WH40K-ROSTER",
                    f"there {number} times: whether it is an Epic Hero is not known",
                    first.name,
                )
            )
    return [*findings, *_faction(roster)]


def _faction(roster: Roster) -> list[Finding]:
    """Units without the army's faction keyword, where the list has it at all; allies stand
    under their own heading.
    """
    own = [entry for block in roster.blocks if block.kind != "allied" for entry in block.entries]
    words = (normal(roster.faction), roster.faction.lower(), normal(roster.faction.partition(" - ")[0]))
    known = [entry for entry in own if has(entry, *words) is not None]
    strangers = [entry for entry in known if not has(entry, *words)]
    if not roster.faction:
        return [Finding("cannot check", "WH40K-ROSTER", "the list names no faction")]
    if len(strangers) == len(known):
        return []
    return [
        Finding(
            "warning",
            "WH40K-ROSTER",
            f"does not have the keyword {roster.faction.upper()} (a rule must allow it)",
            name,
        )
        for name in dict.fromkeys(entry.name for entry in strangers)
    ]


def _sizes(roster: Roster) -> list[Finding]:
    """WH40K-ROSTER: no unit is smaller than its datasheet allows; how large it may be is not in the data."""
    findings = []
    unknown = []
    for entry in roster.entries:
        least = entry.standard.models if entry.standard else None
        if entry.models is None or (least is None and entry.models <= 1):
            continue
        if least is None:
            unknown.append(entry)
        elif entry.models < least:
            what = f"{entry.models} {'model' if entry.models == 1 else 'models'} (at least {least})"
            findings.append(Finding("broken", "WH40K-ROSTER", what, entry.name))
        elif entry.models > max(2 * least, SQUADRON):
            what = f"{entry.models} models, where its smallest size is {least} (most units double it at most)"
            findings.append(Finding("warning", "WH40K-ROSTER", what, entry.name))
    if unknown:
        what = f"the unit sizes of {named(unknown)}: their smallest sizes are not known"
        findings.append(Finding("cannot check", "WH40K-ROSTER", what))
    return findings


def _character(entry: Entry) -> bool | None:
    known = _is(entry, "character", "characters", "epic hero", "epic heroes")
    return (
        known
        if known is not None
        else (False if entry.role and normal(entry.role) != "allied units" else None)
    )


def _warlord(roster: Roster) -> list[Finding]:
    lords = [entry for entry in roster.entries if entry.general]
    if not lords:
        return [Finding("broken", "WH40K-WARLORD", "no warlord is named")]
    findings = (
        [Finding("broken", "WH40K-WARLORD", f"{len(lords)} warlords: {named(lords)}")]
        if len(lords) > 1
        else []
    )
    for entry in lords:
        known = has(entry, "character")
        if known is False and not _is(entry, "epic hero"):
            findings.append(Finding("broken", "WH40K-WARLORD", "the warlord is not a Character", entry.name))
        elif known is None and not _character(entry):
            findings.append(
                Finding(
                    "cannot check",
                    "WH40K-WARLORD",
                    "whether the warlord is a Character: its keywords are not known",
                    entry.name,
                )
            )
    return findings


def _enhancements(roster: Roster) -> list[Finding]:
    findings = []
    given = [(entry, extra) for entry in roster.entries for extra in entry.enhancements]
    if len(given) > MOST_ENHANCEMENTS:
        findings.append(Finding("broken", "WH40K-ENH", f"{len(given)} Enhancements (3 are allowed)"))
    for name, copies in Counter(normal(extra.name) for _, extra in given).items():
        if copies > 1:
            title = next(extra.name for _, extra in given if normal(extra.name) == name)
            findings.append(Finding("broken", "WH40K-ENH", f"{title} is there {copies} times (each once)"))
    for entry in dict.fromkeys(entry for entry, _ in given):
        if len(entry.enhancements) > 1:
            findings.append(
                Finding(
                    "broken", "WH40K-ENH", f"{len(entry.enhancements)} Enhancements on one unit", entry.name
                )
            )
        if _is(entry, "epic hero", "epic heroes"):
            findings.append(
                Finding(
                    "broken", "WH40K-ENH", f"an Epic Hero, but has {entry.enhancements[0].name}", entry.name
                )
            )
        elif has(entry, "character") is False:
            findings.append(
                Finding(
                    "broken", "WH40K-ENH", f"no Character, but has {entry.enhancements[0].name}", entry.name
                )
            )
        elif has(entry, "character") is None and not _character(entry):
            findings.append(
                Finding(
                    "cannot check",
                    "WH40K-ENH",
                    "whether it is a Character: its keywords are not known",
                    entry.name,
                )
            )
    return findings


def _leaders(roster: Roster) -> list[Finding]:
    findings = []
    names = {normal(entry.name) for entry in roster.entries}
    led = Counter(normal(entry.leads) for entry in roster.entries if entry.leads)
    for entry in roster.entries:
        if entry.leads and normal(entry.leads) not in names:
            findings.append(
                Finding(
                    "broken", "WH40K-LEADER", f"joins {entry.leads}, which is not in the list", entry.name
                )
            )
    for key, number in led.items():
        units = sum(normal(entry.name) == key for entry in roster.entries)
        if units and number > 2 * units:
            findings.append(
                Finding(
                    "broken",
                    "WH40K-LEADER",
                    f"{number} leaders join it ({units} of it, never more than two each)",
                    key,
                )
            )
        elif units and number > units:
            findings.append(
                Finding(
                    "warning",
                    "WH40K-LEADER",
                    f"{number} leaders join it (a second one needs a rule that says so)",
                    key,
                )
            )
    if led:
        findings.append(
            Finding("cannot check", "WH40K-LEADER", "which units a Leader may join: it is not in the data")
        )
    if any(_is(entry, "dedicated transport", "dedicated transports") for entry in roster.entries):
        findings.append(
            Finding(
                "cannot check",
                "WH40K-LEADER",
                "whether every Dedicated Transport starts with a unit embarked: a list does not say",
            )
        )
    return findings


ARMY = ArmyRules(
    check, most, (Count("WH40K-WARLORD", lambda unit: float("CHARACTER" in unit.keywords), low=1),)
)
