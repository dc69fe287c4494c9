"""The sides of a combat read from their fields: player units, garrisons, skeletons, legions and hordes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.fields import Fields, listed, mapped, whole
from mathhammer.games.records import find_record, same_name
from mathhammer.games.uprising.pools import COLOURS, MOST_DICE, SYMBOLS, read_colours
from mathhammer.games.uprising.powers import Power, read_power
from mathhammer.games.uprising.side import MOST_UNITS, Extra, Figure, Side

KINDS = ("units", "garrison", "skeletons", "card")
FACTIONS = ("player", "empire", "chaos")
POLICIES = ("negate_shields", "god_power_first")
WINDOWS = ("archery", "clash", "first_clash", "after_damage")
CONDITIONS = ("haven_or_empire", "target_marker")
# UP-TER-1: for the whole combat; ice, the Capital and unexplored hexes do nothing (UP-TER-6)
TERRAIN = ("ice", "badlands", "highlands", "marsh", "forest", "cursed", "capital", "unexplored")
MOST_THREAT = 20
MOST_SKELETONS = 2  # UP-SKE-1
MOST_POWERS = 4  # UP-BOLT-2: face-up druids
OWN_FACTION = {
    "units": ("player",),
    "garrison": ("empire",),
    "skeletons": ("chaos",),
    "card": ("empire", "chaos"),
}
WANTED = "kind (units, garrison, skeletons or card), faction, and what belongs to that kind"


def read_side(where: str, mapping: Any, fights: bool = True) -> Side:
    """A side from its fields; with `fights=False` (one given roll) strength and dice may be left out.

    >>> read_side("battle: b", {"kind": "card", "name": "Bloodwyrm", "threat": 3}).rows[3]
    (('red',), ('red', 'red', 'red'))
    """
    fields = Fields(where, mapping, WANTED)
    kind = fields.choice("kind", KINDS)
    given = dict(mapping)
    if kind == "card" and "table" not in given and "name" in given and fights:
        given = {**_card_record(where, given["name"]), **given}
        fields = Fields(where, given, WANTED)
        fields.take("kind")
    own = OWN_FACTION[kind]
    faction = fields.choice("faction", FACTIONS, own[0] if len(own) == 1 else "")
    if faction not in own:
        raise BadInputError(f"{where}: {kind} of the faction {faction!r} (give {' or '.join(own)})")
    reader = {
        "units": _read_units,
        "garrison": _read_garrison,
        "skeletons": _read_skeletons,
        "card": _read_card,
    }[kind]
    read = reader(where, fields, fights)
    side = Side(
        kind=kind,
        faction=faction,
        **_read_bonus(where, fields),
        reroll=fields.whole("reroll", 0, high=MOST_DICE),
        **read,
    )
    fields.reject_unknown()
    return side


def _read_bonus(where: str, fields: Fields) -> dict[str, Any]:
    """Dice and symbols that cards and items add, by window of a round."""
    bonus = Fields(
        f"{where}: bonus",
        fields.take("bonus", {}),
        "archery, clash, first_clash or after_damage: lists of colours",
    )
    windows = {window: read_colours(f"{where}: bonus", window, bonus.take(window, ())) for window in WINDOWS}
    bonus.reject_unknown()
    added = Fields(
        f"{where}: symbols",
        fields.take("symbols", {}),
        "archery, clash, first_clash or after_damage: skull, shield and bolt with a number",
    )
    symbols = {}
    for window in WINDOWS:
        shown = Fields(f"{where}: symbols: {window}", added.take(window, {}), "skull, shield, bolt")
        symbols[window] = tuple(shown.whole(symbol, 0, high=20) for symbol in SYMBOLS)
        shown.reject_unknown()
    added.reject_unknown()
    return {
        "bonus": {window: dice for window, dice in windows.items() if dice},
        "symbols": {window: counts for window, counts in symbols.items() if any(counts)},
    }


def _read_units(where: str, fields: Fields, fights: bool) -> dict[str, Any]:
    """Units, tower and wall of a player; heroes are not units and bring nothing to a combat (UP-HERO-2)."""
    figures: list[Figure] = []
    for number, entry in enumerate(fields.list("units"), 1):
        figures += _read_unit(f"{where}: unit {number}", entry)
    order = [str(name) for name in fields.list("casualty_order")]
    names = [figure.name for figure in figures]
    for name in order:
        if name not in names:
            raise BadInputError(
                f"{where}: casualty_order names {name!r}, which is not there (give names of its units)"
            )
    if fights:
        _check_units(where, figures)
    policy = fields.choice("bolt_policy", POLICIES, "negate_shields")
    given = fields.take("god_power", None)
    powers = tuple(
        read_power(where, power)
        for power in ([] if given is None else given if isinstance(given, list) else [given])
    )
    if (policy == "god_power_first") != bool(powers) or len(powers) > MOST_POWERS:
        raise BadInputError(
            f"{where}: bolt_policy {policy!r} with {len(powers)} god powers (god_power_first needs 1 to "
            f"{MOST_POWERS}, negate_shields none)"
        )
    # UP-CAS-1, UP-CAS-2: the order that the owner gives, then the weakest die first, ties in listing order.
    rank = {name: place for place, name in reversed(list(enumerate(order)))}
    figures.sort(key=lambda figure: (rank.get(figure.name, len(order)), -COLOURS.index(figure.die)))
    tower, wall, haven = (fields.flag(name) for name in ("tower", "wall", "haven"))
    return {
        "name": fields.text("name", "players"),
        "strength": len(figures),
        "figures": tuple(figures),
        "tower": tower,
        "wall": wall,
        "haven": haven or tower or wall,  # UP-DEF-1: defences are built at a haven
        "powers": powers,
        "policy": policy,
    }


def _check_units(where: str, figures: list[Figure]) -> None:
    """UP-UNIT-1: at most five units of one faction on a hex; and no more of a kind than there are."""
    if not 1 <= len(figures) <= MOST_UNITS:
        raise BadInputError(
            f"{where}: {len(figures)} units (give 1 to {MOST_UNITS}, the most of a faction on a hex, "
            "UP-UNIT-1)"
        )
    peoples = sorted({figure.people for figure in figures if figure.people})
    if len(peoples) > 1:
        raise BadInputError(
            f"{where}: units of {' and '.join(peoples)} (give units of one faction, UP-UNIT-1)"
        )
    for spelled, copies in Counter(same_name(figure.name) for figure in figures if figure.people).items():
        most, name = next((f.number, f.name) for f in figures if same_name(f.name) == spelled)
        if copies > most:
            raise BadInputError(
                f"{where}: {copies} {name} (there are {most} of them in the box, UP-UNIT-1, UP-UNIT-2)"
            )


def _read_unit(where: str, entry: Any) -> list[Figure]:
    given = (
        {"name": entry} if isinstance(entry, str) else mapped(where, entry, "name, die, count, archer, rider")
    )
    people, number = "", MOST_UNITS
    if "die" not in given and isinstance(given.get("name"), str):
        record = find_record("uprising", "units.toml", "player_unit", given["name"], where)
        people, number = record["people"], record["number"]
        given = {
            "die": record["die"],
            "archer": record["class"] == "archer",
            "rider": record["class"] == "rider",
            "cost": min(sum(cost.values()) for cost in record["cost"]),
            **given,
        }
    fields = Fields(where, given, "name, die, count, archer, rider, cost")
    figure = Figure(
        fields.text("name"),
        fields.choice("die", COLOURS),
        fields.flag("archer"),
        fields.flag("rider"),
        people,
        fields.whole("cost", 0, high=100),
        number,
    )
    count = fields.whole("count", 1, low=0, high=20)
    fields.reject_unknown()
    return [figure] * count


def _read_garrison(where: str, fields: Fields, fights: bool) -> dict[str, Any]:
    # UP-GAR-1
    level = fields.whole("level", low=1, high=3) if fights else fields.whole("level", 1, low=1, high=3)
    table = fields.take("table", None)
    # UP-GAR-2
    rows = (
        find_record("uprising", "units.toml", "garrison", "garrison", where)["rows"]
        if table is None
        else table
    )
    return {
        "name": fields.text("name", "garrison"),
        "strength": level,
        "rows": _read_rows(where, rows, level),
    }


def _read_skeletons(where: str, fields: Fields, fights: bool) -> dict[str, Any]:
    count = fields.whole("count", low=1, high=100) if fights else fields.whole("count", 1, low=1, high=100)
    if count > MOST_SKELETONS:
        raise BadInputError(
            f"{where}: {count} skeletons (give 1 or 2: three become a horde, a card, UP-SKE-3)"
        )
    die = fields.choice("die", COLOURS, "red")
    return {
        "name": fields.text("name", "skeletons"),
        "strength": count,
        "rows": {number: ((), (die,) * number) for number in range(1, MOST_SKELETONS + 1)},  # UP-SKE-1
        "powers": (Power("skeleton", 1, "none"),),  # UP-SKE-2
    }


def _card_record(where: str, name: Any) -> dict[str, Any]:
    if not isinstance(name, str):
        raise BadInputError(f"{where}: name is {name!r} (give the name of a legion or horde)")
    record = find_record("uprising", "units.toml", "card", name, where)
    values = {
        key: value for key, value in record.items() if key not in ("confidence", "notes", "source", "rows")
    }
    return {**values, "table": record["rows"]} if "rows" in record else values


def _read_card(where: str, fields: Fields, fights: bool) -> dict[str, Any]:
    threat = (
        fields.whole("threat", low=1, high=MOST_THREAT)
        if fights
        else fields.whole("threat", 1, low=1, high=MOST_THREAT)
    )
    copies = fields.flag("copies_enemy_dice")
    table = fields.take("table", None)
    if table is None and fights and not copies:
        raise BadInputError(
            f"{where}: table is missing (give threat to archery and clash dice, or the name of a card)"
        )
    power = fields.take("god_power", None)
    hero_skulls = fields.flag("hero_skulls_vp")
    extra = []
    for entry in fields.list("extra"):
        more = Fields(f"{where}: extra", entry, "when, archery and clash")
        when = more.choice("when", (*TERRAIN, *CONDITIONS))
        archery, clash = (
            read_colours(f"{where}: extra", name, more.take(name, ())) for name in ("archery", "clash")
        )
        extra.append(Extra(when, archery, clash))
        more.reject_unknown()
    return {
        "name": fields.text("name", "card"),
        "strength": threat,
        "rows": {} if table is None else _read_rows(where, table, threat),
        "powers": () if power is None else (read_power(where, power),),
        "destroy_vp": None if hero_skulls else fields.whole("destroy_vp", 0, high=100),
        "hero_skulls_vp": hero_skulls,
        "stops_shields": fields.flag("stops_shields"),
        "stops_bolts": fields.flag("stops_bolts"),
        "skips_archery": fields.flag("skips_archery"),
        "copies_enemy_dice": copies,
        "extra": tuple(extra),
        "conditions": frozenset(fields.words("conditions", CONDITIONS)),
        "initiative": fields.whole("initiative", 0, high=100),
    }


def _read_rows(where: str, table: Any, strength: int) -> dict[int, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Rows by level or threat; every row from 1 to the strength must be there, as damage moves down row by
    row (UP-THR-2).
    """
    if not isinstance(table, Mapping):
        raise BadInputError(f"{where}: table is {table!r} (give level or threat to archery and clash dice)")
    dice_rows: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for key, row in table.items():
        if not str(key).isascii() or not str(key).isdigit():
            raise BadInputError(f"{where}: table row {key!r} (give a whole number from 1 to {MOST_THREAT})")
        number = whole(where, "table row", int(key), 1, MOST_THREAT)
        dice_rows[number] = read_row(f"{where}: row {key}", row)
    missing = [number for number in range(1, strength + 1) if number not in dice_rows]
    if missing:
        raise BadInputError(f"{where}: table has no row {missing[0]} (give every row from 1 to {strength})")
    return dice_rows


def read_row(where: str, row: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The dice of one row, for archery and for the clash.

    >>> read_row("row 1", "W|BR")
    (('white',), ('blue', 'red'))
    """
    if isinstance(row, str):
        archery, bar, clash = row.partition("|")
        if not bar:
            raise BadInputError(f"{where}: {row!r} is not a row (write archery|clash, such as 'WB|PBR')")
        return read_colours(where, "archery", archery), read_colours(where, "clash", clash)
    fields = Fields(where, row, "archery and clash: lists of colours")
    archery_dice, clash_dice = (
        read_colours(where, name, listed(where, name, fields.take(name, ()))) for name in ("archery", "clash")
    )
    fields.reject_unknown()
    return archery_dice, clash_dice
