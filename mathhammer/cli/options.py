"""Options that several commands share, and the units they name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from mathhammer.cli.completion import complete_commands, complete_situations, complete_units, complete_weapons
from mathhammer.cli.output import remark
from mathhammer.cli.own_games import own_games
from mathhammer.datasheets.asked import asked_unit, faction_names, faction_units, with_words
from mathhammer.datasheets.library import UnknownUnitError
from mathhammer.errors import BadInputError, did_you_mean
from mathhammer.games.discovery import game_keys, get_game
from mathhammer.games.weapon_choice import ALL, BEST, KINDS
from mathhammer.units.expressions import split_words
from mathhammer.units.unit import Unit

Function = TypeVar("Function", bound=Callable[..., Any])
FORMATS = ("table", "json", "csv", "md")


class ManyTargets(click.Command):
    """A command whose `--vs` takes every word up to the next option; `--vs` alone means
    the reference targets.
    """

    many: tuple[str, ...] = ("--vs",)  # the options that take every word

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Writes `--vs A B` as `--vs A --vs B` before click reads it."""
        spread: list[str] = []
        following = ""
        for word in args:
            if word in self.many:
                following = word
            elif following and not (word.startswith("-") and len(word) > 1 and word[1] not in " 0123456789"):
                spread += [following, word]
            else:
                following = ""
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


class Systems(click.Choice[str]):
    """A game; for `compare` also several editions of one, with commas."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Every game by its key."""
        names = str(value).split(",")
        if len(names) > 1 and (ctx is None or ctx.command.name != "compare"):
            self.fail(f"{value!r} are several games (only compare sets editions side by side)", param, ctx)
        return ",".join(super(Systems, self).convert(name.strip(), param, ctx) for name in names)


def system_option(function: Function) -> Function:
    """`--system` and `--datasheets`."""
    function = datasheets_option(function)
    help_text = "The game. Default: the one that has the unit."
    return click.option("--system", type=Systems(game_keys()), help=help_text)(function)


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
        "--vs",
        "targets",
        multiple=True,
        metavar="TARGET...",
        shell_complete=complete_units,
        help=f"{what}. Default: the reference targets.",
    )


def anyway_option(function: Function) -> Function:
    """`--anyway`."""
    return click.option(
        "--anyway", is_flag=True, help="A verdict also where less than 90 % of a list's points are known."
    )(function)


def situation_option(text: str) -> Callable[[Function], Function]:
    """`--situation`."""
    return click.option(
        "--situation", multiple=True, metavar="FLAGS", shell_complete=complete_situations, help=text
    )


def command_option(text: str) -> Callable[[Function], Function]:
    """`--command`."""
    return click.option(
        "--command", "commands", multiple=True, metavar="NAME", shell_complete=complete_commands, help=text
    )


def models_option(function: Function) -> Function:
    """`--models`."""
    return click.option("--models", type=int, metavar="N", help="Size of the attacking units.")(function)


def circumstance_options(function: Function) -> Function:
    """What goes to an exact `fight`: weapons, circumstances, commands, friends, options."""
    options = [
        click.option(
            "--weapons",
            metavar="WHICH",
            shell_complete=complete_weapons,
            help="best (the default: the kind that does more to the target), melee, ranged, all (a row for "
            "each kind), or weapon names with commas.",
        ),
        situation_option(
            "charged, target in cover ...; with commas, or repeated (see mathhammer situations)."
        ),
        click.option(
            "--buff",
            "buffs",
            multiple=True,
            metavar="WORDS",
            help="For all attackers: +1 to hit, reroll wounds, ward 5+, a set of my_buffs.toml ...",
        ),
        click.option("--distance", type=float, metavar="INCHES", help="Distance to the target."),
        click.option("--round", "battle_round", type=int, metavar="N", help="The battle round."),
        command_option("A command or stratagem in use; also repeated (see mathhammer commands)."),
        click.option(
            "--with",
            "friends",
            multiple=True,
            metavar="UNIT",
            shell_complete=complete_units,
            help="A friendly unit whose abilities apply to the attackers.",
        ),
        click.option(
            "--target-with",
            "target_friends",
            multiple=True,
            metavar="UNIT",
            shell_complete=complete_units,
            help="The same for the targets.",
        ),
        click.option(
            "--use",
            "used",
            multiple=True,
            metavar="ABILITY",
            help="An ability that somebody has to use, or a switch of its conditions; repeat for more.",
        ),
        click.option(
            "--option", "switches", multiple=True, metavar="NAME=VALUE", help="A switch for an unclear rule."
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def fight_options(function: Function) -> Function:
    """Everything that goes to `fight`."""
    options = [
        click.option(
            "--method", type=click.Choice(["exact", "simulate"]), default="exact", show_default=True
        ),
        click.option("--trials", type=int, metavar="N", help="Trials of a simulation. Default: 1000000."),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of a simulation."),
    ]
    for option in reversed(options):
        function = option(function)
    return system_option(circumstance_options(function))


def is_list(name: str, where: str) -> bool:
    """Whether a word is the file of a list, or stdin, and not a unit; a missing file is an error."""
    if name == "-" or Path(name).is_file():
        return True
    if Path(name).suffix in (".rosz", ".ros", ".json", ".txt", ".toml"):
        raise BadInputError(f"{where}: {name}: no such file (give a list, or the name of a unit)")
    return False


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


def find_units(
    names: Sequence[str], system: str | None, own: str | None, where: str, buffs: Sequence[str] = ()
) -> list[Unit]:
    """The units of these names or expressions; once one of them tells the game, the others are looked up in
    it.
    """
    units: list[Unit] = []
    if system in own_games():
        raise BadInputError(
            f"{where}: {get_game(str(system)).title} has no attack rolls (use "
            f"{own_games()[str(system)].ASKED_WITH})"
        )
    for name in names:
        game = system or (units[0].system if units else None)
        try:
            units.append(asked_unit(name, game, own, where, buffs))
        except UnknownUnitError:
            # loads the other games: only for a name that is in none of these
            from mathhammer.cli.records import refuse_record

            refuse_record(name, game, where)
            raise
    return units


def find_many(
    names: Sequence[str], system: str | None, own: str | None, where: str, buffs: Sequence[str] = ()
) -> list[Unit]:
    """The same, where the name of a faction means all its units that can attack."""
    units: list[Unit] = []
    for name in names:
        game = system or (units[0].system if units else None)
        members = [with_words(u, buffs, where, own) for u in faction_units(name, game, own, where)]
        try:
            units += members or find_units([name], game, own, where, buffs)
        except UnknownUnitError as error:
            near = did_you_mean(name, faction_names(game, own))
            if "did you mean" in str(error) or "did you mean" not in near:
                raise
            raise BadInputError(f"{where}: no unit or faction {name!r}{near}") from None
    return units


def attackers_of(where: str, names: Sequence[str], options: Mapping[str, Any]) -> list[Unit]:
    """The attackers that a command names, with the size and the buffs that are for all of them."""
    units = find_units(
        names, options["system"], options["datasheets"], where, split_all(options.get("buffs", ()))
    )
    models = options.get("models")
    sized = units if models is None else [unit.with_models(models) for unit in units]
    for line in odd_sizes(sized):
        remark(line)
    return sized


def odd_sizes(units: Sequence[Unit]) -> list[str]:
    """Units that no list can hold in this size, as far as their smallest size tells."""
    return [
        f"{unit.name}: {unit.models} models, where its smallest size is {unit.minimum}"
        for unit in units
        if unit.models % unit.minimum and len(unit.groups) == 1
    ]


def split_all(texts: Sequence[str]) -> tuple[str, ...]:
    """The words of an option that may be repeated."""
    return tuple(word for text in texts for word in split_words(text))


def fight_arguments(where: str, attackers: Sequence[Unit], options: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `fight` from the options of a command."""
    arguments = circumstances(where, attackers, options) | {"method": options["method"]}
    if options["method"] == "simulate":
        arguments |= {"trials": options["trials"], "seed": options["seed"]}
    elif options["trials"] is not None:
        raise click.UsageError("--trials goes with --method simulate")
    return arguments


def circumstances(where: str, attackers: Sequence[Unit], options: Mapping[str, Any]) -> dict[str, Any]:
    """The same without the method."""
    system, own = attackers[0].system if attackers else options["system"], options["datasheets"]
    weapons: Any = options["weapons"]
    if weapons is not None and weapons not in (*KINDS, BEST, ALL):
        weapons = split(weapons)
    return {
        "weapons": weapons,
        "situation": split_all(options["situation"]),
        "distance": options["distance"],
        "round": options["battle_round"],
        "commands": split_all(options["commands"]),
        "friends": find_units(options["friends"], system, own, where),
        "target_friends": find_units(options["target_friends"], system, own, where),
        "use": tuple(options.get("used", ())),
        "options": switch_values(options["switches"]) or None,
    }
