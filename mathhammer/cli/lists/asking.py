"""What the commands about lists share: options, and the lines with which their answers begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from mathhammer.cli.options import (
    anyway_option,
    command_option,
    datasheets_option,
    situation_option,
    split_all,
)
from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.telling import command_text, flag_text, rules_left_out
from mathhammer.games.words import command_named, flag_named
from mathhammer.lists.army import Army
from mathhammer.lists.gifts import gift_lines
from mathhammer.lists.loading import LoadedList
from mathhammer.units.circumstances import BOTH, not_counted_text

Function = TypeVar("Function", bound=Callable[..., Any])


def list_options(function: Function) -> Function:
    """`--situation`, `--command`, `--no-auras`, `--anyway` and `--datasheets`."""
    options = [
        situation_option("For all attacks: charged, target in cover ...; with commas, or repeated."),
        command_option("For all attacks: a command or stratagem in use."),
        click.option(
            "--no-auras", is_flag=True, help="Units give each other nothing but to those they lead."
        ),
        anyway_option,
    ]
    for option in reversed(options):
        function = option(function)
    return datasheets_option(function)


def how_of(system: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What goes to every fight of a list."""
    if not (options["situation"] or options["commands"]):
        return {}
    attacks = attacks_of(system, "list")
    return {
        "situation": tuple(flag_named(attacks, word, "list") for word in split_all(options["situation"])),
        "commands": tuple(command_named(attacks, word, "list") for word in split_all(options["commands"])),
    }


def list_conditions(army: Army, how: Mapping[str, Any]) -> str:
    """What the numbers of a list hold under."""
    attacks = attacks_of(army.system)
    words = [flag_text(flag) for flag in how.get("situation", ())]
    words += [command_text(attacks, command) for command in how.get("commands", ())]
    return " · ".join(
        [get_game(army.system).short_title, "exact", ", ".join([f"one action of each unit, {BOTH}", *words])]
    )


def list_head(lists: Sequence[LoadedList], armies: Sequence[Army], how: Mapping[str, Any]) -> list[str]:
    """The lines above an answer: how much of each list is known, the conditions, the gifts that are on, and
    what is not counted.
    """
    lines = []
    for one, army in zip(lists, armies, strict=True):
        lines.append(f"{one.name}: {one.coverage}")
        lines += [one.coverage.advice()] if one.coverage.missing else []
        lines += [
            f"{one.name}: {line}" if len(lists) > 1 else line for line in gift_lines(army.units, army.auras)
        ]
    lines.append(list_conditions(armies[0], how))
    missing = not_counted_text(list(rules_left_out(unit for army in armies for unit in army.units)))
    return [*lines, *([missing] if missing else [])]


def list_document(one: LoadedList, army: Army) -> dict[str, Any]:
    """What a JSON document says of a list besides its numbers."""
    return {
        "name": one.name,
        "points": army.points,
        "coverage": one.coverage.to_dict(),
        "missing": [str(name) for name in one.roster.missing],
        "auras": army.auras,
        "gifts": gift_lines(army.units, army.auras),
        "not_counted": list(rules_left_out(army.units)),
    }
