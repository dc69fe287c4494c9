"""What packets and pools come to on average: the numbers of a cell, for every shape of target at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice.sums import power, repeat
from mathhammer.engine.exact import end_states, pool
from mathhammer.engine.landing import land, step
from mathhammer.engine.plan import Packet, Plan, Target, Volley
from mathhammer.engine.result import Result
from mathhammer.engine.table import compile_volley

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
VALUES = ("damage", "lost", "slain", "p_destroyed")  # the numbers of a cell, in this order


def exactly(plan: Plan) -> Array:
    """The numbers of one plan from the exact engine."""
    result = Result("", "", plan, end_states(plan))
    lost = result.lost.mean()
    if plan.target.spills:
        harm = pool(plan, None)
        return np.array([harm @ np.arange(len(harm)), lost, result.slain.mean(), result.p_destroyed])
    return np.array([lost, lost, result.slain.mean(), result.p_destroyed])


def pooled(distribution: Array, ends: Ints, places: Ints) -> Array:
    """Means from the tail of the pool: wounds lost are the sum of P(at least k), models slain of P(at least
    their last point).
    """
    last = len(distribution)
    tail = np.zeros(last + 1)  # P(at least k), and 0 beyond the end
    tail[:last] = np.cumsum(distribution[::-1])[::-1]
    sums = np.cumsum(tail) - tail[0]
    capped = np.minimum(ends, last)
    values = np.empty((len(ends), len(VALUES)))
    values[:, 0] = sums[-1]
    values[:, 1] = sums[capped]
    values[:, 2] = tail[np.minimum(places, last)].sum(axis=1)
    values[:, 3] = tail[capped]
    return values


@lru_cache(maxsize=65536)
def landing_distribution(strike: Volley, through: tuple[float, ...], compiled: bool) -> Array:
    """The distribution of the number of packets that get past their saves, over all attacks of a weapon."""
    table = compile_volley(strike)
    if compiled:
        distribution: Array = loops().landing_distribution(
            table.probs, table.packets, np.array(through), strike.attacks.probs
        )
        return distribution
    one = np.zeros(int(table.packets.sum(axis=1).max(initial=0)) + 1)
    for chance, counts in zip(table.probs, table.packets.tolist(), strict=True):
        distribution = np.ones(1)
        for number, past in zip(counts, through, strict=True):
            for _ in range(number):
                distribution = np.convolve(distribution, (1.0 - past, past))
        one[: len(distribution)] += chance * distribution
    counts = strike.attacks.probs
    return power(one, len(counts) - 1, None) if counts[-1] == 1.0 else repeat(one, counts, None)


@lru_cache(maxsize=8192)
def packet_rows(packet: Packet, shape: Target, most: int, compiled: bool) -> Array:
    """What n packets come to on average, n = 0 .. most: [n, value]."""
    landing, values = land(shape), landing_values(shape)
    one = step(packet, shape)
    if compiled:
        rows: Array = loops().packet_rows(one, values, landing.start, most)
        return rows
    rows = np.empty((most + 1, len(VALUES)))
    now = np.zeros(landing.states)
    now[landing.start] = 1.0
    for n in range(most + 1):
        rows[n] = now @ values
        now = now @ one
    return rows


def loops() -> ModuleType:
    from mathhammer.compare import sweep_kernels as walk_kernels  # numba is loaded only here

    return walk_kernels


def landed_packet(harm: Any) -> Packet:
    """A packet of a harm that is past its save."""
    damage, ward, tracks, _ = harm
    return Packet("landed", damage, (1.0,), ward, None, tracks)


@lru_cache(maxsize=16384)
def step_of(harm: Any, shape: Target) -> Array:
    """What one packet of a harm does to a shape."""
    return step(landed_packet(harm), shape)


def walked(counts: Sequence[Array], harms: Sequence[Any], shape: Target, compiled: bool) -> Array:
    """The means after volleys that land one after the other, each so many packets of its harm."""
    landing = land(shape)
    now = np.zeros(landing.states)
    now[landing.start] = 1.0
    for count, harm in zip(counts, harms, strict=True):
        one = step_of(harm, shape)
        if compiled:
            now = loops().walked(count, one, now)
            continue
        after = count[-1] * now
        for n in range(len(count) - 2, -1, -1):
            after = after @ one + count[n] * now
        now = after
    values: Array = now @ landing_values(shape)
    return values


@lru_cache(maxsize=4096)
def landing_values(shape: Target) -> Array:
    landing = land(shape)
    return np.stack([landing.lost, landing.lost, landing.slain, ~landing.alive], axis=1).astype(np.float64)
