"""Points and what they buy: a scatter with lines of equal efficiency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mathhammer.compare.matchups import matchups, targets_of
from mathhammer.errors import BadInputError
from mathhammer.plots.asking import (
    WORDS,
    Chart,
    chart,
    conditions_of_chart,
    mean_of,
    one_kind,
    quantity_of,
    source_of_chart,
)
from mathhammer.plots.labels import beside
from mathhammer.plots.style import canvas, finish, get_theme, grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_efficiency(
    names: Sequence[str],
    points: Sequence[float],
    values: Sequence[float],
    *,
    what: str = "mean damage",
    ax: Axes | None = None,
    theme: str = "light",
    title: str | None = None,
    source: str = "",
    subtitle: str = "",
) -> Axes:
    """Points across, `what` up; a line through 0 joins all that get as much for their points, the best one is
    coloured.

    >>> ax = plot_efficiency(["Rats", "Ogors"], [100, 200], [5.0, 8.0])
    >>> ax.collections[0].get_offsets().tolist()
    [[100.0, 5.0], [200.0, 8.0]]
    """
    if not names or not len(names) == len(points) == len(values):
        raise BadInputError(
            "plot_efficiency: names, points and values of different number (give one of each for every unit)"
        )
    if min(points) <= 0:
        raise BadInputError("plot_efficiency: a unit without points (give points above 0)")
    look = get_theme("chart", theme)
    ax = canvas(ax, look, (8.0, 5.2))
    rates = np.asarray(values, dtype=np.float64) / np.asarray(points, dtype=np.float64)
    best = int(np.argmax(rates))
    colours = [look.colour(1) if place == best else look.colour(0) for place in range(len(names))]
    right, top = 1.12 * max(points), 1.14 * (max(values) or 1.0)
    ax.scatter(points, values, s=46, color=colours, zorder=3)
    for rate in _round_rates(float(rates.max())):
        ax.plot([0, right], [0, rate * right / 100], color=look.neutral, linewidth=0.9, zorder=1)
        end = min(right, 100 * top / rate)
        inside = end >= right
        ax.annotate(
            f"{rate:g} per 100",
            (end, rate * end / 100),
            xytext=(4, 0) if inside else (0, 4),
            textcoords="offset points",
            ha="left" if inside else "center",
            va="center" if inside else "bottom",
            color=look.muted,
            fontsize=8.5,
            annotation_clip=False,
        )
    ax.set_xlim(0, right)
    ax.set_ylim(0, top)
    ax.set_xlabel("points")
    ax.set_ylabel(what)
    grid(ax, look, "both")
    alt = f"Most for its points: {names[best]}, {100 * rates[best]:.3g} for 100 points. "
    alt += " ".join(
        f"{name}: {value:.3g} for {price:g} points."
        for name, price, value in zip(names, points, values, strict=True)
    )
    heading = (
        f"{what[:1].upper()}{what[1:]} for points: {names[best]} gets most for its price"
        if title is None
        else title
    )
    finish(ax, look, heading, source, alt, subtitle)
    spots = [
        np.array([[price, value]], dtype=np.float64) for price, value in zip(points, values, strict=True)
    ]
    beside(ax, names, spots, look, colours, size=9)
    return ax


def _round_rates(most: float) -> list[float]:
    """A few round numbers up to the best rate for 100 points.

    >>> _round_rates(0.09), _round_rates(0.05)
    ([2.5, 5.0, 7.5], [1.0, 2.0, 3.0, 4.0, 5.0])
    """
    if most <= 0:
        return []
    third = 100 * most / 3 * (1 + 1e-9)
    unit = 10.0 ** np.floor(np.log10(third))
    step = float(max(size for size in (1.0, 2.0, 2.5, 5.0) if size <= third / unit) * unit)
    return [float(f"{step * number:.6g}") for number in range(1, int(100 * most / step * (1 + 1e-9)) + 1)]


@chart("efficiency", "points and what they buy", rank=8)
def efficiency_chart(asked: Chart) -> Axes:
    """Points of each attacker and what they buy."""
    one_kind(asked)
    of = quantity_of(asked, "damage", tuple(WORDS))
    targets = targets_of(asked.attackers, asked.targets)
    free = [unit.name for unit in asked.attackers if not unit.points]
    if free:
        raise BadInputError(f"chart: {free[0]} has no points (an efficiency chart needs them)")
    means = [
        sum(mean_of(one, of) for one in matchups([unit], targets, **asked.fight_options)) / len(targets)
        for unit in asked.attackers
    ]
    whom = (
        f"against {targets[0].label}" if len(targets) == 1 else f"against {len(targets)} targets, on average"
    )
    return plot_efficiency(
        [unit.label for unit in asked.attackers],
        [float(unit.points or 0) for unit in asked.attackers],
        means,
        what=f"{WORDS[of]} {whom}",
        theme=asked.theme,
        title=f"Points and what they buy: {WORDS[of]} {whom}" if asked.title is None else asked.title,
        source=source_of_chart(asked),
        subtitle=conditions_of_chart(asked, targets),
    )
