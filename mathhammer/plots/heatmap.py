"""A heat map: every attacker against every target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from numpy.typing import NDArray

from mathhammer.compare.answering import notes
from mathhammer.compare.landed import VALUES
from mathhammer.compare.matchups import matchups, targets_of
from mathhammer.compare.matrix import Matrix, fill_matrix
from mathhammer.compare.sweep import NO_WEAPON
from mathhammer.errors import BadInputError
from mathhammer.plots.asking import (
    WORDS,
    Chart,
    chart,
    conditions_of_chart,
    exact_options,
    left_out_of_chart,
    quantity_of,
)
from mathhammer.plots.bands import mean_text
from mathhammer.plots.finishing import LEAST_ROW, Words, finish
from mathhammer.plots.lettering import PIECES, width_of, wrapped
from mathhammer.plots.look import Look, LookWords
from mathhammer.plots.scales import name_rows
from mathhammer.plots.style import bare, canvas, figure_of, get_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Cells = NDArray[np.float64]
MOST_ASKED = 3  # targets of a row without damage that are asked for the reason
MOST_NUMBERS = 600  # cells; beyond that the numbers in them cannot be read
COLUMN = (0.6, 1.1)  # inches that a column takes, at least and at most
NAMES_ROOM = 2.2  # inches for the names of rows
HEAD = 9.5  # size of the headings


def plot_heatmap(
    values: Any,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    what: str = "damage",
    pattern: str | None = None,
    ax: Axes | None = None,
    **look: Unpack[LookWords],
) -> Axes:
    """A matrix as colours with the numbers in them: attackers down, targets across.

    Parameters
    ----------
    values
        The numbers, [row, column]: `Matrix.of("damage")`, an array or nested lists; NaN where there is none.
    rows, columns
        Their names.
    what, pattern
        What the numbers are, and how they are written; left out, with a decimal where they are small.

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
    shown = Look(**look)
    theme = get_theme("chart", shown.theme)
    most = float(np.nanmax(cells)) if np.isfinite(cells).any() else 0.0
    write = mean_text if pattern is None else pattern.format
    column = min(COLUMN[1], max(COLUMN[0], *(_widest_word(name) + 0.12 for name in columns)))
    names = NAMES_ROOM + column * len(columns)
    ax = canvas(ax, shown, (max(8.0, names), 2.4 + 0.36 * max(2, len(rows))))
    colours = LinearSegmentedColormap.from_list("heat", theme.heat)
    ax.imshow(cells, cmap=colours, vmin=0.0, vmax=most or 1.0, aspect="auto")
    name_rows(ax, rows)
    head_columns(ax, columns)
    ax.tick_params(colors=theme.muted, labelcolor=theme.ink)
    bare(ax, "left", "bottom", "top", "right")
    ax.set_xticks(np.arange(1, len(columns)) - 0.5, minor=True)
    ax.set_yticks(np.arange(1, len(rows)) - 0.5, minor=True)
    ax.grid(which="minor", color=theme.background, linewidth=2)
    ax.tick_params(which="minor", length=0, top=False, bottom=False, left=False)
    if cells.size <= MOST_NUMBERS:
        size = min(9.0, 9.0 * cell_width(ax, len(columns)) / (width_of(write(most), 9.0) + 0.08))
        for row, place in np.ndindex(*cells.shape):
            value = float(cells[row, place])
            text = write(value) if np.isfinite(value) else "–"
            ax.text(place, row, text, ha="center", va="center", color=theme.ink, fontsize=max(5.0, size))
    return finish(
        ax,
        shown,
        Words(
            f"{what[:1].upper()}{what[1:]}: every unit against every target",
            _alt(cells, rows, columns, write),
            least=LEAST_ROW * len(rows),
        ),
    )


def _alt(cells: Cells, rows: Sequence[str], columns: Sequence[str], write: Callable[[float], str]) -> str:
    """The size of the map, and its highest number."""
    size = f"{len(rows)} rows by {len(columns)} columns"
    if not np.isfinite(cells).any():
        return f"{size}, without a number."
    row, column = divmod(int(np.nanargmax(cells)), len(columns))
    most = write(float(cells[row, column]))
    return f"{size}; the most is {most}, {rows[row]} against {columns[column]}."


def _widest_word(name: str) -> float:
    return max(width_of(word, HEAD) for word in PIECES.findall(name) or [""])


def cell_width(ax: Axes, columns: int) -> float:
    """About how wide a column is, in inches."""
    wide = figure_of(ax).get_figwidth()
    return (wide - min(NAMES_ROOM, 0.36 * wide)) / columns


def head_columns(ax: Axes, names: Sequence[str]) -> None:
    """Headings over the middle of their columns: lying where their words fit, else all upright."""
    wide = cell_width(ax, len(names)) - 0.06
    lying = all(_widest_word(name) <= wide for name in names)
    if lying:
        ax.set_xticks(range(len(names)), [wrapped(name, wide, HEAD) for name in names], va="bottom")
    else:
        upright = [wrapped(name, 1.5, HEAD, most=2) for name in names]
        ax.set_xticks(range(len(names)), upright, rotation=90, ha="center", va="bottom")
    ax.xaxis.tick_top()


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
    cells = np.where(filled.used == NO_WEAPON, np.nan, filled.of(of))
    remarks = [*_remarks(asked, filled), *left_out_of_chart(asked, targets)]
    return plot_heatmap(
        cells,
        [unit.label for unit in filled.attackers],
        [unit.label for unit in targets],
        what=WORDS[of],
        pattern="{:.0%}" if of == "p_destroyed" else None,
        **asked.words(
            conditions_of_chart(asked, targets),
            remarks,
        ),
    )


def _remarks(asked: Chart, filled: Matrix) -> list[str]:
    """Why cells have no number, or 0: weapons that they lack or that do not reach."""
    nothing = filled.of("damage") == 0.0
    told = []
    for row, unit in enumerate(filled.attackers):
        struck = [filled.targets[column] for column in np.flatnonzero(nothing[row])]
        told += notes(list(matchups([unit], struck[:MOST_ASKED], **exact_options(asked)))) if struck else []
    return told
