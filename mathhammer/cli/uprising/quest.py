"""`mathhammer quest`: a quest of Uprising."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from mathhammer.cli.dice_answer import dice_options, draw, engine, spread, tenths, write_answer
from mathhammer.cli.diskwars.shoot import number_or_text
from mathhammer.cli.output import sparkline
from mathhammer.cli.registering import command
from mathhammer.errors import BadInputError
from mathhammer.games.uprising.fights import AIMS
from mathhammer.games.uprising.text import read_goal_text, read_hero_text, read_pool_text
from mathhammer.odds import odds
from mathhammer.tables import Column, Table


@command("quest", "Uprising: the chance of a quest and the best split of cunning dice.", rank=130)
@click.argument("pool", required=False)
@click.option("--hero", metavar="ATTRIBUTES", help="Might, magic, charisma, cunning: 'magic 1, cunning 3'.")
@click.option(
    "--goal",
    "goals",
    multiple=True,
    required=True,
    metavar="GOAL",
    help="'3 skulls', '1 bolt, 1 VP'; repeat for more.",
)
@click.option(
    "--need", type=int, default=1, show_default=True, metavar="N", help="How many goals must be met."
)
@click.option("--success-vp", type=int, default=0, metavar="N", help="Points for success as such.")
@click.option("--reroll", metavar="N", help="Up to so many blanks are rerolled; any or all will do.")
@click.option(
    "--best",
    type=click.Choice(AIMS),
    help="Reroll whatever dice are best for success or for points, and split cunning dice by that.",
)
@dice_options
def quest(**options: Any) -> None:
    """Uprising: the chance to solve a quest, the points it brings, and the best split of cunning dice.

    The pool is text such as '2 red, blue' or letters such as RRB; a hero's dice are added to it. Cunning dice
    become white or yellow, whichever split is best; 'cunning 3, yellow 2' fixes it. With --reroll blanks are
    rolled again, the strongest die first; with --best whatever serves success or points best.

    \b
    Examples:
      mathhammer quest "2 red, blue, white" --goal "4 skulls" --goal "1 shield, 1 VP" --need 2
      mathhammer quest --hero "magic 1, cunning 3" --goal "3 skulls" --goal "1 shield" --need 2
      mathhammer quest "2 red, purple" --goal "2 bolts" --reroll any --best chance
    """
    if options["pool"] is None and options["hero"] is None:
        raise BadInputError(
            "quest: no dice (give a pool such as '2 red, blue', or --hero 'magic 1, cunning 3')"
        )
    hero = {} if options["hero"] is None else read_hero_text("quest: --hero", options["hero"])
    asked: dict[str, Any] = {
        "pool": {} if options["pool"] is None else read_pool_text("quest", options["pool"]),
        "goals": [read_goal_text("quest: --goal", text) for text in options["goals"]],
        "need": options["need"],
        "success_vp": options["success_vp"],
        "reroll": number_or_text(options["reroll"] or "0"),
        "best": options["best"],
    }
    details = engine(options)
    splits: list[tuple[float, float]] = []
    if hero.get("cunning") and "yellow" not in hero:
        other = {name: points for name, points in hero.items() if name != "cunning"}
        best = odds(
            "uprising",
            "best_cunning",
            **asked,
            by=options["best"] or "chance",
            hero=other,
            cunning=hero["cunning"],
            faces=details["faces"],
        )
        hero["yellow"] = best["yellow"]
        splits = list(zip(best["p_by_yellow"], best["vp_by_yellow"], strict=True))
    answer = dict(odds("uprising", "quest", **asked, hero=hero, **details))
    if splits:
        answer["cunning"] = {
            "yellow": hero["yellow"],
            "white": hero["cunning"] - hero["yellow"],
            "p_by_yellow": [chance for chance, _ in splits],
            "vp_by_yellow": [points for _, points in splits],
        }
        answer["explain"] += "\n" + "\n".join(split_lines(splits, hero["yellow"]))
    rows = [(text, f"{chance:.2%}") for text, chance in zip(options["goals"], answer["p_goal"], strict=True)]
    errors = answer.get("standard_errors", {"p_success": 0.0, "expected_vp": 0.0})
    lines = [
        (
            f"Success ({options['need']} of {len(rows)}): "
            f"{answer['p_success']:.2%}{error_text(errors['p_success'], '.2%')}"
        ),
        f"Expected points: {answer['expected_vp']:.4g}{error_text(errors['expected_vp'], '.1g')}",
        (
            f"Goals met: {spread(answer['goals_met'])}, 10/50/90 %: {tenths(answer['goals_met'])}  "
            f"{sparkline(answer['goals_met'])}"
        ),
        *split_lines(splits, hero.get("yellow", 0)),
        *reroll_lines(asked, hero, details["faces"]),
    ]
    goals = Table([Column("Goal", 0), Column("Chance", 1, right=True)], rows)
    write_answer(options, "quest", "uprising", answer, [goals, "", *lines])
    draw(
        options["chart"],
        {"goals met": answer["goals_met"]},
        "goals met",
        f"Quest: success {answer['p_success']:.1%}",
        "uprising",
    )


def split_lines(splits: list[tuple[float, float]], best: int) -> list[str]:
    """The chance of success and the points for each split of the cunning dice, the best one marked."""
    dice = len(splits) - 1
    scored = any(points for _, points in splits)
    return [
        f"Cunning {yellow} yellow, {dice - yellow} white: {chance:.2%}"
        + (f", {points:.4g} points" if scored else "")
        + (" (best, used here; UP-HERO-3)" if yellow == best else "")
        for yellow, (chance, points) in enumerate(splits)
    ]


def reroll_lines(asked: Mapping[str, Any], hero: Mapping[str, int], faces: Any) -> list[str]:
    """What another choice of the dice to reroll would be worth: best play beside blanks only, and the other
    way round.
    """
    if asked["reroll"] in (0, "all"):
        return []
    other = "chance" if asked["best"] is None else None
    answer = odds("uprising", "quest", **{**asked, "best": other}, hero=hero, faces=faces)
    told = "Best choice of dice to reroll (--best chance)" if other else "Blanks only, strongest first"
    return [f"{told}: {answer['p_success']:.2%}, {answer['expected_vp']:.4g} points (UP-RR-1, UP-RR-3)"]


def error_text(error: float, form: str) -> str:
    """The standard error of a number that was played; nothing for an exact one.

    >>> error_text(0.00123, ".2%"), error_text(0.0, ".2%")
    (' ±0.12% s.e.', '')
    """
    return f" ±{format(error, form)} s.e." if error else ""
