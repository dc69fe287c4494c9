"""Distributions: the chance of at least, at most or exactly k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.plots.asking import MOST_LINES, MOST_PANELS, Chart, chart, fought, shown_series
from mathhammer.plots.finishing import Entry, Words, finish
from mathhammer.plots.labels import beside, too_crowded
from mathhammer.plots.lettering import letter
from mathhammer.plots.look import Look, LookWords
from mathhammer.plots.marks import KINDS, Kind, draw_on
from mathhammer.plots.panels import draw_panels
from mathhammer.plots.series import (
    LABELS,
    Series,
    described,
    names_of,
    plain_series,
    series_of,
    subject,
)
from mathhammer.plots.style import canvas, get_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["KINDS", "LABELS", "Kind", "draw_distributions", "names_of", "plot_distributions", "plot_pmf"]


def plot_pmf(
    *results: Result,
    kind: Kind = "at_least",
    of: str | None = None,
    ax: Axes | None = None,
    labels: tuple[str, ...] = (),
    **look: Unpack[LookWords],
) -> Axes:
    """The distribution of what each result did: chance of at least k, of at most k, or of exactly k.

    `of` is slain, lost or damage; left out, models slain, or wounds lost where the target is one model. The
    other keywords are those of `Look`: title, source and conditions are made from the results; give your
    own, or "" for none. Several results as bars (`kind="pmf"`) get a small chart each; axes of your own
    hold them all.

    >>> import mathhammer as mh
    >>> result = mh.fight(mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4"))
    >>> ax = plot_pmf(result, of="slain")
    >>> ax.get_xlabel()
    'models slain'
    """
    series = series_of("plot_pmf", results, of, labels)
    if kind not in KINDS:
        raise UnknownNameError("plot_pmf", "kind", str(kind), KINDS)
    title = subject(results, series[0].what)
    return draw_series(series, kind, ax, Look(**look).about(results), title)


def draw_distributions(
    pmfs: Sequence[Pmf],
    names: Sequence[str],
    kind: Kind,
    xlabel: str,
    ax: Axes | None = None,
    **look: Unpack[LookWords],
) -> Axes:
    """Distributions of anything: bars for the chance of exactly k, steps for at least and at most k."""
    return draw_series(plain_series(pmfs, names, xlabel), kind, ax, Look(**look), "")


def draw_series(series: Sequence[Series], kind: Kind, ax: Axes | None, look: Look, title: str) -> Axes:
    """Distributions on one pair of axes; bars of several in small charts, where the figure is ours."""
    if kind == "pmf" and len(series) > 1 and ax is None:
        stacked = [[one] for one in series]
        return draw_panels(stacked, [one.name for one in series], kind, look, title)
    ax = canvas(ax, look)
    draw_on(ax, series, kind, look)
    ax.set_xlabel(series[0].what)
    ax.set_ylabel(f"chance of {'exactly' if kind == 'pmf' else kind.replace('_', ' ')} that many")
    theme = get_theme("chart", look.theme)
    colours = [theme.colour(place) for place in range(len(series))]
    names = [one.name for one in series]
    listed = kind != "pmf" and too_crowded(ax, names, 6)
    key = [Entry(one, theme.colour(n), theme.dash(n)) for n, one in enumerate(names)] if listed else []
    finish(ax, look, Words(title, described(series), key=tuple(key)))
    if kind != "pmf" and not listed:
        ways = [
            _corners(line.get_xdata(), line.get_ydata()) for line in ax.get_lines() if line.get_gid() is None
        ]
        beside(ax, names, ways, theme, colours)
    elif (
        kind == "pmf" and len(series) > 1
    ):  # bars of several stand among each other: only here a legend reads better
        legend = ax.legend(frameon=False, labelcolor=theme.ink, fontsize=9.5)
        for text in legend.get_texts():
            letter(text)
    return ax


def _corners(values: object, heights: object) -> NDArray[np.float64]:
    """The corners of a step line."""
    across, up = np.asarray(values, dtype=np.float64), np.asarray(heights, dtype=np.float64)
    edges = np.repeat(across[:-1] + 0.5, 2)
    return np.column_stack([np.concatenate([[across[0]], edges, [across[-1]]]), np.repeat(up, 2)])


def plot_distributions(
    pmfs: Mapping[str, Pmf],
    *,
    kind: Kind = "pmf",
    xlabel: str = "",
    ax: Axes | None = None,
    **look: Unpack[LookWords],
) -> Axes:
    """Named distributions: bars for exactly k, in a small chart each or on axes of your own; steps for at
    least or at most k.

    >>> ax = plot_distributions({"goals met": Pmf.of([0.25, 0.5, 0.25])}, xlabel="goals met")
    >>> [float(bar.get_height()) for bar in ax.patches][:3], ax.get_xlabel()
    ([0.25, 0.5, 0.25], 'goals met')
    """
    if not pmfs:
        raise BadInputError("plot_distributions: nothing to draw (give at least one distribution)")
    if kind not in KINDS:
        raise UnknownNameError("plot_distributions", "kind", str(kind), KINDS)
    return draw_distributions(list(pmfs.values()), list(pmfs), kind, xlabel, ax, **look)


def _lines(asked: Chart, kind: Kind) -> Axes:
    """Every attacker's line against one target; several targets get a small chart each."""
    fights = fought(asked, MOST_LINES, MOST_PANELS)
    series, look, title = shown_series(asked, fights, apart=True)
    names = list(dict.fromkeys(one.panel for one in series))
    if len(names) == 1:
        return draw_series(series, kind, None, look, title)
    groups = [[one for one in series if one.panel == name] for name in names]
    return draw_panels(groups, names, kind, look, title)


@chart("at_least", "chance of at least k models slain, a step curve", rank=1)
def at_least_chart(asked: Chart) -> Axes:
    """The chance of at least k, for each attacker and target."""
    return _lines(asked, "at_least")


@chart("at_most", "chance of at most k", rank=2)
def at_most_chart(asked: Chart) -> Axes:
    """The chance of at most k, for each attacker and target."""
    return _lines(asked, "at_most")


@chart("pmf", "chance of exactly k, bars", rank=3)
def pmf_chart(asked: Chart) -> Axes:
    """The chance of exactly k, for each attacker and target."""
    series, look, title = shown_series(asked, fought(asked, MOST_PANELS), apart=True)
    return draw_series(series, "pmf", None, look, title)
