"""Bands: what eight rolls of ten come to, one row for each unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.result import Result
from mathhammer.plots.asking import MOST_ROWS, Chart, chart, fought, shown_series
from mathhammer.plots.finishing import LEAST_ROW, Words, finish
from mathhammer.plots.look import Look, LookWords
from mathhammer.plots.rows import mark_ends
from mathhammer.plots.scales import name_rows, span_of, whole_numbers
from mathhammer.plots.series import Series, described, plain_series, series_of, subject
from mathhammer.plots.style import Theme, bare, canvas, get_theme, grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_bands(
    *results: Result,
    of: str | None = None,
    ax: Axes | None = None,
    labels: tuple[str, ...] = (),
    **look: Unpack[LookWords],
) -> Axes:
    """A band from 10 % to 90 % for each result, with the median as a notch and the mean as a dot.

    >>> import mathhammer as mh
    >>> result = mh.fight(mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4"))
    >>> [text.get_text() for text in plot_bands(result).get_yticklabels()]
    ['Liberators']
    """
    series = series_of("plot_bands", results, of, labels)
    title = f"{subject(results, series[0].what)} in eight of ten rolls"
    return _draw(series, ax, Look(**look).about(results), title)


def draw_bands(
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
    ax = canvas(ax, look, (8.0, 2.0 + 0.4 * max(3, len(series))))
    for row, one in enumerate(series):
        _band(ax, one.pmf, row, theme)
    _write_means(ax, series, theme)
    name_rows(ax, [one.name for one in series])
    ax.set_ylim(len(series) - 0.4, -0.6)
    caps = [one.most or one.dead for one in series]
    most = max(cap for cap in caps if cap is not None) if None not in caps else None
    _, high = span_of([one.pmf for one in series], most, tail=0.01)
    ax.set_xlim(-0.02 * high, 1.06 * high)
    whole_numbers(ax)
    ticks = [tick for tick in ax.get_xticks() if 0 <= tick <= high]
    ax.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
    ax.set_xlabel(series[0].what)
    bare(ax, "left")
    grid(ax, theme, "x")
    marked = mark_ends(ax, series, look, high, 0.3, 0.3)
    note = (
        f"Band: 10 to 90 % of the rolls; thin line: 1 to 99 %; notch: median; dot and number: mean{marked}."
    )
    return finish(ax, look, Words(title, described(series), note, least=LEAST_ROW * len(series)))


def _band(ax: Axes, pmf: Pmf, row: int, theme: Theme) -> None:
    """One row."""
    colour = theme.colour(0)
    low, middle, high = (pmf.quantile(share) for share in (0.1, 0.5, 0.9))
    ax.barh(row, high - low, left=low, height=0.44, color=colour, alpha=0.35, linewidth=0)
    ax.barh(row, high - low, left=low, height=0.44, fill=False, edgecolor=colour, linewidth=1.0)
    ax.hlines(row, pmf.quantile(0.01), pmf.quantile(0.99), color=colour, linewidth=1.2)
    ax.vlines(middle, row - 0.22, row + 0.22, color=colour, linewidth=2.6)
    dot: dict[str, Any] = {"markeredgecolor": colour, "markeredgewidth": 1.8, "markersize": 6.5}
    ax.plot(pmf.mean(), row, "o", color=theme.background, **dot)


def _write_means(ax: Axes, series: Sequence[Series], theme: Theme) -> None:
    """The mean behind each band, and behind the mark of the dead where that is near."""
    ends = [max(one.pmf.quantile(0.99), one.pmf.quantile(0.9)) for one in series]
    near = 0.12 * max(ends)
    for row, (one, end) in enumerate(zip(series, ends, strict=True)):
        behind = one.dead if one.dead is not None and end <= one.dead <= end + near else end
        ax.annotate(
            mean_text(one.pmf.mean()),
            (behind, row),
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            color=theme.ink,
            fontsize=9.5,
        )


def mean_text(mean: float) -> str:
    """A mean with a decimal where it is small enough for one to matter.

    >>> mean_text(3.14159), mean_text(1122.7)
    ('3.1', '1,123')
    """
    return f"{mean:.1f}" if mean < 100 else f"{mean:,.0f}"


@chart("bands", "10-90 % bands, one row for each unit", rank=4)
def bands_chart(asked: Chart) -> Axes:
    """Bands of every attacker against every target."""
    series, look, title = shown_series(asked, fought(asked, MOST_ROWS))
    return _draw(series, None, look, f"{title} in eight of ten rolls")
