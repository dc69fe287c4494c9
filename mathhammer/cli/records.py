"""Disks, player units, legions and hordes: datasheets of the games that roll symbol dice,
listed and shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mathhammer.cli.answer import Part
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.games.records import load, records, same_name
from mathhammer.games.uprising.pools import in_words, read_colours
from mathhammer.tables import Column, Table

# game -> its tables (file, table, what one record is called) and the commands that use them
TABLES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "diskwars": (("disks.toml", "disk", "disk"),),
    "uprising": (
        ("units.toml", "player_unit", "unit"),
        ("units.toml", "card", "card"),
        ("units.toml", "garrison", "garrison"),
    ),
}
ASKED_WITH = {"diskwars": "mathhammer shoot or clash", "uprising": "mathhammer battle"}
FIGURES = ("movement", "attack", "counter", "stamina", "toughness", "cost", "points", "command", "size")
CARD_FLAGS = {
    "stops_shields": "its enemy cannot use shields",
    "stops_bolts": "its enemy cannot use bolts",
    "skips_archery": "it skips archery",
    "copies_enemy_dice": "it rolls the dice of its enemy",
}


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One record of a game's datasheets, and where it stands."""

    system: str
    file: str
    kind: str
    fields: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The record's name."""
        return str(self.fields["name"])

    @property
    def faction(self) -> str:
        """Whose it is: race of a disk, people of a unit, legion of the Empire or horde of Chaos."""
        card = {"empire": "empire legion", "chaos": "chaos horde"}
        own = self.fields.get("race") or self.fields.get("people") or card.get(self.fields.get("faction", ""))
        return str(own or "empire")

    def row(self) -> tuple[str, str, str, int, int | None]:
        """Name, system, faction, models and points, as the list of units has them."""
        cost = self.fields.get("cost")
        return (
            self.name,
            self.system,
            self.faction,
            self.fields.get("number", 1),
            cost if isinstance(cost, int) else None,
        )

    def words(self) -> str:
        """All that a search looks at, in lower case."""
        texts = [
            self.name,
            self.faction,
            self.kind,
            *(str(self.fields.get(key, "")) for key in ("german", "class", "rank", "faction")),
        ]
        return " ".join([*texts, *self.fields.get("keywords", [])]).lower()


def game_records(system: str | None = None) -> Iterator[GameRecord]:
    """All records of a game, or of all of them; a game with units of its own has none."""
    for key, tables in TABLES.items():
        if system in (None, key):
            for file, table, kind in tables:
                yield from (
                    GameRecord(key, file, kind, fields) for fields in records(key, file, table).values()
                )


def records_named(name: str, system: str | None) -> list[GameRecord]:
    """The records of that name, in any case.

    >>> [record.system for record in records_named("orc boyz", None)]
    ['diskwars']
    """
    return [record for record in game_records(system) if same_name(record.name) == same_name(name)]


def refuse_record(name: str, system: str | None, where: str) -> None:
    """Raises when the name is a disk or the like: it has no attack rolls, so another command is meant."""
    for record in records_named(name, system):
        title = get_game(record.system).title
        raise BadInputError(
            f"{where}: {record.name} is a {record.kind} of {title}, which has no attack rolls (use "
            f"{ASKED_WITH[record.system]})"
        )


def record_profile(record: GameRecord) -> list[Part]:
    """A record as players read it, with how far to trust it."""
    fields = record.fields
    lines: list[Part] = [f"{record.name} ({record.faction}, {get_game(record.system).title})"]
    lines += PROFILES[record.kind](fields)
    lines += [f"note: {fields['notes']}"] if "notes" in fields else []
    source = fields.get("source", load(record.system, record.file)["source"])
    return [*lines, f"confidence {fields['confidence']}: {source}"]


def _disk_lines(fields: Mapping[str, Any]) -> list[Part]:
    traits = [word for word in ("hero", "unique", "elite") if fields.get(word)]
    known = [f"{figure} {fields[figure]}" for figure in FIGURES if figure in fields]
    unknown = [figure for figure in ("attack", "counter", "stamina") if figure not in fields]
    lines: list[Part] = [", ".join([*traits, *known])] if traits or known else []
    for profile in fields.get("ranged", []):
        words = [f"{profile['dice']} dice"] if "dice" in profile else []
        words += [f"strength {profile['strength']}"] if "strength" in profile else []
        words += [profile["damage_type"]] if "damage_type" in profile else []
        words += [f"{profile['range']} range"] if "range" in profile else []
        lines.append(f"ranged: {', '.join(words)}")
    lines += ["keywords: " + ", ".join(fields["keywords"])] if fields.get("keywords") else []
    return [*lines, f"not given: {', '.join(unknown)}"] if unknown else lines


def _unit_lines(fields: Mapping[str, Any]) -> list[Part]:
    costs = [
        " + ".join(
            f"{amount} {'of any resource' if name == 'any' else name}" for name, amount in cost.items()
        )
        for cost in fields["cost"]
    ]
    assumed = " (assumed, UP-UNIT-2)" if fields["die_confidence"] == "low" else ""
    return [
        f"{fields['rank']} {fields['class']}, {fields['number']} in the box, costs {' or '.join(costs)}",
        f"die: {fields['die']}{assumed}",
    ]


def _card_lines(fields: Mapping[str, Any]) -> list[Part]:
    words = [f"initiative {fields['initiative']}"] if "initiative" in fields else []
    words += [f"{fields['destroy_vp']} VP when destroyed"] if "destroy_vp" in fields else []
    power = fields.get("god_power", {"effect": "none"})
    if power["effect"] != "none":
        limit = "no limit" if power["limit"] == "none" else f"once per {power['limit']}"
        words.append(f"god power {power['n']} {power['effect']} ({limit})")
    words += [f"rerolls up to {fields['reroll']} blanks"] if fields.get("reroll") else []
    words += [text for flag, text in CARD_FLAGS.items() if fields.get(flag)]
    for extra in fields.get("extra", []):
        dice = [
            f"{in_words(extra[window])} in {window}" for window in ("archery", "clash") if extra.get(window)
        ]
        words.append(f"with {extra['when'].replace('_', ' ')} also {' and '.join(dice)}")
    return [", ".join(words), *_rows(fields)]


def _rows(fields: Mapping[str, Any]) -> list[Part]:
    """The dice at each threat or level."""
    rows = []
    for number, row in fields.get("rows", {}).items():
        dice = [in_words(read_colours(str(fields["name"]), "row", letters)) for letters in row.split("|")]
        rows.append((number, *dice))
    first = Column("Level" if fields["name"] == "garrison" else "Threat", 0, right=True)
    return ["", Table([first, Column("Archery", 1), Column("Clash", 2)], rows), ""] if rows else []


PROFILES: dict[str, Callable[[Mapping[str, Any]], list[Part]]] = {
    "disk": _disk_lines,
    "unit": _unit_lines,
    "card": _card_lines,
    "garrison": _rows,
}
