"""`mathhammer chance`: dice that are no attack."""

from __future__ import annotations

import inspect
import json
from typing import Any

import click

from mathhammer.cli.answer import plain, tenths
from mathhammer.cli.options import find_units
from mathhammer.cli.output import as_json, sparkline, write_text
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.discovery import game_keys, get_game
from mathhammer.odds import odds


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("question", required=False)
@click.argument("details", nargs=-1, type=click.UNPROCESSED)
@click.option("--system", type=click.Choice(game_keys()), default="aos4", show_default=True)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout.")
def chance(
    question: str | None, details: tuple[str, ...], system: str, form: str, output: str | None
) -> None:
    """Dice that are no attack: charge, cast, rally, run and more; without a question, the list of them.

    The first number goes to the question's first detail; others are written --name VALUE, yes-or-no ones
    --name; lists and mappings in JSON.

    \b
    Examples:
      mathhammer chance charge 9 --reroll
      mathhammer chance cast 7 --modifier 1 --unbind
      mathhammer chance rally 2 --slain 3
      mathhammer chance battleshock --system aos1 --models-left 12 --slain-this-turn 5 --bravery 6
      mathhammer chance grenade Terminators --system wh40k10
      mathhammer chance initiative "[2, 0]" --system diskwars
    """
    questions = get_game(system).questions
    if question is None:
        width = max(map(len, questions))
        write_text(
            "\n".join(
                f"{name.ljust(width)}  {(ask.__doc__ or '').splitlines()[0]}"
                for name, ask in questions.items()
            ),
            output,
        )
        return
    if question not in questions:
        raise UnknownNameError("chance", "question", question, questions)
    told = read_details(question, questions[question], details)
    for name, spec in inspect.signature(questions[question]).parameters.items():
        if spec.annotation == "Unit" and isinstance(told.get(name), str):  # a unit is named, and looked up
            (told[name],) = find_units([told[name]], system, None, "chance")
    answer = odds(system, question, **told)
    if form == "json":
        write_text(
            as_json(
                {
                    "schema": "mathhammer-chance/1",
                    "system": system,
                    "question": question,
                    "answer": plain(answer),
                }
            ),
            output,
        )
    else:
        write_text("\n".join(lines(answer)), output)


def read_details(question: str, ask: Any, words: tuple[str, ...]) -> dict[str, Any]:
    """Details of a question from the words behind it."""
    wanted = inspect.signature(ask).parameters
    found: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            free = [name for name in wanted if name not in found]
            if not free:
                raise BadInputError(f"chance: {question}: {word!r} is one word too many")
            found[free[0]] = value_of(word)
            continue
        name, _, value = word[2:].replace("-", "_").partition("=")
        if name not in wanted:
            raise UnknownNameError(f"chance: {question}", "detail", name, wanted)
        if wanted[name].default is False and not value:
            found[name] = True
        elif value or rest:
            found[name] = value_of(value or rest.pop(0))
        else:
            raise BadInputError(f"chance: {question}: --{name} needs a value")
    return found


def value_of(word: str) -> Any:
    """A number where it is one, a list or mapping where JSON says so, else the word."""
    if word[:1] in ("[", "{"):
        try:
            return json.loads(word)
        except (ValueError, RecursionError):
            raise BadInputError(
                f'chance: {word!r:.60} is not JSON (write something like [1, 0] or {{"red": 2}})'
            ) from None
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def lines(answer: Any) -> list[str]:
    """An answer as people read it; lists and mappings are told entry by entry."""
    found = []
    for key, value in answer.items():
        name = str(key).removesuffix("_pmf").replace("_", " ")
        if isinstance(value, Pmf):
            found.append(f"{name}: {sparkline(value)}  mean {value.mean():.4g}, 10/50/90 %: {tenths(value)}")
        elif isinstance(value, dict):
            found += [f"{name}:", *(f"  {line}" for line in lines(value))]
        elif isinstance(value, (list, tuple)) and any(isinstance(entry, (dict, float)) for entry in value):
            chances = "p_" if str(key).startswith("p_") else ""
            entries = {f"{chances}{place}": entry for place, entry in enumerate(value, 1)}
            found += [f"{name.removeprefix('p ')}:", *(f"  {line}" for line in lines(entries))]
        elif key == "explain":
            found += str(value).splitlines()
        elif isinstance(value, float) and str(key).startswith("p_"):
            found.append(f"{name.removeprefix('p ')}: {value:.2%}")
        else:
            found.append(f"{name}: {value:.4g}" if isinstance(value, float) else f"{name}: {value}")
    return found
