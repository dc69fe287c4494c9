"""Tables that fit a terminal: no line longer than the screen, no broken word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

from mathhammer.errors import printable
from mathhammer.tables import GAP, Column, Table, line_of, width_of

LEAST_PROSE = 24  # characters: a narrower column of words is not worth reading
LEAST = 4  # characters of a name that is cut


class Fitted(NamedTuple):
    """A table as lines of a terminal, and the headings of the columns that had no room."""

    head: list[str]
    body: list[str]
    left_out: list[str]


def fit(table: Table, width: int, dots: str = "…") -> list[Fitted]:
    """The table in lines of at most `width` characters, without a broken word: one piece, or several where it
    is stacked.

    Headings and prose go on in the next line at a space; then the least important columns are left out; then
    names go on in the next line; only then the longest are cut.

    >>> table = Table([Column("Unit", 0), Column("Mean damage", 1, right=True), Column("Rank", 2, rank=1)],
    ...     [("Rat Ogors", "8.33", "1")])
    >>> (piece,) = fit(table, 18)
    >>> print("\\n".join(piece.head + piece.body), piece.left_out)
                 Mean
    Unit       damage
    Rat Ogors    8.33 ['Rank']
    """
    if table.stacked and _room(_narrow(table), width) < 0:
        return [_fitted(piece, width, dots) for piece in _pieces(table, width)]
    return [_fitted(table, width, dots)]


def _pieces(table: Table, width: int) -> list[Table]:
    """The first columns beside as many of the others as fit, again and again."""
    first, rest = range(table.stacked), range(table.stacked, len(table.columns))
    groups: list[list[int]] = [[]]
    for place in rest:
        if groups[-1] and _room(_narrow(_part(table, [*first, *groups[-1], place])), width) < 0:
            groups.append([])
        groups[-1].append(place)
    return [_part(table, [*first, *group]) for group in groups]


def _part(table: Table, places: Sequence[int]) -> Table:
    """The table with these columns only."""
    columns = [
        Column(
            table.columns[p].heading,
            new,
            table.columns[p].right,
            table.columns[p].rank,
            table.columns[p].prose,
        )
        for new, p in enumerate(places)
    ]
    return replace(table, columns=columns, rows=[[row[p] for p in places] for row in table.cells], stacked=0)


def _room(widths: Sequence[int], width: int) -> int:
    """What is left of a line."""
    return width - sum(widths) - len(GAP) * (len(widths) - 1)


def _natural(table: Table) -> list[int]:
    """The widths at which nothing goes on in a next line."""
    return [max(map(width_of, cells)) for cells in zip(table.headings, *_printable(table), strict=True)]


def _narrow(table: Table, least_prose: int = LEAST_PROSE) -> list[int]:
    """The least widths that cut no name and leave prose readable."""
    widths = []
    for column, natural, *cells in zip(table.columns, _natural(table), *_printable(table), strict=True):
        words = column.heading.split()
        if column.prose:
            words += [word for cell in cells for word in cell.split()]
            least = max([least_prose, *map(width_of, words)])
        else:
            least = max(map(width_of, [*words, *cells]), default=0)
        widths.append(min(natural, least))
    return widths


def _printable(table: Table) -> list[list[str]]:
    return [[printable(cell) for cell in row] for row in table.cells]


def _fitted(table: Table, width: int, dots: str) -> Fitted:
    left_out: list[str] = []
    while _room(_narrow(table), width) < 0 and any(column.rank for column in table.columns):
        least = max(range(len(table.columns)), key=lambda place: (table.columns[place].rank, place))
        left_out.insert(0, table.columns[least].heading)
        table = _part(table, [place for place in range(len(table.columns)) if place != least])
    if _room(_narrow(table, 0), width) < 0:  # names go on in the next line before one is cut
        table = replace(table, columns=[replace(c, prose=c.prose or not c.right) for c in table.columns])
    widths = _widened(table, width)
    heads = [
        _words(printable(heading), wide, dots) for heading, wide in zip(table.headings, widths, strict=True)
    ]
    deep = max(map(len, heads))
    top = zip(*([""] * (deep - len(head)) + head for head in heads), strict=True)
    body: list[str] = []
    for row in _printable(table):
        parts = [
            _words(cell, wide, dots) if column.prose else [_cut(cell, wide, dots)]
            for cell, wide, column in zip(row, widths, table.columns, strict=True)
        ]
        body += [line_of(cells, widths, table.right) for cells in zip_longest(*parts, fillvalue="")]
    return Fitted([line_of(cells, widths, table.right) for cells in top], body, left_out)


def _widened(table: Table, width: int) -> list[int]:
    """Widths that fill the line: what is left goes to the columns that lack most, prose first; what is too
    much is taken from prose, then from the widest.
    """
    wanted = _natural(table)
    widths = next((w for w in (_narrow(table), _narrow(table, 0)) if _room(w, width) >= 0), _narrow(table, 0))
    prose = [place for place, column in enumerate(table.columns) if column.prose]
    while _room(widths, width) > 0 and any(widths[place] < wanted[place] for place in prose):
        widths[max(prose, key=lambda place: wanted[place] - widths[place])] += 1
    for place, whole in enumerate(wanted):  # half a heading's gap would help nobody
        if whole - widths[place] <= _room(widths, width):
            widths[place] = whole
    while _room(widths, width) < 0 and max(widths) > LEAST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _words(text: str, width: int, dots: str) -> list[str]:
    """A text in lines of that width, broken at spaces."""
    return [_cut(line, width, dots) for line in _lines(text, width)]


def _lines(text: str, width: int, before: str = "", further: str = "") -> list[str]:
    """The words of a text in lines of that width, the first behind `before`, the others `further` in; a
    longer word has a line of its own.
    """
    first, *words = text.split() or [""]
    lines = [before + first]
    for word in words:
        if width_of(lines[-1]) + 1 + width_of(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(further + word)
    return lines


def _cut(text: str, width: int, dots: str) -> str:
    """A text that is too long ends in dots."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) > width - len(dots):
        text = text[:-1]
    return text + dots


def wrapped(text: str, width: int) -> str:
    """Lines for a terminal: a long one goes on below, at a space and a little further in.

    >>> print(wrapped("  Going first is worth", 14))
      Going first
        is worth
    """
    shown = []
    for line in text.splitlines() or [""]:
        if width_of(line) <= width:
            shown.append(line)
            continue
        longest = max(map(width_of, line.split()))  # a path, say: it is not broken, but begins further out
        before = line[: min(len(line) - len(line.lstrip()), max(0, width - longest - 2))]
        shown += _lines(line, width, before, before + "  ")
    return "\n".join(shown)
