"""Reactions in a duel: commands that are steps of their own, as both ways of playing a duel read them."""

from __future__ import annotations

import numpy as np

from mathhammer.duel.commands import SIDES
from mathhammer.duel.fighter import Fighter
from mathhammer.duel.setup import Setup
from mathhammer.duel.states import Array, own_step
from mathhammer.duel.strikes import Strike
from mathhammer.engine.exact import end_states
from mathhammer.engine.result import Result
from mathhammer.games.turns import Reaction

ROLLS = range(1, 7)  # of a withdrawal


def in_use(setup: Setup, reaction: Reaction, round: int, turn: str) -> int | None:
    """The side that uses a reaction in this turn; None: neither does."""
    active = SIDES.index(turn)
    side = active if reaction.own_turn else 1 - active
    one, other = setup.fighters[side][0], setup.fighters[1 - side][0]
    used = any(use.command == reaction.command and use.when(round, turn, None) for use in one.commands)
    return side if used and not reaction.able(one.unit, other.unit) else None


def reactions_used(setup: Setup) -> set[str]:
    """What kinds of reactions the sides use at all."""
    uses = [use for side in setup.fighters for use in side[0].commands]
    found = (setup.turns.reaction(use.command) for use in uses)
    return {reaction.act for reaction in found if reaction is not None}


def reaches(reaction: Reaction, away: float) -> bool:
    """Whether the enemy is near enough, where the sides are apart."""
    return reaction.within is None or away <= reaction.within


def harm_of(setup: Setup, side: int, reaction: Reaction) -> Strike:
    """What a reaction does to the enemy of its user, from every state of it."""
    one, other = setup.fighters[side][0], setup.fighters[1 - side][0]
    numbers = np.where(one.states.models() > 0, 0, -1)
    return Strike(numbers, harm_step(reaction, one, other)[None], shift=False)


def harm_step(reaction: Reaction, user: Fighter, hurt: Fighter) -> Array:
    """What a reaction does to a unit: the chance to go from each of its states to each other."""
    harm = reaction.harm
    assert harm is not None

    def change(lost: int) -> dict[int, float]:
        plan = harm(user.unit, hurt.unit.with_lost(lost))
        return Result("", "", plan, end_states(plan)).lost.map(lambda more: lost + more).to_dict()

    return own_step(hurt.states, change)


def leaving_distance(setup: Setup, side: int) -> float:
    """How far from the enemy a unit stands after it has left combat by its Move."""
    given = setup.fighters[side][0].unit.stat("move")
    return setup.turns.reach + (0.0 if given is None else float(int(given.pmf().mean())))
