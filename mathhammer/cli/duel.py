"""`mathhammer duel`: two units, or two lists, fight it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mathhammer.cli.answer import Answer
from mathhammer.cli.completion import complete_situations, complete_units
from mathhammer.cli.duel_text import duel_parts
from mathhammer.cli.options import (
    answer_options,
    anyway_option,
    find_units,
    is_list,
    split,
    split_all,
    switch_values,
    system_option,
)
from mathhammer.cli.output import remark
from mathhammer.cli.own_games import own_games, part_of
from mathhammer.cli.registering import command
from mathhammer.datasheets.library import UnknownUnitError, find_sheet
from mathhammer.duel import duel as fight_it_out
from mathhammer.duel.advice import advise
from mathhammer.duel.arguments import POLICIES, WHO
from mathhammer.duel.commands import REROLL
from mathhammer.duel.document import duel_document
from mathhammer.duel.result import Duel
from mathhammer.duel.setup import MOST_ROUNDS
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import attacks_of
from mathhammer.games.game import Attacks
from mathhammer.games.words import command_named, flag_named, squeezed
from mathhammer.units.unit import Unit

if TYPE_CHECKING:
    from mathhammer.lists.coverage import Coverage

SIDE = click.Choice(WHO, case_sensitive=False)


# options of `duel` that another game's command does not have, as they are when not given


@command("duel", "Two units, or two lists, fight it out: shoot, charge, strike back.", rank=50)
@click.argument("a", metavar="A", shell_complete=complete_units)
@click.argument("b", metavar="B", shell_complete=complete_units)
@click.option(
    "--first",
    default="a",
    show_default=True,
    metavar="SIDE",
    help="Who has the first turn: a, b, or a unit's name.",
)
@click.option(
    "--rounds",
    metavar="N",
    default="5",
    show_default=True,
    help=f"Battle rounds, or 'end': until one is gone, at most {MOST_ROUNDS}.",
)
@click.option(
    "--distance",
    type=float,
    metavar="INCHES",
    help="Between them. Default: in combat, lists 24 inches apart.",
)
@click.option("--charge", type=SIDE, default="both", show_default=True, help="Who charges.")
@click.option(
    "--approach", type=SIDE, help="Who moves towards the enemy. Default: none, in a battle of lists both."
)
@click.option(
    "--reroll-charge", type=SIDE, default="none", show_default=True, help="Whose charges are rolled again."
)
@click.option("--models", type=int, metavar="N", help="Size of A.")
@click.option("--b-models", type=int, metavar="N", help="Size of B.")
@click.option("--weapons", metavar="WHICH", help="Of A: melee, ranged, or weapon names with commas.")
@click.option("--b-weapons", metavar="WHICH", help="The same for B.")
@click.option(
    "--situation",
    multiple=True,
    metavar="FLAGS",
    shell_complete=complete_situations,
    help="For A's attacks: stationary, target in cover ...; with commas, or repeated; b:charged is for B's.",
)
@click.option(
    "--b-situation",
    multiple=True,
    metavar="FLAGS",
    shell_complete=complete_situations,
    help="The same for B's attacks.",
)
@click.option(
    "--command",
    "commands",
    multiple=True,
    metavar="SIDE:NAME[@ROUND]",
    help="a:all_out_attack, b:all_out_defence@1 ...; repeat for more.",
)
@click.option(
    "--use",
    "used",
    multiple=True,
    metavar="SIDE:ABILITY[@ROUND]",
    help="An ability that somebody has to use, or a switch: a:Dark Pact, a:Dark Pact@1a-melee.",
)
@click.option(
    "--rally", type=SIDE, default="none", show_default=True, help="Who uses Rally while not in combat."
)
@click.option("--heal", multiple=True, metavar="SIDE:DICE", help="Wounds healed in each own turn: a:D3.")
@click.option(
    "--priority",
    type=click.Choice(["fixed", "roll"]),
    help="The first turn of later rounds. Default: as the game has it.",
)
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="points",
    show_default=True,
    help="Whom units of a list attack: whoever loses the most points, the first as listed, the weakest.",
)
@click.option(
    "--option",
    "switches",
    multiple=True,
    metavar="[SIDE:]NAME=VALUE",
    help="A switch for an unclear rule; a:mystic_shields=1 is for one side.",
)
@click.option(
    "--method", type=click.Choice(["exact", "simulate"]), help="Default: exact for two units, else simulate."
)
@click.option("--trials", type=int, metavar="N", help="Trials of a simulation. Default: 100000.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of a simulation.")
@anyway_option
@click.option(
    "--advise", "advice", is_flag=True, help="What each single use of a command or ability is worth to A."
)
@click.option("--explain", is_flag=True, help="The steps, their rules and all assumptions.")
@answer_options("table", "json")
@system_option
def duel(**options: Any) -> None:
    """Two units shoot, charge, fight and strike back, round after round; or two lists do.

    A and B are units, or files with army lists (duel list.rosz list2.rosz --policy points): those are
    simulated. Two units are exact: every loss of both sides is followed. Diskwars clashes and Uprising
    battles are asked for in the same words.

    \b
    Examples:
      mathhammer duel Liberators "Rat Ogors" --distance 9 --reroll-charge a
      mathhammer duel Liberators Clanrats --distance 7 --command a:all_out_attack@1 --advise
    """
    system = options["system"] or game_of_record(options["a"], options["datasheets"])
    if system in own_games():
        part_of(system, "duel").run(options)
        return
    ours = side_of(options["a"], options)
    theirs = side_of(options["b"], {**options, "system": options["system"] or ours.units[0].system})
    sides = [ours.units, theirs.units]
    for place, size in enumerate((options["models"], options["b_models"])):
        if size is not None:
            sides[place] = [unit.with_models(size) for unit in sides[place]]
    a, b = (units[0] if len(units) == 1 else units for units in sides)
    found = fight_it_out(a, b, **arguments(sides, options))
    write_duel(with_names(found, (ours.name, theirs.name)), options, (ours, theirs))


def with_names(duel: Duel, lists: tuple[str, str]) -> Duel:
    """The duel with the names of its lists; unequal points are remarked."""
    points = [sum(fighter.unit.points or 0 for fighter in side) for side in duel.setup.fighters]
    if all(lists):
        from mathhammer.lists.coverage import unequal_points  # loaded with the lists

        if unequal := unequal_points(lists, points):
            remark(unequal)
    names = [given or name for given, name in zip(lists, duel.names, strict=True)]
    one, other = (f"{names[0]} (a)", f"{names[1]} (b)") if names[0] == names[1] else (names[0], names[1])
    return replace(duel, names=(one, other))


class Side(NamedTuple):
    """The units of one side; of a list also its name, and how much of it is known."""

    units: list[Unit]
    name: str = ""
    known: Coverage | None = None


def side_of(name: str, options: dict[str, Any]) -> Side:
    """The unit of that name or expression, or all units of the list in that file."""
    if not is_list(name, "duel"):
        return Side(find_units([name], options["system"], options["datasheets"], "duel"))
    from mathhammer.cli.list_files import open_list  # loaded only for lists

    army = open_list(name, options["datasheets"], one_of_two=True)
    known = army.coverage
    if not known.enough and not options["anyway"]:
        raise BadInputError(f"duel: {name}: {known}: no win chance ({known.advice()}; or give --anyway)")
    if not army.units:
        raise BadInputError(f"duel: {name}: no unit of this list has a profile (see mathhammer list show)")
    return Side(list(army.army().units), army.name, known)


def arguments(sides: Sequence[Sequence[Unit]], options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `duel` from the options."""
    attacks = attacks_of(sides[0][0].system, "duel")
    commands: dict[str, list[str]] = {"a": [], "b": []}
    for text in options["commands"]:
        side, colon, use = text.partition(":")
        if not colon or side.lower() not in commands:
            raise click.UsageError(f"--command {text!r} (write a:NAME or b:NAME, such as a:all_out_attack@1)")
        name, at, when = use.partition("@")
        known = name == REROLL or (not at and squeezed(name) == squeezed(REROLL))
        commands[side.lower()].append(
            f"{REROLL if known else command_named(attacks, name, 'duel')}{at}{when}"
        )
    for side in {"both": "ab", "none": ""}.get(options["reroll_charge"], options["reroll_charge"]):
        commands[side].append("reroll_charge")
    heal: dict[str, str] = {}
    for text in options["heal"]:
        side, colon, dice = text.partition(":")
        if not colon or side.lower() not in commands:
            raise click.UsageError(f"--heal {text!r} (write a:DICE or b:DICE, such as a:D3)")
        heal[side.lower()] = dice
    weapons = {
        side: named(options[key])
        for side, key in (("a", "weapons"), ("b", "b_weapons"))
        if options[key] is not None
    }
    return {
        "first": first_side(options["first"], sides),
        "rounds": rounds(options["rounds"]),
        "distance": options["distance"],
        "charge": options["charge"],
        "approach": options["approach"],
        "commands": {side: uses for side, uses in commands.items() if uses},
        "weapons": weapons,
        "situation": situations(attacks, options["situation"], options["b_situation"]),
        "use": uses_by_side(options.get("used", ())),
        "rally": options["rally"],
        "heal": heal,
        "priority": options["priority"],
        "policy": options["policy"],
        "options": switch_values(options["switches"]) or None,
        "method": options["method"],
        "trials": options["trials"],
        "seed": options["seed"],
    }


def uses_by_side(texts: Sequence[str]) -> dict[str, list[str]]:
    """Abilities in use, of A where no side is named."""
    used: dict[str, list[str]] = {"a": [], "b": []}
    for text in texts:
        side, colon, rest = text.partition(":")
        named_side = side.lower() if colon and side.lower() in used else ""
        used[named_side or "a"].append((rest if named_side else text).strip())
    return used


def situations(attacks: Attacks, own: Sequence[str], theirs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The situations of both sides: words of A's option may name a side themselves, as in b:charged."""
    words: dict[str, list[str]] = {"a": [], "b": []}
    for side, texts in (("a", own), ("b", theirs)):
        for word in split_all(texts):
            prefix, colon, rest = word.partition(":")
            named_side = prefix if colon and prefix in words else side
            flag = rest if colon and prefix in words else word
            words[named_side].append(flag_named(attacks, flag.strip(), "duel"))
    return {side: tuple(flags) for side, flags in words.items()}


def named(text: str) -> Any:
    """Weapons as the option gives them."""
    return text if text in ("melee", "ranged") else split(text)


def rounds(text: str) -> int | None:
    """The number of rounds; None: to the end."""
    if text == "end":
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise click.UsageError(f"--rounds {text!r} (give 1 to {MOST_ROUNDS}, or end)")
    return int(text)


def first_side(text: str, sides: Sequence[Sequence[Unit]]) -> str:
    """The side that begins, by letter or by the name of its unit."""
    if text.lower() in ("a", "b"):
        return text.lower()
    for side, units in zip(("a", "b"), sides, strict=True):
        if any(unit.name.lower() == text.strip().lower() for unit in units):
            return side
    names = [unit.name for units in sides for unit in units]
    raise BadInputError(
        f"duel: --first {text!r} is neither side (give a, b, or one of {', '.join(map(repr, names[:6]))})"
    )


def write_duel(duel: Duel, options: dict[str, Any], sides: Sequence[Side]) -> None:
    """Writes the answer; of lists it begins with how much of them is known."""
    advice = advise(duel, "a") if options["advice"] else None
    head = [f"{side.name}: {side.known}" for side in sides if side.known is not None]
    coverage = {
        key: side.known.to_dict() for key, side in zip("ab", sides, strict=True) if side.known is not None
    }
    Answer(
        parts=lambda: [*head, *([duel.explain()] if options["explain"] else duel_parts(duel, advice))],
        document=lambda: duel_document(duel, advice or ()) | ({"coverage": coverage} if coverage else {}),
    ).write(options)


# --- games without attack rolls: their own commands, asked in the words of this one


def game_of_record(name: str, own: str | None) -> str | None:
    """The game of a disk, a legion or a people's unit by its name; None for a list or a unit with weapons,
    which is looked for first: the records of the other games are read only when there is none.
    """
    if is_list(name, "duel"):
        return None
    try:
        find_sheet(name, None, own, "duel")
    except UnknownUnitError:
        from mathhammer.cli.records import records_named

        systems = {record.system for record in records_named(name.partition(":")[0].partition("#")[0], None)}
        return systems.pop() if len(systems) == 1 else None
    except BadInputError:  # a unit of several games: the search for it says so
        return None
    return None
