"""What of `mathhammer duel` a game without attack rolls has no use for."""

from __future__ import annotations

from typing import Any

import click

ATTACK_ROLLS_ONLY: dict[str, Any] = {
    "distance": None,
    "approach": None,
    "models": None,
    "b_models": None,
    "weapons": None,
    "b_weapons": None,
    "situation": (),
    "b_situation": (),
    "commands": (),
    "heal": (),
    "switches": (),
    "reroll_charge": "none",
    "rally": "none",
    "advice": False,
}


def own_options_only(options: dict[str, Any], system: str, command: str) -> list[str]:
    """Refuses options that the command of that game does not have; gives those that it has."""
    for name, usual in ATTACK_ROLLS_ONLY.items():
        if options[name] != usual:
            spelled = {"advice": "advise", "commands": "command", "switches": "option"}.get(name, name)
            raise click.UsageError(
                f"--{spelled.replace('_', '-')} is not for {system} (its duels are mathhammer {command})"
            )
    words = ["--format", options["form"], *(["-o", options["output"]] if options["output"] else [])]
    return [*words, *(["--explain"] if options["explain"] else [])]
