"""The lines and bars of distributions on one pair of axes, and the mark where a target is destroyed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from mathhammer.dice.pmf import Pmf
from mathhammer.plots.lettering import letter
from mathhammer.plots.look import Look
from mathhammer.plots.scales import Percents, span_of, whole_numbers
from mathhammer.plots.series import Series, dead_text
from mathhammer.plots.style import get_theme, grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = Literal["pmf", "at_least", "at_most"]
KINDS = ("pmf", "at_least", "at_most")
MOST_BARS = 60  # beyond that one area: thin bars make stripes


def draw_on(ax: Axes, series: Sequence[Series], kind: Kind, look: Look, share: Sequence[Series] = ()) -> None:
    """The lines or bars of some distributions, and the end of their axis; small charts `share` theirs."""
    theme = get_theme("chart", look.theme)
    spanned = share or series
    caps = [one.most or one.dead for one in spanned]
    most = max(cap for cap in caps if cap is not None) if any(caps) and None not in caps else None
    low, high = span_of([one.pmf for one in spanned], most)
    values = np.arange(low, high + 1)
    for number, one in enumerate(series):
        place = number if one.place is None else one.place
        colour = theme.colour(place)
        heights = np.array([_height(one.pmf, kind, int(value)) for value in values])
        if kind != "pmf":
            (line,) = ax.step(values, heights, where="mid", color=colour, label=one.name, linewidth=2.2)
            line.set_dashes(theme.dash(place) or hidden_dash(ax))
        elif len(values) <= MOST_BARS:
            width = (0.86 if len(series) == 1 else 0.8) / len(series)
            shift = (number - (len(series) - 1) / 2) * width
            ax.bar(values + shift, heights, width, color=colour, label=one.name)
        else:
            step = _step_of(one.pmf)  # where only every second value can happen, stripes say nothing
            shown, first = heights[(-low) % step :: step], low + (-low) % step
            edges = first + step * (np.arange(len(shown) + 1) - 0.5)
            ax.stairs(shown, edges, fill=True, color=colour, label=one.name)
    ax.yaxis.set_major_formatter(Percents())
    ax.set_ylim(0, None if kind == "pmf" else 1.02)
    ax.set_xlim(low - 0.5, high + 0.5)
    whole_numbers(ax)
    grid(ax, theme, "y")
    _mark_dead(ax, series, high, look)


def _step_of(pmf: Pmf) -> int:
    """The greatest number of which everything that happens is a multiple.

    >>> _step_of(Pmf.of([0.5, 0.0, 0.25, 0.0, 0.25]))
    2
    """
    return int(np.gcd.reduce(np.flatnonzero(pmf.probs))) or 1


def hidden_dash(ax: Axes) -> tuple[float, ...]:
    """Dashes for the last line where it lies on an earlier one, so that both are seen; else none."""
    *before, last = ax.get_lines()
    heights = np.asarray(last.get_ydata(), dtype=np.float64)
    earlier = [np.asarray(line.get_ydata(), dtype=np.float64) for line in before]
    covers = any(len(one) == len(heights) and np.allclose(one, heights, atol=1e-4) for one in earlier)
    return (1.6, 1.6) if covers else ()


def _mark_dead(ax: Axes, series: Sequence[Series], high: int, look: Look) -> None:
    """A line where the target is destroyed, with the chance of that where there is one series."""
    ends = {(one.dead, one.panel) for one in series}
    first = series[0]
    if len(ends) > 1 or first.dead is None or first.dead > high:
        return
    theme = get_theme("chart", look.theme)
    ax.axvline(first.dead, color=theme.ink, linewidth=1.0, linestyle=(0, (3, 3)), zorder=1, gid="dead")
    chance = f": {first.pmf.at_least(first.dead):.0%}" if len(series) == 1 else ""
    right = first.dead > 0.3 * high
    text = ax.annotate(
        f"{dead_text(first)}{chance}",
        (first.dead, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(3 if right else -3, 3),
        textcoords="offset points",
        ha="right" if right else "left",
        va="bottom",
        fontsize=9,
        color=theme.ink,
        annotation_clip=False,
    )
    text.set_gid("dead")
    letter(text)


def _height(pmf: Pmf, kind: Kind, value: int) -> float:
    return pmf[value] if kind == "pmf" else pmf.at_least(value) if kind == "at_least" else pmf.at_most(value)
