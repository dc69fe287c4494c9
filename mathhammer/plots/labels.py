"""Names beside what they name, instead of a legend: placed where they hide the least."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from mathhammer.plots.lettering import letter, width_of, wrapped
from mathhammer.plots.style import Theme, figure_of, on_a_card

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

Array = NDArray[np.float64]
GAP = 7.0  # dots between a line and its name
# where a name stands beside its point: horizontal and vertical alignment, and the offset in gaps
PLACES: tuple[tuple[str, str, float, float], ...] = (
    ("left", "center", 1, 0),
    ("left", "bottom", 0.6, 0.5),
    ("right", "center", -1, 0),
    ("left", "top", 0.6, -0.5),
    ("right", "bottom", -0.6, 0.5),
    ("right", "top", -0.6, -0.5),
    ("center", "bottom", 0, 1),
    ("center", "top", 0, -1),
)


def write(
    ax: Axes, x: float, y: float, text: str, theme: Theme, colour: str, place: int = 0, size: float = 9.5
) -> Annotation:
    """A name beside the point (x, y) of the data, with a rim in the background's colour."""
    across, up, right, above = PLACES[place]
    label = ax.annotate(
        text,
        (x, y),
        xytext=(right * GAP * 0.72, above * GAP * 0.72),
        textcoords="offset points",
        ha=across,
        va=up,
        color=colour,
        fontsize=size,
        fontweight="bold",
        annotation_clip=False,
    )
    label.set_path_effects([withStroke(linewidth=3, foreground=theme.background)])
    letter(label)
    return label


def box_of(text: str, size: float) -> tuple[float, float]:
    """How many dots a text takes at 100 dots to an inch, wide and high.

    >>> wide, high = box_of("abcd", 10.0)
    >>> 20 < wide < 40, high
    (True, 18.0)
    """
    lines = text.split("\n")
    return 100.0 * max(width_of(line, size, True) for line in lines) + 4.0, size * 1.8 * len(lines)


# What a place for a name costs, in the same unit: a point of another line that the name hides is 8 of them.
# Leaving the frame or lying on another name is worse than anything that one name can hide; where lines meet,
# a reader cannot tell whose name it is; a hidden point of one's own line is a little better than one of
# another's; and a name gains by every pixel, up to sixty, that it is away from other lines.
OUTSIDE, ON_A_NAME, AMBIGUOUS, HIDES_OTHERS, HIDES_OWN, AWAY, FAR_ENOUGH = (
    400.0,
    300.0,
    40.0,
    8.0,
    5.0,
    0.2,
    60.0,
)


def beside(
    ax: Axes,
    names: Sequence[str],
    ways: Sequence[Array],
    theme: Theme,
    colours: Sequence[str],
    *,
    size: float = 9.5,
) -> None:
    """Writes each name beside its way (points of the data, [n, 2]) where it hides least of the ways and of
    other names.

    With one point each it labels a scatter; with lines it looks along each of them.
    """
    _lay_out(ax)
    frame = np.array(ax.get_window_extent().extents)
    names = [_held(ax, name, size) for name in names]
    dots = [_dense(ax.transData.transform(way)) for way in ways]
    taken = np.empty((0, 4))
    for number, name in enumerate(names):
        others = np.concatenate(
            [way for place, way in enumerate(dots) if place != number] or [np.empty((0, 2))]
        )
        points = dots[number][:: max(1, len(dots[number]) // 60)]
        boxes = _boxes(points, *box_of(name, size))  # [point, place] in one row
        # where lines meet, a name could be either's
        shared = _nearest(others, np.hstack([points, points])) < 6.0
        cost = np.repeat(AMBIGUOUS * shared, len(PLACES)) + np.tile(0.5 * np.arange(len(PLACES)), len(points))
        cost += HIDES_OTHERS * _inside(others, boxes) + HIDES_OWN * _inside(dots[number], boxes)
        cost += OUTSIDE * ((boxes[:, :2] < frame[:2]) | (boxes[:, 2:] > frame[2:])).any(axis=1)
        cost += ON_A_NAME * ((boxes[:, None, :2] < taken[:, 2:]) & (taken[:, :2] < boxes[:, None, 2:])).all(
            axis=2
        ).sum(axis=1)
        cost -= AWAY * np.minimum(FAR_ENOUGH, _nearest(others, boxes))
        best = int(np.argmin(np.round(cost, 6)))
        taken = np.vstack([taken, boxes[best]])
        x, y = ax.transData.inverted().transform(points[best // len(PLACES)])
        write(ax, float(x), float(y), name, theme, colours[number], best % len(PLACES), size)


def at_ends(
    ax: Axes, names: Sequence[str], ends: Sequence[tuple[float, float]], theme: Theme, colours: Sequence[str]
) -> None:
    """Writes each name to the right of the end of its line, pushed apart where ends are close together; long
    names stand in two or three lines.
    """
    room = 0.27 * figure_of(ax).get_figwidth()
    names = [wrapped(name, room, 9.5, bold=True, most=3) for name in names]
    labels = [
        write(ax, *end, name, theme, colour) for name, end, colour in zip(names, ends, colours, strict=True)
    ]
    figure = _lay_out(ax)
    spots = [float(ax.transData.transform(end)[1]) for end in ends]
    order = sorted(range(len(spots)), key=lambda place: spots[place])
    moved = [spots[place] for place in order]
    high = [16.0 + 15.0 * names[place].count("\n") for place in order]
    for _ in range(400):  # neighbours that are too close share the push
        for lower in range(len(moved) - 1):
            short = (high[lower] + high[lower + 1]) / 2 - (moved[lower + 1] - moved[lower])
            if short > 0:
                moved[lower] -= short / 2
                moved[lower + 1] += short / 2
    floor = float(ax.get_window_extent().y0) - 4.0
    for place, tall in enumerate(high):  # no name stands below the axis
        moved[place] = max(moved[place], floor + tall / 2)
        floor = moved[place] + tall / 2
    for place, spot in zip(order, moved, strict=True):
        labels[place].xyann = (GAP * 0.72, (spot - spots[place]) * 72.0 / figure.dpi)


# Around a dot of a scatter: how far away a name may stand, in dots, and in which directions.
RINGS, TURNS, DOT = (9.0, 20.0, 34.0, 52.0, 74.0, 100.0), 16, 7.0
NEAR = 12.0  # beyond that a thin line leads to the dot


def around(ax: Axes, names: Sequence[str], spots: Array, theme: Theme, colours: Sequence[str]) -> None:
    """Writes the names of a scatter's dots beside them: on no dot and on no other name; a thin line leads to
    a name that has to stand away.
    """
    _lay_out(ax)
    names = [_held(ax, name, 9.0) for name in names]
    frame = np.array(ax.get_window_extent().extents)
    dots = ax.transData.transform(spots)
    choices = [_ring_boxes(dot, *box_of(name, 9.0)) for dot, name in zip(dots, names, strict=True)]
    chosen = np.full(len(names), -1)
    for _ in range(4):  # each looks again, now that the others have their places
        for number, boxes in enumerate(choices):
            others = [choices[one][place] for one, place in enumerate(chosen) if place >= 0 and one != number]
            taken = np.array(others).reshape(-1, 4)
            cost = OUTSIDE * ((boxes[:, :2] < frame[:2]) | (boxes[:, 2:] > frame[2:])).any(axis=1)
            cost = cost + ON_A_NAME * _overlaps(boxes, taken) + ON_A_NAME * _overlaps(boxes, _squares(dots))
            cost += np.repeat(np.array(RINGS), TURNS) + 0.01 * np.arange(len(boxes))
            chosen[number] = int(np.argmin(np.round(cost, 6)))
    for number, name in enumerate(names):
        box = choices[number][chosen[number]]
        _lead(ax, name, spots[number], (box, dots[number]), theme, colours[number])


def _lead(ax: Axes, name: str, spot: Array, where: tuple[Array, Array], theme: Theme, colour: str) -> None:
    """A name in its box, with a line to its dot where it stands away."""
    box, dot = where
    middle = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]) - dot
    away = _nearest(dot[None, :], box[None, :])[0] > NEAR
    label = ax.annotate(
        name,
        (float(spot[0]), float(spot[1])),
        xytext=tuple(middle * 72.0 / figure_of(ax).dpi),
        textcoords="offset points",
        ha="center",
        va="center",
        color=colour,
        fontsize=9.0,
        fontweight="bold",
        arrowprops={"arrowstyle": "-", "color": theme.muted, "linewidth": 0.7, "shrinkB": 4}
        if away
        else None,
    )
    label.set_path_effects([withStroke(linewidth=2.5, foreground=theme.background)])
    letter(label)


def _ring_boxes(dot: Array, wide: float, high: float) -> Array:
    """The boxes of a name around a dot, ring by ring."""
    turns = np.arange(TURNS) * 2 * np.pi / TURNS
    way = np.column_stack([np.cos(turns), np.sin(turns)])
    half = np.array([wide, high * 0.8]) / 2
    middles = [dot + way * ring + np.clip(way * 1.6, -1, 1) * half for ring in RINGS]
    middle = np.concatenate(middles)
    return np.hstack([middle - half, middle + half])


def _overlaps(boxes: Array, taken: Array) -> Array:
    """With how many taken boxes each box shares room."""
    crossed = (boxes[:, None, :2] < taken[:, 2:]) & (taken[:, :2] < boxes[:, None, 2:])
    counted: Array = crossed.all(axis=2).sum(axis=1).astype(np.float64)
    return counted


def _squares(dots: Array) -> Array:
    """The room that dots take."""
    return np.hstack([dots - DOT, dots + DOT])


def too_crowded(ax: Axes, names: Sequence[str], most: int, share: float = 0.4) -> bool:
    """Whether there are too many names, or too long ones, to stand beside what they name: more than `most`,
    or wider than a share of the picture. A key, or a number for each, then reads better.
    """
    wide = figure_of(ax).get_figwidth()
    share = min(share, 0.25) if on_a_card(ax) else share  # in one line: there is no height for more
    return len(names) > most or any(width_of(name, 9.5, True) > share * wide for name in names)


def _held(ax: Axes, name: str, size: float) -> str:
    """A name that fits beside its line: in at most two lines, and never wider than half of the picture."""
    room = 0.4 * figure_of(ax).get_figwidth()
    return name if width_of(name, size, True) <= room else wrapped(name, room, size, bold=True, most=2)


def _dense(points: Array) -> Array:
    """Points every few dots along the way."""
    if len(points) < 2:
        return points
    pieces = [points[:1]]
    for start, end in pairwise(points):
        steps = max(1, int(np.hypot(*(end - start)) // 6))
        pieces.append(start + (end - start) * np.linspace(1 / steps, 1, steps)[:, None])
    return np.concatenate(pieces)


def _boxes(points: Array, wide: float, high: float) -> Array:
    """The boxes of a name at every point, in every place beside it: left, low, right, high, in dots."""
    spots = []
    for across, up, right, above in PLACES:
        left = points[:, 0] + right * GAP - {"left": 0.0, "center": wide / 2, "right": wide}[across]
        low = points[:, 1] + above * GAP - {"bottom": 0.0, "center": high / 2, "top": high}[up]
        spots.append(np.column_stack([left, low, left + wide, low + high]))
    return np.stack(spots, axis=1).reshape(-1, 4)


def _inside(points: Array, boxes: Array) -> Array:
    """How many points lie in each box."""
    x, y = points[:, 0], points[:, 1]
    left, low, right, high = (side[:, None] for side in boxes.T)
    counted: Array = (
        ((x > left - 2) & (x < right + 2) & (y > low - 1) & (y < high + 1)).sum(axis=1).astype(np.float64)
    )
    return counted


def _nearest(points: Array, boxes: Array) -> Array:
    """How far the nearest point is from each box; 60 where there are none."""
    if not len(points):
        return np.full(len(boxes), 60.0)
    left, low, right, high = (side[:, None] for side in boxes.T)
    away_x = np.maximum(0.0, np.maximum(left - points[:, 0], points[:, 0] - right))
    away_y = np.maximum(0.0, np.maximum(low - points[:, 1], points[:, 1] - high))
    nearest: Array = np.hypot(away_x, away_y).min(axis=1)
    return nearest


def _lay_out(ax: Axes) -> Figure:
    """The figure with its axes where they will be, so that dots can be counted."""
    figure = ax.get_figure(root=True)
    assert isinstance(figure, Figure)
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    return figure
