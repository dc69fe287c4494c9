"""`mathhammer quick`: a profile typed in one line."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.compare import write_compared
from mathhammer.cli.options import FORMATS, ManyTargets, answer_options, fight_arguments, fight_options
from mathhammer.cli.registering import command
from mathhammer.compare.matchups import matchups, rows_of
from mathhammer.datasheets.reading import make_unit
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import DEFAULT, get_game


@command("quick", "The same for a profile typed in one line, without a datasheet.", rank=60, cls=ManyTargets)
@click.argument("weapons_text", metavar="WEAPON...", nargs=-1, required=True)
@click.option(
    "--vs",
    "targets",
    multiple=True,
    required=True,
    metavar="TARGET...",
    help="One or more targets, each in quotes.",
)
@fight_options
@answer_options(*FORMATS)
def quick(**options: Any) -> None:
    """What a profile does that you type in one line: no datasheet needed. Several weapons strike together.

    \b
    Examples:
      mathhammer quick "20x 3+ 3+ -1 2 crit(mortal)" --vs "4+ ward 5+ health 2 x10"
      mathhammer quick "5x2 3+ 4+ -1 D3" --vs "3+ health 3 x5" "6+ x20" --command all_out_attack
    """
    key = options["system"] or DEFAULT
    game = get_game(key)
    if game.attacks is None or game.attacks.quick is None:
        raise BadInputError(
            f"quick: {game.title} has no one-line profiles (see mathhammer chance --system {key})"
        )
    read_weapon, read_target = game.attacks.quick
    weapons = [{"name": text} | read_weapon(text) for text in options["weapons_text"]]
    kind = "ranged" if options["weapons"] == "ranged" else "melee"
    models = max(weapon.get("models", 1) for weapon in weapons)
    attacker = make_unit(
        key,
        {
            "name": "you",
            "models": models,
            **game.attacks.quick_body,
            "weapon": [w | {"kind": kind} for w in weapons],
        },
    )
    targets = [make_unit(key, {"name": text} | read_target(text)) for text in options["targets"]]
    arguments = fight_arguments("quick", [attacker], options | {"weapons": None})
    fights = list(matchups([attacker], targets, **arguments))
    write_compared(list(zip(fights, rows_of(fights), strict=True)), options)
