"""`mathhammer check` and `mathhammer schema`: datasheets of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from mathhammer.cli.completion import complete_files
from mathhammer.cli.output import as_json, remark, say
from mathhammer.cli.registering import command
from mathhammer.datasheets.checking import check_file, file_notes
from mathhammer.datasheets.json_schema import json_schema
from mathhammer.errors import MathhammerError
from mathhammer.games.discovery import game_keys


@command("check", "Validate datasheet files.", rank=210)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete_files)
def check(files: tuple[str, ...]) -> int:
    """Validate datasheet files: every fault with file, line and what would be right.

    \b
    Example:
      mathhammer check datasheets/aos4/skaven.toml
    """
    wrong = 0
    for name in files:
        try:
            faults = [str(fault) for fault in check_file(Path(name))]
            for note in file_notes(Path(name)):
                remark(f"note: {note}")
        except MathhammerError as error:
            faults = [str(error)]
        wrong += len(faults)
        for fault in faults:
            say(fault)
    counted = f"{len(files)} {'file' if len(files) == 1 else 'files'}"
    remark(f"{counted}, {wrong} {'fault' if wrong == 1 else 'faults'}")
    return 1 if wrong else 0


@command("schema", "The JSON Schema of a game's datasheets, for editors.", rank=220)
@click.argument("system", type=click.Choice(game_keys()))
def schema(system: str) -> None:
    """The JSON Schema of a game's datasheets, for editors that complete and check TOML.

    \b
    Example:
      mathhammer schema aos4 > aos4.schema.json
    """
    click.echo(as_json(json_schema(system)))
