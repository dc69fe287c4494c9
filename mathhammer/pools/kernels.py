"""The compiled loops of the symbol-dice games: arrays in, arrays out, never an exception.

Random numbers are a counter put through splitmix64, keyed by (seed, stream, trial): any split into chunks or
threads gives the same bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mathhammer.engine.jit import njit
from mathhammer.engine.lane_kernels import GOLDEN, mix

S32 = np.uint64(32)
ONE = np.uint64(1)
STREAM_SHIFT = np.uint64(56)
HIT, CRIT, SCATTER, CHAOS = 1, 2, 3, 4  # what a face counts as; 0 is nothing


class Pools(NamedTuple):
    """The dice of one side in every state: rows of dice numbers, strongest first, and what is left of each
    reroll effect.
    """

    dice: np.ndarray  # int64[states, dice]
    count: np.ndarray  # int64[states]
    rerolls: np.ndarray  # int64[states, effects]
    base: np.ndarray  # int64[states]: first row of `worth` of that state
    radix: np.ndarray  # int64[states, symbols]: mixed radix of a result
    worth: np.ndarray  # int64[results, 4]: blows, blocks, breaks, number of the mark


class Course(NamedTuple):
    """How states lead to each other: `following[base + cell]`, where the cell is made of damage and marks."""

    over: np.ndarray  # bool[states]
    counted: np.ndarray  # int64[states]
    standing: np.ndarray  # int64[states, 2]
    marks: np.ndarray  # int64[states, 2]: how many there are
    base: np.ndarray  # int64[states]
    following: np.ndarray  # int64
    damage: np.ndarray  # int64[blows, blocks, breaks]


@njit(nogil=True)
def trial_key(seed, stream, trial):
    """Where the draws of one trial begin."""
    return mix(mix(seed ^ (stream << STREAM_SHIFT)) + trial * GOLDEN)


@njit(nogil=True)
def draw(key, number, sides):
    """A whole number below `sides` from draw `number` of a trial."""
    word = mix(key + number * GOLDEN)
    return np.int64(((word >> S32) * np.uint64(sides)) >> S32)


@njit(nogil=True)
def throw(key, number, dice, count, rerolls, left, shows, blank, sides, counts):
    """Throws a pool, rerolls blanks effect by effect, adds up the symbols; gives the
    number of the next draw.
    """
    counts[:] = 0
    left[:] = rerolls
    for i in range(count):
        die = dice[i]
        face = draw(key, number, sides[die])
        number += ONE
        for effect in range(left.size):
            if blank[die, face] and left[effect] > 0:
                left[effect] -= 1
                face = draw(key, number, sides[die])
                number += ONE
        for symbol in range(counts.size):
            counts[symbol] += shows[die, face, symbol]
    return number


@njit(nogil=True)
def throw_pools(seed, first, dice, rerolls, shows, blank, sides, results):
    """One pool thrown once for each row of `results`."""
    left = np.zeros(rerolls.size, np.int64)
    for i in range(results.shape[0]):
        key = trial_key(seed, np.uint64(0), np.uint64(first + i))
        throw(key, np.uint64(0), dice, dice.size, rerolls, left, shows, blank, sides, results[i])


@njit(nogil=True)
def play_battles(seed, stream, trials, start, shows, blank, sides, a, b, course, most, end, rounds, lost):
    """Plays a battle for each trial from its start to its end; an end of -1 means that it took more than
    `most` stages.
    """
    symbols = shows.shape[2]
    seen = np.zeros(symbols, np.int64)
    left_a = np.zeros(a.rerolls.shape[1], np.int64)
    left_b = np.zeros(b.rerolls.shape[1], np.int64)
    for i in range(trials.size):
        key = trial_key(seed, stream, np.uint64(trials[i]))
        number = np.uint64(0)
        state = start[i]
        stages = 0
        while not course.over[state] and stages < most:
            stages += 1
            number = throw(
                key,
                number,
                a.dice[state],
                a.count[state],
                a.rerolls[state],
                left_a,
                shows,
                blank,
                sides,
                seen,
            )
            row_a = a.base[state]
            for symbol in range(symbols):
                row_a += seen[symbol] * a.radix[state, symbol]
            number = throw(
                key,
                number,
                b.dice[state],
                b.count[state],
                b.rerolls[state],
                left_b,
                shows,
                blank,
                sides,
                seen,
            )
            row_b = b.base[state]
            for symbol in range(symbols):
                row_b += seen[symbol] * b.radix[state, symbol]
            wa, wb = a.worth[row_a], b.worth[row_b]
            to_a = min(course.standing[state, 0], course.damage[wb[0], wa[1], wb[2]])
            to_b = min(course.standing[state, 1], course.damage[wa[0], wb[1], wa[2]])
            rounds[i] += course.counted[state]
            lost[i, 0] += to_a
            lost[i, 1] += to_b
            cell = to_a * (course.standing[state, 1] + 1) + to_b
            cell = (cell * course.marks[state, 0] + wa[3]) * course.marks[state, 1] + wb[3]
            state = course.following[course.base[state] + cell]
        end[i] = state if course.over[state] else -1


@njit(nogil=True)
def fire_volleys(seed, first, trials, faces, dice, strengths, struck, chaos):
    """Rolls volleys whose scattered dice go round the neighbours; tallies each disk, gives how many volleys
    did nothing.

    struck[disk, strength, damaging dice, crit] and chaos[symbols in the first roll] are added to.
    """
    disks = struck.shape[0]
    damaging = np.zeros(disks, np.int64)
    crits = np.zeros(disks, np.int64)
    nothing = 0
    for i in range(trials):
        key = trial_key(seed, np.uint64(0), np.uint64(first + i))
        number = np.uint64(0)
        damaging[:] = 0
        crits[:] = 0
        scatters = 0
        odd = 0
        for _ in range(dice):
            symbol = faces[draw(key, number, faces.size)]
            number += ONE
            if symbol == SCATTER:
                scatters += 1
            elif symbol == CHAOS:
                odd += 1
            elif symbol == HIT or symbol == CRIT:
                damaging[0] += 1
                crits[0] += symbol == CRIT
        if disks > 1:
            for scatter in range(scatters):
                symbol = faces[draw(key, number, faces.size)]
                number += ONE
                if symbol == HIT or symbol == CRIT:
                    damaging[1 + scatter % (disks - 1)] += 1
                    crits[1 + scatter % (disks - 1)] += symbol == CRIT
        strength = draw(key, number, strengths)
        chaos[odd] += 1
        idle = True
        for disk in range(disks):
            struck[disk, strength, damaging[disk], 1 if crits[disk] > 0 else 0] += 1
            idle = idle and damaging[disk] == 0
        nothing += idle
    return nothing
