"""What a side chooses in a battle, by dynamic programming: ways to use a roll, states to go on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mathhammer.dataclass import dataclass
from mathhammer.pools.battle import BattleSeries, State
from mathhammer.pools.compiling import (
    POINTS,
    Array,
    Compiled,
    Link,
    Numbers,
    check_that_it_ends,
    compile_battle,
)

BETTER = 1e-12  # by so much a choice must be better to be taken instead of another


@dataclass(frozen=True, slots=True)
class Step:
    """A stage once everything is chosen."""

    link: Link
    ways: Numbers | None  # [row of a, row of b]: how the chooser uses its roll; None: there is one way
    chances: Array  # [cell]
    following: Numbers  # [cell]: number of the next state, -1 where nothing leads
    lost: tuple[float, float]
    points: tuple[float, float]  # of the rolls


@dataclass(frozen=True, slots=True)
class Planned:
    """A compiled battle and what is done in each of its states; None where it is over."""

    compiled: Compiled
    steps: tuple[Step | None, ...]


def _step(link: Link, ways: Numbers | None, states: Sequence[int], chooser: int) -> Step:
    """A stage with these choices: `states` is the next state of each cell."""
    a, b = link.rolls
    pairs = np.outer(a.probs, b.probs)
    taken = np.zeros(pairs.shape, dtype=np.int64) if ways is None else ways
    rows = np.indices(pairs.shape)
    zero = np.zeros_like(taken)
    cells = link.cells[(taken, zero, *rows) if chooser == 0 else (zero, taken, *rows)]
    size = len(link.nexts)
    chances: Array = np.bincount(cells.ravel(), weights=pairs.ravel(), minlength=size).astype(np.float64)
    scored = (
        a.worth[rows[0], taken if chooser == 0 else 0, POINTS],
        b.worth[rows[1], taken if chooser == 1 else 0, POINTS],
    )
    lost = link.lost
    return Step(
        link,
        ways,
        chances,
        np.array(states, dtype=np.int64),
        (float(chances @ lost[0]), float(chances @ lost[1])),
        (float((pairs * scored[0]).sum()), float((pairs * scored[1]).sum())),
    )


def _first(link: Link, chooser: int) -> Step:
    """The stage with the first of all choices."""
    return _step(link, None, [states[0] if states else -1 for states in link.nexts], chooser)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a side plays for: the value of ends, and of each of its points."""

    chooser: int
    value: Callable[[State], float]
    points_weight: float


def values_of(planned: Planned, aim: Aim) -> Array:
    """The value of every state when these steps are taken."""
    compiled = planned.compiled
    size = len(compiled.states)
    step_matrix, earned = np.zeros((size, size)), np.zeros(size)
    other = 1 - aim.chooser
    each = compiled.battle.points_each[aim.chooser]
    for index, step in enumerate(planned.steps):
        if step is None:
            earned[index] = aim.value(compiled.states[index])
            continue
        used = step.following >= 0
        np.add.at(step_matrix[index], step.following[used], step.chances[used])
        earned[index] = aim.points_weight * (step.points[aim.chooser] + each * step.lost[other])
    return np.linalg.solve(np.eye(size) - step_matrix, earned).astype(np.float64)


def _improved(step: Step, values: Array, aim: Aim, each: int) -> Step | None:
    """The stage with better choices; None where there are none."""
    link, chooser = step.link, aim.chooser
    if not link.open:
        return None
    gained = aim.points_weight * each * link.lost[1 - chooser]
    states = step.following.copy()
    for cell, options in enumerate(link.nexts):
        if len(options) > 1:
            best = max(options, key=lambda n: values[n])
            if values[best] > values[states[cell]] + BETTER:
                states[cell] = best
    changed = not np.array_equal(states, step.following)
    roll = link.rolls[chooser]
    ways = step.ways
    if roll.ways > 1:
        worth = np.where(states >= 0, values[states], 0.0) + gained
        cells = link.cells[:, 0] if chooser == 0 else link.cells[0]
        scored = aim.points_weight * roll.worth[..., POINTS].T  # [way, row]
        by_way = worth[cells] + (scored[:, :, None] if chooser == 0 else scored[:, None, :])
        now = np.zeros(by_way.shape[1:], dtype=np.int64) if ways is None else ways
        standing = np.take_along_axis(by_way, now[None], axis=0)[0]
        ways = np.where(by_way.max(axis=0) > standing + BETTER, by_way.argmax(axis=0), now)
        changed = changed or not np.array_equal(ways, now)
    return _step(link, ways, states.tolist(), chooser) if changed else None


def best_steps(compiled: Compiled, aim: Aim) -> tuple[Planned, Array | None]:
    """The steps of best play and the value of every state; None where there is nothing to choose."""
    first = (None if link is None else _first(link, aim.chooser) for link in compiled.links)
    planned = Planned(compiled, tuple(first))
    if not any(link and link.open for link in compiled.links):
        return planned, None
    each = compiled.battle.points_each[aim.chooser]
    while True:  # each turn is better than the last, and there are finitely many
        check_that_it_ends(
            compiled, [step.following[step.chances > 0].tolist() if step else [] for step in planned.steps]
        )
        values = values_of(planned, aim)
        better = [step and _improved(step, values, aim, each) for step in planned.steps]
        if not any(better):
            return planned, values
        steps = (new or old for new, old in zip(better, planned.steps, strict=True))
        planned = Planned(compiled, tuple(steps))


def plan_series(question: BattleSeries) -> list[Planned]:
    """All battles of a series with the choices of best play, which look ahead to the battles that follow."""
    compiled: list[Compiled] = []
    starts: list[State] = [question.start]
    for place, battle in enumerate(question.battles):
        entered = [battle.enter(state) if place else state for state in starts]
        made = compile_battle(battle, [state for state in dict.fromkeys(entered) if state is not None])
        compiled.append(made)
        starts = [state for state, link in zip(made.states, made.links, strict=True) if link is None]
    planned: list[Planned] = []
    if not any(link and link.open for made in compiled for link in made.links):
        return [best_steps(made, Aim(question.chooser, question.value, 0.0))[0] for made in compiled]
    later: Callable[[State], float] = question.value
    for made in reversed(compiled):
        aim = Aim(question.chooser, _with_points(made, later, question), question.points_weight)
        plan, values = best_steps(made, aim)
        planned.insert(0, plan)
        later = _entering(made, values_of(plan, aim) if values is None else values)
    return planned


def _with_points(
    made: Compiled, later: Callable[[State], float], question: BattleSeries
) -> Callable[[State], float]:
    """The value of an end: what follows from it, and the points for it."""
    ends, chooser, weight = made.battle.points_end, question.chooser, question.points_weight
    return lambda state: later(state) + weight * ends(state)[chooser]


def _entering(made: Compiled, values: Array) -> Callable[[State], float]:
    """The value of an end of the battle before: that of the state in which this one begins, 0 without one."""

    def value(state: State) -> float:
        begin = made.battle.enter(state)
        return 0.0 if begin is None else float(values[made.number[begin]])

    return value
