"""A duel of two units as a Markov chain over both sides' losses: nothing sampled.

The mass is an array [place, models of a at the start of the turn, state of a, the same of b]. A place is:
apart, in combat, or in combat since a charge of this turn. The models at the start of a turn matter only
where units test for the models slain in it; elsewhere that axis has length 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from mathhammer.duel.commands import SIDES
from mathhammer.duel.fighter import Scene
from mathhammer.duel.setup import Setup
from mathhammer.duel.strikes import Array, Law
from mathhammer.errors import BadInputError, TooLargeError

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
    flees: tuple[Array | None, Array | None]
    charged: float = 0.0

    def strike(self, attacker: int, place: int, law: Law | None) -> None:
        """One side attacks wherever the mass stands in that place."""
        if law is None or law.idle:
            return
        # a strikes b along the last axis; b strikes a along axis 1 of the place: turn the array, so that one
        # way serves both
        turned = self.mass[place] if attacker == 0 else self.mass[place].transpose(2, 3, 0, 1)
        after = turned.copy()
        for one in range(len(law.rows)):
            here = np.flatnonzero(law.numbers == one)
            after[:, here] = turned[:, here] @ law.matrix(one)
        self.mass[place] = after if attacker == 0 else after.transpose(2, 3, 0, 1)

    def help_itself(self, side: int, place: int, step: Array | None) -> None:
        """A side rallies or heals, as long as there is an enemy."""
        if step is not None:
            axis = 1 if side == 0 else 3
            alive = self.both_alive(place)
            size = alive.shape[axis]
            alive[...] = np.moveaxis(np.tensordot(alive, step[:size, :size], (axis, 0)), -1, axis)

    def both_alive(self, place: int) -> Array:
        """The part of the mass in which both sides are still there, as a view."""
        (one,), (other,) = self.setup.fighters
        ends = [fighter.states.number - fighter.states.uses - 1 for fighter in (one, other)]
        alive: Array = self.mass[place][:, : ends[0], :, : ends[1]]
        return alive

    def begin_turn(self) -> None:
        """Notes how many models each side has, where it will be asked."""
        for side, law in enumerate(self.flees):
            if law is not None:
                models = self.setup.fighters[side][0].states.models()
                axis = 1 + 2 * side
                flat = np.moveaxis(self.mass, (axis, axis + 1), (0, 1))[0]
                spread = np.zeros((len(law), *flat.shape))
                spread[models, np.arange(len(models))] = flat
                self.mass = np.moveaxis(spread, (0, 1), (axis, axis + 1))

    def end_turn(self) -> None:
        """Battleshock, and everything is as at the start of a turn again."""
        for side, law in enumerate(self.flees):
            if law is not None:
                axis = 1 + 2 * side
                self.mass = _after_flight(
                    self.mass, axis, law, self.setup.fighters[side][0].states.models(), self._falls(side)
                )
        self.mass[ENGAGED] += self.mass[CHARGED]
        self.mass[CHARGED] = 0.0

    def _falls(self, side: int) -> NDArray[np.int64]:
        return self.setup.fighters[side][0].states.at_models()

    def joint(self) -> Array:
        """The chances of both sides' states."""
        joint: Array = self.mass.sum(axis=(0, 1, 3))
        return joint


def _after_flight(
    mass: Array, axis: int, law: Array, models: NDArray[np.int64], falls: NDArray[np.int64]
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
            for fled, chance in enumerate(law[slain, left, : left + 1]):
                if chance > 0.0:
                    after[0, state if fled == 0 else falls[left - fled]] += chance * cell
    return np.moveaxis(after, (0, 1), (axis, axis + 1))


def run_exactly(setup: Setup) -> list[Moment]:
    """The duel turn by turn."""
    (one,), (other,) = setup.fighters
    if setup.priority == "roll" and any(fighter.approaches for fighter in (one, other)):
        raise BadInputError(
            'duel: approach together with priority "roll" is not worked out exactly (use method="simulate")'
        )
    flees = (setup.flees(0, 0), setup.flees(1, 0))
    sizes = [1 if law is None else len(law) for law in flees]
    shape = (3, sizes[0], one.states.number, sizes[1], other.states.number)
    if prod(shape) > MOST_CELLS:
        raise TooLargeError(
            f"duel: exact needs {round(prod(shape) / 1e6)} million states for these units (use "
            'method="simulate")'
        )
    start = np.zeros((3, 1, one.states.number, 1, other.states.number))
    begin = ENGAGED if setup.engaged_at_start else APART
    start[begin, 0, one.states.start(one.lost), 0, other.states.start(other.lost)] = 1.0
    chains = {setup.first: Chain(setup, start, flees)}
    again = setup.turns.again if setup.priority == "roll" else None
    moments: list[Moment] = []
    gone = [fighter.states.models() == 0 for fighter in (one, other)]
    for number, away in enumerate(setup.distances(), 1):
        if again is not None and number > 1:
            chains = _rolled(chains, again)
        for place in (0, 1):
            told = []
            for leader, chain in chains.items():
                turn = leader if place == 0 else "b" if leader == "a" else "a"
                told.append(_turn(chain, number, turn, away[place]))
            moments.append(told[0] if again is None else _together(told, ("first", "second")[place]))
        if setup.open_end and moments[-1].states[np.ix_(~gone[0], ~gone[1])].sum() < SETTLED:
            break
    return moments


def _together(told: list[Moment], turn: str) -> Moment:
    """One moment of the chains in which a began the round and in which b did."""
    joint = sum((moment.states for moment in told), np.zeros_like(told[0].states))
    return Moment(told[0].round, turn, joint, sum(m.engaged for m in told), sum(m.charged for m in told))


def _rolled(chains: dict[str, Chain], again: float) -> dict[str, Chain]:
    """Whoever began the last round begins this one with that chance."""
    model = next(iter(chains.values()))
    found = {}
    for leader in SIDES:
        mass = sum(
            (chain.mass * (again if was == leader else 1.0 - again) for was, chain in chains.items()),
            np.zeros_like(model.mass),
        )
        found[leader] = Chain(model.setup, mass, model.flees)
    return found


def _turn(chain: Chain, number: int, turn: str, away: float) -> Moment:
    """One turn of a side: help itself, shoot, charge, fight, tests."""
    setup, active = chain.setup, SIDES.index(turn)
    one = setup.fighters[active][0]
    chain.begin_turn()
    for place in (APART, ENGAGED):
        chain.help_itself(active, place, setup.own(active, 0, engaged=place == ENGAGED))
    for place in (APART, ENGAGED):
        scene = Scene("ranged", number, turn, engaged=place == ENGAGED, distance=away)
        if chain.mass[place].any():
            chain.strike(active, place, setup.law(active, 0, 0, scene))
    made = _charge(chain, number, turn, away) if one.charges and one.melee else 0.0
    if number == 1 and setup.engaged_at_start and one.charged:
        chain.mass[CHARGED], chain.mass[ENGAGED] = chain.mass[ENGAGED].copy(), 0.0
    for place in (ENGAGED, CHARGED):
        if chain.mass[place].any():
            _fight(chain, number, turn, place)
    chain.end_turn()
    return Moment(number, turn, chain.joint(), float(chain.both_alive(ENGAGED).sum()), made)


def _charge(chain: Chain, number: int, turn: str, away: float) -> float:
    """Moves the mass that is apart, and alive on both sides, into combat with the chance of the roll."""
    setup = chain.setup
    chance = setup.charge_chance(SIDES.index(turn), number, turn, away)
    able, there = chain.both_alive(APART), chain.both_alive(CHARGED)
    moved = able * chance
    there += moved
    able -= moved
    return float(moved.sum())


def _fight(chain: Chain, number: int, turn: str, place: int) -> None:
    setup, active = chain.setup, SIDES.index(turn)
    charged = place == CHARGED
    ranks = [
        (setup.rank(side, 0, charged and side == active), (side == active) != setup.turns.active_first, side)
        for side in (0, 1)
    ]
    for _, _, side in sorted(ranks):
        mine, theirs = charged and side == active, charged and side != active
        scene = Scene("melee", number, turn, engaged=True, charged=mine, target_charged=theirs)
        chain.strike(side, place, setup.law(side, 0, 0, scene))
