"""`mathhammer explain`: one fight, rule by rule."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.completion import complete_units
from mathhammer.cli.options import attackers_of, fight_arguments, fight_options, find_units, models_option
from mathhammer.cli.output import say
from mathhammer.cli.registering import command
from mathhammer.fight import fight


@command("explain", "How each number of a fight comes about, rule by rule.", rank=70)
@click.argument("attacker", shell_complete=complete_units)
@click.argument("target", shell_complete=complete_units)
@models_option
@fight_options
def explain(**options: Any) -> None:
    """How each number of a fight comes about: characteristics, modifiers with their rules, caps, chances.

    \b
    Examples:
      mathhammer explain Liberators Clanrats --situation charged --command all_out_attack
      mathhammer explain "10 Liberators: charged, all-out attack" "40 Clanrats: in cover"
    """
    (attacker,) = attackers_of("explain", [options["attacker"]], options)
    (target,) = find_units([options["target"]], attacker.system, options["datasheets"], "explain")
    say(fight(attacker, target, **fight_arguments("explain", [attacker], options)).explain())
