"""What a record of an Uprising datasheet may hold; each check raises one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.fields import Fields, mapped, whole
from mathhammer.games.records import CONFIDENCE, read_dice_set
from mathhammer.games.uprising.pools import COLOURS, dice_box
from mathhammer.games.uprising.scoring import RESOURCES
from mathhammer.games.uprising.sides import read_side

Record = Mapping[str, Any]
CLASSES = ("warrior", "archer", "rider")


def check_unit(where: str, record: Record) -> None:
    """A player unit: its class, what it costs, and the colour of its die."""
    fields = Fields(where, record, "name, people, rank, class, number, cost, die and confidence")
    for name in ("name", "people"):
        fields.text(name)
    fields.choice("rank", ("basic", "elite"))
    fields.choice("class", CLASSES)
    fields.whole("number", low=1, high=20)
    fields.choice("die", COLOURS)
    for name in ("confidence", "die_confidence"):
        fields.choice(name, CONFIDENCE)
    costs = fields.list("cost")
    if not costs:
        raise BadInputError(f"{where}: cost is missing (give a list of what it may be paid with)")
    for cost in costs:
        price = Fields(f"{where}: cost", mapped(f"{where}: cost", cost, "resource to amount"))
        for name in (*RESOURCES, "any"):
            price.maybe_whole(name)
        price.reject_unknown()
    fields.text("notes", "")
    fields.reject_unknown()


def check_card(where: str, record: Record) -> None:
    """A legion or horde: its dice at every threat, and what else counts in a combat."""
    given = dict(record)
    _trusted(where, given)
    rows = given.pop("rows", None)
    if rows is not None:
        given["table"] = rows
    numbers = [
        int(row)
        for row in mapped(where, rows or {}, "threat to archery|clash")
        if row.isascii() and row.isdigit()
    ]
    read_side(where, given | {"kind": "card", "threat": whole(where, "threat", max(numbers, default=1), 1)})


def check_garrison(where: str, record: Record) -> None:
    """The dice of garrisons by level."""
    given = dict(record)
    _trusted(where, given)
    read_side(where, {"kind": "garrison", "level": 3, "table": given.pop("rows", None), **given})


def _trusted(where: str, given: dict[str, Any]) -> None:
    """Takes away, checked, what says how far to trust a record."""
    fields = Fields(
        where, {name: given.pop(name) for name in ("confidence", "notes", "source") if name in given}
    )
    fields.choice("confidence", CONFIDENCE)
    for name in ("notes", "source"):
        fields.text(name, "")


def check_dice(where: str, record: Record) -> None:
    """A set of faces of the coloured dice."""
    dice_box(where, read_dice_set(where, record).faces)


RECORDS = {"player_unit": check_unit, "card": check_card, "garrison": check_garrison, "set": check_dice}
