"""`mathhammer clash`: the melee of Diskwars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import click

from mathhammer.cli.dice_answer import output_options, write_answer
from mathhammer.cli.diskwars.options import resist_option
from mathhammer.cli.registering import command
from mathhammer.errors import BadInputError
from mathhammer.games.diskwars.text import need, read_disk_text
from mathhammer.odds import odds
from mathhammer.tables import Column, Table

COLUMNS = (
    Column("Disk", 0),
    Column("Side", 1),
    Column("Takes", 2, right=True),
    Column("Damage on it", 3, right=True, rank=2),
    Column("Wounds", 4, right=True, rank=1),
    Column("In the end", 5),
)
Disks = dict[str, dict[str, Any]]
Pins = list[tuple[str, str]]


@command("clash", "Diskwars: melee, from one pin to a mass battle.", rank=120)
@click.argument("pins", nargs=-1, required=True, metavar="'UPPER > LOWER'...")
@click.option(
    "--strike",
    "strikes",
    multiple=True,
    metavar="'DISK > VICTIM'",
    help="Whom a disk strikes that has a choice; else the first named.",
)
@click.option(
    "--best",
    metavar="OWNER",
    help="Best strikes where a disk has a choice: of both players, or of one owner (A is the first named).",
)
@resist_option
@output_options
def clash(**options: Any) -> None:
    """Diskwars: the clashes of a melee phase. No dice are rolled; several pins make a mass battle, fought
    from the top down.

    A disk that pins another attacks, the one beneath it counters; 'A > B > C' is a pile. Figures stand
    behind a colon, once for each disk: attack 5, counter 3, stamina 4, toughness 1, damage 2, wounds 1,
    empowered, berserk, swift attack, slow, resist physical, immune melee, defensive. 'Orc Boyz#2' is a
    second disk of that name. Disks that pin each other are enemies; 'owner NAME' says otherwise.

    \b
    Examples:
      mathhammer clash "Orc Boyz>Marienburg Swordsmen: stamina 6"
      mathhammer clash "Karl Franz>Orc Boyz: counter 3" "Karl Franz>Arrer Boyz: counter 3, stamina 4"
      mathhammer clash "Karl Franz>Orc Boyz: counter 3" "Karl Franz>Arrer Boyz: counter 3, stamina 6" --best A
    """
    disks, pins = read_pins(options["pins"])
    sides = owners(disks, pins)
    for disk in disks.values():
        need("clash", disk, "stamina")
    for upper, lower in pins:
        if sides[upper] != sides[lower]:
            need("clash", disks[upper], "attack")
            need("clash", disks[lower], "counter")
    owned = [disk | {"owner": sides[name]} for name, disk in disks.items()]
    details = {
        "disks": owned,
        "pins": [list(pin) for pin in pins],
        "targets": choices(options["strikes"], pins),
    }
    answer = odds("diskwars", "melee", **details, resist_mode=options["resist_mode"], best=options["best"])
    rows = []
    for name, final in answer["final"].items():
        taken = sum(packet["damage"] for packet in answer["log"] if packet["disk"] == name)
        fate = "destroyed" if final["destroyed"] else "stands"
        rows.append((name, sides[name], str(taken), str(final["damage"]), str(final["wounds"]), fate))
    told = [f"{one['disk']} strikes {one['victim']} ({one['role']})" for one in answer["strikes"]]
    write_answer(options, "clash", "diskwars", {**answer, "owners": sides}, [Table(COLUMNS, rows), "", *told])


def read_pins(texts: Sequence[str]) -> tuple[Disks, Pins]:
    """All disks by id, each with what is said about it anywhere, and who pins whom."""
    disks: Disks = {}
    pins: Pins = []
    for text in texts:
        pile = [read_disk_text("clash", part) for part in text.split(">")]
        if len(pile) < 2:
            raise BadInputError(f"clash: {text!r} pins no disk (write 'UPPER > LOWER')")
        for disk in pile:
            known = disks.setdefault(disk["id"], disk)
            for field, value in disk.items():
                if known.setdefault(field, value) != value:
                    raise BadInputError(
                        f"clash: {disk['id']}: {field} is given twice ({known[field]} and {value})"
                    )
        pins += pairwise(disk["id"] for disk in pile)
    return disks, list(dict.fromkeys(pins))


def owners(disks: Mapping[str, Mapping[str, Any]], pins: Pins) -> dict[str, str]:
    """Who owns each disk: as it is said, else such that a pinned disk is an enemy."""
    said = {name: str(disk["owner"]) for name, disk in disks.items() if "owner" in disk}
    names = list(dict.fromkeys(said.values()))
    if len(said) < len(disks) and len(names) > 2:
        raise BadInputError(
            f"clash: {len(names)} owners, and some disks have none (give every disk its owner)"
        )
    first, second = (names + [name for name in ("A", "B") if name not in names])[:2]
    sides = dict(said)

    def face_enemies(waiting: list[str]) -> None:
        while waiting:
            here = waiting.pop()
            for pin in pins:
                if here in pin:
                    other = pin[0] if here == pin[1] else pin[1]
                    if other not in sides:
                        sides[other] = second if sides[here] == first else first
                        waiting.append(other)

    face_enemies(list(said))
    for name in disks:
        if name not in sides:
            sides[name] = first
            face_enemies([name])
    for upper, lower in pins:
        if sides[upper] == sides[lower] and not (upper in said and lower in said):
            raise BadInputError(
                f"clash: {upper} and {lower} cannot be enemies in this ring of pins (give every disk its "
                "owner)"
            )
    return sides


def choices(texts: Sequence[str], pins: Pins) -> dict[str, dict[str, str]]:
    """Whom each disk strikes: with its attack where it pins the victim, else with its counter."""
    victims: dict[str, dict[str, str]] = {"attack": {}, "counter": {}}
    for text in texts:
        named = [read_disk_text("clash", part) for part in text.split(">")]
        if len(named) != 2 or any(set(disk) - {"id", "disk"} for disk in named):
            raise BadInputError(f"clash: --strike {text!r} (write 'DISK > VICTIM')")
        striker, victim = (disk["id"] for disk in named)
        role = "attack" if (striker, victim) in pins else "counter"
        if role == "counter" and (victim, striker) not in pins:
            raise BadInputError(
                f"clash: {striker} and {victim} do not pin each other (strike a disk above or beneath)"
            )
        if victims[role].setdefault(striker, victim) != victim:
            raise BadInputError(
                f"clash: {striker} strikes {victims[role][striker]} and {victim} (choose one)"
            )
    return victims
