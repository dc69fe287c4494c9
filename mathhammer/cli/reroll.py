"""`mathhammer reroll`: where the one re-roll of an action belongs."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.completion import complete_units
from mathhammer.cli.decisions import one_attack, one_attack_answer
from mathhammer.cli.options import FORMATS, answer_options, circumstance_options, system_option
from mathhammer.cli.registering import command
from mathhammer.decide.reroll import GOALS, policy_names
from mathhammer.decide.reroll import reroll as best_reroll
from mathhammer.tables import Column
from mathhammer.text import percent

COLUMNS = (
    Column("Wounds lost", lambda row: f"{row['lost']:.3f}", right=True),
    Column("Destroyed", lambda row: percent(row["p_destroyed"]), right=True),
)


@command("reroll", "Where does the one re-roll of an attack belong?", rank=16)
@click.argument("attacker", shell_complete=complete_units)
@click.option(
    "--vs", "target", required=True, metavar="TARGET", shell_complete=complete_units, help="The target."
)
@click.option(
    "--goal",
    type=click.Choice(GOALS),
    default="lost",
    show_default=True,
    help="The most wounds lost on average, or the best chance to destroy the target.",
)
@circumstance_options
@system_option
@answer_options(*FORMATS)
def reroll(**options: Any) -> None:
    """Where the one re-roll of an attack (Command Re-roll) is worth most, and what it is worth there.

    Each batch of dice is seen before the choice: number of attacks, hits, wounds, every damage roll. The best
    policy weighs what the re-roll may still be needed for; below the table it is told in words.

    \b
    Example:
      mathhammer reroll "Gladiator Lancer: Lancer laser destroyer" --vs "Deff Dread"
    """
    attacker, target, how = one_attack("reroll", options)
    answer = best_reroll(attacker, target, goal=options["goal"], **how)
    called = policy_names(answer)
    columns = [Column("One re-roll", lambda row: called[row["policy"]]), *COLUMNS]
    used = ", ".join(f"{stage} {percent(chance, 0)}" for stage, chance in answer.used if chance > 0.0005)
    below = [f"used: {used or 'never'}", *answer.advice]
    more = {"used": dict(answer.used), "policy": list(answer.advice)}
    one_attack_answer("reroll", answer, columns, below, more).write(options)
