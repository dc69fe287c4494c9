"""The charts that values draw of themselves: `pmf.plot()`, `result.plot()`, `duel.plot()`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mathhammer.dice.pmf import Pmf
from mathhammer.duel.result import Duel
from mathhammer.duel.telling import duel_conditions
from mathhammer.engine.result import Result
from mathhammer.plots.distributions import plot_distributions, plot_pmf
from mathhammer.plots.duel import plot_duel
from mathhammer.plots.look import source_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_one(pmf: Pmf, *, label: str = "distribution", **options: Any) -> Axes:
    """One distribution by itself."""
    return plot_distributions({label: pmf}, **options)


def plot_result(result: Result, **options: Any) -> Axes:
    """What a fight does: `kind`, `of`, `title` and so on as for `plot_pmf`."""
    return plot_pmf(result, **options)


def plot_rounds(duel: Duel, **options: Any) -> Axes:
    """Who has won after each round."""
    source = source_line(duel.setup.system.title, duel.method, duel.trials, duel.seed)
    wins = [point.p_win for point in duel.by_round]
    losses = [point.p_lose for point in duel.by_round]
    return plot_duel(
        duel.names,
        wins,
        losses,
        **{"source": source, "conditions": duel_conditions(duel, duel.names)} | options,
    )
