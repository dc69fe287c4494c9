"""A battle with its states numbered: what every pair of rolls leads to, and which choices there are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.dice.symbols import Counts, Distribution, pool_distribution
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.pools.battle import Battle, Hand, Pick, Stage, State

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
MOST_STATES = 3000
MOST_PAIRS = 4_000_000  # pairs of results in one stage, with all ways to use them
BLOWS, BLOCKS, BREAKS, MARK, OUTRIGHT, GAINS, POINTS = range(7)  # columns of what a result is worth


@dataclass(frozen=True, slots=True)
class Roll:
    """One side of a compiled stage: results that are worth the same are one row, with its chance and what it
    is worth in each way to use it.
    """

    hand: Hand
    distribution: Distribution
    probs: Array  # [row]
    worth: Numbers  # [row, way, column]
    row_of: Mapping[Counts, int]
    marks: tuple[Hashable, ...]

    @property
    def ways(self) -> int:
        """In how many ways a result may be used at most."""
        return int(self.worth.shape[1])


@dataclass(frozen=True, slots=True)
class Link:
    """A compiled stage: the cell (damage to a, damage to b, mark of a, mark of b) of every pair of rows and
    ways, and the states that each cell leads to (several: one side chooses; none: it never comes up).
    """

    rolls: tuple[Roll, Roll]
    stage: Stage
    spans: tuple[int, int]  # pieces that each side may lose at most
    cells: Numbers  # [way of a, way of b, row of a, row of b]
    nexts: tuple[tuple[int, ...], ...]  # [cell]

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """The damage and marks that a stage tells apart."""
        a, b = self.rolls
        return self.spans[0] + 1, self.spans[1] + 1, len(a.marks), len(b.marks)

    @property
    def lost(self) -> tuple[Numbers, Numbers]:
        """What each side loses in each cell."""
        index = np.indices(self.shape).reshape(4, -1)
        return index[0], index[1]

    @property
    def open(self) -> bool:
        """Whether a side has anything to choose here."""
        return any(roll.ways > 1 for roll in self.rolls) or any(len(states) > 1 for states in self.nexts)


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
    most = np.max([worth[..., :MARK].max(axis=(0, 1)) for worth in worths], axis=0)
    sizes = [8 * (int(value) // 8 + 1) for value in most]  # rounded up, so that few tables serve all
    return damage_table(damage, (sizes[0], sizes[1], sizes[2]))


def _roll(battle: Battle, hand: Hand) -> Roll:
    distribution = pool_distribution(hand.dice, battle.symbols, hand.rerolls)
    efforts = [hand.spend(counts) for counts in distribution.weights]
    ways = max(map(len, efforts))
    marks = tuple(dict.fromkeys(effort.mark for choices in efforts for effort in choices))
    place = {mark: number for number, mark in enumerate(marks)}
    table = np.array(
        [
            [
                (e.blows, e.blocks, e.breaks, place[e.mark], e.outright, e.gains, e.points)
                for e in (*choices, *[choices[-1]] * (ways - len(choices)))
            ]
            for choices in efforts
        ],
        dtype=np.int64,
    )
    # Results that are worth the same are one: fewer pairs.
    worth, row = np.unique(table.reshape(len(efforts), -1), axis=0, return_inverse=True)
    row = row.ravel()
    probs = np.array([weight / distribution.total for weight in distribution.weights.values()])
    merged: Array = np.bincount(row, weights=probs, minlength=len(worth)).astype(np.float64)
    row_of = {counts: int(number) for counts, number in zip(distribution.weights, row, strict=True)}
    return Roll(hand, distribution, merged, worth.reshape(len(worth), ways, -1), row_of, marks)


def _link(battle: Battle, stage: Stage, number_of: Callable[[State], int]) -> Link:
    a, b = _roll(battle, stage.hands[0]), _roll(battle, stage.hands[1])
    pairs = len(a.probs) * len(b.probs) * a.ways * b.ways
    if pairs > MOST_PAIRS:
        raise TooLargeError(
            f"{battle.where}: {pairs} pairs of results in one round are too many (use fewer dice)"
        )
    table = table_for(battle.damage, (a.worth, b.worth))
    # [way of a, way of b, row of a, row of b, column]
    left, right = a.worth.transpose(1, 0, 2)[:, None, :, None, :], b.worth.transpose(1, 0, 2)[None, :, None]
    to_a = table[right[..., BLOWS], left[..., BLOCKS], right[..., BREAKS]] + right[..., OUTRIGHT]
    to_b = table[left[..., BLOWS], right[..., BLOCKS], left[..., BREAKS]] + left[..., OUTRIGHT]
    to_a = np.minimum(stage.standing[0] + left[..., GAINS], to_a)
    to_b = np.minimum(stage.standing[1] + right[..., GAINS], to_b)
    spans = (
        stage.standing[0] + int(a.worth[..., GAINS].max()),
        stage.standing[1] + int(b.worth[..., GAINS].max()),
    )
    shape = (spans[0] + 1, spans[1] + 1, len(a.marks), len(b.marks))
    cells = ((to_a * shape[1] + to_b) * shape[2] + left[..., MARK]) * shape[3] + right[..., MARK]
    nexts: list[tuple[int, ...]] = [()] * int(np.prod(shape))
    for cell in np.unique(cells):
        da, db, ma, mb = (int(index) for index in np.unravel_index(cell, shape))
        following = stage.after(da, db, a.marks[ma], b.marks[mb])
        states = following.states if isinstance(following, Pick) else (following,)
        nexts[cell] = tuple(number_of(state) for state in states)
    return Link((a, b), stage, spans, cells, tuple(nexts))


def compile_battle(battle: Battle, starts: Sequence[State]) -> Compiled:
    """All states that can be reached from the starts, and how they lead to each other."""
    number: dict[State, int] = {}
    waiting: list[State] = []

    def number_of(state: State) -> int:
        if state not in number:
            number[state] = len(number)
            waiting.append(state)
        return number[state]

    for start in starts:
        number_of(start)
    links: list[Link | None] = []
    while len(links) < len(number):
        stage = battle.stage(waiting[len(links)])
        links.append(None if stage is None else _link(battle, stage, number_of))
        if len(number) > MOST_STATES:
            raise TooLargeError(f"{battle.where}: more than {MOST_STATES} states (use smaller sides)")
    compiled = Compiled(battle, tuple(number), tuple(links), number)
    check_that_it_ends(
        compiled, [[n for cell in link.nexts for n in cell] if link else [] for link in compiled.links]
    )
    return compiled


def check_that_it_ends(compiled: Compiled, nexts: Sequence[Sequence[int]]) -> None:
    """Refuses a battle that can go on for ever: a state from which no end can be reached."""
    ending = {index for index, link in enumerate(compiled.links) if link is None}
    grown = True
    while grown:
        more = {
            index
            for index, following in enumerate(nexts)
            if index not in ending and any(n in ending for n in following)
        }
        ending |= more
        grown = bool(more)
    if len(ending) < len(compiled.links):
        raise BadInputError(
            f"{compiled.battle.where}: it can go on for ever, as neither side can harm the other (give "
            "a side dice with blows)"
        )
