"""`mathhammer list report`: what an army list does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from mathhammer._version import __version__
from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_files
from mathhammer.cli.list_files import open_list
from mathhammer.cli.lists.asking import how_of, list_document, list_head, list_options
from mathhammer.cli.options import ManyTargets, answer_options, find_units, targets_option
from mathhammer.cli.output import progress
from mathhammer.lists.army import army_values, carriers, damage_rows, lacks
from mathhammer.lists.durability import health_rows
from mathhammer.lists.telling import list_conditions
from mathhammer.tables import Column, Table

SHARES = (
    Column("Unit", 0),
    Column("Of the damage", lambda row: f"{row[1]:.0%}", right=True),
    Column("Of the points", lambda row: f"{row[2]:.0%}", right=True),
    Column("", lambda row: verdict(row[1], row[2])),
)


@click.command(cls=ManyTargets)
@click.argument("file", shell_complete=complete_files)
@targets_option()
@list_options
@answer_options("table", "json", "md")
def report(**options: Any) -> None:
    """What a list does: damage of each unit by phase, durability, who carries it, and what it lacks.

    \b
    Examples:
      mathhammer list report tests/fixtures/rosters/kilns.ros
      mathhammer list report tests/fixtures/rosters/kilns.ros --situation charged --vs "10 Liberators" Monster
    """
    one = open_list(options["file"], options["datasheets"])
    army = one.army(auras=not options["no_auras"])
    how = how_of(army.system, options)
    targets = find_units(options["targets"], army.system, options["datasheets"], "list") or None
    with progress("working") as tell:
        values = army_values(army, targets, **how)
        tell(1, 2)
        health = health_rows(army)
        tell(2, 2)
    damage, shares = damage_rows(values), carriers(values)
    judged = one.coverage.enough or options["anyway"]
    gaps = lacks(values) if judged else []

    def document() -> dict[str, Any]:
        named = [
            {"unit": name, "share_of_damage": done, "share_of_points": paid} for name, done, paid in shares
        ]
        about: dict[str, Any] = {
            "schema": "mathhammer-list-report/1",
            "mathhammer": __version__,
            "system": army.system,
        }
        about |= list_document(one, army) | {"conditions": {"text": list_conditions(army, how)}}
        about |= {name: list(words) for name, words in how.items()}
        numbers = {"damage": damage, "health": health, "carriers": named}
        return about | numbers | {"lacks": gaps if judged else None}

    def parts() -> list[Part]:
        whom = "these targets" if targets else "the reference targets"
        verdict = gaps or [f"None of {whom} is without an answer."]
        return [
            *list_head([one], [army], how),
            "",
            f"Mean damage of one action against {whom}",
            damage_table(damage),
            "",
            "Wounding hits that it takes to destroy the unit, by Rend or AP and by Damage",
            health_table(health),
            "",
            f"Who carries the list: share of the points removed from {whom}, and of the list's points",
            Table(SHARES, shares),
            "",
            *(verdict if judged else [one.coverage.refusal()]),
        ]

    Answer(parts, document).write(options)


def verdict(done: float, paid: float) -> str:
    """Whether a unit does clearly more, or clearly less, than its share of the points."""
    return "carries" if done > 1.25 * paid else "lags" if done < 0.75 * paid else ""


def damage_table(rows: Sequence[dict[str, Any]]) -> Table:
    """Units and kinds of attack against the targets, with a total for each kind."""
    targets = list(dict.fromkeys(row["target"] for row in rows))
    groups = [rows[start : start + len(targets)] for start in range(0, len(rows), len(targets) or 1)]
    lines = [
        (group[0]["unit"], group[0]["kind"], *(f"{row['damage']:.1f}" for row in group)) for group in groups
    ]
    for kind in dict.fromkeys(group[0]["kind"] for group in groups):
        same = [group for group in groups if group[0]["kind"] == kind]
        sums = [sum(group[place]["damage"] for group in same) for place in range(len(targets))]
        lines.append(("Total", kind, *(f"{total:.1f}" for total in sums)))
    columns = [Column(target, place, right=True) for place, target in enumerate(targets, 2)]
    return Table([Column("Unit", 0), Column("Kind", 1), *columns], lines, stacked=2)


def health_table(rows: Sequence[dict[str, Any]]) -> Table:
    """Hits to destroy each unit: all piercing at Damage 1, then all other damage at piercing 1."""
    kinds = list(dict.fromkeys((row["pierce"], row["damage"]) for row in rows))
    shown = [kind for kind in kinds if kind[1] == 1] + [
        kind for kind in kinds if kind[0] == 1 and kind[1] != 1
    ]
    lines = []
    for start in range(0, len(rows), len(kinds)):
        hits = {(row["pierce"], row["damage"]): row["hits"] for row in rows[start : start + len(kinds)]}
        lines.append((rows[start]["unit"], rows[start]["health"], *(f"{hits[kind]:.1f}" for kind in shown)))
    columns = [
        Column(f"-{pierce} D{damage}".replace("DD", "D"), place, right=True)
        for place, (pierce, damage) in enumerate(shown, 2)
    ]
    return Table([Column("Unit", 0), Column("Health", 1, right=True), *columns], lines, stacked=1)
