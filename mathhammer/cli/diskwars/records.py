"""Disks as players read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.cli.answer import Part

TABLES = (("disks.toml", "disk", "disk"),)  # file, table, what one record is called
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


PROFILES = {"disk": _disk_lines}
