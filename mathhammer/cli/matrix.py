"""`mathhammer matrix`: all against all."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.options import ManyTargets, fight_arguments, fight_options, find_units
from mathhammer.cli.output import FORMATS, as_json, as_markdown, print_table, progress, write_text
from mathhammer.compare.matchups import targets_of
from mathhammer.compare.matrix import Matrix, fill_matrix
from mathhammer.compare.sweep import VALUES
from mathhammer.datasheets.library import TARGETS, sheets
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import game_keys
from mathhammer.tables import as_csv, as_table
from mathhammer.units.unit import Unit


@click.command(cls=ManyTargets)
@click.argument("attackers", nargs=-1, required=True)
@click.option(
    "--vs",
    "targets",
    multiple=True,
    metavar="TARGET...",
    help="Units or factions; alone or left out: the reference targets.",
)
@fight_options
@click.option(
    "--value", type=click.Choice(VALUES), default="damage", show_default=True, help="What the table shows."
)
@click.option(
    "--workers", type=int, metavar="N", help="Processes to use; left out: one for each core when it pays."
)
@click.option("--resume", metavar="FILE", help="Keep finished rows in this file, and go on from it.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout.")
def matrix(**options: Any) -> None:
    """Every attacker against every target, exact. A name may be a unit or a whole faction.

    \b
    Examples:
      mathhammer matrix Liberators "Rat Ogors" --vs Clanrats Stormvermin
      mathhammer matrix Skaven --system aos4 --value p_destroyed
    """
    own = options["datasheets"]
    striking = named(options["attackers"], options["system"], own)
    struck = targets_of(striking, named(options["targets"], striking[0].system, own), own)
    how = fight_arguments("matrix", striking, options)
    if how.pop("method") != "exact":
        raise BadInputError("matrix: is always exact (drop --method; compare simulates)")
    with progress("fighting") as tell:
        filled = fill_matrix(
            striking, struck, workers=options["workers"], resume=options["resume"], progress=tell, **how
        )
    emit(filled, options)


def named(names: tuple[str, ...], system: str | None, own: str | None) -> list[Unit]:
    """Units by name; a faction's name means all its units that can attack."""
    found: list[Unit] = []
    for name in names:
        keys = (system,) if system else (found[0].system,) if found else game_keys()
        faction = [
            s
            for key in keys
            for s in sheets(key, own)
            if s.faction.lower() == name.strip().lower() and s.path.name != TARGETS
        ]
        if faction:
            units = [sheet.unit() for sheet in faction if sheet.system == faction[0].system]
            found += [unit for unit in units if any(not weapon.optional for weapon in unit.weapons)]
        else:
            found += find_units([name], system or (found[0].system if found else None), own, "matrix")
    return found


def emit(filled: Matrix, options: dict[str, Any]) -> None:
    """Writes the matrix: wide for people, one row a pair for programs."""
    form, output = options["form"], options["output"]
    pairs = [(a, t) for a in range(len(filled.attackers)) for t in range(len(filled.targets))]
    if form == "json":
        names = {"attackers": [u.name for u in filled.attackers], "targets": [u.name for u in filled.targets]}
        values = {value: filled.of(value).tolist() for value in VALUES}
        system = filled.attackers[0].system
        write_text(
            as_json({"schema": "mathhammer-matrix/1", "system": system, "method": "exact"} | names | values),
            output,
        )
        return
    if form == "csv":
        rows = [
            [filled.attackers[a].name, filled.targets[t].name, *filled.values[a, t].tolist()]
            for a, t in pairs
        ]
        write_text(as_csv(["attacker", "target", *VALUES], rows), output)
        return
    shown = filled.of(options["value"])
    pattern = "{:.1%}" if options["value"] == "p_destroyed" else "{:.2f}"
    head = (options["value"], *(target.name for target in filled.targets))
    wide = [
        (attacker.name, *(pattern.format(cell) for cell in shown[a]))
        for a, attacker in enumerate(filled.attackers)
    ]
    right = (False, *[True] * len(filled.targets))
    if form == "md":
        write_text(as_markdown(head, wide, right), output)
    elif output is not None:
        write_text(as_table(head, wide, right), output)
    else:
        print_table(head, wide, right)
