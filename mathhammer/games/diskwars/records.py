"""What a record of a Diskwars datasheet may hold; each check raises one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.games.diskwars.army import FACTIONS, SIZES
from mathhammer.games.diskwars.combat_die import combat_die
from mathhammer.games.diskwars.disk import DAMAGE_TYPES, PROFILE, read_disk
from mathhammer.games.diskwars.ranged import RANGES
from mathhammer.games.diskwars.turns import STRATEGIES
from mathhammer.games.fields import Fields
from mathhammer.games.records import CONFIDENCE, read_dice_set

Record = Mapping[str, Any]


def check_disk(where: str, record: Record) -> None:
    """A disk: all figures may be missing, none may be wrong."""
    fields = Fields(where, record, "the fields of a disk")
    fields.choice("faction", FACTIONS)
    fields.choice("confidence", CONFIDENCE)
    for name in ("name", "race", "german", "notes"):
        fields.text(name, "")
    for name in ("hero", "unique", "elite"):
        fields.flag(name)
    for name in ("movement", "cost", "points", "command"):
        fields.maybe_whole(name)
    fields.choice("size", SIZES, SIZES[0])
    fields.list("keywords")
    for number, profile in enumerate(fields.list("ranged"), 1):
        shot = Fields(f"{where}: ranged {number}", profile, "dice, strength, damage_type and range")
        shot.maybe_whole("dice", 1, 100)
        shot.take("strength", None)  # a number or d6
        shot.choice("damage_type", DAMAGE_TYPES, DAMAGE_TYPES[0])
        shot.choice("range", RANGES, RANGES[0])
        shot.reject_unknown()
    figures = {name: fields.take(name, None) for name in PROFILE}
    fields.reject_unknown()
    read_disk(where, {"stamina": 1} | {name: value for name, value in figures.items() if value is not None})


def check_regiment(where: str, record: Record) -> None:
    """A ready-made regiment: its hero, units and command cards by name."""
    fields = Fields(where, record, "name, units and commands")
    fields.text("name")
    for name in ("units", "commands"):
        for entry in fields.list(name):
            Fields(where, {name: entry}).text(name)
    fields.reject_unknown()


def check_command(where: str, record: Record) -> None:
    """A command card."""
    fields = Fields(where, record, "name, strategy and activations")
    fields.text("name")
    fields.choice("strategy", STRATEGIES)
    fields.maybe_whole("activations", 1, 20)
    fields.reject_unknown()


def check_dice(where: str, record: Record) -> None:
    """A set of faces of the combat die."""
    combat_die(where, read_dice_set(where, record).faces)


RECORDS = {"disk": check_disk, "regiment": check_regiment, "command": check_command, "set": check_dice}
