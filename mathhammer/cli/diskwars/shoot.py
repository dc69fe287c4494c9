"""`mathhammer shoot`: a ranged attack of Diskwars."""

from __future__ import annotations

from typing import Any

import click

from mathhammer.cli.dice_answer import dice_options, draw, engine, spread, tenths, write_answer
from mathhammer.cli.diskwars.options import resist_option
from mathhammer.cli.output import remark, sparkline
from mathhammer.cli.registering import command
from mathhammer.errors import BadInputError, did_you_mean
from mathhammer.games.diskwars.ranged import RANGES
from mathhammer.games.diskwars.text import known_disks, need, read_disk_text
from mathhammer.games.diskwars.words import DAMAGE_TYPES
from mathhammer.games.records import same_name
from mathhammer.odds import odds
from mathhammer.tables import Column, Table

COLUMNS = (
    Column("Disk", "id"),
    Column("Damage", lambda row: spread(row["damage"]), right=True),
    Column("10/50/90 %", lambda row: tenths(row["damage"]), right=True, rank=3),
    Column("Wound", lambda row: f"{row['p_wound']:.1%}", right=True, rank=1),
    Column("Destroyed", lambda row: f"{row['p_destroyed']:.1%}", right=True),
    Column("Token", lambda row: f"{row['p_activation_token']:.1%}", right=True, rank=2),
    Column("Distribution", lambda row: sparkline(row["damage"]), rank=4),
)


@command("shoot", "Diskwars: a ranged attack, with scatter to the neighbours.", rank=110)
@click.argument("shooter", metavar="DICE|SHOOTER")
@click.option(
    "--at",
    "--vs",
    "target",
    required=True,
    metavar="DISK",
    help="The target: a name, and figures behind a colon.",
)
@click.option(
    "--range",
    "distance",
    type=click.Choice(RANGES),
    required=True,
    help="The measured distance to the target.",
)
@click.option(
    "--reach",
    type=click.Choice(RANGES),
    help="The longest range of the weapon. Default: as the datasheet says.",
)
@click.option(
    "--strength", metavar="N", help="Strength of the attack, or d6; a shooter's datasheet may give it."
)
@click.option(
    "--neighbour",
    "neighbours",
    multiple=True,
    metavar="DISK",
    help="A disk that scatter may strike, nearest first; repeat for more.",
)
@click.option("--cover", is_flag=True, help="The target is in cover: one die fewer.")
@click.option(
    "--damage-type", type=click.Choice(DAMAGE_TYPES), help="Default: as the datasheet says, else physical."
)
@click.option(
    "--convert", multiple=True, metavar="OLD=NEW", help="A symbol that counts as another, such as chaos=hit."
)
@resist_option
@dice_options
def shoot(**options: Any) -> None:
    """Diskwars: what a ranged attack does to its target and to the disks it may scatter to.

    The first word is a number of combat dice, or a disk whose datasheet knows them. Figures of a disk
    stand behind a colon: stamina 4, toughness 1, damage 2, wounds 1, activated, empowered, cover, resist
    magic, immune ranged; of a neighbour also engaged, overlap 2, distance 3.

    \b
    Examples:
      mathhammer shoot 3 --strength 5 --range medium --at "Orc Boyz"
      mathhammer shoot "Reikland Crossbowmen" --range medium --at "Rock Orc Shaman" --neighbour "Orc Boyz"
      mathhammer shoot "Bolt Thrower" --range siege --at "Troll: stamina 6, toughness 1" --dice-set alt_lean
    """
    word = options["shooter"].strip()
    disks = [read_disk_text("shoot", text) for text in (options["target"], *options["neighbours"])]
    for disk in disks:
        need("shoot", disk, "stamina")
    answer = odds(
        "diskwars",
        "ranged",
        **shooter(word),
        strength=number_or_text(options["strength"]),
        range=options["distance"],
        reach=options["reach"],
        target=disks[0],
        neighbours=disks[1:],
        cover=options["cover"],
        damage_type=options["damage_type"],
        convert=conversions(options["convert"]),
        resist_mode=options["resist_mode"],
        **engine(options),
    )
    if not answer["target_allowed"]:
        remark(f"{disks[0]['id']}: is immune to ranged attacks and may not be chosen as target (DW-DMG-6)")
    rolled = answer["dice_rolled"]
    dice = f"{rolled} combat {'die' if rolled == 1 else 'dice'}"
    line = f"{dice} at {options['distance']} range; nothing is hit: {answer['p_no_hit_anywhere']:.1%}"
    write_answer(options, "shoot", "diskwars", answer, [Table(COLUMNS, answer["disks"]), "", line])
    distributions = {row["id"]: row["damage"] for row in answer["disks"]}
    draw(
        options["chart"],
        distributions,
        "damage",
        f"{f'{word} dice' if word.isdigit() else word} at {disks[0]['id']}: damage",
        "diskwars",
    )


def shooter(word: str) -> dict[str, Any]:
    """Who shoots: so many dice, or a disk by name.

    >>> shooter("3"), shooter("bolt thrower")
    ({'dice': 3}, {'shooter': 'Bolt Thrower'})
    """
    dice = number_or_text(word)
    if isinstance(dice, int):
        return {"dice": dice}
    if same_name(word) not in known_disks():
        hint = (
            did_you_mean(word, [disk["name"] for disk in known_disks().values()])
            or " (give a number of dice, or the name of a disk)"
        )
        raise BadInputError(f"shoot: unknown disk {word!r}{hint}")
    return {"shooter": known_disks()[same_name(word)]["name"]}


def number_or_text(text: str | None) -> int | str | None:
    """A number where it is one: strength 3, or d6."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 5 else text


def conversions(texts: tuple[str, ...]) -> dict[str, str]:
    """Symbols that count as others, from `old=new`."""
    renamed: dict[str, str] = {}
    for text in texts:
        old, equals, new = text.partition("=")
        if not equals:
            raise click.UsageError(f"--convert {text!r} (write OLD=NEW, such as chaos=hit)")
        renamed[old.strip().lower()] = new.strip().lower()
    return renamed
