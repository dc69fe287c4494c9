"""The cheapest sets of blows that destroy a target with a chance: all that can be cheap enough are tried.

Sets grow level by level, one unit more each. A set is dropped only where no addition can make it one of the
cheapest: by its price, or by Chernoff's bound on what so much money can still do. So what is found is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.decide.blows import SURE
from mathhammer.duel.states import Array, Ints

Flags = NDArray[np.bool_]
MOST_NUMBERS = 40_000_000  # in the distributions of one level
MOST_SEQUENCES = 3_000_000  # that one level may grow to, before those that cannot matter are dropped
OFTEN = 500  # sets that are noted between two looks at what is cheap
CHUNK = 4_000_000
TILTS = (0.15, 0.4, 1.0, 2.0)  # of Chernoff's bound, in units of 1 / (mean wounds of a blow)


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """All blows that a set may hold, as arrays: one place for each."""

    matrices: Sequence[Array]
    item: Ints  # which unit it is: blows of one unit with and without a command are the same item
    copies: Ints  # how many of the item there are
    cost: Array
    tag: Ints  # bits of the commands that are used once by all
    spends: Ints  # command points
    phase: Ints  # 0 comes before 1
    commute: bool  # the order of all blows is the same

    def __len__(self) -> int:
        return len(self.matrices)


@dataclass(frozen=True, slots=True)
class Found:
    """A set of blows in its best order, its cost, and the chance to destroy."""

    places: tuple[int, ...]
    cost: float
    chance: float


@dataclass(slots=True, eq=False)
class _Level:
    """Sequences of one length that do not destroy the target surely enough yet."""

    places: Ints  # [sequence, place]
    mass: Array  # [sequence, state]
    cost: Array
    tag: Ints
    spent: Ints


@dataclass(slots=True)
class Search:
    """The search for sets: `found` holds the best sequence of each set; `tried` how many units a set had at
    most when all that could matter were tried, `complete` that larger sets cannot be among the cheapest.
    """

    choice: Choice
    begin: Array
    lost: Ints
    first_gone: int
    wanted: float
    best: int
    points: int  # command points
    most: int
    found: dict[tuple[int, ...], Found] = field(default_factory=dict)
    tried: int = 0
    complete: bool = False
    limit: float = float("inf")  # what a set may cost to be among the best

    def run(self) -> Search:
        """Tries every set that matters."""
        tails = np.stack([m[:, self.first_gone :].sum(axis=1) for m in self.choice.matrices], axis=1)
        bound = _Bound.of(self)
        none = np.zeros(1, dtype=np.int64)
        level = _Level(np.zeros((1, 0), dtype=np.int64), self.begin[None], np.zeros(1), none, none)
        for number in range(1, self.most + 1):
            more = self._evaluated(level, tails)
            self.tried = number
            grown = None if number == self.most else self._grown(level, more, bound)
            if grown is None:
                self.complete = number < self.most
                return self
            if not isinstance(grown, _Level):
                return self
            level = grown
        return self

    def _evaluated(self, level: _Level, tails: Array) -> Flags:
        """Notes the sets that destroy the target, and tells which additions are allowed and do not."""
        allowed = np.zeros((len(level.cost), len(self.choice)), dtype=np.bool_)
        step = max(1, CHUNK // len(self.choice))
        for at in range(0, len(level.cost), step):
            part = slice(at, at + step)
            able = self._allowed(level, part)
            chances = level.mass[part] @ tails
            enough = able & (chances >= self.wanted - SURE)
            allowed[part] = able & ~enough
            rows, places = np.nonzero(enough)
            costs = level.cost[part][rows] + self.choice.cost[places]
            for number, which in enumerate(np.argsort(costs, kind="stable").tolist(), 1):
                if costs[which] > self.limit + SURE:
                    break
                row, place = int(rows[which]), int(places[which])
                sequence = (*map(int, level.places[row + at]), place)
                self._note(Found(sequence, float(costs[which]), float(chances[row, place])))
                if number % OFTEN == 0:
                    self._settle()
            self._settle()
        return allowed

    def _note(self, one: Found) -> None:
        before = self.found.get(tuple(sorted(one.places)))
        if before is None or one.chance > before.chance + SURE:
            self.found[tuple(sorted(one.places))] = one

    def _settle(self) -> None:
        """Forgets what cannot be among the best, and tells what a set may cost to be."""
        kept = minimal(list(self.found.values()), self.choice, self.best)
        self.limit = kept[self.best - 1].cost if len(kept) >= self.best else float("inf")
        self.found = {tuple(sorted(one.places)): one for one in kept}

    def _allowed(self, level: _Level, part: slice) -> Flags:
        """Which blow may follow each sequence: copies, commands, phases, one order where all are the same."""
        choice, places = self.choice, level.places[part]
        number = len(level.cost[part])
        able = np.ones((number, len(choice)), dtype=np.bool_)
        able &= level.spent[part, None] + choice.spends[None] <= self.points
        able &= (level.tag[part, None] & choice.tag[None]) == 0
        able &= level.cost[part, None] + choice.cost[None] <= self.limit + SURE
        used = np.zeros((number, int(choice.item.max()) + 1), dtype=np.int64)
        for column in places.T:
            used[np.arange(number), choice.item[column]] += 1
        able &= used[:, choice.item] < choice.copies[None]
        if places.shape[1]:
            last = places[:, -1]
            if choice.commute:
                able &= last[:, None] <= np.arange(len(choice))[None]
            else:
                able &= choice.phase[last][:, None] <= choice.phase[None]
        return able

    def _grown(self, level: _Level, allowed: Flags, bound: _Bound) -> _Level | str | None:
        """The next level; None where nothing can still be among the best, a word where it is too large."""
        rows, places = np.nonzero(allowed)
        cost = level.cost[rows] + self.choice.cost[places]
        cheap = cost + self.choice.cost.min() <= self.limit + SURE
        rows, places, cost = rows[cheap], places[cheap], cost[cheap]
        if len(rows) > MOST_SEQUENCES:
            return "too large"
        step = max(1, CHUNK // len(self.begin))
        parts: list[tuple[Ints, Array]] = []  # sequences that are kept, with their distributions
        for at in range(0, len(rows), step):
            mass = self._landed(level, rows[at : at + step], places[at : at + step])
            kept = np.flatnonzero(bound.least(mass, cost[at : at + step]) <= self.limit + SURE)
            parts.append((kept + at, mass[kept]))
        chosen = np.concatenate([part[0] for part in parts]) if parts else np.zeros(0, dtype=np.int64)
        if len(chosen) * len(self.begin) > MOST_NUMBERS:
            return "too large"
        if not len(chosen):
            return None
        rows, places = rows[chosen], places[chosen]
        return _Level(
            np.concatenate([level.places[rows], places[:, None]], axis=1),
            np.concatenate([part[1] for part in parts]),
            cost[chosen],
            level.tag[rows] | self.choice.tag[places],
            level.spent[rows] + self.choice.spends[places],
        )

    def _landed(self, level: _Level, rows: Ints, places: Ints) -> Array:
        """The distributions of these sequences after one blow more."""
        mass = np.empty((len(rows), len(self.begin)))
        for place in np.unique(places):
            here = places == place
            mass[here] = level.mass[rows[here]] @ self.choice.matrices[place]
        return mass


@dataclass(frozen=True, slots=True, eq=False)
class _Bound:
    """Chernoff: however blows follow, E exp(t lost) grows by at most `rate` for each unit of cost."""

    tilted: Array  # [tilt, state]: exp(t lost)
    wanted: Array  # [tilt]: what its logarithm has to reach
    rate: Array  # [tilt]

    @staticmethod
    def of(search: Search) -> _Bound:
        lost = search.lost.astype(np.float64)
        health = float(lost.max())
        means = [float(search.begin @ matrix @ lost) for matrix in search.choice.matrices]
        scale = max(max(means) - float(search.begin @ lost), 0.1)
        tilts = np.array(TILTS) / scale
        tilted = np.exp(tilts[:, None] * (lost[None] - health))
        growth = np.array(
            [np.log(((tilted @ matrix.T) / tilted).max(axis=1)) for matrix in search.choice.matrices]
        )
        rate = (growth / search.choice.cost[:, None]).max(axis=0)
        return _Bound(tilted, np.full(len(tilts), np.log(max(search.wanted - SURE, 1e-12))), rate)

    def least(self, mass: Array, cost: Array) -> Array:
        """The least cost at which these sequences can destroy the target surely enough."""
        reached = np.log(np.maximum(mass @ self.tilted.T, 1e-300))
        lacking = np.maximum(self.wanted[None] - reached, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            more = np.where(lacking > 0.0, lacking / self.rate[None], 0.0)
        least: Array = cost + more.max(axis=1)
        return least


def minimal(found: Sequence[Found], choice: Choice, best: int) -> list[Found]:
    """The cheapest sets, and all that cost as much as the last of them: without those that hold more than
    another one, a unit or a command, and without those whose command points are better spent on others of the
    same units. What is held by another set costs no more than it, so it is seen first.
    """
    kept: list[Found] = []
    spent = {one.places: int(choice.spends[list(one.places)].sum()) for one in found}
    alike: set[tuple[int, ...]] = set()
    for one in sorted(found, key=lambda f: (round(f.cost, 6), len(f.places), spent[f.places], -f.chance)):
        if len(kept) >= best and one.cost > kept[best - 1].cost + SURE:
            break
        units = (spent[one.places], *sorted(choice.item[list(one.places)].tolist()))
        if units in alike:
            continue
        alike.add(units)
        if not any(_within(other.places, one.places, choice) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda f: (round(f.cost, 6), len(f.places), -f.chance))


def _within(small: tuple[int, ...], large: tuple[int, ...], choice: Choice) -> bool:
    """Whether a set holds all of another; a unit that uses a command can do without it."""
    left: Counter[Any] = Counter(large)
    plain = []
    for place in small:
        if left[place]:
            left[place] -= 1
        elif choice.spends[place]:
            return False
        else:
            plain.append(int(choice.item[place]))
    items = Counter(int(choice.item[place]) for place in left.elements())
    return not Counter(plain) - items
