"""How two lists trade: who attacks whom, and what each side loses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.lists.army import Army, army_values

Array = NDArray[np.float64]
Pairs = list[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Side:
    """One list against another: what each of its units removes from each of the other's, and who should
    attack whom.
    """

    army: Army
    other: Army
    removed: Array  # mean points removed, [unit, unit of the other]
    destroys: Array  # chance to destroy

    @cached_property
    def assignment(self) -> Pairs:
        """Which unit should attack which; worked out once."""
        return assignment(self.removed, self.other)


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """How two lists trade, both ways."""

    a: Side
    b: Side


def exchange_of(a: Army, b: Army, **how: Any) -> Exchange:
    """Both lists against each other, each unit with the better of its melee and ranged attacks; `how` goes to
    `fight`, for the attacks of both.

    >>> from mathhammer import load_unit
    >>> from mathhammer.lists.army import army_of
    >>> hammers, rats = (army_of([load_unit(name, "aos4")], name) for name in ("Liberators", "Clanrats"))
    >>> exchange_of(hammers, rats).a.removed.round(1).tolist()
    [[45.4]]
    """
    if a.system != b.system:
        raise BadInputError(
            f"list compare: {a.name} plays {a.system}, {b.name} plays {b.system} (compare lists of one game)"
        )
    return Exchange(_side(a, b, how), _side(b, a, how))


def _side(army: Army, other: Army, how: Mapping[str, Any]) -> Side:
    values = army_values(army, other.units, **how)
    return Side(army, other, values.removed, values.destroyed)


def assignment(removed: Array, other: Army) -> Pairs:
    """Which unit should attack which, so that most points are removed: a target counts no more than its own
    points.

    Solved as a mixed-integer program: each attacker picks one target; what a target loses is the sum of what
    its attackers remove on average, up to all its points.

    >>> from mathhammer import load_unit
    >>> from mathhammer.lists.army import army_of
    >>> rats = army_of([load_unit("Clanrats", "aos4"), load_unit("Rat Ogors", "aos4")])
    >>> assignment(np.array([[100.0, 20.0], [90.0, 80.0]]), rats)
    [(0, 0), (1, 1)]
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


def _after(side: Side, left: Array, other_left: Array) -> Array:
    """The share of each unit of the other list that is left after one round: attackers count by the share of
    them that is left.
    """
    after = other_left.copy()
    for attacker, target in side.assignment:  # points can be removed, so the target has some
        points = side.other.units[target].points or 1
        after[target] -= min(after[target], side.removed[attacker, target] * left[attacker] / points)
    return after


def trade(both: Exchange, first: str) -> dict[str, float]:
    """Points that each side loses when `first` ("a" or "b") strikes and the other strikes back with what is
    left.

    >>> from mathhammer import load_unit
    >>> from mathhammer.lists.army import army_of
    >>> hammers, rats = (army_of([load_unit(name, "aos4")], name) for name in ("Liberators", "Clanrats"))
    >>> {side: round(points, 1) for side, points in trade(exchange_of(hammers, rats), "a").items()}
    {'a_loses': 23.8, 'b_loses': 45.4}
    """
    a_left, b_left = np.ones(len(both.a.army.units)), np.ones(len(both.b.army.units))
    for side in ("a", "b") if first == "a" else ("b", "a"):
        if side == "a":
            b_left = _after(both.a, a_left, b_left)
        else:
            a_left = _after(both.b, b_left, a_left)
    lost = {"a_loses": (both.a.army, a_left), "b_loses": (both.b.army, b_left)}
    return {
        name: float(((1 - left) * np.array([unit.points or 0 for unit in army.units])).sum())
        for name, (army, left) in lost.items()
    }


def _ahead(a: str, b: str, points: float) -> str:
    """Who is ahead by so many points; nobody where it is less than half a point."""
    return "neither" if abs(points) < 0.5 else a if points > 0 else b


def summary(both: Exchange) -> str:
    """One paragraph in words, from the numbers."""
    a, b = both.a.army, both.b.army
    first, second = trade(both, "a"), trade(both, "b")
    a_ahead = first["b_loses"] - first["a_loses"] + second["b_loses"] - second["a_loses"]
    worth = first["b_loses"] - second["b_loses"] + second["a_loses"] - first["a_loses"]
    blow_a, blow_b = (
        side.army.units[int(side.removed.max(axis=1).argmax())].name for side in (both.a, both.b)
    )
    return (
        f"If {a.name} strikes first, it removes {first['b_loses']:.0f} of {b.points} points "
        f"and loses {first['a_loses']:.0f} to what is left; "
        f"if {b.name} strikes first, it removes {second['a_loses']:.0f} of {a.points} and loses "
        f"{second['b_loses']:.0f}. "
        f"Going first is worth {worth:.0f} points of difference. "
        f"Over both, {_ahead(a.name, b.name, a_ahead)} trades better. "
        f"The hardest single blow is struck by {blow_a} for {a.name} and by {blow_b} for {b.name}."
    )
