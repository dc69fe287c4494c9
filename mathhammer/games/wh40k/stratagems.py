"""Stratagems of 40k: once per phase, and which rolls Command Re-roll takes again."""

from __future__ import annotations

from collections.abc import Collection

from mathhammer.dice.notation import Dice
from mathhammer.errors import BadInputError

ONE_STRATAGEM = "a stratagem is used once per phase"


def one_reroll(commands: Collection[str]) -> bool:
    """WH40K-CPLIMIT, WH40K11-15.01: whether one phase may have all of these: Command Re-roll
    once, whatever it rolls again.

    >>> one_reroll(["command_reroll_hit", "go_to_ground"])
    True
    >>> one_reroll(["command_reroll_hit", "command_reroll_save"])
    False
    """
    return len({command for command in commands if command.startswith("command_reroll")}) <= 1


def command_rerolls(commands: tuple[str, ...]) -> frozenset[str]:
    """The kinds of rolls of which Command Re-roll takes one die of a batch again."""
    return frozenset(roll for roll in ("hit", "wound") if f"command_reroll_{roll}" in commands)


def check_dice(commands: tuple[str, ...], attacks: Dice, damage: Dice) -> None:
    """WH40K-REROLL, WH40K11-01.05.02: a die is rolled again once, so dice that another rule rolls again are
    refused.
    """
    for what, dice in (("attacks", attacks), ("damage", damage)):
        if f"command_reroll_{what}" in commands and dice.reroll != "none":
            raise BadInputError(
                f"fight: command_reroll_{what} and reroll_{what} together are not covered (drop one of them)"
            )
