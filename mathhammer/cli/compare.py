"""`mathhammer compare`: units against targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from mathhammer._version import __version__
from mathhammer.cli.answer import Answer
from mathhammer.cli.options import (
    FORMATS,
    ManyTargets,
    answer_options,
    fight_arguments,
    fight_options,
    find_units,
    targets_option,
)
from mathhammer.cli.output import progress, remark, sparkline
from mathhammer.cli.registering import command
from mathhammer.compare.matchups import COLUMNS, Matchup, matchups, rows_of, targets_of
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.tables import Column, Table

SORTS = {
    "damage": "damage",
    "slain": "slain",
    "destroyed": "p_destroyed",
    "points": "damage_per_100",
    "name": "attacker",
}
Row = dict[str, Any]
Compared = tuple[Matchup, Row]  # a fight, and its numbers


@command("compare", "What units do to targets: damage, kills, chance to destroy.", rank=10, cls=ManyTargets)
@click.argument("attackers", nargs=-1, required=True)
@targets_option()
@click.option("--models", type=int, metavar="N", help="Size of the attacking units.")
@fight_options
@click.option(
    "--sort", type=click.Choice(list(SORTS)), help="Order of the rows, best first. Default: as given."
)
@click.option("--per-100-points", is_flag=True, help="Damage and slain for each 100 points of the attacker.")
@click.option(
    "--full",
    is_flag=True,
    help="Also overkill, points removed, chance to do more than the first attacker, rank.",
)
@answer_options(*FORMATS)
@click.option(
    "--chart", metavar="FILE", help="Also draw the chances of at least k models slain (.png or .svg)."
)
def compare(**options: Any) -> None:
    """What units do to targets: damage, models slain, chance to destroy, damage per 100 points.

    \b
    Examples:
      mathhammer compare Liberators "Rat Ogors" --vs Clanrats
      mathhammer compare Liberators --models 10 --situation charged --command all_out_attack --vs
      mathhammer compare Liberators "Rat Ogors" Stormvermin --vs Clanrats --full --sort points
    """
    own = options["datasheets"]
    attackers = find_units(options["attackers"], options["system"], own, "compare")
    given = find_units(options["targets"], attackers[0].system, own, "compare")
    if options["models"] is not None:
        attackers = [unit.with_models(options["models"]) for unit in attackers]
    arguments = fight_arguments("compare", attackers, options)
    targets = targets_of(attackers, given, own)
    fights: list[Matchup] = []
    with progress("fighting") as tell:
        for matchup in matchups(attackers, targets, **arguments):
            fights.append(matchup)
            tell(len(fights), len(attackers) * len(targets))
    # set against the first attacker as given, whatever the order shown
    compared = list(zip(fights, rows_of(fights), strict=True))
    if options["sort"]:
        key = SORTS[options["sort"]]
        compared.sort(key=lambda one: one[1][key] if key == "attacker" else -(one[1][key] or 0.0))
    write_compared(compared, options)
    if options["chart"]:
        from mathhammer.plots import plot_pmf, save_figure  # matplotlib only when asked for

        save_figure(plot_pmf(*[matchup.result for matchup in fights]), options["chart"])


def write_compared(compared: Sequence[Compared], options: dict[str, Any]) -> None:
    """Writes fights and their numbers; remarks on them go to stderr."""
    fights = [matchup for matchup, _ in compared]
    for line in notes(fights):
        remark(line)
    per_100 = options.get("per_100_points", False)
    unpriced = [matchup.attacker.name for matchup in fights if not matchup.attacker.points]
    if per_100 and unpriced:
        raise BadInputError(f"compare: {unpriced[0]} has no points (drop --per-100-points)")
    fled = any("fled" in matchup.result.aftermath for matchup in fights)
    shown = columns(per_100, full=options.get("full", False), fled=fled)
    Answer(
        parts=lambda: [Table(shown, compared)],
        document=lambda: document(compared, options),
        records=lambda: (list(COLUMNS), [[row[name] for name in COLUMNS] for _, row in compared]),
    ).write(options)


def notes(fights: Sequence[Matchup]) -> list[str]:
    """What a reader of the numbers should know."""
    lines: dict[str, None] = {}
    for matchup in fights:
        who, whom = matchup.attacker.name, matchup.target.name
        for weapon, reason in matchup.result.skipped.items():
            lines[f"{who}, {weapon}: does not attack {whom}, {reason}"] = None
        for weapon, choice in matchup.result.choices.items():
            lines[f"{who}, {weapon}: {choice} chosen against {whom}, the highest mean damage"] = None
    return list(lines)


def columns(per_100: bool, *, full: bool, fled: bool) -> list[Column]:
    """The columns for people; on a narrow terminal the drawing goes first, what was asked for goes late."""

    def spread(what: str) -> Callable[[Compared], str]:
        def show(one: Compared) -> str:
            row = one[1]
            scale = 100.0 / row["points"] if per_100 else 1.0
            error = row["damage_se"] * scale if what == "damage" else 0.0
            played = f" ±{error:.1g} s.e." if error else ""
            return f"{row[what] * scale:.2f} ± {row[f'{what}_sd'] * scale:.2f}{played}"

        return show

    def number(key: str, form: str) -> Callable[[Compared], str]:
        return lambda one: "-" if one[1][key] is None else format(one[1][key], form)

    return [
        Column("Attacker", lambda one: one[1]["attacker"]),
        Column("Target", lambda one: one[1]["target"]),
        Column("Damage", spread("damage"), right=True),
        Column("Slain", spread("slain"), right=True, rank=1),
        Column("10/50/90 %", lambda one: "{p10}/{p50}/{p90}".format(**one[1]), right=True, rank=7),
        Column("Destroyed", number("p_destroyed", ".1%"), right=True),
        Column("Per 100 pts", number("damage_per_100", ".2f"), right=True, rank=6),
        *(
            [
                Column("Overkill", number("overkill", ".2f"), right=True, rank=4),
                Column("Points removed", number("points_removed", ".1f"), right=True, rank=2),
                Column("Beats first", number("p_more", ".1%"), right=True, rank=3),
                Column("Rank", number("rank", "d"), right=True, rank=5),
            ]
            if full
            else []
        ),
        *([Column("Fled", fled_models, right=True, rank=1)] if fled else []),
        *([Column("Gone", gone_after, right=True, rank=1)] if fled else []),
        Column("Distribution", lambda one: sparkline(one[0].harm), rank=8),
    ]


def gone_after(one: Compared) -> str:
    """The chance that nobody is left once models have fled."""
    pmf = one[0].result.aftermath.get("gone")
    return "-" if pmf is None else f"{pmf.mean():.1%}"


def fled_models(one: Compared) -> str:
    """Models that flee after the fight, where the game and the datasheet say so."""
    pmf = one[0].result.aftermath.get("fled")
    return "-" if pmf is None else f"{pmf.mean():.2f} ± {pmf.sd():.2f}"


def document(compared: Sequence[Compared], options: dict[str, Any]) -> dict[str, Any]:
    """The whole comparison as JSON: every number, both distributions, and how they were computed."""
    results = [matchup.result for matchup, _ in compared]
    system = compared[0][0].attacker.system
    return {
        "schema": "mathhammer-compare/1",
        "mathhammer": __version__,
        "system": system,
        "title": get_game(system).title,
        "method": options["method"],
        "trials": results[0].trials,
        "seed": results[0].seed,
        "rows": [
            row
            | {
                "slain_pmf": {str(value): chance for value, chance in matchup.result.slain.to_dict().items()},
                "damage_pmf": {str(value): chance for value, chance in matchup.harm.to_dict().items()},
                "funnel": dict(matchup.result.funnel),
                "aftermath": {name: pmf.mean() for name, pmf in matchup.result.aftermath.items()},
                "skipped": dict(matchup.result.skipped),
                "choices": dict(matchup.result.choices),
            }
            for matchup, row in compared
        ],
    }
