"""The compiled loops of the symbol-dice games: arrays in, arrays out, never an exception.

Random numbers are a counter put through splitmix64, keyed by (seed, stream, trial): any split into chunks or
threads gives the same bits.
"""

from __future__ import annotations

import numpy as np

from mathhammer.engine.jit import njit
from mathhammer.engine.lane_kernels import GOLDEN, mix, part

S32 = np.uint64(32)
ONE = np.uint64(1)
STREAM_SHIFT = np.uint64(56)
BLOWS, BLOCKS, BREAKS, MARK, OUTRIGHT, GAINS, POINTS = range(7)  # columns of what a roll is worth
DAMAGING, CRIT, SCATTERS, NOTED = range(4)  # columns of what a face of a volley does


@part
def trial_key(seed, stream, trial):
    """Where the draws of one trial begin."""
    return mix(mix(seed ^ (stream << STREAM_SHIFT)) + trial * GOLDEN)


@part
def draw(key, number, sides):
    """A whole number below `sides` from draw `number` of a trial."""
    word = mix(key + number * GOLDEN)
    return np.int64(((word >> S32) * np.uint64(sides)) >> S32)


@part
def throw(key, number, pools, state, box, table):
    """Throws the dice of a state, rerolls blanks effect by effect while any is left, and adds up the symbols;
    gives the number of the next draw.
    """
    for symbol in range(table.seen.size):
        table.seen[symbol] = 0
    for effect in range(pools.rerolls.shape[1]):
        table.left[effect] = pools.rerolls[state, effect]
    for i in range(pools.size[state]):
        die = pools.dice[state, i]
        face = draw(key, number, box.sides[die])
        number += ONE
        for effect in range(pools.rerolls.shape[1]):
            if box.blank[die, face] and table.left[effect] > 0:
                table.left[effect] -= 1
                face = draw(key, number, box.sides[die])
                number += ONE
        for symbol in range(table.seen.size):
            table.seen[symbol] += box.shows[die, face, symbol]
    return number


@njit(nogil=True, _nrt=False)
def throw_pools(seed, first, pools, box, table, results):
    """The dice of the first state thrown once for each row of `results`."""
    for i in range(results.shape[0]):
        key = trial_key(seed, np.uint64(0), np.uint64(first + i))
        throw(key, np.uint64(0), pools, 0, box, table)
        for symbol in range(table.seen.size):
            results[i, symbol] = table.seen[symbol]


@part
def row_of(pools, state, seen):
    """The row of a roll."""
    place = pools.base[state]
    for symbol in range(seen.size):
        place += seen[symbol] * pools.radix[state, symbol]
    return pools.rows[place]


@njit(nogil=True, _nrt=False)
def play_battles(key, trials, start, box, sides, course, table, ends):
    """Plays a battle for each trial from its start to its end, of which the key is (seed, stream); an end of
    -1 means that it took more stages than the course allows.
    """
    a, b = sides
    for i in range(trials.size):
        draws = trial_key(key[0], key[1], np.uint64(trials[i]))
        number = np.uint64(0)
        state = start[i]
        stages = 0
        while not course.over[state] and stages < course.most:
            stages += 1
            number = throw(draws, number, a, state, box, table)
            row_a = row_of(a, state, table.seen)
            number = throw(draws, number, b, state, box, table)
            row_b = row_of(b, state, table.seen)
            way_a, way_b = 0, 0
            if course.picked[state] >= 0:
                way = course.picks[course.picked[state] + row_a * course.width[state] + row_b]
                if course.chooser == 0:
                    way_a = way
                else:
                    way_b = way
            worth_a = a.worth[a.first[state] + row_a * a.ways[state] + way_a]
            worth_b = b.worth[b.first[state] + row_b * b.ways[state] + way_b]
            ends.rounds[i] += course.counted[state]
            ends.points[i, 0] += worth_a[POINTS]
            ends.points[i, 1] += worth_b[POINTS]
            state = follow(course, state, worth_a, worth_b, ends.lost[i])
        ends.state[i] = state if course.over[state] else -1


@part
def follow(course, state, worth_a, worth_b, lost):
    """The state after both rolls; what each side loses is added to `lost`."""
    to_a = course.damage[worth_b[BLOWS], worth_a[BLOCKS], worth_b[BREAKS]] + worth_b[OUTRIGHT]
    to_b = course.damage[worth_a[BLOWS], worth_b[BLOCKS], worth_a[BREAKS]] + worth_a[OUTRIGHT]
    to_a = min(course.standing[state, 0] + worth_a[GAINS], to_a)
    to_b = min(course.standing[state, 1] + worth_b[GAINS], to_b)
    lost[0] += to_a
    lost[1] += to_b
    cell = to_a * (course.spans[state, 1] + 1) + to_b
    cell = (cell * course.marks[state, 0] + worth_a[MARK]) * course.marks[state, 1] + worth_b[MARK]
    return course.following[course.base[state] + cell]


@njit(nogil=True)
def fire_volleys(seed, trials, faces, dice, recipients, struck, noted):
    """Rolls volleys from the first trial on, as many as wanted; tallies each target, gives how many volleys
    did nothing.

    faces are (first roll, second roll), [face, (damaging, crit, scatters, noted)]; struck[target, strength,
    damaging dice, crit] and noted[faces of the first roll] are added to.
    """
    first_roll, second_roll = faces
    targets, strengths = struck.shape[0], struck.shape[1]
    damaging = np.zeros(targets, np.int64)
    crits = np.zeros(targets, np.int64)
    nothing = 0
    for i in range(trials[1]):
        key = trial_key(seed, np.uint64(0), np.uint64(trials[0] + i))
        number = np.uint64(0)
        damaging[:] = 0
        crits[:] = 0
        scatters = 0
        odd = 0
        for _ in range(dice):
            face = draw(key, number, first_roll.shape[0])
            number += ONE
            damaging[0] += first_roll[face, DAMAGING]
            crits[0] += first_roll[face, CRIT]
            scatters += first_roll[face, SCATTERS]
            odd += first_roll[face, NOTED]
        for scatter in range(min(scatters, recipients.size)):
            face = draw(key, number, second_roll.shape[0])
            number += ONE
            damaging[recipients[scatter]] += second_roll[face, DAMAGING]
            crits[recipients[scatter]] += second_roll[face, CRIT]
        strength = draw(key, number, strengths)
        noted[odd] += 1
        idle = True
        for target in range(targets):
            struck[target, strength, damaging[target], 1 if crits[target] > 0 else 0] += 1
            idle = idle and damaging[target] == 0
        nothing += idle
    return nothing
