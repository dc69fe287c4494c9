"""`mathhammer round`: a whole round of Diskwars on one disk, or on several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from mathhammer.cli.dice_answer import dice_options, draw, engine, tenths, write_answer
from mathhammer.cli.diskwars.options import resist_option
from mathhammer.cli.output import sparkline
from mathhammer.cli.registering import command
from mathhammer.games.diskwars.text import need, read_disk_text, read_event_text
from mathhammer.odds import odds
from mathhammer.tables import Column, Table

COLUMNS = (
    Column("Disk", "id"),
    Column("Destroyed", lambda row: f"{row['p_destroyed']:.1%}{row['error']}", right=True),
    Column("Wounds 10/50/90 %", lambda row: tenths(row["wounds"]), right=True, rank=1),
    Column("Token", lambda row: f"{row['p_activation_token']:.1%}", right=True, rank=2),
    Column("Wounds", lambda row: sparkline(row["wounds"]), rank=3),
)


@command("round", "Diskwars: a whole round on a disk: volleys, magic, ground, clash.", rank=115)
@click.argument("disks", nargs=-1, required=True, metavar="DISK...")
@click.option(
    "--event",
    "events",
    multiple=True,
    required=True,
    metavar="EVENT",
    help="What happens, in order; repeat for more.",
)
@resist_option
@dice_options
def round_(**options: Any) -> None:
    """Diskwars: what a whole round does to a disk, and to others on the table, as one distribution.

    Disks are written as for clash, with 'owner NAME' where they fight each other (else the first one is A's
    and the others are B's). Events are 'shoot Reikland Crossbowmen, medium', 'shoot 3 dice, strength d6,
    long, cover, neighbour Orc Boyz', 'magic 2', 'impact 1', 'dangerous physical', 'clash Karl Franz > Orc
    Boyz' and 'end phase'; 'at DISK' names another disk than the first.

    \b
    Examples:
      mathhammer round "Orc Boyz: counter 3" --event "shoot Reikland Crossbowmen, medium" --event "magic 1"
      mathhammer round "Orc Boyz: counter 3" "Karl Franz" --event "clash Karl Franz>Orc Boyz"
    """
    disks = [read_disk_text("round", text) for text in options["disks"]]
    for place, disk in enumerate(disks):
        need("round", disk, "stamina")
        disk.setdefault("owner", "A" if place == 0 else "B")
    events = [read_event_text("round: --event", text) for text in options["events"]]
    by_id = {disk["id"]: disk for disk in disks}
    for event in events:
        for upper, lower in event.get("clash", {}).get("pins", []):
            for name, figure in ((upper, "attack"), (lower, "counter")):
                if name in by_id:
                    need("round", by_id[name], figure)
    answer = odds(
        "diskwars",
        "round",
        disks=disks,
        events=events,
        resist_mode=options["resist_mode"],
        **engine(options),
    )
    rows = [{"id": name, **row, "error": _error(row)} for name, row in answer["disks"].items()]
    first = answer["disks"][disks[0]["id"]]
    write_answer(
        options, "round", "diskwars", answer, [Table(COLUMNS, rows), "", *_states(disks[0]["id"], first)]
    )
    distributions = {name: row["wounds"] for name, row in answer["disks"].items()}
    draw(options["chart"], distributions, "wounds", f"{disks[0]['id']}: a whole round", "diskwars")


def _error(row: Mapping[str, Any]) -> str:
    error = row.get("standard_error", 0.0)
    return f" ±{error:.2%} s.e." if error else ""


def _states(name: str, row: Mapping[str, Any]) -> list[str]:
    """How a disk is left, the likeliest first."""
    lines = [f"{name} in the end: destroyed {row['p_destroyed']:.1%}"]
    for (wounds, damage), chance in sorted(row["states"].items(), key=lambda item: -item[1]):
        if chance >= 0.0005:
            lines.append(
                f"  {wounds} {'wound' if wounds == 1 else 'wounds'} and {damage} damage: {chance:.1%}"
            )
    return lines
