"""Options that several commands share, and the units they name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from mathhammer.cli.own_games import own_games
from mathhammer.datasheets.library import UnknownUnitError, find_sheet
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import game_keys, get_game
from mathhammer.units.unit import Unit

Function = TypeVar("Function", bound=Callable[..., Any])
FORMATS = ("table", "json", "csv", "md")


class ManyTargets(click.Command):
    """A command whose `--vs` takes every word up to the next option; `--vs` alone means
    the reference targets.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Writes `--vs A B` as `--vs A --vs B` before click reads it."""
        spread: list[str] = []
        following = False
        for word in args:
            if word == "--vs":
                following = True
            elif following and not (word.startswith("-") and len(word) > 1 and not word[1:2].isdigit()):
                spread += ["--vs", word]
            else:
                following = False
                spread.append(word)
        return super().parse_args(ctx, spread)


def split(text: str | None) -> tuple[str, ...]:
    """The words of a comma-separated option."""
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def datasheets_option(function: Function) -> Function:
    """`--datasheets`."""
    return click.option(
        "--datasheets", metavar="DIR", help="Your own datasheets; they win over the shipped ones."
    )(function)


def system_option(function: Function) -> Function:
    """`--system` and `--datasheets`."""
    function = datasheets_option(function)
    help_text = "The game. Default: the one that has the unit."
    return click.option("--system", type=click.Choice(game_keys()), help=help_text)(function)


def answer_options(*forms: str) -> Callable[[Function], Function]:
    """`--format`, one of these forms (the first if not given), and `-o`."""

    def decorate(function: Function) -> Function:
        function = click.option("-o", "output", metavar="FILE", help="Write to a file. Default: stdout.")(
            function
        )
        return click.option(
            "--format", "form", type=click.Choice(forms), default=forms[0], show_default=True
        )(function)

    return decorate


def targets_option(*, what: str = "Targets") -> Callable[[Function], Function]:
    """`--vs`, every word up to the next option."""
    return click.option(
        "--vs", "targets", multiple=True, metavar="TARGET...", help=f"{what}. Default: the reference targets."
    )


def fight_options(function: Function) -> Function:
    """Everything that goes to `fight`."""
    options = [
        click.option("--weapons", metavar="WHICH", help="melee, ranged, or weapon names with commas."),
        click.option("--situation", metavar="FLAGS", help="Flags with commas: charged,target_in_cover ..."),
        click.option("--distance", type=float, metavar="INCHES", help="Distance to the target."),
        click.option("--round", "battle_round", type=int, metavar="N", help="The battle round."),
        click.option(
            "--command",
            "commands",
            multiple=True,
            metavar="NAME",
            help="A command or stratagem in use; repeat for more.",
        ),
        click.option(
            "--with",
            "friends",
            multiple=True,
            metavar="UNIT",
            help="A friendly unit whose abilities apply to the attackers.",
        ),
        click.option(
            "--target-with", "target_friends", multiple=True, metavar="UNIT", help="The same for the targets."
        ),
        click.option(
            "--option", "switches", multiple=True, metavar="NAME=VALUE", help="A switch for an unclear rule."
        ),
        click.option(
            "--method", type=click.Choice(["exact", "simulate"]), default="exact", show_default=True
        ),
        click.option("--trials", type=int, metavar="N", help="Trials of a simulation. Default: 1000000."),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of a simulation."),
    ]
    for option in reversed(options):
        function = option(function)
    return system_option(function)


def switch_values(switches: Sequence[str]) -> dict[str, Any]:
    """Switches from `name=value`; yes and no are true and false, digits are numbers."""
    values: dict[str, Any] = {}
    for switch in switches:
        name, equals, value = switch.partition("=")
        if not equals:
            raise click.UsageError(f"--option {switch!r} (write NAME=VALUE)")
        words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
        values[name.strip()] = words.get(
            value.lower(), int(value) if value.isascii() and value.isdigit() and len(value) < 9 else value
        )
    return values


def find_units(names: Sequence[str], system: str | None, own: str | None, where: str) -> list[Unit]:
    """The units of these names; once one of them tells the game, the others are looked up in it."""
    units: list[Unit] = []
    if system in own_games():
        raise BadInputError(
            f"{where}: {get_game(str(system)).title} has no attack rolls (use "
            f"{own_games()[str(system)].ASKED_WITH})"
        )
    for name in names:
        game = system or (units[0].system if units else None)
        try:
            units.append(find_sheet(name, game, own, where).unit())
        except UnknownUnitError:
            # loads the other games: only for a name that is in none of these
            from mathhammer.cli.records import refuse_record

            refuse_record(name, game, where)
            raise
    return units


def fight_arguments(where: str, attackers: Sequence[Unit], options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `fight` from the options of a command."""
    system, own = attackers[0].system if attackers else options["system"], options["datasheets"]
    weapons: Any = options["weapons"]
    if weapons is not None and weapons not in ("melee", "ranged"):
        weapons = split(weapons)
    arguments: dict[str, Any] = {
        "weapons": weapons,
        "situation": split(options["situation"]),
        "distance": options["distance"],
        "round": options["battle_round"],
        "commands": tuple(word for text in options["commands"] for word in split(text)),
        "friends": find_units(options["friends"], system, own, where),
        "target_friends": find_units(options["target_friends"], system, own, where),
        "options": switch_values(options["switches"]) or None,
        "method": options["method"],
    }
    if options["method"] == "simulate":
        arguments |= {"trials": options["trials"], "seed": options["seed"]}
    elif options["trials"] is not None:
        raise click.UsageError("--trials goes with --method simulate")
    return arguments
