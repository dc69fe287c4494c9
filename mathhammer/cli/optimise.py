"""`mathhammer optimise`: the best loadout of a unit, or the best list of a faction."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.answer import Answer
from mathhammer.cli.matrix import named
from mathhammer.cli.options import ManyTargets, answer_options, find_units, system_option, targets_option
from mathhammer.cli.output import remark
from mathhammer.cli.registering import command
from mathhammer.compare.optimise import best_lists, best_loadouts, objective
from mathhammer.datasheets.library import reference_targets
from mathhammer.errors import BadInputError
from mathhammer.tables import Column, Table

LOADOUTS = (Column("Loadout", "loadout", prose=True), Column("Points removed", "points_removed", right=True))
LISTS = (
    Column("Rank", "rank", right=True),
    Column("List", "list", prose=True),
    Column("Points", "points", right=True),
    Column("Points removed", "points_removed", right=True),
)


@command(
    "optimise",
    "The best loadout of a unit, or the best list within a points limit.",
    rank=40,
    cls=ManyTargets,
)
@click.argument("names", nargs=-1, required=True)
@targets_option(what="Targets of the objective")
@click.option(
    "--weights",
    metavar="SHARES",
    help="Weights of the targets with commas, adding up to 1. Default: equal.",
)
@click.option(
    "--kind",
    type=click.Choice(["melee", "ranged"]),
    help="Only this kind of attack. Default: the better one of each unit.",
)
@click.option(
    "--limit",
    type=int,
    metavar="POINTS",
    help="Build a list from the names (units or factions) within these points.",
)
@click.option(
    "--include", multiple=True, metavar="UNIT", help="A unit that the list must hold; repeat for more."
)
@click.option(
    "--solutions",
    type=int,
    default=3,
    show_default=True,
    help="The best list and so many minus one runners-up.",
)
@system_option
@answer_options("table", "json", "md")
def optimise(**options: Any) -> None:
    """The best loadout of a unit, or with --limit the best list from units and factions, for a stated
    objective.

    It maximises points removed in one action and nothing else: no durability, no movement, no objectives.

    \b
    Examples:
      mathhammer optimise "Intercessor Squad" --vs Marines Guardsmen --weights 0.7,0.3
      mathhammer optimise Skaven --system aos4 --limit 2000 --kind melee
    """
    own = options["datasheets"]
    pool = named(options["names"], options["system"], own)
    targets = find_units(options["targets"], pool[0].system, own, "optimise") or list(
        reference_targets(pool[0].system, own)
    )
    goal = objective(targets, shares(options["weights"]), options["kind"])
    remark(f"maximised: {goal}")
    if options["limit"] is None:
        if len(pool) != 1:
            raise BadInputError("optimise: name one unit for its loadouts, or give --limit for a list")
        rows = [
            {"loadout": name, "points_removed": f"{score:.2f}"}
            for name, score in best_loadouts(pool[0], goal)
        ]
        write(LOADOUTS, rows, {"unit": pool[0].name, "objective": str(goal)}, options)
        return
    fixed: dict[str, int] = {}
    for name in options["include"]:
        (unit,) = find_units([name], pool[0].system, own, "optimise")
        fixed[unit.name] = fixed.get(unit.name, 0) + 1
    lists = best_lists(pool, goal, options["limit"], solutions=options["solutions"], fixed=fixed)
    rows = [
        {
            "rank": str(place),
            "list": ", ".join(f"{number}x {name}" for name, number in one.units),
            "points": str(one.points),
            "points_removed": f"{one.score:.1f}",
        }
        for place, one in enumerate(lists, 1)
    ]
    write(LISTS, rows, {"limit": options["limit"], "objective": str(goal)}, options)


def write(
    columns: tuple[Column, ...], rows: list[dict[str, str]], about: dict[str, Any], options: dict[str, Any]
) -> None:
    """Writes loadouts or lists, the best first."""
    Answer(
        parts=lambda: [Table(columns, rows)],
        document=lambda: {"schema": "mathhammer-optimise/1"} | about | {"rows": rows},
    ).write(options)


def shares(text: str | None) -> list[float] | None:
    """Weights from text."""
    if text is None:
        return None
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise BadInputError(
            f"optimise: weights {text!r} (write numbers with commas, such as 0.7,0.3)"
        ) from None
