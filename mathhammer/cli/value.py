"""`mathhammer value`: what each buff is worth to a unit."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.answer import Answer
from mathhammer.cli.completion import complete_units
from mathhammer.cli.options import (
    FORMATS,
    ManyTargets,
    answer_options,
    attackers_of,
    fight_arguments,
    fight_options,
    find_units,
    models_option,
    targets_option,
)
from mathhammer.cli.registering import command
from mathhammer.compare.asking import asked, conditions_document, conditions_parts
from mathhammer.compare.buffs import COLUMNS, joined_rows, mean_rows, value_rows
from mathhammer.compare.columns import VALUE
from mathhammer.compare.matchups import matchups, targets_of
from mathhammer.tables import Table


@command("value", "What each buff, command or characteristic is worth to a unit.", rank=30, cls=ManyTargets)
@click.argument("unit", shell_complete=complete_units)
@targets_option(what="Opponents")
@models_option
@fight_options
@click.option(
    "--side",
    type=click.Choice(["attack", "defence"]),
    help="Only what helps to strike, or only what protects.",
)
@click.option("--each", is_flag=True, help="A row for each reference target, too; without it, their mean.")
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
    (unit,) = attackers_of("value", [options["unit"]], options)
    opponents = targets_of([unit], find_units(options["targets"], unit.system, own, "value"), own)
    arguments = fight_arguments("value", [unit], options)
    rows = value_rows(unit, opponents, **arguments)
    if not options["targets"] and not options["each"]:
        rows = mean_rows(rows)
    rows = [row for row in rows if options["side"] in (None, row["side"])]
    top = rows[: options["top"]]
    results = [m.result for m in matchups([unit], opponents, **arguments) if m.result is not None]
    question = asked([unit], opponents, options)
    Answer(
        parts=lambda: [
            *conditions_parts(results, unit.system),
            Table(VALUE, joined_rows(rows)[: options["top"]]),
        ],
        document=lambda: (
            conditions_document("value", unit.system, results, question) | {"unit": unit.label, "rows": top}
        ),
        records=lambda: (list(COLUMNS), [[row[name] for name in COLUMNS] for row in top]),
    ).write(options)
