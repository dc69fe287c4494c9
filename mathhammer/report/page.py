"""`make_report`: army lists in, one HTML page out."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

import mathhammer
from mathhammer.datasheets.library import reference_targets
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.lists.army import Army, army_of, carriers, lacks
from mathhammer.lists.attached import fighting_units
from mathhammer.lists.durability import health_rows
from mathhammer.lists.exchange import assignment, exchange, trade
from mathhammer.lists.legality import check_list
from mathhammer.report.grid import Grid, make_grid
from mathhammer.report.pieces import heat, percent, table
from mathhammer.units.roster import Entry, Roster

MOST_CARDS = 500  # distributions in one file; beyond that it would no longer be a few hundred kilobytes
NO_NETWORK = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def make_report(rosters: Sequence[Roster]) -> str:
    """The page for one list, or for two lists against each other.

    >>> from mathhammer.lists.readers import read_roster
    >>> head = 'system = "aos4"\\nname = "Rats"\\n'
    >>> army = read_roster(head + '[[regiment]]\\n[[regiment.unit]]\\nname = "Clanrats"\\n')
    >>> page = make_report([army])
    >>> page.startswith("<!doctype html>"), "://" in page, len(page) < 40_000
    (True, False, True)
    """
    if not 1 <= len(rosters) <= 2:
        raise BadInputError(f"report: {len(rosters)} lists (give one or two)")
    armies = [army_of(fighting_units(roster), name_of(roster)) for roster in rosters]
    if len({army.system for army in armies}) > 1:
        one, other = armies
        raise BadInputError(
            f"report: {one.name} plays {one.system}, {other.name} plays {other.system} (give two lists "
            "of one game)"
        )
    title = " against ".join(army.name for army in armies)
    edition = get_game(armies[0].system).title
    parts: list[tuple[str, str, str]] = []  # id, heading, content
    for number, (roster, army) in enumerate(zip(rosters, armies, strict=True), 1):
        parts.append((f"list{number}", army.name, _list(roster)))
    grids = _grids(armies)
    cards = sum(len(grid.rows) * len(grid.columns) for grid in grids) <= MOST_CARDS
    told = (
        "Open a cell to see the distribution behind it."
        if cards
        else f"More than {MOST_CARDS} cells: the distributions are left out."
    )
    maps = f"<p>The better of melee and ranged attacks. {told}</p>"
    maps += "".join(heat(grid, f"g{number}", cards) for number, grid in enumerate(grids))
    parts.append(("maps", "What the units do", maps))
    if len(armies) == 2:
        parts.append(("trade", "How the lists trade", _trade(armies[0], armies[1])))
    for number, army in enumerate(armies, 1):
        parts.append((f"last{number}", f"What {army.name} can take, and who carries it", _lasting(army)))
    source = f"{edition} · exact · mathhammer {mathhammer.__version__}"
    return _page(title, source, parts)


def name_of(roster: Roster) -> str:
    """What a list is called: its own name, its faction, or its file."""
    return roster.name or roster.faction or roster.source or "the list"


def _page(title: str, source: str, parts: Sequence[tuple[str, str, str]]) -> str:
    style, script = (
        files("mathhammer.report").joinpath(name).read_text(encoding="utf-8")
        for name in ("report.css", "report.js")
    )
    links = "".join(f'<a href="#{key}">{escape(heading)}</a> ' for key, heading, _ in parts)
    body = "".join(
        f'<section id="{key}"><h2>{escape(heading)}</h2>{content}</section>'
        for key, heading, content in parts
    )
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta "
        f'http-equiv="Content-Security-Policy" content="{NO_NETWORK}">'
        f'<meta name=viewport content="width=device-width, initial-scale=1"><link rel=icon href="data:,">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n"
        f"<body><header><h1>{escape(title)}</h1><p>{escape(source)}</p><nav "
        f"aria-label=Contents>{links}</nav></header>\n"
        f"<main>{body}</main>\n<script>{script}</script></body></html>\n"
    )


def _list(roster: Roster) -> str:
    """The list as a player reads it, what could not be read, and whether it is legal."""
    limit = f" of {roster.limit}" if roster.limit else ""
    facts = [part for part in (roster.faction, roster.formation, roster.battlepack) if part]
    points = (
        str(roster.points)
        if roster.priced
        else f"{sum(_points(entry) or 0 for entry in roster.entries)} (by the datasheets)"
    )
    models = "" if roster.models is None else f", {roster.models} models"
    facts.append(f"{points}{limit} points, {len(roster.entries)} units{models}")
    columns = ("Unit", "Block", "Models", "Health", "Points", "Loadout", "Keywords")
    rows = [_entry(block.name, entry) for block in roster.blocks for entry in block.entries]
    remarks = [
        *roster.warnings,
        *(f"missing: {name}" for name in roster.missing),
        *map(str, check_list(roster)),
    ]
    noted = "".join(f"<li>{escape(remark)}" for remark in remarks)
    below = f"<details><summary>{len(remarks)} remarks</summary><ul>{noted}</ul></details>" if remarks else ""
    return f"<p>{escape(' · '.join(facts))}</p>" + table("The list", columns, rows) + below


def _entry(block: str, entry: Entry) -> tuple[Any, ...]:
    carried = [name if number == 1 else f"{number}x {name}" for name, number in entry.carried().items()]
    extras = [extra.name for extra in entry.enhancements]
    if not carried and entry.unit is not None:
        carried = [weapon.name for weapon in entry.unit.weapons if not weapon.optional]
    health = None if entry.unit is None else entry.unit.health
    return (
        entry.name,
        block,
        entry.size,
        health,
        _points(entry),
        ", ".join([*extras, *carried]),
        ", ".join(entry.keywords),
    )


def _points(entry: Entry) -> int | None:
    """As the list says, else as the datasheet says."""
    return entry.points if entry.points is not None or entry.unit is None else entry.unit.points


def _grids(armies: Sequence[Army]) -> list[Grid]:
    """Two lists against each other; one list against the game's reference targets."""
    if len(armies) == 2:
        one, other = armies
        priced = all(unit.points for army in armies for unit in army.units)
        pairs = ((one, other), (other, one))
        return [
            make_grid(army, foe.units, f"{army.name} against {foe.name}", points=priced)
            for army, foe in pairs
        ]
    targets = reference_targets(armies[0].system)
    return [make_grid(armies[0], targets, f"{armies[0].name} against the reference targets", points=False)]


def _trade(one: Army, other: Army) -> str:
    """Who should attack whom, and what striking first is worth."""
    found = exchange(one, other)
    html = ""
    for army, foe, removed, destroyed in (
        (one, other, found.a_on_b, found.a_destroys),
        (other, one, found.b_on_a, found.b_destroys),
    ):
        rows = [
            (army.units[i].name, foe.units[j].name, float(removed[i, j]), percent(float(destroyed[i, j])))
            for i, j in assignment(removed, foe)
        ]
        html += table(
            f"{army.name}: who should attack whom",
            ("Attacker", "Target", "Points removed", "Destroyed"),
            rows,
        )
    rows_first = []
    for first, army in (("a", one), ("b", other)):
        lost = trade(found, first)
        rows_first.append((army.name, lost["a_loses"], lost["b_loses"]))
    columns = ("First to strike", f"{one.name} loses", f"{other.name} loses")
    return html + table(
        "Points lost when one side strikes with everything and the other strikes back", columns, rows_first
    )


def _lasting(army: Army) -> str:
    """Durability, who carries the list, and what it lacks."""
    hits: dict[tuple[str, int, int | None], dict[int, float]] = {}
    for row in health_rows(army):
        if row["damage"] == 1:
            hits.setdefault((row["unit"], row["health"], row["points"]), {})[row["pierce"]] = row["hits"]
    pierces = sorted({pierce for found in hits.values() for pierce in found})
    columns = (
        "Unit",
        "Health",
        *(f"Against -{pierce}" if pierce else "Against 0" for pierce in pierces),
        "Against -1, for 100 points",
    )
    rows = [
        (name, health, *(found[pierce] for pierce in pierces), 100 * found[1] / points if points else None)
        for (name, health, points), found in hits.items()
    ]
    html = table("Wounding hits of damage 1 that it takes to destroy a unit, by Rend or AP", columns, rows)
    shares = [(name, percent(done), percent(paid)) for name, done, paid in carriers(army)]
    html += table("Who carries the list", ("Unit", "Of the points removed", "Of the list's points"), shares)
    gaps = (
        "".join(f"<li>{escape(line)}" for line in lacks(army))
        or "<li>No reference target is without an answer."
    )
    return html + f"<h3>What it lacks</h3><ul>{gaps}</ul>"
