"""`mathhammer threat`: by distance, the chance to reach an enemy this turn, and to destroy it."""

from __future__ import annotations

from typing import Any

import click

from mathhammer._version import __version__
from mathhammer.cli.answer import Answer
from mathhammer.cli.completion import complete_units
from mathhammer.cli.options import FORMATS, answer_options, find_units, system_option
from mathhammer.cli.registering import command
from mathhammer.decide.threat import threat as threat_of
from mathhammer.games.discovery import get_game
from mathhammer.games.telling import rules_left_out
from mathhammer.tables import Column, Table
from mathhammer.text import percent
from mathhammer.units.circumstances import not_counted_text

PLAIN = "one turn: move, shoot, charge, fight; no run or advance"
WITH_RUN = "one turn: move and run or advance (D6), shoot what may be shot then, charge, fight"
INCHES = Column("Inches", lambda row: f"{row['distance']:g}", right=True)
REACHED = Column("Charge arrives", lambda row: percent(row["p_reached"]), right=True)
HARM = (
    Column("Models slain", lambda row: f"{row['slain']:.2f}", right=True),
    Column("Destroyed", lambda row: percent(row["p_destroyed"]), right=True),
)


@command("threat", "By distance: the chance to reach an enemy this turn, and to destroy it.", rank=17)
@click.argument("unit", shell_complete=complete_units)
@click.option(
    "--vs",
    "target",
    metavar="TARGET",
    shell_complete=complete_units,
    help="The enemy. Default: none, and only the charge is shown.",
)
@click.option("--reroll", is_flag=True, help="The charge may be rolled again.")
@click.option(
    "--run", is_flag=True, help="A rule lets it charge after a run or Advance: it moves a D6 farther first."
)
@click.option(
    "--distance", "distances", type=float, multiple=True, metavar="INCHES", help="Only this; repeat."
)
@system_option
@answer_options(*FORMATS)
def threat(**options: Any) -> None:
    """By distance, the chance that a unit reaches an enemy in its turn, and what it does to it.

    It moves, shoots, charges and fights, as in the first turn of a duel. It runs or Advances only with --run.

    \b
    Example:
      mathhammer threat "Rat Ogors" --vs Clanrats --reroll
    """
    names = [options["unit"], *([options["target"]] if options["target"] else [])]
    units = find_units(names, options["system"], options["datasheets"], "threat")
    answer = threat_of(
        *units, reroll=options["reroll"], run=options["run"], distances=options["distances"] or None
    )
    rows = answer.rows()
    game = get_game(units[0].system)
    missing = list(rules_left_out(tuple(units)))
    line = " · ".join(
        [game.short_title, "exact", WITH_RUN if options["run"] else PLAIN]
        + (["charge rolled again"] if options["reroll"] else [])
    )
    head = [
        line,
        *([not_counted_text(missing)] if missing else []),
        _title(units[0].label, options["target"]),
    ]
    columns = (INCHES, REACHED, *(HARM if options["target"] else ()))
    Answer(
        parts=lambda: [*head, Table(columns, rows)],
        document=lambda: {
            "schema": "mathhammer-threat/1",
            "mathhammer": __version__,
            "system": game.key,
            "conditions": {"text": line},
            "not_counted": missing,
            "unit": answer.unit.label,
            "target": answer.target.label if options["target"] else None,
            "reroll": options["reroll"],
            "run": options["run"],
            "rows": rows,
        },
        records=lambda: (list(rows[0]), [list(row.values()) for row in rows]),
    ).write(options)


def _title(unit: str, target: str | None) -> str:
    return f"{unit} against {target}" if target else unit
