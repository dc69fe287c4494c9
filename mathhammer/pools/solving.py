"""Symbol dice solved exactly: battles as absorbing Markov chains, volleys that scatter by counting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from mathhammer.dice.symbols import Die, pool_distribution
from mathhammer.errors import TooLargeError
from mathhammer.pools.battle import (
    BattleSeries,
    BestOf,
    EventChain,
    FaceEffect,
    Fought,
    Mean,
    Ranked,
    Scattered,
    ScatterVolley,
    Series,
    State,
)
from mathhammer.pools.choosing import Planned, plan_series

MOST_STATES = 200_000  # of a chain of events


def _solve(planned: Planned, start: Mapping[State, float]) -> Fought:
    """The ends of a battle and its means: expected visits of each state from one linear system."""
    compiled = planned.compiled
    size = len(compiled.states)
    step_matrix = np.zeros((size, size))
    sums = np.zeros((size, 5))  # rounds, losses of a and b, points of a and b
    each = compiled.battle.points_each
    for index, step in enumerate(planned.steps):
        if step is None:
            sums[index, 3:] = compiled.battle.points_end(compiled.states[index])
            continue
        used = step.following >= 0
        np.add.at(step_matrix[index], step.following[used], step.chances[used])
        scored = (step.points[0] + each[0] * step.lost[1], step.points[1] + each[1] * step.lost[0])
        sums[index] = (step.link.stage.counted, *step.lost, *scored)
    begin = np.zeros(size)
    for state, chance in start.items():
        begin[compiled.number[state]] += chance
    visits = np.linalg.solve(np.eye(size) - step_matrix.T, begin)
    over = [index for index, link in enumerate(compiled.links) if link is None]
    ends = {compiled.states[index]: float(max(0.0, visits[index])) for index in over}
    rounds, lost_a, lost_b, points_a, points_b = (Mean(float(value)) for value in visits @ sums)
    return Fought(ends, rounds, (lost_a, lost_b), (points_a, points_b))


def solve_series(question: BattleSeries) -> Series:
    """A series of battles solved exactly; the ends of one are the starts of the next."""
    starts: dict[State, float] = {question.start: 1.0}
    fights: list[Fought] = []
    none = Mean(0.0)
    for place, planned in enumerate(plan_series(question)):
        battle = planned.compiled.battle
        entered: dict[State, float] = {}
        for state, chance in starts.items():
            begin = battle.enter(state) if place else state
            if begin is not None:
                entered[begin] = entered.get(begin, 0.0) + chance
        fights.append(_solve(planned, entered) if entered else Fought({}, none, (none, none), (none, none)))
        starts = dict(fights[-1].ends)
    totals = [sum(fought.points[side].value for fought in fights) for side in (0, 1)]
    return Series(tuple(fights), (Mean(totals[0]), Mean(totals[1])))


def rank(question: BestOf) -> Ranked:
    """The exact score of every series, and the best of them."""
    answers = [solve_series(series) for series in question.series]
    scores = tuple(question.score(answer) for answer in answers)
    best = max(range(len(scores)), key=lambda place: (scores[place], -place))
    return Ranked(scores, best, answers[best])


def follow_events(chain: EventChain) -> dict[State, float]:
    """The chances of the last states.

    >>> coin = lambda heads: {heads: 0.5, heads + 1: 0.5}
    >>> follow_events(EventChain(0, (coin, coin)))
    {0: 0.25, 1: 0.5, 2: 0.25}
    """
    chances: dict[State, float] = {chain.start: 1.0}
    for event in chain.events:
        after: dict[State, float] = {}
        for state, chance in chances.items():
            for following, share in event(state).items():
                after[following] = after.get(following, 0.0) + chance * share
        if len(after) > MOST_STATES:
            raise TooLargeError(f"events: more than {MOST_STATES} states (use fewer disks or events)")
        chances = after
    return chances


def _die(effects: Sequence[FaceEffect]) -> Die:
    """A die that shows its effects."""
    names = FaceEffect._fields
    return Die(
        "volley",
        tuple(
            tuple(name for name, number in zip(names, face, strict=True) for _ in range(number))
            for face in effects
        ),
    )


def solve_scatter(volley: ScatterVolley) -> Scattered:
    """A volley by counting: every target by itself.

    >>> hit, scatter = FaceEffect(damaging=1), FaceEffect(scatters=1)
    >>> solve_scatter(ScatterVolley(1, (hit, scatter), (hit, FaceEffect()), (1,), 2, 1)).struck[1]
    {(0, 0, False): 0.75, (0, 1, False): 0.25}
    """
    first, second = _die(volley.first), _die(volley.second)

    def damage(die: Die, number: int) -> Mapping[tuple[int, bool], Fraction]:
        return pool_distribution((die,) * number, ("damaging", "crit")).of(
            lambda counts: (counts[0], counts[1] > 0)
        )

    def shown(symbol: str) -> Mapping[int, Fraction]:
        return pool_distribution((first,) * volley.dice, (symbol,)).of(lambda counts: counts[0])

    struck = [dict(damage(first, volley.dice))]
    for target in range(1, volley.targets):
        chances: dict[tuple[int, bool], Fraction] = {}
        for scatters, chance in shown("scatters").items():
            for key, share in damage(second, volley.recipients[:scatters].count(target)).items():
                chances[key] = chances.get(key, Fraction(0)) + chance * share
        struck.append(chances)
    # No die does anything: no damage on the first roll, and if it scatters to somebody none on the second.
    quiet = sum(
        not one.damaging and not (one.scatters and volley.recipients and two.damaging)
        for one in volley.first
        for two in volley.second
    )
    each = 1.0 / volley.strengths
    return Scattered(
        struck=tuple(
            {
                (strength, k, crit): each * float(chance)
                for (k, crit), chance in sorted(chances.items())
                for strength in range(volley.strengths)
            }
            for chances in struck
        ),
        noted={k: float(chance) for k, chance in shown("noted").items()},
        nothing=quiet**volley.dice / (len(volley.first) * len(volley.second)) ** volley.dice,
    )
