"""A heat map: every attacker against every target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb

from mathhammer.compare.matchups import targets_of
from mathhammer.compare.matrix import fill_matrix
from mathhammer.compare.sweep import VALUES
from mathhammer.errors import BadInputError
from mathhammer.plots.asking import (
    WORDS,
    Chart,
    chart,
    conditions_of_chart,
    exact_options,
    quantity_of,
    source_of_chart,
)
from mathhammer.plots.style import bare, canvas, finish, get_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NUMBERS = 600  # cells; beyond that the numbers in them cannot be read


def plot_heatmap(
    values: Any,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    what: str = "damage",
    pattern: str = "{:.1f}",
    ax: Axes | None = None,
    theme: str = "light",
    title: str | None = None,
    source: str = "",
    subtitle: str = "",
) -> Axes:
    """A matrix as colours with the numbers in them: attackers down, targets across.

    Parameters
    ----------
    values
        The numbers, [row, column]: `Matrix.of("damage")`, an array or nested lists.
    rows, columns
        Their names.
    what, pattern
        What the numbers are, and how they are written.

    >>> plot_heatmap([[1.0, 2.0]], ["Rats"], ["Cats", "Dogs"],
    ...     what="models slain").get_figure().get_suptitle()
    'Models slain: every unit against every target'
    """
    cells = np.asarray(values, dtype=np.float64)
    if cells.shape != (len(rows), len(columns)) or not cells.size:
        raise BadInputError(
            f"plot_heatmap: {cells.shape} numbers for {len(rows)} rows and {len(columns)} columns (give "
            "one for each cell)"
        )
    look = get_theme("chart", theme)
    ax = canvas(ax, look, (max(6.0, 2.6 + 0.78 * len(columns)), 2.3 + 0.36 * max(2, len(rows))))
    colours = LinearSegmentedColormap.from_list("heat", look.heat)
    most = float(np.nanmax(cells)) or 1.0
    ax.imshow(cells, cmap=colours, vmin=0.0, vmax=most, aspect="auto")
    ax.set_xticks(
        range(len(columns)),
        list(columns),
        rotation=35 if len(columns) > 3 else 0,
        ha="left" if len(columns) > 3 else "center",
    )
    ax.set_yticks(range(len(rows)), list(rows))
    ax.xaxis.tick_top()
    ax.tick_params(colors=look.muted, labelcolor=look.ink)
    if len(columns) > 3:
        ax.tick_params(axis="x", pad=1)
    bare(ax, "left", "bottom", "top", "right")
    ax.set_xticks(np.arange(1, len(columns)) - 0.5, minor=True)
    ax.set_yticks(np.arange(1, len(rows)) - 0.5, minor=True)
    ax.grid(which="minor", color=look.background, linewidth=2)
    ax.tick_params(which="minor", length=0, top=False, bottom=False, left=False)
    if cells.size <= MOST_NUMBERS:
        for row, column in np.ndindex(*cells.shape):
            value = float(cells[row, column])
            ink = ink_on(to_rgb(colours(value / most)))
            ax.text(column, row, pattern.format(value), ha="center", va="center", color=ink, fontsize=9)
    best = divmod(int(np.nanargmax(cells)), len(columns))
    alt = (
        f"{len(rows)} rows by {len(columns)} columns; the most is {pattern.format(most)}, "
        f"{rows[best[0]]} against {columns[best[1]]}."
    )
    heading = f"{what[:1].upper()}{what[1:]}: every unit against every target" if title is None else title
    return finish(ax, look, heading, source, alt, subtitle)


def brightness(colour: tuple[float, float, float]) -> float:
    """Relative luminance, as the web's rules of contrast define it.

    >>> brightness((1.0, 1.0, 1.0)), brightness((0.0, 0.0, 0.0))
    (1.0, 0.0)
    """
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """The contrast of two colours, from 1 to 21."""
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(colour: tuple[float, float, float]) -> str:
    """Black or white, whichever reads better on a colour: always at least 4.5:1.

    >>> ink_on((1.0, 1.0, 0.0)), ink_on((0.0, 0.0, 0.5))
    ('#000000', '#ffffff')
    """
    return max(("#000000", "#ffffff"), key=lambda ink: contrast(to_rgb(ink), colour))


@chart("heatmap", "every attacker against every target", rank=6)
def heatmap_chart(asked: Chart) -> Axes:
    """Every attacker against every target, exact."""
    of = quantity_of(asked, "damage", VALUES)
    targets = targets_of(asked.attackers, asked.targets)
    filled = fill_matrix(asked.attackers, targets, **exact_options(asked))
    return plot_heatmap(
        filled.of(of),
        [unit.label for unit in filled.attackers],
        [unit.label for unit in targets],
        what=WORDS[of],
        pattern="{:.0%}" if of == "p_destroyed" else "{:.1f}",
        theme=asked.theme,
        title=asked.title,
        source=source_of_chart(asked),
        subtitle=conditions_of_chart(asked, targets),
    )
