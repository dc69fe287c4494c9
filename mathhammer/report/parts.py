"""What a report of lists is made of: verdict, coverage, heat maps, tables. The HTML file and the page of
`mathhammer serve` show the same parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mathhammer._version import __version__
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.library import reference_targets
from mathhammer.errors import BadInputError
from mathhammer.lists.army import Army, ArmyValues, army_values, carriers, lacks
from mathhammer.lists.coverage import abilities_of_list, unequal_points
from mathhammer.lists.durability import health_rows
from mathhammer.lists.exchange import Exchange, exchange_of, summary, trade
from mathhammer.lists.gifts import gift_lines
from mathhammer.lists.legality import check_list
from mathhammer.lists.loading import LoadedList, loaded
from mathhammer.lists.loadout import health_of, loadout, points_of
from mathhammer.lists.telling import list_conditions, rules_not_counted
from mathhammer.report.cells import PageTable, page_table, percent
from mathhammer.report.grid import Grid, make_grid
from mathhammer.units.roster import Roster

ANSWERED = "No reference target is without an answer."
UNJUDGED = "No verdict: too little of the list has a datasheet (--anyway gives one for what is known)."


@dataclass(frozen=True, slots=True)
class Report:
    """A report of one list, or of two against each other."""

    title: str
    source: str  # what the numbers hold under
    verdict: Sequence[str]
    lists: Sequence[Mapping[str, Any]]
    grids: Sequence[Grid]
    trade: Sequence[PageTable]
    lasting: Sequence[Mapping[str, Any]]


def report_parts(
    rosters: Sequence[Roster],
    how: Mapping[str, Any],
    *,
    auras: bool = True,
    anyway: bool = False,
    tell: Callable[[], None] = lambda: None,
) -> Report:
    """The report of one list, or of two lists; `how` goes to `fight`, `tell` is called now and
    then.

    >>> from mathhammer.lists.readers import read_roster
    >>> head = 'system = "aos4"\\nname = "Rats"\\n'
    >>> army = read_roster(head + '[[regiment]]\\n[[regiment.unit]]\\nname = "Clanrats"\\n')
    >>> report_parts([army], {}).lists[0]["known"]
    ['1 of 1 unit has a datasheet']
    """
    if not 1 <= len(rosters) <= 2:
        raise BadInputError(f"report: {len(rosters)} lists (give one or two)")
    lists = [loaded(roster) for roster in rosters]
    armies = _told_apart([one.army(auras=auras) for one in lists])
    if len({army.system for army in armies}) > 1:
        one, other = armies
        raise BadInputError(
            f"report: {one.name} plays {one.system}, {other.name} plays {other.system} (give two lists "
            "of one game)"
        )
    judged = anyway or all(one.coverage.enough for one in lists)
    values = []
    for army in armies:
        tell()
        values.append(army_values(army, **how))
    both = exchange_of(*armies, **how) if len(armies) == 2 and judged else None
    return Report(
        title=" against ".join(army.name for army in armies),
        source=f"{list_conditions(armies[0], how)} · mathhammer {__version__}",
        verdict=_verdict(lists, armies, values, both, judged),
        lists=[_list(one, army) for one, army in zip(lists, armies, strict=True)],
        grids=_grids(armies, how, tell),
        trade=[] if both is None else _trade(both),
        lasting=[_lasting(army, known, judged) for army, known in zip(armies, values, strict=True)],
    )


def _told_apart(armies: Sequence[Army]) -> list[Army]:
    """Two armies of one name get a letter."""
    if len({army.name for army in armies}) == len(armies):
        return list(armies)
    return [replace(army, name=f"{army.name} ({letter})") for army, letter in zip(armies, "ab", strict=False)]


def _verdict(
    lists: Sequence[LoadedList],
    armies: Sequence[Army],
    values: Sequence[ArmyValues],
    both: Exchange | None,
    judged: bool,
) -> list[str]:
    """What the numbers come to, or why they come to nothing."""
    if not judged:
        return [one.coverage.refusal() for one in lists if not one.coverage.enough]
    if both is None:
        return lacks(values[0]) or [ANSWERED]
    unequal = unequal_points([army.name for army in armies], [army.points for army in armies])
    return [summary(both), *([unequal] if unequal else [])]


def _list(one: LoadedList, army: Army) -> dict[str, Any]:
    """The list as a player reads it, what could not be read, and whether it is legal."""
    roster = one.roster
    limit = f" of {roster.limit}" if roster.limit else ""
    facts = [part for part in (roster.faction, roster.formation, roster.battlepack) if part]
    points = (
        str(roster.points)
        if roster.priced
        else f"{sum(points_of(entry) or 0 for entry in roster.entries)} (by the datasheets)"
    )
    models = "" if roster.models is None else f", {roster.models} models"
    facts.append(f"{points}{limit} points, {len(roster.entries)} units{models}")
    rows = [
        (
            entry.name,
            block.name,
            entry.size,
            health_of(entry),
            points_of(entry),
            loadout(entry, roster.system),
            ", ".join(entry.keywords),
        )
        for block in roster.blocks
        for entry in block.entries
    ]
    columns = ("Unit", "Block", "Models", "Health", "Points", "Loadout", "Keywords")
    return {
        "name": army.name,
        "facts": " · ".join(facts),
        "known": [
            str(one.coverage),
            *filter(None, [one.coverage.advice()]),
            *gift_lines(army.units, army.auras),
            *([f"abilities about combat: {share}"] if (share := abilities_of_list(roster).total).all else []),
        ],
        "units": page_table("The list", columns, rows),
        "remarks": [*one.remarks, *map(str, check_list(roster))],
        "not_counted": rules_not_counted(army.units),
    }


def _grids(armies: Sequence[Army], how: Mapping[str, Any], tell: Callable[[], None]) -> list[Grid]:
    """Two lists against each other; one list against the game's reference targets."""
    if len(armies) == 2:
        one, other = armies
        priced = all(unit.points for army in armies for unit in army.units)
        pairs = ((one, other), (other, one))
        return [
            make_grid(army, foe.units, f"{army.name} against {foe.name}", points=priced, how=how, tell=tell)
            for army, foe in pairs
        ]
    (army,) = armies
    title = f"{army.name} against the reference targets"
    return [make_grid(army, reference_targets(army.system), title, points=False, how=how, tell=tell)]


def _trade(both: Exchange) -> list[PageTable]:
    """Who should attack whom, and what striking first is worth."""
    tables = []
    for side in (both.a, both.b):
        rows = [
            (
                side.army.units[i].name,
                side.other.units[j].name,
                float(side.removed[i, j]),
                percent(float(side.destroys[i, j])),
            )
            for i, j in side.assignment
        ]
        columns = ("Attacker", "Target", "Points removed", "Destroyed")
        tables.append(page_table(f"{side.army.name}: who should attack whom", columns, rows))
    one, other = both.a.army.name, both.b.army.name
    losses = [(name, *trade(both, first).values()) for first, name in (("a", one), ("b", other))]
    title = "Points lost when one side strikes with everything and the other strikes back"
    return [*tables, page_table(title, ("First to strike", f"{one} loses", f"{other} loses"), losses)]


def _lasting(army: Army, values: ArmyValues, judged: bool) -> dict[str, Any]:
    """Durability, who carries the list, and what it lacks."""
    shares = [(name, percent(done), percent(paid)) for name, done, paid in carriers(values)]
    columns = ("Unit", "Of the points removed", "Of the list's points")
    return {
        "name": army.name,
        "hits": _hits(army),
        "carriers": page_table("Who carries the list", columns, shares),
        "lacks": (lacks(values) or [ANSWERED]) if judged else [UNJUDGED],
    }


def _hits(army: Army) -> PageTable:
    """Hits of damage 1 to destroy each unit, alike units once."""
    hits: dict[tuple[str, int, int | None], dict[int, float]] = {}
    for row in health_rows(army):
        if row["damage"] == 1:
            hits.setdefault((row["unit"], row["health"], row["points"]), {})[row["pierce"]] = row["hits"]
    pierces = sorted({pierce for by_pierce in hits.values() for pierce in by_pierce})
    rows = [
        (name, health, *(by_pierce[p] for p in pierces), 100 * by_pierce[1] / points if points else None)
        for (name, health, points), by_pierce in hits.items()
    ]
    against = [f"Against -{pierce}" if pierce else "Against 0" for pierce in pierces]
    return page_table(
        "Wounding hits of damage 1 that it takes to destroy a unit, by Rend or AP",
        ("Unit", "Health", *against, "Against -1, for 100 points"),
        rows,
    )
