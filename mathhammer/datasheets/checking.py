"""Checks datasheet files: every fault with its file and, where it is known, its line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mathhammer.datasheets.library import HEADER, parse, read_sheets
from mathhammer.datasheets.lines import placed, shown
from mathhammer.datasheets.reading import read_unit
from mathhammer.datasheets.values import Fault, FieldReader
from mathhammer.errors import MathhammerError, did_you_mean
from mathhammer.games.discovery import game_keys, get_game
from mathhammer.games.game import RecordKind

ADVISED = {  # what a file works without
    "source": "where the figures come from",
    "checked": "the day they were looked up",
}


def file_notes(path: Path) -> list[str]:
    """What a file should say of itself and does not; every command uses it all the same."""
    content = parse(path)
    return [
        f"{shown(path)}: {key} is missing ({what})" for key, what in ADVISED.items() if key not in content
    ]


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
        if key not in content and key not in ADVISED
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
        _, wrong = read_unit(system, sheet.fields, ("unit", sheet.index))
        if sheet.name in seen:
            wrong.append(
                Fault(
                    sheet.name,
                    "is in this file twice (give each unit its own name)",
                    ("unit", sheet.index, "name"),
                )
            )
        seen[sheet.name] = sheet.index
        faults += [placed(fault, path, text) for fault in wrong]
    return faults


def _check_records(path: Path, content: Mapping[str, Any], text: str) -> list[Fault]:
    """The faults of a file whose game has records of other kinds than units."""
    where, kinds = shown(path), get_game(content["system"]).records
    header = [key for key in HEADER if key != "faction"]
    faults = [
        Fault(where, f"{key} is missing (give it at the top of the file)")
        for key in header
        if key not in content and key not in ADVISED
    ]
    for table, entries in content.items():
        if table in header:
            continue
        if table not in kinds:
            faults.append(
                Fault(where, f"unknown field {table!r}{did_you_mean(table, (*header, *kinds))}", (table,))
            )
        elif not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            faults.append(Fault(where, f"{table} must be a list of tables (write [[{table}]])", (table,)))
        else:
            faults += [placed(fault, path, text) for fault in _check_table(table, entries, kinds[table])]
    if not any(table in content for table in kinds):
        faults.append(
            Fault(where, f"holds no records (write {' or '.join(f'[[{table}]]' for table in kinds)})")
        )
    return faults


def _check_table(table: str, entries: Sequence[Mapping[str, Any]], kind: RecordKind) -> list[Fault]:
    """The faults of all records of one kind."""
    faults: list[Fault] = []
    names = [str(entry.get("name", f"a {table} without a name")) for entry in entries]
    for index, (name, entry) in enumerate(zip(names, entries, strict=True)):
        faults += check_record(name, entry, kind, (table, index))
        if name in names[:index]:
            twice = "is in this file twice (give each record its own name)"
            faults.append(Fault(name, twice, (table, index, "name")))
    return faults


def check_record(
    where: str, record: Mapping[str, Any], kind: RecordKind, path: tuple[str | int, ...] = ()
) -> list[Fault]:
    """Every fault of one record; where each field is right by itself, also what does not fit together."""
    reader = FieldReader()
    reader.take(record, kind.fields, (), where, path)
    if not reader.faults and kind.relations is not None:
        try:
            kind.relations(where, record)
        except MathhammerError as error:
            reader.fault(where, str(error).removeprefix(f"{where}: "), path)
    return reader.faults
