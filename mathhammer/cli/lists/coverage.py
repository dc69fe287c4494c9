"""`mathhammer list coverage`: how much of the rules of a list counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_files
from mathhammer.cli.coverage import SHOWN, top_option, understood_document, understood_parts
from mathhammer.cli.list_files import open_lists
from mathhammer.cli.lists.show import known_line
from mathhammer.cli.options import answer_options, datasheets_option
from mathhammer.lists.coverage import abilities_of_list
from mathhammer.lists.loading import LoadedList
from mathhammer.tables import Column

OF_UNITS = (Column("Unit", "group"), *SHOWN[1:])


@click.command()
@click.argument("file", shell_complete=complete_files)
@top_option
@datasheets_option
@answer_options("table", "json", "md")
def coverage(file: str, top: int, datasheets: str | None, form: str, output: str | None) -> None:
    """How many abilities about combat of a list's units were read whole, in part, or not at all.

    \b
    Example:
      mathhammer list coverage tests/fixtures/rosters/kilns.ros
    """
    lists = open_lists(file, datasheets)
    Answer(
        parts=lambda: [part for one in lists for part in _parts(one, top)],
        document=lambda: {
            "schema": "mathhammer-list-coverage/1",
            "lists": [_document(one, top) for one in lists],
        },
    ).write({"form": form, "output": output})


def _parts(one: LoadedList, top: int) -> Iterator[Part]:
    yield from known_line(one)
    yield from understood_parts(abilities_of_list(one.roster), top, OF_UNITS)


def _document(one: LoadedList, top: int) -> dict[str, Any]:
    return {
        "name": one.roster.name,
        "system": one.roster.system,
        "coverage": one.coverage.to_dict(),
        "abilities": understood_document(abilities_of_list(one.roster), top),
    }
