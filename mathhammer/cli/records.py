"""Disks, player units, legions and hordes: datasheets of the games that roll symbol dice,
listed and shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mathhammer.cli.answer import Part
from mathhammer.cli.own_games import own_games, part_of
from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.games.records import load, records, same_name


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One record of a game's datasheets, and where it stands."""

    system: str
    file: str
    kind: str
    fields: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The record's name; a regiment is called by its hero's."""
        name = str(self.fields["name"])
        return f"{name} regiment" if self.kind == "regiment" else name

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
            self.fields.get("number", 1 + len(self.fields.get("units", []))),
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
    for key in own_games():
        if system in (None, key):
            for file, table, kind in part_of(key, "records").TABLES:
                yield from (
                    GameRecord(key, file, kind, fields) for fields in records(key, file, table).values()
                )


def records_named(name: str, system: str | None) -> list[GameRecord]:
    """The records of that name, in any case.

    >>> [record.system for record in records_named("orc boyz", None)]
    ['diskwars']
    """
    found = [record for record in game_records(system) if same_name(record.name) == same_name(name)]
    # a regiment goes by the name of its hero alone where no disk has it
    return found or [
        record for record in game_records(system) if same_name(record.fields["name"]) == same_name(name)
    ]


def refuse_record(name: str, system: str | None, where: str) -> None:
    """Raises when the name is a disk or the like: it has no attack rolls, so another command is meant."""
    for record in records_named(name, system):
        title = get_game(record.system).title
        raise BadInputError(
            f"{where}: {record.name} is a {record.kind} of {title}, which has no attack rolls (use "
            f"{own_games()[record.system].ASKED_WITH})"
        )


def record_profile(record: GameRecord) -> list[Part]:
    """A record as players read it, with how far to trust it."""
    fields = record.fields
    lines: list[Part] = [f"{record.name} ({record.faction}, {get_game(record.system).title})"]
    lines += part_of(record.system, "records").PROFILES[record.kind](fields)
    lines += [f"note: {fields['notes']}"] if "notes" in fields else []
    source = fields.get("source", load(record.system, record.file)["source"])
    return [*lines, f"confidence {fields.get('confidence', 'low')}: {source}"]
