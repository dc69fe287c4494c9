"""What a record of a Diskwars datasheet may hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.dice.symbols import MOST_FACES
from mathhammer.games.diskwars.army import FACTIONS, SIZES
from mathhammer.games.diskwars.combat_die import SYMBOLS, combat_die
from mathhammer.games.diskwars.disk import MOST, PROFILE, read_disk
from mathhammer.games.diskwars.ranged import RANGES, read_strengths
from mathhammer.games.diskwars.turns import STRATEGIES
from mathhammer.games.diskwars.words import DAMAGE_TYPES, ROLES, TAGS
from mathhammer.games.game import Field, RecordKind
from mathhammer.games.records import CONFIDENCE, DICE_SET

NAME = Field("name", "text", required=True, doc="its name")


def strength(where: str, _name: str, value: Any) -> object:
    """A number, or a die."""
    return read_strengths(where, value)


SHOT = (
    Field("dice", "number", low=1, high=100, doc="combat dice"),
    Field("strength", "checked", check=strength, doc="a whole number or 'd6'"),
    Field("damage_type", "choice", choices=DAMAGE_TYPES, doc="physical or magic"),
    Field("range", "choice", choices=RANGES, doc="the longest range"),
)
DISK = (
    NAME,
    Field("faction", "choice", required=True, choices=FACTIONS, doc="whose army it is in"),
    Field("confidence", "choice", required=True, choices=CONFIDENCE, doc="how far to trust the figures"),
    Field("race", "text", doc="the race"),
    Field("german", "text", doc="the name in German"),
    Field("notes", "text", doc="anything else"),
    *(Field(name, "flag", doc=f"whether it is {name}") for name in ("hero", "unique", "elite")),
    Field("movement", "number", doc="how many flips"),
    Field("cost", "number", doc="cost in a regiment"),
    Field("points", "number", doc="points of a hero's regiment"),
    Field("command", "number", doc="command cards"),
    Field("size", "choice", choices=SIZES, doc="small, medium or large"),
    Field("size_assumed", "flag", doc="whether the size is not given and stands in for it"),
    Field("keywords", "words", doc="keywords"),
    Field("ranged", "tables", fields=SHOT, doc="dice, strength, damage_type and range"),
    Field("attack", "number", high=MOST, doc="Attack"),
    Field("counter", "number", high=MOST, doc="Counter"),
    Field("stamina", "number", low=1, high=MOST, doc="Stamina"),
    Field("toughness", "number", high=MOST, doc="Toughness"),
    Field("swift", "words", choices=ROLES, doc="the strikes that come early"),
    Field("slow", "words", choices=ROLES, doc="the strikes that come late"),
    Field("resist", "words", choices=TAGS, doc="the damage that it halves"),
    Field("immune", "words", choices=TAGS, doc="the damage that does nothing to it"),
    Field("berserk", "flag", doc="whether it is berserk"),
)
REGIMENT = (
    NAME,
    Field("race", "text", doc="the race of its hero"),
    Field("confidence", "choice", choices=CONFIDENCE, doc="how far to trust it"),
    Field("units", "words", doc="names of its disks"),
    Field("commands", "words", doc="names of its command cards"),
)
COMMAND = (
    NAME,
    Field("strategy", "choice", required=True, choices=STRATEGIES, doc="its strategy"),
    Field("activations", "number", low=1, high=20, doc="how many disks it activates"),
)
FACES = tuple(Field(symbol, "number", high=MOST_FACES, doc=f"faces with {symbol}") for symbol in SYMBOLS)
SET = (*DICE_SET, Field("faces", "table", required=True, fields=FACES, doc="how many faces show each symbol"))


def disk_fits(where: str, record: Mapping[str, Any]) -> None:
    """All figures of a disk may be missing, none may contradict another."""
    read_disk(where, {"stamina": 1} | {name: record[name] for name in PROFILE if name in record})


def faces_fit(where: str, record: Mapping[str, Any]) -> None:
    """The faces make a die."""
    combat_die(where, record["faces"])


RECORDS = {
    "disk": RecordKind(DISK, disk_fits),
    "regiment": RecordKind(REGIMENT),
    "command": RecordKind(COMMAND),
    "set": RecordKind(SET, faces_fit),
}
