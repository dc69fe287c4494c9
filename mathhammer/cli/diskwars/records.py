"""Disks as players read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.cli.answer import Part
from mathhammer.games.records import records, same_name
from mathhammer.tables import Column, Table

TABLES = (  # file, table, what one record is called
    ("disks.toml", "disk", "disk"),
    ("disks.toml", "regiment", "regiment"),
)
REGIMENT_FIGURES = ("attack", "counter", "stamina", "toughness")
FIGURES = ("movement", "attack", "counter", "stamina", "toughness", "cost", "points", "command", "size")


def _disk_lines(fields: Mapping[str, Any]) -> list[Part]:
    traits = [word for word in ("hero", "unique", "elite") if fields.get(word)]
    known = [f"{figure} {fields[figure]}" for figure in FIGURES if figure in fields]
    unknown = [figure for figure in ("attack", "counter", "stamina") if figure not in fields]
    lines: list[Part] = [", ".join([*traits, *known])] if traits or known else []
    for profile in fields.get("ranged", []):
        words = [f"{profile['dice']} dice"] if "dice" in profile else []
        words += [f"strength {profile['strength']}"] if "strength" in profile else []
        words += [profile["damage_type"]] if "damage_type" in profile else []
        words += [f"{profile['range']} range"] if "range" in profile else []
        lines.append(f"ranged: {', '.join(words)}")
    lines += ["keywords: " + ", ".join(fields["keywords"])] if fields.get("keywords") else []
    return [*lines, f"not given: {', '.join(unknown)}"] if unknown else lines


def _regiment_lines(fields: Mapping[str, Any]) -> list[Part]:
    known = records("diskwars", "disks.toml", "disk")
    names = [fields["name"], *dict.fromkeys(fields["units"])]
    rows = []
    for name in names:
        disk = known.get(same_name(name), {})
        number = 1 if name == fields["name"] else fields["units"].count(name)
        rows.append((name, number, *(str(disk.get(figure, "-")) for figure in REGIMENT_FIGURES)))
    columns = [Column("Disk", 0), Column("Number", 1, right=True)]
    columns += [Column(f.capitalize(), 2 + n, right=True) for n, f in enumerate(REGIMENT_FIGURES)]
    cards = ", ".join(fields["commands"])
    return [Table(columns, rows), "", f"command cards: {cards}", "- is not known; the hero comes first"]


PROFILES = {"disk": _disk_lines, "regiment": _regiment_lines}
