"""`mathhammer explain`: one fight, rule by rule."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.options import fight_arguments, fight_options, find_units
from mathhammer.cli.output import say
from mathhammer.cli.registering import command
from mathhammer.fight import fight


@command("explain", "How each number of a fight comes about, rule by rule.", rank=70)
@click.argument("attacker")
@click.argument("target")
@click.option("--models", type=int, metavar="N", help="Size of the attacking unit.")
@fight_options
def explain(**options: Any) -> None:
    """How each number of a fight comes about: characteristics, modifiers with their rules, caps, chances.

    \b
    Example:
      mathhammer explain Liberators Clanrats --situation charged --command all_out_attack
    """
    attacker, target = find_units(
        [options["attacker"], options["target"]], options["system"], options["datasheets"], "explain"
    )
    if options["models"] is not None:
        attacker = attacker.with_models(options["models"])
    say(fight(attacker, target, **fight_arguments("explain", [attacker], options)).explain())
