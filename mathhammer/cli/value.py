"""`mathhammer value`: what each buff is worth to a unit."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.answer import Answer
from mathhammer.cli.options import (
    FORMATS,
    ManyTargets,
    answer_options,
    fight_arguments,
    fight_options,
    find_units,
    targets_option,
)
from mathhammer.cli.registering import command
from mathhammer.compare.buffs import COLUMNS, value_rows
from mathhammer.compare.matchups import targets_of
from mathhammer.tables import Column, Table

SHOWN = (
    Column("Buff", "help"),
    Column("Side", "side", rank=5),
    Column("Opponent", "opponent"),
    Column("Before", lambda row: f"{row['before']:.2f}", right=True, rank=3),
    Column("Change", lambda row: f"{row['change']:+.2f}", right=True),
    Column(
        "Share", lambda row: "new" if row["share"] is None else f"{row['share']:+.0%}", right=True, rank=1
    ),
    Column("Slain", lambda row: f"{row['slain']:+.2f}", right=True, rank=4),
    Column("Destroyed", lambda row: f"{row['p_destroyed']:+.1%}", right=True, rank=2),
    Column("Points", lambda row: "-" if row["points"] is None else f"{row['points']:+.1f}", right=True),
)


@command("value", "What each buff, command or characteristic is worth to a unit.", rank=30, cls=ManyTargets)
@click.argument("unit")
@targets_option(what="Opponents")
@click.option("--models", type=int, metavar="N", help="Size of the unit.")
@fight_options
@click.option(
    "--side",
    type=click.Choice(["attack", "defence"]),
    help="Only what helps to strike, or only what protects.",
)
@click.option("--top", type=int, metavar="N", help="Only the N most valuable rows.")
@answer_options(*FORMATS)
def value(**options: Any) -> None:
    """What each buff is worth here: +1 to hit, re-rolls, commands, a ward, a point of a characteristic.

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
    about = {"schema": "mathhammer-value/1", "system": unit.system, "unit": unit.name}
    Answer(
        parts=lambda: [Table(SHOWN, rows)],
        document=lambda: about | {"rows": rows},
        records=lambda: (list(COLUMNS), [[row[name] for name in COLUMNS] for row in rows]),
    ).write(options)
