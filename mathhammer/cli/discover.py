"""`mathhammer situations`, `mathhammer commands` and `mathhammer options`: the words that a game knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from mathhammer.cli.answer import Answer
from mathhammer.cli.options import FORMATS, answer_options
from mathhammer.cli.registering import command
from mathhammer.games.discovery import attacks_of, game_keys, get_game
from mathhammer.games.game import Attacks
from mathhammer.games.telling import command_text, flag_text
from mathhammer.games.words import OTHER_SIDE, commands_of, defensive
from mathhammer.tables import Column, Table

Row = tuple[str, str, str, str, str]
OPTION_COLUMNS = (
    Column("Option", 1),
    Column("Default", 2),
    Column("What it means", 3, prose=True),
    Column("Or", 4),
    Column("Then", 5, prose=True),
    Column("Rule", 6, rank=1),
    Column("System", 0, rank=2),
)
RECORDS = ("system", "name", "key", "of", "what")


def _table(heading: str) -> tuple[Column, ...]:
    return (
        Column(heading, 1),
        Column("Of", 3, rank=1),
        Column("What it means", 4, prose=True),
        Column("System", 0, rank=2),
    )


@command("situations", "The situations of a game: charged, target in cover and so on.", rank=92)
@click.argument("system", type=click.Choice(game_keys()), required=False)
@answer_options(*FORMATS)
def situations(system: str | None, form: str, output: str | None) -> None:
    """The situations that --situation and expressions know, of one game or of all.

    In an expression a word is about its own unit: "40 Clanrats: in cover" as a target is the situation
    target_in_cover.

    \b
    Example:
      mathhammer situations aos4
    """
    rows = [
        (key, flag_text(flag), flag, "target" if flag.startswith(OTHER_SIDE) else "attacker", what)
        for key in _games(system)
        for flag, what in attacks_of(key).situations.items()
    ]
    _write("situations", "Situation", rows, {"form": form, "output": output})


@command("commands", "The commands and stratagems of a game, and whose they are.", rank=94)
@click.argument("system", type=click.Choice(game_keys()), required=False)
@answer_options(*FORMATS)
def commands(system: str | None, form: str, output: str | None) -> None:
    """The commands that --command and expressions know, of one game or of all.

    \b
    Example:
      mathhammer commands wh40k10
    """
    rows = [
        (key, command_text(attacks, name), name, _whose(attacks, name), what)
        for key in _games(system)
        for attacks in (attacks_of(key),)
        for name, what in commands_of(attacks, reactions=True).items()
    ]
    _write("commands", "Command", rows, {"form": form, "output": output})


@command("options", "The options of a game: readings of unclear rules.", rank=95)
@click.argument("system", type=click.Choice(game_keys()), required=False)
@answer_options(*FORMATS)
def options(system: str | None, form: str, output: str | None) -> None:
    """What --option decides: the default of each unclear rule, its other reading, and its id.

    `mathhammer explain` names those that a fight depends on.

    \b
    Example:
      mathhammer options wh40k10
    """
    rows = [
        (key, name, str(option.default), option.what, str(option.other), option.otherwise, option.rule)
        for key in _games(system)
        for name, option in attacks_of(key).readings.items()
    ]
    records = ("system", "name", "default", "what", "other", "otherwise", "rule")
    Answer(
        parts=lambda: [Table(OPTION_COLUMNS, rows)],
        document=lambda: {
            "schema": "mathhammer-options/1",
            "options": [dict(zip(records, row, strict=True)) for row in rows],
        },
        records=lambda: (records, [list(row) for row in rows]),
    ).write({"form": form, "output": output})


def _whose(attacks: Attacks, name: str) -> str:
    """Who uses a command: the attacker, the target, or a side of a duel where it is a step of its own."""
    if name not in attacks.commands:
        return "duels"
    return "target" if name in defensive(attacks) else "attacker"


def _games(system: str | None) -> list[str]:
    """The game that is asked for, which must have attacks, or all that have."""
    if system is not None:
        attacks_of(system, "mathhammer")
        return [system]
    return [key for key in game_keys() if get_game(key).attacks is not None]


def _write(what: str, heading: str, rows: Sequence[Row], options: dict[str, Any]) -> None:
    Answer(
        parts=lambda: [Table(_table(heading), rows)],
        document=lambda: {
            "schema": f"mathhammer-{what}/1",
            what: [dict(zip(RECORDS, row, strict=True)) for row in rows],
        },
        records=lambda: (RECORDS, [list(row) for row in rows]),
    ).write(options)
