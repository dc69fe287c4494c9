"""Every compiled loop of the project: arrays in, arrays out, no game names, never an exception.

`play` runs a short list of stages over lanes of 1024 trials side by side. Random numbers are counters put
through a mixing function: splitmix64 over (seed, block, step) gives 64 bits of key, and a keyed 32-bit
mixer over the lane gives its draw. So any split into threads or chunks gives the same bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mathhammer.engine.jit import njit

LANES = 1024
WORDS = LANES // 2  # 32-bit words that fill the lanes with 16-bit draws
ATTACKS, ROWS, POOL, EACH, STEPS = 0, 1, 2, 3, 4  # kinds of stages
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
GOLDEN_32, MIX_3, MIX_4 = np.uint32(0x9E3779B9), np.uint32(0x7FEB352D), np.uint32(0x846CA68B)
S15, S16 = np.uint32(15), np.uint32(16)
BLOCK_SHIFT = np.uint64(40)  # a block may take 2^40 steps before it would reach the next one


class Stages(NamedTuple):
    """A compiled action: one row of `plan` per stage, and the tables that the rows point into.

    Columns of `plan`: kind, most attacks, base of the attack-count table (-1: fixed; -2 - c: one if
    counter c is above 0), its width, first threshold, number of thresholds, first counter, number of
    counters, base of the row table, its width, states per row number, largest row number. Counter 0 is the
    damage pool; the end of a trial is its state plus that counter.
    """

    plan: np.ndarray  # int64[stages, 12]
    survival: np.ndarray  # float64: chance of a later outcome than k, times 65536
    increments: np.ndarray  # uint16[thresholds, counters]
    likeliest: np.ndarray  # uint16[stages, counters]: what every attack adds before any threshold counts
    cuts: np.ndarray  # uint32: alias tables
    other: np.ndarray  # int32
    counters: int
    start: int


@njit(inline="always")
def mix(z):
    """splitmix64: a 64-bit counter in, 64 well mixed bits out."""
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@njit(nogil=True)
def fill_keyed(words, low, high):
    """A keyed 32-bit mixer: the lane's number in, 32 well mixed bits out, another sequence for each 64-bit
    key.

    Every cast is needed: with them the compiler keeps to 32 bits and to vectors.
    """
    for i in range(words.size):
        x = np.uint32(np.uint32(np.uint32(i) * GOLDEN_32) + low)
        x = np.uint32(x ^ (x >> S16))
        x = np.uint32(x * MIX_3)
        x = np.uint32(np.uint32(x ^ (x >> S15)) + high)
        x = np.uint32(x * MIX_4)
        words[i] = np.uint32(x ^ (x >> S16))


@njit(nogil=True)
def fill(words, counter):
    """Fills the words with draws of one step, and gives the counter of the next step."""
    key = mix(counter)
    fill_keyed(words, np.uint32(key), np.uint32(key >> S32))
    return counter + GOLDEN


@njit(nogil=True)
def draw_rows(words, rows, width, cuts, other, base, out):
    """One alias draw per lane from the row of each lane: a column, and from what is left
    of the word whether to keep it.
    """
    for i in range(out.size):
        product = np.uint64(words[i]) * np.uint64(width)
        column = np.int64(product >> S32)
        place = base + rows[i] * width + column
        # read in any case: a select is faster than a branch that nobody can foresee
        instead = np.int64(other[place])
        out[i] = column if np.uint32(product) < cuts[place] else instead


@njit(nogil=True)
def land_one(words, numbers, packet, state, states, width, cuts, other, base):
    """One more packet for the lanes that have it: a draw among the few states it leads to, which stand behind
    the alias tables.
    """
    for i in range(state.size):
        if packet < np.int64(numbers[i]):
            product = np.uint64(words[i]) * np.uint64(width)
            column = np.int64(product >> S32)
            place = base + state[i] * width + column
            own, instead = np.int64(other[place + states * width]), np.int64(other[place])
            state[i] = own if np.uint32(product) < cuts[place] else instead


@njit(nogil=True)
def tally(draws, cut, add, counter):
    """Adds to the counters: the draw's outcome is how many cuts lie above it, four cuts at a time."""
    c0, c1, c2, c3 = cut[0], cut[1], cut[2], cut[3]
    a0, a1, a2, a3 = add[0], add[1], add[2], add[3]
    zero = np.uint16(0)
    for i in range(draws.size):
        x = draws[i]
        one = a0 if x < c0 else zero
        two = a1 if x < c1 else zero
        three = a2 if x < c2 else zero
        four = a3 if x < c3 else zero
        counter[i] = np.uint16(counter[i] + one + two + three + four)


@njit(nogil=True)
def tally_two(draws, cut, add, counter):
    """The same for at most two cuts."""
    c0, c1, a0, a1 = cut[0], cut[1], add[0], add[1]
    zero = np.uint16(0)
    for i in range(draws.size):
        x = draws[i]
        one = a0 if x < c0 else zero
        two = a1 if x < c1 else zero
        counter[i] = np.uint16(counter[i] + one + two)


@njit(nogil=True)
def tally_masked(draws, cut, add, counter, numbers, attack):
    """The same for lanes that still have attacks left."""
    c0, c1, c2, c3 = cut[0], cut[1], cut[2], cut[3]
    a0, a1, a2, a3 = add[0], add[1], add[2], add[3]
    zero = np.uint16(0)
    for i in range(draws.size):
        x = draws[i]
        one = a0 if x < c0 else zero
        two = a1 if x < c1 else zero
        three = a2 if x < c2 else zero
        four = a3 if x < c3 else zero
        more = np.uint16(one + two + three + four)
        counter[i] = np.uint16(counter[i] + (more if attack < numbers[i] else zero))


@njit(nogil=True)
def dithered(survival, first, number, word, cuts):
    """16-bit cuts rounded up or down together at random: right on average, and never out of order."""
    share = np.float64(word >> np.uint64(11)) * 1.1102230246251565e-16
    for k in range(number):
        cuts[k] = np.uint16(np.floor(survival[first + k] + share))


@njit(nogil=True)
def play(stages, seed_key, first_block, last_block, trials, histogram, samples):
    """Plays all trials of some blocks; adds the end of each to the histogram, and to
    `samples` if it has room.
    """
    words = np.empty(WORDS, np.uint32)
    draws = words.view(np.uint16)
    lane_words = np.empty(LANES, np.uint32)
    rows = np.empty(LANES, np.int64)
    drawn = np.empty(LANES, np.int64)
    numbers = np.empty(LANES, np.int64)
    outcome = np.empty(LANES, np.uint16)
    state = np.empty(LANES, np.int64)
    counters = np.empty((stages.counters, LANES), np.uint16)
    widest = 4
    for s in range(stages.plan.shape[0]):
        widest = max(widest, stages.plan[s, 5] + 4)
    cuts = np.zeros(widest, np.uint16)
    ones = np.ones(4, np.uint16)
    add = np.zeros(4, np.uint16)
    some = np.zeros(4, np.uint16)
    # neighbouring trials often end alike: four histograms, so that one increment need not wait for the other
    mask = 3 if histogram.size <= 65536 else 0
    counted = np.zeros((mask + 1, histogram.size), np.int64)
    for block in range(first_block, last_block):
        counter = mix(seed_key) + (np.uint64(block) << BLOCK_SHIFT) * GOLDEN
        counters[:] = 0
        state[:] = stages.start
        for s in range(stages.plan.shape[0]):
            row = stages.plan[s]
            kind, most, count_base, count_width = row[0], row[1], row[2], row[3]
            first, number, counter_from, counter_number = row[4], row[5], row[6], row[7]
            base, width, per_number, largest = row[8], row[9], row[10], row[11]
            if kind == ATTACKS or kind == EACH:
                if count_base >= 0:
                    counter = fill(lane_words, counter)
                    rows[:] = 0
                    draw_rows(lane_words, rows, count_width, stages.cuts, stages.other, count_base, numbers)
                elif count_base < -1:
                    for i in range(LANES):
                        numbers[i] = min(np.int64(counters[-2 - count_base, i]), 1)
                else:
                    numbers[:] = most
                for c in range(counter_from, counter_from + counter_number):
                    each = np.int64(stages.likeliest[s, c])
                    if each:
                        for i in range(LANES):
                            counters[c, i] = np.uint16(np.int64(counters[c, i]) + each * numbers[i])
                for attack in range(most):
                    dithered(stages.survival, first, number, mix(counter), cuts)
                    counter = fill(words, counter + GOLDEN)
                    if kind == EACH:
                        outcome[:] = 0
                    for k in range(0, number, 4):
                        for j in range(4):
                            some[j] = cuts[k + j] if k + j < number else np.uint16(0)
                        for c in range(counter_number):
                            for j in range(4):
                                add[j] = (
                                    stages.increments[first + k + j, counter_from + c]
                                    if k + j < number
                                    else np.uint16(0)
                                )
                            if count_base != -1:
                                tally_masked(draws, some, add, counters[counter_from + c], numbers, attack)
                            elif number - k <= 2:
                                tally_two(draws, some, add, counters[counter_from + c])
                            else:
                                tally(draws, some, add, counters[counter_from + c])
                        if kind == EACH:
                            tally(draws, some, ones, outcome)
                    if kind == EACH:
                        counter = fill(lane_words, counter)
                        for i in range(LANES):
                            rows[i] = np.int64(outcome[i]) * per_number + state[i]
                        draw_rows(lane_words, rows, width, stages.cuts, stages.other, base, drawn)
                        for i in range(LANES):
                            state[i] = drawn[i] if attack < numbers[i] else state[i]
            elif kind == STEPS:
                most = min(largest, np.int64(counters[counter_from].max()))
                for packet in range(most):
                    counter = fill(lane_words, counter)
                    land_one(
                        lane_words,
                        counters[counter_from],
                        packet,
                        state,
                        per_number,
                        width,
                        stages.cuts,
                        stages.other,
                        base,
                    )
            else:
                counter = fill(lane_words, counter)
                # all packets of a kind at once: from row (number, state) to a state, or points of row
                # (number) added to the pool
                moves = kind == ROWS
                for i in range(LANES):
                    rows[i] = min(np.int64(counters[counter_from, i]), largest) * per_number + (
                        state[i] if moves else 0
                    )
                draw_rows(lane_words, rows, width, stages.cuts, stages.other, base, drawn)
                for i in range(LANES):
                    state[i] = drawn[i] + (0 if moves else state[i])
        lanes = min(LANES, trials - block * LANES)
        for i in range(lanes):
            state[i] += np.int64(counters[0, i])
        for i in range(lanes):
            counted[i & mask, state[i]] += 1
        if samples.size:
            samples[block * LANES : block * LANES + lanes] = state[:lanes]
    for part in range(counted.shape[0]):
        for end in range(histogram.size):
            histogram[end] += counted[part, end]
