"""`mathhammer list compare`: two army lists against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from mathhammer._version import __version__
from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_files
from mathhammer.cli.list_files import open_list
from mathhammer.cli.lists.asking import how_of, list_document, list_head, list_options
from mathhammer.cli.options import answer_options
from mathhammer.cli.output import remark
from mathhammer.lists.coverage import unequal_points
from mathhammer.lists.exchange import Exchange, Side, exchange_of, summary
from mathhammer.lists.loading import LoadedList
from mathhammer.lists.telling import list_conditions
from mathhammer.tables import Column, Table
from mathhammer.text import percent

ASSIGNED = (
    Column("Attacker", 0),
    Column("Target", 1),
    Column("Points removed", 2, right=True),
    Column("Destroyed", 3, right=True, rank=1),
)


@click.command()
@click.argument("file_a", shell_complete=complete_files)
@click.argument("file_b", shell_complete=complete_files)
@list_options
@answer_options("table", "json", "md")
def compare(**options: Any) -> None:
    """Two lists against each other: points removed both ways, who should attack whom, and what striking first
    is worth.

    \b
    Example:
      mathhammer list compare tests/fixtures/rosters/kilns.ros tests/fixtures/rosters/kilns.ros
    """
    files = (options["file_a"], options["file_b"])
    lists = [open_list(file, options["datasheets"], one_of_two=True) for file in files]
    armies = [one.army(auras=not options["no_auras"]) for one in lists]
    how = how_of(armies[0].system, options)
    both = exchange_of(*armies, **how)
    if unequal := unequal_points([army.name for army in armies], [army.points for army in armies]):
        remark(unequal)
    refused = [one.coverage.refusal() for one in lists if not (one.coverage.enough or options["anyway"])]
    Answer(
        parts=lambda: [
            *list_head(lists, armies, how),
            "",
            *side_parts(both.a),
            *side_parts(both.b),
            *(refused or [summary(both)]),
        ],
        document=lambda: document(both, lists, how) | {"summary": None if refused else summary(both)},
    ).write(options)


def side_parts(side: Side) -> list[Part]:
    """What one list removes from the other, unit by unit, and its best assignment."""
    names = [unit.name for unit in side.other.units]
    rows = [
        (unit.name, *(f"{points:.0f}" for points in side.removed[place]))
        for place, unit in enumerate(side.army.units)
    ]
    columns = [Column(name, place, right=True) for place, name in enumerate(names, 1)]
    best = [
        (side.army.units[i].name, names[j], f"{side.removed[i, j]:.0f}", percent(side.destroys[i, j], 0))
        for i, j in side.assignment
    ]
    return [
        f"{side.army.name}: mean points removed by one action of each unit",
        Table([Column("Unit", 0), *columns], rows, stacked=1),
        "",
        "Best assignment",
        Table(ASSIGNED, best),
        "",
    ]


def document(both: Exchange, lists: Sequence[LoadedList], how: Mapping[str, Any]) -> dict[str, Any]:
    """The comparison as JSON."""
    sides = {
        key: list_document(one, side.army)
        | {
            "units": [unit.name for unit in side.army.units],
            "points_removed": side.removed.tolist(),
            "p_destroyed": side.destroys.tolist(),
            "assignment": [list(pair) for pair in side.assignment],
        }
        for key, side, one in (("a", both.a, lists[0]), ("b", both.b, lists[1]))
    }
    about: dict[str, Any] = {
        "schema": "mathhammer-list-compare/1",
        "mathhammer": __version__,
        "system": both.a.army.system,
    }
    about |= {"conditions": {"text": list_conditions(both.a.army, how)}}
    return about | {name: list(words) for name, words in how.items()} | sides
