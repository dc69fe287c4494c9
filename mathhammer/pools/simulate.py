"""The symbol-dice games played in bulk: pools, volleys and series of battles as arrays for
the compiled loops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.dice.symbols import Counts, Die
from mathhammer.errors import BadInputError
from mathhammer.pools.arrays import Box, Course, Ends, Pools, Table
from mathhammer.pools.battle import (
    BattleSeries,
    EventChain,
    Fought,
    Mean,
    Scattered,
    ScatterVolley,
    Series,
    State,
)
from mathhammer.pools.choosing import Planned, plan_series
from mathhammer.pools.compiling import Roll, table_for

BLOCK = 1 << 16
MOST_STAGES = 1_000_000  # of one battle; a battle that is not over by then is refused
Numbers = NDArray[np.int64]


def _box(dice: Sequence[Die], symbols: Sequence[str]) -> tuple[Box, dict[Die, int]]:
    """The dice as arrays, and the number of each kind in them."""
    kinds = list(dict.fromkeys(dice))
    sides = max((len(die.faces) for die in kinds), default=1)
    shows = np.zeros((max(1, len(kinds)), sides, len(symbols)), dtype=np.int64)
    blank = np.zeros(shows.shape[:2], dtype=np.bool_)
    for row, die in enumerate(kinds):
        for place, face in enumerate(die.faces):
            shows[row, place] = [face.count(symbol) for symbol in symbols]
            blank[row, place] = not face
    number = np.array([len(die.faces) for die in kinds] or [1], dtype=np.int64)
    return Box(shows, blank, number), {die: row for row, die in enumerate(kinds)}


def _table(symbols: int, effects: int) -> Table:
    return Table(np.zeros(symbols, dtype=np.int64), np.zeros(effects, dtype=np.int64))


def _blocks(trials: int) -> Iterator[tuple[int, int]]:
    for first in range(0, trials, BLOCK):
        yield first, min(BLOCK, trials - first)


def play_pool(
    dice: Sequence[Die], symbols: Sequence[str], rerolls: Sequence[int], *, trials: int, seed: int
) -> dict[Counts, int]:
    """How often each result of a pool came up.

    >>> sum(play_pool([Die("coin", (("skull",), ()))] * 2, ["skull"], [], trials=1000, seed=7).values())
    1000
    """
    from mathhammer.pools.kernels import throw_pools

    box, number_of = _box(dice, symbols)
    none = np.zeros((1, 0), dtype=np.int64)
    pools = Pools(
        dice=np.array([[number_of[die] for die in dice]], dtype=np.int64),
        size=np.array([len(dice)], dtype=np.int64),
        rerolls=np.array([rerolls], dtype=np.int64),
        base=none[0],
        radix=none,
        rows=none[0],
        first=none[0],
        ways=none[0],
        worth=none,
    )
    table = _table(len(symbols), len(rerolls))
    tallies: dict[Counts, int] = {}
    for first, size in _blocks(trials):
        results = np.zeros((size, len(symbols)), dtype=np.int64)
        # counters are meant to wrap around; only without numba would numpy warn
        with np.errstate(over="ignore"):
            throw_pools(np.uint64(seed), first, pools, box, table, results)
        rows, counts = np.unique(results, axis=0, return_counts=True)
        for row, count in zip(rows, counts, strict=True):
            key = tuple(int(value) for value in row)
            tallies[key] = tallies.get(key, 0) + int(count)
    return tallies


def play_scatter(volley: ScatterVolley, *, trials: int, seed: int) -> Scattered:
    """Volleys rolled die by die.

    >>> from mathhammer.pools.battle import FaceEffect
    >>> effects = (FaceEffect(damaging=1), FaceEffect(scatters=1))
    >>> played = play_scatter(ScatterVolley(1, effects, effects, (), 1, 1), trials=1000, seed=7)
    >>> played.nothing == played.struck[0][0, 0, False]
    True
    """
    from mathhammer.pools.kernels import fire_volleys

    faces = (np.array(volley.first, dtype=np.int64), np.array(volley.second, dtype=np.int64))
    recipients = np.array(volley.recipients, dtype=np.int64)
    struck = np.zeros((volley.targets, volley.strengths, volley.dice + 1, 2), dtype=np.int64)
    noted = np.zeros(volley.dice + 1, dtype=np.int64)
    nothing = 0
    with np.errstate(over="ignore"):
        for first, size in _blocks(trials):
            nothing += int(
                fire_volleys(np.uint64(seed), (first, size), faces, volley.dice, recipients, struck, noted)
            )
    tables = tuple(
        {(int(s), int(k), bool(crit)): int(table[s, k, crit]) / trials for s, k, crit in np.argwhere(table)}
        for table in struck
    )
    return Scattered(
        tables, {int(k): int(noted[k]) / trials for k in np.flatnonzero(noted)}, nothing / trials
    )


def play_events(chain: EventChain, *, trials: int, seed: int) -> dict[State, float]:
    """The same chain played: in each event every trial goes to one of its next states."""
    rng = np.random.default_rng(seed)
    standing: dict[State, int] = {chain.start: trials}
    for event in chain.events:
        after: dict[State, int] = {}
        for state, number in standing.items():
            following = event(state)
            shares = np.array(list(following.values()))
            for end, times in zip(following, rng.multinomial(number, shares / shares.sum()), strict=True):
                if times:
                    after[end] = after.get(end, 0) + int(times)
        standing = after
    return {state: number / trials for state, number in standing.items()}


def play_series(question: BattleSeries, *, trials: int, seed: int) -> Series:
    """A series of battles played `trials` times; the end of one is the start of the next."""
    tables = _tables(question)
    ends = [np.zeros(len(table.planned.steps), dtype=np.int64) for table in tables]
    # Sums and sums of squares: rounds, losses and points of both sides for each battle; points of all.
    sums = np.zeros((len(tables), 5, 2))
    points_sums = np.zeros((2, 2))
    for first, size in _blocks(trials):
        points = np.zeros((size, 2))
        trial = np.arange(first, first + size, dtype=np.int64)
        state = np.full(size, tables[0].planned.compiled.number[question.start], dtype=np.int64)
        for place, table in enumerate(tables):
            if place:
                state = table.enter[state]
                trial, state = trial[state >= 0], state[state >= 0]
            state, rounds, lost, scored = table.play(place, trial, state, seed)
            ends[place] += np.bincount(state, minlength=len(ends[place]))
            each = table.planned.compiled.battle.points_each
            here = scored + lost[:, ::-1] * each + table.points_end[state]
            points[trial - first] += here
            for row, values in enumerate((rounds, *lost.T, *here.T)):
                sums[place, row] += (values.sum(), (values.astype(np.float64) ** 2).sum())
        points_sums += np.stack([points.sum(axis=0), (points**2).sum(axis=0)], axis=1)
    fights = tuple(
        Fought(
            {
                table.planned.compiled.states[index]: int(count) / trials
                for index, count in enumerate(seen)
                if table.planned.steps[index] is None
            },
            _mean(rows[0], trials),
            (_mean(rows[1], trials), _mean(rows[2], trials)),
            (_mean(rows[3], trials), _mean(rows[4], trials)),
        )
        for table, seen, rows in zip(tables, ends, sums, strict=True)
    )
    return Series(fights, (_mean(points_sums[0], trials), _mean(points_sums[1], trials)), trials)


def _mean(sums: NDArray[np.float64], trials: int) -> Mean:
    mean = float(sums[0]) / trials
    return Mean(mean, sqrt(max(0.0, float(sums[1]) / trials - mean * mean) / trials))


@dataclass(frozen=True, slots=True)
class Tables:
    """A planned battle as arrays: `enter[end of the battle before]` is a start or -1."""

    planned: Planned
    box: Box
    sides: tuple[Pools, Pools]
    course: Course
    enter: Numbers
    points_end: NDArray[np.float64]  # [state, side]

    def play(self, stream: int, trials: Numbers, start: Numbers, seed: int) -> Ends:
        """What comes of each trial."""
        from mathhammer.pools.kernels import play_battles

        pairs = np.zeros((2, len(trials), 2), dtype=np.int64)
        ends = Ends(np.zeros_like(trials), np.zeros_like(trials), pairs[0], pairs[1])
        key = (np.uint64(seed), np.uint64(stream))
        effects = max(side.rerolls.shape[1] for side in self.sides)
        table = _table(self.box.shows.shape[2], effects)
        with np.errstate(over="ignore"):
            play_battles(key, trials, start, self.box, self.sides, self.course, table, ends)
        if (ends.state < 0).any():
            raise BadInputError(
                f"{self.planned.compiled.battle.where}: not over after {MOST_STAGES} rounds "
                "(give a side dice with more blows)"
            )
        return ends


def _tables(question: BattleSeries) -> list[Tables]:
    tables: list[Tables] = []
    for planned in plan_series(question):
        before = tables[-1].planned if tables else None
        enter = np.full(len(before.steps) if before else 0, -1, dtype=np.int64)
        for row, step in enumerate(before.steps if before else ()):
            assert before is not None
            begin = planned.compiled.battle.enter(before.compiled.states[row]) if step is None else None
            enter[row] = -1 if begin is None else planned.compiled.number[begin]
        tables.append(_as_arrays(planned, enter, question.chooser))
    return tables


def _as_arrays(planned: Planned, enter: Numbers, chooser: int) -> Tables:
    battle, steps = planned.compiled.battle, planned.steps
    hands = [hand for step in steps if step for hand in step.link.stage.hands]
    box, number_of = _box([die for hand in hands for die in hand.dice], battle.symbols)
    rolls = [[None if step is None else step.link.rolls[side] for step in steps] for side in (0, 1)]
    ends = [
        battle.points_end(state) if step is None else (0.0, 0.0)
        for state, step in zip(planned.compiled.states, steps, strict=True)
    ]
    return Tables(
        planned=planned,
        box=box,
        sides=(
            _side(rolls[0], number_of, len(battle.symbols)),
            _side(rolls[1], number_of, len(battle.symbols)),
        ),
        course=_course(planned, chooser),
        enter=enter,
        points_end=np.array(ends, dtype=np.float64).reshape(-1, 2),
    )


def _course(planned: Planned, chooser: int) -> Course:
    """How the states lead to each other."""
    size = len(planned.steps)
    standing, spans = np.zeros((size, 2), dtype=np.int64), np.zeros((size, 2), dtype=np.int64)
    marks = np.ones((size, 2), dtype=np.int64)
    counted, base, width = (np.zeros(size, dtype=np.int64) for _ in range(3))
    picked = np.full(size, -1, dtype=np.int64)
    following = [np.zeros(0, dtype=np.int64)]
    picks = [np.zeros(0, dtype=np.int8)]
    worths = [np.zeros((1, 1, 7), dtype=np.int64)]
    used = chosen = 0
    for row, step in enumerate(planned.steps):
        if step is None:
            continue
        link = step.link
        standing[row], spans[row], marks[row] = link.stage.standing, link.spans, link.shape[2:]
        counted[row], base[row] = link.stage.counted, used
        following.append(step.following)
        used += len(step.following)
        worths += [roll.worth for roll in link.rolls]
        width[row] = len(link.rolls[1].probs)
        if step.ways is not None:
            picked[row] = chosen
            picks.append(step.ways.astype(np.int8).ravel())
            chosen += step.ways.size
    return Course(
        over=np.array([step is None for step in planned.steps], dtype=np.bool_),
        counted=counted,
        standing=standing,
        spans=spans,
        marks=marks,
        chooser=chooser,
        picks=np.concatenate(picks),
        picked=picked,
        width=width,
        base=base,
        following=np.concatenate(following),
        damage=table_for(planned.compiled.battle.damage, worths),
        most=MOST_STAGES,
    )


def _side(rolls: Sequence[Roll | None], number_of: Mapping[Die, int], symbols: int) -> Pools:
    """The pools of one side in every state: dice, their number, rerolls, the row of each result by mixed
    radix, and the worth of each row.
    """
    present = [roll for roll in rolls if roll is not None]
    width = max((len(roll.hand.dice) for roll in present), default=0)
    effects = max((len(roll.hand.rerolls) for roll in present), default=0)
    dice, rerolls = (
        np.zeros((len(rolls), width), dtype=np.int64),
        np.zeros((len(rolls), effects), dtype=np.int64),
    )
    count, base, first = (np.zeros(len(rolls), dtype=np.int64) for _ in range(3))
    ways = np.ones(len(rolls), dtype=np.int64)
    radix = np.zeros((len(rolls), symbols), dtype=np.int64)
    rows: list[Numbers] = [np.zeros(1, dtype=np.int64)]
    worth: list[Numbers] = [np.zeros((1, 7), dtype=np.int64)]
    results = used = 1
    for row, roll in enumerate(rolls):
        if roll is None:
            continue
        count[row], base[row], first[row], ways[row] = len(roll.hand.dice), results, used, roll.ways
        dice[row, : count[row]] = [number_of[die] for die in roll.hand.dice]
        rerolls[row, : len(roll.hand.rerolls)] = roll.hand.rerolls
        sizes = np.array(list(roll.row_of), dtype=np.int64).max(axis=0) + 1
        radix[row] = [int(np.prod(sizes[place + 1 :])) for place in range(symbols)]
        table = np.zeros(int(np.prod(sizes)), dtype=np.int64)
        for counts, number in roll.row_of.items():
            table[int(np.dot(counts, radix[row]))] = number
        rows.append(table)
        results += len(table)
        worth.append(roll.worth.reshape(-1, 7))
        used += len(worth[-1])
    return Pools(dice, count, rerolls, base, radix, np.concatenate(rows), first, ways, np.concatenate(worth))
