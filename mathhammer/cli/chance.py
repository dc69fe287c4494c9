"""`mathhammer chance`: charges, spells, rallies and other dice."""

from __future__ import annotations

import inspect
import json
from typing import Any

import click

from mathhammer.cli.answer import Answer
from mathhammer.cli.dice_answer import tenths
from mathhammer.cli.options import answer_options, find_units
from mathhammer.cli.output import sparkline
from mathhammer.cli.registering import command
from mathhammer.dice.plain import plain
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.discovery import DEFAULT, game_keys, get_game
from mathhammer.odds import odds


class Asked(click.Command):
    """A command whose `QUESTION --help` tells the details of that question."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, but for the help of a question."""
        system = args[args.index("--system") + 1] if "--system" in args[:-1] else DEFAULT
        questions = get_game(system).questions if system in game_keys() else {}
        if {"-h", "--help"} & set(args) and args[0] in questions:
            click.echo("\n".join(question_help(args[0], questions[args[0]], system)))
            ctx.exit()
        return super().parse_args(ctx, args)


def question_help(name: str, ask: Any, system: str) -> list[str]:
    """What a question is about, and each of its details with what it is when left out."""
    lines = [
        f"Usage: mathhammer chance {name} [DETAILS]" + ("" if system == DEFAULT else f" --system {system}"),
        "",
    ]
    lines += [f"  {line.strip()}" for line in (ask.__doc__ or "").split(">>>")[0].strip().splitlines()]
    lines += ["", "Details:"]
    for detail, spec in inspect.signature(ask).parameters.items():
        left_out = "required" if spec.default is inspect.Parameter.empty else f"default: {spec.default}"
        lines.append(f"  --{detail.replace('_', '-')}  ({left_out})")
    return lines


@command(
    "chance",
    "Other dice: charges, spells, rallies and more.",
    rank=100,
    context_settings={"ignore_unknown_options": True},
    cls=Asked,
)
@click.argument("question", required=False)
@click.argument("details", nargs=-1, type=click.UNPROCESSED)
@click.option("--system", type=click.Choice(game_keys()), default=DEFAULT, show_default=True)
@answer_options("table", "json")
def chance(
    question: str | None, details: tuple[str, ...], system: str, form: str, output: str | None
) -> None:
    """Other dice: charges, spells, rallies and more; without a question, the list of them.

    The first number goes to the question's first detail; others are written --name VALUE, yes-or-no ones
    --name; lists and mappings in JSON.

    \b
    Examples:
      mathhammer chance charge --help
      mathhammer chance charge 9 --reroll
      mathhammer chance cast 7 --modifier 1 --unbind
      mathhammer chance rally 2 --slain 3
      mathhammer chance battleshock --system aos1 --models-left 12 --slain-this-turn 5 --bravery 6
      mathhammer chance grenade Terminators --system wh40k10
      mathhammer chance initiative "[2, 0]" --system diskwars
    """
    questions = get_game(system).questions
    about = {"schema": "mathhammer-chance/1", "system": system}
    where = {"form": form, "output": output}
    if question is None:
        lines_of = {name: (ask.__doc__ or "").splitlines()[0] for name, ask in questions.items()}
        width = max(map(len, lines_of))
        listed = [f"{name.ljust(width)}  {line}" for name, line in lines_of.items()]
        Answer(lambda: listed, lambda: about | {"questions": lines_of}).write(where)
        return
    if question not in questions:
        raise UnknownNameError("chance", "question", question, questions)
    asked = read_details(question, questions[question], details)
    for name, spec in inspect.signature(questions[question]).parameters.items():
        if spec.annotation == "Unit" and isinstance(asked.get(name), str):  # a unit is named, and looked up
            (asked[name],) = find_units([asked[name]], system, None, "chance")
    answer = odds(system, question, **asked)
    Answer(
        parts=lambda: lines(answer),
        document=lambda: about | {"question": question, "answer": plain(answer)},
    ).write(where)


def read_details(question: str, ask: Any, words: tuple[str, ...]) -> dict[str, Any]:
    """Details of a question from the words behind it."""
    wanted = inspect.signature(ask).parameters
    values: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            free = [name for name in wanted if name not in values]
            if not free:
                raise BadInputError(f"chance: {question}: unexpected argument {word!r}")
            values[free[0]] = value_of(word)
            continue
        name, _, value = word[2:].replace("-", "_").partition("=")
        if name not in wanted:
            raise UnknownNameError(f"chance: {question}", "detail", name, wanted)
        if wanted[name].default is False and not value:
            values[name] = True
        elif value or rest:
            values[name] = value_of(value or rest.pop(0))
        else:
            raise BadInputError(f"chance: {question}: --{name} needs a value")
    return values


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
    """An answer as people read it; lists and mappings are shown entry by entry."""
    text = []
    for key, value in answer.items():
        name = str(key).removesuffix("_pmf").replace("_", " ")
        if value is None:
            text.append(f"{name}: -")
        elif isinstance(value, Pmf):
            text.append(f"{name}: {sparkline(value)}  mean {value.mean():.4g}, 10/50/90 %: {tenths(value)}")
        elif isinstance(value, dict):
            text += [f"{name}:", *(f"  {line}" for line in lines(value))]
        elif isinstance(value, (list, tuple)) and any(isinstance(entry, (dict, float)) for entry in value):
            chances = "p_" if str(key).startswith("p_") else ""
            entries = {f"{chances}{place}": entry for place, entry in enumerate(value, 1)}
            text += [f"{name.removeprefix('p ')}:", *(f"  {line}" for line in lines(entries))]
        elif key == "explain":
            text += str(value).splitlines()
        elif isinstance(value, float) and str(key).startswith("p_"):
            text.append(f"{name.removeprefix('p ')}: {value:.2%}")
        else:
            text.append(f"{name}: {value:.4g}" if isinstance(value, float) else f"{name}: {value}")
    return text
