"""`mathhammer split`: the attacks of one unit divided between several targets."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.answer import Answer
from mathhammer.cli.dice_answer import spread, tenths
from mathhammer.cli.options import answer_options, find_units, split, switch_values, system_option
from mathhammer.cli.output import sparkline
from mathhammer.cli.registering import command
from mathhammer.compare.splitting import split as split_attacks
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError
from mathhammer.tables import Column, Table

COLUMNS = (
    Column("Target", "target"),
    Column("Models", "models", right=True),
    Column("Wounds lost", lambda row: spread(row["result"].lost), right=True),
    Column("10/50/90 %", lambda row: tenths(row["result"].lost), right=True, rank=2),
    Column("Slain", lambda row: f"{row['result'].slain.mean():.2f}", right=True, rank=1),
    Column("Destroyed", lambda row: f"{row['result'].p_destroyed:.1%}", right=True),
    Column("Distribution", lambda row: sparkline(row["result"].lost), rank=3),
)


@command("split", "One unit divides its attacks between several targets.", rank=35)
@click.argument("unit")
@click.option(
    "--at",
    "shares",
    multiple=True,
    required=True,
    metavar="TARGET=MODELS",
    help="A target and how many models attack it; repeat for more.",
)
@click.option("--models", type=int, metavar="N", help="Size of the unit.")
@click.option("--weapons", metavar="WHICH", help="melee, ranged, or weapon names with commas.")
@click.option("--situation", metavar="FLAGS", help="With commas: charged,target_in_cover ...")
@click.option(
    "--option", "switches", multiple=True, metavar="NAME=VALUE", help="A switch for an unclear rule."
)
@answer_options("table", "json")
@system_option
def split_command(**options: Any) -> None:
    """What a unit does to several targets when its models divide their attacks between them.

    The models of the first target include the leader and as many special weapons as they can carry.

    \b
    Example:
      mathhammer split Liberators --system aos1 --at Clanrats=3 --at Stormvermin=2
    """
    named = [read_share(text) for text in options["shares"]]
    names = [options["unit"], *(name for name, _ in named)]
    unit, *targets = find_units(names, options["system"], options["datasheets"], "split")
    if options["models"] is not None:
        unit = unit.with_models(options["models"])
    weapons: Any = options["weapons"]
    results = split_attacks(
        unit,
        [(target, share) for target, (_, share) in zip(targets, named, strict=True)],
        weapons=weapons if weapons in (None, "melee", "ranged") else split(weapons),
        situation=split(options["situation"]),
        options=switch_values(options["switches"]) or None,
    )
    rows: list[dict[str, Any]] = [
        {"target": target.name, "models": share, "result": result}
        for target, (_, share), result in zip(targets, named, results, strict=True)
    ]
    Answer(
        parts=lambda: [f"{unit.name} ({unit.models_left} models)", Table(COLUMNS, rows)],
        document=lambda: {
            "schema": "mathhammer-split/1",
            "system": unit.system,
            "unit": unit.name,
            "targets": [
                {"target": row["target"], "models": row["models"], **numbers(row["result"])} for row in rows
            ],
        },
    ).write(options)


def numbers(result: Result) -> dict[str, Any]:
    """The numbers of one target."""
    return {
        "mean_lost": result.lost.mean(),
        "mean_slain": result.slain.mean(),
        "p_destroyed": result.p_destroyed,
        "aftermath": {name: pmf.mean() for name, pmf in result.aftermath.items()},
    }


def read_share(text: str) -> tuple[str, int]:
    """A target and the models that attack it.

    >>> read_share("Clanrats=3")
    ('Clanrats', 3)
    """
    name, equals, share = text.rpartition("=")
    if not equals or not name.strip() or not (share.strip().isascii() and share.strip().isdigit()):
        raise BadInputError(f"split: --at {text!r} (write TARGET=MODELS, such as Clanrats=3)")
    return name.strip(), int(share)
