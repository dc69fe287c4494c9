"""Symbol dice solved exactly: battles as absorbing Markov chains, volleys that scatter by counting."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice.symbols import Die, Distribution, pool_distribution
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.pools.battle import (
    Battle,
    FaceEffect,
    Fought,
    Hand,
    Mean,
    Scattered,
    ScatterVolley,
    Series,
    Stage,
    State,
)

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
MOST_STATES = 3000
MOST_PAIRS = 4_000_000  # pairs of results in one stage


@dataclass(frozen=True, slots=True)
class Roll:
    """One side of a compiled stage: its hand, the results and their chances, and each
    result's worth in columns.
    """

    hand: Hand
    distribution: Distribution
    probs: Array
    worth: Numbers  # [result, (blows, blocks, breaks, number of the mark)]
    marks: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A compiled stage: `following[damage to a, damage to b, mark of a, mark of b]` numbers the next state,
    -1 where nothing leads.
    """

    rolls: tuple[Roll, Roll]
    stage: Stage
    chances: Array  # as `following`, flattened
    following: Numbers
    lost: tuple[float, float]

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """The damage and marks that a stage tells apart."""
        return (
            self.stage.standing[0] + 1,
            self.stage.standing[1] + 1,
            len(self.rolls[0].marks),
            len(self.rolls[1].marks),
        )


@dataclass(frozen=True, slots=True)
class Compiled:
    """A battle with its states numbered; `links` has None where the battle is over."""

    battle: Battle
    states: tuple[State, ...]
    links: tuple[Link | None, ...]
    number: Mapping[State, int]


@lru_cache(maxsize=64)
def damage_table(damage: Callable[[int, int, int], int], sizes: tuple[int, int, int]) -> Numbers:
    """What gets through for every number of blows, blocks and breaks up to `sizes`."""
    cells = [damage(blows, blocks, breaks) for blows, blocks, breaks in np.ndindex(*sizes)]
    return np.array(cells, dtype=np.int64).reshape(sizes)


def table_for(damage: Callable[[int, int, int], int], worths: Sequence[Numbers]) -> Numbers:
    """The damage table that is large enough for these results."""
    most = np.max([worth[:, :3].max(axis=0) for worth in worths], axis=0)
    sizes = [8 * (int(value) // 8 + 1) for value in most]  # rounded up, so that few tables serve all
    return damage_table(damage, (sizes[0], sizes[1], sizes[2]))


def _roll(battle: Battle, hand: Hand) -> Roll:
    distribution = pool_distribution(hand.dice, battle.symbols, hand.rerolls)
    efforts = [hand.spend(counts) for counts in distribution.weights]
    marks = tuple(dict.fromkeys(effort.mark for effort in efforts))
    worth = np.array([(e.blows, e.blocks, e.breaks, marks.index(e.mark)) for e in efforts], dtype=np.int64)
    # Results that are worth the same are one: fewer pairs.
    worth, place = np.unique(worth, axis=0, return_inverse=True)
    probs = np.array([weight / distribution.total for weight in distribution.weights.values()])
    merged: Array = np.bincount(place.ravel(), weights=probs, minlength=len(worth)).astype(np.float64)
    return Roll(hand, distribution, merged, worth, marks)


def _link(battle: Battle, stage: Stage, number_of: Callable[[State], int]) -> Link:
    a, b = _roll(battle, stage.hands[0]), _roll(battle, stage.hands[1])
    if len(a.probs) * len(b.probs) > MOST_PAIRS:
        raise TooLargeError(
            f"{battle.where}: {len(a.probs) * len(b.probs)} pairs of results in one round are too many "
            "(use fewer dice)"
        )
    table = table_for(battle.damage, (a.worth, b.worth))
    blows, blocks, breaks, mark = range(4)
    left, right = a.worth[:, None, :], b.worth[None, :, :]
    to_a = np.minimum(stage.standing[0], table[right[..., blows], left[..., blocks], right[..., breaks]])
    to_b = np.minimum(stage.standing[1], table[left[..., blows], right[..., blocks], left[..., breaks]])
    shape = (stage.standing[0] + 1, stage.standing[1] + 1, len(a.marks), len(b.marks))
    code = ((to_a * shape[1] + to_b) * shape[2] + left[..., mark]) * shape[3] + right[..., mark]
    pairs = np.outer(a.probs, b.probs)
    chances: Array = np.bincount(code.ravel(), weights=pairs.ravel(), minlength=int(np.prod(shape))).astype(
        np.float64
    )
    following = np.full(len(chances), -1, dtype=np.int64)
    for cell in np.flatnonzero(chances):
        da, db, ma, mb = (int(index) for index in np.unravel_index(cell, shape))
        following[cell] = number_of(stage.after(da, db, a.marks[ma], b.marks[mb]))
    return Link((a, b), stage, chances, following, (float((pairs * to_a).sum()), float((pairs * to_b).sum())))


def compile_battle(battle: Battle, starts: Sequence[State]) -> Compiled:
    """All states that can be reached from the starts, and how they lead to each other."""
    number: dict[State, int] = {}

    def number_of(state: State) -> int:
        return number.setdefault(state, len(number))

    for start in starts:
        number_of(start)
    links: list[Link | None] = []
    while len(links) < len(number):
        state = list(number)[len(links)]
        stage = battle.stage(state)
        links.append(None if stage is None else _link(battle, stage, number_of))
        if len(number) > MOST_STATES:
            raise TooLargeError(f"{battle.where}: more than {MOST_STATES} states (use smaller sides)")
    compiled = Compiled(battle, tuple(number), tuple(links), number)
    _check_that_it_ends(compiled)
    return compiled


def _check_that_it_ends(compiled: Compiled) -> None:
    """Refuses a battle that can go on for ever: a state from which no end can be reached."""
    ending = {index for index, link in enumerate(compiled.links) if link is None}
    grown = True
    while grown:
        grown = False
        for index, link in enumerate(compiled.links):
            if (
                index not in ending
                and link is not None
                and any(int(n) in ending for n in link.following if n >= 0)
            ):
                ending.add(index)
                grown = True
    if len(ending) < len(compiled.links):
        raise BadInputError(
            f"{compiled.battle.where}: it can go on for ever, as neither side can harm the other (give "
            "a side dice with blows)"
        )


def _solve(compiled: Compiled, start: Mapping[State, float]) -> Fought:
    """The ends of a battle and its means: expected visits of each state from one linear system."""
    size = len(compiled.states)
    step = np.zeros((size, size))
    counted, lost_a, lost_b = np.zeros(size), np.zeros(size), np.zeros(size)
    for index, link in enumerate(compiled.links):
        if link is not None:
            used = link.following >= 0
            np.add.at(step[index], link.following[used], link.chances[used])
            counted[index] = link.stage.counted
            lost_a[index], lost_b[index] = link.lost
    begin = np.zeros(size)
    for state, chance in start.items():
        begin[compiled.number[state]] += chance
    visits = np.linalg.solve(np.eye(size) - step.T, begin)
    over = [index for index, link in enumerate(compiled.links) if link is None]
    ends = {compiled.states[index]: float(max(0.0, visits[index])) for index in over}
    return Fought(
        ends, Mean(float(visits @ counted)), (Mean(float(visits @ lost_a)), Mean(float(visits @ lost_b)))
    )


def solve_series(battles: Sequence[Battle], start: State) -> Series:
    """A series of battles solved exactly; the ends of one are the starts of the next."""
    starts: dict[State, float] = {start: 1.0}
    fights: list[Fought] = []
    points = 0.0
    for place, battle in enumerate(battles):
        entered: dict[State, float] = {}
        for state, chance in starts.items():
            begin = battle.enter(state) if place else state
            if begin is not None:
                entered[begin] = entered.get(begin, 0.0) + chance
        fought = (
            _solve(compile_battle(battle, list(entered)), entered)
            if entered
            else Fought({}, Mean(0.0), (Mean(0.0), Mean(0.0)))
        )
        points += battle.points_each * fought.lost[1].value
        points += sum(chance * battle.points_end(state) for state, chance in fought.ends.items())
        fights.append(fought)
        starts = dict(fought.ends)
    return Series(tuple(fights), Mean(points))


def _die(effects: Sequence[FaceEffect]) -> Die:
    """A die that shows its effects."""
    names = FaceEffect._fields
    return Die(
        "volley",
        tuple(
            tuple(name for name, number in zip(names, face, strict=True) for _ in range(number))
            for face in effects
        ),
    )


def solve_scatter(volley: ScatterVolley) -> Scattered:
    """A volley by counting: every target by itself.

    >>> hit, scatter = FaceEffect(damaging=1), FaceEffect(scatters=1)
    >>> solve_scatter(ScatterVolley(1, (hit, scatter), (hit, FaceEffect()), (1,), 2, 1)).struck[1]
    {(0, 0, False): 0.75, (0, 1, False): 0.25}
    """
    first, second = _die(volley.first), _die(volley.second)

    def damage(die: Die, number: int) -> Mapping[tuple[int, bool], Fraction]:
        return pool_distribution((die,) * number, ("damaging", "crit")).of(
            lambda counts: (counts[0], counts[1] > 0)
        )

    def shown(symbol: str) -> Mapping[int, Fraction]:
        return pool_distribution((first,) * volley.dice, (symbol,)).of(lambda counts: counts[0])

    struck = [dict(damage(first, volley.dice))]
    for target in range(1, volley.targets):
        chances: dict[tuple[int, bool], Fraction] = {}
        for scatters, chance in shown("scatters").items():
            for key, share in damage(second, volley.recipients[:scatters].count(target)).items():
                chances[key] = chances.get(key, Fraction(0)) + chance * share
        struck.append(chances)
    # No die does anything: no damage on the first roll, and if it scatters to somebody none on the second.
    quiet = sum(
        not one.damaging and not (one.scatters and volley.recipients and two.damaging)
        for one in volley.first
        for two in volley.second
    )
    each = 1.0 / volley.strengths
    return Scattered(
        struck=tuple(
            {
                (strength, k, crit): each * float(chance)
                for (k, crit), chance in sorted(chances.items())
                for strength in range(volley.strengths)
            }
            for chances in struck
        ),
        noted={k: float(chance) for k, chance in shown("noted").items()},
        nothing=quiet**volley.dice / (len(volley.first) * len(volley.second)) ** volley.dice,
    )
