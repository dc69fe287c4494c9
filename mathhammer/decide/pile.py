"""`pile`: several units at one target, one after the other, each at what the others have left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import permutations
from math import factorial, prod
from typing import Any

import numpy as np

from mathhammer.dataclass import dataclass
from mathhammer.datasheets.asked import as_unit
from mathhammer.decide.blows import (
    PHASES,
    SURE,
    Blow,
    Member,
    Side,
    begin,
    gone,
    make_blow,
    members_of,
    states_of,
)
from mathhammer.decide.showing import Shown
from mathhammer.dice.pmf import Pmf
from mathhammer.duel.states import Array, States
from mathhammer.errors import BadInputError
from mathhammer.games.weapon_choice import ALL, kinds_of, wanted_weapons, with_weapons
from mathhammer.units.unit import Unit

MOST_ORDERS = 5_040  # beyond that the best order is not searched
ORDERS = ("given", "best")


@dataclass(frozen=True, slots=True)
class PileStep:
    """How the target stands after one unit of a pile.

    >>> import mathhammer as mh
    >>> step = mh.pile(["Liberators"], "Clanrats").steps[0]
    >>> step.attacker, step.kind, round(step.lost, 2)
    ('Liberators', 'melee', 6.06)
    """

    attacker: str
    kind: str
    p_needed: float  # the chance that something of the target is left when it attacks
    lost: float  # mean wounds that it takes
    wasted: float  # mean damage that takes nothing away, where it attacks
    p_destroyed: float  # the chance that the target is gone by now
    left: Pmf = field(repr=False)  # models left


@dataclass(frozen=True, slots=True, repr=False)
class Pile(Shown):
    """Several units at one target: how it stands after each of them, and whether their order matters.

    >>> import mathhammer as mh
    >>> mh.pile(["Liberators", "Liberators"], "Clanrats")
    Pile(2 units against Clanrats: destroyed 0.5%, 12.11 of 20 wounds lost)
    """

    target: Unit
    blows: tuple[Blow, ...]
    steps: tuple[PileStep, ...]
    order_matters: bool | None  # None: too many units to try all orders
    best_order: tuple[str, ...]
    best_p_destroyed: float

    @property
    def p_destroyed(self) -> float:
        """The chance that the target is gone after all of them."""
        return self.steps[-1].p_destroyed

    @property
    def lost(self) -> float:
        """Mean wounds that the target loses to all of them."""
        return sum(step.lost for step in self.steps)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each attacker.

        >>> import mathhammer as mh
        >>> [row["attacker"] for row in mh.pile(["Liberators", "Clanrats"], "Rat Ogors").rows()]
        ['Liberators', 'Clanrats']
        """
        return [
            {
                "attacker": step.attacker,
                "kind": step.kind,
                "p_needed": step.p_needed,
                "lost": step.lost,
                "wasted": step.wasted,
                "models_left": step.left.mean(),
                "p_destroyed": step.p_destroyed,
            }
            for step in self.steps
        ]

    def __repr__(self) -> str:
        number = f"{len(self.steps)} {'unit' if len(self.steps) == 1 else 'units'}"
        health = self.target.health - self.target.lost
        return (
            f"Pile({number} against {self.target.label}: destroyed {self.p_destroyed:.1%}, "
            f"{self.lost:.4g} of {health} wounds lost)"
        )


def pile(
    attackers: Side,
    target: Unit | str,
    *,
    system: str | None = None,
    order: str = "given",
    **how: Any,
) -> Pile:
    """Several units at one target, one after the other: what is left after each, and the best order.

    Shooting comes before combat; within a phase the units attack as they are given, or with `order="best"` in
    the order with the best chance to destroy the target. Each begins with the whole distribution that the
    ones before have left, so the answer is exact. `weapons="all"`: every unit shoots, then each strikes.
    `how` is what `fight` takes besides the method.

    >>> import mathhammer as mh
    >>> both = mh.pile(["Liberators", "Rat Ogors"], "Clanrats")
    >>> [round(step.p_destroyed, 4) for step in both.steps]
    [0.0, 0.1058]
    """
    if order not in ORDERS:
        raise BadInputError(f"pile: order {order!r} (give one of: {', '.join(ORDERS)})")
    against = as_unit(target, system, "pile") if not isinstance(target, str) else None
    members = members_of(attackers, system or (against.system if against else None), "pile")
    if not members:
        raise BadInputError("pile: no attacker (name at least one unit)")
    against = against or as_unit(target, system or members[0].unit.system, "pile")
    return pile_of(members, against, how, order)


def pile_of(
    members: Sequence[Member],
    target: Unit,
    how: dict[str, Any],
    order: str = "given",
    left_out: list[str] | None = None,
) -> Pile:
    """The same for units that are known, with their friends. Those that cannot attack are an error, or said
    in `left_out`.
    """
    blows: list[Blow] = []
    for member in _by_phase(members, how):
        try:
            blows.append(make_blow(member, target, how))
        except BadInputError as error:
            if left_out is None:
                raise
            left_out.append(f"{member.unit.label}: {error}")
    if not blows:
        raise BadInputError(f"pile: no unit can attack {target.name}")
    states = states_of(target, "pile")
    places = sorted(range(len(blows)), key=lambda place: PHASES.index(blows[place].kind))
    now = gone(states, _after([blows[place] for place in places], begin(target, states)))
    best, chance, matters = tuple(places), now, None
    if all(blow.shift for blow in blows):
        matters = False
    elif prod(factorial(sum(blow.kind == kind for blow in blows)) for kind in PHASES) <= MOST_ORDERS:
        found = _best_order(blows, target, states)
        matters = found[0] > now + SURE or found[2] < now - SURE
        if found[0] > now + SURE:
            chance, best, _ = found
    taken = [blows[place] for place in (best if order == "best" else places)]
    names = tuple(blows[place].name for place in best)
    return Pile(target, tuple(taken), _steps(taken, target, states), matters, names, chance)


def _by_phase(members: Sequence[Member], how: dict[str, Any]) -> Iterator[Member]:
    """The members; where all weapons are wanted, each once for every kind of attack that it has."""
    for member in members:
        if wanted_weapons(member.unit, how.get("weapons")) == ALL:
            for kind in kinds_of(member.unit):
                yield replace(member, unit=with_weapons(member.unit, kind))
        else:
            yield member


def _after(blows: Sequence[Blow], mass: Array) -> Array:
    for blow in blows:
        mass = mass @ blow.matrix
    return mass


def _best_order(blows: Sequence[Blow], target: Unit, states: States) -> tuple[float, tuple[int, ...], float]:
    """The best chance to destroy the target over all orders with its order, and the worst; shooting first."""
    shooting, striking = ([p for p, blow in enumerate(blows) if blow.kind == kind] for kind in PHASES)
    after: dict[tuple[int, ...], Array] = {(): begin(target, states)}
    best: tuple[float, tuple[int, ...]] = (-1.0, ())
    worst = 2.0
    for order in (first + then for first in permutations(shooting) for then in permutations(striking)):
        for length in range(1, len(order) + 1):
            if order[:length] not in after:
                after[order[:length]] = after[order[: length - 1]] @ blows[order[length - 1]].matrix
        chance = gone(states, after[order])
        best = (chance, order) if chance > best[0] + SURE else best
        worst = min(worst, chance)
    return (*best, worst)


def _steps(blows: Sequence[Blow], target: Unit, states: States) -> tuple[PileStep, ...]:
    mass, lost, models = begin(target, states), states.lost(), states.models()
    steps = []
    for blow in blows:
        after = mass @ blow.matrix
        taken = float((after - mass) @ lost)
        left = np.bincount(models, weights=after)
        steps.append(
            PileStep(
                blow.name,
                blow.kind,
                1.0 - gone(states, mass),
                taken,
                max(0.0, float(mass @ blow.harm) - taken),
                gone(states, after),
                Pmf(left / left.sum()),
            )
        )
        mass = after
    return tuple(steps)
