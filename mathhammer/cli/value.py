"""`mathhammer value`: what each help is worth to a unit."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.options import ManyTargets, fight_arguments, fight_options, find_units
from mathhammer.cli.output import FORMATS, as_json, as_markdown, print_table, write_text
from mathhammer.compare.buffs import COLUMNS, value_rows
from mathhammer.compare.matchups import targets_of
from mathhammer.tables import as_csv, as_table

HEADINGS = ("Help", "Side", "Opponent", "Before", "Change", "Share", "Slain", "Destroyed", "Points")
RIGHT = (False, False, False, True, True, True, True, True, True)


@click.command(cls=ManyTargets)
@click.argument("unit")
@click.option(
    "--vs",
    "targets",
    multiple=True,
    metavar="TARGET...",
    help="Opponents; alone or left out: the reference targets.",
)
@click.option("--models", type=int, metavar="N", help="Size of the unit.")
@fight_options
@click.option(
    "--side",
    type=click.Choice(["attack", "defence"]),
    help="Only what helps to strike, or only what protects.",
)
@click.option("--top", type=int, metavar="N", help="Only the N most valuable rows.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout.")
def value(**options: Any) -> None:
    """What each help is worth here: +1 to hit, re-rolls, commands, a ward, a point of a characteristic.

    In damage (or wounds spared), models, chance to destroy (or survive), and points.

    \b
    Example:
      mathhammer value Liberators --vs Clanrats "Rat Ogors" --top 10
    """
    own = options["datasheets"]
    (unit,) = find_units([options["unit"]], options["system"], own, "value")
    if options["models"] is not None:
        unit = unit.with_models(options["models"])
    opponents = targets_of([unit], find_units(options["targets"], unit.system, own, "value"), own)
    rows = value_rows(unit, opponents, **fight_arguments("value", [unit], options))
    rows = [row for row in rows if options["side"] in (None, row["side"])][: options["top"]]
    form, output = options["form"], options["output"]
    if form == "json":
        write_text(
            as_json({"schema": "mathhammer-value/1", "system": unit.system, "unit": unit.name, "rows": rows}),
            output,
        )
        return
    if form == "csv":
        write_text(as_csv(list(COLUMNS), [[row[column] for column in COLUMNS] for row in rows]), output)
        return
    text = [cells(row) for row in rows]
    if form == "md":
        write_text(as_markdown(HEADINGS, text, RIGHT), output)
    elif output is not None:
        write_text(as_table(HEADINGS, text, RIGHT), output)
    else:
        print_table(HEADINGS, text, RIGHT)


def cells(row: dict[str, Any]) -> tuple[str, ...]:
    """One row as people read it."""
    return (
        row["help"],
        row["side"],
        row["opponent"],
        f"{row['before']:.2f}",
        f"{row['change']:+.2f}",
        "new" if row["share"] is None else f"{row['share']:+.0%}",
        f"{row['slain']:+.2f}",
        f"{row['p_destroyed']:+.1%}",
        "-" if row["points"] is None else f"{row['points']:+.1f}",
    )
