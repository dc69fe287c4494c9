"""Saves that are rolled at once and land from the lowest die up: what any number of them does to a target.

The dice that show at most a face are looked at face after face. Of j dice that show at most f, some show f
itself, and those land after all others; so what j dice do follows from what fewer dice of lower faces do.
Faces that no model fails change nothing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mathhammer.engine.landing import land, step_of, track_orders
from mathhammer.engine.plan import Packet, Target

Array = NDArray[np.float64]
States = NDArray[np.bool_]


def lowest_first(start: Array, packet: Packet, target: Target, most: int) -> Array:
    """The chance of every state after 0, 1, ... `most` packets, from distributions of states: [number, ...].

    The order of the tracks, and how often a die shows each face, are settled by the state at the start.
    """
    landing = land(target)
    total = np.zeros((most + 1, *start.shape))
    for order, states in track_orders(packet.tracks, packet.picks, target):
        alive = landing.alive & states
        total += np.where(states & ~landing.alive, start, 0.0)
        first = np.full(landing.states, -1)  # the group whose saves are rolled
        for track in reversed(order):
            first = np.where(landing.group[track] >= 0, landing.group[track], first)
        fixed = replace(packet, tracks=order, picks=())
        for shown in dict.fromkeys(save.shown for save in packet.saves):
            rolling = [group for group, save in enumerate(packet.saves) if save.shown == shown]
            here = np.where(alive & np.isin(first, rolling), start, 0.0)
            if here.any():
                _add_fixed_order(total, here, fixed, shown, replace(target, ranks=()))
    return total


def _add_fixed_order(
    total: Array, start: Array, packet: Packet, shown: tuple[float, ...], target: Target
) -> None:
    """Adds what becomes of states in which the tracks take the packets in one order."""
    most = len(total) - 1
    faces = range(1, max(save.fails_up_to for save in packet.saves) + 1)
    steps = [step_of(_showing(packet, face), target) for face in faces]
    reached = _reachable(np.logical_or.reduce(start.reshape(-1, start.shape[-1]) > 0.0), steps)
    small = np.zeros((most + 1, *start.shape[:-1], int(reached.sum())))
    small[0] = start[..., reached]
    so_far = 0.0
    for face, matrix in zip(faces, steps, strict=True):
        # what every die shows is sure, whatever its parts add up to
        so_far = 1.0 if face == len(shown) else so_far + shown[face - 1]
        small = _with_face(small, matrix[np.ix_(reached, reached)], shown[face - 1] / so_far)
    total[..., reached] += np.tensordot(binomials(most, so_far), small, axes=1)


def _showing(packet: Packet, face: int) -> Packet:
    """The packet once its die shows this face."""
    through = tuple(float(face <= save.fails_up_to) for save in packet.saves)
    return replace(packet, through=through, saves=())


def _reachable(states: States, steps: list[Array]) -> States:
    """The states that these steps lead to."""
    leads = np.logical_or.reduce([matrix > 0.0 for matrix in steps])
    while True:
        more: States = states | leads[states].any(axis=0)
        if more.sum() == states.sum():
            return more
        states = more


def _with_face(before: Array, matrix: Array, share: float) -> Array:
    """What j dice do that show at most some face, from what j dice that show less do: `share` show it.

    By Horner's scheme over the number of those that show it.
    """
    most = len(before) - 1
    chance = binomials(most, share)
    after = np.zeros_like(before)
    for number in range(most, -1, -1):
        after[number + 1 :] = after[number + 1 :] @ matrix
        weights = chance[number:, number].reshape(-1, *[1] * (before.ndim - 1))
        after[number:] += weights * before[: most - number + 1]
    return after


def binomials(most: int, chance: float) -> Array:
    """How often k of n dice succeed: [n, k], for all n up to `most`.

    >>> binomials(2, 0.5).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.5, 0.25]]
    """
    table = np.zeros((most + 1, most + 1))
    table[0, 0] = 1.0
    for number in range(most):
        table[number + 1] = (1.0 - chance) * table[number]
        table[number + 1, 1:] += chance * table[number, :-1]
    return table
