"""Roster trees of BattleScribe and New Recruit, XML or JSON: forces and selections become a `Roster` with
real profiles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from mathhammer.battlescribe.profiles import POINTS, game_ids, other_games
from mathhammer.battlescribe.tree import Node
from mathhammer.battlescribe.values import UnreadableError, points
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import family_of, get_game, listed_games
from mathhammer.lists.selections import Reading, entry_of, primary
from mathhammer.text import clean
from mathhammer.units.roster import Block, BlockKind, Entry, Extra, Roster

LORES = {"Spell Lore": "spell", "Prayer Lore": "prayer", "Manifestation Lore": "manifestation"}
_LIMIT = re.compile(r"(?:\d\. )?(.+?) \((\d{3,5}) [Pp]oint limit\)")
_BATTLEPACK = re.compile(r"^[✦⭐*\s]+")


def system_of(where: str, *nodes: Node) -> str:
    """The game of a roster, by id or name; a sentence with the game's name when it is another one."""
    name = next((node.get("gameSystemName") for node in nodes if node.get("gameSystemName")), "")
    ids, others = game_ids(), other_games()
    for node in nodes:
        if node.get("gameSystemId") in ids:
            return ids[node.get("gameSystemId")]
        if node.get("gameSystemId") in others and clean(name).lower() in _names():
            name = others[node.get("gameSystemId")]  # named like an edition that is read
    for key, lists in listed_games().items():
        if clean(name).lower() in lists.names:
            return key
    known = " and ".join(get_game(key).title for key in listed_games())
    raise BadInputError(
        f"{where}: is for {clean(name)[:60] or 'an unnamed game'!r} (lists of {known} are read)"
    )


def _names() -> set[str]:
    return {name for lists in listed_games().values() for name in lists.names}


def read_tree(root: Node, where: str, outer: Node | None = None) -> Roster:
    """The roster in a tree; `outer` holds the metadata that some exporters put beside it."""
    nodes = (root,) if outer is None else (root, outer)
    system = system_of(where, *nodes)
    reading = Reading(system, where)
    declared = _total(root, "costs", reading)
    limit = _total(root, "costLimits", reading)
    roster = Roster(
        system,
        name=next((node.name for node in nodes if node.name), ""),
        declared=declared,
        limit=limit if limit and limit > 0 else None,
    )
    for force in root.items("forces"):
        roster = _force(roster, force, reading, top=True)
    if not any(True for _ in root.items("forces")):
        raise BadInputError(f"{where}: holds no force (choose a faction and export the list again)")
    last = ("terrain", "manifestation")
    roster = replace(
        roster,
        blocks=tuple(
            sorted(roster.blocks, key=lambda block: last.index(block.kind) + 1 if block.kind in last else 0)
        ),
    )
    counted = sum(reading.price(node) for node in _selections(root))
    roster = replace(roster, unpriced=counted - replace(roster, unpriced=0).points)
    return replace(_attached(roster, reading), warnings=tuple(dict.fromkeys(reading.warnings)))


def _total(root: Node, container: str, reading: Reading) -> int | None:
    for cost in root.items(container):
        if cost.name == POINTS:
            try:
                return points(cost.get("value"))
            except UnreadableError as error:
                reading.warnings.append(f"{reading.where}: the total {error}")
    return None


def _selections(node: Node) -> Iterator[Node]:
    for force in node.items("forces"):
        for selection in force.items("selections"):
            yield from _below(selection)
        yield from _selections(force)


def _below(selection: Node) -> Iterator[Node]:
    yield selection
    for child in selection.items("selections"):
        yield from _below(child)


def _force(roster: Roster, force: Node, reading: Reading, top: bool) -> Roster:
    """The list with one force added: in AoS the battlepack with its regiments below, in 40k a detachment."""
    name = _BATTLEPACK.sub("", force.name)
    if top:
        faction = clean(force.get("catalogueName"))
        if family_of(reading.system) == "wh40k":
            faction = faction.rpartition(" - ")[2] or _faction_keyword(force)
        roster = replace(roster, faction=roster.faction or faction)
        if family_of(reading.system) == "sigmar":
            roster = replace(roster, battlepack=roster.battlepack or name)
    entries: list[Entry] = []
    terrain: list[Entry] = []
    summoned: list[Entry] = []
    for selection in force.items("selections"):
        if selection.get("type") in ("unit", "model"):
            entry = entry_of(selection, reading)
            (terrain if "faction terrain" in entry.keywords else entries).append(entry)
            continue
        roster = _choice(roster, selection, reading)
        for node in _units(selection):
            (summoned if family_of(reading.system) == "sigmar" else entries).append(entry_of(node, reading))
    blocks = [*roster.blocks]
    if entries or not top:
        kind = _block_kind(name, top, reading.system)
        if kind == "regiment":
            name = f"Regiment {1 + sum(block.kind == 'regiment' for block in blocks)}"
        blocks.append(Block(name, kind, tuple(entries)))
    blocks += [Block("Faction Terrain", "terrain", tuple(terrain))] if terrain else []
    blocks += [Block("Manifestations", "manifestation", tuple(summoned))] if summoned else []
    roster = replace(roster, blocks=tuple(blocks))
    for nested in force.items("forces"):
        roster = _force(roster, nested, reading, top=False)
    return roster


def _faction_keyword(force: Node) -> str:
    names = [item.name for selection in force.items("selections") for item in selection.items("categories")]
    factions = Counter(name.removeprefix("Faction:").strip() for name in names if name.startswith("Faction:"))
    return factions.most_common(1)[0][0] if factions else ""


def _block_kind(name: str, top: bool, system: str) -> BlockKind:
    if family_of(system) == "wh40k":
        return "detachment"
    lower = name.lower()
    if lower.startswith(("regiment", "general's regiment")) and not lower.startswith("regiments of renown"):
        return "regiment"
    if lower.startswith(("auxil", "auxilliary")):
        return "auxiliary"
    return "regiment" if top else "renown"


def _units(selection: Node) -> Iterator[Node]:
    for child in selection.items("selections"):
        if child.get("type") in ("unit", "model"):
            yield child
        else:
            yield from _units(child)


def _choice(roster: Roster, selection: Node, reading: Reading) -> Roster:
    """What is not a unit: formation or detachment, battle size, lores; bookkeeping is passed over."""
    name = selection.name
    chosen = [child for child in selection.items("selections") if child.get("type") not in ("unit", "model")]
    if name in LORES:
        lores = [Extra(child.name, reading.total(child) or None, LORES[name]) for child in chosen]
        return replace(roster, lores=(*roster.lores, *lores))
    if name in ("Battle Formation", "Detachment", "Detachment Choice") and chosen:
        cost = reading.total(chosen[0])
        extras = (*roster.extras, Extra(chosen[0].name, cost, "formation")) if cost else roster.extras
        return replace(roster, formation=roster.formation or chosen[0].name, extras=extras)
    if name == "Battle Size" and chosen:
        match = _LIMIT.fullmatch(chosen[0].name)
        size, limit = (match[1], int(match[2])) if match else (chosen[0].name, None)
        return replace(roster, battlepack=size, limit=roster.limit or limit)
    cost = reading.total(selection) if primary(selection) != "Configuration" else 0
    return replace(roster, extras=(*roster.extras, Extra(name, cost, "other"))) if cost else roster


def _attached(roster: Roster, reading: Reading) -> Roster:
    """The list with its leader attachments: New Recruit notes them as associations between selections."""
    if not reading.links:
        return roster
    blocks = []
    for block in roster.blocks:
        entries = []
        for entry in block.entries:
            led = next(
                (
                    reading.names[there]
                    for here, there in reading.links
                    if here == entry.id and there in reading.names
                ),
                "",
            )
            entries.append(replace(entry, leads=led) if led else entry)
        blocks.append(replace(block, entries=tuple(entries)))
    return replace(roster, blocks=tuple(blocks))
