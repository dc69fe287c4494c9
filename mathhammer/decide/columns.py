"""Columns of a plan: every set of blows on one target, in its best order, with its exact value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from math import log

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.decide.blows import PHASES, SURE, Blow, begin, states_of
from mathhammer.duel.states import Array, States
from mathhammer.units.unit import Unit

Set = tuple[int, int]  # bits of parts, and of commands
TINY = 1e-12
PROMISING = 30  # sets of one size that grow where not all can


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """One way for an attacker to use some of its parts on a target: a blow, and what it takes."""

    attacker: int
    parts: frozenset[int]  # of the army: weapons that are split, or the one part of a unit that is not
    blow: Blow
    tag: int  # bits of commands that are used once
    bits: int = field(init=False)  # of the parts
    spends: int = field(init=False)  # command points
    phase: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bits", sum(1 << part for part in self.parts))
        object.__setattr__(self, "spends", len(self.blow.commands))
        object.__setattr__(self, "phase", PHASES.index(self.blow.kind))


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
    bits: int  # of the parts of all its options
    tag: int  # of all its commands
    spends: int  # command points

    @property
    def key(self) -> Set:
        """What tells sets apart, whatever their order."""
        return self.bits, self.tag


def nobody(place: int, goal: Goal, start: Array) -> Column:
    """No option at all."""
    return Column(place, (), goal.nothing, start, 0, 0, 0)


def columns_on(
    place: int,
    target: Unit,
    options: Sequence[Option],
    goal: Goal,
    limits: tuple[int, int, int],
    hope: Callable[[Sequence[Column]], NDArray[np.bool_]] | None = None,
) -> tuple[list[Column], int]:
    """All sets of options on a target that are worth more than a part of them, and how many attackers a set
    had at most. `limits`: command points, attackers of a set, columns.

    Level by level, a sequence of one option more each. A target that is surely gone needs nobody more. Where
    there is no room for all sets of a size, the most promising ones grow further. Sequences without `hope`
    are left out.
    """
    points, most, room = limits
    states = states_of(target, "plan")
    start, alive = begin(target, states), states.alive_states
    value = goal.of(states, start)
    commute = all(option.blow.shift for option in options)
    level: dict[tuple[int, ...], Column] = {(): nobody(place, goal, start)}
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
        if hope is not None and level:
            level = {p: level[p] for p, kept in zip(level, hope(list(level.values())), strict=True) if kept}
        for column in level.values():
            if column.key not in best or column.value > best[column.key].value + SURE:
                best[column.key] = column
        level = {p: c for p, c in level.items() if float(c.mass[alive:].sum()) < 1.0 - SURE}
    return [column for column in best.values() if _worth(column, best, goal)], tried


def _promising(level: dict[tuple[int, ...], Column]) -> dict[tuple[int, ...], Column]:
    """The best sequence of each set, and of these the ones with the most value."""
    best: dict[Set, tuple[int, ...]] = {}
    for places, column in level.items():
        before = best.get(column.key)
        if before is None or column.value > level[before].value:
            best[column.key] = places
    kept = sorted(best.values(), key=lambda places: -level[places].value)[:PROMISING]
    return {places: level[places] for places in kept}


def column_of(place: int, target: Unit, options: Sequence[Option], goal: Goal) -> Column:
    """These options on a target, shooting first, else in this order."""
    states = states_of(target, "plan")
    mass = start = begin(target, states)
    ordered = tuple(sorted(options, key=lambda option: option.phase))
    for option in ordered:
        mass = mass @ option.blow.matrix
    worth = float(goal.of(states, start)(mass)) if options else goal.nothing
    bits = tag = 0
    for option in ordered:
        bits, tag = bits | option.bits, tag | option.tag
    return Column(place, ordered, worth, mass, bits, tag, sum(option.spends for option in ordered))


def _grown(
    level: dict[tuple[int, ...], Column], options: Sequence[Option], points: int, commute: bool
) -> list[tuple[tuple[int, ...], int]]:
    """Which option may follow each sequence: parts and commands once, shooting first, one order if any will
    do.
    """
    found = []
    asked = [(n, one.bits, one.tag, one.spends, one.phase) for n, one in enumerate(options)]
    for places, column in level.items():
        used, tag, left = column.bits, column.tag, points - column.spends
        first = places[-1] if places and commute else 0
        least = options[places[-1]].phase if places and not commute else 0
        found += [
            (places, number)
            for number, bits, once, cost, phase in asked[first:]
            if not (bits & used or once & tag or cost > left or phase < least)
        ]
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
        last = options[number]
        masses = np.stack([level[places].mass for places in sequences]) @ last.blow.matrix
        values = value(masses)
        for places, mass, worth in zip(sequences, masses, values.tolist(), strict=True):
            column = level[places]
            after[(*places, number)] = Column(
                column.target,
                (*column.options, last),
                worth,
                mass,
                column.bits | last.bits,
                column.tag | last.tag,
                column.spends + last.spends,
            )
    return after


def _worth(column: Column, best: dict[Set, Column], goal: Goal) -> bool:
    """Whether a set is worth more than without any one of its options."""
    if column.value <= goal.nothing + SURE:
        return False
    for option in column.options:
        tag = sum(one.tag for one in column.options if one is not option)
        less = best.get((column.bits & ~option.bits, tag))
        if less is not None and column.value <= less.value + SURE:
            return False
    return True
