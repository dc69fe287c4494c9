"""Points and what they buy: a scatter with lines of equal efficiency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np

from mathhammer.compare.matchups import matchups, targets_of
from mathhammer.errors import BadInputError
from mathhammer.plots.asking import (
    WORDS,
    Chart,
    able,
    chart,
    conditions_of_chart,
    mean_of,
    one_kind,
    quantity_of,
    remarks_on,
)
from mathhammer.plots.finishing import Entry, Words, finish
from mathhammer.plots.labels import around, too_crowded
from mathhammer.plots.look import Look, LookWords
from mathhammer.plots.style import Theme, canvas, figure_of, get_theme, grid, is_ours

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_efficiency(
    names: Sequence[str],
    points: Sequence[float],
    values: Sequence[float],
    *,
    what: str = "mean damage",
    ax: Axes | None = None,
    **look: Unpack[LookWords],
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
    shown = Look(**look)
    theme = get_theme("chart", shown.theme)
    ax = canvas(ax, shown, (8.0, 5.2 + 0.1 * max(0, len(names) - 10)))
    rates = np.asarray(values, dtype=np.float64) / np.asarray(points, dtype=np.float64)
    best = int(np.argmax(rates)) if rates.max() > 0 else None
    colours = [theme.colour(1) if place == best else theme.colour(0) for place in range(len(names))]
    right, top = 1.12 * max(points), 1.14 * (max(values) or 1.0)
    ax.scatter(points, values, s=46, color=colours, zorder=3, clip_on=False)
    _draw_rates(ax, _round_rates(float(rates.max())), (right, top), theme)
    ax.set_xlim(0, right)
    ax.set_ylim(0, top)
    ax.set_xlabel("points")
    ax.set_ylabel(what)
    grid(ax, theme, "both")
    alt = " ".join(
        f"{name}: {value:.3g} for {price:g} points."
        for name, price, value in zip(names, points, values, strict=True)
    )
    title = f"{what[:1].upper()}{what[1:]} for points"
    note = ""
    if best is not None:
        alt = f"Most for its points: {names[best]}, {100 * rates[best]:.3g} for 100 points. {alt}"
        title += f": {names[best]} gets most for its price"
        note = f"Grey lines: as much for each 100 points; the steeper, the better. Coloured: {names[best]}."
    numbered = is_ours(figure_of(ax)) and too_crowded(ax, names, 14, 0.33)
    dots = [f"{place}" for place in range(1, len(names) + 1)] if numbered else list(names)
    key = [Entry(f"{n}  {name}", colours[n - 1]) for n, name in enumerate(names, 1)] if numbered else []
    finish(ax, shown, Words(title, alt, note, tuple(key)))
    spots = np.column_stack([np.asarray(points, dtype=np.float64), np.asarray(values, dtype=np.float64)])
    around(ax, dots, spots, theme, colours)
    return ax


def _draw_rates(ax: Axes, rates: Sequence[float], ends: tuple[float, float], theme: Theme) -> None:
    """Lines of equal worth, with what they stand for at their ends."""
    right, top = ends
    for rate in rates:
        ax.plot([0, right], [0, rate * right / 100], color=theme.neutral, linewidth=0.9, zorder=1)
        end = min(right, 100 * top / rate)
        inside = end >= right
        ax.annotate(
            f"{rate:g} per 100",
            (end, rate * end / 100),
            xytext=(4, 0) if inside else (0, 4),
            textcoords="offset points",
            ha="left" if inside else "center",
            va="center" if inside else "bottom",
            color=theme.muted,
            fontsize=8.5,
            annotation_clip=False,
        )


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
    found = [list(matchups([unit], targets, **asked.fight_options)) for unit in asked.attackers]
    armed = {one.attacker for one in able([one for fights in found for one in fights])}
    shown = [(unit, fights) for unit, fights in zip(asked.attackers, found, strict=True) if unit in armed]
    means = [sum(mean_of(one, of) for one in fights) / len(targets) for _, fights in shown]
    whom = (
        f"against {targets[0].label}" if len(targets) == 1 else f"against {len(targets)} targets, on average"
    )
    return plot_efficiency(
        [unit.label for unit, _ in shown],
        [float(unit.points or 0) for unit, _ in shown],
        means,
        what=f"{WORDS[of]} {whom}",
        **asked.words(
            conditions_of_chart(asked, targets),
            remarks_on([one for fights in found for one in fights]),
            f"Points and what they buy: {WORDS[of]} {whom}",
        ),
    )
