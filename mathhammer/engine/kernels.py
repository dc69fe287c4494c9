"""The compiled loop of attacks: arrays in, arrays out, no game names, never an exception.

`play` runs a short list of stages over the lanes of one block of trials after the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mathhammer.engine.jit import njit
from mathhammer.engine.lane_kernels import (
    GOLDEN,
    LANES,
    add_each,
    dithered,
    draw_rows,
    fill,
    land_one,
    mix,
    part,
    tally,
    tally_masked,
    tally_two,
)

ATTACKS, ROWS, POOL, EACH, STEPS = 0, 1, 2, 3, 4  # kinds of stages
# Each block starts at a place of its own on the circle of 2^64 counters: its number with the low 24 bits on
# top and the next 8 bits below them. Up to 2^32 blocks (4e12 trials) of up to 2^32 steps each never meet.
BLOCK_SHIFT, ROUND_SHIFT, BLOCK_BITS = np.uint64(40), np.uint64(32), np.uint64(24)
LOW_BLOCK = np.uint64(2**24 - 1)


class Stages(NamedTuple):
    """A compiled action: one record of `plan` per stage, and the tables that the records point into.

    The fields of a record are those of `stages.Stage`. Counter 0 is the damage pool; the end of a trial is
    its state plus that counter.
    """

    plan: np.ndarray  # STAGE[stages]
    survival: np.ndarray  # float64: chance of a later outcome than k, times 65536
    increments: np.ndarray  # uint16[counters, thresholds]: what a threshold adds to what those before it add
    likeliest: np.ndarray  # uint16[stages, counters]: what every attack adds before any threshold counts
    cuts: np.ndarray  # uint32: alias tables
    other: np.ndarray  # int32
    start: int


class Lanes(NamedTuple):
    """How the trials of a block stand, side by side; every field is an array that the stages change."""

    state: np.ndarray  # int64[lane]: of the target
    counters: np.ndarray  # uint16[counter, lane]: points in the pool, packets of each kind
    numbers: np.ndarray  # int64[lane]: attacks of the stage
    rows: np.ndarray  # int64[lane]: of the table to draw from
    drawn: np.ndarray  # int64[lane]
    words: np.ndarray  # uint32[lane]: a word of random bits for each lane
    half_words: np.ndarray  # uint32[lane / 2]: the same for attacks, of 16 bits each ...
    draws: np.ndarray  # uint16[lane]: ... and seen so
    cuts: np.ndarray  # uint16: thresholds of the stage's outcomes
    counted: np.ndarray  # int64[1 or 4, end]: histograms of the ends so far


@njit(nogil=True)
def play(stages, seed, blocks, trials, histogram, samples):
    """Plays the trials of the blocks from the first to before the last; adds the end of each to the
    histogram, and to `samples` if it has room.
    """
    lanes = make_lanes(stages, histogram.size)
    play_blocks(stages, lanes, seed, blocks, trials, samples)
    for part_of_lanes in range(lanes.counted.shape[0]):
        for end in range(histogram.size):
            histogram[end] += lanes.counted[part_of_lanes, end]


@njit(nogil=True)
def make_lanes(stages, ends):
    """Lanes for these stages, which end in so many ways. Made here as numba puts an array where the
    processor's vectors begin, and numpy does not.
    """
    half_words = np.empty(LANES // 2, np.uint32)
    thresholds = 0
    for stage in stages.plan:
        thresholds = max(thresholds, stage.thresholds)
    # neighbouring trials often end alike: four histograms, so that one increment need not wait for the other
    histograms = 4 if ends <= 65536 else 1
    return Lanes(
        np.empty(LANES, np.int64),
        np.empty((stages.increments.shape[0], LANES), np.uint16),
        np.empty(LANES, np.int64),
        np.empty(LANES, np.int64),
        np.empty(LANES, np.int64),
        np.empty(LANES, np.uint32),
        half_words,
        half_words.view(np.uint16),
        np.empty(padded(thresholds), np.uint16),
        np.zeros((histograms, ends), np.int64),
    )


@njit(nogil=True, _nrt=False)
def place_of(block):
    """Where on the circle of counters a block begins."""
    return ((block & LOW_BLOCK) << BLOCK_SHIFT) + ((block >> BLOCK_BITS) << ROUND_SHIFT)


@njit(nogil=True, _nrt=False)
def play_blocks(stages, lanes, seed, blocks, trials, samples):
    """Plays all stages for the trials of each block."""
    for block in range(blocks[0], blocks[1]):
        counter = mix(seed) + place_of(np.uint64(block)) * GOLDEN
        lanes.counters[:] = 0
        lanes.state[:] = stages.start
        for number in range(stages.plan.size):
            stage = stages.plan[number]
            if stage.kind == ATTACKS or stage.kind == EACH:
                counter = roll_numbers(stages, lanes, stage, counter)
                add_likeliest(lanes, stage, stages.likeliest[number])
                counter = attack(stages, lanes, stage, counter)
            elif stage.kind == STEPS:
                counter = land_one_by_one(stages, lanes, stage, counter)
            elif stage.kind == ROWS:
                counter = land_together(stages, lanes, stage, counter)
            else:
                counter = add_to_pool(stages, lanes, stage, counter)
        note_ends(lanes, block, trials, samples)


@part
def roll_numbers(stages, lanes, stage, counter):
    """How many attacks each lane makes: always as many, drawn from a table, or one if something failed."""
    numbers = lanes.numbers
    if stage.count_table >= 0:
        counter = fill(lanes.words, counter)
        lanes.rows[:] = 0
        width, base = stage.count_width, stage.count_table
        draw_rows(lanes.words, lanes.rows, width, stages.cuts, stages.other, base, numbers)
    elif stage.if_counter >= 0:
        failed = lanes.counters[stage.if_counter]
        for i in range(LANES):
            numbers[i] = min(np.int64(failed[i]), 1)
    else:
        numbers[:] = stage.attacks
    return counter


@part
def add_likeliest(lanes, stage, likeliest):
    """Adds what the likeliest outcome adds, for every attack; the thresholds add what others have beyond."""
    for c in range(stage.counter, stage.counter + stage.counters):
        each = np.int64(likeliest[c])
        if each:
            add_each(lanes.counters[c], each, lanes.numbers)


@part
def attack(stages, lanes, stage, counter):
    """Attack after attack of a stage: its outcome counts, or moves the target at once."""
    first, number = stage.threshold, stage.thresholds
    last_counter = stage.counter + stage.counters
    masked = stage.count_table >= 0 or stage.if_counter >= 0
    for turn in range(stage.attacks):
        dithered(stages.survival, first, padded(number), mix(counter), lanes.cuts)
        counter = fill(lanes.half_words, counter + GOLDEN)
        if stage.kind == EACH:
            lanes.counters[stage.outcome, :] = 0
        for c in range(stage.counter, last_counter):
            add = stages.increments[c, first:]
            if masked:
                count_masked(lanes, number, add, c, turn)
            else:
                count(lanes, number, add, c)
        if stage.kind == EACH:
            counter = fill(lanes.words, counter)
            land_outcome(stages, lanes, stage, turn)
    return counter


@part
def padded(number):
    """Thresholds in groups of four; those that fill the last group have the cut 0, which no draw lies
    below.
    """
    return (number + 3) & ~3


@part
def count(lanes, number, add, c):
    """Adds to counter c what one attack of every lane has beyond the likeliest outcome."""
    for k in range(0, number, 4):
        if number - k <= 2:
            tally_two(lanes.draws, lanes.cuts, k, add, lanes.counters[c])
        else:
            tally(lanes.draws, lanes.cuts, k, add, lanes.counters[c])


@part
def count_masked(lanes, number, add, c, turn):
    """The same in lanes that have more attacks than this turn's number."""
    for k in range(0, number, 4):
        tally_masked(lanes.draws, lanes.cuts, k, add, lanes.counters[c], lanes.numbers, turn)


@part
def land_outcome(stages, lanes, stage, turn):
    """From row (outcome, state) to a state, in lanes that have so many attacks."""
    rows, drawn, state, outcome = lanes.rows, lanes.drawn, lanes.state, lanes.counters[stage.outcome]
    for i in range(LANES):
        rows[i] = np.int64(outcome[i]) * stage.rows_each + state[i]
    draw_rows(lanes.words, rows, stage.width, stages.cuts, stages.other, stage.table, drawn)
    for i in range(LANES):
        state[i] = drawn[i] if turn < lanes.numbers[i] else state[i]


@part
def land_one_by_one(stages, lanes, stage, counter):
    """The packets of a kind, one after the other."""
    packets = lanes.counters[stage.counter]
    most = 0
    for i in range(LANES):
        most = max(most, np.int64(packets[i]))
    for packet in range(min(stage.largest, most)):
        counter = fill(lanes.words, counter)
        land_one(lanes.words, packets, packet, lanes.state, stage, stages.cuts, stages.other)
    return counter


@part
def land_together(stages, lanes, stage, counter):
    """All packets of a kind at once: from row (number, state) to a state."""
    counter = fill(lanes.words, counter)
    packets, rows, state = lanes.counters[stage.counter], lanes.rows, lanes.state
    for i in range(LANES):
        rows[i] = min(np.int64(packets[i]), stage.largest) * stage.rows_each + state[i]
    draw_rows(lanes.words, rows, stage.width, stages.cuts, stages.other, stage.table, lanes.drawn)
    for i in range(LANES):
        state[i] = lanes.drawn[i]
    return counter


@part
def add_to_pool(stages, lanes, stage, counter):
    """All packets of a kind at once: points of row (number), added to the pool."""
    counter = fill(lanes.words, counter)
    packets, rows, drawn, state = lanes.counters[stage.counter], lanes.rows, lanes.drawn, lanes.state
    for i in range(LANES):
        rows[i] = min(np.int64(packets[i]), stage.largest)
    draw_rows(lanes.words, rows, stage.width, stages.cuts, stages.other, stage.table, drawn)
    for i in range(LANES):
        state[i] += drawn[i]
    return counter


@part
def note_ends(lanes, block, trials, samples):
    """Counts the ends of a block; the last block of all may have idle lanes."""
    state, pool, counted = lanes.state, lanes.counters[0], lanes.counted
    used = min(LANES, trials - block * LANES)
    mask = counted.shape[0] - 1
    for i in range(used):
        state[i] += np.int64(pool[i])
    for i in range(used):
        counted[i & mask, state[i]] += 1
    if samples.size:
        for i in range(used):
            samples[block * LANES + i] = state[i]
