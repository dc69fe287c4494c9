"""`mathhammer coverage`: how much of the rules text of units is understood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from mathhammer.battlescribe.catalogues import game_of_folder, holds_catalogues
from mathhammer.battlescribe.convert import convert
from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_files
from mathhammer.cli.options import FORMATS, answer_options
from mathhammer.cli.output import progress
from mathhammer.cli.registering import command
from mathhammer.datasheets.library import TARGETS, parse, read_sheets
from mathhammer.datasheets.understood import Share, Understood, texts_of
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game, listed_games
from mathhammer.games.telling import clipped
from mathhammer.tables import Column, Table

SHOWN = (
    Column("Faction", "group"),
    Column("Units", "units", right=True, rank=2),
    Column("Combat", "combat", right=True),
    Column("Whole", "whole", right=True),
    Column("In part", "part", right=True),
    Column("Not read", "unread", right=True),
    Column("Share", lambda row: f"{row['share']:.0%}", right=True, rank=1),
    Column("Beside combat", "beside_combat", right=True, rank=3),
)
RECORDS = ("system", "group", "units", "combat", "whole", "part", "unread", "beside_combat", "share")
SENTENCES = (Column("Abilities", "abilities", right=True), Column("Not understood", "words", prose=True))
LONGEST = 200  # characters of a sentence in a table


top_option = click.option(
    "--top",
    type=click.IntRange(0, 1000),
    default=12,
    show_default=True,
    metavar="N",
    help="So many of the most frequent sentences that were not understood.",
)


@command("coverage", "How much of the rules text of units is understood.", rank=195)
@click.argument("folder", metavar="FOLDER", shell_complete=complete_files)
@top_option
@answer_options(*FORMATS)
def coverage(folder: str, top: int, form: str, output: str | None) -> None:
    """How many abilities about combat were read whole, in part or not at all, by faction.

    FOLDER holds datasheets that were imported, or catalogues (.gst and .cat). An ability that several units
    have counts once. Markdown has the numbers only, without a sentence.

    \b
    Example:
      mathhammer coverage tests/fixtures/bsdata/aos4
    """
    with progress("reading") as tell:
        found = dict(_found(Path(folder), tell))
    if not found:
        raise BadInputError(f"coverage: {folder} holds no units (give imported datasheets, or catalogues)")
    rows = [row for system, one in found.items() for row in understood_rows(one, system)]
    Answer(
        parts=lambda: list(_page(found) if form == "md" else _parts(found, top)),
        document=lambda: {
            "schema": "mathhammer-coverage/1",
            "systems": {system: understood_document(one, top) for system, one in found.items()},
        },
        records=lambda: (RECORDS, [[row[name] for name in RECORDS] for row in rows]),
    ).write({"form": form, "output": output})


def _found(folder: Path, tell: Any) -> Iterator[tuple[str, Understood]]:
    """What a folder holds, by game: catalogues, or datasheets; or folders of them with the keys of games."""
    if folder.is_file() or (folder.is_dir() and holds_catalogues(folder)):
        system = game_of_folder(folder)
        yield system, convert(folder, system, tell).abilities
        return
    if not folder.is_dir():
        raise BadInputError(f"coverage: {folder} is not a folder (give imported datasheets, or catalogues)")
    for system in listed_games():
        if (folder / system).is_dir() and holds_catalogues(folder / system):
            yield system, convert(folder / system, system, tell).abilities
        elif (one := _of_datasheets(folder, system)).units:
            yield system, one


def _of_datasheets(folder: Path, system: str) -> Understood:
    paths = sorted((folder / system).glob("*.toml")) or [
        path for path in sorted(folder.glob("*.toml")) if parse(path).get("system") == system
    ]
    found = Understood()
    for path in paths:
        for sheet in read_sheets(path, system) if path.name != TARGETS else ():
            found.add(sheet.faction, sheet.unit(), texts_of(sheet.fields))
    return found


def understood_rows(found: Understood, system: str = "") -> list[dict[str, Any]]:
    """A row for each faction that has abilities about combat, the least understood last."""
    rows = [
        {"system": system, "group": group, "units": found.units[group], **found.share(group).to_dict()}
        for group in found.groups
        if found.share(group).all
    ]
    return sorted(rows, key=lambda row: (-row["share"], row["group"]))


def share_line(share: Share) -> str:
    """The total in words.

    >>> share_line(Share())
    'no abilities about combat'
    """
    if not share.all:
        return "no abilities about combat" + (f"; {share.beside} about other things" if share.beside else "")
    return f"abilities about combat: {share} ({share.share:.0%} whole); {share.beside} are about other things"


def understood_document(found: Understood, top: int) -> Mapping[str, Any]:
    """The numbers for programs, and the sentences."""
    return {
        "total": found.total.to_dict(),
        "groups": [
            {key: value for key, value in row.items() if key != "system"} for row in understood_rows(found)
        ],
        "not_understood": [
            {"words": words, "abilities": number} for words, number in found.unread.most_common(top)
        ],
    }


def _parts(found: Mapping[str, Understood], top: int) -> Iterator[Part]:
    for number, (system, one) in enumerate(found.items()):
        yield from [""] if number else []
        yield get_game(system).title
        yield from understood_parts(one, top, SHOWN)


def _page(found: Mapping[str, Understood]) -> Iterator[Part]:
    """The numbers as a page of their own."""
    yield "# How much of the rules text is understood"
    yield (
        "Abilities of units in catalogues of others, as this version reads them. An ability counts once "
        "in a faction, and once in the total, however many units have it."
    )
    for system, one in found.items():
        yield f"## {get_game(system).title}"
        yield from understood_parts(one, 0, SHOWN)
        yield ""


def understood_parts(found: Understood, top: int, columns: tuple[Column, ...]) -> Iterator[Part]:
    """The total, a row for each faction, and the sentences that stand in most abilities."""
    yield share_line(found.total)
    if rows := understood_rows(found):
        yield Table(columns, rows)
    if top and (unread := found.unread.most_common(top)):
        yield ""
        yield Table(
            SENTENCES,
            [{"abilities": number, "words": clipped(words, LONGEST)} for words, number in unread],
        )
