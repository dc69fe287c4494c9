"""A ridge: the distributions of many units, one above the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.result import Result
from mathhammer.plots.asking import MOST_ROWS, Chart, chart
from mathhammer.plots.distributions import LABELS, describe, names_of, pmfs_of, shown_distributions, subject
from mathhammer.plots.style import bare, canvas, conditions_line, finish, get_theme, source_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 0.86  # of the highest peak, in rows


def plot_ridge(
    *results: Result,
    of: str = "slain",
    ax: Axes | None = None,
    labels: tuple[str, ...] = (),
    theme: str = "light",
    title: str | None = None,
    source: str | None = None,
    subtitle: str | None = None,
) -> Axes:
    """One small distribution for each result, all on the same scale, the mean marked.

    >>> import mathhammer as mh
    >>> result = mh.fight(mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4"))
    >>> len(plot_ridge(result, result, labels=("one", "other")).get_yticks())
    2
    """
    pmfs = pmfs_of("plot_ridge", results, of)
    heading = subject(results, LABELS[of]) if title is None else title
    names = labels or names_of(results)
    return draw_ridge(
        pmfs,
        names,
        LABELS[of],
        ax,
        theme=theme,
        title=heading,
        source=source_of(results) if source is None else source,
        subtitle=conditions_line(results) if subtitle is None else subtitle,
    )


def draw_ridge(
    pmfs: Sequence[Pmf],
    names: Sequence[str],
    xlabel: str,
    ax: Axes | None = None,
    *,
    theme: str = "light",
    title: str = "",
    source: str = "",
    subtitle: str = "",
) -> Axes:
    """The same for distributions; rows stand in the order given, the first on top."""
    look = get_theme("chart", theme)
    ax = canvas(ax, look, (8.0, 1.7 + 0.48 * max(3, len(pmfs))))
    peak = max(float(pmf.probs.max()) for pmf in pmfs)
    top = max(pmf.quantile(0.999) for pmf in pmfs) + 1
    colour = look.colour(0)
    for row, pmf in enumerate(pmfs):
        values = np.arange(top + 1)
        heights = np.array([pmf[int(value)] for value in values]) / peak * HEIGHT
        ax.bar(values, -heights, 0.92, bottom=row, color=colour, linewidth=0)
        ax.axhline(row, color=look.muted, linewidth=0.8)
        ax.vlines(pmf.mean(), row - HEIGHT, row, color=look.colour(1), linewidth=2.2)
        ax.annotate(
            f"{pmf.mean():.1f}",
            (top + 0.5, row),
            xytext=(5, 1),
            textcoords="offset points",
            va="bottom",
            color=look.colour(1),
            fontsize=9.5,
            fontweight="bold",
            annotation_clip=False,
        )
    ax.set_yticks(range(len(pmfs)), list(names), va="bottom")
    ax.set_ylim(len(pmfs) - 0.9, -1.0)
    ax.set_xlim(-0.6, top + 0.5)
    ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    ax.set_xlabel(f"{xlabel}   (bars: chance of exactly that many; line and number: mean)")
    bare(ax, "left", "bottom")
    return finish(
        ax,
        look,
        title,
        source,
        " ".join(describe(pmf, name, xlabel) for pmf, name in zip(pmfs, names, strict=True)),
        subtitle,
    )


@chart("ridge", "distributions of many units, one above the other", rank=5)
def ridge_chart(asked: Chart) -> Axes:
    """Ridges of every attacker against every target."""
    pmfs, names, label, look = shown_distributions(asked, MOST_ROWS)
    return draw_ridge(pmfs, names, label, **look)
