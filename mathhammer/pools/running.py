"""Answers a question about symbol dice with the engine that was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.checks import MOST_SEED, whole
from mathhammer.dice.rerolls import ChosenReroll, best_rerolls
from mathhammer.dice.symbols import Distribution, pool_distribution
from mathhammer.errors import UnknownNameError
from mathhammer.pools.battle import Asked, BattleSeries, BestOf, EventChain, PoolRoll, Ranked
from mathhammer.pools.solving import follow_events, rank, solve_scatter, solve_series

METHODS = ("exact", "simulate")
MOST_TRIALS = 100_000_000


def run(asked: Asked) -> Mapping[str, Any]:
    """The reply to a question, exact or played.

    >>> from mathhammer.dice.symbols import Die
    >>> coins = PoolRoll((Die("coin", (("skull",), ())),) * 2, ("skull",))
        >>> run(Asked("coins", coins, lambda distribution, trials: {"mean": float(distribution.means()[0])}))
        {'mean': 1.0}
    """
    if asked.method not in METHODS:
        raise UnknownNameError(asked.where, "method", str(asked.method), METHODS)
    question = asked.question
    if asked.method == "simulate":
        trials = whole(f"{asked.where}: trials is", asked.trials, 1, MOST_TRIALS)
        return asked.read(_played(asked, trials), trials)
    if isinstance(question, BattleSeries):
        return asked.read(solve_series(question), None)
    if isinstance(question, BestOf):
        return asked.read(rank(question), None)
    if isinstance(question, ChosenReroll):
        return asked.read(best_rerolls(question), None)
    if isinstance(question, PoolRoll):
        return asked.read(pool_distribution(question.dice, question.symbols, question.rerolls), None)
    if isinstance(question, EventChain):
        return asked.read(follow_events(question), None)
    return asked.read(solve_scatter(question), None)


def _played(asked: Asked, trials: int) -> Any:
    from mathhammer.pools.rerolling import play_rerolls
    from mathhammer.pools.simulate import play_events, play_pool, play_scatter, play_series

    question, seed = asked.question, whole(f"{asked.where}: seed is", asked.seed, 0, MOST_SEED)
    if isinstance(question, BattleSeries):
        return play_series(question, trials=trials, seed=seed)
    if isinstance(question, BestOf):  # the choice is exact, what is chosen is played
        ranked = rank(question)
        series = play_series(question.series[ranked.best], trials=trials, seed=seed)
        return Ranked(ranked.scores, ranked.best, series)
    if isinstance(question, ChosenReroll):
        return play_rerolls(question, trials=trials, seed=seed)
    if isinstance(question, PoolRoll):
        seen = play_pool(question.dice, question.symbols, question.rerolls, trials=trials, seed=seed)
        return Distribution(seen, trials)
    if isinstance(question, EventChain):
        return play_events(question, trials=trials, seed=seed)
    return play_scatter(question, trials=trials, seed=seed)
