"""The integer program of a plan: columns of the most value that use no part, target or command twice.

Solved by HiGHS. A linear program first: columns whose reduced cost shows that no better plan holds them are
left out, which loses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mathhammer.dataclass import dataclass
from mathhammer.decide.columns import Column
from mathhammer.decide.prices import Prices
from mathhammer.errors import BadInputError

CLOSE = 1e-7  # of values: what a solver with floating point cannot tell apart


@dataclass(frozen=True, slots=True)
class Program:
    """Columns and their limits: `must` are targets that need one column each."""

    columns: Sequence[Column]
    parts: int
    targets: int
    points: int
    must: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Solution:
    """The columns that are chosen, their value, and how good any plan can be at most."""

    chosen: tuple[Column, ...]
    value: float
    bound: float

    @property
    def proven(self) -> bool:
        """Whether no plan is better."""
        return self.bound - self.value <= CLOSE * max(1.0, abs(self.value))


def priced(program: Program) -> Prices:
    """The prices of the linear program, where a target may be attacked by parts of several sets."""
    from scipy.optimize import linprog  # only where a plan is asked for

    rows, limits, least = _limits(program)
    values = np.array([column.value for column in program.columns])
    relaxed = linprog(
        -values,
        A_ub=_stacked(rows, -rows[least]),
        b_ub=np.concatenate([limits, -np.ones(len(least))]),
        method="highs",
    )
    if relaxed.status != 0:
        raise BadInputError("plan: no plan attacks all of the targets that are named (name fewer)")
    paid = -np.asarray(relaxed.ineqlin.marginals)
    paid[least] -= paid[len(limits) :]
    *each, point = paid[: len(limits)].tolist()
    first_tag = program.parts + program.targets
    tags = dict(zip(_bits(program), each[first_tag:], strict=True))
    return Prices(each[: program.parts], each[program.parts : first_tag], tags, point, -float(relaxed.fun))


def solve(program: Program, prices: Prices, known: Sequence[Column], seconds: float) -> Solution:
    """The best choice of columns; `known` is a plan that is found already."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # only where a plan is asked for

    floor = sum(column.value for column in known)
    enough = floor - CLOSE * max(1.0, abs(floor)) if known else -np.inf
    kept = [column for column in program.columns if prices.total + min(prices.beyond(column), 0.0) >= enough]
    rows, limits, least = _limits(replace(program, columns=kept))
    lowest = np.where(np.isin(np.arange(len(limits)), least), 1.0, -np.inf)
    solved = milp(
        -np.array([column.value for column in kept]),
        constraints=LinearConstraint(rows, lowest, limits),
        bounds=Bounds(0.0, 1.0),
        integrality=np.ones(len(kept)),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    bound = (
        prices.total if solved.mip_dual_bound is None else min(prices.total, -float(solved.mip_dual_bound))
    )
    picked = np.zeros(0, dtype=np.int64) if solved.x is None else np.flatnonzero(np.asarray(solved.x) > 0.5)
    chosen = tuple(kept[int(n)] for n in picked)
    value = sum(column.value for column in chosen)
    if known and (not chosen or value < floor):  # the time was too short
        return Solution(tuple(known), floor, max(bound, floor))
    return Solution(chosen, value, max(bound, value))


def _bits(program: Program) -> list[int]:
    """The bits of all commands that are used once."""
    tags = 0
    for column in program.columns:
        tags |= column.tag
    return [bit for bit in range(tags.bit_length()) if tags >> bit & 1]


def _limits(program: Program) -> tuple[Any, Any, Any]:
    """The matrix of what each column uses, how much of it there is, and the rows that must be used."""
    from scipy.sparse import csr_array

    bits = _bits(program)
    first_target, first_tag = program.parts, program.parts + program.targets
    cells: list[tuple[int, int, float]] = []
    for number, column in enumerate(program.columns):
        cells.append((first_target + column.target, number, 1.0))
        cells += [(part, number, 1.0) for option in column.options for part in option.parts]
        cells += [(first_tag + n, number, 1.0) for n, bit in enumerate(bits) if column.tag >> bit & 1]
        if column.spends:
            cells.append((first_tag + len(bits), number, float(column.spends)))
    row, place, amount = zip(*cells, strict=True)
    size = (first_tag + len(bits) + 1, len(program.columns))
    limits = np.ones(size[0])
    limits[-1] = program.points
    least = np.array(sorted(first_target + target for target in program.must), dtype=np.int64)
    return csr_array((amount, (row, place)), shape=size), limits, least


def _stacked(rows: Any, more: Any) -> Any:
    from scipy.sparse import vstack

    return vstack([rows, more]).tocsr() if more.shape[0] else rows
