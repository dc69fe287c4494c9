"""Charts as readers see them: every text that is drawn, with the box that it takes."""

from __future__ import annotations

from itertools import combinations

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

import mathhammer as mh

LONG = "Celestant-Prime Vandus the Ever-Watchful Keeper of the Twelve Gates"
DOLLARS = "Grand Marshal of the Iron-Blooded Company (Veterans of $5 Hill $x_1$)"


def unit(name: str, attacks: int = 2, models: int = 5, health: int = 2, **more: object) -> mh.Unit:
    axe = {"name": "Axe", "attacks": attacks, "hit": 3, "wound": 3, "damage": 1}
    about = {
        "name": name,
        "models": models,
        "health": health,
        "save": 4,
        "move": 5,
        "points": 100 + 10 * attacks,
    }
    return mh.make_unit(
        "aos4", {k: v for k, v in (about | {"weapon": [axe]} | more).items() if v is not None}
    )


def figure_of(ax: Axes) -> Figure:
    figure = ax.get_figure(root=True)
    assert isinstance(figure, Figure)
    return figure


def boxes(ax: Axes) -> list[tuple[Text, Bbox]]:
    """Every text that is drawn, after the layout, with its box in dots."""
    figure = figure_of(ax)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    hidden = {id(text) for one in figure.axes if not one.get_visible() for text in one.findobj(Text)}
    off = {id(text) for one in figure.axes for text in _beyond(one)}
    shown = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    return [(t, t.get_window_extent(renderer)) for t in shown if id(t) not in hidden | off]


def _beyond(ax: Axes) -> list[Text]:
    """Labels of ticks that lie beyond the axis, or that are switched off: matplotlib does not draw them."""
    found = []
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            inside = low - 1e-9 <= tick.get_loc() <= high + 1e-9
            found += [
                label
                for label in (tick.label1, tick.label2)
                if not inside or not label.get_visible() or not tick.get_visible()
            ]
    return found


def outside(ax: Axes) -> list[str]:
    """Texts that are cut at the picture's edge."""
    wide, high = figure_of(ax).canvas.get_width_height()
    return [
        t.get_text()
        for t, box in boxes(ax)
        if box.x0 < -0.5 or box.y0 < -0.5 or box.x1 > wide + 0.5 or box.y1 > high + 0.5
    ]


def overlapping(ax: Axes, slack: float = 2.0) -> list[tuple[str, str]]:
    """Texts that lie on each other by more than the rim of their boxes."""
    found = []
    for (one, a), (other, b) in combinations(boxes(ax), 2):
        across = min(a.x1, b.x1) - max(a.x0, b.x0)
        up = min(a.y1, b.y1) - max(a.y0, b.y0)
        if across > slack and up > slack:
            found.append((one.get_text(), other.get_text()))
    return found
