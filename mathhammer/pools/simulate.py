"""The symbol-dice games played in bulk: pools, volleys and series of battles as arrays for
the compiled loops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice.symbols import Counts, Die
from mathhammer.errors import BadInputError
from mathhammer.pools.arrays import Box, Course, Ends, Pools, Table
from mathhammer.pools.battle import Battle, Fought, Mean, Scattered, ScatterVolley, Series, State
from mathhammer.pools.solving import Compiled, Link, Roll, compile_battle, table_for

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


def play_series(battles: Sequence[Battle], start: State, *, trials: int, seed: int) -> Series:
    """A series of battles played `trials` times; the end of one is the start of the next."""
    tables = _tables(battles, start)
    ends = [np.zeros(len(table.compiled.states), dtype=np.int64) for table in tables]
    # Sums and sums of squares: rounds, losses of a, losses of b for each battle; then the points of the
    # series.
    sums = np.zeros((len(tables), 3, 2))
    points_sums = np.zeros(2)
    for first, size in _blocks(trials):
        points = np.zeros(size, dtype=np.int64)
        trial = np.arange(first, first + size, dtype=np.int64)
        state = np.full(size, tables[0].compiled.number[start], dtype=np.int64)
        for place, table in enumerate(tables):
            if place:
                state = table.enter[state]
                trial, state = trial[state >= 0], state[state >= 0]
            state, rounds, lost = table.play(place, trial, state, seed)
            ends[place] += np.bincount(state, minlength=len(ends[place]))
            for row, values in enumerate((rounds, lost[:, 0], lost[:, 1])):
                sums[place, row] += (values.sum(), (values.astype(np.float64) ** 2).sum())
            points[trial - first] += table.compiled.battle.points_each * lost[:, 1] + table.points_end[state]
        points_sums += (points.sum(), (points.astype(np.float64) ** 2).sum())
    fights = tuple(
        Fought(
            {
                table.compiled.states[index]: int(count) / trials
                for index, count in enumerate(seen)
                if table.compiled.links[index] is None
            },
            _mean(rows[0], trials),
            (_mean(rows[1], trials), _mean(rows[2], trials)),
        )
        for table, seen, rows in zip(tables, ends, sums, strict=True)
    )
    return Series(fights, _mean(points_sums, trials), trials)


def _mean(sums: NDArray[np.float64], trials: int) -> Mean:
    mean = float(sums[0]) / trials
    return Mean(mean, sqrt(max(0.0, float(sums[1]) / trials - mean * mean) / trials))


@dataclass(frozen=True, slots=True)
class Tables:
    """A compiled battle as arrays: `enter[end of the battle before]` is a start or -1."""

    compiled: Compiled
    box: Box
    sides: tuple[Pools, Pools]
    course: Course
    enter: Numbers
    points_end: Numbers

    def play(self, stream: int, trials: Numbers, start: Numbers, seed: int) -> Ends:
        """What comes of each trial."""
        from mathhammer.pools.kernels import play_battles

        ends = Ends(np.zeros_like(trials), np.zeros_like(trials), np.zeros((len(trials), 2), dtype=np.int64))
        key = (np.uint64(seed), np.uint64(stream))
        effects = max(side.rerolls.shape[1] for side in self.sides)
        table = _table(self.box.shows.shape[2], effects)
        with np.errstate(over="ignore"):
            play_battles(key, trials, start, self.box, self.sides, self.course, table, ends)
        if (ends.state < 0).any():
            raise BadInputError(
                f"{self.compiled.battle.where}: not over after {MOST_STAGES} rounds "
                "(give a side dice with more blows)"
            )
        return ends


def _tables(battles: Sequence[Battle], start: State) -> list[Tables]:
    tables: list[Tables] = []
    starts: list[State] = [start]
    for place, battle in enumerate(battles):
        entered = [battle.enter(state) if place else state for state in starts]
        compiled = compile_battle(battle, [state for state in dict.fromkeys(entered) if state is not None])
        before = tables[-1].compiled.states if tables else ()
        enter = np.full(len(before), -1, dtype=np.int64)
        for row, state in enumerate(before):
            begin = battle.enter(state) if tables[-1].compiled.links[row] is None else None
            enter[row] = -1 if begin is None else compiled.number[begin]
        tables.append(_as_arrays(compiled, enter))
        starts = [state for state, link in zip(compiled.states, compiled.links, strict=True) if link is None]
    return tables


def _as_arrays(compiled: Compiled, enter: Numbers) -> Tables:
    battle, links = compiled.battle, compiled.links
    hands = [hand for link in links if link for hand in link.stage.hands]
    box, number_of = _box([die for hand in hands for die in hand.dice], battle.symbols)
    rolls = [[None if link is None else link.rolls[side] for link in links] for side in (0, 1)]
    ends = [
        battle.points_end(state) if link is None else 0
        for state, link in zip(compiled.states, links, strict=True)
    ]
    return Tables(
        compiled=compiled,
        box=box,
        sides=(
            _side(rolls[0], number_of, len(battle.symbols)),
            _side(rolls[1], number_of, len(battle.symbols)),
        ),
        course=_course(battle, links),
        enter=enter,
        points_end=np.array(ends, dtype=np.int64),
    )


def _course(battle: Battle, links: Sequence[Link | None]) -> Course:
    """How the states lead to each other."""
    size = len(links)
    standing, marks = np.zeros((size, 2), dtype=np.int64), np.ones((size, 2), dtype=np.int64)
    counted, base = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    following = [np.zeros(0, dtype=np.int64)]
    worths = [np.zeros((1, 4), dtype=np.int64)]
    used = 0
    for row, link in enumerate(links):
        if link is not None:
            standing[row], marks[row] = link.stage.standing, link.shape[2:]
            counted[row], base[row] = link.stage.counted, used
            following.append(link.following)
            used += len(link.following)
            worths += [roll.worth for roll in link.rolls]
    return Course(
        over=np.array([link is None for link in links], dtype=np.bool_),
        counted=counted,
        standing=standing,
        marks=marks,
        base=base,
        following=np.concatenate(following),
        damage=table_for(battle.damage, worths),
        most=MOST_STAGES,
    )


def _side(rolls: Sequence[Roll | None], number_of: Mapping[Die, int], symbols: int) -> Pools:
    """The pools of one side in every state: dice, their number, rerolls, and the worth of each result by
    mixed radix.
    """
    present = [roll for roll in rolls if roll is not None]
    width = max((len(roll.hand.dice) for roll in present), default=0)
    effects = max((len(roll.hand.rerolls) for roll in present), default=0)
    dice, rerolls = (
        np.zeros((len(rolls), width), dtype=np.int64),
        np.zeros((len(rolls), effects), dtype=np.int64),
    )
    count, base = np.zeros(len(rolls), dtype=np.int64), np.zeros(len(rolls), dtype=np.int64)
    radix = np.zeros((len(rolls), symbols), dtype=np.int64)
    worth: list[Numbers] = [np.zeros((1, 4), dtype=np.int64)]
    used = 1
    for row, roll in enumerate(rolls):
        if roll is None:
            continue
        count[row], base[row] = len(roll.hand.dice), used
        dice[row, : count[row]] = [number_of[die] for die in roll.hand.dice]
        rerolls[row, : len(roll.hand.rerolls)] = roll.hand.rerolls
        sizes = np.array(list(roll.distribution.weights), dtype=np.int64).max(axis=0) + 1
        radix[row] = [int(np.prod(sizes[place + 1 :])) for place in range(symbols)]
        table = np.zeros((int(np.prod(sizes)), 4), dtype=np.int64)
        for counts in roll.distribution.weights:
            effort = roll.hand.spend(counts)
            table[int(np.dot(counts, radix[row]))] = (
                effort.blows,
                effort.blocks,
                effort.breaks,
                roll.marks.index(effort.mark),
            )
        worth.append(table)
        used += len(table)
    return Pools(dice, count, rerolls, base, radix, np.concatenate(worth))
