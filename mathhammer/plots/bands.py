"""Bands: what eight rolls of ten come to, one row for each unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import matplotlib as mpl

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.result import Result
from mathhammer.plots.asking import MOST_ROWS, Chart, chart
from mathhammer.plots.distributions import LABELS, describe, laws_of, names_of, shown_distributions, subject
from mathhammer.plots.style import bare, canvas, finish, get_theme, grid, source_of

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
) -> Axes:
    """A band from 10 % to 90 % for each result, with the median as a notch and the mean as a dot.

    >>> import mathhammer as mh
    >>> result = mh.fight(mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4"))
    >>> [text.get_text() for text in plot_bands(result).get_yticklabels()]
    ['Liberators']
    """
    laws = laws_of("plot_bands", results, of)
    told = f"{subject(results, LABELS[of])} in eight of ten rolls" if title is None else title
    names = labels or names_of(results)
    return draw_bands(
        laws,
        names,
        LABELS[of],
        ax,
        theme=theme,
        title=told,
        source=source_of(results) if source is None else source,
    )


def draw_bands(
    laws: Sequence[Pmf],
    names: Sequence[str],
    xlabel: str,
    ax: Axes | None = None,
    *,
    theme: str = "light",
    title: str = "",
    source: str = "",
) -> Axes:
    """The same for distributions; rows stand in the order given, the first on top."""
    look = get_theme("chart", theme)
    ax = canvas(ax, look, (8.0, 1.7 + 0.42 * max(3, len(laws))))
    colour = look.colour(0)
    for row, law in enumerate(laws):
        low, middle, high = (law.quantile(share) for share in (0.1, 0.5, 0.9))
        ax.barh(row, high - low, left=low, height=0.44, color=colour, alpha=0.35, linewidth=0)
        ax.barh(row, high - low, left=low, height=0.44, fill=False, edgecolor=colour, linewidth=1.0)
        ax.hlines(row, law.quantile(0.01), law.quantile(0.99), color=colour, linewidth=1.2)
        ax.vlines(middle, row - 0.22, row + 0.22, color=colour, linewidth=2.6)
        ax.plot(
            law.mean(),
            row,
            "o",
            color=look.background,
            markeredgecolor=colour,
            markeredgewidth=1.8,
            markersize=6.5,
        )
        ax.annotate(
            f"{law.mean():.1f}",
            (max(law.quantile(0.99), high), row),
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            color=look.ink,
            fontsize=9.5,
        )
    ax.set_yticks(range(len(laws)), list(names))
    ax.set_ylim(len(laws) - 0.4, -0.6)
    ax.set_xlim(-0.02 * _top(laws), 1.08 * _top(laws))
    ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    ax.set_xlabel(f"{xlabel}   (band: 10 to 90 %, line: 1 to 99 %, notch: median, dot and number: mean)")
    bare(ax, "left")
    grid(ax, look, "x")
    return finish(
        ax,
        look,
        title,
        source,
        " ".join(describe(law, name, xlabel) for law, name in zip(laws, names, strict=True)),
    )


def _top(laws: Sequence[Pmf]) -> float:
    return float(max(1, *(law.quantile(0.99) for law in laws)))


@chart("bands", "10-90 % bands, one row for each unit", rank=4)
def bands_chart(asked: Chart) -> Axes:
    """Bands of every attacker against every target."""
    pmfs, names, label, look = shown_distributions(asked, MOST_ROWS)
    return draw_bands(pmfs, names, label, **look)
