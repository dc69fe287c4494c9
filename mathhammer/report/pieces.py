"""The pieces of a report's page: tables that can be sorted, heat maps with cards behind their cells. Every
name is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from mathhammer.dice.card import bars_svg
from mathhammer.report.grid import Cell, Grid
from mathhammer.units.unit import Unit

DARK_INK_UP_TO = 0.76  # of the highest value, on a light page; beyond it white ink reads better
LIGHT_INK_UP_TO = 0.45  # the same on a dark page


def table(name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table whose columns a script makes sortable; numbers stand on the right and sort as numbers.

    >>> table("two", ["Unit", "Points"], [["A & B", 5]]).partition("<tbody>")[2]
    '<tr><td>A &amp; B<td class=n>5</tbody></table></div>'
    """
    head = "".join(f"<th scope=col>{escape(column)}" for column in columns)
    body = "".join("<tr>" + "".join(map(_cell, row)) for row in rows)
    return (
        "<div class=wide><table "
        f"class=sort><caption>{escape(name)}</caption><thead><tr>{head}</thead><tbody>{body}</tbody></table></div>"
    )


def _cell(value: Any) -> str:
    if value is None:
        return "<td class=n>-"
    if isinstance(value, float):
        return f'<td class=n data-v="{value:.6g}">{value:.1f}'
    return f"<td class=n>{value}" if isinstance(value, int) else f"<td>{escape(str(value))}"


def percent(share: float) -> Sorted:
    """A share as people read it, sorted by its size."""
    return Sorted(f"{share:.0%}", share)


class Sorted(float):
    """A number that is shown as a text of its own."""

    def __new__(cls, text: str, value: float) -> Sorted:
        """A text with the number by which it is sorted."""
        made = super().__new__(cls, value)
        made.text = text
        return made

    text: str

    def __format__(self, spec: str) -> str:
        return self.text if spec == ".1f" else float(self).__format__(spec)


def named(unit: Unit, number: int) -> str:
    """A unit's name, with its number where there are several."""
    return unit.name if number == 1 else f"{unit.name} ×{number}"


def heat(grid: Grid, key: str, cards: bool) -> str:
    """A heat map; with `cards`, each cell is a link to the distribution behind it, which
    shows without any script.
    """
    head = "".join(f"<th scope=col><span>{escape(named(*column))}</span>" for column in grid.columns)
    body = ""
    for r, (row, cells) in enumerate(zip(grid.rows, grid.cells, strict=True)):
        body += f"<tr><th scope=row>{escape(named(*row))}" + "".join(
            _heat_cell(grid, cell, f"{key}-{r}-{c}", cards) for c, cell in enumerate(cells)
        )
    table_html = (
        f'<div class=wide><table class=heat id="{key}"><caption>{escape(grid.title)}: '
        f"{escape(grid.what)}</caption>"
        f"<thead><tr><td>{head}</thead><tbody>{body}</tbody></table></div>"
    )
    behind = (
        [_card(grid, r, c, key) for r in range(len(grid.rows)) for c in range(len(grid.columns))]
        if cards
        else []
    )
    return table_html + "".join(behind)


def _heat_cell(grid: Grid, cell: Cell, place: str, cards: bool) -> str:
    share = cell.value / grid.most
    marks = ("" if share <= DARK_INK_UP_TO else " w") + ("" if share <= LIGHT_INK_UP_TO else " k")
    number = f"{cell.value:.0f}" if grid.what.endswith("removed") else f"{cell.value:.1f}"
    if cell.result is None:
        return f'<td style="--v:0" title="{escape(cell.why)}">-'
    text = f'<a href="#d{place}" id="c{place}">{number}</a>' if cards else number
    return f'<td class="h{marks}" style="--v:{share:.2f}">{text}'


def _card(grid: Grid, r: int, c: int, key: str) -> str:
    """The distribution behind a cell."""
    cell = grid.cells[r][c]
    if cell.result is None:
        return ""
    result, lost = cell.result, cell.result.lost
    unit, target = grid.rows[r][0], grid.columns[c][0]
    low, middle, high = (lost.quantile(share) for share in (0.1, 0.5, 0.9))
    words = (
        f"{lost.mean():.1f} of {target.health} wounds lost on average, {low} to {high} in eight of ten rolls"
    )
    return (
        f'<section class=card id="d{key}-{r}-{c}" role=dialog aria-label="{escape(unit.name)} '
        f'against {escape(target.name)}">'
        f'<a class=close href="#c{key}-{r}-{c}">Close</a><h4>{escape(unit.name)} against '
        f"{escape(target.name)}</h4>"
        f"{bars_svg(lost.probs.tolist(), label=words, width=280, height=90, most=32)}"
        f"<p>{cell.kind}: wounds lost {lost.mean():.1f} ± {lost.sd():.1f}, 10/50/90 %: {low}/{middle}/{high}"
        f"<br>models slain {result.slain.mean():.1f}, destroyed {result.p_destroyed:.1%}</section>"
    )
