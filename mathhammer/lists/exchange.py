"""How two lists trade: who attacks whom, and what each side loses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mathhammer.compare.sweep import VALUES
from mathhammer.errors import BadInputError
from mathhammer.lists.army import Army, best_values

Array = NDArray[np.float64]


# --- two lists
# ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """How two lists trade: points removed by every unit from every other, both ways, and the best
    assignments.
    """

    a: Army
    b: Army
    a_on_b: Array  # mean points removed, [unit of a, unit of b]
    b_on_a: Array
    a_destroys: Array  # chance to destroy
    b_destroys: Array


def exchange(a: Army, b: Army) -> Exchange:
    """Both lists against each other, each unit with the better of its melee and ranged attacks."""
    if a.system != b.system:
        raise BadInputError(
            f"list compare: {a.name} plays {a.system}, {b.name} plays {b.system} (compare lists of one game)"
        )
    removed_ab, destroyed_ab = _removed(a, b)
    removed_ba, destroyed_ba = _removed(b, a)
    return Exchange(a, b, removed_ab, removed_ba, destroyed_ab, destroyed_ba)


def _removed(army: Army, other: Army) -> tuple[Array, Array]:
    values = best_values(army, other.units)
    lost, destroyed = VALUES.index("lost"), VALUES.index("p_destroyed")
    better = values["melee"][:, :, lost] >= values["ranged"][:, :, lost]
    prices = np.array([(unit.points or 0) / unit.health for unit in other.units])
    taken = np.where(better, values["melee"][:, :, lost], values["ranged"][:, :, lost]) * prices
    return taken, np.where(better, values["melee"][:, :, destroyed], values["ranged"][:, :, destroyed])


def assignment(removed: Array, other: Army) -> list[tuple[int, int]]:
    """Which unit should attack which, so that most points are removed: a target counts no more than its own
    points.

    Solved as a mixed-integer program: each attacker picks one target; what a target loses is the sum of what
    its attackers remove on average, up to all its points.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    attackers, targets = removed.shape
    prices = np.array([unit.points or 0 for unit in other.units], dtype=np.float64)
    picks = attackers * targets
    one_target = np.zeros((attackers, picks + targets))
    for attacker in range(attackers):
        one_target[attacker, attacker * targets : (attacker + 1) * targets] = 1.0
    taken = np.zeros((targets, picks + targets))  # loss of a target - sum of what is removed <= 0
    for target in range(targets):
        taken[target, picks + target] = 1.0
        taken[target, target:picks:targets] = -removed[:, target]
    solved = milp(
        # a hair for attacks beyond what a target has left
        c=np.concatenate([-1e-6 * removed.ravel(), -np.ones(targets)]),
        constraints=[LinearConstraint(one_target, -np.inf, 1.0), LinearConstraint(taken, -np.inf, 0.0)],
        bounds=Bounds(0.0, np.concatenate([np.ones(picks), prices])),
        integrality=np.concatenate([np.ones(picks), np.zeros(targets)]),
        options={"time_limit": 5.0},
    )
    chosen = (
        np.flatnonzero(np.asarray(solved.x[:picks]) > 0.5) if solved.x is not None else np.zeros(0, dtype=int)
    )
    return [(int(place) // targets, int(place) % targets) for place in chosen if removed.ravel()[place] > 0]


def _struck(
    removed: Array, pairs: list[tuple[int, int]], left: Array, other: Army, other_left: Array
) -> Array:
    """The share of each unit of the other list that is left after one round: attackers count by the share of
    them that is left.
    """
    after = other_left.copy()
    for attacker, target in pairs:  # points can be removed, so the target has some
        after[target] -= min(
            after[target], removed[attacker, target] * left[attacker] / (other.units[target].points or 1)
        )
    return after


def trade(found: Exchange, first: str) -> dict[str, float]:
    """Points that each side loses when `first` ("a" or "b") strikes and the other strikes
    back with what is left.
    """
    a_left, b_left = np.ones(len(found.a.units)), np.ones(len(found.b.units))
    ab, ba = assignment(found.a_on_b, found.b), assignment(found.b_on_a, found.a)
    for side in ("a", "b") if first == "a" else ("b", "a"):
        if side == "a":
            b_left = _struck(found.a_on_b, ab, a_left, found.b, b_left)
        else:
            a_left = _struck(found.b_on_a, ba, b_left, found.a, a_left)
    prices_a = np.array([unit.points or 0 for unit in found.a.units])
    prices_b = np.array([unit.points or 0 for unit in found.b.units])
    return {
        "a_loses": float(((1 - a_left) * prices_a).sum()),
        "b_loses": float(((1 - b_left) * prices_b).sum()),
    }


def summary(found: Exchange) -> str:
    """One paragraph in words, made from the numbers."""
    a, b = found.a.name, found.b.name
    first, second = trade(found, "a"), trade(found, "b")
    better = a if first["b_loses"] - first["a_loses"] + second["b_loses"] - second["a_loses"] > 0 else b
    carrier_a = found.a.units[int(found.a_on_b.max(axis=1).argmax())].name
    carrier_b = found.b.units[int(found.b_on_a.max(axis=1).argmax())].name
    return (
        f"If {a} strikes first, it removes {first['b_loses']:.0f} of {found.b.points} points "
        f"and loses {first['a_loses']:.0f} to what is left; "
        f"if {b} strikes first, it removes {second['a_loses']:.0f} of {found.a.points} and loses "
        f"{second['b_loses']:.0f}. "
        "Going first is worth "
        f"{first['b_loses'] - second['b_loses'] + second['a_loses'] - first['a_loses']:.0f} points "
        "of difference. "
        f"Over both, {better} trades better. The hardest single blow is struck by {carrier_a} for "
        f"{a} and by {carrier_b} for {b}."
    )
