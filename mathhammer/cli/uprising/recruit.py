"""`mathhammer recruit`: which units of Uprising win for the resources at hand."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.dice_answer import dice_options, draw, engine, write_answer
from mathhammer.cli.output import remark
from mathhammer.cli.registering import command
from mathhammer.games.records import records
from mathhammer.games.uprising.fights import AIMS
from mathhammer.games.uprising.sides import TERRAIN
from mathhammer.games.uprising.text import read_resources_text, read_side_text
from mathhammer.odds import odds
from mathhammer.tables import Column, Table

COLUMNS = (
    Column("Units", "units"),
    Column("People", "people", rank=1),
    Column("Wins", lambda row: f"{row['p_win']:.1%}", right=True),
)


@command("recruit", "Uprising: which units for these resources win a combat.", rank=145)
@click.argument("resources")
@click.option("--vs", "enemy", required=True, metavar="ENEMY", help="The enemy, as for battle.")
@click.option("--people", metavar="NAME", help="One faction, such as Duerkhar. Default: all are tried.")
@click.option("--haven", is_flag=True, help="On a haven: towers and walls may be built too (1 plunder each).")
@click.option("--terrain", type=click.Choice(TERRAIN), default="ice", show_default=True)
@click.option("--best", type=click.Choice(AIMS), help="Best play of the units, as for battle.")
@click.option("--show", type=int, default=10, show_default=True, metavar="N", help="How many sets are shown.")
@dice_options
def recruit(**options: Any) -> None:
    """Uprising: every set of units that the resources pay for against one enemy, the best chance first.

    Sets to which something could be added are left out; resources are not traded for others.

    \b
    Examples:
      mathhammer recruit "5 salt, 5 plunder, 5 food" --vs "Imperial Guard 3" --people Duerkhar
      mathhammer recruit "4 salt, 3 food" --vs "garrison 2" --haven --terrain forest
    """
    enemy = read_side_text("recruit: --vs", options["enemy"])
    for line in enemy.remarks:
        remark(line)
    answer = odds(
        "uprising",
        "recruit",
        resources=read_resources_text("recruit", options["resources"]),
        b=enemy.fields,
        people=options["people"],
        haven=options["haven"],
        terrain=options["terrain"],
        best=options["best"],
        show=options["show"],
        **engine(options),
    )
    assumed = [name for name in assumed_dice() if any(name in row["units"] for row in answer["sets"])]
    if assumed:
        remark(f"{', '.join(assumed)}: the dice are assumed (UP-UNIT-2)")
    best = answer["battle"]
    lines = [
        f"{answer['tried']} sets tried against {enemy.name}; best: {answer['best_set']}",
        f"It wins {best['p_win']:.1%}, loses {best['p_lose']:.1%}, both gone {best['p_draw']:.1%}",
    ]
    write_answer(options, "recruit", "uprising", answer, [Table(COLUMNS, answer["sets"]), "", *lines])
    distributions = {answer["best_set"]: best["survivors_a"], enemy.name: best["remaining_b"]}
    draw(options["chart"], distributions, "left in the end", f"{answer['best_set']}", "uprising")


def assumed_dice() -> list[str]:
    """The units whose die is a placeholder."""
    units = records("uprising", "units.toml", "player_unit").values()
    return [unit["name"] for unit in units if unit["die_confidence"] == "low"]
