"""Army building: every broken rule by its id (DW-ARMY-1 to DW-ARMY-14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, MathhammerError
from mathhammer.games.fields import Fields, listed, whole
from mathhammer.games.records import find_record
from mathhammer.units.findings import Finding
from mathhammer.units.roster import Block, Entry, Roster

SIZES = ("small", "medium", "large")
FACTIONS = ("order", "destruction")
COPIES = {"small": 3, "medium": 2, "large": 1}  # DW-ARMY-9
RECORD_NOTES = (
    "german",
    "notes",
    "confidence",
    "attack",
    "counter",
    "stamina",
    "toughness",
    "keywords",
    "ranged",
    "hero",
)


@dataclass(frozen=True, slots=True)
class Hero:
    """The leader of a regiment."""

    name: str
    points: int
    command: int
    race: str
    faction: str
    unique: bool = False
    elite: bool = False


@dataclass(frozen=True, slots=True)
class Recruit:
    """A unit of a regiment."""

    name: str
    cost: int
    size: str
    race: str
    faction: str
    unique: bool = False
    elite: bool = False
    size_assumed: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A command card; `faction` where only heroes of that faction may use it."""

    title: str
    faction: str | None = None


@dataclass(frozen=True, slots=True)
class Regiment:
    """A hero (None where the regiment has none), the units it pays for, and the command cards it brings."""

    hero: Hero | None
    units: tuple[Recruit, ...]
    commands: tuple[Card, ...]

    @property
    def unspent(self) -> int:
        """Recruitment points that are left; negative when too much was spent."""
        return (self.hero.points if self.hero else 0) - sum(unit.cost for unit in self.units)


def _from_datasheet(where: str, given: Any) -> Any:
    """The fields of a datasheet where only a disk's name is given."""
    if not isinstance(given, str):
        return given
    record = find_record("diskwars", "disks.toml", "disk", given, where)
    return {key: value for key, value in record.items() if key not in RECORD_NOTES}


def _read_regiment(where: str, mapping: Any) -> Regiment:
    fields = Fields(where, mapping, "hero, units and commands")
    given = _from_datasheet(where, fields.take("hero", None))
    hero = None
    if given is not None:
        leader = Fields(f"{where}: hero", given, "name, points, command, race, faction, unique")
        hero = Hero(
            name=leader.text("name"),
            points=leader.whole("points"),
            command=leader.whole("command", 0, high=100),
            race=leader.text("race", ""),
            faction=leader.choice("faction", FACTIONS),
            unique=leader.flag("unique"),
            elite=leader.flag("elite"),
        )
        leader.reject_unknown()
    units = []
    for number, entry in enumerate(fields.list("units"), 1):
        unit = Fields(
            f"{where}: unit {number}",
            _from_datasheet(where, entry),
            "name, cost, size, race, faction, unique, elite",
        )
        units.append(
            Recruit(
                name=unit.text("name"),
                cost=unit.whole("cost"),
                size=unit.choice("size", SIZES),
                race=unit.text("race", hero.race if hero else ""),
                faction=unit.choice("faction", FACTIONS, hero.faction if hero else FACTIONS[0]),
                unique=unit.flag("unique"),
                elite=unit.flag("elite"),
                size_assumed=unit.flag("size_assumed"),
            )
        )
        unit.reject_unknown()
    commands = []
    for number, entry in enumerate(fields.list("commands"), 1):
        card = Fields(
            f"{where}: command {number}",
            {"title": entry} if isinstance(entry, str) else entry,
            "title and faction",
        )
        faction = card.take("faction", None)
        commands.append(
            Card(card.text("title"), None if faction is None else card.choice("faction", FACTIONS))
        )
        card.reject_unknown()
    fields.reject_unknown()
    return Regiment(hero, tuple(units), tuple(commands))


def broken_rules(regiments: Sequence[Regiment], limit: int | None) -> list[tuple[str, str]]:
    """Each broken rule with a sentence that says what breaks it."""
    broken: list[tuple[str, str]] = []
    heroes = [regiment.hero for regiment in regiments if regiment.hero]
    if limit is not None and len(regiments) > limit:
        broken.append(("DW-ARMY-1", f"{len(regiments)} regiments where {limit} were agreed"))
    for number, regiment in enumerate(regiments, 1):
        broken += [(rule, f"regiment {number}: {what}") for rule, what in _broken_in(regiment)]
    disks: list[Hero | Recruit] = [*heroes, *(unit for regiment in regiments for unit in regiment.units)]
    factions = sorted({disk.faction for disk in disks})
    if len(factions) > 1:
        broken.append(("DW-ARMY-4", f"disks of {' and '.join(factions)}"))
    for name, copies in Counter(disk.name for disk in disks if disk.unique).items():
        if copies > 1:
            broken.append(("DW-ARMY-5", f"the unique disk {name} is there {copies} times"))
    if not any(hero.unique for hero in heroes):
        broken.append(("DW-ARMY-8", "no hero is unique"))
    cards = [card for regiment in regiments for card in regiment.commands]
    allowed = sum(hero.command for hero in heroes)
    if len(cards) > allowed:
        broken.append(("DW-ARMY-11", f"{len(cards)} command cards where the heroes bring {allowed}"))
    for title, copies in Counter(card.title for card in cards).items():
        if copies > 1:
            broken.append(("DW-ARMY-12", f"the command card {title} is there {copies} times"))
    for card in cards:
        if card.faction and all(hero.faction != card.faction for hero in heroes):
            broken.append(("DW-ARMY-13", f"the command card {card.title} needs a hero of {card.faction}"))
    return broken


def _broken_in(regiment: Regiment) -> list[tuple[str, str]]:
    broken: list[tuple[str, str]] = []
    hero, units = regiment.hero, regiment.units
    if hero is None:
        broken.append(("DW-ARMY-2", "no hero leads it"))
    else:
        if regiment.unspent < 0:
            broken.append(
                ("DW-ARMY-3", f"its units cost {hero.points - regiment.unspent} of {hero.points} points")
            )
        strangers = sorted({unit.name for unit in units if unit.race != hero.race})
        if strangers:
            broken.append(("DW-ARMY-6", f"{hero.name} cannot recruit {', '.join(strangers)}"))
    small = sum(unit.size == "small" for unit in units)
    if small < len(units) - small:
        broken.append(
            ("DW-ARMY-7", f"{small} small units against {len(units) - small} medium and large ones")
        )
    for (name, size), copies in Counter((unit.name, unit.size) for unit in units).items():
        if copies > COPIES[size]:
            broken.append(
                ("DW-ARMY-9", f"{name} is there {copies} times, a {size} disk may be {COPIES[size]} times")
            )
    elite = [unit.name for unit in units if unit.elite] + ([hero.name] if hero and hero.elite else [])
    if len(elite) > 1:
        broken.append(("DW-ARMY-10", f"{len(elite)} elite disks"))
    return broken


def _read_regiments(regiments: Sequence[Mapping[str, Any]]) -> list[Regiment]:
    units = [
        _read_regiment(f"army: regiment {n}", entry)
        for n, entry in enumerate(listed("army", "regiments", regiments), 1)
    ]
    if not units:
        raise BadInputError("army: no regiments (give at least one, each with hero, units and commands)")
    return units


def assumed_sizes(regiments: Sequence[Regiment]) -> list[str]:
    """The disks whose size is assumed, with it: the rules on sizes hold only if it is right (DW-ARMY-7,
    DW-ARMY-9).
    """
    units = (unit for regiment in regiments for unit in regiment.units)
    return list(dict.fromkeys(f"{unit.name} ({unit.size})" for unit in units if unit.size_assumed))


def army(*, regiments: Sequence[Mapping[str, Any]], regiment_limit: int | None = None) -> dict[str, Any]:
    """Whether an army is legal: the broken rules by id, a sentence for each, and the unspent points.

    Heroes and units may be names of datasheets that give cost and size.

    >>> kairos = {"hero": "Kairos Fateweaver", "units": ["Bloodthirster", "Bloodcrushers",
    ...     "Kurgan Marauders"]}
    >>> answer = army(regiments=[kairos])
    >>> answer["violations"], answer["unspent_points"]
    (['DW-ARMY-7'], 3)
    """
    limit = None if regiment_limit is None else whole("army", "regiment_limit", regiment_limit, 1, 20)
    units = _read_regiments(regiments)
    broken = broken_rules(units, limit)
    unspent = sum(regiment.unspent for regiment in units)
    lines = [f"{rule}: {what}." for rule, what in broken] or ["No rule of DW-ARMY-1 to DW-ARMY-13 is broken."]
    assumed = assumed_sizes(units)
    if assumed:
        lines.append(f"Sizes that are assumed: {', '.join(assumed)} (DW-ARMY-7, DW-ARMY-9 depend on them).")
    lines.append(f"Unspent points, the initiative bonus (DW-ARMY-14): {unspent}.")
    return {
        "violations": sorted({rule for rule, _ in broken}, key=lambda rule: int(rule.rsplit("-", 1)[1])),
        "assumed_sizes": assumed,
        "unspent_points": unspent,
        "command_cards": sum(regiment.hero.command for regiment in units if regiment.hero),
        "dice_set": "none (no dice are rolled)",
        "explain": "\n".join(lines),
    }


def check(roster: Roster) -> list[Finding]:
    """All findings about a Diskwars army; `limit` is the number of regiments agreed."""
    try:
        regiments = _read_regiments([_regiment(block) for block in roster.blocks])
    except MathhammerError as error:
        return [Finding("cannot check", "DW-ARMY", str(error))]
    findings = [Finding("broken", rule, what) for rule, what in broken_rules(regiments, roster.limit)]
    if roster.limit is None:
        unknown = "how many regiments were agreed: the list has no limit (2 short, 3 long game)"
        findings.append(Finding("cannot check", "DW-ARMY-1", unknown))
    assumed = assumed_sizes(regiments)
    if assumed:
        unsure = f"the sizes of {', '.join(assumed)} are assumed, so numbers by size may be wrong"
        findings.append(Finding("cannot check", "DW-ARMY-7", unsure))
    unspent = sum(regiment.unspent for regiment in regiments)
    return [*findings, Finding("note", "DW-ARMY-14", f"{unspent} unspent points: the initiative bonus")]


def _regiment(block: Block) -> dict[str, Any]:
    """A regiment of a list as the question `army` takes it."""
    hero = next((entry for entry in block.entries if entry.general), None)
    units = [_disk(entry) for entry in block.entries if not entry.general]
    cards = [dict(card) if isinstance(card, tuple) else card for card in block.cards]
    return {"hero": None if hero is None else _disk(hero), "units": units, "commands": cards}


def _disk(entry: Entry) -> Any:
    return dict(entry.details) if entry.details else entry.name
