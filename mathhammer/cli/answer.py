"""What the commands of the symbol-dice games share: options, and how the answer to a question is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from mathhammer._version import __version__
from mathhammer.cli.output import as_json, print_table, write_text
from mathhammer.dice.pmf import Pmf
from mathhammer.games.discovery import get_game
from mathhammer.games.records import chosen_dice
from mathhammer.tables import as_table

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Block:
    """A table of an answer: headings, rows of text, and which columns stand on the right."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[bool]


def output_options(function: Function) -> Function:
    """`--explain`, `--format` and `-o`."""
    options = [
        click.option(
            "--explain", is_flag=True, help="How the numbers come about, rule by rule, instead of the table."
        ),
        click.option(
            "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True
        ),
        click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


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
        click.option("--trials", type=int, metavar="N", help="Trials of a simulation (default 100000)."),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of a simulation."),
        click.option("--chart", metavar="FILE", help="Also draw the distributions (.png or .svg)."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def engine(options: Mapping[str, Any]) -> dict[str, Any]:
    """The details of a question that say which dice are used and which engine works it out."""
    how: dict[str, Any] = {"faces": options["dice_set"], "method": options["method"]}
    if options["method"] == "simulate":
        how |= {"seed": options["seed"]} | (
            {} if options["trials"] is None else {"trials": options["trials"]}
        )
    elif options["trials"] is not None:
        raise click.UsageError("--trials goes with --method simulate")
    return how


def plain(value: Any) -> Any:
    """An answer as JSON can hold it: distributions become mappings, keys become text.

    >>> plain({"p_win": 0.5, "left": Pmf.of([0.5, 0.5]), "joint": {(1, 0): 1.0}})
    {'p_win': 0.5, 'left': {'0': 0.5, '1': 0.5}, 'joint': {'1,0': 1.0}}
    """
    if isinstance(value, Pmf):
        return {str(number): chance for number, chance in value.to_dict().items()}
    if isinstance(value, Mapping):
        return {
            ",".join(map(str, key)) if isinstance(key, tuple) else str(key): plain(entry)
            for key, entry in value.items()
        }
    return [plain(entry) for entry in value] if isinstance(value, (list, tuple)) else value


def spread(law: Pmf) -> str:
    """Mean and standard deviation, and the error of the mean where it was played.

    >>> spread(Pmf.of([0.5, 0.0, 0.5]))
    '1.00 ± 1.00'
    """
    error = law.standard_error()
    return f"{law.mean():.2f} ± {law.sd():.2f}" + (f" ±{error:.1g} s.e." if error else "")


def tenths(law: Pmf) -> str:
    """What one roll in ten, the middle roll and nine in ten stay at or below.

    >>> tenths(Pmf.of([0.5, 0.0, 0.5]))
    '0/0/2'
    """
    return "/".join(str(law.quantile(share)) for share in (0.1, 0.5, 0.9))


def write_answer(
    options: Mapping[str, Any],
    command: str,
    system: str,
    answer: Mapping[str, Any],
    blocks: Sequence[Block],
    lines: Sequence[str],
) -> None:
    """Writes the answer as JSON, as its account, or as tables with a few lines below; the dice set comes
    last, always.
    """
    faces = options.get("dice_set")
    rolled = "dice_set" in options  # a command without that option rolls no dice
    used = chosen_dice(system, command, faces) if rolled else None
    if options["form"] == "json":
        document = {
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
        write_text(as_json(document), options["output"])
        return
    if options["explain"]:
        write_text(answer["explain"], options["output"])
        return
    below = [*lines, f"Dice set: {answer['dice_set'] if used is None else used}"]
    if options["output"] is not None:
        write_text(
            "\n".join([*(as_table(b.columns, b.rows, b.right) + "\n" for b in blocks), *below]),
            options["output"],
        )
        return
    for block in blocks:
        print_table(block.columns, block.rows, block.right)
        click.echo()
    click.echo("\n".join(below))


def _trials(answer: Mapping[str, Any]) -> int | None:
    """How often an answer was played: its own word, or that of its distributions."""
    laws = [value for value in answer.values() if isinstance(value, Pmf)]
    found: int | None = answer.get("trials", laws[0].trials if laws else None)
    return found


def draw(path: str | None, laws: Mapping[str, Pmf], xlabel: str, title: str, system: str) -> None:
    """The chart of an answer, where one is asked for."""
    if path is not None:
        from mathhammer.plots import save_figure, source_line  # matplotlib only when asked for
        from mathhammer.plots.distributions import plot_laws

        trials = next(iter(laws.values())).trials
        source = source_line(get_game(system).title, trials=trials)
        save_figure(plot_laws(laws, xlabel=xlabel, title=title, source=source), path)
