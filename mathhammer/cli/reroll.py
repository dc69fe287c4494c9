"""`mathhammer reroll`: where the one re-roll of an action belongs."""

from __future__ import annotations

from typing import Any

import click

from mathhammer._version import __version__
from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_units
from mathhammer.cli.options import (
    FORMATS,
    answer_options,
    circumstance_options,
    circumstances,
    find_units,
    split_all,
    system_option,
)
from mathhammer.cli.registering import command
from mathhammer.decide.reroll import GOALS, policy_names
from mathhammer.decide.reroll import reroll as best_reroll
from mathhammer.tables import Column, Table
from mathhammer.text import percent
from mathhammer.units.circumstances import not_counted_text

COLUMNS = (
    Column("One re-roll", "name"),
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
    names = [options["attacker"], options["target"]]
    attacker, target = find_units(
        names, options["system"], options["datasheets"], "reroll", split_all(options["buffs"])
    )
    how = circumstances("reroll", [attacker], options)
    answer = best_reroll(attacker, target, goal=options["goal"], **how)
    called = policy_names(answer)
    rows = [{"name": called[row["policy"]], **row} for row in answer.rows()]
    used = ", ".join(f"{stage} {percent(chance, 0)}" for stage, chance in answer.used if chance > 0.0005)
    missing = not_counted_text(answer.not_counted)
    parts: list[Part] = [
        str(answer.conditions),
        *([missing] if missing else []),
        f"{attacker.label} against {target.label}",
        Table(COLUMNS, rows),
        f"used: {used or 'never'}",
        *answer.advice,
    ]
    Answer(
        parts=lambda: parts,
        document=lambda: {
            "schema": "mathhammer-reroll/1",
            "mathhammer": __version__,
            "system": attacker.system,
            "conditions": answer.conditions.to_dict(),
            "not_counted": list(answer.not_counted),
            "attacker": attacker.label,
            "target": target.label,
            "goal": answer.goal,
            "rows": answer.rows(),
            "used": dict(answer.used),
            "policy": list(answer.advice),
        },
        records=lambda: (["policy", "lost", "p_destroyed"], [list(row.values()) for row in answer.rows()]),
    ).write(options)
