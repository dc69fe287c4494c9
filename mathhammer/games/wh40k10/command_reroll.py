"""Command Re-roll (WH40K-CMDREROLL) of an attacker: which roll it takes again, what it does not go with."""

from __future__ import annotations

from mathhammer.dice.notation import Dice
from mathhammer.errors import BadInputError


def command_rerolls(commands: tuple[str, ...]) -> frozenset[str]:
    """The kinds of rolls of which Command Re-roll takes one die of a batch again."""
    return frozenset(roll for roll in ("hit", "wound") if f"command_reroll_{roll}" in commands)


def check_dice(commands: tuple[str, ...], attacks: Dice, damage: Dice) -> None:
    """WH40K-REROLL: a die is rolled again once, so dice that another rule rolls again are refused."""
    for what, dice in (("attacks", attacks), ("damage", damage)):
        if f"command_reroll_{what}" in commands and dice.reroll != "none":
            raise BadInputError(
                f"fight: command_reroll_{what} and reroll_{what} together are not covered (drop one of them)"
            )
