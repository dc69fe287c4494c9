"""`mathhammer regiments`: two regiments of Diskwars against each other."""

from __future__ import annotations

import re
from typing import Any

import click

from mathhammer.cli.dice_answer import output_options, write_answer
from mathhammer.cli.diskwars.options import resist_option
from mathhammer.cli.output import remark
from mathhammer.cli.registering import command
from mathhammer.errors import BadInputError
from mathhammer.odds import odds
from mathhammer.tables import Column, Table


@command("regiments", "Diskwars: ready-made regiments against each other.", rank=125)
@click.argument("a", metavar="REGIMENT")
@click.option(
    "--vs", "b", required=True, metavar="REGIMENT", help="The other regiment, whose disks are pinned."
)
@click.option(
    "--figures",
    multiple=True,
    metavar="DISK: FIGURES",
    help="Figures of a disk that are not known: 'Arrer Boyz: counter 3, stamina 4'; repeat for more.",
)
@click.option(
    "--assume",
    metavar="FIGURES",
    help="For all other disks: 'attack 3, counter 3, stamina 4'; the answer names them.",
)
@resist_option
@output_options
def regiments(**options: Any) -> None:
    """Diskwars: every disk of a regiment pins every disk of another, and the pairing that is best for it.

    A regiment is called by its hero ('Grimgor'; mathhammer units regiment lists them), or is a list of disks
    with commas. Many figures of disks are not known: give them, or say what to assume.

    \b
    Examples:
      mathhammer regiments Grimgor --vs "Karl Franz" --assume "attack 3, counter 3, stamina 4"
      mathhammer regiments "Orc Boyz" --vs "Karl Franz, Huntsmen" --assume "attack 3, counter 2, stamina 4"
    """
    sides = {side: named(options[side]) for side in ("a", "b")}
    answer = odds(
        "diskwars",
        "regiments",
        **sides,
        figures=list(options["figures"]),
        assume=assumed(options["assume"]),
        resist_mode=options["resist_mode"],
    )
    for line in answer["assumed"]:
        remark(f"assumed: {line}")
    lower = list(dict.fromkeys(row["b"] for row in answer["clashes"]))
    upper = list(dict.fromkeys(row["a"] for row in answer["clashes"]))
    fates = {(row["a"], row["b"]): fate(row) for row in answer["clashes"]}
    columns = [Column("Pins", 0), *(Column(short(name), 1 + n) for n, name in enumerate(lower))]
    rows = [(short(name), *(fates[name, other] for other in lower)) for name in upper]
    pairs = [f"  {short(a)} on {short(b)}: {fates[a, b]}" for a, b in answer["pairing"]]
    lines = [
        "a: the pinning disk is destroyed, b: the pinned one, both, or -",
        f"Best pairing: {answer['b_lost']} of b and {answer['a_lost']} of a are destroyed",
        *pairs,
    ]
    write_answer(options, "regiments", "diskwars", answer, [Table(columns, rows), "", *lines])


def named(text: str) -> str | list[str]:
    """A regiment, or a list of disks."""
    return [name.strip() for name in text.split(",") if name.strip()] if "," in text else text.strip()


def short(name: str) -> str:
    """A disk without the letter of its side."""
    return name.removesuffix(" (a)").removesuffix(" (b)")


def fate(row: dict[str, Any]) -> str:
    """Who is destroyed in a clash."""
    a, b = row["a_destroyed"], row["b_destroyed"]
    return "both" if a and b else "a" if a else "b" if b else "-"


def assumed(text: str | None) -> dict[str, int]:
    """Figures for disks whose own are not known.

    >>> assumed("attack 3, counter 2, stamina 4")
    {'attack': 3, 'counter': 2, 'stamina': 4}
    """
    found: dict[str, int] = {}
    for part in [] if text is None else text.split(","):
        figure = re.fullmatch(r"(attack|counter|stamina) (\d{1,2})", " ".join(part.lower().split()))
        if figure is None:
            raise BadInputError(
                f"regiments: --assume: cannot read {part.strip()!r} (write 'attack 3, counter 3, stamina 4')"
            )
        found[figure[1]] = int(figure[2])
    return found
