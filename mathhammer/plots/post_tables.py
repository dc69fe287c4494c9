"""The tables of a post: those that the commands write with `--format md`, with their conditions below."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mathhammer.compare.answering import is_best, work_out
from mathhammer.compare.asking import conditions_parts
from mathhammer.compare.buffs import COLUMNS as VALUE_COLUMNS
from mathhammer.compare.buffs import joined_rows, value_rows
from mathhammer.compare.columns import VALUE, columns, distributions, matrix_table
from mathhammer.compare.landed import VALUES
from mathhammer.compare.matchups import COLUMNS, matchups
from mathhammer.compare.matrix import fill_matrix
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.tables import Table, as_markdown
from mathhammer.text import percent
from mathhammer.units.unit import Unit

KINDS = ("compare", "matrix", "value")
HEADINGS = {
    "p_destroyed": "Destroyed",
    "damage_per_100": "Damage per 100 points",
    "p_more": "Beats first",
    "p10": "10 %",
    "p90": "90 %",
}
SHARES = ("p_destroyed", "p_more", "share")


def post_table(
    asked: Mapping[str, Any],
    chosen: Sequence[str],
    attackers: Sequence[Unit],
    targets: Sequence[Unit],
    how: Mapping[str, Any],
) -> str:
    """A table as Markdown; `chosen` are columns by the names of `--format csv`, if not the usual ones."""
    if asked["kind"] == "matrix":
        return _matrix(str(asked.get("value", "damage")), attackers, targets, how)
    records, known, shown = _records(asked["kind"], attackers, targets, how)
    for column in chosen:
        if column not in known:
            raise UnknownNameError(asked["kind"], "column", column, known)
    rows = records[: asked["rows"]] if "rows" in asked else records
    text = _plain(chosen, rows) if chosen else shown(asked.get("rows"))
    results = [m.result for m in matchups(attackers, targets, **how) if m.result is not None]
    return "\n\n".join([text, *conditions_parts(results, attackers[0].system)])


def _records(
    kind: str, attackers: Sequence[Unit], targets: Sequence[Unit], how: Mapping[str, Any]
) -> tuple[list[Any], Collection[str], Any]:
    """Rows for programs, the names of their columns, and the table for people."""
    if kind == "value":
        worth = [row for unit in attackers for row in value_rows(unit, targets, **how)]
        return worth, VALUE_COLUMNS, lambda most: Table(VALUE, joined_rows(worth)[:most]).markdown()
    compared = work_out(attackers, targets, how).compared
    fights = [matchup for matchup, _ in compared]
    usual = [*columns(compared, False, full=False), distributions(fights)]
    return (
        [row for _, row in compared],
        COLUMNS,
        lambda most: Table(usual, compared[:most], best=is_best).markdown(),
    )


def _matrix(value: str, attackers: Sequence[Unit], targets: Sequence[Unit], how: Mapping[str, Any]) -> str:
    if value not in VALUES:
        raise UnknownNameError("matrix", "value", value, VALUES)
    exact = dict(how)
    if exact.pop("method", "exact") != "exact":
        raise BadInputError("matrix: is always exact (drop the method; compare simulates)")
    table, notes = matrix_table(fill_matrix(attackers, targets, **exact), value)
    results = [m.result for m in matchups(attackers, targets, **how) if m.result is not None]
    return "\n\n".join([table.markdown(), *notes, *conditions_parts(results, attackers[0].system)])


def _plain(chosen: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Columns by their names, means without their spread."""
    right = [not isinstance(rows[0][name], str) for name in chosen] if rows else [False] * len(chosen)
    cells = [[_cell(name, row[name]) for name in chosen] for row in rows]
    return as_markdown([_heading(name) for name in chosen], cells, right)


def _heading(column: str) -> str:
    return HEADINGS.get(column, column[:1].upper() + column[1:].replace("_", " "))


def _cell(column: str, value: Any) -> str:
    if value is None:
        return "-"
    if column in SHARES:
        return percent(value)
    return str(value) if isinstance(value, (str, int)) else f"{value:.2f}"
