"""Catalogues of any shape, built where they are read."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import mathhammer as mh
from mathhammer.battlescribe.convert import Report, convert
from mathhammer.battlescribe.profiles import game_ids

IDS = {system: identity for identity, system in game_ids().items()}
BODY = {"M": '6"', "T": "4", "SV": "4+", "W": "1", "LD": "7+", "OC": "2"}
BLADE = {"Range": "Melee", "A": "2", "WS": "3+", "S": "4", "AP": "0", "D": "1"}
GUARD = {"Move": '5"', "Health": "2", "Save": "4+", "Control": "1"}
PICK = {"Atk": "2", "Hit": "4+", "Wnd": "4+", "Rnd": "-", "Dmg": "1"}


def profile(name: str, kind: str, values: dict[str, str], identity: str = "") -> str:
    rows = "".join(f'<characteristic name="{key}">{value}</characteristic>' for key, value in values.items())
    return f'<profile name="{name}" typeName="{kind}" id="{identity}"><characteristics>{rows}</characteristics></profile>'


def blade(name: str = "Blade", **values: str) -> str:
    return profile(name, "Melee Weapons", BLADE | values)


def entry(
    name: str,
    kind: str,
    *inside: str,
    profiles: str = "",
    least: object = "",
    most: object = "",
    more: str = "",
    **attributes: str,
) -> str:
    """An entry with entries inside; `least` and `most` are how many of it there may be."""
    limits = "".join(
        f'<constraint type="{kind}" value="{value}" field="selections" scope="parent"/>'
        for kind, value in (("min", least), ("max", most))
        if value != ""
    )
    tag = "selectionEntryGroup" if kind == "group" else "selectionEntry"
    words = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<{tag} name="{name}" type="{kind}"{words}><profiles>{profiles}</profiles><constraints>{limits}</constraints>{more}{below(inside)}</{tag}>'


def below(inside: tuple[str, ...]) -> str:
    groups = "".join(each for each in inside if each.startswith("<selectionEntryGroup"))
    links = "".join(each for each in inside if each.startswith("<entryLink"))
    entries = "".join(each for each in inside if each.startswith("<selectionEntry "))
    return f"<selectionEntries>{entries}</selectionEntries><selectionEntryGroups>{groups}</selectionEntryGroups><entryLinks>{links}</entryLinks>"


def converted(folder: Path, *units: str, system: str = "wh40k10", shared: str = "") -> Report:
    """The report of a catalogue with these units."""
    entries = f"<selectionEntries>{''.join(units)}</selectionEntries>"
    for file, tag, inside in (("g.gst", "gameSystem", ""), ("c.cat", "catalogue", entries + shared)):
        identity = f'id="{IDS[system]}"' if tag == "gameSystem" else f'id="c" gameSystemId="{IDS[system]}"'
        (folder / file).write_text(f'<{tag} name="C" {identity}>{inside}</{tag}>', encoding="utf-8")
    return convert(folder, system)


def made(
    folder: Path, *inside: str, profiles: str = "", more: str = "", shared: str = "", system: str = "wh40k10"
) -> dict[str, Any]:
    """The datasheet of one unit with a body and what is inside it; a good one, or the test fails."""
    body = profile("Wardens", "Unit", BODY if system == "wh40k10" else GUARD)
    report = converted(
        folder,
        entry("Wardens", "unit", *inside, profiles=body + profiles, more=more, id="u"),
        system=system,
        shared=shared,
    )
    (text,) = report.files.values()
    (unit,) = tomllib.loads(text)["unit"]
    mh.make_unit(system, {key: value for key, value in unit.items() if key != "source"})
    return unit | {"problems": report.problems}


def carried(unit: dict[str, Any]) -> dict[str, tuple[int | None, bool]]:
    return {
        weapon["name"]: (weapon.get("models"), weapon.get("optional", False))
        for weapon in unit.get("weapon", [])
    }
