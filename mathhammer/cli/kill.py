"""`mathhammer kill` and `mathhammer survive`: the cheapest sets of units that destroy a target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.completion import complete_many, complete_units
from mathhammer.cli.decisions import (
    ManyUnits,
    army_members,
    decision_head,
    decision_how,
    decision_lines,
    decision_options,
    is_listed,
)
from mathhammer.cli.options import FORMATS, Function, answer_options, find_units
from mathhammer.cli.output import remark
from mathhammer.cli.registering import command
from mathhammer.datasheets.asked import faction_units
from mathhammer.decide.kill import COPIES, MOST_UNITS, Kill, KillSet, Limits, kill_of
from mathhammer.errors import BadInputError
from mathhammer.tables import Column, Table
from mathhammer.text import percent

COLUMNS = (
    Column("Units", lambda row: " + ".join(row.units), prose=True),
    Column("Number", lambda row: str(len(row.units)), right=True, rank=2),
    Column("Points", lambda row: "-" if row.points is None else str(row.points), right=True),
    Column("Command points", lambda row: str(row.command_points), right=True, rank=1),
    Column("Destroyed", lambda row: percent(row.p_destroyed), right=True),
)


def _limits(chance: int) -> Callable[[Function], Function]:
    """The options of both commands."""

    def decorate(function: Function) -> Function:
        options = [
            click.option(
                "--chance",
                type=float,
                default=chance,
                show_default=True,
                metavar="PERCENT",
                help="The least chance to destroy it.",
            ),
            click.option("--best", type=int, default=5, show_default=True, help="How many sets to show."),
            click.option(
                "--points",
                type=int,
                default=1,
                show_default=True,
                metavar="N",
                help="Command points for the sets with commands; 0: none.",
            ),
            click.option(
                "--copies",
                type=int,
                metavar="N",
                help=f"The most of one unit. Default: as in the list; {COPIES} of a faction's units, 1 of a "
                "hero that is unique.",
            ),
            click.option(
                "--most", type=int, default=MOST_UNITS, show_default=True, help="The most units of a set."
            ),
        ]
        for option in reversed(options):
            function = option(function)
        return answer_options(*FORMATS)(decision_options(function))

    return decorate


@command("kill", "What of mine destroys it surely enough, and cheapest?", rank=13, cls=ManyUnits)
@click.argument("target", shell_complete=complete_units)
@click.option(
    "--with",
    "army",
    multiple=True,
    metavar="LIST|FACTION|UNIT...",
    shell_complete=complete_many,
    help="What there is to attack with: the file of a list, a faction, or units.",
)
@_limits(80)
def kill(**options: Any) -> None:
    """The cheapest sets of units that destroy a target with at least a chance, without and with commands.

    Every set that can be among the cheapest is tried. Units attack in the best order, shooting before combat.

    \b
    Examples:
      mathhammer kill Clanrats --with "Stormcast Eternals" --system aos4 --chance 80
      mathhammer kill Boyz --with Captain "Intercessor Squad" "Terminator Squad" --copies 2
    """
    answer_for("kill", "--with", options["target"], options)


@command("survive", "What of theirs is enough to destroy my unit?", rank=14, cls=ManyUnits)
@click.argument("unit", shell_complete=complete_units)
@click.option(
    "--against",
    "army",
    multiple=True,
    metavar="LIST|FACTION|UNIT...",
    shell_complete=complete_many,
    help="What attacks it: the file of a list, a faction, or units.",
)
@_limits(50)
def survive(**options: Any) -> None:
    """What of theirs is enough: the cheapest sets of enemies that destroy a unit with at least a chance.

    \b
    Example:
      mathhammer survive Liberators --against Skaven --system aos4
    """
    answer_for("survive", "--against", options["unit"], options)


def answer_for(where: str, given: str, name: str, options: dict[str, Any]) -> None:
    """Works out and writes the answer of either command."""
    names = options["army"]
    if not names:
        raise BadInputError(f"{where}: nothing to attack with (give {given} LIST, a faction or units)")
    own = options["datasheets"]
    listed = is_listed(names, where)
    if listed:
        members = army_members(where, names, options["system"], options)
        (target,) = find_units([name], members[0].unit.system, own, where)
    else:
        (target,) = find_units([name], options["system"], own, where)
        members = army_members(where, names, target.system, options)
    copies = options["copies"]
    faction = copies is None and not listed
    faction = faction and any(faction_units(word, target.system, own, where) for word in names)
    if not 0 < options["chance"] <= 100:
        raise BadInputError(f"{where}: chance {options['chance']:g} % (give more than 0 and at most 100)")
    limits = Limits(
        options["chance"] / 100, options["best"], options["points"], copies, options["most"], faction
    )
    answer = kill_of(members, target, decision_how(options), limits, listed=listed)
    for unit, reason in answer.skipped:
        remark(f"left out: {unit}: {reason}")
    head = decision_lines(answer.blows, target, listed=listed)
    rows = answer.rows()
    Answer(
        parts=lambda: [*head, *_parts(answer)],
        document=lambda: (
            decision_head(
                where,
                answer.blows,
                [member.unit for member in members],
                [target],
                options,
                listed=listed,
            )
            | {
                "chance": answer.chance,
                "rows": rows,
                "fewest": None if answer.fewest is None else list(answer.fewest.units),
                "p_all": answer.p_all,
                "tried": answer.tried,
                "complete": answer.complete,
                "skipped": [list(one) for one in answer.skipped],
            }
        ),
        records=lambda: (
            ["units", "number", "points", "command_points", "p_destroyed"],
            [[" + ".join(row["units"]), *list(row.values())[1:]] for row in rows],
        ),
    ).write(options)


def _parts(answer: Kill) -> list[Part]:
    chance = f"{100 * answer.chance:.10g}%"
    parts: list[Part] = []
    if answer.sets:
        parts += [f"Destroyed with at least {chance}, the cheapest first", Table(COLUMNS, answer.sets)]
    else:
        parts.append(f"Nothing destroys it with {chance}: {_why(answer)}")
    commanded: Sequence[KillSet] = [one for one in answer.with_commands if one.command_points]
    if commanded:
        parts += ["", "With commands", Table(COLUMNS, commanded)]
    few = answer.fewest
    if few is not None and answer.sets and len(few.units) < len(answer.sets[0].units):
        parts += ["", f"Fewest units: {' + '.join(few.units)} ({few.points} points)"]
    if not answer.complete and answer.sets:
        parts.append(f"All sets of up to {answer.tried} units were tried; larger ones may be cheaper.")
    return parts


def _why(answer: Kill) -> str:
    if answer.p_all is not None:
        return f"all of them together come to {percent(answer.p_all)}"
    if answer.complete:
        return "no set of them is enough"
    return f"no set of up to {answer.tried} units is enough"
