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
from mathhammer.engine.landing import attack_pool, check_states, land, per_attack, step
from mathhammer.engine.lowest_first import lowest_first
from mathhammer.engine.plan import Packet, Plan, Target, Volley
from mathhammer.engine.simplify import merged
from mathhammer.engine.table import compile_volley, second_try
from mathhammer.errors import TooLargeError

Array = NDArray[np.float64]
MOST_CELLS = 5_000_000  # queue lengths times states
MOST_WORK = 20_000_000_000  # multiplications in one pool
NOTHING = 1e-17  # queue cells with less mass than this are cut


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

Steps = tuple[tuple[tuple[int, ...], Array], ...]


@lru_cache(maxsize=8192)
def one_attack(volley: Volley, target: Target) -> Steps:
    """One attack as matrices: what it does at once, split by how many packets it adds to each queue."""
    table = compile_volley(volley)
    grouped: dict[tuple[int, ...], Array] = {}
    size = land(target).states
    for chance, counts in zip(table.probs, table.packets.tolist(), strict=True):
        landing = counts[: len(volley.packets)]
        queued = tuple(
            n for n, packet in zip(landing, volley.packets, strict=True) if packet.rank is not None
        )
        queued += tuple(counts[len(volley.packets) :])  # failures that may be tried again
        matrix = np.eye(size)
        for number, packet in zip(landing, volley.packets, strict=True):
            if packet.rank is None and number:
                matrix = matrix @ np.linalg.matrix_power(step(packet, target), number)
        grouped[queued] = grouped.get(queued, 0.0) + chance * matrix
    return tuple(grouped.items())


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
            mass = _attack_by_attack(mass, one_attack(volley, plan.target), volley.attacks, axes, caps)
        else:
            mass = _with_second_try(mass, volley, plan.target, axes, caps)
    for _, packet in queues:
        mass = _empty(mass, step(packet, plan.target))
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
            mass = _empty(mass, step(packet, target))
        return mass
    numbers = _numbers_of(volley)
    first, *others = waiting
    _check_cells(mass.size * max(len(numbers), numbers.size // len(numbers)))
    if first.saves:
        mass = np.tensordot(numbers, lowest_first(mass, first, target, len(numbers) - 1), axes=([0], [0]))
    else:
        mass = _empty(numbers.reshape(*numbers.shape, *[1] * mass.ndim) * mass, step(first, target))
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
        return _with_second_try(mass, volley, target, axes, caps)
    return _attack_by_attack(mass, one_attack(volley, target), volley.attacks, axes, caps)


@lru_cache(maxsize=4096)
def _numbers_of(volley: Volley) -> Array:
    """How many packets of each kind a volley has, jointly; whatever the target."""
    kinds = len(volley.packets)
    numbers: Array = _volley(np.ones((1,) * kinds + (1,)), volley, NOBODY, kinds)[..., 0]
    return numbers


def _all_of(mass: Array, packet: Packet, target: Target) -> Array:
    """Lands the packets of the first queue; the axis is gone afterwards."""
    if not packet.saves:
        return _empty(mass, step(packet, target))
    landed = lowest_first(mass, packet, target, len(mass) - 1)
    every: Array = np.einsum("nn...->...", landed)
    return every


def _with_second_try(
    mass: Array, volley: Volley, target: Target, axes: list[int], caps: list[int | None]
) -> Array:
    """The volley, then each further try where anything failed: queues in front that know none or some."""
    tries = len(volley.again)
    shifted = [axis + tries for axis in axes]
    tried = _attack_by_attack(
        mass.reshape((1,) * tries + mass.shape),
        one_attack(volley, target),
        volley.attacks,
        [*shifted, *range(tries)],
        [*caps, *[1] * tries],
    )
    for place in range(tries):
        left = tries - place - 1
        one = one_attack(second_try(volley, place), target)
        if len(tried) == 1:
            tried = tried[0]
            continue
        again = _attack(tried[1], one, [*(axis + left for axis in axes), *range(left)], [*caps, *[1] * left])
        tried = _add(tried[0], again)
    return tried


def _attack_by_attack(
    mass: Array, steps: Steps, attacks: Pmf, axes: list[int], caps: list[int | None]
) -> Array:
    counts = attacks.probs
    total: Array | None = None
    for n in range(len(counts)):
        if counts[n] > 0.0:
            total = counts[n] * mass if total is None else _add(total, counts[n] * mass)
        if n + 1 < len(counts):
            mass = _attack(mass, steps, axes, caps)
    assert total is not None
    return total


def _attack(mass: Array, steps: Steps, axes: list[int], caps: list[int | None]) -> Array:
    """The mass over [queue lengths ..., state] after one attack more, whose queues lie on these axes.

    An outcome does two things: its packets that land at once move the states (`mass @ matrix`, on the last
    axis), and those that wait make queues longer. n packets more in a queue is a shift by n along its axis:
    all mass is added to a window of the same shape that begins at n instead of 0. So the result grows along
    each axis by the most packets that any outcome adds to that queue.
    """
    if not axes:
        return mass @ steps[0][1]
    grown = list(mass.shape)
    for place, axis in enumerate(axes):
        grown[axis] += max(queued[place] for queued, _ in steps)
    result = np.zeros(grown)
    for queued, matrix in steps:
        window = [slice(0, length) for length in mass.shape]
        for place, axis in enumerate(axes):
            window[axis] = slice(queued[place], queued[place] + mass.shape[axis])
        result[tuple(window)] += mass @ matrix
    for axis, cap in zip(axes, caps, strict=True):
        result = _fold(result, axis, cap)
    return result


def _fold(mass: Array, axis: int, cap: int | None) -> Array:
    """Cuts the far end of a queue where no mass is, and what lies beyond its cap into the cap."""
    front = np.moveaxis(mass, axis, 0)
    if cap is not None and len(front) > cap + 1:
        front[cap] += front[cap + 1 :].sum(axis=0)
        front = front[: cap + 1]
    size = len(front)
    while size > 1 and front[size - 1].sum() < NOTHING:
        size -= 1
    return np.moveaxis(front[:size], 0, axis)


def _add(a: Array, b: Array) -> Array:
    if a.shape == b.shape:
        return a + b
    shape = tuple(max(pair) for pair in zip(a.shape, b.shape, strict=True))
    total = np.zeros(shape)
    total[tuple(map(slice, a.shape))] += a
    total[tuple(map(slice, b.shape))] += b
    return total


def _empty(mass: Array, matrix: Array) -> Array:
    """Lands the packets of the first queue, by Horner's scheme; the axis is gone afterwards."""
    landed: Array = mass[-1]
    for waiting in mass[-2::-1]:
        landed = landed @ matrix + waiting
    return landed
