"""Bands: what eight rolls of ten come to, one row for each unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import matplotlib as mpl

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.result import Result
from mathhammer.plots.asking import MOST_ROWS, Chart, chart
from mathhammer.plots.distributions import LABELS, describe, names_of, pmfs_of, shown_distributions, subject
from mathhammer.plots.style import bare, canvas, conditions_line, finish, get_theme, grid, source_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_bands(
    *results: Result,
    of: str = "slain",
    ax: Axes | None = None,
    labels: tuple[str, ...] = (),
    theme: str = "light",
    title: str | None = None,
    source: str | None = None,
    subtitle: str | None = None,
) -> Axes:
    """A band from 10 % to 90 % for each result, with the median as a notch and the mean as a dot.

    >>> import mathhammer as mh
    >>> result = mh.fight(mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4"))
    >>> [text.get_text() for text in plot_bands(result).get_yticklabels()]
    ['Liberators']
    """
    pmfs = pmfs_of("plot_bands", results, of)
    heading = f"{subject(results, LABELS[of])} in eight of ten rolls" if title is None else title
    names = labels or names_of(results)
    return draw_bands(
        pmfs,
        names,
        LABELS[of],
        ax,
        theme=theme,
        title=heading,
        source=source_of(results) if source is None else source,
        subtitle=conditions_line(results) if subtitle is None else subtitle,
    )


def draw_bands(
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
    ax = canvas(ax, look, (8.0, 1.7 + 0.42 * max(3, len(pmfs))))
    colour = look.colour(0)
    for row, pmf in enumerate(pmfs):
        low, middle, high = (pmf.quantile(share) for share in (0.1, 0.5, 0.9))
        ax.barh(row, high - low, left=low, height=0.44, color=colour, alpha=0.35, linewidth=0)
        ax.barh(row, high - low, left=low, height=0.44, fill=False, edgecolor=colour, linewidth=1.0)
        ax.hlines(row, pmf.quantile(0.01), pmf.quantile(0.99), color=colour, linewidth=1.2)
        ax.vlines(middle, row - 0.22, row + 0.22, color=colour, linewidth=2.6)
        ax.plot(
            pmf.mean(),
            row,
            "o",
            color=look.background,
            markeredgecolor=colour,
            markeredgewidth=1.8,
            markersize=6.5,
        )
        ax.annotate(
            f"{pmf.mean():.1f}",
            (max(pmf.quantile(0.99), high), row),
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            color=look.ink,
            fontsize=9.5,
        )
    ax.set_yticks(range(len(pmfs)), list(names))
    ax.set_ylim(len(pmfs) - 0.4, -0.6)
    ax.set_xlim(-0.02 * _top(pmfs), 1.08 * _top(pmfs))
    ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    ax.set_xlabel(f"{xlabel}   (band: 10 to 90 %, line: 1 to 99 %, notch: median, dot and number: mean)")
    bare(ax, "left")
    grid(ax, look, "x")
    return finish(
        ax,
        look,
        title,
        source,
        " ".join(describe(pmf, name, xlabel) for pmf, name in zip(pmfs, names, strict=True)),
        subtitle,
    )


def _top(pmfs: Sequence[Pmf]) -> float:
    return float(max(1, *(pmf.quantile(0.99) for pmf in pmfs)))


@chart("bands", "10-90 % bands, one row for each unit", rank=4)
def bands_chart(asked: Chart) -> Axes:
    """Bands of every attacker against every target."""
    pmfs, names, label, look = shown_distributions(asked, MOST_ROWS)
    return draw_bands(pmfs, names, label, **look)
