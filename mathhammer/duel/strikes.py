"""What one attack does from every state of both units: what both ways of playing a duel read.

Rules look at a unit through a few things only: models left, whether a model is wounded, sometimes the exact
loss. States that look alike share one plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from mathhammer.dataclass import dataclass
from mathhammer.duel.states import Array, Ints, States, own_step
from mathhammer.engine.exact import end_states, pool, walk_from
from mathhammer.engine.landing import land
from mathhammer.engine.plan import Plan
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.fight import plans_of
from mathhammer.games.discovery import attacks_of
from mathhammer.games.game import Fight as Question
from mathhammer.games.gathering import facts_of, holds
from mathhammer.units.conditions import Condition, Facts
from mathhammer.units.effects import Effect
from mathhammer.units.unit import Unit

NOTHING: frozenset[str] = frozenset()
COUNTED = ("models", "target_models", "lost", "target_lost", "wounds", "target_wounds")
STANDING = frozenset({"below_half", "below_starting"})
MOST_ENTRIES = 40_000_000  # numbers in one strike


def rules_in_play(unit: Unit, friends: Iterable[Unit]) -> tuple[Effect, ...]:
    """Every effect that may act on a unit's attacks or on attacks against it: its own, and its friends' for
    it.
    """
    handed = ("friends", "led", "friends_attacker", "enemies")
    own = tuple(effect for effect in unit.effects if effect.on not in ("friends", "led", "friends_attacker"))
    return own + tuple(effect for friend in friends for effect in friend.effects if effect.on in handed)


@dataclass(frozen=True, slots=True)
class Dependencies:
    """Which properties of both units the rules in play depend on, besides the models that attack."""

    damaged: bool = False
    models: bool = False  # the very number of models that are attacked
    lost: bool = False  # the very number of wounds that either unit has lost
    counts: tuple[Condition, ...] = ()  # conditions on models or wounds of either unit
    standing: frozenset[str] = NOTHING  # what of a unit's losses the rules ask for

    @staticmethod
    def of(question: Question) -> Dependencies:
        """What the effects around an attack, and its weapons, depend on."""
        effects = (
            *rules_in_play(question.attacker, question.friends),
            *rules_in_play(question.target, question.target_friends),
        )
        conditions = [condition for effect in effects for condition in effect.when]
        flags = {condition.value for condition in conditions if condition.subject == "flag"}
        armed = replace(question.attacker, weapons=question.weapons)
        reads = attacks_of(armed.system).reads(armed, effects)
        counted = " ".join(
            str(value)
            for effect in effects
            for key, value in effect.changes
            if " per " in str(value) or key == "mortal"
        )
        return Dependencies(
            damaged=bool(flags & {"damaged", "target_damaged"}),
            standing=frozenset(flag.removeprefix("target_") for flag in map(str, flags)) & STANDING,
            models="target_models" in reads or "model" in counted,
            lost=bool(reads & {"lost", "target_lost"}) or "lost" in counted,
            counts=tuple(
                dict.fromkeys(condition for condition in conditions if condition.subject in COUNTED)
            ),
        )

    def key(self, unit: Unit, attacking: bool) -> tuple[object, ...]:
        """What is seen of a unit in its state."""
        left, lost = unit.models_left, unit.lost
        # either side's conditions, on this unit
        wounds = unit.health - lost
        facts = Facts(NOTHING, NOTHING, NOTHING, left, left, lost, lost, wounds=wounds, target_wounds=wounds)
        return (
            left if attacking or self.models else None,
            unit.damaged if self.damaged else None,
            lost if self.lost else None,
            unit.now().name,  # a leader whose bodyguard is gone is another target
            unit.standing() & self.standing,
            *(condition.holds(facts) for condition in self.counts),
        )


def classes(states: States, dependencies: Dependencies, attacking: bool) -> Ints:
    """A number for each state; states with the same number look alike. A unit that is gone has -1."""
    seen: dict[tuple[object, ...], int] = {}
    numbers = [
        seen.setdefault(dependencies.key(states.unit.with_lost(lost), attacking), len(seen))
        for lost in range(states.unit.health)
    ]
    return np.array([*numbers, -1])[states.lost()]


@dataclass(frozen=True, slots=True, eq=False)
class Strike:
    """What an attack does: for each class of attacker states a row of chances.

    With `shift`, a row is the distribution of wounds lost, whatever state the target is in: [class, wounds].
    Else: [class, state, state].
    """

    numbers: Ints  # class of each state of the attacker, -1 where it is gone
    rows: Array
    shift: bool
    own: Array | None = None  # what it costs the attacker, [state, state] of its own
    times: int = 1  # how often it is made, one after the other

    @property
    def idle(self) -> bool:
        """True when it never does anything."""
        if self.own is not None:
            return False
        if self.shift:
            return bool((self.rows[:, 0] >= 1.0).all())
        return bool(np.array_equal(self.rows, np.broadcast_to(np.eye(self.rows.shape[-1]), self.rows.shape)))

    def matrix(self, number: int) -> Array:
        """One class as the chance to go from each target state to each other."""
        if not self.shift:
            matrix: Array = self.rows[number]
            return matrix
        damage = self.rows[number]
        size = len(damage)
        step = np.zeros((size, size))
        for state in range(size):
            step[state, state:] = damage[: size - state]
            step[state, -1] += damage[size - state :].sum()
        return step


def make_strike(question: Question, attacker: States, target: States) -> Strike:
    """What an attack does from every state of both units."""
    dependencies = Dependencies.of(question)
    attackers = classes(attacker, dependencies, attacking=True)
    targets = classes(target, dependencies, attacking=False)
    number, size = int(attackers.max()) + 1, target.number
    shift = _plans(question, 0, 0)[0][1].target.spills and int(targets.max()) == 0
    if number * size * (1 if shift else size) > MOST_ENTRIES:
        raise TooLargeError(
            f"duel: {attacker.unit.name} against {target.unit.name} has too many states (use fewer models)"
        )
    firsts = [int(attacker.lost()[np.argmax(attackers == c)]) for c in range(number)]
    rows = np.zeros((number, size) if shift else (number, size, size))
    for row, lost in zip(rows, firsts, strict=True):
        row[:] = _shift(question, lost, size) if shift else _steps(question, lost, target, targets)
    return Strike(attackers, rows, shift, _cost(question, attacker), _times(question))


def strike_now(question: Question, target: States) -> tuple[Strike, Array]:
    """What an attack of a unit as it stands does to every state of the target, as a strike of one class; and
    the mean damage of its dice in each state, before any is wasted.
    """
    lost, size = question.attacker.lost, target.number
    targets = classes(target, Dependencies.of(question), attacking=False)
    whole = _plans(question, lost, 0)[0][1].target
    if sum(group.models * group.wounds for group in whole.groups) != target.unit.health:
        raise BadInputError(
            f"duel: the situation changes the wounds of {target.unit.name}, which only a fight follows "
            "(leave it out, and give the unit those wounds)"
        )
    shift = whole.spills and int(targets.max()) == 0
    rows = _shift(question, lost, size) if shift else _steps(question, lost, target, targets)
    harm = np.zeros(size)
    for number in range(int(targets.max()) + 1):
        places = targets == number
        for chance, plan in _plans(question, lost, int(target.lost()[np.argmax(places)])):
            harm[places] += chance * Result("", "", plan, np.zeros(0)).funnel.get("damage", 0.0)
    times = _times(question)
    return Strike(np.zeros(1, dtype=np.int64), rows[None], shift, times=times), times * harm


def _shift(question: Question, lost: int, size: int) -> Array:
    """The distribution of wounds lost to an attacker that has lost so many wounds itself."""
    row = np.zeros(size)
    for chance, plan in _plans(question, lost, 0):
        damage = pool(plan, size - 1)
        row[: len(damage)] += chance * damage
    return row


def _cost(question: Question, attacker: States) -> Array | None:
    """What the attack does to the attacker itself, from each of its states; None: nothing."""
    if all(plan.own is None for _, plan in _plans(question, 0, 0)):
        return None

    def change(lost: int) -> dict[int, float]:
        after: dict[int, float] = {}
        for chance, plan in _plans(question, lost, 0):
            harm = {0: 1.0}
            if plan.own is not None:
                harm = Result("", "", plan.own, end_states(plan.own)).lost.to_dict()
            for more, share in harm.items():
                after[lost + more] = after.get(lost + more, 0.0) + chance * share
        return after

    return own_step(attacker, change)


def _times(question: Question) -> int:
    """How often the unit attacks: twice where a rule that holds lets it strike again."""
    facts = facts_of(question, question.weapons[0])
    again = any(
        effect.change("strike_again") and effect.on == "unit" and holds(question, effect, facts)
        for effect in question.attacker.effects
    )
    return 2 if again else 1


def _plans(question: Question, lost: int, target_lost: int) -> list[tuple[float, Plan]]:
    """The plan of the attack when the units have lost so many wounds; where rules roll dice of their own, one
    for each way, with its chance.
    """
    attacker, target = question.attacker.with_lost(lost), question.target.with_lost(target_lost)
    return plans_of(replace(question, attacker=attacker, target=target))


def _steps(question: Question, lost: int, target: States, targets: Ints) -> Array:
    """What an attacker that has lost so many wounds does to the target from each of its states."""
    matrix = np.eye(target.number)
    # groups that are gone change the shape of a plan
    alone = len(target.unit.groups) > 1 and int(targets.max()) > 0
    whole = _plans(question, lost, 0)[0][1].target
    if len(whole.tracks) > 1:
        raise BadInputError(
            f"duel: {question.attacker.name} may pick the Character in {target.unit.name} "
            '(a duel keeps one order of losses; give the option precision_choice="none")'
        )
    for number in range(int(targets.max()) + 1):
        places = np.flatnonzero(targets == number)
        for part in [places[k : k + 1] for k in range(len(places))] if alone else [places]:
            before = int(target.lost()[part[0]])
            rows = np.zeros((len(part), target.number))
            for chance, plan in _plans(question, lost, before):
                if plan.target.spills:
                    rows += chance * _pooled(plan, target, part)
                elif alone:
                    rows += chance * _walked(plan, target, part, before)
                else:
                    rows += chance * _walked(replace(plan, target=whole), target, part, 0)
            matrix[part] = rows
    return matrix


def _pooled(plan: Plan, target: States, places: Ints) -> Array:
    damage = pool(plan, target.number - 1)
    rows = np.zeros((len(places), target.number))
    for row, state in zip(rows, places, strict=True):
        reached = np.minimum(state + np.arange(len(damage)), target.number - 1)
        np.add.at(row, reached, damage)
    return rows


def _walked(plan: Plan, target: States, places: Ints, before: int) -> Array:
    """Rows of a plan whose target has lost `before` wounds; uses that only this attack grants are spent
    first, and forgotten afterwards.
    """
    landing = land(plan.target)
    uses, granted = plan.target.uses, plan.target.uses - target.uses
    lost, left = target.lost()[places] - before, places % (target.uses + 1)
    ready, each = np.clip(left + granted, 0, uses), np.arange(len(places))
    start = np.zeros((len(places), landing.states))
    start[each, lost * (uses + 1) + ready] = 1.0
    try:
        end = walk_from(plan, start)
    except TooLargeError:  # one start after the other takes less room
        end = np.concatenate([walk_from(plan, start[k : k + 1]) for k in range(len(places))])
    by_uses = end.reshape(len(places), -1, uses + 1).transpose(0, 2, 1)
    spent = np.maximum(ready[:, None] - np.arange(uses + 1) - max(granted, 0), 0)  # of its own
    kept = np.zeros((len(places), target.uses + 1, by_uses.shape[2]))
    np.add.at(kept, (each[:, None], left[:, None] - spent), by_uses)
    rows = np.zeros((len(places), target.number))
    rows[:, before * (target.uses + 1) :] = kept.transpose(0, 2, 1).reshape(len(places), -1)
    return rows
