"""Command Re-roll (WH40K-CMDREROLL) of an attacker: one roll of a whole batch, picked once
the batch is seen.
"""

from __future__ import annotations

from dataclasses import replace

from mathhammer.dice.notation import Dice
from mathhammer.engine.chain import Chain, Gate, Lane, Roll, chances, first_fails
from mathhammer.engine.plan import Again
from mathhammer.errors import BadInputError


def check_dice(commands: tuple[str, ...], attacks: Dice, damage: Dice) -> None:
    """WH40K-REROLL: a die is rolled again once, so dice that another rule rolls again are refused."""
    for what, dice in (("attacks", attacks), ("damage", damage)):
        if f"command_reroll_{what}" in commands and dice.reroll != "none":
            raise BadInputError(
                f"fight: command_reroll_{what} and reroll_{what} together are not covered (drop one of them)"
            )


def batch_again(commands: tuple[str, ...], chain: Chain) -> tuple[Chain, Again | None]:
    """With fast dice: after the batch, one failed Hit or Wound roll of each weapon is rolled again.

    WH40K-REROLL: not a die that another rule has rolled again, and the new roll stands.
    """
    for roll in ("hit", "wound"):
        if f"command_reroll_{roll}" in commands:
            lane = chain.lane(roll)
            if isinstance(lane, Roll) and not lane.auto and first_fails(lane):
                fresh = replace(lane, reroll=frozenset())
                lanes = tuple((name, fresh if name == roll else one) for name, one in chain.lanes)
                again = Again(f"failed {roll}", Chain(roll, lanes, chain.stages))
                return _with_failures(chain, roll, lane), again
    return chain, None


def _with_failures(chain: Chain, roll: str, lane: Roll) -> Chain:
    """The chain with a token for each failed die that may still be rolled again."""
    if not lane.reroll:
        return chain.with_fail(roll, f"failed {roll}")
    gate = Gate(first_fails(lane) / chances(lane).fail, f"failed {roll}")
    failing = chain.with_fail(roll, f"{roll} not rolled again")
    lanes: list[tuple[str, Lane]] = [*failing.lanes, (f"{roll} not rolled again", gate)]
    return replace(failing, lanes=tuple(sorted(lanes, key=lambda named: named[0])))
