"""`mathhammer list show`: an army list as a player reads it."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_files
from mathhammer.cli.list_files import open_lists
from mathhammer.cli.options import FORMATS, answer_options, datasheets_option
from mathhammer.games.discovery import get_game
from mathhammer.lists.loading import LoadedList
from mathhammer.lists.loadout import health_of, loadout
from mathhammer.tables import Column, Table
from mathhammer.units.roster import Block, Entry, Roster

RECORDS = (
    "list",
    "block",
    "unit",
    "models",
    "health",
    "points",
    "general",
    "reinforced",
    "enhancements",
    "loadout",
    "keywords",
)


@click.command()
@click.argument("file", shell_complete=complete_files)
@datasheets_option
@answer_options(*FORMATS)
def show(file: str, datasheets: str | None, form: str, output: str | None) -> None:
    """A list as a player reads it: models, health, points, loadouts, keywords; FILE may be - for stdin.

    \b
    Example:
      mathhammer list show tests/fixtures/rosters/kilns.ros
    """
    lists = open_lists(file, datasheets)
    rosters = [one.roster for one in lists]
    Answer(
        parts=lambda: [
            part for number, one in enumerate(lists) for part in ([""] * (number > 0) + parts(one))
        ],
        document=lambda: {"schema": "mathhammer-list/1", "lists": [document(roster) for roster in rosters]},
        records=lambda: (RECORDS, records(rosters)),
    ).write({"form": form, "output": output})


def known_line(one: LoadedList) -> list[str]:
    """How much of a list is known, and how to get the rest, where its game's units have datasheets with
    weapons.
    """
    if get_game(one.roster.system).attacks is None:
        return []
    return [f"{one.name}: {one.coverage}", *filter(None, [one.coverage.advice()])]


def parts(one: LoadedList) -> list[Part]:
    """A list as people read it."""
    roster = one.roster
    names = [part for part in (roster.faction, roster.formation, roster.battlepack) if part]
    limit = f" of {roster.limit}" if roster.limit else ""
    declared = f" ({roster.declared} declared)" if roster.difference else ""
    models = "" if roster.models is None else f", {roster.models} models"
    lines: list[Part] = [
        *known_line(one),
        f"{one.name} ({get_game(roster.system).title})",
        *([" | ".join(names)] if names else []),
        f"{roster.points} points{declared}{limit}, {len(roster.entries)} units{models}",
    ]
    for lore in roster.lores:
        price = f" ({lore.points} points)" if lore.points else ""
        lines.append(f"{lore.kind.capitalize()} lore: {lore.name}{price}")
    lines += [f"{extra.name}: {extra.points} points" for extra in roster.extras]
    columns = columns_for(roster.system)
    for block in roster.blocks:
        price = f" ({block.points} points)" if block.points is not None else ""
        lines += ["", f"{block.name}{price}"]
        if block.entries:
            lines.append(Table(columns, block.entries))
    return lines


def columns_for(system: str) -> list[Column]:
    """The columns for the units of a game."""

    def known(value: int | None) -> str:
        return "-" if value is None else str(value)

    return [
        Column("Unit", lambda entry: entry.name),
        Column("Models", lambda entry: known(entry.size), right=True),
        Column("Health", lambda entry: known(health_of(entry)), right=True, rank=1),
        Column("Points", lambda entry: known(entry.points), right=True),
        Column("Loadout", lambda entry: loadout(entry, system), prose=True),
        Column("Keywords", lambda entry: ", ".join(entry.keywords), prose=True, rank=2),
    ]


def records(rosters: list[Roster]) -> list[list[Any]]:
    """Every unit of every list as a row of values."""
    return [
        record(number, block, entry)
        for number, roster in enumerate(rosters, 1)
        for block in roster.blocks
        for entry in block.entries
    ]


def record(number: int, block: Block, entry: Entry) -> list[Any]:
    """One unit as a row of values."""
    upgrades = "; ".join(extra.name for extra in entry.enhancements)
    carried = "; ".join(f"{count}x {name}" for name, count in entry.carried().items())
    numbers = [entry.size, health_of(entry), entry.points, entry.general, entry.reinforced]
    return [number, block.name, entry.name, *numbers, upgrades, carried, "; ".join(entry.keywords)]


def document(roster: Roster) -> dict[str, Any]:
    """A list for programs."""
    return {
        "system": roster.system,
        "format": roster.format,
        "name": roster.name,
        "faction": roster.faction,
        "formation": roster.formation,
        "battlepack": roster.battlepack,
        "points": roster.points,
        "declared": roster.declared,
        "limit": roster.limit,
        "models": roster.models,
        "lores": [{"kind": lore.kind, "name": lore.name, "points": lore.points} for lore in roster.lores],
        "blocks": [
            {
                "name": block.name,
                "kind": block.kind,
                "points": block.points,
                "units": [
                    dict(zip(RECORDS[2:], record(0, block, entry)[2:], strict=True))
                    for entry in block.entries
                ],
            }
            for block in roster.blocks
        ],
        "warnings": list(roster.warnings),
        "missing": [str(name) for name in roster.missing],
    }
