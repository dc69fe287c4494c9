"""What a record of an Uprising datasheet may hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.dice.symbols import make_die
from mathhammer.games.game import Field, RecordKind
from mathhammer.games.records import CONFIDENCE, DICE_SET
from mathhammer.games.uprising.pools import COLOURS, MOST_DICE, SYMBOLS, dice_box, read_colours, spelled_out
from mathhammer.games.uprising.powers import EFFECTS, LIMITS
from mathhammer.games.uprising.scoring import RESOURCES
from mathhammer.games.uprising.sides import (
    CONDITIONS,
    OWN_FACTION,
    TERRAIN,
    WINDOWS,
    read_row,
    read_side,
)

CLASSES = ("warrior", "archer", "rider")
TRUSTED = (
    Field("confidence", "choice", required=True, choices=CONFIDENCE, doc="how far to trust the figures"),
    Field("source", "text", doc="where they come from"),
    Field("notes", "text", doc="anything else"),
)
NAME = Field("name", "text", required=True, doc="its name")
COST = tuple(Field(name, "number", doc=f"how much {name}") for name in (*RESOURCES, "any"))
UNIT = (
    NAME,
    Field("people", "text", required=True, doc="whose unit it is"),
    Field("rank", "choice", required=True, choices=("basic", "elite"), doc="basic or elite"),
    Field("class", "choice", required=True, choices=CLASSES, doc="warrior, archer or rider"),
    Field("number", "number", required=True, low=1, high=20, doc="how many there are"),
    Field("cost", "tables", required=True, fields=COST, doc="what it may be paid with"),
    Field("die", "choice", required=True, choices=COLOURS, doc="the colour of its die"),
    Field("die_confidence", "choice", required=True, choices=CONFIDENCE, doc="how far to trust the die"),
    *(field for field in TRUSTED if field.name != "source"),
)


def row(where: str, name: str, value: Any) -> object:
    """One row of dice: archery and clash."""
    return read_row(f"{where}: {name}", value)


def die(where: str, name: str, value: Any) -> object:
    """The faces of one die."""
    return make_die(where, name, spelled_out(value), SYMBOLS)


ROW = Field("row", "checked", check=row, doc="archery|clash, such as WB|PBR")
ROWS = Field("rows", "mapping", fields=(ROW,), doc="level or threat to archery|clash")
POWER = (
    Field("effect", "choice", required=True, choices=EFFECTS, doc="what a bolt becomes"),
    Field("n", "number", high=20, doc="how many"),
    Field("limit", "choice", choices=LIMITS, doc="once a round, once a combat or always"),
    Field("units", "number", high=1, doc="destroy: whether it takes the most expensive unit"),
    Field("threat", "number", high=20, doc="destroy: threat that it takes from a card"),
)
EXTRA = (
    Field("when", "choice", required=True, choices=(*TERRAIN, *CONDITIONS), doc="terrain or condition"),
    Field("archery", "checked", check=read_colours, doc="dice for archery"),
    Field("clash", "checked", check=read_colours, doc="dice for the clash"),
)
BONUS = tuple(Field(window, "checked", check=read_colours, doc=f"dice for {window}") for window in WINDOWS)
FLAGS = ("copies_enemy_dice", "stops_shields", "stops_bolts", "skips_archery")
SHARED = (
    *TRUSTED,
    Field("reroll", "number", high=MOST_DICE, doc="blanks that it may reroll"),
    Field("bonus", "table", fields=BONUS, doc="more dice"),
)
CARD = (
    NAME,
    Field("faction", "choice", required=True, choices=OWN_FACTION["card"], doc="empire or chaos"),
    *SHARED,
    ROWS,
    Field("god_power", "table", fields=POWER, doc="effect, n, limit, units and threat"),
    Field("destroy_vp", "number", high=100, doc="points for destroying it"),
    Field("hero_skulls_vp", "flag", doc="points for destroying it: one for each skull of the hero's dice"),
    *(Field(name, "flag", doc=name.replace("_", " ")) for name in FLAGS),
    Field("extra", "tables", fields=EXTRA, doc="when, archery and clash"),
    Field("conditions", "words", choices=CONDITIONS, doc="conditions that are met"),
    Field("initiative", "number", high=100, doc="Initiative"),
)
GARRISON = (
    NAME,
    *SHARED,
    ROWS,
    Field("faction", "choice", choices=OWN_FACTION["garrison"], doc="empire"),
)
FACES = tuple(Field(colour, "checked", check=die, doc=f"faces of the {colour} die") for colour in COLOURS)
SET = (*DICE_SET, Field("faces", "table", required=True, fields=FACES, doc="colour to faces"))


def card_fits(where: str, record: Mapping[str, Any]) -> None:
    """A legion or horde has its dice at every threat."""
    rows = record.get("rows", {})
    highest = max((int(number) for number in rows if number.isascii() and number.isdigit()), default=1)
    read_side(where, _side(record) | {"kind": "card", "threat": max(1, highest)})


def garrison_fits(where: str, record: Mapping[str, Any]) -> None:
    """A garrison has its dice at every level."""
    read_side(where, _side(record) | {"kind": "garrison", "level": 3})


def _side(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record as a side of a combat."""
    beside = {field.name for field in TRUSTED}
    side = {name: value for name, value in record.items() if name not in (*beside, "rows")}
    return side | ({"table": record["rows"]} if "rows" in record else {})


def faces_fit(where: str, record: Mapping[str, Any]) -> None:
    """The faces make a set of dice."""
    dice_box(where, record["faces"])


RECORDS = {
    "player_unit": RecordKind(UNIT),
    "card": RecordKind(CARD, card_fits),
    "garrison": RecordKind(GARRISON, garrison_fits),
    "set": RecordKind(SET, faces_fit),
}
