"""Axes that say only what is possible and never the same thing twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.ticker import Formatter, MaxNLocator

from mathhammer.dice.pmf import Pmf
from mathhammer.plots.lettering import shortened_within, wrapped
from mathhammer.plots.style import figure_of, on_a_card

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_DECIMALS = 12
AROUND = 2.2  # inches of a picture's height that are not for its rows, at the most
ON_A_CARD = 0.7  # inches that rows have there at the least
FEW = 40  # up to so many, an axis goes on to all that is possible


class Percents(Formatter):
    """Shares as percent, with as many decimals as it takes to tell the ticks apart.

    >>> Percents().format_ticks([0.0, 0.002, 0.004]), Percents().format_ticks([0.0, 0.5])
    (['0.0%', '0.2%', '0.4%'], ['0%', '50%'])
    """

    def __call__(self, x: float, pos: int | None = None) -> str:
        """One tick by itself."""
        del pos
        return self.format_ticks([x])[0]

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """All ticks of an axis, with the same decimals."""
        for decimals in range(MOST_DECIMALS):
            if all(abs(round(100 * value, decimals) - 100 * value) < 1e-9 for value in values):
                break
        return [f"{value:.{decimals}%}" for value in values]


def whole_numbers(ax: Axes) -> None:
    """Ticks at whole numbers only."""
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def span_of(pmfs: Sequence[Pmf], most: int | None, tail: float = 0.001) -> tuple[int, int]:
    """From where to where an axis goes: all that happens in all but `tail` of the rolls, up to the most that
    is possible; the most itself where it is not far beyond; from 0, unless most of that would be empty.

    >>> span_of([Pmf.of([0.5, 0.25, 0.25])], 2), span_of([Pmf.of([0.5, 0.5])], 40)
    ((0, 2), (0, 4))
    >>> span_of([Pmf.constant(30)], 20)  # damage that is more than the unit's health
    (29, 31)
    """
    low = min(pmf.quantile(tail) for pmf in pmfs)
    high = max(pmf.quantile(1 - tail) for pmf in pmfs) + 1
    room = 1.6 if most is not None and most <= FEW else 1.1
    if most is not None and high - 1 <= most <= room * high + 2:
        high = most
    return (low - 1 if low > 0.4 * high else 0), max(high, 4 if most is None else min(4, most))


def name_rows(ax: Axes, names: Sequence[str], va: str = "center") -> None:
    """Names of rows at the left: in two or three lines where they would take a third of the width."""
    wide, high = figure_of(ax).get_size_inches()
    room = ON_A_CARD if on_a_card(ax) else high - AROUND
    lines = min(3, max(1, int(room / max(1, len(names)) / (9.5 * 1.25 / 72))))
    written = [wrapped(name, 0.32 * wide, 9.5, most=lines) for name in names]
    for place, text in enumerate(written):
        alike = sum(name.startswith(names[place][: len(text) // 2]) for name in names)
        if alike > 1 and text.endswith("…"):  # what tells them apart stands at their ends
            written[place] = shortened_within(names[place], 0.32 * wide, 9.5, most=lines)
    ax.set_yticks(range(len(names)), written)
    for label in ax.get_yticklabels():
        label.set(va=va)
