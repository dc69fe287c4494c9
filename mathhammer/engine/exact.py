"""The exact engine: whole distributions, nothing sampled. It reads tables and landings and knows no game."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice.pmf import Pmf
from mathhammer.dice.sums import power, repeat
from mathhammer.engine.chain import Chain
from mathhammer.engine.landing import attack_pool, check_states, land, per_attack
from mathhammer.engine.lowest_first import lowest_first
from mathhammer.engine.plan import Packet, Plan, Target, Volley
from mathhammer.engine.queues import attack_by_attack, land_first_queue, one_attack, with_second_try
from mathhammer.engine.simplify import merged
from mathhammer.engine.table import compile_volley
from mathhammer.errors import TooLargeError

Array = NDArray[np.float64]
MOST_CELLS = 5_000_000  # queue lengths times states
MOST_WORK = 20_000_000_000  # multiplications in one pool


def end_states(plan: Plan) -> Array:
    """The chance of every state of the target after the whole action."""
    if plan.target.spills:
        return _pool_end(plan)
    start = np.zeros(land(plan.target).states)
    start[land(plan.target).start] = 1.0
    return walk_from(plan, start)


# --- damage that pools ------------------------------------------------------------------------------------


def pool(plan: Plan, cap: int | None) -> Array:
    """The distribution of the damage pool after wards; with `cap`, all above counts as `cap`."""
    _check_pool(plan, cap)
    total = np.ones(1)
    for volley in plan.volleys:
        if volley.again:
            harm = _pool_again(volley, cap)
        else:
            harm = _volley_pool(volley.attacks, volley.chain, volley.packets, cap)
        total = np.convolve(total, harm) if len(total) > 1 else harm
        if cap is not None and len(total) > cap + 1:
            total[cap] = total[cap:].sum()
            total = total[: cap + 1]
    return total


@lru_cache(maxsize=4096)
def _volley_pool(attacks: Pmf, chain: Chain, packets: tuple[Packet, ...], cap: int | None) -> Array:
    one = attack_pool(chain, packets)
    counts = attacks.probs
    harm = power(one, len(counts) - 1, cap) if counts[-1] == 1.0 else repeat(one, counts, cap)
    return harm.copy() if harm is one else harm


def _pool_again(volley: Volley, cap: int | None) -> Array:
    """The pool of a volley with one more try where anything failed: all attacks and the try, but for those
    trials in which nothing failed.
    """
    if len(volley.again) > 1:
        raise TooLargeError("fight: two rules that each roll one die again are not worked out together")
    every = _volley_pool(volley.attacks, volley.chain, volley.packets, cap)
    flawless = _flawless(volley, cap)
    size = max(len(every), len(flawless))
    failed = np.zeros(size)
    failed[: len(every)] += every
    failed[: len(flawless)] -= flawless
    harm = np.convolve(failed, attack_pool(volley.again[0].chain, volley.packets))
    harm[: len(flawless)] += flawless
    return harm


def _flawless(volley: Volley, cap: int | None) -> Array:
    """The pool of the trials in which nothing failed; its sum is their chance."""
    one = attack_pool(volley.chain, volley.packets, without=volley.again[0].kind)
    counts = volley.attacks.probs
    return repeat(one, counts, cap)


def _pool_end(plan: Plan) -> Array:
    landing = land(plan.target)
    harm = pool(plan, landing.states - 1)
    end = np.zeros(landing.states)
    end[: len(harm)] = harm
    return end


def _check_pool(plan: Plan, cap: int | None) -> None:
    work = 0.0
    length = 1.0
    for volley in plan.volleys:
        attacks = len(volley.attacks) - 1
        points_each = len(per_attack(volley))
        full = attacks * (points_each - 1) + 1
        size = full if cap is None else min(full, cap + 1)
        fixed = volley.attacks.probs[-1] == 1.0
        work += size * size if fixed else attacks * size * points_each
        work += min(length, size) * max(length, size)
        length = length + size if cap is None else min(length + size, cap + 1)
    if work > MOST_WORK:
        raise TooLargeError(
            f'fight: exact needs {work:.0e} multiplications for this many attacks (use method="simulate")'
        )


# --- damage that is lost with the model it hits -----------------------------------------------------------


def walk_from(plan: Plan, start: Array) -> Array:
    """The chance of every state after an action without a pool, from a distribution of states, or from each
    row of many.
    """
    plan = merged(plan)
    queues = _queues(plan)
    _check_walk(plan, start, queues)
    mass = start.reshape((1,) * len(queues) + start.shape)
    for index, volley in enumerate(plan.volleys):
        if volley.apart:
            mass = _volley_apart(mass, volley, plan.target)
            continue
        axes = [axis for axis, (owner, _) in enumerate(queues) if owner == index]
        caps = [queues[axis][1].cap for axis in axes]
        if not volley.again:
            mass = attack_by_attack(mass, one_attack(volley, plan.target), volley.attacks, axes, caps)
        else:
            mass = with_second_try(mass, volley, plan.target, axes, caps)
    for _, packet in queues:
        mass = land_first_queue(mass, packet, plan.target)
    return mass


def _queues(plan: Plan) -> list[tuple[int, Packet]]:
    """Queued packets with the volley they come from, in the order in which they land."""
    queues = [
        (index, packet)
        for index, volley in enumerate(plan.volleys)
        for packet in volley.packets
        if packet.rank is not None and not volley.apart
    ]
    return sorted(queues, key=lambda queue: queue[1].rank or 0)


def _check_walk(plan: Plan, start: Array, queues: list[tuple[int, Packet]]) -> None:
    check_states(plan.target)
    lengths = []
    for index, packet in queues:
        volley = plan.volleys[index]
        column = [p.kind for p in volley.packets].index(packet.kind)
        most = (len(volley.attacks) - 1) * int(compile_volley(volley).packets[:, column].max())
        lengths.append(1 + (most if packet.cap is None else min(most, packet.cap)))
    _check_cells(prod(lengths) * start.size)


def _check_cells(cells: int) -> None:
    if cells > MOST_CELLS:
        raise TooLargeError(
            f'fight: exact needs {round(cells / 1e6)} million states for this target (use method="simulate")'
        )


# --- volleys whose packets land before the next one begins ------------------------------------------------

NOBODY = Target((), ())  # a target without a state to be in: only packets are counted


def _volley_apart(mass: Array, volley: Volley, target: Target) -> Array:
    """The mass after a volley and all its packets, rank after rank."""
    if any(len(packet.picks) > 1 and not packet.saves for packet in volley.packets):
        return _volley_with_picks(mass, volley, target)
    waiting = sorted((p for p in volley.packets if p.rank is not None), key=lambda p: p.rank or 0)
    if len(waiting) < len(volley.packets) or not waiting:
        mass = _volley(mass.reshape((1,) * len(waiting) + mass.shape), volley, target, len(waiting))
        for packet in waiting:
            mass = land_first_queue(mass, packet, target)
        return mass
    numbers = _numbers_of(volley)
    first, *others = waiting
    _check_cells(mass.size * max(len(numbers), numbers.size // len(numbers)))
    if first.saves:
        mass = np.tensordot(numbers, lowest_first(mass, first, target, len(numbers) - 1), axes=([0], [0]))
    else:
        mass = land_first_queue(numbers.reshape(*numbers.shape, *[1] * mass.ndim) * mass, first, target)
    for packet in others:
        mass = _all_of(mass, packet, target)
    return mass


def _volley_with_picks(mass: Array, volley: Volley, target: Target) -> Array:
    """The same where the state at the start settles which track its packets pick."""
    landing = land(target)
    picks = max((packet.picks for packet in volley.packets), key=len)
    free = np.ones(landing.states, dtype=np.bool_)
    total = np.zeros_like(mass)
    for pick in picks:
        here = free & (landing.group[pick] >= 0)
        free &= ~here
        total = total + _volley_apart(np.where(here, mass, 0.0), _picking(volley, (pick,)), target)
    return total + _volley_apart(np.where(free, mass, 0.0), _picking(volley, ()), target)


def _picking(volley: Volley, picks: tuple[int, ...]) -> Volley:
    packets = tuple(replace(p, picks=picks if p.picks else ()) for p in volley.packets)
    return replace(volley, packets=packets)


def _volley(mass: Array, volley: Volley, target: Target, queues: int) -> Array:
    """All attacks of a volley whose queues lie on the first axes."""
    axes = list(range(queues))
    caps = [packet.cap for packet in volley.packets if packet.rank is not None]
    if volley.again:
        return with_second_try(mass, volley, target, axes, caps)
    return attack_by_attack(mass, one_attack(volley, target), volley.attacks, axes, caps)


@lru_cache(maxsize=4096)
def _numbers_of(volley: Volley) -> Array:
    """How many packets of each kind a volley has, jointly; whatever the target."""
    kinds = len(volley.packets)
    numbers: Array = _volley(np.ones((1,) * kinds + (1,)), volley, NOBODY, kinds)[..., 0]
    return numbers


def _all_of(mass: Array, packet: Packet, target: Target) -> Array:
    """Lands the packets of the first queue; the axis is gone afterwards."""
    if not packet.saves:
        return land_first_queue(mass, packet, target)
    landed = lowest_first(mass, packet, target, len(mass) - 1)
    every: Array = np.einsum("nn...->...", landed)
    return every
