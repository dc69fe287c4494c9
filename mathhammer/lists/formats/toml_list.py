"""Our own list format: a TOML file that a person can write by hand.

    system = "aos4"                    # aos4, aos1, wh40k10 or diskwars
    name = "Rats at night"
    faction = "Skaven"
    formation = "Warpcog Convocation"  # battle formation, or detachment in 40k
    battlepack = "General's Handbook"  # or the battle size in 40k
    limit = 2000                       # the points limit agreed; in Diskwars the number of regiments
    points = 460                       # the total as you make it, to be checked against the sum

    [[lore]]
    kind = "spell"                     # spell, prayer or manifestation
    name = "Lore of Ruin"

    [[regiment]]                       # in the order of the list
    name = "General's Regiment"
    kind = "regiment"                  # or auxiliary, renown, terrain, detachment, allied
      [[regiment.unit]]
      name = "Clawlord on Gnaw-beast"
      points = 160
      general = true                   # the warlord in 40k
      enhancements = [{ name = "Skavenbrew", kind = "artefact", points = 10 }]
      [[regiment.unit]]
      name = "Clanrats"
      points = 300
      models = 40                      # left out: as the datasheet says
      reinforced = true
      weapons = { "Rusty Weapon" = 40 }
      keywords = ["infantry"]          # left out: as the datasheet says
      leads = ""                       # 40k: the unit that this leader joins

A Diskwars regiment has a hero, units and command cards instead; disks are names of datasheets or tables with
their figures:

    [[regiment]]
    hero = "Karl Franz"
    units = ["Marienburg Swordsmen", { name = "Halberdiers", cost = 5, size = "small" }]
    commands = ["Forced March"]
"""

from __future__ import annotations

import re
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.files import parse_toml
from mathhammer.games.discovery import game_keys, get_game
from mathhammer.games.fields import Fields, listed
from mathhammer.lists.documents import Document
from mathhammer.lists.registry import reader
from mathhammer.text import clean
from mathhammer.units.roster import BLOCK_KINDS, Block, BlockKind, Entry, Extra, Item, Roster

LORES = ("spell", "prayer", "manifestation")
MOST_POINTS = 1_000_000
_SYSTEM = re.compile(r"^[ \t]*system[ \t]*=[ \t]*[\"']", re.MULTILINE)


def _matches(document: Document) -> bool:
    return (
        not document.zipped
        and document.start not in ("{", "<")
        and _SYSTEM.search(document.text[:5000]) is not None
    )


@reader("toml", "mathhammer's own TOML list", rank=4, matches=_matches)
def read(document: Document) -> list[Roster]:
    """The one list of a TOML file."""
    content = parse_toml(document.bounded, document.where)
    fields = Fields(
        document.where, content, "system, name, faction, formation, battlepack, limit, points, lore, regiment"
    )
    system = fields.choice("system", game_keys())
    roster = Roster(
        system,
        name=_text(fields, "name"),
        faction=_text(fields, "faction"),
        formation=_text(fields, "formation"),
        battlepack=_text(fields, "battlepack"),
        army_of_renown=fields.flag("army_of_renown"),
        limit=_number(fields, "limit"),
        declared=_number(fields, "points"),
        lores=tuple(_lore(document.where, entry) for entry in fields.list("lore")),
        blocks=tuple(
            _block(document.where, system, number, entry)
            for number, entry in enumerate(fields.list("regiment"), 1)
        ),
    )
    fields.reject_unknown()
    if not roster.blocks:
        raise BadInputError(
            f"{document.where}: has no regiment (write [[regiment]] and, below it, [[regiment.unit]])"
        )
    return [roster]


def _text(fields: Fields, name: str, default: str = "") -> str:
    value = fields.take(name, default)
    if not isinstance(value, str) or len(value) > 300:
        raise BadInputError(f"{fields.where}: {name} is {value!r:.60} (give a line of text)")
    return clean(value)


def _number(fields: Fields, name: str) -> int | None:
    return fields.maybe_whole(name, high=MOST_POINTS)


def _lore(where: str, entry: Any) -> Extra:
    fields = Fields(f"{where}: lore", entry, "kind, name and points")
    lore = Extra(clean(fields.text("name")), _number(fields, "points"), fields.choice("kind", LORES))
    fields.reject_unknown()
    return lore


def _block(where: str, system: str, number: int, entry: Any) -> Block:
    where = f"{where}: regiment {number}"
    fields = Fields(where, entry, "name, kind, points and unit; or hero, units and commands in Diskwars")
    if get_game(system).attacks is None:  # disks, not units with weapons
        return _disks(where, number, fields)
    kind: Any = fields.choice("kind", BLOCK_KINDS, get_game(system).block)
    name = _text(fields, "name", f"Regiment {number}")
    price = _number(fields, "points")
    units = tuple(_unit(f"{where}, unit {n}", unit) for n, unit in enumerate(fields.list("unit"), 1))
    fields.reject_unknown()
    return Block(name, _kind(kind), units, price)


def _kind(kind: str) -> BlockKind:
    return next(known for known in BLOCK_KINDS if known == kind)


def _unit(where: str, mapping: Any) -> Entry:
    known = "name, points, models, reinforced, general, leads, weapons, enhancements, keywords"
    fields = Fields(where, mapping, known)
    weapons = fields.take("weapons", {})
    weapons = {name: 1 for name in weapons if isinstance(name, str)} if isinstance(weapons, list) else weapons
    counts = Fields(f"{where}: weapons", weapons, "weapon names with numbers")
    items = tuple(Item(clean(str(name)), counts.whole(name, low=1, high=10_000)) for name in dict(weapons))
    entry = Entry(
        name=clean(fields.text("name")),
        points=_number(fields, "points"),
        models=fields.maybe_whole("models", low=1),
        reinforced=fields.flag("reinforced"),
        general=fields.flag("general"),
        leads=_text(fields, "leads"),
        items=items,
        enhancements=tuple(_extra(where, extra) for extra in fields.list("enhancements")),
        keywords=tuple(
            clean(str(word)).lower() for word in listed(where, "keywords", fields.take("keywords", []))
        ),
    )
    fields.reject_unknown()
    return entry


def _extra(where: str, entry: Any) -> Extra:
    fields = Fields(
        f"{where}: enhancement", {"name": entry} if isinstance(entry, str) else entry, "name, kind and points"
    )
    extra = Extra(clean(fields.text("name")), _number(fields, "points"), _text(fields, "kind"))
    fields.reject_unknown()
    return extra


def _disks(where: str, number: int, fields: Fields) -> Block:
    hero = fields.take("hero", None)
    entries = [] if hero is None else [_disk(where, hero, general=True)]
    entries += [_disk(where, disk, general=False) for disk in fields.list("units")]
    cards = tuple(
        tuple(sorted(card.items())) if isinstance(card, dict) else str(card)
        for card in fields.list("commands")
    )
    name = _text(fields, "name", f"Regiment {number}")
    fields.reject_unknown()
    return Block(name, "regiment", tuple(entries), cards=cards)


def _disk(where: str, given: Any, general: bool) -> Entry:
    if isinstance(given, str):
        return Entry(clean(given), general=general)
    fields = Fields(
        f"{where}: disk",
        given,
        "name, cost, size, race, faction, unique, elite; or points and command for a hero",
    )
    details = tuple(sorted((str(key), value) for key, value in dict(given).items()))
    return Entry(clean(fields.text("name")), general=general, details=details)
