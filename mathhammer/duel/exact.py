"""A duel of two units as a Markov chain over both sides' losses: nothing sampled. A turn is a fold over the
steps of the game.

The mass is an array [place, models of a at the start of the turn, state of a, the same of b]. A place is:
apart, in combat, or in combat since a charge of this turn. The models at the start of a turn matter only
where units test for the models slain in it; elsewhere that axis has length 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.duel.attacks import strike_of
from mathhammer.duel.commands import SIDES
from mathhammer.duel.fighter import Scene
from mathhammer.duel.moving import Line, charge_chance
from mathhammer.duel.setup import Setup, other_side
from mathhammer.duel.states import Array
from mathhammer.duel.strikes import Strike
from mathhammer.duel.upkeep import flight_of, help_of
from mathhammer.errors import TooLargeError
from mathhammer.games.turns import FIRST, Charge, Fight, HelpItself, Move, Shoot, Tests

APART, ENGAGED, CHARGED = 0, 1, 2
MOST_CELLS = 5_000_000
SETTLED = 1e-12  # with less than this undecided, a duel without a last round is over


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

    def strike(self, attacker: int, place: int, strike: Strike | None) -> None:
        """One side attacks wherever the mass stands in that place."""
        if strike is None or strike.idle:
            return
        # a strikes b along the last axis; b strikes a along axis 1 of the place: turn the array, so that one
        # way serves both
        turned = self.mass[place] if attacker == 0 else self.mass[place].transpose(2, 3, 0, 1)
        after = turned.copy()
        for number in range(len(strike.rows)):
            here = np.flatnonzero(strike.numbers == number)
            after[:, here] = turned[:, here] @ strike.matrix(number)
        self.mass[place] = after if attacker == 0 else after.transpose(2, 3, 0, 1)

    def both_alive(self, place: int) -> Array:
        """The part of the mass in which both sides are still there, as a view."""
        (one,), (other,) = self.setup.fighters
        ends = [fighter.states.number - fighter.states.uses - 1 for fighter in (one, other)]
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
        for side in (0, 1):
            self.note_models(side)

    def end_turn(self) -> None:
        """Everything is as at the start of a turn again."""
        for side in (0, 1):
            self.forget_models(side)
        self.mass[ENGAGED] += self.mass[CHARGED]
        self.mass[CHARGED] = 0.0

    def joint(self) -> Array:
        """The chances of both sides' states."""
        joint: Array = self.mass.sum(axis=(0, 1, 3))
        return joint


# who began the round, and where the sides stood then
Chains = dict[tuple[str, float, float], Chain]


def _after_flight(
    mass: Array, axis: int, flight: Array, models: NDArray[np.int64], falls: NDArray[np.int64]
) -> Array:
    shape = list(mass.shape)
    shape[axis] = 1
    after = np.moveaxis(np.zeros(shape), (axis, axis + 1), (0, 1))
    before = np.moveaxis(mass, (axis, axis + 1), (0, 1))
    for start in range(len(before)):
        for state in range(before.shape[1]):
            cell = before[start, state]
            left = int(models[state])
            if not cell.any():
                continue
            slain = start - left
            if left == 0 or slain <= 0:
                after[0, state] += cell
                continue
            for fled, chance in enumerate(flight[slain, left, : left + 1]):
                if chance > 0.0:
                    after[0, state if fled == 0 else falls[left - fled]] += chance * cell
    return np.moveaxis(after, (0, 1), (axis, axis + 1))


def run_exactly(setup: Setup) -> list[Moment]:
    """The duel turn by turn."""
    (one,), (other,) = setup.fighters
    flights = (flight_of(setup, 0, 0), flight_of(setup, 1, 0))
    sizes = [1 if flight is None else len(flight) for flight in flights]
    shape = (3, sizes[0], one.states.number, sizes[1], other.states.number)
    if prod(shape) > MOST_CELLS:
        raise TooLargeError(
            f"duel: exact needs {round(prod(shape) / 1e6)} million states for these units (use "
            'method="simulate")'
        )
    start = np.zeros((3, 1, one.states.number, 1, other.states.number))
    begin = ENGAGED if setup.engaged_at_start else APART
    start[begin, 0, one.states.start(one.lost), 0, other.states.start(other.lost)] = 1.0
    line = Line.start(setup)
    chains: Chains = {(setup.first, line.places[0], line.places[1]): Chain(setup, start, flights, line)}
    again = setup.turns.p_same_player_first if setup.priority == "roll" else None
    moments: list[Moment] = []
    gone = [fighter.states.models() == 0 for fighter in (one, other)]
    for number in range(1, setup.rounds + 1):
        if again is not None and number > 1:
            chains = _rolled(chains, again)
        for place in (0, 1):
            seen = [
                _turn(chain, number, leader if place == 0 else other_side(leader))
                for (leader, *_), chain in chains.items()
            ]
            moments.append(seen[0] if again is None else _together(seen, ("first", "second")[place]))
        if setup.open_end and moments[-1].states[np.ix_(~gone[0], ~gone[1])].sum() < SETTLED:
            break
    return moments


def _together(seen: list[Moment], turn: str) -> Moment:
    """One moment of the chains in which a began the round and in which b did."""
    joint = sum((moment.states for moment in seen), np.zeros_like(seen[0].states))
    return Moment(seen[0].round, turn, joint, sum(m.engaged for m in seen), sum(m.charged for m in seen))


def _rolled(chains: Chains, again: float) -> Chains:
    """Whoever began the last round begins this one with that chance; the order of turns may have led the
    sides to different places.
    """
    rolled: Chains = {}
    for (was, *_), chain in chains.items():
        for leader in SIDES:
            mass = chain.mass * (again if was == leader else 1.0 - again)
            key = (leader, chain.line.places[0], chain.line.places[1])
            if key in rolled:
                rolled[key].mass = rolled[key].mass + mass
            else:
                rolled[key] = Chain(chain.setup, mass, chain.flights, Line(list(chain.line.places)))
    return rolled


# --- the steps of a turn ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Now:
    """Which turn it is: the round, and the side that has the turn."""

    round: int
    turn: str

    @property
    def active(self) -> int:
        """The number of the side that has the turn."""
        return SIDES.index(self.turn)


def _turn(chain: Chain, number: int, turn: str) -> Moment:
    """One turn of a side: the steps of the game, one after the other."""
    chain.begin_turn()
    for step in chain.setup.turns.steps:
        STEPS[type(step)](chain, step, Now(number, turn))
    chain.end_turn()
    return Moment(number, turn, chain.joint(), float(chain.both_alive(ENGAGED).sum()), chain.charged)


def help_itself(chain: Chain, _: HelpItself, now: Now) -> None:
    """The active side rallies or heals, as long as there is an enemy."""
    axis = 1 if now.active == 0 else 3
    for place in (APART, ENGAGED, CHARGED):
        step = help_of(chain.setup, now.active, 0, engaged=place != APART)
        if step is not None and chain.mass[place].any():
            alive = chain.both_alive(place)
            size = alive.shape[axis]
            alive[...] = np.moveaxis(np.tensordot(alive, step[:size, :size], (axis, 0)), -1, axis)
    chain.note_models(now.active)  # models that came back count as there from the start


def move(chain: Chain, _: Move, now: Now) -> None:
    """The active side comes nearer, if the sides are apart."""
    chain.line.move(chain.setup, now.active)


def shoot(chain: Chain, _: Shoot, now: Now) -> None:
    """The active side shoots, from afar or in combat."""
    for place in (APART, ENGAGED, CHARGED):
        if chain.mass[place].any():
            scene = Scene("ranged", now.round, now.turn, engaged=place != APART, distance=chain.line.away)
            chain.strike(now.active, place, strike_of(chain.setup, now.active, 0, 0, scene))


def charge(chain: Chain, _: Charge, now: Now) -> None:
    """Moves the mass that is apart, and alive on both sides, into combat with the chance of the roll."""
    setup, one = chain.setup, chain.setup.fighters[now.active][0]
    if one.charges and one.melee:
        chance = charge_chance(setup, now.active, now.round, now.turn, chain.line.away)
        able, there = chain.both_alive(APART), chain.both_alive(CHARGED)
        moved = able * chance
        there += moved
        able -= moved
        chain.charged = float(moved.sum())
    if now.round == 1 and setup.engaged_at_start and one.charged:
        chain.mass[CHARGED], chain.mass[ENGAGED] = chain.mass[ENGAGED].copy(), 0.0


def fight(chain: Chain, step: Fight, now: Now) -> None:
    """Both sides strike, in the order of the game."""
    fighters, charge_step = chain.setup.fighters, chain.setup.turns.step(Charge)
    for place in (ENGAGED, CHARGED):
        if not chain.mass[place].any():
            continue
        order = []
        for side in (0, 1):
            charged = place == CHARGED and side == now.active
            first = charged and charge_step is not None and charge_step.strikes_first
            rank = FIRST if first else step.rank(fighters[side][0].unit)
            order.append((rank, (side == now.active) != step.active_first, side, charged))
        for _, _, side, charged in sorted(order):
            scene = Scene(
                "melee",
                now.round,
                now.turn,
                engaged=True,
                charged=charged,
                target_charged=place == CHARGED and not charged,
            )
            chain.strike(side, place, strike_of(chain.setup, side, 0, 0, scene))


def flee(chain: Chain, _: Tests, __: Now) -> None:
    """Units that lost models test."""
    for side, flight in enumerate(chain.flights):
        if flight is not None:
            states = chain.setup.fighters[side][0].states
            falls = states.at_models() * (states.uses + 1)
            chain.mass = _after_flight(chain.mass, 1 + 2 * side, flight, states.models(), falls)


STEPS: dict[type, Callable[[Chain, Any, Now], None]] = {
    HelpItself: help_itself,
    Move: move,
    Shoot: shoot,
    Charge: charge,
    Fight: fight,
    Tests: flee,
}
