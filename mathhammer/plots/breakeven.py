"""Break-even: against which targets one unit, or one buff, is worth more than another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from mathhammer.compare.landed import VALUES
from mathhammer.compare.matchups import matchups
from mathhammer.compare.matrix import fill_matrix
from mathhammer.compare.varying import RANGES, varied
from mathhammer.errors import BadInputError
from mathhammer.plots.asking import (
    WORDS,
    Chart,
    able,
    chart,
    conditions_of_chart,
    exact_options,
    one_kind,
    quantity_of,
    remarks_on,
)
from mathhammer.plots.bands import mean_text
from mathhammer.plots.finishing import LEAST_ROW, Entry, Words, finish
from mathhammer.plots.lettering import shortened, width_of
from mathhammer.plots.look import Look, LookWords
from mathhammer.plots.style import Theme, bare, canvas, figure_of, get_theme
from mathhammer.units.unit import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Cells = NDArray[np.float64]
STRONGEST = 0.45  # how much of its colour a cell has at most: the numbers in it stay readable
ALIKE = 1e-9  # as a share: two values that differ by less are equal
SECOND = ("toughness", "ward")  # what changes besides the save, whichever the game has


def plot_breakeven(
    names: tuple[str, str],
    one: Any,
    other: Any,
    *,
    across: tuple[str, Sequence[str]],
    up: tuple[str, Sequence[str]],
    what: str = "mean damage",
    ax: Axes | None = None,
    **look: Unpack[LookWords],
) -> Axes:
    """A grid of targets: the colour says which of two is worth more, the number by how much; a line stands
    where that changes.

    Parameters
    ----------
    names
        Of the two.
    one, other
        What each is worth against every target, [row, column], the first row at the bottom.
    across, up
        What changes along each axis, and how its values are written.

    >>> ax = plot_breakeven(("Rats", "Ogors"), [[2.0, 3.0]], [[1.0, 3.0]],
    ...     across=("save", ["2+", "3+"]), up=("ward", ["none"]))
    >>> [text.get_text() for text in ax.texts]
    ['100%', '=']
    """
    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    shape = (len(up[1]), len(across[1]))
    if not first.shape == second.shape == shape or not first.size:
        raise BadInputError(
            f"plot_breakeven: {first.shape} and {second.shape} numbers for {shape[0]} rows and {shape[1]} "
            "columns (give one for each cell)"
        )
    shown = Look(**look)
    theme = get_theme("chart", shown.theme)
    ax = canvas(ax, shown, (8.0, max(4.5, 2.2 + 0.31 * shape[0])))
    share = shares_of(first, second)
    ax.imshow(_tints(share, theme), origin="lower", aspect="auto")
    for row, column in np.ndindex(*shape):
        text = cell_text(float(first[row, column]), float(second[row, column]))
        label = ax.text(column, row, text, ha="center", va="center")
        label.set(color=theme.ink, fontsize=9 if shown.preset == "blog" else 7.5)
    _draw_border(ax, np.sign(share), theme)
    ax.set_xticks(range(shape[1]), list(across[1]))
    ax.set_yticks(range(shape[0]), list(up[1]))
    ax.set_xlabel(across[0])
    ax.set_ylabel(up[0])
    bare(ax, "left", "bottom")
    room = 0.9 * figure_of(ax).get_figwidth() - width_of(" worth more", 9.5, True)
    key = tuple(
        Entry(f"{shortened(name, room, 9.5, bold=True)} worth more", theme.colour(place))
        for place, name in enumerate(names)
    )
    title = f"{names[0]} or {names[1]}: which is worth more against what"
    note = f"Number: by how much the better one's {what} is higher; line: where the better one changes."
    return finish(ax, shown, Words(title, _alt(names, share, what), note, key, LEAST_ROW * len(up[1])))


def shares_of(first: Cells, second: Cells) -> Cells:
    """How much more the first is worth, as a share of the greater of both; 0 where they are alike.

    >>> shares_of(np.array([2.0, 0.0]), np.array([1.0, 0.0])).tolist()
    [0.5, 0.0]
    """
    greater = np.maximum(first, second)
    share = np.divide(first - second, greater, out=np.zeros_like(greater), where=greater > 0)
    kept: Cells = np.where(np.abs(share) < ALIKE, 0.0, share)
    return kept


def cell_text(one: float, other: float) -> str:
    """By how much the better of two is better.

    >>> cell_text(1.0, 1.25), cell_text(2.0, 2.0), cell_text(1.0, 0.0), cell_text(0.0, 0.0)
    ('25%', '=', 'only', '0')
    >>> cell_text(0.1, 0.3) == cell_text(0.3, 0.9)
    True
    """
    low, high = sorted((one, other))
    if high <= 0.0:
        return "0"
    if high - low < ALIKE * high:
        return "="
    if low <= 0.0:
        return "only"
    more = round(high / low - 1.0, 9)  # 200 % whichever way the last bit of a sum fell
    return "<1%" if more < 0.005 else f"{more:.0%}" if more < 2 else f"{mean_text(more + 1)}×"


def _tints(share: Cells, theme: Theme) -> Cells:
    """The colour of every cell: of the better one, the stronger the better."""
    most = max(0.1, float(np.abs(share).max()))
    strength = (STRONGEST * np.sqrt(np.abs(share) / most))[..., None]
    ends = [np.array(to_rgb(theme.colour(place))) for place in (0, 1)]
    better = np.where(share[..., None] > 0, ends[0], ends[1])
    tinted: Cells = strength * better + (1 - strength) * np.array(to_rgb(theme.background))
    return tinted


def _draw_border(ax: Axes, sign: Cells, theme: Theme) -> None:
    """A line between neighbours of which different ones are better."""
    style: dict[str, Any] = {"color": theme.ink, "linewidth": 2.0, "gid": "border"}
    rows, columns = sign.shape
    for row, column in np.ndindex(rows, columns):
        if column + 1 < columns and sign[row, column] != sign[row, column + 1]:
            ax.vlines(column + 0.5, row - 0.5, row + 0.5, **style)
        if row + 1 < rows and sign[row, column] != sign[row + 1, column]:
            ax.hlines(row + 0.5, column - 0.5, column + 0.5, **style)


def _alt(names: tuple[str, str], share: Cells, what: str) -> str:
    """How many targets each is better against."""
    counts = (int((share > 0).sum()), int((share < 0).sum()))
    alike = share.size - sum(counts)
    return (
        f"Of {share.size} targets, {names[0]} has the higher {what} against {counts[0]}, {names[1]} against "
        f"{counts[1]}; against {alike} they are equal."
    )


@chart("breakeven", "which of two units or buffs is worth more, by save and toughness or ward", rank=14)
def breakeven_chart(asked: Chart) -> Axes:
    """Two units, or two ways of one, against a target with every save and every toughness or ward."""
    one_kind(asked)
    of = quantity_of(asked, "damage", VALUES)
    if len(asked.attackers) != 2:
        raise BadInputError(
            f"chart: {len(asked.attackers)} units for breakeven (give two, or one unit in two ways)"
        )
    if len(asked.targets) != 1:
        raise BadInputError(
            f"chart: {len(asked.targets)} targets for breakeven (give the one whose save changes)"
        )
    target = asked.targets[0]
    second = next((stat for stat in SECOND if stat in dict(target.stats)), SECOND[-1])
    saves, others = RANGES["save"], _ordered(second)
    struck = [
        varied(varied(target, "save", _value("save", save)), second, _value(second, value))
        for value in others
        for save in saves
    ]
    plain = list(matchups(asked.attackers, [target], **exact_options(asked)))
    able(plain)
    values = fill_matrix(asked.attackers, struck, **exact_options(asked)).of(of)
    if asked.per_100:
        values = values * np.array([[100.0 / _points(unit)] for unit in asked.attackers])
    first, last = values.reshape(2, len(others), len(saves))
    what = WORDS[of] + (" for each 100 points" if asked.per_100 else "")
    names = _names(asked.attackers)
    return plot_breakeven(
        names,
        first,
        last,
        across=(f"save of {target.label}", [_written("save", value) for value in saves]),
        up=(f"{second} of {target.label}", [_written(second, value) for value in others]),
        what=what,
        **asked.words(
            conditions_of_chart(asked, [target]),
            remarks_on(plain),
            title=f"{names[0][:1].upper()}{names[0][1:]} or {names[1]} against {target.label}: {what}",
        ),
    )


def _ordered(stat: str) -> tuple[int, ...]:
    """The values of a characteristic from the weakest on."""
    return RANGES[stat] if stat == "toughness" else tuple(reversed(RANGES[stat]))


def _value(stat: str, value: int) -> int | None:
    return value if stat == "toughness" or value < 7 else None


def _written(stat: str, value: int) -> str:
    return str(value) if stat == "toughness" else f"{value}+" if value < 7 else "none"


def _points(unit: Unit) -> float:
    if not unit.points:
        raise BadInputError(f"chart: {unit.name} has no points (drop --per-100-points)")
    return float(unit.points)


def _names(units: Sequence[Unit]) -> tuple[str, str]:
    """The two as short as they can be told apart: of one unit only its words."""
    one, other = units
    if one.name == other.name and one.models == other.models:
        first, second = (", ".join(unit.stance.words) or f"plain {unit.name}" for unit in units)
        return first, second
    return one.label, other.label
