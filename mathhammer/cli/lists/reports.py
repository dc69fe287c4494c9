"""`mathhammer list report` and `mathhammer list compare`: what army lists do."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.output import as_json, as_markdown, progress, write_text
from mathhammer.lists.army import Army, army_of, carriers, damage_rows, lacks
from mathhammer.lists.attached import fighting_units
from mathhammer.lists.durability import health_rows
from mathhammer.lists.exchange import Exchange, assignment, exchange, summary
from mathhammer.lists.readers import read_rosters
from mathhammer.tables import as_table

FORMATS = ("table", "json", "md")


def army(file: str, datasheets: str | None) -> Army:
    """The first list of a file as an army; what has no profile is named on stderr."""
    roster = read_rosters(file, datasheets=datasheets)[0]
    for name in roster.missing:
        click.echo(f"missing: {name}", err=True)
    return army_of(fighting_units(roster), roster.name or roster.faction or file)


@click.command()
@click.argument("file")
@click.option("--datasheets", metavar="DIR", help="Your own datasheets; they win over the shipped ones.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout.")
def report(file: str, datasheets: str | None, form: str, output: str | None) -> None:
    """What a list does: damage of each unit by phase, durability, who carries it, and what it lacks.

    \b
    Example:
      mathhammer list report tests/fixtures/rosters/kilns.ros
    """
    mine = army(file, datasheets)
    with progress("working") as tell:
        damage = damage_rows(mine)
        tell(1, 3)
        health = health_rows(mine)
        tell(2, 3)
        carrying, lacking = carriers(mine), lacks(mine)
        tell(3, 3)
    if form == "json":
        shares = [
            {"unit": name, "share_of_damage": done, "share_of_points": paid} for name, done, paid in carrying
        ]
        content = {"damage": damage, "health": health, "carriers": shares, "lacks": lacking}
        write_text(
            as_json(
                {"schema": "mathhammer-list-report/1", "system": mine.system, "points": mine.points} | content
            ),
            output,
        )
        return
    table = as_markdown if form == "md" else as_table
    parts = [f"{mine.name}: {len(mine.units)} units, {mine.points} points", ""]
    parts += [*_damage_lines(damage, table), "", *_health_lines(health, table)]
    parts += [
        "",
        (
            "Who carries the list: share of all points that its units remove from the reference "
            "targets, and share of its points"
        ),
    ]
    verdicts = [
        "carries" if done > 1.25 * paid else "lags" if done < 0.75 * paid else ""
        for _, done, paid in carrying
    ]
    rows = [
        (name, f"{done:.0%}", f"{paid:.0%}", word)
        for (name, done, paid), word in zip(carrying, verdicts, strict=True)
    ]
    parts.append(table(("Unit", "Of the damage", "Of the points", ""), rows, (False, True, True, False)))
    parts += ["", *(lacking or ["No reference target is without an answer."])]
    write_text("\n".join(parts), output)


def _damage_lines(rows: list[dict[str, Any]], table: Any) -> list[str]:
    targets = list(dict.fromkeys(row["target"] for row in rows))
    lines = ["Mean damage of one action against the reference targets"]
    places: dict[tuple[int, str], list[dict[str, Any]]] = {}
    for place, row in enumerate(rows):
        places.setdefault((place // len(targets), row["kind"]), []).append(row)
    text = [
        (group[0]["unit"], kind, *(f"{row['damage']:.1f}" for row in group))
        for (_, kind), group in places.items()
    ]
    for kind in dict.fromkeys(kind for _, kind in places):
        groups = [group for (_, own), group in places.items() if own == kind]
        text.append(
            (
                "Total",
                kind,
                *(f"{sum(group[t]['damage'] for group in groups):.1f}" for t in range(len(targets))),
            )
        )
    return [*lines, table(("Unit", "Kind", *targets), text, (False, False, *[True] * len(targets)))]


def _health_lines(rows: list[dict[str, Any]], table: Any) -> list[str]:
    kinds = list(dict.fromkeys((row["pierce"], row["damage"]) for row in rows))
    shown = [kind for kind in kinds if kind[1] == 1] + [
        kind for kind in kinds if kind[0] == 1 and kind[1] != 1
    ]
    head = ("Unit", "Health", *(f"-{pierce} D{damage}".replace("DD", "D") for pierce, damage in shown))
    text = []
    for start in range(0, len(rows), len(kinds)):
        group = {(row["pierce"], row["damage"]): row for row in rows[start : start + len(kinds)]}
        first = rows[start]
        text.append((first["unit"], str(first["health"]), *(f"{group[kind]['hits']:.1f}" for kind in shown)))
    title = "Wounding hits that it takes to destroy the unit, by Rend or AP and by Damage"
    return [title, table(head, text, (False, True, *[True] * len(shown)))]


@click.command()
@click.argument("file_a")
@click.argument("file_b")
@click.option("--datasheets", metavar="DIR", help="Your own datasheets; they win over the shipped ones.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout.")
def compare(file_a: str, file_b: str, datasheets: str | None, form: str, output: str | None) -> None:
    """Two lists against each other: points removed both ways, who should attack whom, and what striking first
    is worth.

    \b
    Example:
      mathhammer list compare tests/fixtures/rosters/kilns.ros tests/fixtures/rosters/kilns.ros
    """
    found = exchange(army(file_a, datasheets), army(file_b, datasheets))
    if form == "json":
        write_text(as_json(document(found)), output)
        return
    table = as_markdown if form == "md" else as_table
    parts: list[str] = []
    for mine, other, removed, destroyed in (
        (found.a, found.b, found.a_on_b, found.a_destroys),
        (found.b, found.a, found.b_on_a, found.b_destroys),
    ):
        names = [unit.name for unit in other.units]
        rows = [(unit.name, *(f"{cell:.0f}" for cell in removed[i])) for i, unit in enumerate(mine.units)]
        parts.append(f"{mine.name}: mean points removed by one action of each unit")
        parts += [table(("Unit", *names), rows, (False, *[True] * len(names))), ""]
        pairs = assignment(removed, other)
        best = [
            (mine.units[i].name, names[j], f"{removed[i, j]:.0f}", f"{destroyed[i, j]:.0%}") for i, j in pairs
        ]
        parts += [
            "Best assignment",
            table(("Attacker", "Target", "Points removed", "Destroyed"), best, (False, False, True, True)),
            "",
        ]
    parts.append(summary(found))
    write_text("\n".join(parts), output)


def document(found: Exchange) -> dict[str, Any]:
    """The comparison as JSON."""
    sides = {}
    for side, mine, other, removed, destroyed in (
        ("a", found.a, found.b, found.a_on_b, found.a_destroys),
        ("b", found.b, found.a, found.b_on_a, found.b_destroys),
    ):
        sides[side] = {
            "name": mine.name,
            "points": mine.points,
            "units": [unit.name for unit in mine.units],
            "points_removed": removed.tolist(),
            "p_destroyed": destroyed.tolist(),
            "assignment": [list(pair) for pair in assignment(removed, other)],
        }
    return {
        "schema": "mathhammer-list-compare/1",
        "system": found.a.system,
        **sides,
        "summary": summary(found),
    }
