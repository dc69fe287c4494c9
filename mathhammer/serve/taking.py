"""What can be taken along from duels and lists: comma-separated values, and Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer.report.grid import Grid
from mathhammer.report.heat import numbered
from mathhammer.report.parts import Report
from mathhammer.tables import Column, Table, as_csv

CELLS = ("attacker", "target", "kind", "lost", "slain", "p_destroyed")


def cells_of(grid: Grid) -> list[dict[str, Any]]:
    """Every cell of a heat map as a row of numbers; None where there is no attack.

    >>> cells_of(Grid("Rats against all", "mean damage", (), (), ()))
    []
    """
    return [
        dict.fromkeys(CELLS)
        | {"attacker": numbered(*row), "target": numbered(*column)}
        | (
            {}
            if (result := attack.result) is None
            else {
                "kind": attack.kind,
                "lost": result.lost.mean(),
                "slain": result.slain.mean(),
                "p_destroyed": result.p_destroyed,
            }
        )
        for row, attacks in zip(grid.rows, grid.cells, strict=True)
        for column, attack in zip(grid.columns, attacks, strict=True)
    ]


def lists_csv(parts: Report) -> str:
    """All cells of the heat maps of a report.

    >>> from mathhammer.lists.readers import read_roster
    >>> from mathhammer.report.parts import report_parts
    >>> army = read_roster('system = "aos4"\\n[[regiment]]\\n[[regiment.unit]]\\nname = "Clanrats"\\n')
    >>> lists_csv(report_parts([army], {})).splitlines()[0]
    'attacker,target,kind,lost,slain,p_destroyed'
    """
    return as_csv(
        list(CELLS), [[row[name] for name in CELLS] for grid in parts.grids for row in cells_of(grid)]
    )


def lists_markdown(parts: Report) -> str:
    """The verdict and the heat maps of a report, for a blog post.

    >>> from mathhammer.lists.readers import read_roster
    >>> from mathhammer.report.parts import report_parts
    >>> army = read_roster('system = "aos4"\\n[[regiment]]\\n[[regiment.unit]]\\nname = "Clanrats"\\n')
    >>> lists_markdown(report_parts([army], {})).splitlines()[0].split(" · ")[:2]
    ['Age of Sigmar 4', 'exact']
    """
    known = [f"{one['name']}: {one['known'][0]}" for one in parts.lists]
    blocks = [parts.source, *parts.verdict, *known]
    for grid in parts.grids:
        columns = [
            Column("", 0),
            *(Column(numbered(*c), n, right=True) for n, c in enumerate(grid.columns, 1)),
        ]
        rows = [
            [
                numbered(*row),
                *(None if one.result is None else f"{one.value:.1f} {one.kind}" for one in cells),
            ]
            for row, cells in zip(grid.rows, grid.cells, strict=True)
        ]
        blocks += [f"{grid.title}: {grid.what}", Table(columns, rows).markdown()]
    return "\n\n".join(blocks)


ROUNDS = ("round", "p_win", "p_lose", "p_engaged", "models_a", "models_b")


def rounds_rows(rounds: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rounds of a duel as rows of numbers.

    >>> rounds_rows([{"round": 1, "p_win": 0.5, "p_lose": 0.25, "p_engaged": 0.25, "models": [3.0, 2.0]}])
    [{'round': 1, 'p_win': 0.5, 'p_lose': 0.25, 'p_engaged': 0.25, 'models_a': 3.0, 'models_b': 2.0}]
    """
    return [
        {name: one[name] for name in ROUNDS[:4]} | dict(zip(ROUNDS[4:], one["models"], strict=True))
        for one in rounds
    ]


def rounds_csv(rounds: Sequence[Mapping[str, Any]]) -> str:
    """The rounds of a duel.

    >>> rounds_csv([]).strip()
    'round,p_win,p_lose,p_engaged,models_a,models_b'
    """
    return as_csv(list(ROUNDS), [list(row.values()) for row in rounds_rows(rounds)])


def rounds_markdown(rounds: Sequence[Mapping[str, Any]], names: Sequence[str], conditions: str) -> str:
    """The rounds of a duel below their conditions, for a blog post.

    >>> rounds_markdown([], ["Rats", "Orcs"], "exact").splitlines()[0]
    'exact'
    """
    one, other = names
    columns = [
        Column("Round", "round"),
        Column(f"{one} has won", lambda row: f"{row['p_win']:.1%}", right=True),
        Column(f"{other} has won", lambda row: f"{row['p_lose']:.1%}", right=True),
        Column(f"Models of {one}", lambda row: f"{row['models_a']:.2f}", right=True),
        Column(f"Models of {other}", lambda row: f"{row['models_b']:.2f}", right=True),
    ]
    return f"{conditions}\n\n{Table(columns, rounds_rows(rounds)).markdown()}"
