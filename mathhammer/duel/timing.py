"""When a command that a side has once in a battle is used: in the phase where it helps most."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.duel.commands import SIDES, Use
from mathhammer.duel.exact import run_exactly
from mathhammer.duel.result import read_moments
from mathhammer.duel.setup import Setup
from mathhammer.errors import BadInputError

MOST_ROUNDS = 10  # rounds among which the best is looked for


def at_the_best_time(setup: Setup) -> Setup:
    """The duel with commands that are used once in the one phase in which they help their side most: the best
    chance to win among all phases that were not ruled out. A time that is said stays.
    """
    for side in (0, 1):
        for place, use in enumerate(setup.fighters[side][0].commands):
            if use.command in setup.turns.once and not (use.round and use.turn):
                setup = max(
                    (_used(setup, side, place, when) for when in _times(setup, use)),
                    key=lambda one: _chance(one, side),
                )
    return setup


def check_once(setup: Setup) -> None:
    """Refuses a command twice that a side has once in a battle."""
    for side, fighters in zip(SIDES, setup.fighters, strict=True):
        names = [use.command for use in fighters[0].commands if use.command in setup.turns.once]
        if len(set(names)) < len(names):
            raise BadInputError(f"duel: {side}: {names[0]} is for one phase of the battle (name it once)")


def _times(setup: Setup, use: Use) -> list[Use]:
    """The phases in which it may be used, the earliest first."""
    rounds = [use.round] if use.round else range(1, min(setup.rounds, MOST_ROUNDS) + 1)
    turns = [use.turn] if use.turn else setup.order
    return [replace(use, round=number, turn=turn) for number in rounds for turn in turns]


def _used(setup: Setup, side: int, place: int, when: Use) -> Setup:
    fighter = setup.fighters[side][0]
    uses = (*fighter.commands[:place], when, *fighter.commands[place + 1 :])
    fighters = list(setup.fighters)
    fighters[side] = (replace(fighter, commands=uses),)
    # a setup remembers what it worked out: the copy begins anew
    return replace(setup, fighters=(fighters[0], fighters[1]), strikes={})


def _chance(setup: Setup, side: int) -> float:
    duel = read_moments(setup, run_exactly(setup), lambda: duel)
    return duel.p_win if side == 0 else duel.p_lose
