"""Curves: how a number changes with a characteristic, such as damage against better and better saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from mathhammer.compare.matchups import matchups
from mathhammer.compare.varying import RANGES, varied
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.plots.asking import (
    MOST_LINES,
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
from mathhammer.plots.labels import at_ends, too_crowded
from mathhammer.plots.look import Look, LookWords
from mathhammer.plots.marks import hidden_dash
from mathhammer.plots.scales import Percents
from mathhammer.plots.style import canvas, get_theme, grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_curve(
    xs: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    *,
    xlabel: str,
    ylabel: str = "mean damage",
    ticks: Sequence[str] = (),
    shares: bool = False,
    ax: Axes | None = None,
    **look: Unpack[LookWords],
) -> Axes:
    """One line for each name, with a dot at every x; the name stands at the end of its line.

    Parameters
    ----------
    xs, curves
        The values along the axis, and for each name the numbers at them.
    xlabel, ylabel, ticks
        What both axes are, and how the values are written ("3+", "none").
    shares
        Whether the numbers are chances, to be written as percent.

    >>> ax = plot_curve([2, 3, 4], {"Rats": [1, 2, 3]}, xlabel="save of the target")
    >>> ax.get_lines()[0].get_ydata().tolist()
    [1, 2, 3]
    """
    if not curves or not xs:
        raise BadInputError("plot_curve: nothing to draw (give at least one curve and one value)")
    for name, ys in curves.items():
        if len(ys) != len(xs):
            raise BadInputError(
                f"plot_curve: {name} has {len(ys)} numbers for {len(xs)} values (give one for each)"
            )
    shown = Look(**look)
    theme = get_theme("chart", shown.theme)
    ax = canvas(ax, shown)
    colours = [theme.colour(place) for place in range(len(curves))]
    for place, (name, ys) in enumerate(curves.items()):
        (line,) = ax.plot(xs, ys, "o-", color=colours[place], linewidth=2.2, markersize=5, label=name)
        line.set_clip_on(False)  # a dot at 0 is seen whole
        line.set_dashes(theme.dash(place) or hidden_dash(ax))
    ax.set_xticks(list(xs), list(ticks) if ticks else [f"{x:g}" for x in xs])
    ax.set_ylim(0, None if any(y > 0 for ys in curves.values() for y in ys) else 1)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    grid(ax, theme, "y")
    written = list(ticks) or [f"{x:g}" for x in xs]
    alt = " ".join(
        f"{name}: {ylabel} from {ys[0]:.3g} at {written[0]} to {ys[-1]:.3g} at {written[-1]}."
        for name, ys in curves.items()
    )
    if shares:
        ax.yaxis.set_major_formatter(Percents())
        ax.set_ylim(0, min(1.02, ax.get_ylim()[1]))
    names = list(curves)
    listed = too_crowded(ax, names, 8, 0.27 if len(names) > 4 else 0.8)
    key = [Entry(one, theme.colour(n), theme.dash(n)) for n, one in enumerate(names)] if listed else []
    finish(ax, shown, Words(f"{ylabel[:1].upper()}{ylabel[1:]} by {xlabel}", alt, key=tuple(key)))
    if listed:
        return ax
    at_ends(ax, list(curves), [(xs[-1], ys[-1]) for ys in curves.values()], theme, colours)
    return ax


@chart("curve", "damage against better saves (or --against toughness, ward, fnp)", rank=7)
def curve_chart(asked: Chart) -> Axes:
    """What attackers do while one characteristic of the target changes."""
    one_kind(asked)
    of = quantity_of(asked, "damage", tuple(WORDS))
    if asked.against not in RANGES:
        raise UnknownNameError("chart", "characteristic", asked.against, RANGES)
    if len(asked.targets) != 1:
        raise BadInputError(
            f"chart: {len(asked.targets)} targets for a curve (give the one whose {asked.against} changes)"
        )
    if len(asked.attackers) > MOST_LINES:
        raise BadInputError(f"chart: {len(asked.attackers)} curves in one chart (at most {MOST_LINES})")
    values = RANGES[asked.against]
    counted = asked.against == "toughness"
    struck = [
        varied(asked.targets[0], asked.against, value if counted or value < 7 else None) for value in values
    ]
    found = {unit: list(matchups([unit], struck, **asked.fight_options)) for unit in asked.attackers}
    armed = {one.attacker for one in able([one for fights in found.values() for one in fights])}
    curves = {
        unit.label: [mean_of(one, of) for one in fights] for unit, fights in found.items() if unit in armed
    }
    whom, what = asked.targets[0].label, {"fnp": "Feel No Pain"}.get(asked.against, asked.against)
    return plot_curve(
        values,
        curves,
        xlabel=f"{what} of the target",
        ylabel=WORDS[of],
        ticks=[str(value) if counted else f"{value}+" if value < 7 else "none" for value in values],
        shares=of == "p_destroyed",
        **asked.words(
            conditions_of_chart(asked, struck),
            remarks_on([one for fights in found.values() for one in fights]),
            f"{WORDS[of][:1].upper()}{WORDS[of][1:]} against {whom} by {what}",
        ),
    )
