"""Attack after attack over [queue lengths ..., state]: packets move the state at once, or wait in queues."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.bands import Bands, Step, banded, both, mixed, moved
from mathhammer.engine.landing import land, step
from mathhammer.engine.plan import Packet, Target, Volley
from mathhammer.engine.table import compile_volley, second_try

Array = NDArray[np.float64]
MANY = 64  # attacks, up to which they are walked one after the other
NOTHING = 1e-17  # queue cells with less mass than this are cut
Steps = tuple[tuple[tuple[int, ...], Step], ...]


@lru_cache(maxsize=8192)
def one_attack(volley: Volley, target: Target) -> Steps:
    """One attack as matrices: what it does at once, split by how many packets it adds to each queue."""
    table = compile_volley(volley)
    grouped: dict[tuple[int, ...], list[tuple[float, Step]]] = {}
    still = banded(np.eye(land(target).states))
    for chance, counts in zip(table.probs, table.packets.tolist(), strict=True):
        landing = counts[: len(volley.packets)]
        queued = tuple(
            n for n, packet in zip(landing, volley.packets, strict=True) if packet.rank is not None
        )
        queued += tuple(counts[len(volley.packets) :])  # failures that may be tried again
        move = still
        for number, packet in zip(landing, volley.packets, strict=True):
            if packet.rank is None and number:
                move = both(move, repeated(packet, target, number))
        grouped.setdefault(queued, []).append((chance, move))
    return tuple((queued, mixed(parts)) for queued, parts in grouped.items())


@lru_cache(maxsize=8192)
def moves(packet: Packet, target: Target) -> Step:
    """What one packet does, as it is applied fastest."""
    return banded(step(packet, target))


def repeated(packet: Packet, target: Target, number: int) -> Step:
    """What so many packets do, one after the other."""
    one = moves(packet, target)
    if not isinstance(one, Bands):
        return np.linalg.matrix_power(one, number)
    move: Step = one
    for _ in range(number - 1):
        move = both(move, one)
    return move


def with_second_try(
    mass: Array, volley: Volley, target: Target, axes: list[int], caps: list[int | None]
) -> Array:
    """The volley, then each further try where anything failed: queues in front that know none or some."""
    tries = len(volley.again)
    shifted = [axis + tries for axis in axes]
    tried = attack_by_attack(
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


def attack_by_attack(
    mass: Array, steps: Steps, attacks: Pmf, axes: list[int], caps: list[int | None]
) -> Array:
    counts = attacks.probs
    most, (size, starts) = len(counts) - 1, (mass.shape[-1], mass.size // mass.shape[-1])
    one = steps[0][1]
    costs_less = most > MANY and 2 * most.bit_length() * size < most * starts
    if not axes and counts[most] == 1.0 and costs_less and not isinstance(one, Bands):
        # from many states at once, squaring one attack takes fewer steps than walking
        squared: Array = mass @ np.linalg.matrix_power(one, most)
        return squared
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
        return moved(mass, steps[0][1])
    grown = list(mass.shape)
    for place, axis in enumerate(axes):
        grown[axis] += max(queued[place] for queued, _ in steps)
    result = np.zeros(grown)
    for queued, matrix in steps:
        window = [slice(0, length) for length in mass.shape]
        for place, axis in enumerate(axes):
            window[axis] = slice(queued[place], queued[place] + mass.shape[axis])
        result[tuple(window)] += moved(mass, matrix)
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


def land_first_queue(mass: Array, packet: Packet, target: Target) -> Array:
    """Lands the packets of the first queue, by Horner's scheme; the axis is gone afterwards."""
    one = moves(packet, target)
    landed: Array = mass[-1]
    for waiting in mass[-2::-1]:
        landed = moved(landed, one) + waiting
    return landed
