"""A ridge: the distributions of many units, one above the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.result import Result
from mathhammer.plots.asking import MOST_ROWS, Chart, chart, fought, shown_series
from mathhammer.plots.bands import mean_text
from mathhammer.plots.finishing import LEAST_ROW, Words, finish
from mathhammer.plots.look import Look, LookWords
from mathhammer.plots.marks import MOST_BARS
from mathhammer.plots.rows import mark_ends
from mathhammer.plots.scales import name_rows, span_of, whole_numbers
from mathhammer.plots.series import Series, described, plain_series, series_of, subject
from mathhammer.plots.style import bare, canvas, get_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 0.86  # of the highest peak, in rows


def plot_ridge(
    *results: Result,
    of: str | None = None,
    ax: Axes | None = None,
    labels: tuple[str, ...] = (),
    **look: Unpack[LookWords],
) -> Axes:
    """One small distribution for each result, all on the same scale, the mean marked.

    >>> import mathhammer as mh
    >>> result = mh.fight(mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4"))
    >>> len(plot_ridge(result, result, labels=("one", "other")).get_yticks())
    2
    """
    series = series_of("plot_ridge", results, of, labels)
    return _draw(series, ax, Look(**look).about(results), subject(results, series[0].what))


def draw_ridge(
    pmfs: Sequence[Pmf],
    names: Sequence[str],
    xlabel: str,
    ax: Axes | None = None,
    **look: Unpack[LookWords],
) -> Axes:
    """The same for distributions; rows stand in the order given, the first on top."""
    return _draw(plain_series(pmfs, names, xlabel), ax, Look(**look), "")


def _draw(series: Sequence[Series], ax: Axes | None, look: Look, title: str) -> Axes:
    theme = get_theme("chart", look.theme)
    ax = canvas(ax, look, (8.0, 2.0 + 0.46 * max(3, len(series))))
    caps = [one.most or one.dead for one in series]
    most = max(cap for cap in caps if cap is not None) if None not in caps else None
    low, high = span_of([one.pmf for one in series], most)
    values = np.arange(low, high + 1)
    peak = max(float(one.pmf.probs.max()) for one in series)
    for row, one in enumerate(series):
        heights = np.array([one.pmf[int(value)] for value in values]) / peak * HEIGHT
        if len(values) <= MOST_BARS * 2:
            ax.bar(values, -heights, 0.92, bottom=row, color=theme.colour(0), linewidth=0)
        else:
            edges = np.append(values, high + 1) - 0.5
            ax.stairs(row - heights, edges, baseline=row, fill=True, color=theme.colour(0))
        ax.axhline(row, color=theme.muted, linewidth=0.8)
        ax.vlines(one.pmf.mean(), row - HEIGHT, row, color=theme.colour(1), linewidth=2.2)
        text = ax.annotate(
            mean_text(one.pmf.mean()),
            (high + 0.5, row),
            xytext=(5, 1),
            textcoords="offset points",
            va="bottom",
        )
        text.set(color=theme.colour(1), fontsize=9.5, fontweight="bold", annotation_clip=False)
    name_rows(ax, [one.name for one in series], va="bottom")
    ax.set_ylim(len(series) - 0.9, -1.0)
    ax.set_xlim(low - 0.6, high + 0.5)
    whole_numbers(ax)
    ax.set_xlabel(series[0].what)
    bare(ax, "left", "bottom")
    marked = mark_ends(ax, series, look, high, 0.0, 0.6)
    note = f"Bars: chance of exactly that many, all rows on one scale; line and number: mean{marked}."
    return finish(ax, look, Words(title, described(series), note, least=LEAST_ROW * len(series)))


@chart("ridge", "distributions of many units, one above the other", rank=5)
def ridge_chart(asked: Chart) -> Axes:
    """Ridges of every attacker against every target."""
    series, look, title = shown_series(asked, fought(asked, MOST_ROWS))
    return _draw(series, None, look, title)
