"""Dice, pools and battles as the compiled loops read them: named arrays, and nothing that needs numba."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Box(NamedTuple):
    """All kinds of dice: what each face shows, which faces are blank, how many there are."""

    shows: np.ndarray  # int64[die, face, symbol]
    blank: np.ndarray  # bool[die, face]
    sides: np.ndarray  # int64[die]


class Pools(NamedTuple):
    """The dice of one side in every state: rows of dice numbers, strongest first, and what is left of each
    reroll effect.
    """

    dice: np.ndarray  # int64[states, dice]
    size: np.ndarray  # int64[states]: how many dice
    rerolls: np.ndarray  # int64[states, effects]
    base: np.ndarray  # int64[states]: first result of that state in `rows`
    radix: np.ndarray  # int64[states, symbols]: mixed radix of a result
    rows: np.ndarray  # int64[results]: the row of a result
    first: np.ndarray  # int64[states]: first row of that state in `worth`
    ways: np.ndarray  # int64[states]: ways to use a row, which follow each other in `worth`
    worth: (
        np.ndarray
    )  # int64[rows and ways, 7]: blows, blocks, breaks, number of the mark, outright, gains, points


class Course(NamedTuple):
    """How states lead to each other: `following[base + cell]`, where the cell is made of damage and marks."""

    over: np.ndarray  # bool[states]
    counted: np.ndarray  # int64[states]
    standing: np.ndarray  # int64[states, 2]
    spans: np.ndarray  # int64[states, 2]: pieces that may be lost at most
    marks: np.ndarray  # int64[states, 2]: how many there are
    chooser: int  # the side that chooses
    picks: np.ndarray  # int8: the way that is chosen for [row of a, row of b] of each state
    picked: np.ndarray  # int64[states]: first pick of that state; -1: there is nothing to choose
    width: np.ndarray  # int64[states]: rows of b
    base: np.ndarray  # int64[states]
    following: np.ndarray  # int64
    damage: np.ndarray  # int64[blows, blocks, breaks]
    most: int  # stages until a battle is given up


class Ends(NamedTuple):
    """What came of each trial."""

    state: np.ndarray  # int64[trial]: the state in which it ended; -1: it took too long
    rounds: np.ndarray  # int64[trial]
    lost: np.ndarray  # int64[trial, 2]: by each side
    points: np.ndarray  # int64[trial, 2]: scored by the rolls of each side


class Table(NamedTuple):
    """What the loops write on while a trial runs."""

    seen: np.ndarray  # int64[symbol]: symbols of one roll
    left: np.ndarray  # int64[effect]: what is left of each reroll effect
