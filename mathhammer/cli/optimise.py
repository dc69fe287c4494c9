"""`mathhammer optimise`: the best loadout of a unit, or the best list of a faction."""

from __future__ import annotations

from typing import Any

import click

from mathhammer._version import __version__
from mathhammer.cli.answer import Answer
from mathhammer.cli.completion import complete_many
from mathhammer.cli.options import (
    ManyTargets,
    answer_options,
    find_many,
    find_units,
    system_option,
    targets_option,
)
from mathhammer.cli.output import remark
from mathhammer.cli.registering import command
from mathhammer.compare.optimise import best_lists, best_loadouts, objective
from mathhammer.datasheets.asked import faction_units
from mathhammer.datasheets.library import reference_targets
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.games.telling import rules_left_out
from mathhammer.tables import Column, Table
from mathhammer.units.circumstances import not_counted_text
from mathhammer.units.unit import Unit

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
@click.argument("names", nargs=-1, required=True, shell_complete=complete_many)
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
    "--copies",
    type=click.IntRange(1, 20),
    default=3,
    show_default=True,
    help="The most copies of one unit in a list; the game's own limits hold besides.",
)
@click.option("--mixed", is_flag=True, help="A list may hold units of several factions.")
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
      mathhammer optimise Skaven --limit 2000 --kind melee
    """
    own = options["datasheets"]
    pool = find_many(options["names"], options["system"], own, "optimise")
    factions = [name for name in options["names"] if faction_units(name, pool[0].system, own, "optimise")]
    if len(factions) > 1 and not options["mixed"]:
        raise BadInputError(
            f"optimise: {' and '.join(factions)} are several factions (a list has one; --mixed allows more)"
        )
    targets = find_units(options["targets"], pool[0].system, own, "optimise") or list(
        reference_targets(pool[0].system, own)
    )
    goal = objective(targets, shares(options["weights"]), options["kind"])
    remark(f"maximised: {goal}")
    about: dict[str, Any] = {"objective": str(goal), "targets": [target.label for target in targets]}
    about |= {"weights": list(goal.weights), "weapons": options["kind"] or "best"}
    if options["limit"] is None:
        if len(pool) != 1:
            raise BadInputError("optimise: name one unit for its loadouts, or give --limit for a list")
        rows = [
            {"loadout": name, "points_removed": f"{score:.2f}"}
            for name, score in best_loadouts(pool[0], goal)
        ]
        write(LOADOUTS, rows, {"unit": pool[0].label, **about}, options, (*pool, *targets))
        return
    fixed: dict[str, int] = {}
    for name in options["include"]:
        (unit,) = find_units([name], pool[0].system, own, "optimise")
        fixed[unit.name] = fixed.get(unit.name, 0) + 1
    how = {name: options[name] for name in ("solutions", "copies")}
    lists = best_lists(pool, goal, options["limit"], fixed=fixed, **how)
    rows = [
        {
            "rank": str(place),
            "list": ", ".join(f"{number}x {name}" for name, number in one.units),
            "points": str(one.points),
            "points_removed": f"{one.score:.1f}",
        }
        for place, one in enumerate(lists, 1)
    ]
    about |= {"limit": options["limit"], "include": fixed, **how}
    write(LISTS, rows, about, options, (*pool, *targets))


def write(
    columns: tuple[Column, ...],
    rows: list[dict[str, str]],
    about: dict[str, Any],
    options: dict[str, Any],
    units: tuple[Unit, ...],
) -> None:
    """Writes loadouts or lists, the best first, below the conditions they are best under."""
    game = get_game(units[0].system)
    what = {"best": "the better of melee and ranged"}.get(about["weapons"], about["weapons"])
    parts = [game.short_title, "exact", what]
    parts += [f"{about['limit']} points, at most {about['copies']} of a unit"] if "limit" in about else []
    line = " · ".join(parts)
    missing = list(rules_left_out(units))
    head = {"schema": "mathhammer-optimise/1", "mathhammer": __version__, "system": game.key}
    Answer(
        parts=lambda: [line, *([not_counted_text(missing)] if missing else []), Table(columns, rows)],
        document=lambda: (
            head | {"conditions": {"text": line}, "not_counted": missing} | about | {"rows": rows}
        ),
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
