"""Tables that fit a terminal: no line longer than the screen, no broken word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

from mathhammer.errors import printable
from mathhammer.tables import GAP, Table, line_of, width_of

LEAST_PROSE = 24  # characters: a narrower column of words is not worth reading
LEAST = 6  # characters of a name that is cut
NAMES = (12, 24)  # characters of a name that stay before a column is left out: one that matters, another
MATTERS = 3  # the rank of a column for which names are cut short


class Fitted(NamedTuple):
    """A table as lines of a terminal, the headings of the columns that had no room, and the numbers of the
    lines that show a best row.
    """

    head: list[str]
    body: list[str]
    left_out: list[str]
    best: frozenset[int] = frozenset()


def fit(table: Table, width: int, dots: str = "…") -> list[Fitted]:
    """The table in lines of at most `width` characters, without a broken word: one piece, or several where it
    is stacked.

    Headings and prose go on in the next line at a space; then columns are shown briefly or left out, the
    least important first; then the longest names are cut. A number is never cut.

    >>> from mathhammer.tables import Column
    >>> table = Table([Column("Unit", 0), Column("Mean damage", 1, right=True), Column("Rank", 2, rank=1)],
    ...     [("Rat Ogors", "8.33", "1")])
    >>> (piece,) = fit(table, 18)
    >>> print("\\n".join(piece.head + piece.body), piece.left_out)
                 Mean
    Unit       damage
    Rat Ogors    8.33 ['Rank']
    """
    if table.stacked and _room(_narrow(table, name=NAMES[1]), width) < 0:
        return [_fitted(piece, width, dots) for piece in _pieces(table, width)]
    return [_fitted(table, width, dots)]


def _pieces(table: Table, width: int) -> list[Table]:
    """The first columns beside as many of the others as fit, again and again."""
    first, rest = range(table.stacked), range(table.stacked, len(table.columns))
    groups: list[list[int]] = [[]]
    for place in rest:
        if (
            groups[-1]
            and _room(_narrow(_part(table, [*first, *groups[-1], place]), name=NAMES[1]), width) < 0
        ):
            groups.append([])
        groups[-1].append(place)
    return [_part(table, [*first, *group]) for group in groups]


def _part(table: Table, places: Sequence[int]) -> Table:
    """The table with these columns only."""
    return replace(table, columns=[table.columns[place] for place in places], stacked=0)


def _room(widths: Sequence[int], width: int) -> int:
    """What is left of a line."""
    return width - sum(widths) - len(GAP) * (len(widths) - 1)


def _natural(table: Table) -> list[int]:
    """The widths at which nothing goes on in a next line."""
    return [max(map(width_of, cells)) for cells in zip(table.headings, *_printable(table), strict=True)]


def _narrow(table: Table, least_prose: int = LEAST_PROSE, name: int = 0) -> list[int]:
    """The least widths that leave names and prose readable."""
    widths = []
    name = name or NAMES[max((column.rank for column in table.columns), default=0) > MATTERS]
    for column, natural, *cells in zip(table.columns, _natural(table), *_printable(table), strict=True):
        words = column.heading.split()
        if column.prose:
            words += [word for cell in cells for word in cell.split()]
            least = max([least_prose, *map(width_of, words)])
        else:
            longest = max(map(width_of, cells), default=0)
            least = max([longest if column.right else min(name, longest), *map(width_of, words)])
        widths.append(min(natural, least))
    return widths


def _printable(table: Table) -> list[list[str]]:
    return [[printable(cell) for cell in row] for row in table.cells]


def _fitted(table: Table, width: int, dots: str) -> Fitted:
    left_out: list[str] = []
    while _room(_narrow(table), width) < 0 and (least := _least(table)) is not None:
        column = table.columns[least]
        if column.brief is not None and column.brief_rank >= column.rank:
            columns = [c.shorter() if place == least else c for place, c in enumerate(table.columns)]
            table = replace(table, columns=columns)
        else:
            left_out.insert(0, column.heading)
            table = _part(table, [place for place in range(len(table.columns)) if place != least])
    widths = _widened(table, width)
    heads = [
        _words(printable(heading), wide, dots) for heading, wide in zip(table.headings, widths, strict=True)
    ]
    deep = max(map(len, heads))
    top = zip(*([""] * (deep - len(head)) + head for head in heads), strict=True)
    body: list[str] = []
    best: set[int] = set()
    shown = _printable(table)
    cuts = [_cut_for([row[place] for row in shown], wide, dots) for place, wide in enumerate(widths)]
    for row, cells in zip(table.rows, _once(table, shown), strict=True):
        parts = [
            _words(cell, wide, dots) if column.prose else [cut(cell, wide, dots)]
            for cell, wide, column, cut in zip(cells, widths, table.columns, cuts, strict=True)
        ]
        begun = len(body)
        body += [line_of(line, widths, table.right) for line in zip_longest(*parts, fillvalue="")]
        if table.best is not None and table.best(row):
            best |= set(range(begun, len(body)))
    return Fitted([line_of(cells, widths, table.right) for cells in top], body, left_out, frozenset(best))


def _least(table: Table) -> int | None:
    """The column that goes, or gets shorter, before all others; None where each has to stay as it is."""
    ranks = [max(c.rank, c.brief_rank if c.brief else 0) for c in table.columns]
    return max(range(len(ranks)), key=lambda place: (ranks[place], place)) if any(ranks) else None


def _once(table: Table, rows: list[list[str]]) -> list[list[str]]:
    """The cells, in which the first column of a group is shown once."""
    if not table.grouped:
        return rows
    firsts = [None, *(row[0] for row in rows)]
    return [["" if row[0] == before else row[0], *row[1:]] for row, before in zip(rows, firsts, strict=False)]


def _widened(table: Table, width: int) -> list[int]:
    """Widths that fill the line: what is left goes to the columns that lack most, names first; what is too
    much is taken from the longest texts.
    """
    wanted = _natural(table)
    widths = next((w for w in (_narrow(table), _narrow(table, 0)) if _room(w, width) >= 0), _narrow(table, 0))
    for texts in _texts(table):
        while _room(widths, width) > 0 and any(widths[place] < wanted[place] for place in texts):
            widths[max(texts, key=lambda place: wanted[place] - widths[place])] += 1
    for place, whole in enumerate(wanted):  # half a heading's gap would help nobody
        if whole - widths[place] <= _room(widths, width):
            widths[place] = whole
    names = [
        place for place, column in enumerate(table.columns) if not column.right or not _counts(table, place)
    ]
    while _room(widths, width) < 0 and any(widths[place] > LEAST for place in names):
        widths[max(names, key=lambda place: widths[place])] -= 1
    return widths


def _texts(table: Table) -> tuple[list[int], list[int]]:
    """The columns of names, and those of prose."""
    texts = [place for place, column in enumerate(table.columns) if not column.right]
    return (
        [place for place in texts if not table.columns[place].prose],
        [place for place in texts if table.columns[place].prose],
    )


def _counts(table: Table, place: int) -> bool:
    """Whether a column holds numbers."""
    return any(sign.isdigit() for row in table.cells for sign in row[place])


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


def _cut_inside(text: str, width: int, dots: str) -> str:
    """A text that is too long has dots in its middle."""
    if width_of(text) <= width:
        return text
    end = ""
    while width_of(text[-len(end) - 1 :]) <= (width - len(dots)) // 2:
        end = text[-len(end) - 1 :]
    return _cut(text, width - width_of(end), dots) + end


def _cut_for(cells: Sequence[str], width: int, dots: str) -> Callable[[str, int, str], str]:
    """How the texts of a column are cut: at their end, or inside where two of them would look alike."""
    different = set(cells)
    return _cut if len({_cut(cell, width, dots) for cell in different}) == len(different) else _cut_inside


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
