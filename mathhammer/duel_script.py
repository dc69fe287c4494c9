"""`Script`: a duel or a whole battle as plain arrays, for the kernel that plays it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Script(NamedTuple):
    """A compiled battle. Units of a come first; `at` is 2 x round + 1 in b's turn, mapped to the tables in force then.

    Tables are rows of cumulated chances. `melee[at, how, u, v]` is the number of a table, how: 0 plain, 1 it charged,
    2 its target did; `shots[at, band, u, v]` the same for shooting, the last band while in combat; -1: it does nothing.
    """

    rounds: int
    first: int
    again: float  # chance that whoever began a round begins the next
    policy: int
    active_first: int
    charge_first: int
    into_combat: int
    slack: float
    within: float
    engaged: int  # whether the sides begin in combat
    side: Ints  # [unit]
    start: Ints  # [unit]: its first state
    states: Ints  # [unit]
    models: Ints  # [unit, state]
    wounds: Ints  # [unit, state]: wounds left
    numbers: Ints  # [u, v, state of u]: how u in that state looks to attacks on v
    worth: Floats  # [unit, state]: points lost
    rank: Ints  # [unit]
    charges: Ints  # [unit]: whether it charges
    charged: Ints  # [unit]: whether it counts as having charged at the start
    moves: Floats  # [unit]
    halts: Floats  # [unit]
    gap: float
    bands: Floats  # [unit, band]: largest distance of each band
    odds: Floats  # [at, side, needed]
    melee: Ints  # [at, 3, u, v]
    shots: Ints  # [at, bands + 1, u, v]
    own: Ints  # [unit, 2]: table of what it does for itself, free and in combat
    tables: Ints  # [table, 4]: first entry, width, whether a row is for every state of the target, first gain
    chances: Floats  # cumulated
    gains: Floats  # expected points for each class and state, in the order of the tables
    flees: Floats  # [unit, slain, left, fled], cumulated; of length 0 where nobody tests
    falls: Ints  # [unit, models left]: the state that keeps the most wounds
