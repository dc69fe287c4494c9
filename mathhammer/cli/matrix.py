"""`mathhammer matrix`: all against all."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.options import (
    FORMATS,
    ManyTargets,
    answer_options,
    fight_arguments,
    fight_options,
    find_units,
    targets_option,
)
from mathhammer.cli.output import progress
from mathhammer.cli.registering import command
from mathhammer.compare.matchups import targets_of
from mathhammer.compare.matrix import Matrix, fill_matrix
from mathhammer.compare.sweep import VALUES
from mathhammer.datasheets.library import TARGETS, sheets
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import game_keys
from mathhammer.tables import Column, Table
from mathhammer.units.unit import Unit


@command("matrix", "Every attacker against every target, whole factions at once.", rank=20, cls=ManyTargets)
@click.argument("attackers", nargs=-1, required=True)
@targets_option(what="Units or factions")
@fight_options
@click.option(
    "--value", type=click.Choice(VALUES), default="damage", show_default=True, help="What the table shows."
)
@click.option(
    "--workers", type=int, metavar="N", help="Processes to use. Default: one for each core when it pays."
)
@click.option("--resume", metavar="FILE", help="Keep finished rows in this file, and go on from it.")
@answer_options(*FORMATS)
def matrix(**options: Any) -> None:
    """Every attacker against every target, exact. A name may be a unit or a whole faction.

    \b
    Examples:
      mathhammer matrix Liberators "Rat Ogors" --vs Clanrats Stormvermin
      mathhammer matrix Skaven --system aos4 --value p_destroyed
    """
    own = options["datasheets"]
    attackers = named(options["attackers"], options["system"], own)
    targets = targets_of(attackers, named(options["targets"], attackers[0].system, own), own)
    arguments = fight_arguments("matrix", attackers, options)
    if arguments.pop("method") != "exact":
        raise BadInputError("matrix: is always exact (drop --method; compare simulates)")
    with progress("fighting") as tell:
        filled = fill_matrix(
            attackers,
            targets,
            workers=options["workers"],
            resume=options["resume"],
            progress=tell,
            **arguments,
        )
    answer(filled, options["value"]).write(options)


def named(names: tuple[str, ...], system: str | None, own: str | None) -> list[Unit]:
    """Units by name; a faction's name means all its units that can attack."""
    units: list[Unit] = []
    for name in names:
        keys = (system,) if system else (units[0].system,) if units else game_keys()
        faction = [
            s
            for key in keys
            for s in sheets(key, own)
            if s.faction.lower() == name.strip().lower() and s.path.name != TARGETS
        ]
        if faction:
            members = [sheet.unit() for sheet in faction if sheet.system == faction[0].system]
            units += [unit for unit in members if any(not weapon.optional for weapon in unit.weapons)]
        else:
            units += find_units([name], system or (units[0].system if units else None), own, "matrix")
    return units


def answer(filled: Matrix, value: str) -> Answer:
    """The matrix: wide for people, one row a pair for programs."""
    attackers, targets = [unit.name for unit in filled.attackers], [unit.name for unit in filled.targets]

    def document() -> dict[str, Any]:
        head = {"schema": "mathhammer-matrix/1", "system": filled.attackers[0].system, "method": "exact"}
        names = {"attackers": attackers, "targets": targets}
        return head | names | {name: filled.of(name).tolist() for name in VALUES}

    def records() -> tuple[list[str], list[list[Any]]]:
        rows = [
            [attacker, target, *filled.values[a, t].tolist()]
            for a, attacker in enumerate(attackers)
            for t, target in enumerate(targets)
        ]
        return ["attacker", "target", *VALUES], rows

    def parts() -> list[Part]:
        form = ".1%" if value == "p_destroyed" else ".2f"
        rows = [
            (name, *(format(cell, form) for cell in cells))
            for name, cells in zip(attackers, filled.of(value), strict=True)
        ]
        shown = [Column(target, place, right=True) for place, target in enumerate(targets, 1)]
        return [Table([Column(value, 0), *shown], rows, stacked=1)]

    return Answer(parts, document, records)
