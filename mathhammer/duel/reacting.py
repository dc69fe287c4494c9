"""Reactions in an exact duel: what each of them does to the chain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mathhammer.duel.chain import APART, CHARGED, COUNTERED, ENGAGED, LEFT, Chain, Now, attack, charge_into
from mathhammer.duel.consequences import falls_of
from mathhammer.duel.fighter import Scene
from mathhammer.duel.moving import Line, charge_chance
from mathhammer.duel.reactions import ROLLS, harm_of, harm_step, in_use, leaving_distance, reaches
from mathhammer.games.turns import Reaction


def react(chain: Chain, step: Any, now: Now, *, before: bool) -> list[Chain]:
    """The reactions that come before or after a step, for whoever uses them; the parts of the chain."""
    chains = [chain]
    for reaction in chain.setup.turns.reactions:
        if not isinstance(step, reaction.step) or reaction.before != before:
            continue
        side = in_use(chain.setup, reaction, now.round, now.turn)
        if side is not None:
            chains = [part for one in chains for part in ACTS[reaction.act](one, reaction, side, now)]
    return chains


def react_by_shooting(chain: Chain, reaction: Reaction, side: int, now: Now) -> list[Chain]:
    """A side shoots out of turn at an enemy that it is apart from."""
    away = chain.line.away
    if not chain.ran[side] and reaches(reaction, away) and chain.setup.fighters[side][0].shooting():
        scene = Scene("ranged", now.round, now.turn, engaged=False, distance=away, reaction=reaction.command)
        attack(chain, side, APART, scene)
    return [chain]


def react_by_harm(chain: Chain, reaction: Reaction, side: int, now: Now) -> list[Chain]:
    """Dice of a side hurt the enemy: from afar, or after its charge."""
    apart = reaction.when == "apart"
    if apart and not reaches(reaction, chain.line.away):
        return [chain]
    place = APART if apart else CHARGED if side == now.active else COUNTERED
    scene = Scene("ranged", now.round, now.turn, engaged=not apart, distance=chain.line.away)
    falls = falls_of(chain.setup, side, (0, 0), scene, fought=True)
    chain.strike(side, place, harm_of(chain.setup, side, reaction), falls)
    return [chain]


def react_by_charging(chain: Chain, _: Reaction, side: int, now: Now) -> list[Chain]:
    """A side charges in the enemy's turn."""
    one = chain.setup.fighters[side][0]
    if one.melee and not chain.ran[side]:
        chance = charge_chance(chain.setup, side, now.round, now.turn, chain.line.away)
        charge_into(chain, COUNTERED, chance)
    return [chain]


def react_by_leaving(chain: Chain, reaction: Reaction, side: int, _: Now) -> list[Chain]:
    """A side leaves combat: that part goes on from where it then stands."""
    mass = np.zeros_like(chain.mass)
    here = chain.both_alive(ENGAGED)
    mass[LEFT][tuple(slice(length) for length in here.shape)] = here
    here[...] = 0.0
    if reaction.harm is not None:
        one = chain.setup.fighters[side][0]
        axis, step = 1 + 2 * side, harm_step(reaction, one, one)
        mass[LEFT] = np.moveaxis(np.tensordot(mass[LEFT], step, (axis, 0)), -1, axis)
    away = leaving_distance(chain.setup, side)
    enemy = chain.line.places[1 - side]
    places = [enemy - away, enemy] if side == 0 else [enemy, enemy + away]
    return [chain, chain.part(mass, Line(places))]


def react_by_withdrawing(chain: Chain, _: Reaction, side: int, __: Now) -> list[Chain]:
    """A side moves D6 inches away from an enemy that it is apart from."""
    parts = []
    for roll in ROLLS:
        places = list(chain.line.places)
        places[side] += -roll if side == 0 else roll
        part = chain.part(chain.mass / len(ROLLS), Line(places, list(chain.line.still)))
        part.ran[side] = True
        parts.append(part)
    return parts


ACTS: dict[str, Callable[[Chain, Reaction, int, Now], list[Chain]]] = {
    "shoot": react_by_shooting,
    "hurt": react_by_harm,
    "charge": react_by_charging,
    "leave": react_by_leaving,
    "withdraw": react_by_withdrawing,
}
