"""`mathhammer choices`: what to decide where a rule leaves it to the attacker."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.completion import complete_units
from mathhammer.cli.decisions import one_attack, one_attack_answer
from mathhammer.cli.options import FORMATS, answer_options, circumstance_options, system_option
from mathhammer.cli.registering import command
from mathhammer.decide.choices import GOALS
from mathhammer.decide.choices import choices as best_choices
from mathhammer.tables import Column
from mathhammer.text import percent

COLUMNS = [
    Column("Decision", "decision"),
    Column("Wounds lost", lambda row: f"{row['lost']:.3f}", right=True),
    Column("Destroyed", lambda row: percent(row["p_destroyed"]), right=True),
]
CHARACTERS = Column("Characters slain", lambda row: percent(row["p_character_slain"]), right=True)


@command("choices", "Where a rule is optional: which way is worth most?", rank=16)
@click.argument("attacker", shell_complete=complete_units)
@click.option(
    "--vs", "target", required=True, metavar="TARGET", shell_complete=complete_units, help="The target."
)
@click.option(
    "--goal",
    type=click.Choice(list(GOALS)),
    default="lost",
    show_default=True,
    help="The most wounds lost on average, or the best chance that the target is destroyed, or that its "
    "Characters are slain.",
)
@circumstance_options
@system_option
@answer_options(*FORMATS)
def choices(**options: Any) -> None:
    """What to decide where a rule leaves it to the attacker, and what each decision is worth.

    Optional Lethal Hits (11th edition of 40k), Precision on a Character or not, which of several critical
    abilities (Age of Sigmar 4). A decision holds for all attacks of a weapon; it is made when the weapon's
    turn comes, and below the table it is told by what the target has lost by then.

    \b
    Example:
      mathhammer choices "Necron Warriors" --vs Marines --system wh40k11
    """
    attacker, target, how = one_attack("choices", options)
    answer = best_choices(attacker, target, goal=options["goal"], **how)
    columns = [*COLUMNS, CHARACTERS] if "p_character_slain" in answer.rows()[0] else COLUMNS
    more = {"policy": list(answer.advice)}
    one_attack_answer("choices", answer, columns, answer.advice, more).write(options)
