"""`mathhammer list compare`: two army lists against each other."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_files
from mathhammer.cli.list_files import open_list
from mathhammer.cli.options import answer_options, datasheets_option
from mathhammer.lists.exchange import Exchange, Side, exchange_of, summary
from mathhammer.tables import Column, Table

ASSIGNED = (
    Column("Attacker", 0),
    Column("Target", 1),
    Column("Points removed", 2, right=True),
    Column("Destroyed", 3, right=True, rank=1),
)


@click.command()
@click.argument("file_a", shell_complete=complete_files)
@click.argument("file_b", shell_complete=complete_files)
@datasheets_option
@answer_options("table", "json", "md")
def compare(file_a: str, file_b: str, datasheets: str | None, form: str, output: str | None) -> None:
    """Two lists against each other: points removed both ways, who should attack whom, and what striking first
    is worth.

    \b
    Example:
      mathhammer list compare tests/fixtures/rosters/kilns.ros tests/fixtures/rosters/kilns.ros
    """
    one, other = (open_list(file, datasheets, one_of_two=True) for file in (file_a, file_b))
    both = exchange_of(one.army(), other.army())
    Answer(
        parts=lambda: [*side_parts(both.a), *side_parts(both.b), summary(both)],
        document=lambda: document(both),
    ).write({"form": form, "output": output})


def side_parts(side: Side) -> list[Part]:
    """What one list removes from the other, unit by unit, and its best assignment."""
    names = [unit.name for unit in side.other.units]
    rows = [
        (unit.name, *(f"{points:.0f}" for points in side.removed[place]))
        for place, unit in enumerate(side.army.units)
    ]
    columns = [Column(name, place, right=True) for place, name in enumerate(names, 1)]
    best = [
        (side.army.units[i].name, names[j], f"{side.removed[i, j]:.0f}", f"{side.destroys[i, j]:.0%}")
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


def document(both: Exchange) -> dict[str, Any]:
    """The comparison as JSON."""
    sides = {
        key: {
            "name": side.army.name,
            "points": side.army.points,
            "units": [unit.name for unit in side.army.units],
            "points_removed": side.removed.tolist(),
            "p_destroyed": side.destroys.tolist(),
            "assignment": [list(pair) for pair in side.assignment],
        }
        for key, side in (("a", both.a), ("b", both.b))
    }
    about = {"schema": "mathhammer-list-compare/1", "system": both.a.army.system}
    return about | sides | {"summary": summary(both)}
