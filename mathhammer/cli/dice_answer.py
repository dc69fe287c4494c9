"""What the commands of the symbol-dice games share: options, and how the answer to a question is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from mathhammer._version import __version__
from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.options import answer_options
from mathhammer.dice.plain import plain
from mathhammer.dice.pmf import Pmf
from mathhammer.games.discovery import get_game
from mathhammer.games.records import chosen_dice

Function = TypeVar("Function", bound=Callable[..., Any])


def output_options(function: Function) -> Function:
    """`--explain`, `--format` and `-o`."""
    explain = "How the numbers come about, rule by rule, instead of the table."
    return click.option("--explain", is_flag=True, help=explain)(answer_options("table", "json")(function))


def dice_options(function: Function) -> Function:
    """`--dice-set`, the engine, `--chart`, and the options of every answer."""
    function = output_options(function)
    options = [
        click.option(
            "--dice-set",
            metavar="NAME",
            help="Another reading of the dice faces; the set used is always printed.",
        ),
        click.option(
            "--method", type=click.Choice(["exact", "simulate"]), default="exact", show_default=True
        ),
        click.option("--trials", type=int, metavar="N", help="Trials of a simulation. Default: 100000."),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of a simulation."),
        click.option("--chart", metavar="FILE", help="Also draw the distributions (.png or .svg)."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def engine(options: Mapping[str, Any]) -> dict[str, Any]:
    """The details of a question that say which dice are used and which engine works it out."""
    details: dict[str, Any] = {"faces": options["dice_set"], "method": options["method"]}
    if options["method"] == "simulate":
        details |= {"seed": options["seed"]} | (
            {} if options["trials"] is None else {"trials": options["trials"]}
        )
    elif options["trials"] is not None:
        raise click.UsageError("--trials goes with --method simulate")
    return details


def spread(pmf: Pmf) -> str:
    """Mean and standard deviation, and the error of the mean where it was played.

    >>> spread(Pmf.of([0.5, 0.0, 0.5]))
    '1.00 ± 1.00'
    """
    error = pmf.standard_error()
    return f"{pmf.mean():.2f} ± {pmf.sd():.2f}" + (f" (se {error:.1g})" if error else "")


def tenths(pmf: Pmf) -> str:
    """What one roll in ten, the middle roll and nine in ten stay at or below.

    >>> tenths(Pmf.of([0.5, 0.0, 0.5]))
    '0/0/2'
    """
    return "/".join(str(pmf.quantile(share)) for share in (0.1, 0.5, 0.9))


def write_answer(
    options: Mapping[str, Any], command: str, system: str, answer: Mapping[str, Any], parts: Sequence[Part]
) -> None:
    """Writes the answer as JSON, as its account, or as tables and lines; the dice set comes last, always."""
    rolled = "dice_set" in options  # a command without that option rolls no dice
    used = chosen_dice(system, command, options["dice_set"]) if rolled else None

    def document() -> dict[str, Any]:
        return {
            "schema": f"mathhammer-{command}/1",
            "mathhammer": __version__,
            "system": system,
            "title": get_game(system).title,
            "method": options.get("method", "exact"),
            "trials": _trials(answer),
            "seed": options["seed"] if options.get("method") == "simulate" else None,
            "dice_set": None
            if used is None
            else {"name": used.name, "confidence": used.confidence, "source": used.source},
            "answer": plain(answer),
        }

    def shown() -> Sequence[Part]:
        if options["explain"]:
            return [answer["explain"]]
        return [*parts, f"Dice set: {answer['dice_set'] if used is None else used}"]

    Answer(shown, document).write(options)


def _trials(answer: Mapping[str, Any]) -> int | None:
    """How often an answer was played: its own word, or that of its distributions."""
    distributions = [value for value in answer.values() if isinstance(value, Pmf)]
    trials: int | None = answer.get("trials", distributions[0].trials if distributions else None)
    return trials


def draw(path: str | None, distributions: Mapping[str, Pmf], xlabel: str, title: str, system: str) -> None:
    """The chart of an answer, where one is asked for."""
    if path is not None:
        from mathhammer.plots import save_figure, source_line  # matplotlib only when asked for
        from mathhammer.plots.distributions import plot_distributions

        trials = next(iter(distributions.values())).trials
        source = source_line(get_game(system).title, trials=trials)
        save_figure(plot_distributions(distributions, xlabel=xlabel, title=title, source=source), path)
