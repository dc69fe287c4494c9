"""`mathhammer optimise`: the best loadout of a unit, or the best list of a faction."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.matrix import named
from mathhammer.cli.options import ManyTargets, find_units, system_option
from mathhammer.cli.output import as_json, as_markdown, print_table, write_text
from mathhammer.compare.optimise import best_lists, best_loadouts, objective
from mathhammer.datasheets.library import reference_targets
from mathhammer.errors import BadInputError
from mathhammer.tables import as_table


@click.command(cls=ManyTargets)
@click.argument("names", nargs=-1, required=True)
@click.option(
    "--vs",
    "targets",
    multiple=True,
    metavar="TARGET...",
    help="Targets of the objective; left out: the reference targets.",
)
@click.option(
    "--weights",
    metavar="SHARES",
    help="Weights of the targets with commas, adding up to 1; equal if left out.",
)
@click.option(
    "--kind",
    type=click.Choice(["melee", "ranged"]),
    help="Only this kind of attack; left out: the better one of each unit.",
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
@click.option(
    "--format", "form", type=click.Choice(["table", "json", "md"]), default="table", show_default=True
)
@click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout.")
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
    click.echo(f"maximised: {goal}", err=True)
    if options["limit"] is None:
        if len(pool) != 1:
            raise BadInputError("optimise: name one unit for its loadouts, or give --limit for a list")
        rows: list[tuple[str, ...]] = [(name, f"{value:.2f}") for name, value in best_loadouts(pool[0], goal)]
        emit(
            ("Loadout", "Points removed"),
            rows,
            (False, True),
            {"unit": pool[0].name, "objective": str(goal)},
            options,
        )
        return
    fixed: dict[str, int] = {}
    for name in options["include"]:
        (unit,) = find_units([name], pool[0].system, own, "optimise")
        fixed[unit.name] = fixed.get(unit.name, 0) + 1
    found = best_lists(pool, goal, options["limit"], solutions=options["solutions"], fixed=fixed)
    texts = [", ".join(f"{number}x {name}" for name, number in one.units) for one in found]
    rows = [
        (str(place), text, str(one.points), f"{one.score:.1f}")
        for place, (one, text) in enumerate(zip(found, texts, strict=True), 1)
    ]
    about = {"limit": options["limit"], "objective": str(goal)}
    emit(("Rank", "List", "Points", "Points removed"), rows, (True, False, True, True), about, options)


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


def emit(
    head: tuple[str, ...],
    rows: list[tuple[str, ...]],
    right: tuple[bool, ...],
    about: dict[str, Any],
    options: dict[str, Any],
) -> None:
    """Writes the answer in the wanted format."""
    form, output = options["form"], options["output"]
    if form == "json":
        named_rows = [
            dict(zip((h.lower().replace(" ", "_") for h in head), row, strict=True)) for row in rows
        ]
        write_text(as_json({"schema": "mathhammer-optimise/1"} | about | {"rows": named_rows}), output)
    elif form == "md":
        write_text(as_markdown(head, rows, right), output)
    elif output is not None:
        write_text(as_table(head, rows, right), output)
    else:
        print_table(head, rows, right)
