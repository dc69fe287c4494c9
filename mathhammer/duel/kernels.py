"""The compiled loop of duels and whole battles: arrays in, arrays out, no game names, never an exception.

One trial is one battle, played turn by turn; the script says which steps a turn has, and in which order.
Random numbers are counters put through a mixing function, one run of counters for each trial, so any split
into threads gives the same bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mathhammer.engine.jit import njit
from mathhammer.engine.lane_kernels import GOLDEN, mix

HELP, MOVE, SHOOT, CHARGE, FIGHT, TESTS = range(6)  # codes of steps
FIRST_REACTION = 16  # codes from here on are reactions
SHOOTS, HURTS, CHARGES, LEAVES, WITHDRAWS = range(5)  # what reactions do
APART, TOUCHING, AFTER_CHARGE = 0, 1, 2  # when
NEAREST, POINTS, WEAKEST = 0, 1, 2
TRIAL_SHIFT = np.uint64(24)  # a trial may draw 2^24 times before it would reach the next one
TO_UNIT = 1.0 / 9007199254740992.0
S11 = np.uint64(11)
FAR = 1e9
# The parts of `play` become part of its code, and as nothing here makes an array, numba need not count who
# holds one: both together make a battle two to four times as fast.
part = njit(nogil=True, inline="always", _nrt=False)


class Board(NamedTuple):
    """How things stand in a trial; every field is an array that the steps change."""

    counter: Any  # [1]: of the random numbers
    state: Any  # [unit]
    place: Any  # [unit]: inches on the line
    touch: Any  # [u, v]: whether they are in combat with each other
    charged: Any  # [unit]: whether it charged in this turn
    fought: Any  # [unit]: whether it fought in this turn
    before: Any  # [unit]: models at the start of the turn
    aim: Any  # [unit]: the table of an attack on that unit; -1: none
    can: Any  # [unit]: whether that unit may be picked as a target
    moved: Any  # [unit]: whether it moved in this turn
    left: Any  # [unit]: whether it left combat in this turn
    ran: Any  # [unit]: whether it moved as a reaction in this turn
    gone: Any  # [side]


def make_board(units: int) -> Board:
    """A board for so many units."""
    return Board(
        np.zeros(1, dtype=np.uint64),
        np.zeros(units, dtype=np.int64),
        np.zeros(units),
        np.zeros((units, units), dtype=np.bool_),
        np.zeros(units, dtype=np.bool_),
        np.zeros(units, dtype=np.bool_),
        np.zeros(units, dtype=np.int64),
        np.zeros(units, dtype=np.int64),
        np.zeros(units, dtype=np.bool_),
        np.zeros(units, dtype=np.bool_),
        np.zeros(units, dtype=np.bool_),
        np.zeros(units, dtype=np.bool_),
        np.zeros(2, dtype=np.bool_),
    )


@njit(nogil=True, _nrt=False)
def play(script, board, seed, bounds, final, totals):
    """Plays the trials between the bounds: final[trial, unit] gets the states,
    totals[turn, 8] the sums of each turn.
    """
    units = script.side.size
    start = mix(np.uint64(seed) + GOLDEN)
    for trial in range(bounds[0], bounds[1]):
        board.counter[0] = start + (np.uint64(trial) << TRIAL_SHIFT) * GOLDEN
        set_up(script, board)
        leader = script.first
        turn, over = 0, False
        while turn < 2 * script.rounds and not over:
            second = turn & 1
            if turn and not second and script.again < 1.0 and uniform(board.counter) >= script.again:
                leader = 1 - leader
            arrived = take_turn(script, board, turn >> 1, 1 - leader if second else leader)
            note(script, board, totals[turn], count(script, board), arrived)
            over = board.gone[0] or board.gone[1]
            turn += 1
        for later in range(turn, 2 * script.rounds):
            note(script, board, totals[later], 0.0, 0.0)
        for u in range(units):
            final[trial, u] = board.state[u]


@part
def set_up(script, board):
    """Everything as at the start of a battle."""
    side = script.side
    for u in range(side.size):
        board.state[u] = script.start[u]
        board.place[u] = 0.0 if side[u] == 0 else script.gap
        for v in range(side.size):
            board.touch[u, v] = script.engaged and side[u] != side[v]


@part
def take_turn(script, board, number, active):
    """One turn of a side: the steps of the script; how many charges arrived."""
    at = 2 * number + active
    arrived = 0.0
    begin_turn(script.models, board)
    for step in script.steps:
        if step == HELP:
            help_itself(script, board, active)
        elif step == MOVE:
            move(script, board, active)
        elif step == SHOOT:
            shoot(script, board, at, active)
        elif step == CHARGE:
            arrived += charge(script, board, at, active)
        elif step == FIGHT:
            fight(script, board, at, active)
        elif step == TESTS:
            flee(script, board)
        elif step >= FIRST_REACTION:
            arrived += react(script, board, at, step - FIRST_REACTION)
    return arrived


@part
def begin_turn(models, board):
    """Notes the models of every unit; none has moved or charged yet."""
    for u in range(board.state.size):
        board.moved[u] = False
        board.left[u] = False
        board.ran[u] = False
        board.charged[u] = False
        board.before[u] = models[u, board.state[u]]


@part
def help_itself(script, board, active):
    """The active side rallies and heals, as long as there is an enemy."""
    side, models, state, touch = script.side, script.models, board.state, board.touch
    for u in range(side.size):
        if side[u] != active or models[u, state[u]] == 0:
            continue
        table = script.own[u, 1 if in_touch(models, state, touch, u) else 0]
        if table >= 0 and nearest(side, models, state, board.place, u) < FAR:
            state[u] = drawn(script, board, table, state[u])
        board.before[u] = models[u, state[u]]


@part
def move(script, board, active):
    """The active side's units that are free move towards the enemy."""
    side, models, state, touch, place = script.side, script.models, board.state, board.touch, board.place
    moves, halts = script.moves, script.halts
    for u in range(side.size):
        if side[u] != active or models[u, state[u]] == 0 or moves[u] <= 0.0 or board.left[u]:
            continue
        if not in_touch(models, state, touch, u):
            step = max(0.0, min(moves[u], nearest(side, models, state, place, u) - halts[u]))
            place[u] += step if active == 0 else -step
            board.moved[u] = step > 0.0


@part
def shoot(script, board, at, active):
    """The active side's units shoot, each at one enemy."""
    side, models, state, touch, place = script.side, script.models, board.state, board.touch, board.place
    bands, shots, can, aim = script.bands, script.shots, board.can, board.aim
    last = bands.shape[1]
    for u in range(side.size):
        if side[u] != active or models[u, state[u]] == 0 or board.left[u]:
            continue
        busy = in_touch(models, state, touch, u)
        some = False
        for v in range(side.size):
            can[v] = False
            if side[v] == active or models[v, state[v]] == 0:
                continue
            if busy:
                band = 2 * last
                if not touch[u, v]:
                    continue
            else:
                if not script.into_combat and in_touch(models, state, touch, v):
                    continue
                away = abs(place[u] - place[v])
                band = 0
                while band < last and away > bands[u, band]:
                    band += 1
                if band == last:
                    continue
                band += 0 if board.moved[u] else last
            aim[v] = shots[at, band, u, v]
            can[v] = aim[v] >= 0
            some = some or can[v]
        if some:
            target = pick(script, can, aim, state, u)
            near = touch[u, target] or abs(place[u] - place[target]) <= script.demise_reach
            strike(script, board, aim[target], -1, near, u, target)


@part
def charge(script, board, at, active):
    """The active side's units that are free charge; how many arrive."""
    side, models, state, touch, place = script.side, script.models, board.state, board.touch, board.place
    can, aim, charged, reaches, odds = board.can, board.aim, board.charged, script.reaches, script.odds
    arrived = 0.0
    for u in range(side.size):
        if side[u] != active or models[u, state[u]] == 0:
            continue
        if in_touch(models, state, touch, u):
            charged[u] = at < 2 and script.engaged and script.charged[u]
            continue
        if not script.charges[u] or board.left[u]:
            continue
        some = False
        for v in range(side.size):
            can[v] = False
            if side[v] != active and models[v, state[v]] > 0:
                can[v] = odds[at, active, needed(reaches, abs(place[u] - place[v]))] > 0.0
                aim[v] = script.melee[at, 1, u, v]
                some = some or can[v]
        if not some:
            continue
        target = pick(script, can, aim, state, u)
        chance = odds[at, active, needed(reaches, abs(place[u] - place[target]))]
        if uniform(board.counter) < chance:
            touch[u, target] = True
            touch[target, u] = True
            place[u] = place[target]
            charged[u] = True
            arrived += 1.0
    return arrived


@part
def fight(script, board, at, active):
    """Units in combat are picked rank by rank, the sides in turn."""
    models, state, touch, melee = script.models, board.state, board.touch, script.melee
    can, aim, charged, fought = board.can, board.aim, board.charged, board.fought
    fought[:] = False
    for rank in range(3):
        picker = active if script.active_first else 1 - active
        waited = 0
        while waited < 2:
            u = next_to_fight(script, board, rank, picker)
            picker = 1 - picker
            if u < 0:
                waited += 1
                continue
            waited = 0
            fought[u] = True
            how = 1 if charged[u] else 0
            for v in range(state.size):
                can[v] = touch[u, v] and models[v, state[v]] > 0
                aim[v] = melee[at, how, u, v]
            target = pick(script, can, aim, state, u)
            if how == 0 and charged[target]:
                how = 2
            reply = -1 if fought[target] else melee[at, 2 if charged[u] else 0, target, u]
            strike(script, board, melee[at, how, u, target], reply, True, u, target)


@part
def next_to_fight(script, board, rank, picker):
    """The first unit of a side that fights in this rank and has not fought yet; -1: none."""
    side, models, state = script.side, script.models, board.state
    for u in range(side.size):
        if side[u] != picker or board.fought[u] or models[u, state[u]] == 0:
            continue
        foe = in_touch_with(models, state, board.touch, u)
        if foe < 0:
            continue
        if (
            0 if script.charge_first and board.charged[u] else script.rank[u, foe, int(board.charged[u])]
        ) == rank:
            return u
    return -1


@part
def flee(script, board):
    """Units that lost models test."""
    state, flees = board.state, script.flees
    if flees.size == 0:
        return
    for u in range(state.size):
        left = script.models[u, state[u]]
        slain = board.before[u] - left
        if slain > 0 and left > 0:
            dice = uniform(board.counter)
            fled = 0
            while fled < left and flees[u, slain, left, fled] <= dice:
                fled += 1
            if fled:
                state[u] = script.falls[u, left - fled]


@part
def react(script, board, at, number):
    """A reaction of a single unit, if its side uses it now; whether a charge arrived."""
    u = script.users[at, number]
    if u < 0:
        return 0.0
    models, state, touch, place = script.models, board.state, board.touch, board.place
    v = 1 - u
    if models[u, state[u]] == 0 or models[v, state[v]] == 0:
        return 0.0
    act, away = script.acts[number], abs(place[u] - place[v])
    last = script.bands.shape[1]
    if act == LEAVES:
        if touch[u, v]:
            leave(script, board, script.answers[at, number, last], u, v)
        return 0.0
    if script.moments[number] == AFTER_CHARGE:
        if board.charged[u] and touch[u, v]:
            strike(script, board, script.answers[at, number, last], -1, True, u, v)
        return 0.0
    if touch[u, v] or board.left[u] or board.left[v] or away > script.reach[number]:
        return 0.0
    if act == HURTS:
        strike(script, board, script.answers[at, number, last], -1, away <= script.demise_reach, u, v)
    elif act == SHOOTS and not board.ran[u]:
        band = 0
        while band < last and away > script.bands[u, band]:
            band += 1
        if band < last:
            strike(script, board, script.answers[at, number, band], -1, away <= script.demise_reach, u, v)
    elif act == WITHDRAWS:
        roll = 1.0 + np.floor(6.0 * uniform(board.counter))
        place[u] += -roll if u == 0 else roll
        board.ran[u] = True
    elif act == CHARGES and script.melee[at, 1, u, v] >= 0 and not board.ran[u]:
        chance = script.odds[at, u, needed(script.reaches, away)]
        if uniform(board.counter) < chance:
            touch[u, v] = True
            touch[v, u] = True
            place[u] = place[v]
            board.charged[u] = True
            return 1.0
    return 0.0


@part
def leave(script, board, table, u, v):
    """A unit leaves combat: what that costs it, then it stands apart."""
    if table >= 0:
        board.state[u] = drawn(script, board, table, board.state[u])
    board.touch[u, v] = False
    board.touch[v, u] = False
    away = script.leaves[u]
    board.place[u] = board.place[v] + (-away if u == 0 else away)
    board.left[u] = True


# --- pieces of steps --------------------------------------------------------------------------------------


@part
def uniform(counter):
    """The next random number from 0 up to 1."""
    counter[0] += GOLDEN
    return np.float64(mix(counter[0]) >> S11) * TO_UNIT


@part
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


@part
def pick(script, can, aim, state, u):
    """The enemy that a unit attacks, by the policy, of those that it can; -1: none."""
    best, target = 0.0, -1
    for v in range(can.size):
        if not can[v]:
            continue
        if script.policy == NEAREST:
            return v
        value = 0.0
        if script.policy == WEAKEST:
            value = -float(script.wounds[v, state[v]])
        elif aim[v] >= 0:
            number = script.numbers[script.tables[aim[v], 6], state[u]]
            value = script.gains[script.tables[aim[v], 3] + number * script.states[v] + state[v]]
        if target < 0 or value > best:
            best, target = value, v
    return target


@part
def strike(script, board, table, reply, near, u, target):
    """A unit attacks; a table below 0 does nothing. Models that it slays attack once more where they may
    (`reply`: their table), then they explode if it is `near`; then it pays what the attack costs.
    """
    if table < 0:
        return
    models, state = script.models, board.state
    cost, times = script.tables[table, 4], script.tables[table, 5]
    done = 0
    while done < times and models[target, state[target]] > 0 and models[u, state[u]] > 0:
        done += 1
        before = models[target, state[target]]
        hit(script, board, table, state[u], target)
        slain = before - models[target, state[target]]
        if slain > 0 and reply >= 0 and script.reply[target] > 0.0:
            striking = 0
            for _ in range(slain):
                if uniform(board.counter) < script.reply[target]:
                    striking += 1
            if striking > 0:
                hit(script, board, reply, script.falls[target, striking], u)
        if near and script.demise[target, u] >= 0:
            for _ in range(slain):
                if models[u, state[u]] > 0:
                    state[u] = drawn(script, board, script.demise[target, u], state[u])
        if cost >= 0 and models[u, state[u]] > 0:
            state[u] = drawn(script, board, cost, state[u])


@part
def hit(script, board, table, attacking, target):
    """The target after an attack of a unit in that state."""
    dice = uniform(board.counter)
    state = board.state
    chances, before = script.chances, state[target]
    number = script.numbers[script.tables[table, 6], attacking]
    base, width, every = script.tables[table, 0], script.tables[table, 1], script.tables[table, 2]
    if every:  # a row of wounds lost
        state[target] = min(width - 1, before + draw(chances, base + number * width, width, dice))
    else:
        state[target] = draw(chances, base + (number * width + before) * width, width, dice)


@part
def drawn(script, board, table, state):
    """The state of a unit after something that it does to itself, or that happens to it."""
    width = script.tables[table, 1]
    return draw(script.chances, script.tables[table, 0] + state * width, width, uniform(board.counter))


@part
def count(script, board):
    """Notes which sides are gone; whether units are in combat."""
    models, state = script.models, board.state
    board.gone[0], board.gone[1] = True, True
    together = 0.0
    for u in range(state.size):
        if models[u, state[u]] > 0:
            board.gone[script.side[u]] = False
            if script.side[u] == 0 and in_touch(models, state, board.touch, u):
                together = 1.0
    return together


@part
def note(script, board, totals, engaged, arrived):
    """Adds how things stand to the sums of a turn."""
    side, state = script.side, board.state
    totals[0] += 1.0 if board.gone[1] and not board.gone[0] else 0.0
    totals[1] += 1.0 if board.gone[0] and not board.gone[1] else 0.0
    for u in range(side.size):
        totals[2 + side[u]] += script.models[u, state[u]]
        totals[4 + side[u]] += script.worth[u, state[u]]
    totals[6] += engaged
    totals[7] += arrived


@part
def in_touch(models, state, touch, u):
    """Whether a unit is in combat with an enemy that is still there."""
    return in_touch_with(models, state, touch, u) >= 0


@part
def in_touch_with(models, state, touch, u):
    """The first enemy that a unit is in combat with; -1: none."""
    v = 0
    while v < state.size and not (touch[u, v] and models[v, state[v]] > 0):
        v += 1
    return v if v < state.size else -1


@part
def nearest(side, models, state, place, u):
    """The distance to the nearest enemy; far away when there is none."""
    away = FAR
    for v in range(side.size):
        if side[v] != side[u] and models[v, state[v]] > 0:
            away = min(away, abs(place[u] - place[v]))
    return away


@part
def needed(reaches, away):
    """The total that a charge over this distance needs; `reaches.size`: out of reach."""
    total = 0
    while total < reaches.size and away > reaches[total]:
        total += 1
    return total
