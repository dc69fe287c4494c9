"""Stages of the kernel with their tables: records, thresholds and alias tables as flat arrays."""

from __future__ import annotations

from dataclasses import field
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.engine import kernels

Array = NDArray[np.float64]


class Stage(NamedTuple):
    """One step of all trials: some attacks, or packets of one kind that land.

    A table is named by the place of its first entry; -1: there is none.
    """

    kind: int  # kernels.ATTACKS, EACH, ROWS, STEPS or POOL
    counter: int  # the first one that it adds to; of landing packets: the one that holds their number
    counters: int = 1  # how many
    # attacks
    attacks: int = 0  # the most of a trial
    count_table: int = -1  # to draw their number from; without it there are always so many
    count_width: int = 0
    if_counter: int = -1  # attack only where this counter is above 0
    threshold: int = 0  # the first one
    thresholds: int = 0  # how many; in the tables there are as many as fill groups of four
    outcome: int = -1  # the counter of the outcome's number, where it moves the target at once
    # what lands
    table: int = -1
    width: int = 0
    rows_each: int = 1  # rows of the table for each number of packets (or each outcome): one for every state
    largest: int = 0  # number of packets; more land as that many


STAGE = np.dtype([(name, np.int64) for name in Stage._fields])  # the same for the kernel


@dataclass(slots=True)
class StageBuilder:
    """Stages so far, and their tables, as lists that grow."""

    plan: list[Stage] = field(default_factory=list)
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

    def add(self, stage: Stage) -> None:
        """One stage more."""
        self.plan.append(stage)

    def add_attacks(self, stage: Stage, probs: Array, adds: list[dict[int, int]]) -> None:
        """One more stage of attacks with these outcomes, and what each adds to the counters.

        Thresholds stand in survival order: the first outcome is the case without any, and each later one adds
        what it has beyond the one before. A threshold of 0, which nothing passes, fills each group of four.
        """
        later = np.maximum(0.0, np.cumsum(probs[::-1])[::-1][1:]) * 65536.0
        filling = -len(later) % 4
        self.likeliest[len(self.plan)] = adds[0]
        self.add(stage._replace(threshold=len(self.survival), thresholds=len(later)))
        self.survival += [*later.tolist(), *[0.0] * filling]
        for before, after in pairwise(adds):
            self.increments.append({c: after.get(c, 0) - before.get(c, 0) for c in {*before, *after}})
        self.increments += [{}] * filling

    def landed(self) -> bool:
        """Whether a stage so far may have moved the target away from its first state."""
        return any(stage.kind in (kernels.ROWS, kernels.EACH, kernels.STEPS) for stage in self.plan)

    def done(self, start: int) -> kernels.Stages:
        """All of it as arrays; `start` is the state in which every trial begins."""
        increments = np.zeros((self.counters, len(self.survival)), dtype=np.uint16)
        for row, adds in enumerate(self.increments):
            for counter, more in adds.items():
                increments[counter, row] = more & 0xFFFF  # wraps modulo 2^16
        likeliest = np.zeros((len(self.plan), self.counters), dtype=np.uint16)
        for row, adds in self.likeliest.items():
            for counter, more in adds.items():
                likeliest[row, counter] = more
        return kernels.Stages(
            plan=np.array(self.plan, dtype=STAGE).view(np.recarray),  # `stage.kind`, also without numba
            survival=np.array(self.survival, dtype=np.float64),
            increments=increments,
            likeliest=likeliest,
            cuts=np.concatenate([np.zeros(0, np.uint32), *self.cuts]),
            other=np.concatenate([np.zeros(0, np.int32), *self.other]),
            start=start,
        )


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
