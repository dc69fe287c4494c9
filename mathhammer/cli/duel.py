"""`mathhammer duel`: two units, or two lists, fight it out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mathhammer._version import __version__
from mathhammer.cli.answer import plain
from mathhammer.cli.duel_games import other_game
from mathhammer.cli.duel_text import advice_blocks, duel_blocks, duel_lines
from mathhammer.cli.options import find_units, split, switch_values, system_option
from mathhammer.cli.output import as_json, print_table, write_text
from mathhammer.duel import duel as fight_it_out
from mathhammer.duel.advice import advise
from mathhammer.duel.arguments import POLICIES, WHO
from mathhammer.duel.assumptions import assumptions
from mathhammer.duel.result import Duel
from mathhammer.duel.setup import MOST_ROUNDS
from mathhammer.errors import BadInputError
from mathhammer.tables import as_table
from mathhammer.units.unit import Unit

SIDE = click.Choice(WHO, case_sensitive=False)


@click.command(name="duel")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
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
    help="Between them; left out: in combat, lists 24 inches apart.",
)
@click.option("--charge", type=SIDE, default="both", show_default=True, help="Who charges.")
@click.option(
    "--approach", type=SIDE, help="Who moves towards the enemy; left out: nobody, in a battle of lists both."
)
@click.option(
    "--reroll-charge", type=SIDE, default="none", show_default=True, help="Whose charges are rolled again."
)
@click.option("--models", type=int, metavar="N", help="Size of A.")
@click.option("--b-models", type=int, metavar="N", help="Size of B.")
@click.option("--weapons", metavar="WHICH", help="Of A: melee, ranged, or weapon names with commas.")
@click.option("--b-weapons", metavar="WHICH", help="The same for B.")
@click.option(
    "--situation", metavar="FLAGS", help="For A's attacks, with commas: stationary,target_in_cover ..."
)
@click.option("--b-situation", metavar="FLAGS", help="The same for B's attacks.")
@click.option(
    "--command",
    "commands",
    multiple=True,
    metavar="SIDE:NAME[@ROUND]",
    help="a:all_out_attack, b:all_out_defence@1 ...; repeat for more.",
)
@click.option(
    "--rally", type=SIDE, default="none", show_default=True, help="Who uses Rally while not in combat."
)
@click.option("--heal", multiple=True, metavar="SIDE:DICE", help="Wounds healed in each own turn: a:D3.")
@click.option(
    "--priority",
    type=click.Choice(["fixed", "roll"]),
    default="fixed",
    show_default=True,
    help="The first turn of later rounds.",
)
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default="nearest",
    show_default=True,
    help="Whom units of a list attack.",
)
@click.option(
    "--option", "switches", multiple=True, metavar="NAME=VALUE", help="A switch for an unclear rule."
)
@click.option(
    "--method", type=click.Choice(["exact", "simulate"]), help="Left out: exact for two units, else simulate."
)
@click.option("--trials", type=int, metavar="N", help="Trials of a simulation (default 100000).")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of a simulation.")
@click.option(
    "--advise", "advice", is_flag=True, help="What each single use of a command is worth to A, best first."
)
@click.option("--explain", is_flag=True, help="The steps, their rules and all assumptions.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("-o", "output", metavar="FILE", help="Write to a file instead of stdout.")
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
    if other_game(options):
        return
    ours = armies(options["a"], options)
    sides = [ours, armies(options["b"], {**options, "system": options["system"] or ours[0].system})]
    for place, size in enumerate((options["models"], options["b_models"])):
        if size is not None:
            sides[place] = [unit.with_models(size) for unit in sides[place]]
    fought = fight_it_out(sides[0], sides[1], **arguments(sides, options))
    emit(fought, options)


def armies(name: str, options: dict[str, Any]) -> list[Unit]:
    """The unit of that name, or all units of the list in that file; what the list leaves
    open goes to stderr.
    """
    if not Path(name).is_file():
        if Path(name).suffix in (".rosz", ".ros", ".json", ".txt", ".toml"):
            raise BadInputError(f"duel: {name}: no such file (give a list, or the name of a unit)")
        return find_units([name], options["system"], options["datasheets"], "duel")
    from mathhammer.lists.readers import read_roster  # loaded only for lists

    roster = read_roster(Path(name), datasheets=options["datasheets"])
    for remark in (*roster.warnings, *map(str, roster.missing)):
        click.echo(f"{name}: {remark}", err=True)
    if not roster.units:
        raise BadInputError(f"duel: {name}: no unit of this list has a profile (see mathhammer list show)")
    return list(roster.units)


def arguments(sides: Sequence[Sequence[Unit]], options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `duel` from the options."""
    commands: dict[str, list[str]] = {"a": [], "b": []}
    for text in options["commands"]:
        side, colon, use = text.partition(":")
        if not colon or side.lower() not in commands:
            raise click.UsageError(f"--command {text!r} (write a:NAME or b:NAME, such as a:all_out_attack@1)")
        commands[side.lower()].append(use)
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
        "situation": {"a": split(options["situation"]), "b": split(options["b_situation"])},
        "rally": options["rally"],
        "heal": heal,
        "priority": options["priority"],
        "policy": options["policy"],
        "options": switch_values(options["switches"]) or None,
        "method": options["method"],
        "trials": options["trials"],
        "seed": options["seed"],
    }


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


def emit(fought: Duel, options: dict[str, Any]) -> None:
    """Writes the answer."""
    several = max(map(len, fought.setup.fighters)) > 1
    advice = advise(fought, "a") if options["advice"] else ()
    if options["form"] == "json":
        told = [
            {
                "use": str(a.use),
                "rule": a.rule,
                "p_win": a.wins,
                "gain": a.gain,
                "trade": a.trade,
                "refused": a.refused,
            }
            for a in advice
        ]
        document = {
            "schema": "mathhammer-duel/1",
            "mathhammer": __version__,
            "system": fought.setup.system.key,
            "title": fought.setup.system.title,
            "method": fought.method,
            "trials": fought.trials,
            "seed": fought.seed,
            "answer": plain(fought.to_dict(going_first=not several)),
            "advice": told,
        }
        write_text(as_json(document), options["output"])
        return
    if options["explain"]:
        write_text(fought.explain(), options["output"])
        return
    blocks = duel_blocks(fought)
    lines = duel_lines(fought, several)
    if options["advice"]:
        blocks += advice_blocks(fought, advice)
    if several:
        lines += ["", "This battle assumes:", *(f"- {line}" for line in assumptions(fought.setup))]
    if options["output"] is not None:
        write_text(
            "\n".join([*(as_table(b.columns, b.rows, b.right) + "\n" for b in blocks), *lines]),
            options["output"],
        )
        return
    for block in blocks:
        print_table(block.columns, block.rows, block.right)
        click.echo()
    click.echo("\n".join(lines))
