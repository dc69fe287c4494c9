"""`mathhammer compare`: units against targets."""

from __future__ import annotations

from typing import Any

import click

from mathhammer._version import __version__
from mathhammer.cli.options import ManyTargets, fight_arguments, fight_options, find_units
from mathhammer.cli.output import FORMATS, as_json, as_markdown, print_table, progress, sparkline, write_text
from mathhammer.compare.matchups import COLUMNS, Matchup, matchups, rows_of, targets_of
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.tables import as_csv, as_table

SORTS = {
    "damage": "damage",
    "slain": "slain",
    "destroyed": "p_destroyed",
    "points": "damage_per_100",
    "name": "attacker",
}
HEADINGS = ("Attacker", "Target", "Damage", "Slain", "10/50/90 %", "Destroyed", "Per 100 pts", "Distribution")
FULL = ("Overkill", "Points removed", "Beats first", "Rank")
RIGHT = (False, False, True, True, True, True, True, False)


@click.command(cls=ManyTargets)
@click.argument("attackers", nargs=-1, required=True)
@click.option(
    "--vs",
    "targets",
    multiple=True,
    metavar="TARGET...",
    help="Targets; alone or left out: the reference targets.",
)
@click.option("--models", type=int, metavar="N", help="Size of the attacking units.")
@fight_options
@click.option(
    "--sort", type=click.Choice(list(SORTS)), help="Order of the rows, best first; as given if left out."
)
@click.option("--per-100-points", is_flag=True, help="Damage and slain for each 100 points of the attacker.")
@click.option(
    "--full",
    is_flag=True,
    help="Also overkill, points removed, chance to do more than the first attacker, rank.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout.")
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
    targets = find_units(options["targets"], attackers[0].system, own, "compare")
    if options["models"] is not None:
        attackers = [unit.with_models(options["models"]) for unit in attackers]
    how = fight_arguments("compare", attackers, options)
    struck = targets_of(attackers, targets, own)
    with progress("fighting") as tell:
        total = len(attackers) * len(struck)
        found: list[Matchup] = []
        for matchup in matchups(attackers, struck, **how):
            found.append(matchup)
            tell(len(found), total)
    for line in notes(found):
        click.echo(line, err=True)
    # set against the first attacker as given, whatever the order shown
    rows = list(zip(found, rows_of(found), strict=True))
    if options["sort"]:
        key = SORTS[options["sort"]]
        rows.sort(key=lambda pair: pair[1][key] if key == "attacker" else -(pair[1][key] or 0.0))
    emit(rows, options, attackers[0].system)
    if options["chart"]:
        from mathhammer.plots import plot_pmf, save_figure  # matplotlib only when asked for

        save_figure(plot_pmf(*[matchup.result for matchup in found]), options["chart"])


def notes(found: list[Matchup]) -> list[str]:
    """What a reader of the numbers should know, for stderr."""
    lines: dict[str, None] = {}
    for matchup in found:
        for weapon, reason in matchup.result.skipped.items():
            lines[f"{matchup.attacker.name}, {weapon}: does not attack {matchup.target.name}, {reason}"] = (
                None
            )
        for weapon, choice in matchup.result.choices.items():
            lines[
                (
                    f"{matchup.attacker.name}, {weapon}: {choice} chosen against {matchup.target.name}, the "
                    "highest mean damage"
                )
            ] = None
    return list(lines)


def emit(rows: list[tuple[Matchup, dict[str, Any]]], options: dict[str, Any], system: str) -> None:
    """Writes the rows in the wanted format."""
    found = [matchup for matchup, _ in rows]
    per_100 = options.get("per_100_points", False)
    if per_100 and any(not matchup.attacker.points for matchup in found):
        unpriced = next(m.attacker.name for m in found if not m.attacker.points)
        raise BadInputError(f"compare: {unpriced} has no points (drop --per-100-points)")
    form, output = options["form"], options["output"]
    if form == "json":
        write_text(as_json(document(rows, options, system)), output)
    elif form == "csv":
        write_text(as_csv(list(COLUMNS), [[row[c] for c in COLUMNS] for _, row in rows]), output)
    else:
        rows_of_text = [cells(matchup, per_100) for matchup in found]
        headings: tuple[str, ...] = HEADINGS
        right: tuple[bool, ...] = RIGHT
        if options.get("full"):
            headings, right = (
                (*HEADINGS[:-1], *FULL, HEADINGS[-1]),
                (*RIGHT[:-1], *[True] * len(FULL), RIGHT[-1]),
            )
            rows_of_text = [
                (*cut[:-1], *full_cells(row), cut[-1])
                for cut, (_, row) in zip(rows_of_text, rows, strict=True)
            ]
        if any("fled" in matchup.result.aftermath for matchup in found):  # the last column but the drawing
            headings, right = (*headings[:-1], "Fled", headings[-1]), (*right[:-1], True, right[-1])
            rows_of_text = [
                (*row[:-1], fled(matchup), row[-1]) for row, matchup in zip(rows_of_text, found, strict=True)
            ]
        if form == "md":
            write_text(as_markdown(headings, rows_of_text, right), output)
        elif output is not None:
            write_text(as_table(headings, rows_of_text, right), output)
        else:
            print_table(headings, rows_of_text, right)


def fled(matchup: Matchup) -> str:
    """Models that flee after the fight, where the game and the datasheet say so."""
    law = matchup.result.aftermath.get("fled")
    return "-" if law is None else f"{law.mean():.2f} ± {law.sd():.2f}"


def full_cells(row: dict[str, Any]) -> tuple[str, ...]:
    """The further columns of one row as people read them."""
    removed, more = row["points_removed"], row["p_more"]
    return (
        f"{row['overkill']:.2f}",
        "-" if removed is None else f"{removed:.1f}",
        "-" if more is None else f"{more:.1%}",
        str(row["rank"]),
    )


def cells(matchup: Matchup, per_100: bool) -> tuple[str, ...]:
    """One row as people read it."""
    row = matchup.row()
    scale = 100.0 / row["points"] if per_100 else 1.0
    error = f" ±{row['damage_se'] * scale:.1g} s.e." if row["damage_se"] else ""
    return (
        row["attacker"],
        row["target"],
        f"{row['damage'] * scale:.2f} ± {row['damage_sd'] * scale:.2f}{error}",
        f"{row['slain'] * scale:.2f} ± {row['slain_sd'] * scale:.2f}",
        f"{row['p10']}/{row['p50']}/{row['p90']}",
        f"{row['p_destroyed']:.1%}",
        "-" if row["damage_per_100"] is None else f"{row['damage_per_100']:.2f}",
        sparkline(matchup.harm),
    )


def document(
    rows: list[tuple[Matchup, dict[str, Any]]], options: dict[str, Any], system: str
) -> dict[str, Any]:
    """The whole comparison as JSON: every number, both distributions, and how they were made."""
    results = [matchup.result for matchup, _ in rows]
    return {
        "schema": "mathhammer-compare/1",
        "mathhammer": __version__,
        "system": system,
        "title": get_game(system).title,
        "method": options["method"],
        "trials": results[0].trials if results else None,
        "seed": results[0].seed if results else None,
        "rows": [
            row
            | {
                "slain_pmf": {str(value): chance for value, chance in matchup.result.slain.to_dict().items()},
                "damage_pmf": {str(value): chance for value, chance in matchup.harm.to_dict().items()},
                "funnel": dict(matchup.result.funnel),
                "aftermath": {name: law.mean() for name, law in matchup.result.aftermath.items()},
                "skipped": dict(matchup.result.skipped),
                "choices": dict(matchup.result.choices),
            }
            for matchup, row in rows
        ],
    }
