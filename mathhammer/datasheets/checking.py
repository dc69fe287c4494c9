"""Checks datasheet files: every fault with its file and, where it is known, its line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mathhammer.datasheets.library import HEADER, parse, read_sheets
from mathhammer.datasheets.lines import placed, shown
from mathhammer.datasheets.reading import Fault, read_unit
from mathhammer.errors import MathhammerError, did_you_mean
from mathhammer.games.discovery import game_keys, get_game


def check_file(path: Path) -> list[Fault]:
    """Every fault of a datasheet file, each with its line; an empty list when it is right."""
    content = parse(path)
    text = path.read_text(encoding="utf-8")
    where = shown(path)
    if content.get("system") in game_keys() and get_game(content["system"]).records:
        return _check_records(path, content, text)
    faults = [
        Fault(where, f"{key} is missing (give it at the top of the file)")
        for key in HEADER
        if key not in content
    ]
    for key in content:
        if key not in (*HEADER, "unit"):
            faults.append(
                Fault(where, f"unknown field {key!r}{did_you_mean(key, (*HEADER, 'unit'))}", (key,))
            )
    system = content.get("system")
    if system not in game_keys():
        return [
            *faults,
            Fault(where, f"unknown system {system!r}{did_you_mean(str(system), game_keys())}", ("system",)),
        ]
    seen: dict[str, int] = {}
    units = list(read_sheets(path, system))
    if not units:
        faults.append(Fault(where, "holds no unit (write [[unit]])"))
    for sheet in units:
        _, found = read_unit(system, sheet.fields, ("unit", sheet.index))
        if sheet.name in seen:
            found.append(
                Fault(
                    sheet.name,
                    "is in this file twice (give each unit its own name)",
                    ("unit", sheet.index, "name"),
                )
            )
        seen[sheet.name] = sheet.index
        faults += [placed(fault, path, text) for fault in found]
    return faults


def _check_records(path: Path, content: Mapping[str, Any], text: str) -> list[Fault]:
    """The faults of a file whose game has records of other kinds than units."""
    where, checks = shown(path), get_game(content["system"]).records
    header = [key for key in HEADER if key != "faction"]
    faults = [
        Fault(where, f"{key} is missing (give it at the top of the file)")
        for key in header
        if key not in content
    ]
    for table, entries in content.items():
        if table in header:
            continue
        if table not in checks:
            faults.append(
                Fault(where, f"unknown field {table!r}{did_you_mean(table, (*header, *checks))}", (table,))
            )
        elif not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            faults.append(Fault(where, f"{table} must be a list of tables (write [[{table}]])", (table,)))
        else:
            names = [str(entry.get("name", f"a {table} without a name")) for entry in entries]
            for index, (name, entry) in enumerate(zip(names, entries, strict=True)):
                try:
                    checks[table](name, entry)
                except MathhammerError as error:
                    faults.append(
                        placed(Fault(name, str(error).removeprefix(f"{name}: "), (table, index)), path, text)
                    )
                if name in names[:index]:
                    twice = Fault(
                        name, "is in this file twice (give each record its own name)", (table, index, "name")
                    )
                    faults.append(placed(twice, path, text))
    if not any(table in content for table in checks):
        faults.append(
            Fault(where, f"holds no records (write {' or '.join(f'[[{table}]]' for table in checks)})")
        )
    return faults
