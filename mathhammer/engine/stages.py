"""A plan as stages for the kernel: tables of outcomes and of what lands, as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice.pmf import Pmf, power
from mathhammer.engine import kernels
from mathhammer.engine.landing import check_states, land, per_attack, points, step
from mathhammer.engine.plan import Packet, Plan, Target, Volley
from mathhammer.engine.table import compile_volley, second_try
from mathhammer.errors import TooLargeError

Array = NDArray[np.float64]
Part = tuple[NDArray[np.int64], int]  # a histogram, and the block after its last one
MOST_DRAWS = 4 * 10**12  # attacks times trials: about an hour of two cores
MOST_ROW_ENTRIES = 4_000_000
MOST_POINTS = 10_000_000  # of damage in one pool
FEW_OUTCOMES = 5  # up to so many outcomes are worth folding save, damage and ward into the attack


# --- tables to stages -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Builder:
    plan: list[list[int]] = field(default_factory=list)
    survival: list[float] = field(default_factory=list)
    increments: list[dict[int, int]] = field(default_factory=list)
    likeliest: dict[int, dict[int, int]] = field(default_factory=dict)  # stage -> what its first outcome adds
    cuts: list[NDArray[np.uint32]] = field(default_factory=list)
    other: list[NDArray[np.int32]] = field(default_factory=list)
    entries: int = 0
    counters: int = 1  # counter 0 is the pool
    folded: int = 0  # the most points that attacks may add to it

    def rows(self, rows: Array) -> int:
        """Stores one alias table per row; gives the place of the first."""
        base = self.entries
        cut, other = alias_rows(rows)
        self.cuts.append(cut.ravel())
        self.other.append(other.ravel())
        self.entries += rows.size
        return base

    def steps(self, matrix: Array) -> tuple[int, int]:
        """Stores a sparse step: alias tables over the states that each state leads to, then those states;
        gives place and width.
        """
        base, states = self.entries, len(matrix)
        width = int((matrix > 0.0).sum(axis=1).max())
        # states that can be reached come first
        lead = np.argsort(matrix <= 0.0, axis=1, kind="stable")[:, :width].astype(np.int32)
        cut, other = alias_rows(np.take_along_axis(matrix, lead, axis=1))
        self.cuts += [cut.ravel(), np.zeros(lead.size, np.uint32)]
        self.other += [np.take_along_axis(lead, other, axis=1).ravel(), lead.ravel()]
        self.entries += 2 * states * width
        return base, width

    def outcomes(self, probs: Array, adds: list[dict[int, int]]) -> tuple[int, int]:
        """Stores thresholds in survival order, and what each one adds to the counters
        beyond the one before.
        """
        first = len(self.survival)
        self.likeliest[len(self.plan)] = adds[0]
        later = np.maximum(0.0, np.cumsum(probs[::-1])[::-1][1:]) * 65536.0
        self.survival += later.tolist()
        for before, after in pairwise(adds):
            self.increments.append({c: after.get(c, 0) - before.get(c, 0) for c in {*before, *after}})
        return first, len(later)

    def landed(self) -> bool:
        """Whether a stage so far may have moved the target away from its first state."""
        return any(row[0] in (kernels.ROWS, kernels.EACH, kernels.STEPS) for row in self.plan)

    def attacks(self, volley: Volley) -> tuple[int, int, int]:
        """Most attacks, and the table to draw their number from (-1 when it is fixed)."""
        counts = volley.attacks.probs
        if counts[-1] == 1.0:
            return len(counts) - 1, -1, 0
        return len(counts) - 1, self.rows(counts[None, :]), len(counts)

    def done(self, start: int) -> kernels.Stages:
        increments = np.zeros((len(self.survival), self.counters), dtype=np.uint16)
        for row, adds in enumerate(self.increments):
            for counter, more in adds.items():
                increments[row, counter] = more & 0xFFFF  # wraps modulo 2^16
        likeliest = np.zeros((len(self.plan), self.counters), dtype=np.uint16)
        for row, adds in self.likeliest.items():
            for counter, more in adds.items():
                likeliest[row, counter] = more
        return kernels.Stages(
            plan=np.array(self.plan, dtype=np.int64).reshape(-1, 12),
            survival=np.array(self.survival, dtype=np.float64),
            increments=increments,
            likeliest=likeliest,
            cuts=np.concatenate([np.zeros(0, np.uint32), *self.cuts]),
            other=np.concatenate([np.zeros(0, np.int32), *self.other]),
            counters=self.counters,
            start=start,
        )


@lru_cache(maxsize=256)
def compile_stages(plan: Plan) -> tuple[kernels.Stages, int]:
    """The stages of a plan, and how many different ends a trial may have; memoised."""
    builder = _Builder()
    if plan.target.spills:
        most = sum((len(volley.attacks) - 1) * (len(per_attack(volley)) - 1) for volley in plan.volleys)
        if most >= MOST_POINTS:
            raise TooLargeError(
                f"simulate: a damage pool of up to {most} points is too large (split the attacks)"
            )
        for volley in plan.volleys:
            _pool_volley(builder, volley)
        return builder.done(0), most + 1
    check_states(plan.target)
    waiting: list[tuple[Packet, int, int]] = []
    for volley in plan.volleys:
        waiting += _walk_volley(builder, volley, plan.target)
    for packet, counter, most in sorted(waiting, key=lambda queue: queue[0].rank or 0):
        _land_rows(builder, packet, plan.target, counter, most)
    landing = land(plan.target)
    return builder.done(landing.start), landing.states


def _pool_volley(builder: _Builder, volley: Volley) -> None:
    """Stages of a volley whose damage pools."""
    one = per_attack(volley)
    attacks, base, width = builder.attacks(volley)
    most = attacks * (len(one) - 1)
    values = np.flatnonzero(one > 0.0)
    if len(values) <= FEW_OUTCOMES and builder.folded + most < 2**16:
        builder.folded += most
        order = sorted(values.tolist(), key=lambda value: -one[value])
        first, number = builder.outcomes(one[order], [{0: value} for value in order])
        builder.plan.append([kernels.ATTACKS, attacks, base, width, first, number, 0, 1, 0, 0, 0, 0])
        return
    table = compile_volley(volley)
    laws = [points(packet) for packet in volley.packets]
    different = list(dict.fromkeys(laws))  # kinds that deal the same share a counter
    counter_of = [builder.counters + different.index(law) for law in laws]
    adds: list[dict[int, int]] = []
    for counts in table.packets.tolist():
        add: dict[int, int] = {}
        for counter, number in zip(counter_of, counts, strict=True):
            add[counter] = add.get(counter, 0) + number
        adds.append(add)
    first, thresholds = builder.outcomes(table.probs, adds)
    builder.plan.append(
        [
            kernels.ATTACKS,
            attacks,
            base,
            width,
            first,
            thresholds,
            builder.counters,
            len(different),
            0,
            0,
            0,
            0,
        ]
    )
    for place, law in enumerate(different):
        counter = builder.counters + place
        largest = attacks * max(add.get(counter, 0) for add in adds)
        _pool_rows(builder, law, counter, largest)
    builder.counters += len(different)


def _pool_rows(builder: _Builder, law: Pmf, counter: int, largest: int) -> None:
    width = largest * (len(law) - 1) + 1
    if largest >= 2**16 or (largest + 1) * width > MOST_ROW_ENTRIES:
        raise TooLargeError(
            f"simulate: {largest} packets of up to {len(law) - 1} damage are too many (split the attacks)"
        )
    rows = np.zeros((largest + 1, width))
    for n in range(largest + 1):
        harm = power(law.probs, n, None)
        rows[n, : len(harm)] = harm
    builder.plan.append([kernels.POOL, 0, -1, 0, 0, 0, counter, 1, builder.rows(rows), width, 1, largest])


def _walk_volley(builder: _Builder, volley: Volley, target: Target) -> list[tuple[Packet, int, int]]:
    """Stages of a volley whose excess damage is lost; gives its queued packets with their counters."""
    attacks, base, width = builder.attacks(volley)
    at_once = [k for k, packet in enumerate(volley.packets) if packet.rank is None]
    queued = [k for k, packet in enumerate(volley.packets) if packet.rank is not None]
    together = _commute([step(volley.packets[k], target) for k in at_once])
    counted = [*queued, *at_once] if together else queued
    tries = [(volley, attacks, base, width)]
    if volley.again is not None:
        counted = [*counted, len(volley.packets)]
        tries.append((second_try(volley), 1, -2 - (builder.counters + len(counted) - 1), 0))
    most = dict.fromkeys(counted, 0)
    for tried, number, count_base, count_width in tries:
        table = compile_volley(tried)
        columns = [k for k in counted if k < len(table.kinds)]
        adds = [
            {builder.counters + counted.index(k): counts[k] for k in columns}
            for counts in table.packets.tolist()
        ]
        first, thresholds = builder.outcomes(table.probs, adds)
        row = [
            kernels.ATTACKS,
            number,
            count_base,
            count_width,
            first,
            thresholds,
            builder.counters,
            len(counted),
            0,
            0,
            0,
            0,
        ]
        if not together:  # kinds whose order matters: land attack by attack
            outcomes, size = len(table.probs), land(target).states
            if outcomes * size * size > 4 * MOST_ROW_ENTRIES:
                raise TooLargeError(
                    f"simulate: {outcomes} outcomes on {size} states are too many (split the target)"
                )
            row[0] = kernels.EACH
            row[8:11] = [builder.rows(_outcome_steps(tried, target).reshape(-1, size)), size, size]
        builder.plan.append(row)
        for k in columns:
            most[k] += number * int(table.packets[:, k].max())
    if max(most.values(), default=0) >= 2**16:
        raise TooLargeError(
            f"simulate: {max(most.values())} packets of one kind are too many (split the attacks)"
        )
    counter_of = {k: builder.counters + place for place, k in enumerate(counted)}
    builder.counters += len(counted)
    if together:
        for k in at_once:
            _land_rows(builder, volley.packets[k], target, counter_of[k], most[k])
    return [(volley.packets[k], counter_of[k], most[k]) for k in queued]


def _commute(steps: list[Array]) -> bool:
    return all(
        np.allclose(a @ b, b @ a, rtol=0.0, atol=1e-13) for i, a in enumerate(steps) for b in steps[i + 1 :]
    )


def _outcome_steps(volley: Volley, target: Target) -> Array:
    """What each outcome of one attack does at once, [outcome, state, state]."""
    table = compile_volley(volley)
    size = land(target).states
    result = np.empty((len(table.probs), size, size))
    for place, counts in enumerate(table.packets.tolist()):
        matrix = np.eye(size)
        for number, packet in zip(counts[: len(volley.packets)], volley.packets, strict=True):
            if packet.rank is None:
                matrix = matrix @ np.linalg.matrix_power(step(packet, target), number)
        result[place] = matrix
    return result


def _land_rows(builder: _Builder, packet: Packet, target: Target, counter: int, most: int) -> None:
    """All packets of a kind at once, one draw from row (number, state) of the powers of its step; too many
    rows: one by one.
    """
    one = step(packet, target)
    size = len(one)
    largest = most if packet.cap is None else min(most, packet.cap)
    start = land(target).start
    fresh = not builder.landed()  # then a trial can only be in the first state, and needs no rows of others
    per_number = 1 if fresh else size
    if (largest + 1) * per_number * size > MOST_ROW_ENTRIES:
        base, width = builder.steps(one)
        builder.plan.append([kernels.STEPS, 0, -1, 0, 0, 0, counter, 1, base, width, size, largest])
        return
    powers = np.empty((largest + 1, per_number, size))
    powers[0] = np.eye(1, size, start) if fresh else np.eye(size)
    for n in range(1, largest + 1):
        powers[n] = powers[n - 1] @ one
    base = builder.rows(powers.reshape(-1, size))
    base -= start * size if fresh else 0  # the kernel adds the state to the row's number
    builder.plan.append([kernels.ROWS, 0, -1, 0, 0, 0, counter, 1, base, size, per_number, largest])


def alias_rows(rows: Array) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Alias tables (Walker, Vose) of many distributions of one width: keep the column
    below the cut, else the other.
    """
    count, width = rows.shape
    cuts = np.full((count, width), 0xFFFFFFFF, dtype=np.uint32)
    other = np.tile(np.arange(width, dtype=np.int32), (count, 1))
    for index in range(count):
        scaled = (rows[index] * (width / rows[index].sum())).tolist()
        small = [column for column, share in enumerate(scaled) if share < 1.0]
        large = [column for column, share in enumerate(scaled) if share >= 1.0]
        while small and large:
            low, high = small.pop(), large[-1]
            cuts[index, low] = min(int(scaled[low] * 4294967296.0), 0xFFFFFFFF)
            other[index, low] = high
            scaled[high] -= 1.0 - scaled[low]
            if scaled[high] < 1.0:
                small.append(large.pop())
    return cuts, other
