"""Duels of the games that have no attack rolls: Uprising battles and Diskwars clashes, in
the words of `duel`.
"""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.records import records_named

# options of `duel` that another game's command does not have
FOREIGN = {
    "distance": None,
    "approach": None,
    "models": None,
    "b_models": None,
    "weapons": None,
    "b_weapons": None,
    "situation": None,
    "b_situation": None,
    "commands": (),
    "heal": (),
    "switches": (),
    "reroll_charge": "none",
    "rally": "none",
    "advice": False,
}


def other_game(options: dict[str, Any]) -> bool:
    """Asks the command of the game that A belongs to; False when it is a game with attack rolls."""
    system = options["system"] or guessed(options["a"])
    if system not in ("diskwars", "uprising"):
        return False
    for name, usual in FOREIGN.items():
        if options[name] != usual:
            told = {"advice": "advise", "commands": "command", "switches": "option"}.get(name, name).replace(
                "_", "-"
            )
            raise click.UsageError(
                f"--{told} is not for {system} (its duels are mathhammer "
                f"{'clash' if system == 'diskwars' else 'battle'})"
            )
    words = ["--format", options["form"], *(["-o", options["output"]] if options["output"] else [])]
    words += ["--explain"] if options["explain"] else []
    if system == "diskwars":
        from mathhammer.cli.diskwars.clash import clash

        upper, lower = (
            (options["b"], options["a"]) if options["first"].lower() == "b" else (options["a"], options["b"])
        )
        clash.main([f"{upper} > {lower}", *words], standalone_mode=False)
    else:
        from mathhammer.cli.uprising.battle import battle

        if options["method"] == "simulate":
            words += ["--method", "simulate", "--seed", str(options["seed"])]
            words += ["--trials", str(options["trials"])] if options["trials"] is not None else []
        battle.main([options["a"], "--vs", options["b"], *words], standalone_mode=False)
    return True


def guessed(name: str) -> str | None:
    """The game of a disk, a legion or a people's unit by its name; None: perhaps a unit with weapons."""
    found = {record.system for record in records_named(name.partition(":")[0].partition("#")[0], None)}
    return found.pop() if len(found) == 1 else None
