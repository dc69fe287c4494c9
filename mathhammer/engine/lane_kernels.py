"""Compiled loops over lanes, which are 1024 trials side by side: random bits, draws from tables, counters.

Random numbers are counters put through a mixing function: splitmix64 over (seed, block, step) gives 64 bits
of key, and a keyed 32-bit mixer over the lane gives its draw. So any split into threads or chunks gives the
same bits.
"""

from __future__ import annotations

import numpy as np

from mathhammer.engine.jit import njit

LANES = 1024
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
GOLDEN_32, MIX_3, MIX_4 = np.uint32(0x9E3779B9), np.uint32(0x7FEB352D), np.uint32(0x846CA68B)
S15, S16 = np.uint32(15), np.uint32(16)
# A part becomes part of the code of what calls it, and as it makes no array, numba need not count who holds
# one.
part = njit(nogil=True, inline="always", _nrt=False)


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
def land_one(words, numbers, packet, state, stage, cuts, other):
    """One more packet for the lanes that have it: a draw among the few states it leads to, which stand behind
    the alias tables.
    """
    width, base = stage.width, stage.table
    behind = stage.rows_each * width
    for i in range(state.size):
        if packet < np.int64(numbers[i]):
            product = np.uint64(words[i]) * np.uint64(width)
            column = np.int64(product >> S32)
            place = base + state[i] * width + column
            own, instead = np.int64(other[place + behind]), np.int64(other[place])
            state[i] = own if np.uint32(product) < cuts[place] else instead


@njit(nogil=True)
def tally(draws, cuts, k, add, counter):
    """Adds to a counter what each of four thresholds from number k on adds in the lanes whose draw lies below
    its cut.
    """
    c0, c1, c2, c3 = cuts[k], cuts[k + 1], cuts[k + 2], cuts[k + 3]
    a0, a1, a2, a3 = add[k], add[k + 1], add[k + 2], add[k + 3]
    zero = np.uint16(0)
    for i in range(draws.size):
        x = draws[i]
        one = a0 if x < c0 else zero
        two = a1 if x < c1 else zero
        three = a2 if x < c2 else zero
        four = a3 if x < c3 else zero
        counter[i] = np.uint16(counter[i] + one + two + three + four)


@njit(nogil=True)
def tally_two(draws, cuts, k, add, counter):
    """The same for two thresholds."""
    c0, c1, a0, a1 = cuts[k], cuts[k + 1], add[k], add[k + 1]
    zero = np.uint16(0)
    for i in range(draws.size):
        x = draws[i]
        one = a0 if x < c0 else zero
        two = a1 if x < c1 else zero
        counter[i] = np.uint16(counter[i] + one + two)


@njit(nogil=True)
def tally_masked(draws, cuts, k, add, counter, numbers, turn):
    """The same as `tally` for lanes that still have attacks left."""
    c0, c1, c2, c3 = cuts[k], cuts[k + 1], cuts[k + 2], cuts[k + 3]
    a0, a1, a2, a3 = add[k], add[k + 1], add[k + 2], add[k + 3]
    zero = np.uint16(0)
    for i in range(draws.size):
        x = draws[i]
        one = a0 if x < c0 else zero
        two = a1 if x < c1 else zero
        three = a2 if x < c2 else zero
        four = a3 if x < c3 else zero
        more = np.uint16(one + two + three + four)
        counter[i] = np.uint16(counter[i] + (more if turn < numbers[i] else zero))


@part
def dithered(survival, first, number, word, cuts):
    """16-bit cuts rounded up or down together at random: right on average, and never out of order."""
    share = np.float64(word >> np.uint64(11)) * 1.1102230246251565e-16
    for k in range(number):
        cuts[k] = np.uint16(np.floor(survival[first + k] + share))


@njit(nogil=True)
def add_each(counter, each, numbers):
    """Adds so much for every attack."""
    for i in range(LANES):
        counter[i] = np.uint16(np.int64(counter[i]) + each * numbers[i])
