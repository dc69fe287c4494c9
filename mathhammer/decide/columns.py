"""Columns of a plan: every set of blows on one target, in its best order, with its exact value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from mathhammer.decide.blows import PHASES, SURE, Blow, begin, states_of
from mathhammer.duel.states import Array, States
from mathhammer.units.unit import Unit

TINY = 1e-12
PROMISING = 30  # sets of one size that grow where not all can


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """One way for an attacker to use some of its parts on a target: a blow, and what it takes."""

    attacker: int
    parts: frozenset[int]  # of the army: weapons that are split, or the one part of a unit that is not
    blow: Blow
    tag: int  # bits of commands that are used once


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """What a target is worth: its price by the share of its wounds that it loses, or if it is destroyed; or
    the logarithm of the chance to destroy it.
    """

    kind: str  # "removed", "destroyed" or "chance"
    price: float

    def of(self, states: States, start: Array) -> Callable[[Array], Array]:
        """The value of each distribution of a batch."""
        lost, gone = states.lost().astype(np.float64), states.alive_states
        before = float(start @ lost)
        if self.kind == "removed":
            health = float(lost.max())
            return lambda mass: self.price * (mass @ lost - before) / health
        if self.kind == "destroyed":
            return lambda mass: self.price * mass[..., gone:].sum(axis=-1)
        return lambda mass: np.log(np.maximum(mass[..., gone:].sum(axis=-1), TINY))

    @property
    def nothing(self) -> float:
        """The value of a target that nobody attacks."""
        return log(TINY) if self.kind == "chance" else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A set of options on one target in their best order, and its value."""

    target: int
    options: tuple[Option, ...]
    value: float
    mass: Array

    @property
    def spends(self) -> int:
        """Command points."""
        return sum(len(option.blow.commands) for option in self.options)

    @property
    def tag(self) -> int:
        """The bits of all its commands."""
        bits = 0
        for option in self.options:
            bits |= option.tag
        return bits


Set = tuple[frozenset[int], int]  # parts, and bits of commands


def columns_on(
    place: int, target: Unit, options: Sequence[Option], goal: Goal, limits: tuple[int, int, int]
) -> tuple[list[Column], int]:
    """All sets of options on a target that are worth more than a part of them, and how many attackers a set
    had at most. `limits`: command points, attackers of a set, columns.

    Level by level, a sequence of one option more each. A target that is surely gone needs nobody more. Where
    there is no room for all sets of a size, the most promising ones grow further.
    """
    points, most, room = limits
    states = states_of(target, "plan")
    start, alive = begin(target, states), states.alive_states
    value = goal.of(states, start)
    commute = all(option.blow.shift for option in options)
    level: dict[tuple[int, ...], Column] = {(): Column(place, (), goal.nothing, start)}
    best: dict[Set, Column] = {}
    tried = most
    for number in range(1, most + 1):
        grown = _grown(level, options, points, commute)
        if not grown:
            break
        if len(best) + len(grown) > room:
            tried = min(tried, number - 1)
            level = _promising(level)
            grown = _grown(level, options, points, commute)
        level = _valued(level, grown, options, value)
        for column in level.values():
            key = _key(column)
            if key not in best or column.value > best[key].value + SURE:
                best[key] = column
        level = {p: c for p, c in level.items() if float(c.mass[alive:].sum()) < 1.0 - SURE}
    return [column for column in best.values() if _worth(column, best, goal)], tried


def _promising(level: dict[tuple[int, ...], Column]) -> dict[tuple[int, ...], Column]:
    """The best sequence of each set, and of these the ones with the most value."""
    best: dict[Set, tuple[int, ...]] = {}
    for places, column in level.items():
        before = best.get(_key(column))
        if before is None or column.value > level[before].value:
            best[_key(column)] = places
    kept = sorted(best.values(), key=lambda places: -level[places].value)[:PROMISING]
    return {places: level[places] for places in kept}


def column_of(place: int, target: Unit, options: Sequence[Option], goal: Goal) -> Column:
    """These options on a target, shooting first, else in this order."""
    states = states_of(target, "plan")
    mass = start = begin(target, states)
    ordered = tuple(sorted(options, key=lambda option: PHASES.index(option.blow.kind)))
    for option in ordered:
        mass = mass @ option.blow.matrix
    worth = float(goal.of(states, start)(mass)) if options else goal.nothing
    return Column(place, ordered, worth, mass)


def _key(column: Column) -> Set:
    return frozenset().union(*(option.parts for option in column.options)), column.tag


def _grown(
    level: dict[tuple[int, ...], Column], options: Sequence[Option], points: int, commute: bool
) -> list[tuple[tuple[int, ...], int]]:
    """Which option may follow each sequence: parts and commands once, shooting first, one order if any will
    do.
    """
    found = []
    for places, column in level.items():
        used, tag = _key(column)
        left = points - column.spends
        last = options[places[-1]] if places else None
        for number, option in enumerate(options):
            if option.parts & used or option.tag & tag or len(option.blow.commands) > left:
                continue
            if last is not None:
                if commute and number < places[-1]:
                    continue
                if PHASES.index(option.blow.kind) < PHASES.index(last.blow.kind) and not commute:
                    continue
            found.append((places, number))
    return found


def _valued(
    level: dict[tuple[int, ...], Column],
    grown: Sequence[tuple[tuple[int, ...], int]],
    options: Sequence[Option],
    value: Callable[[Array], Array],
) -> dict[tuple[int, ...], Column]:
    """The next level; all sequences that end with one option land together."""
    ending: dict[int, list[tuple[int, ...]]] = {}
    for places, number in grown:
        ending.setdefault(number, []).append(places)
    after: dict[tuple[int, ...], Column] = {}
    for number, sequences in ending.items():
        masses = np.stack([level[places].mass for places in sequences]) @ options[number].blow.matrix
        values = value(masses)
        for places, mass, worth in zip(sequences, masses, values.tolist(), strict=True):
            column = level[places]
            after[(*places, number)] = Column(column.target, (*column.options, options[number]), worth, mass)
    return after


def _worth(column: Column, best: dict[Set, Column], goal: Goal) -> bool:
    """Whether a set is worth more than without any one of its options."""
    if column.value <= goal.nothing + SURE:
        return False
    for number in range(len(column.options)):
        rest = column.options[:number] + column.options[number + 1 :]
        less = best.get(_key(Column(column.target, rest, 0.0, column.mass)))
        if less is not None and column.value <= less.value + SURE:
            return False
    return True
