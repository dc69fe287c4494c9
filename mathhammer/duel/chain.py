"""The chain of an exact duel while it runs: the chances of all that both sides may have come to.

The mass is an array [place, models of a at the start of the turn, state of a, the same of b]. The models at
the start of a turn matter only where units test for the models slain in it; elsewhere that axis has length 1.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from mathhammer.dataclass import dataclass
from mathhammer.duel.attacks import strike_of
from mathhammer.duel.commands import SIDES
from mathhammer.duel.consequences import Falls, falls_of
from mathhammer.duel.fighter import Scene
from mathhammer.duel.moving import Line
from mathhammer.duel.setup import Setup
from mathhammer.duel.states import Array
from mathhammer.duel.strikes import Strike

# apart; in combat; since a charge of this turn; since a charge of the other side; apart since it left combat
APART, ENGAGED, CHARGED, COUNTERED, LEFT = range(5)


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """How things stand after a turn: joint chances of both sides' states, and of a charge made in this turn.

    `turn` is a or b, or "first" and "second" where players roll for who begins a round.
    """

    round: int
    turn: str
    states: Array  # [state of a, state of b]
    engaged: float
    charged: float


@dataclass(slots=True)
class Chain:
    """The chain while it runs."""

    setup: Setup
    mass: Array
    flights: tuple[Array | None, Array | None]
    line: Line
    charged: float = 0.0  # the chance that a charge was made in this turn
    ran: list[bool] = field(default_factory=lambda: [False, False])  # who moved as a reaction in this turn

    @property
    def close(self) -> tuple[int, ...]:
        """The places in which the sides are in combat."""
        return (ENGAGED, CHARGED, COUNTERED)[: max(2, len(self.mass) - 2)]

    def strike(self, attacker: int, place: int, strike: Strike | None, falls: Falls | None = None) -> None:
        """One side attacks wherever the mass stands in that place; `falls`: what the slain do in return."""
        if strike is None or strike.idle:
            return
        # a strikes b along the last axis; b strikes a along axis 1 of the place: turn the array, so that one
        # way serves both
        turned = self.mass[place] if attacker == 0 else self.mass[place].transpose(2, 3, 0, 1)
        for _ in range(strike.times):
            turned = self._struck(turned, strike, falls, 1 - attacker)
        self.mass[place] = turned if attacker == 0 else turned.transpose(2, 3, 0, 1)

    def _struck(self, turned: Array, strike: Strike, falls: Falls | None, target: int) -> Array:
        """The mass [models, state of the attacker, models, state of the target] after one attack."""
        if strike.own is None and falls is None:
            after = turned.copy()
            for number in range(len(strike.rows)):
                here = np.flatnonzero(strike.numbers == number)
                after[:, here] = turned[:, here] @ strike.matrix(number)
            return after
        # only where there is still somebody to attack does it cost anything
        end = self.setup.fighters[target][0].states.alive_states
        after = np.zeros_like(turned)
        after[..., end:] += turned[..., end:]
        gone = np.flatnonzero(strike.numbers < 0)
        after[:, gone, :, :end] += turned[:, gone, :, :end]
        fought = np.zeros_like(turned)
        for number in range(len(strike.rows)):
            here = np.flatnonzero(strike.numbers == number)
            alive, matrix = turned[:, here, :, :end], strike.matrix(number)[:end]
            if falls is None:
                fought[:, here] += alive @ matrix
                continue
            slain = falls.models[:end, None] - falls.models[None, :]
            for dead, step in enumerate(falls.after):
                part = alive @ np.where(slain == dead, matrix, 0.0)
                fought += np.moveaxis(np.tensordot(part, step[here], (1, 0)), -1, 1)
        if strike.own is not None:
            fought = np.moveaxis(np.tensordot(fought, strike.own, (1, 0)), -1, 1)
        return after + fought

    def both_alive(self, place: int) -> Array:
        """The part of the mass in which both sides are still there, as a view."""
        (one,), (other,) = self.setup.fighters
        ends = [fighter.states.alive_states for fighter in (one, other)]
        alive: Array = self.mass[place][:, : ends[0], :, : ends[1]]
        return alive

    def note_models(self, side: int) -> None:
        """Notes how many models a side has now, where it will be asked."""
        flight = self.flights[side]
        if flight is not None:
            self.forget_models(side)
            models = self.setup.fighters[side][0].states.models()
            axis = 1 + 2 * side
            flat = np.moveaxis(self.mass, (axis, axis + 1), (0, 1))[0]
            spread = np.zeros((len(flight), *flat.shape))
            spread[models, np.arange(len(models))] = flat
            self.mass = np.moveaxis(spread, (0, 1), (axis, axis + 1))

    def forget_models(self, side: int) -> None:
        """Whatever was noted does not matter any more."""
        if self.mass.shape[1 + 2 * side] > 1:
            self.mass = self.mass.sum(axis=1 + 2 * side, keepdims=True)

    def begin_turn(self) -> None:
        """Notes how many models each side has."""
        self.charged = 0.0
        self.ran = [False, False]
        self.line.still = [True, True]
        for side in (0, 1):
            self.note_models(side)

    def part(self, mass: Array, line: Line) -> Chain:
        """A part of the chain that goes on by itself, from another place."""
        return Chain(self.setup, mass, self.flights, line, ran=list(self.ran))

    def end_turn(self) -> None:
        """Everything is as at the start of a turn again."""
        for side in (0, 1):
            self.forget_models(side)
        for place in self.close[1:]:
            self.mass[ENGAGED] += self.mass[place]
            self.mass[place] = 0.0
        if len(self.mass) > LEFT:
            self.mass[APART] += self.mass[LEFT]
            self.mass[LEFT] = 0.0

    def joint(self) -> Array:
        """The chances of both sides' states."""
        joint: Array = self.mass.sum(axis=(0, 1, 3))
        return joint


# who began the round, and where the sides stood then
Chains = dict[tuple[str, float, float], Chain]


@dataclass(frozen=True, slots=True)
class Now:
    """Which turn it is: the round, and the side that has the turn."""

    round: int
    turn: str

    @property
    def active(self) -> int:
        """The number of the side that has the turn."""
        return SIDES.index(self.turn)


def attack(chain: Chain, side: int, place: int, scene: Scene, *, fought: bool = False) -> None:
    """One side attacks the other; `fought`: the other has fought already, so its slain do not."""
    strike = strike_of(chain.setup, side, 0, 0, scene)
    if strike is not None:
        chain.strike(side, place, strike, falls_of(chain.setup, side, (0, 0), scene, fought=fought))


def charge_into(chain: Chain, place: int, chance: float) -> None:
    """Moves the mass that is apart, and alive on both sides, into combat with a chance."""
    able, there = chain.both_alive(APART), chain.both_alive(place)
    moved = able * chance
    there += moved
    able -= moved
    chain.charged += float(moved.sum())
