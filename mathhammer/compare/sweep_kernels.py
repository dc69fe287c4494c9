"""The compiled path of large matrices: what `sweep` works out in numpy for one question, in loops for
thousands of them.
"""

from __future__ import annotations

import numpy as np

from mathhammer.engine.jit import njit


@njit(nogil=True)
def landing_distribution(probs, packets, through, attacks):
    """The distribution of the number of packets that get past their saves, over all attacks of a weapon."""
    most = 0
    for outcome in range(packets.shape[0]):
        most = max(most, np.int64(packets[outcome].sum()))
    one = np.zeros(most + 1)
    distribution = np.empty(most + 1)
    for outcome in range(packets.shape[0]):
        distribution[:] = 0.0
        distribution[0] = 1.0
        past = 0
        for kind in range(packets.shape[1]):
            chance = through[kind]
            for _ in range(np.int64(packets[outcome, kind])):
                past += 1
                for n in range(past, 0, -1):
                    distribution[n] = distribution[n] * (1.0 - chance) + distribution[n - 1] * chance
                distribution[0] *= 1.0 - chance
        one += probs[outcome] * distribution
    # Horner's scheme: the sum over n of attacks[n] times the n-fold convolution of one
    high = attacks.size - 1
    total = np.zeros(high * most + 1)
    total[0] = attacks[high]
    length = 1
    for n in range(high - 1, -1, -1):
        length += most
        for place in range(length - 1, -1, -1):
            value = 0.0
            for share in range(min(place, most) + 1):
                value += total[place - share] * one[share]
            total[place] = value
        total[0] += attacks[n]
    return total


@njit(nogil=True)
def packet_rows(step, values, start, most):
    """What n packets come to on average, n = 0 .. most: [n, value]."""
    states = step.shape[0]
    rows = np.zeros((most + 1, values.shape[1]))
    now = np.zeros(states)
    now[start] = 1.0
    for n in range(most + 1):
        after = np.zeros(states)
        for state in range(states):
            share = now[state]
            if share > 0.0:
                rows[n] += share * values[state]
                after += share * step[state]
        now = after
    return rows


@njit(nogil=True)
def fill_cells(distribution, table, members, numbers, number, cells):
    """The means of those members that have the number: each distribution of packets weighs the rows
    of a target's table.
    """
    for place in range(members.size):
        if numbers[place] == number:
            target = members[place]
            for value in range(cells.shape[1]):
                total = 0.0
                for n in range(distribution.size):
                    total += distribution[n] * table[target, n, value]
                cells[target, value] = total


@njit(nogil=True)
def walked(counts, step, start):
    """The chances of all states after a number of packets that is itself a distribution."""
    states = step.shape[0]
    now = start.copy()
    total = counts[0] * now
    for n in range(1, counts.size):
        after = np.zeros(states)
        for state in range(states):
            share = now[state]
            if share > 0.0:
                after += share * step[state]
        now = after
        total += counts[n] * now
    return total
