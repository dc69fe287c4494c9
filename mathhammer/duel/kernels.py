"""The compiled loop of duels and whole battles: arrays in, arrays out, no game names, never an exception.

One trial is one battle, played turn by turn: help itself, move, shoot, charge, fight, tests. Random numbers
are counters put through a mixing function, one run of counters for each trial, so any split into threads
gives the same bits.
"""

from __future__ import annotations

import numpy as np

from mathhammer.engine.jit import njit
from mathhammer.engine.kernels import GOLDEN, mix

NEAREST, POINTS, WEAKEST = 0, 1, 2
TRIAL_SHIFT = np.uint64(24)  # a trial may draw 2^24 times before it would reach the next one
TO_UNIT = 1.0 / 9007199254740992.0
S11 = np.uint64(11)
FAR = 1e9


@njit(nogil=True, inline="always")
def draw(chances, base, width, dice):
    """The place of a random number in a row of cumulated chances."""
    low, high = 0, width - 1
    while low < high:
        middle = (low + high) >> 1
        if chances[base + middle] > dice:
            high = middle
        else:
            low = middle + 1
    return low


@njit(nogil=True)
def pick(script, u, table_of, can, state):
    """The enemy that a unit attacks, by the policy; -1: none."""
    best, found = 0.0, -1
    for v in range(script.side.size):
        if not can[v]:
            continue
        if script.policy == NEAREST:
            return v
        if script.policy == WEAKEST:
            value = -float(script.wounds[v, state[v]])
        else:
            table = table_of[u, v]
            value = 0.0
            if table >= 0:
                value = script.gains[
                    script.tables[table, 3] + script.numbers[u, v, state[u]] * script.states[v] + state[v]
                ]
        if found < 0 or value > best:
            best, found = value, v
    return found


@njit(nogil=True)
def struck(script, table, number, before, dice):
    """The state of a unit after an attack."""
    base, width, every = script.tables[table, 0], script.tables[table, 1], script.tables[table, 2]
    if every:  # a row of wounds lost
        return min(width - 1, before + draw(script.chances, base + number * width, width, dice))
    return draw(script.chances, base + (number * width + before) * width, width, dice)


@njit(nogil=True)
def note(script, state, gone, totals, engaged, made):
    """Adds how things stand to the sums of a turn."""
    totals[0] += 1.0 if gone[1] and not gone[0] else 0.0
    totals[1] += 1.0 if gone[0] and not gone[1] else 0.0
    for u in range(state.size):
        totals[2 + script.side[u]] += script.models[u, state[u]]
        totals[4 + script.side[u]] += script.worth[u, state[u]]
    totals[6] += engaged
    totals[7] += made


@njit(nogil=True)
def play(script, seed, begin, end, final, totals):
    """Plays the trials from `begin` to `end`: final[trial, unit] gets the states,
    totals[turn, 8] the sums of each turn.
    """
    units = script.side.size
    state = np.zeros(units, dtype=np.int64)
    place = np.zeros(units)
    touch = np.zeros((units, units), dtype=np.bool_)
    charged = np.zeros(units, dtype=np.bool_)
    fought = np.zeros(units, dtype=np.bool_)
    can = np.zeros(units, dtype=np.bool_)
    before = np.zeros(units, dtype=np.int64)
    gone = np.zeros(2, dtype=np.bool_)
    bands = script.bands.shape[1]
    for trial in range(begin, end):
        counter = mix(np.uint64(seed) + GOLDEN) + (np.uint64(trial) << TRIAL_SHIFT) * GOLDEN
        for u in range(units):
            state[u] = script.start[u]
            place[u] = 0.0 if script.side[u] == 0 else script.gap
        touch[:, :] = False
        if script.engaged:
            for u in range(units):
                for v in range(units):
                    touch[u, v] = script.side[u] != script.side[v]
        leader = script.first
        over = False
        turn_number = 0
        for number in range(script.rounds):
            if number and script.again < 1.0:
                counter += GOLDEN
                if np.float64(mix(counter) >> S11) * TO_UNIT >= script.again:
                    leader = 1 - leader
            for half in range(2):
                active = leader if half == 0 else 1 - leader
                turn_number = 2 * number + half
                at = 2 * number + active
                made = 0.0
                for u in range(units):
                    charged[u] = False
                    fought[u] = False
                    before[u] = script.models[u, state[u]]
                # --- the active side helps itself, moves and shoots
                for u in range(units):
                    if script.side[u] != active or script.models[u, state[u]] == 0:
                        continue
                    busy = in_touch(script, touch, state, u)
                    table = script.own[u, 1 if busy else 0]
                    if table >= 0:
                        counter += GOLDEN
                        width = script.tables[table, 1]
                        base = script.tables[table, 0] + state[u] * width
                        state[u] = draw(
                            script.chances, base, width, np.float64(mix(counter) >> S11) * TO_UNIT
                        )
                    before[u] = script.models[u, state[u]]
                    if not busy and script.moves[u] > 0.0:
                        step = max(
                            0.0, min(script.moves[u], nearest(script, place, state, u) - script.halts[u])
                        )
                        place[u] += step if active == 0 else -step
                for u in range(units):
                    if script.side[u] != active or script.models[u, state[u]] == 0:
                        continue
                    busy = in_touch(script, touch, state, u)
                    best, target, used = 0.0, -1, -1
                    for v in range(units):
                        if script.side[v] == active or script.models[v, state[v]] == 0:
                            continue
                        if busy:
                            if not touch[u, v]:
                                continue
                            band = bands
                        else:
                            if not script.into_combat and in_touch(script, touch, state, v):
                                continue
                            away = abs(place[u] - place[v])
                            band = 0
                            while band < bands and away > script.bands[u, band]:
                                band += 1
                            if band == bands:
                                continue
                        table = script.shots[at, band, u, v]
                        if table < 0:
                            continue
                        if script.policy == POINTS:
                            value = script.gains[
                                script.tables[table, 3]
                                + script.numbers[u, v, state[u]] * script.states[v]
                                + state[v]
                            ]
                        elif script.policy == WEAKEST:
                            value = -float(script.wounds[v, state[v]])
                        else:
                            value = -float(v)
                        if target < 0 or value > best:
                            best, target, used = value, v, table
                    if target >= 0:
                        counter += GOLDEN
                        dice = np.float64(mix(counter) >> S11) * TO_UNIT
                        state[target] = struck(
                            script, used, script.numbers[u, target, state[u]], state[target], dice
                        )
                # --- charges
                for u in range(units):
                    if script.side[u] != active or script.models[u, state[u]] == 0:
                        continue
                    busy = in_touch(script, touch, state, u)
                    if busy:
                        charged[u] = number == 0 and script.engaged and script.charged[u]
                        continue
                    if not script.charges[u]:
                        continue
                    some = False
                    for v in range(units):
                        can[v] = False
                        if script.side[v] != active and script.models[v, state[v]] > 0:
                            away = abs(place[u] - place[v])
                            can[v] = (
                                away <= script.within and script.odds[at, active, needed(script, away)] > 0.0
                            )
                            some = some or can[v]
                    if not some:
                        continue
                    target = pick(script, u, script.melee[at, 1], can, state)
                    counter += GOLDEN
                    chance = script.odds[at, active, needed(script, abs(place[u] - place[target]))]
                    if np.float64(mix(counter) >> S11) * TO_UNIT < chance:
                        touch[u, target] = True
                        touch[target, u] = True
                        place[u] = place[target]
                        charged[u] = True
                        made += 1.0
                # --- fighting, rank by rank, the sides in turn
                for rank in range(3):
                    picker = active if script.active_first else 1 - active
                    waited = 0
                    while waited < 2:
                        chosen = -1
                        for u in range(units):
                            if script.side[u] != picker or fought[u] or script.models[u, state[u]] == 0:
                                continue
                            own_rank = 0 if script.charge_first and charged[u] else script.rank[u]
                            if own_rank == rank and in_touch(script, touch, state, u):
                                chosen = u
                                break
                        picker = 1 - picker
                        if chosen < 0:
                            waited += 1
                            continue
                        waited = 0
                        u = chosen
                        fought[u] = True
                        for v in range(units):
                            can[v] = touch[u, v] and script.models[v, state[v]] > 0
                        how = 1 if charged[u] else 0
                        target = pick(script, u, script.melee[at, how], can, state)
                        if how == 0 and charged[target]:
                            how = 2
                        table = script.melee[at, how, u, target]
                        if table >= 0:
                            counter += GOLDEN
                            dice = np.float64(mix(counter) >> S11) * TO_UNIT
                            state[target] = struck(
                                script, table, script.numbers[u, target, state[u]], state[target], dice
                            )
                # --- units that lost models test
                if script.flees.size:
                    for u in range(units):
                        left = script.models[u, state[u]]
                        slain = before[u] - left
                        if slain > 0 and left > 0:
                            counter += GOLDEN
                            dice = np.float64(mix(counter) >> S11) * TO_UNIT
                            fled = 0
                            while fled < left and script.flees[u, slain, left, fled] <= dice:
                                fled += 1
                            if fled:
                                state[u] = script.falls[u, left - fled]
                gone[0], gone[1] = True, True
                together = 0.0
                for u in range(units):
                    if script.models[u, state[u]] > 0:
                        gone[script.side[u]] = False
                        if script.side[u] == 0 and in_touch(script, touch, state, u):
                            together = 1.0
                note(script, state, gone, totals[turn_number], together, made)
                if gone[0] or gone[1]:
                    over = True
                    break
            if over:
                break
        if over:
            for later in range(turn_number + 1, 2 * script.rounds):
                note(script, state, gone, totals[later], 0.0, 0.0)
        for u in range(units):
            final[trial, u] = state[u]


@njit(nogil=True)
def in_touch(script, touch, state, u):
    """Whether a unit is in combat with an enemy that is still there."""
    found = False
    for v in range(script.side.size):
        found = found or (touch[u, v] and script.models[v, state[v]] > 0)
    return found


@njit(nogil=True)
def nearest(script, place, state, u):
    """The distance to the nearest enemy; far away when there is none."""
    away = FAR
    for v in range(script.side.size):
        if script.side[v] != script.side[u] and script.models[v, state[v]] > 0:
            away = min(away, abs(place[u] - place[v]))
    return away


@njit(nogil=True)
def needed(script, away):
    """The total that a charge over this distance needs; 13: out of reach."""
    return min(13, max(0, int(np.ceil(away - script.slack - 1e-6))))
