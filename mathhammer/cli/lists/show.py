"""`mathhammer list`: army lists shown and checked."""

from __future__ import annotations

import sys
from typing import Any

import click

from mathhammer.battlescribe.tree import MOST_BYTES
from mathhammer.cli.lists.reports import compare, report
from mathhammer.cli.output import FORMATS, as_json, as_markdown, write_text
from mathhammer.games.discovery import get_game
from mathhammer.lists.legality import check_list
from mathhammer.lists.readers import read_rosters
from mathhammer.tables import as_csv, as_table
from mathhammer.units.findings import Finding
from mathhammer.units.roster import Block, Entry, Roster

HEADINGS = ("Unit", "Models", "Health", "Points", "Loadout", "Keywords")
RIGHT = (False, True, True, True, False, False)
COLUMNS = (
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


@click.group("list")
def list_() -> None:
    """Army lists as New Recruit, BattleScribe, the official apps and others export them.

    \b
    Examples:
      mathhammer list show tests/fixtures/rosters/kilns.ros
      mathhammer list check tests/fixtures/rosters/kilns.ros --limit 2000
      mathhammer list report tests/fixtures/rosters/kilns.ros
    """


def read(file: str, datasheets: str | None) -> tuple[Roster, ...]:
    """The lists of a file, or of stdin for `-`."""
    given: str | bytes = sys.stdin.buffer.read(MOST_BYTES + 1) if file == "-" else file
    return read_rosters(given, datasheets=datasheets)


@list_.command()
@click.argument("file")
@click.option("--datasheets", metavar="DIR", help="Your own datasheets; they win over the shipped ones.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout.")
def show(file: str, datasheets: str | None, form: str, output: str | None) -> None:
    """A list as a player reads it: models, health, points, loadouts, keywords; FILE may be - for stdin."""
    rosters = read(file, datasheets)
    if form == "json":
        write_text(
            as_json({"schema": "mathhammer-list/1", "lists": [document(roster) for roster in rosters]}),
            output,
        )
    elif form == "csv":
        rows = [
            row(number, block, entry)
            for number, roster in enumerate(rosters, 1)
            for block in roster.blocks
            for entry in block.entries
        ]
        write_text(as_csv(COLUMNS, rows), output)
    else:
        table = as_markdown if form == "md" else as_table
        write_text("\n\n".join("\n".join(lines(roster, table)) for roster in rosters), output)
    for roster in rosters:
        for line in (*roster.warnings, *(f"missing: {name}" for name in roster.missing)):
            click.echo(line, err=True)


def lines(roster: Roster, table: Any) -> list[str]:
    """A list as people read it."""
    parts = [part for part in (roster.faction, roster.formation, roster.battlepack) if part]
    limit = f" of {roster.limit}" if roster.limit else ""
    declared = f" ({roster.declared} declared)" if roster.difference else ""
    models = "" if roster.models is None else f", {roster.models} models"
    found = [
        f"{roster.name or 'Army'} ({get_game(roster.system).title})",
        *([" | ".join(parts)] if parts else []),
        f"{roster.points} points{declared}{limit}, {len(roster.entries)} units{models}",
    ]
    for lore in roster.lores:
        found.append(
            f"{lore.kind.capitalize()} lore: {lore.name}"
            + (f" ({lore.points} points)" if lore.points else "")
        )
    for extra in roster.extras:
        found.append(f"{extra.name}: {extra.points} points")
    for block in roster.blocks:
        price = f" ({block.points} points)" if block.points is not None else ""
        found += ["", f"{block.name}{price}"]
        if block.entries:
            found.append(table(HEADINGS, [cells(entry, roster.system) for entry in block.entries], RIGHT))
    return found


def loadout(entry: Entry, system: str) -> str:
    """What a unit carries and what it is, in one line."""
    words = [{"wh40k10": "warlord", "diskwars": "hero"}.get(system, "general")] if entry.general else []
    words += ["reinforced"] if entry.reinforced else []
    words += [f"leads {entry.leads}"] if entry.leads else []
    words += [extra.name for extra in entry.enhancements]
    words += [name if number == 1 else f"{number}x {name}" for name, number in entry.carried().items()]
    if not entry.carried() and entry.unit is not None:
        words += [weapon.name for weapon in entry.unit.weapons if not weapon.optional]
    return ", ".join(words)


def health(entry: Entry) -> int | None:
    """All wounds of a unit; None where its profile is not known."""
    return None if entry.unit is None else entry.unit.health


def cells(entry: Entry, system: str) -> tuple[str, ...]:
    """One unit as a row of text."""

    def told(value: object) -> str:
        return "-" if value is None else str(value)

    return (
        entry.name,
        told(entry.size),
        told(health(entry)),
        told(entry.points),
        loadout(entry, system),
        ", ".join(entry.keywords),
    )


def row(number: int, block: Block, entry: Entry) -> list[Any]:
    """One unit as a row of values."""
    upgrades = "; ".join(extra.name for extra in entry.enhancements)
    carried = "; ".join(f"{count}x {name}" for name, count in entry.carried().items())
    flags = [entry.general, entry.reinforced]
    return [
        number,
        block.name,
        entry.name,
        entry.size,
        health(entry),
        entry.points,
        *flags,
        upgrades,
        carried,
        "; ".join(entry.keywords),
    ]


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
                    dict(zip(COLUMNS[2:], row(0, block, entry)[2:], strict=True)) for entry in block.entries
                ],
            }
            for block in roster.blocks
        ],
        "warnings": list(roster.warnings),
        "missing": [str(name) for name in roster.missing],
    }


@list_.command()
@click.argument("file")
@click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000),
    metavar="POINTS",
    help="The points limit, where the list does not say.",
)
@click.option("--datasheets", metavar="DIR", help="Your own datasheets; they win over the shipped ones.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def check(file: str, limit: int | None, datasheets: str | None, form: str) -> int:
    """Whether a list is legal: every broken rule with its id and unit; exit code 1 when one is broken."""
    rosters = read(file, datasheets)
    checked = [(roster, check_list(roster, limit)) for roster in rosters]
    broken = sum(finding.verdict == "broken" for _, findings in checked for finding in findings)
    if form == "json":
        click.echo(
            as_json(
                {
                    "schema": "mathhammer-list-check/1",
                    "lists": [verdicts(roster, findings) for roster, findings in checked],
                }
            )
        )
        return 1 if broken else 0
    for roster, findings in checked:
        click.echo("\n".join(map(str, findings)))
        wrong = sum(finding.verdict == "broken" for finding in findings)
        unsure = sum(finding.verdict == "cannot check" for finding in findings)
        told = "no broken rule found" if not wrong else f"{wrong} broken {'rule' if wrong == 1 else 'rules'}"
        click.echo(f"{roster.name or 'army'}: {told}" + (f", {unsure} cannot be checked" if unsure else ""))
    for roster in rosters:
        for line in (*roster.warnings, *(f"missing: {name}" for name in roster.missing)):
            click.echo(line, err=True)
    return 1 if broken else 0


def verdicts(roster: Roster, findings: tuple[Finding, ...]) -> dict[str, Any]:
    """Findings for programs."""
    return {
        "name": roster.name,
        "system": roster.system,
        "points": roster.points,
        "legal": not any(finding.verdict == "broken" for finding in findings),
        "findings": [
            {"verdict": f.verdict, "rule": f.rule, "unit": f.unit, "what": f.what} for f in findings
        ],
    }


def __getattr__(name: str) -> click.Command:
    """The group under its own name, which would hide Python's `list` if it were the function's."""
    if name == "list":
        return list_
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


list_.add_command(report)
list_.add_command(compare)
