"""A duel of two units as a Markov chain over both sides' losses: nothing sampled. A turn is a fold over the
steps of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.duel.chain import (
    APART,
    CHARGED,
    COUNTERED,
    ENGAGED,
    Chain,
    Chains,
    Moment,
    Now,
    attack,
    charge_into,
)
from mathhammer.duel.commands import SIDES
from mathhammer.duel.fighter import Scene
from mathhammer.duel.moving import Line, charge_chance
from mathhammer.duel.reacting import react
from mathhammer.duel.reactions import reactions_used
from mathhammer.duel.setup import Setup, other_side
from mathhammer.duel.states import Array
from mathhammer.duel.upkeep import flight_of, help_of
from mathhammer.errors import TooLargeError
from mathhammer.games.turns import FIRST, Charge, Fight, HelpItself, Move, Shoot, Tests

MOST_CELLS = 5_000_000
MOST_CHAINS = 600  # places at which the sides may stand
SETTLED = 1e-12  # with less than this undecided, a duel without a last round is over


def run_exactly(setup: Setup) -> list[Moment]:
    """The duel turn by turn."""
    (one,), (other,) = setup.fighters
    flights = (flight_of(setup, 0, 0), flight_of(setup, 1, 0))
    sizes = [1 if flight is None else len(flight) for flight in flights]
    places = 5 if {"charge", "leave"} & reactions_used(setup) else 3
    shape = (places, sizes[0], one.states.number, sizes[1], other.states.number)
    if prod(shape) > MOST_CELLS:
        raise TooLargeError(
            f"duel: exact needs {round(prod(shape) / 1e6)} million states for these units (use "
            'method="simulate")'
        )
    start = np.zeros((places, 1, one.states.number, 1, other.states.number))
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
            seen = []
            after: Chains = {}
            for (leader, *_), chain in chains.items():
                moment, parts = _turn(chain, number, leader if place == 0 else other_side(leader))
                seen.append(moment)
                for one_part in parts:
                    _gather(after, leader, one_part)
            chains = after
            if again is None:
                seen = [_together(seen, seen[0].turn)]
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
            _gather(rolled, leader, chain.part(mass, Line(list(chain.line.places))))
    return rolled


def _gather(chains: Chains, leader: str, chain: Chain) -> None:
    """Adds a chain to others: those in which the sides stand at the same places go on together."""
    key = (leader, chain.line.places[0], chain.line.places[1])
    if key in chains:
        chains[key].mass = chains[key].mass + chain.mass
    else:
        chains[key] = chain
    if len(chains) > MOST_CHAINS:
        raise TooLargeError(
            'duel: the sides may stand at too many distances for exact (use method="simulate")'
        )


# --- the steps of a turn ----------------------------------------------------------------------------------


def _turn(chain: Chain, number: int, turn: str) -> tuple[Moment, list[Chain]]:
    """One turn of a side: the steps of the game, one after the other, with the reactions around them. The
    chain may come apart where the sides can stand at different places.
    """
    chain.begin_turn()
    chains, now = [chain], Now(number, turn)
    for step in chain.setup.turns.steps:
        chains = [part for one in chains for part in react(one, step, now, before=True)]
        for one in chains:
            STEPS[type(step)](one, step, now)
        chains = [part for one in chains for part in react(one, step, now, before=False)]
    for one in chains:
        one.end_turn()
    moment = Moment(
        number,
        turn,
        sum((one.joint() for one in chains), np.zeros_like(chains[0].joint())),
        sum(float(one.both_alive(ENGAGED).sum()) for one in chains),
        sum(one.charged for one in chains),
    )
    return moment, chains


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


def help_itself(chain: Chain, _: HelpItself, now: Now) -> None:
    """The active side rallies or heals, as long as there is an enemy."""
    axis = 1 if now.active == 0 else 3
    for place in (APART, *chain.close):
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
    for place in (APART, *chain.close):
        if chain.mass[place].any():
            close = place != APART
            scene = Scene(
                "ranged",
                now.round,
                now.turn,
                engaged=close,
                distance=chain.line.away,
                still=close or chain.line.still[now.active],
            )
            attack(chain, now.active, place, scene)


def charge(chain: Chain, _: Charge, now: Now) -> None:
    """Moves the mass that is apart, and alive on both sides, into combat with the chance of the roll."""
    setup, one = chain.setup, chain.setup.fighters[now.active][0]
    if one.charges and one.melee:
        chance = charge_chance(setup, now.active, now.round, now.turn, chain.line.away)
        charge_into(chain, CHARGED, chance)
    if now.round == 1 and setup.engaged_at_start and one.charged:
        chain.mass[CHARGED], chain.mass[ENGAGED] = chain.mass[ENGAGED].copy(), 0.0


def fight(chain: Chain, step: Fight, now: Now) -> None:
    """Both sides strike, in the order of the game."""
    fighters, charge_step = chain.setup.fighters, chain.setup.turns.step(Charge)
    for place in chain.close:
        if not chain.mass[place].any():
            continue
        order = []
        for side in (0, 1):
            charged = place == (CHARGED if side == now.active else COUNTERED)
            first = charged and charge_step is not None and charge_step.strikes_first
            rank = (
                FIRST
                if first
                else step.rank(
                    fighters[side][0].unit, fighters[1 - side][0].unit, charged, chain.setup.all_options
                )
            )
            order.append((rank, (side == now.active) != step.active_first, side, charged))
        for turn, (_, _, side, charged) in enumerate(sorted(order)):
            scene = Scene(
                "melee",
                now.round,
                now.turn,
                engaged=True,
                charged=charged,
                target_charged=place != ENGAGED and not charged,
            )
            attack(chain, side, place, scene, fought=turn == 1)


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
