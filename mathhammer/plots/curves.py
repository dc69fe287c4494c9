"""Curves: how a number changes with a characteristic, such as damage against better and better saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mathhammer.errors import BadInputError
from mathhammer.plots.labels import at_ends
from mathhammer.plots.style import canvas, finish, get_theme, grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_curve(
    xs: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    *,
    xlabel: str,
    ylabel: str = "mean damage",
    ticks: Sequence[str] = (),
    ax: Axes | None = None,
    theme: str = "light",
    title: str | None = None,
    source: str = "",
) -> Axes:
    """One line for each name, with a dot at every x; the name stands at the end of its line.

    Parameters
    ----------
    xs, curves
        The values along the axis, and for each name the numbers at them.
    xlabel, ylabel, ticks
        What both axes are, and how the values are written ("3+", "none").

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
    look = get_theme("chart", theme)
    ax = canvas(ax, look)
    colours = [look.colour(place) for place in range(len(curves))]
    for place, (name, ys) in enumerate(curves.items()):
        (line,) = ax.plot(xs, ys, "o-", color=colours[place], linewidth=2.2, markersize=5, label=name)
        line.set_dashes(look.dash(place))
    ax.set_xticks(list(xs), list(ticks) if ticks else [f"{x:g}" for x in xs])
    ax.set_ylim(0, None)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    grid(ax, look, "y")
    shown = list(ticks) or [f"{x:g}" for x in xs]
    alt = " ".join(
        f"{name}: {ylabel} from {ys[0]:.3g} at {shown[0]} to {ys[-1]:.3g} at {shown[-1]}."
        for name, ys in curves.items()
    )
    finish(ax, look, f"{ylabel[:1].upper()}{ylabel[1:]} by {xlabel}" if title is None else title, source, alt)
    at_ends(ax, list(curves), [(xs[-1], ys[-1]) for ys in curves.values()], look, colours)
    return ax
