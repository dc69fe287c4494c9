"""`choices`: what to decide where a rule leaves it to the attacker, weapon by weapon, and what it is worth.

Critical Hits may wound by themselves (Lethal Hits where they are optional), one of several critical abilities
is used, attacks with Precision may pick a Character. The attacker decides when a weapon's turn comes, and has
then seen what the weapons before it did. Worked backwards from the last weapon: in every state of the target
the choice that leads to the most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.decide.showing import OfOneAttack
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.exact import end_states, pool, walk_from
from mathhammer.engine.landing import Landing, land
from mathhammer.engine.plan import Plan, Target, Volley
from mathhammer.errors import BadInputError, TooLargeError, UnknownNameError
from mathhammer.fight import both_units, make_question, plan_of
from mathhammer.games.branches import branches
from mathhammer.games.discovery import attacks_of
from mathhammer.games.game import Fight
from mathhammer.units.unit import Unit

Array = NDArray[np.float64]
GOALS = {"lost": "lost", "destroyed": "p_destroyed", "character": "p_character_slain"}
BEST = "decided weapon by weapon"
PRECISE, ANYONE = "Precision on a Character", "no Precision"
SURE = 1e-9  # worths closer than this are the same
MOST_WAYS = 64  # fixed decisions, all of which are shown
MOST_STATES = 2_000  # each way of a weapon is a table of states by states


@dataclass(frozen=True, slots=True)
class Ways:
    """What may be decided about the attacks of one volley: a name and a volley each."""

    weapon: str
    names: tuple[str, ...]
    volleys: tuple[Volley, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Choices(OfOneAttack):
    """What the optional rules of an attack are worth: decided weapon by weapon, and each fixed decision.

    >>> import mathhammer as mh
    >>> blade = {"name": "Blade", "kind": "melee", "attacks": 6, "hit": 3, "wound": 4, "damage": 2,
    ...          "abilities": ["Crit (Mortal)", "Crit (Auto-wound)"]}
    >>> swords = mh.make_unit("aos4", {"name": "Swords", "health": 2, "save": 4, "weapon": [blade]})
    >>> [row["decision"] for row in mh.choices(swords, "Clanrats").rows()]
    ['decided weapon by weapon', 'Blade: Crit (Mortal)', 'Blade: Crit (Auto-wound)']
    """

    attacker: Unit
    target: Unit
    goal: str
    policies: tuple[tuple[str, Mapping[str, float]], ...]  # the best is first
    lost: Pmf  # wounds lost under the best
    advice: tuple[str, ...]  # the best in words
    question: Fight = field(repr=False)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each way to decide: the best first, then every fixed decision.

        >>> import mathhammer as mh
        >>> rows = mh.choices("Necron Warriors", "Marines", system="wh40k11").rows()
        >>> sorted(rows[0])
        ['decision', 'lost', 'p_destroyed']
        """
        return [{"decision": name, **numbers} for name, numbers in self.policies]

    def __repr__(self) -> str:
        key = GOALS[self.goal]
        (name, top), *fixed = self.policies
        second, numbers = max(fixed, key=lambda one: one[1][key])
        many = self.goal == "lost"
        values = [f"{one[key]:.4g}" if many else f"{one[key]:.1%}" for one in (top, numbers)]
        what = "wounds lost" if many else "destroyed" if self.goal == "destroyed" else "Characters slain"
        return (
            f"Choices({self.attacker.name} against {self.target.name}: {name} {values[0]} {what}, "
            f"{second} {values[1]})"
        )


def choices(
    attacker: Unit | str,
    target: Unit | str,
    *,
    system: str | None = None,
    goal: str = "lost",
    **how: Any,
) -> Choices:
    """The best use of the optional rules of an attack, weapon by weapon, beside each fixed decision.

    `goal` is what counts: wounds "lost" on average, the chance that the target is "destroyed", or that all
    its Characters are slain ("character"). One decision holds for all attacks of a weapon and is made before
    they are rolled. `how` is what `fight` takes besides `choices` and the method.

    >>> import mathhammer as mh
    >>> mh.choices("Liberators", "Clanrats")
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: choices: no weapon of Liberators has an optional rule here
    """
    if goal not in GOALS:
        raise UnknownNameError("choices", "goal", str(goal), GOALS)
    if how.get("choices"):
        raise BadInputError("choices: a decision is given already (leave out choices)")
    one, other = both_units(attacker, target, system, "choices")
    question = make_question(one, other, **how)
    parts = [(chance, rolled, plan_of(rolled)) for chance, rolled in branches(question)]
    totals: dict[str, Array] = {}
    advice: list[str] = []
    for chance, rolled, plan in parts:
        landing = _landing(plan, goal, other)
        ways = _ways(rolled, plan)
        ends, lines = _decided(ways, plan, landing, _worth(landing, plan, goal))
        for name, end in ends.items():
            totals[name] = totals.get(name, np.zeros_like(end)) + chance * end
        came = ", ".join(sorted(name for name, _ in rolled.rolled)) or "no rule rolled"
        advice += [f"{came}: {line}" for line in lines] if len(parts) > 1 else lines
    lost = np.bincount(landing.lost, weights=totals[BEST])
    policies = tuple((name, _numbers(landing, plan, end)) for name, end in totals.items())
    return Choices(one, other, goal, policies, Pmf(lost / lost.sum()), tuple(advice), question)


def _landing(plan: Plan, goal: str, target: Unit) -> Landing:
    landing = land(plan.target)
    if landing.states > MOST_STATES:
        raise TooLargeError(f"choices: the target has {landing.states} states (at most {MOST_STATES})")
    if goal == "character" and not plan.target.characters:
        raise BadInputError(f"choices: {target.name} has no Character (choose another goal)")
    return landing


def _worth(landing: Landing, plan: Plan, goal: str) -> Array:
    """What each state of the target is worth in the end."""
    if goal == "lost":
        return landing.lost.astype(np.float64)
    reached = _slain(landing, plan) if goal == "character" else ~landing.alive
    return reached.astype(np.float64)


def _slain(landing: Landing, plan: Plan) -> NDArray[np.bool_]:
    gone: NDArray[np.bool_] = np.logical_and.reduce(landing.gone[list(plan.target.characters)])
    return gone


def _numbers(landing: Landing, plan: Plan, end: Array) -> dict[str, float]:
    found = {"lost": float(end @ landing.lost), "p_destroyed": float(end[~landing.alive].sum())}
    if plan.target.characters:
        found["p_character_slain"] = float(end[_slain(landing, plan)].sum())
    return found


# --- what can be decided ----------------------------------------------------------------------------------


def _ways(question: Fight, plan: Plan) -> list[Ways]:
    """Every volley of the plan in each way in which it may be decided."""
    optional = attacks_of(question.attacker.system).optional
    values = {} if optional is None else optional(question)
    found = []
    for index, volley in enumerate(plan.volleys):
        mine = [weapon for weapon in values if _is_of(volley.name, weapon)]
        each = [("", volley)]
        if mine:
            each = [
                (words, _volley_with(question, plan, index, tuple((weapon, value) for weapon in mine)))
                for value, words in values[mine[0]].items()
            ]
        both = [(name, one) for text, way in each for name, one in _with_precision(text, way)]
        found.append(Ways(volley.name, tuple(name for name, _ in both), tuple(one for _, one in both)))
    number = prod(len(one.names) for one in found)
    if number == 1:
        raise BadInputError(f"choices: no weapon of {question.attacker.name} has an optional rule here")
    if number > MOST_WAYS:
        raise TooLargeError(f"choices: {number} ways to decide (at most {MOST_WAYS}: name fewer weapons)")
    return found


def _is_of(volley: str, weapon: str) -> bool:
    """Whether a weapon is one of those whose attacks are rolled together as this volley."""
    return f" and {weapon} and " in f" and {volley} and "


def _volley_with(question: Fight, plan: Plan, index: int, decided: tuple[tuple[str, str], ...]) -> Volley:
    other = plan_of(replace(question, choices=decided))
    if [one.name for one in other.volleys] != [one.name for one in plan.volleys]:
        raise BadInputError(
            f"choices: {decided[0][0]} is rolled together with other weapons (ask for one weapon)"
        )
    return other.volleys[index]


def _with_precision(name: str, volley: Volley) -> list[tuple[str, Volley]]:
    """The volley as it is, and where its attacks pick Characters also without that."""
    packets = tuple(replace(one, tracks=tuple(sorted(one.tracks)), picks=()) for one in volley.packets)
    if packets == volley.packets:
        return [(name, volley)]
    said = [", ".join(filter(None, (name, text))) for text in (PRECISE, ANYONE)]
    return [(said[0], volley), (said[1], replace(volley, packets=packets))]


# --- what it leads to -------------------------------------------------------------------------------------


def _decided(
    ways: Sequence[Ways], plan: Plan, landing: Landing, worth: Array
) -> tuple[dict[str, Array], list[str]]:
    """Where the target ends under the best policy and under each fixed one; and the best in words."""
    tables = [[_table(volley, plan.target, landing) for volley in one.volleys] for one in ways]
    start = np.zeros(landing.states)
    start[landing.start] = 1.0
    leads, picks = np.eye(landing.states), []
    for each in reversed(tables):
        rows = np.stack([table @ leads for table in each])
        values = rows @ worth
        pick = np.argmax(values > values.max(axis=0) - SURE, axis=0)  # the first of equals
        leads = np.take_along_axis(rows, pick[None, :, None], axis=0)[0]
        picks.append(pick)
    picks.reverse()
    ends = {BEST: leads[landing.start]}
    for chosen in product(*(range(len(one.names)) for one in ways)):
        end = start
        for each, number in zip(tables, chosen, strict=True):
            end = end @ each[number]
        said = [f"{one.weapon}: {one.names[n]}" for one, n in zip(ways, chosen, strict=True) if one.names[n]]
        ends["; ".join(said)] = end
    _check(ways, plan, tables, start)
    return ends, _advice(ways, tables, picks, landing, start)


def _table(volley: Volley, target: Target, landing: Landing) -> Array:
    """Where each state of the target leads to by one volley."""
    plan = Plan((volley,), target)
    if not target.spills:
        return walk_from(plan, np.eye(landing.states))
    last = landing.states - 1
    harm = pool(plan, last)
    table = np.zeros((landing.states, landing.states))
    for lost in range(landing.states):
        end = np.convolve(np.eye(1, lost + 1, lost)[0], harm)
        table[lost, : last + 1] = np.pad(end, (0, landing.states))[: last + 1]
        table[lost, last] += end[last + 1 :].sum()
    return table


def _check(ways: Sequence[Ways], plan: Plan, tables: Sequence[Sequence[Array]], start: Array) -> None:
    """Refuses an action that is more than its volleys one after the other."""
    end = start
    for one, volley, each in zip(ways, plan.volleys, tables, strict=True):
        end = end @ each[one.volleys.index(volley)]
    if not np.allclose(end, end_states(plan), rtol=0.0, atol=1e-9):
        raise BadInputError("choices: weapons whose wounds wait for each other (ask for one weapon)")


def _advice(
    ways: Sequence[Ways],
    tables: Sequence[Sequence[Array]],
    picks: Sequence[NDArray[np.int64]],
    landing: Landing,
    start: Array,
) -> list[str]:
    """What to decide, by the wounds that are lost already; only of states that can be met."""
    lines, mass = [], start
    for one, each, pick in zip(ways, tables, picks, strict=True):
        met = (mass > 0.0) & landing.alive
        if len(one.names) > 1 and met.any():
            lines.append(f"{one.weapon}: {_said(one, pick, landing.lost, met)}")
        stacked = np.stack(list(each))
        mass = mass @ np.take_along_axis(stacked, pick[None, :, None], axis=0)[0]
    return lines


def _said(one: Ways, pick: NDArray[np.int64], lost: NDArray[np.int64], met: NDArray[np.bool_]) -> str:
    """The choice, or each choice with the wounds lost at which it is best: in unbroken runs."""
    runs: list[tuple[int, list[int]]] = []
    for wounds, number in sorted(zip(lost[met].tolist(), pick[met].tolist(), strict=True)):
        if runs and runs[-1][0] == number:
            runs[-1][1].append(wounds)
        else:
            runs.append((number, [wounds]))
    used = list(dict.fromkeys(number for number, _ in runs))
    if len(used) == 1:
        return one.names[used[0]]
    texts = []
    for number in used:
        spans = [(at[0], at[-1]) for each, at in runs if each == number]
        words = [str(low) if low == high else f"{low} to {high}" for low, high in spans]
        texts.append(f"{one.names[number]} at {', '.join(words)} wounds lost")
    return "; ".join(texts)
