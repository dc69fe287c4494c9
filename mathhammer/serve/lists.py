"""Army lists on the page: coverage and report of one, heat maps of two, what is behind each cell."""

from __future__ import annotations

import binascii
import shlex
from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer._version import __version__
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.games.discovery import attacks_of
from mathhammer.games.words import command_named, flag_named
from mathhammer.lists.readers import read_roster
from mathhammer.report.cells import PageTable
from mathhammer.report.grid import BestAttack, Grid
from mathhammer.report.heat import numbered
from mathhammer.report.parts import Report, report_parts
from mathhammer.serve.fields import Field, read_fields
from mathhammer.serve.limits import MOST_LIST_WOUNDS, bounded, time_limit
from mathhammer.serve.taking import lists_csv, lists_markdown
from mathhammer.serve.wording import report_in_page_words
from mathhammer.units.roster import Roster

MOST_BYTES = 2_000_000  # of one file
MOST_UNITS = 80  # of one list
LEAST_CHANCE = 0.0005  # of a bar that is drawn
FIELDS = (
    Field("list", "data", "The file of a list, or its text, in base64."),
    Field("other", "data", "A second list, against which the first one fights."),
    Field("names", "texts", "The names of their files, for the command line.", (), most=2),
    Field("situation", "texts", "Situations of all attacks, such as charged.", ()),
    Field("commands", "texts", "Commands in use in all attacks.", ()),
    Field("auras", "flag", "Units are in reach of their friends' auras.", True),
    Field("anyway", "flag", "A verdict also where less than 90 % of a list's points are known.", False),
)
REQUIRED = ("list",)
WHERE = "list"


def answer_lists(question: Mapping[str, Any]) -> dict[str, Any]:
    """The report of one list, or of two lists against each other, as JSON.

    >>> from base64 import b64encode
    >>> rats = b'system = "aos4"\\n[[regiment]]\\n[[regiment.unit]]\\nname = "Clanrats"\\n'
    >>> answer_lists({"list": b64encode(rats).decode()})["lists"][0]["known"]
    ['1 of 1 unit has a datasheet']
    """
    fields = read_fields(WHERE, FIELDS, question)
    if fields["list"] is None:
        raise BadInputError(f"{WHERE}: no list (give the bytes of its file in base64)")
    given = [fields["list"], *([fields["other"]] if fields["other"] is not None else [])]
    rosters = [roster_of(data) for data in given]
    attacks = attacks_of(rosters[0].system, WHERE)
    how: dict[str, Any] = {
        "situation": tuple(flag_named(attacks, word, WHERE) for word in fields["situation"]),
        "commands": tuple(command_named(attacks, word, WHERE) for word in fields["commands"]),
    }
    used = {name: words for name, words in how.items() if words}
    parts = report_in_page_words(
        report_parts(rosters, used, auras=fields["auras"], anyway=fields["anyway"], tell=time_limit())
    )
    return document(parts, rosters[0].system) | {
        "csv": lists_csv(parts),
        "markdown": lists_markdown(parts),
        "command": command_line(fields),
    }


def command_line(fields: Mapping[str, Any]) -> str:
    """The `mathhammer` command that makes a page of the same report, once the files are at hand.

    >>> command_line(read_fields(WHERE, FIELDS, {"list": "", "names": ["my list.ros"], "auras": False}))
    "mathhammer report 'my list.ros' --no-auras -o report.html"
    """
    usual = ["list.txt"] if fields["other"] is None else ["list.txt", "other.txt"]
    words = ["mathhammer", "report", *(fields["names"] or usual)]
    words += [word for flag in fields["situation"] for word in ("--situation", flag)]
    words += [word for command in fields["commands"] for word in ("--command", command)]
    words += [] if fields["auras"] else ["--no-auras"]
    words += ["--anyway"] if fields["anyway"] else []
    return shlex.join([*words, "-o", "report.html"])


def roster_of(data: str) -> Roster:
    """The list in an upload, within the limits of a page.

    >>> roster_of("not base64!")
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: list: the file is not base64 (send its bytes in base64)
    """
    try:
        content = b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise BadInputError(f"{WHERE}: the file is not base64 (send its bytes in base64)") from None
    if not content.strip():
        raise BadInputError(f"{WHERE}: the file is empty (export the list again)")
    if len(content) > MOST_BYTES:
        raise TooLargeError(f"{WHERE}: the file is larger than {MOST_BYTES // 10**6} MB (no real list is)")
    roster = read_roster(content)
    if len(roster.entries) > MOST_UNITS:
        raise TooLargeError(f"{WHERE}: {len(roster.entries)} units (at most {MOST_UNITS} on the page)")
    units = [entry.unit for entry in roster.entries if entry.unit is not None]
    bounded(units)
    if (wounds := sum(unit.health for unit in units)) > MOST_LIST_WOUNDS:
        raise TooLargeError(f"{WHERE}: {wounds} wounds (at most {MOST_LIST_WOUNDS} on the page)")
    return roster


def document(parts: Report, system: str) -> dict[str, Any]:
    """A report as JSON."""
    return {
        "schema": "mathhammer-lists/1",
        "mathhammer": __version__,
        "system": system,
        "title": parts.title,
        "conditions": parts.source,
        "verdict": list(parts.verdict),
        "lists": [{**one, "units": table_document(one["units"])} for one in parts.lists],
        "maps": [map_document(grid) for grid in parts.grids],
        "tables": [table_document(table) for table in parts.trade],
        "lasting": [
            {
                "name": one["name"],
                "tables": [table_document(one["carriers"]), table_document(one["hits"])],
                "lacks": list(one["lacks"]),
            }
            for one in parts.lasting
        ],
    }


def table_document(table: PageTable) -> dict[str, Any]:
    """A table as JSON: cells are their text, and for numbers what they are sorted by.

    >>> from mathhammer.report.cells import page_table
    >>> table_document(page_table("points", ["Unit", "Points"], [["Rats", None]]))["rows"]
    [[['Rats', None], ['-', None]]]
    """
    rows: list[list[list[Any]]] = [
        [[cell.text, cell.sort_by if cell.text != "-" else None] for cell in row] for row in table.rows
    ]
    return {"name": table.name, "columns": list(table.columns), "rows": rows}


def map_document(grid: Grid) -> dict[str, Any]:
    """A heat map as JSON, every cell with its distribution."""
    return {
        "title": grid.title,
        "what": grid.what,
        "points": grid.points,
        "columns": [numbered(*column) for column in grid.columns],
        "rows": [numbered(*row) for row in grid.rows],
        "cells": [_cells(grid, row) for row in grid.cells],
    }


def _cells(grid: Grid, row: Sequence[BestAttack]) -> list[dict[str, Any]]:
    return [
        cell_document(grid, attack, column[0].health)
        for attack, column in zip(row, grid.columns, strict=True)
    ]


def cell_document(grid: Grid, attack: BestAttack, health: int) -> dict[str, Any]:
    """One cell: its value and what is behind it, or why there is nothing."""
    if attack.result is None:
        return {"value": None, "why": attack.why, "kind": attack.kind}
    lost, slain = attack.result.lost, attack.result.slain
    chances = [round(float(chance), 6) for chance in lost.probs]
    while len(chances) > 1 and chances[-1] < LEAST_CHANCE:
        chances.pop()
    return {
        "value": attack.value,
        "share": attack.value / grid.most,
        "kind": attack.kind,
        "health": health,
        "lost": lost.mean(),
        "lost_sd": lost.sd(),
        "tenths": [lost.quantile(share) for share in (0.1, 0.5, 0.9)],
        "slain": slain.mean(),
        "p_destroyed": attack.result.p_destroyed,
        "chances": chances,
    }
