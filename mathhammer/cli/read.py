"""`mathhammer read`: what the rules text of an ability says, as effects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_files
from mathhammer.cli.options import answer_options
from mathhammer.cli.output import progress, remark, write_text
from mathhammer.cli.registering import command
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import listed_games
from mathhammer.rulestext import Reading, RulesText, read_rule
from mathhammer.rulestext.words import in_words
from mathhammer.tables import Column, Table
from mathhammer.text import clean

SHOWN = (
    Column("Changes", "change", prose=True),
    Column("On", "on", prose=True),
    Column("When", "when", prose=True),
    Column("Takes", "takes", prose=True, rank=1),
)
STATES = {
    "whole": "read whole",
    "part": "read in part",
    "unread": "not understood",
    "none": "changes no number of combat or dice",
}
LARGEST = 200_000_000  # bytes of a file of texts


@command("read", "What the text of an ability says, as effects.", rank=197)
@click.argument("text", metavar='"SENTENCE"|FILE.jsonl', shell_complete=complete_files)
@click.option(
    "--system", required=True, type=click.Choice(list(listed_games())), help="The game of the text."
)
@click.option("--kind", default="", help='What the catalogue calls it, e.g. "Ability (Spell)".')
@click.option("--timing", default="", help='When it is used, e.g. "Once Per Battle, Any Combat Phase".')
@click.option("--declare", default="", help="What is picked when it is used.")
@click.option("--keywords", default="", help="Keywords of the ability.")
@answer_options("table", "json")
def read(
    text: str,
    system: str,
    kind: str,
    timing: str,
    declare: str,
    keywords: str,
    form: str,
    output: str | None,
) -> None:
    """What the text of an ability says: what changes, on whom, when, what was not understood, and by which
    patterns of the grammar it was read.

    A file of JSON lines (id, text and, where there are any, name, type, timing, declare, keywords, more)
    gives a line for each reading: id, about, effects, rest.

    \b
    Example:
      mathhammer read "This unit has Ward (2+) if it charged this turn." --system aos4
    """
    if text.lower().endswith((".jsonl", ".json")) or Path(text[:200]).is_file():
        _file(Path(text), system, output)
        return
    if not text.strip():
        raise BadInputError("read: there is no text (give a sentence, or a file of JSON lines)")
    rule = RulesText(text, kind=kind, timing=timing, declare=declare, keywords=keywords)
    reading = read_rule(rule, system)
    Answer(
        parts=lambda: list(_parts(reading)),
        document=lambda: {"schema": "mathhammer-reading/1", **_document(reading)},
    ).write({"form": form, "output": output})


def _parts(reading: Reading) -> Iterator[Part]:
    about = {"combat": "about combat", "dice": "about other dice"}.get(reading.about, "")
    yield ", ".join(filter(None, (about, STATES[reading.state]))).capitalize()
    if reading.effects:
        yield Table(SHOWN, [in_words(effect) for effect in reading.effects])
    for words in reading.rest:
        yield f"not understood: {clean(words)}"
    if reading.productions:
        yield f"read by: {', '.join(reading.productions)}"


def _document(reading: Reading) -> dict[str, Any]:
    return {
        "about": reading.about,
        "effects": list(reading.effects),
        "rest": list(reading.rest),
        "productions": list(reading.productions),
    }


def _file(path: Path, system: str, output: str | None) -> None:
    """A file of texts: a reading a line, in its order."""
    rows = list(_rows(path))
    lines, states = [], dict.fromkeys(STATES, 0)
    with progress("reading") as tell:
        for number, (identity, rule) in enumerate(rows, 1):
            reading = read_rule(rule, system)
            states[reading.state] += 1
            row = {
                "id": identity,
                "about": reading.about,
                "effects": list(reading.effects),
                "rest": list(reading.rest),
            }
            lines.append(json.dumps(row, ensure_ascii=False))
            tell(number, len(rows))
    write_text("\n".join(lines), output)
    matter = states["whole"] + states["part"] + states["unread"]
    remark(
        f"{len(rows)} texts, {matter} of them about combat or dice: {states['whole']} read whole, "
        f"{states['part']} in part, {states['unread']} not"
    )


def _rows(path: Path) -> Iterator[tuple[Any, RulesText]]:
    """The texts of a file; an error names the line."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadInputError(f"{path}: too large (at most {LARGEST // 1_000_000} MB)")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise BadInputError(f"{path}: is not text (give JSON lines in UTF-8)") from None
    found = 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            found += 1
            yield _row(f"{path}:{number}", line)
    if not found:
        raise BadInputError(f"{path}: holds no texts (give a JSON object a line, with id and text)")


def _row(where: str, line: str) -> tuple[Any, RulesText]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise BadInputError(f"{where}: is not a JSON object (give one a line, with id and text)") from None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise BadInputError(f"{where}: has no text (give a JSON object with id and text)")
    names = {"name": "name", "type": "kind", "timing": "timing", "declare": "declare", "keywords": "keywords"}
    told = {field: row.get(key) or "" for key, field in names.items()}
    more = row.get("more") or {}
    if not all(isinstance(value, str) for value in told.values()) or not isinstance(more, dict):
        raise BadInputError(f"{where}: name, type, timing, declare and keywords are texts, more is an object")
    return row.get("id"), RulesText(
        row["text"], more={str(key): str(value) for key, value in more.items()}, **told
    )
