"""Army against army."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import matplotlib as mpl

from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.lists.army import army_of
from mathhammer.lists.exchange import exchange_of
from mathhammer.plots.asking import Chart, chart
from mathhammer.plots.finishing import Words, finish
from mathhammer.plots.lettering import shortened
from mathhammer.plots.look import Look, LookWords
from mathhammer.plots.style import Theme, bare, canvas, figure_of, get_theme
from mathhammer.units.circumstances import BOTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_armies(
    names: tuple[str, str],
    one: Sequence[tuple[str, float, float]],
    other: Sequence[tuple[str, float, float]],
    *,
    ax: Axes | None = None,
    **look: Unpack[LookWords],
) -> Axes:
    """Each army's units back to back: a bar for the points a unit removes, a tick at the points it costs.

    Parameters
    ----------
    names
        Of both armies.
    one, other
        For each unit: name, points it removes on average, points it costs; shown with the strongest on top.

    >>> ax = plot_armies(("Rats", "Ogors"), [("Clanrats", 80.0, 150.0)], [("Brutes", 120.0, 160.0)])
    >>> [float(bar.get_width()) for bar in ax.patches]
    [-80.0, 120.0]
    """
    if not one or not other:
        raise BadInputError("plot_armies: an army without units (give at least one unit of each)")
    shown = Look(**look)
    theme = get_theme("chart", shown.theme)
    rows = max(len(one), len(other))
    ax = canvas(ax, shown, (8.0, 2.0 + 0.44 * max(3, rows)))
    room = 0.42 * figure_of(ax).get_figwidth()
    most = max(max(removed, price) for _, removed, price in (*one, *other)) * 1.12 or 1.0
    for side, units in enumerate((one, other)):
        _draw_side(ax, side, units, theme)
    ax.axvline(0, color=theme.muted, linewidth=1)
    ax.set_ylim(rows - 0.4, -0.95)
    ax.set_xlim(-most, most)
    ax.set_yticks([])
    ax.xaxis.set_major_formatter(mpl.ticker.FuncFormatter(lambda x, _: f"{abs(x):.0f}"))
    ax.set_xlabel("points removed in one attack action")
    for place, (name, x) in enumerate(zip(names, (0.0, 1.0), strict=True)):
        head = ax.text(
            x,
            1.0,
            shortened(name, room, 11.0, bold=True),
            transform=ax.transAxes,
            ha="left" if x == 0.0 else "right",
            va="bottom",
        )
        head.set(color=theme.colour(place), fontsize=11, fontweight="bold")
    bare(ax, "left")
    alt = " ".join(
        f"{name}: "
        + ", ".join(
            f"{unit} removes {removed:.0f} points"
            for unit, removed, _ in sorted(units, key=lambda unit: -unit[1])
        )
        + "."
        for name, units in zip(names, (one, other), strict=True)
    )
    title = f"{names[0]} against {names[1]}: points that each unit removes"
    note = "Bar: points that the unit removes on average; dark tick: points that it costs."
    return finish(ax, shown, Words(title, alt, note, least=0.26 * max(len(one), len(other))))


def _draw_side(ax: Axes, side: int, units: Sequence[tuple[str, float, float]], theme: Theme) -> None:
    """One army: to the left or to the right, the strongest on top."""
    sign, room = (-1, 1)[side], 0.42 * figure_of(ax).get_figwidth()
    for row, (name, removed, price) in enumerate(sorted(units, key=lambda unit: -unit[1])):
        ax.barh(row, sign * removed, 0.46, color=theme.colour(side))
        ax.vlines(sign * price, row - 0.23, row + 0.23, color=theme.ink, linewidth=2)
        text = ax.annotate(
            f"{shortened(name, room, 9.0)}  {removed:.0f}",
            (0, row - 0.27),
            xytext=(sign * 5, 0),
            textcoords="offset points",
            va="bottom",
        )
        text.set(ha="right" if sign < 0 else "left", color=theme.ink, fontsize=9)


@chart("armies", "two army lists: points that each unit removes (UNITS are two list files)", rank=11)
def armies_chart(asked: Chart) -> Axes:
    """Two lists: the points that each unit removes."""
    if not asked.targets:
        raise BadInputError("chart: armies needs two lists (give two list files)")
    one, other = army_of(asked.attackers, asked.names[0]), army_of(asked.targets, asked.names[1])
    both = exchange_of(one, other)
    sides = [
        [
            (unit.name, float(row.max()), float(unit.points or 0))
            for unit, row in zip(army.units, removed, strict=True)
        ]
        for army, removed in ((one, both.a.removed), (other, both.b.removed))
    ]
    game = get_game(one.system).short_title
    return plot_armies(
        asked.names,
        sides[0],
        sides[1],
        **asked.words(f"{game} · exact · one action of each unit, {BOTH}, against its best target"),
    )
