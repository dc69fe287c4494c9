"""What one attack does from every state of both units: the laws that both ways of playing a duel read.

A state of a unit is the wounds it has lost (and the limited uses it has left). Rules look at a unit through a
few things only: models left, whether a model is wounded, sometimes the exact loss. States that look alike
share one plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.exact import pool, walk_from
from mathhammer.engine.landing import land
from mathhammer.engine.plan import Plan
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.fight import plan_fight
from mathhammer.games.discovery import attacks_of
from mathhammer.units.effects import Condition, Effect, Facts
from mathhammer.units.unit import Unit

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
COUNTED = ("models", "target_models", "lost", "target_lost")
NOTHING: frozenset[str] = frozenset()
MOST_ENTRIES = 40_000_000  # numbers in one law


@dataclass(frozen=True, slots=True)
class States:
    """The states of a unit: state = wounds lost x (uses + 1) + uses left; the last ones
    are a unit that is gone.
    """

    unit: Unit
    uses: int

    @staticmethod
    def of(unit: Unit) -> States:
        """The states of a unit that is fit for a duel."""
        if any(group.stat("wounded") for group in unit.groups):
            raise BadInputError(
                f"duel: {unit.name} has wounded models (say with_lost for the whole unit instead)"
            )
        return States(replace(unit, lost=0), int(unit.stat("damage_zero_uses", 0)))

    @property
    def number(self) -> int:
        """How many states there are."""
        return (self.unit.health + 1) * (self.uses + 1)

    def start(self, lost: int) -> int:
        """The state in which the duel begins."""
        return lost * (self.uses + 1) + self.uses

    def lost(self) -> Ints:
        """Wounds lost in each state."""
        return np.arange(self.number) // (self.uses + 1)

    def models(self) -> Ints:
        """Models left in each state."""
        left = [self.unit.with_lost(lost).models_left for lost in range(self.unit.health)] + [0]
        return np.array(left)[self.lost()]

    def at_models(self) -> Ints:
        """For each number of models left: the least wounds lost, so that the wounded model is gone first."""
        models = [*(self.unit.with_lost(lost).models_left for lost in range(self.unit.health)), 0]
        return np.array([models.index(left) for left in range(self.unit.models + 1)])


@dataclass(frozen=True, slots=True)
class Looks:
    """What the rules around look at, besides the models that attack."""

    damaged: bool = False
    models: bool = False  # the very number of models that are attacked
    counts: tuple[Condition, ...] = ()  # conditions on models or wounds of either unit

    @staticmethod
    def at(effects: tuple[Effect, ...], attackers: tuple[Unit, ...]) -> Looks:
        """What these effects, and the weapons of these attackers, look at."""
        conditions = [condition for effect in effects for condition in effect.when]
        flags = {condition.value for condition in conditions if condition.subject == "flag"}
        return Looks(
            damaged=bool(flags & {"damaged", "target_damaged"}),
            models=any("target_models" in attacks_of(unit.system).reads(unit, effects) for unit in attackers),
            counts=tuple(
                dict.fromkeys(condition for condition in conditions if condition.subject in COUNTED)
            ),
        )

    def key(self, unit: Unit, attacking: bool) -> tuple[object, ...]:
        """What is seen of a unit in its state."""
        left, lost = unit.models_left, unit.lost
        # either side's conditions, on this unit
        facts = Facts(NOTHING, NOTHING, NOTHING, left, left, lost, lost)
        return (
            left if attacking or self.models else None,
            unit.damaged if self.damaged else None,
            *(condition.holds(facts) for condition in self.counts),
        )


def classes(states: States, looks: Looks, attacking: bool) -> Ints:
    """A number for each state; states with the same number look alike. A unit that is gone has -1."""
    seen: dict[tuple[object, ...], int] = {}
    health = states.unit.health
    found = [
        seen.setdefault(looks.key(states.unit.with_lost(lost), attacking), len(seen))
        for lost in range(health)
    ]
    return np.array([*found, -1])[states.lost()]


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """What an attack does: for each class of attacker states a row of chances.

    With `shift`, a row is the law of wounds lost, whatever state the target is in: [class, wounds]. Else:
    [class, state, state].
    """

    numbers: Ints  # class of each state of the attacker, -1 where it is gone
    rows: Array
    shift: bool

    @property
    def idle(self) -> bool:
        """True when it never does anything."""
        if self.shift:
            return bool((self.rows[:, 0] >= 1.0).all())
        return bool(np.array_equal(self.rows, np.broadcast_to(np.eye(self.rows.shape[-1]), self.rows.shape)))

    def matrix(self, number: int) -> Array:
        """One class as the chance to go from each target state to each other."""
        if not self.shift:
            matrix: Array = self.rows[number]
            return matrix
        harm = self.rows[number]
        size = len(harm)
        step = np.zeros((size, size))
        for state in range(size):
            step[state, state:] = harm[: size - state]
            step[state, -1] += harm[size - state :].sum()
        return step


def strike_law(attacker: States, target: States, looks: Looks, how: Mapping[str, Any]) -> Law:
    """The law of an attack; `how` is what `fight` takes besides the method."""
    attacking = classes(attacker, looks, attacking=True)
    struck = classes(target, looks, attacking=False)
    number = int(attacking.max()) + 1
    size = target.number
    firsts = [int(attacker.lost()[np.argmax(attacking == c)]) for c in range(number)]
    sensitive = int(struck.max()) > 0
    one = plan_fight(attacker.unit, target.unit, **how)
    shift = one.target.spills and not sensitive
    if number * size * (1 if shift else size) > MOST_ENTRIES:
        raise TooLargeError(
            f"duel: {attacker.unit.name} against {target.unit.name} has too many states (use fewer models)"
        )
    if shift:
        rows = np.zeros((number, size))
        for c, lost in enumerate(firsts):
            harm = pool(plan_fight(attacker.unit.with_lost(lost), target.unit, **how), size - 1)
            rows[c, : len(harm)] = harm
        return Law(attacking, rows, True)
    rows = np.zeros((number, size, size))
    for c, lost in enumerate(firsts):
        rows[c] = _steps(attacker.unit.with_lost(lost), target, struck, how)
    return Law(attacking, rows, False)


def _steps(attacker: Unit, target: States, struck: Ints, how: Mapping[str, Any]) -> Array:
    """What an attacker does to the target from each of its states."""
    matrix = np.eye(target.number)
    # groups that are gone change the shape of a plan
    alone = len(target.unit.groups) > 1 and int(struck.max()) > 0
    for number in range(int(struck.max()) + 1):
        places = np.flatnonzero(struck == number)
        for part in [places[k : k + 1] for k in range(len(places))] if alone else [places]:
            lost = int(target.lost()[part[0]])
            plan = plan_fight(attacker, target.unit.with_lost(lost), **how)
            whole = plan_fight(attacker, target.unit, **how).target
            if len(whole.tracks) > 1:
                raise BadInputError(
                    f"duel: {attacker.name} may pick the Character in {target.unit.name} "
                    '(a duel keeps one order of losses; give the option precision_choice="none")'
                )
            if plan.target.spills:
                matrix[part] = _pooled(plan, target, part)
            elif alone:
                matrix[part] = _walked(plan, target, part, lost)
            else:
                matrix[part] = _walked(replace(plan, target=whole), target, part, 0)
    return matrix


def _pooled(plan: Plan, target: States, places: Ints) -> Array:
    harm = pool(plan, target.number - 1)
    rows = np.zeros((len(places), target.number))
    for row, state in zip(rows, places, strict=True):
        reached = np.minimum(state + np.arange(len(harm)), target.number - 1)
        np.add.at(row, reached, harm)
    return rows


def _walked(plan: Plan, target: States, places: Ints, before: int) -> Array:
    """Rows of a plan whose target has lost `before` wounds; a use that lasts for this attack only is
    forgotten afterwards.
    """
    landing = land(plan.target)
    uses = plan.target.uses
    lasting = uses == target.uses
    start = np.zeros((len(places), landing.states))
    lost, left = target.lost()[places] - before, places % (target.uses + 1)
    start[np.arange(len(places)), lost * (uses + 1) + (left if lasting else uses)] = 1.0
    try:
        end = walk_from(plan, start)
    except TooLargeError:  # one start after the other takes less room
        end = np.concatenate([walk_from(plan, start[k : k + 1]) for k in range(len(places))])
    if not lasting:
        end = end.reshape(len(places), -1, uses + 1).sum(axis=2)
    rows = np.zeros((len(places), target.number))
    rows[:, before * (target.uses + 1) :] = end
    return rows


def own_law(states: States, change: Callable[[int], Mapping[int, float]]) -> Array:
    """What a unit does to itself: `change` gives the law of wounds lost after it, from the
    wounds lost before.
    """
    size, uses = states.unit.health + 1, states.uses + 1
    matrix = np.zeros((size, size))
    matrix[-1, -1] = 1.0
    for lost in range(size - 1):
        for after, chance in change(lost).items():
            matrix[lost, after] += chance
    step: Array = np.kron(matrix, np.eye(uses))  # type: ignore[assignment]
    return step


def healing(states: States, points: Pmf) -> Array:
    """Wounds given back to the wounded model; none returns."""

    def change(lost: int) -> dict[int, float]:
        hurt = sum(hurt for _, hurt in states.unit.with_lost(lost).left())
        return points.cut(hurt).map(lambda healed: lost - healed).to_dict()

    return own_law(states, change)


def rallying(states: States, points: Pmf) -> Array:
    """Models return for as many points as they have wounds, and what is left heals the wounded one."""
    each = int(states.unit.groups[0].stat(states.unit.wounds))

    def change(lost: int) -> dict[int, float]:
        def after(value: int) -> int:
            returned = min(lost // each, value // each)
            return lost - returned * each - min(lost % each, value - returned * each)

        return points.map(after).to_dict()

    return own_law(states, change)
