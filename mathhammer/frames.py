"""Reports as tidy DataFrames: the home of pandas."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from mathhammer.compare.buffs import COLUMNS as VALUE_COLUMNS
from mathhammer.compare.buffs import value_rows
from mathhammer.compare.landed import VALUES
from mathhammer.compare.matchups import (
    COLUMNS,
    matchups,
    named_targets,
    named_units,
    points_removed,
    rows_of,
    targets_of,
)
from mathhammer.compare.matrix import fill_matrix
from mathhammer.datasheets.library import Sheet, sheets
from mathhammer.dice.pmf import Pmf
from mathhammer.duel.result import Duel
from mathhammer.engine.result import Result
from mathhammer.errors import UnknownNameError
from mathhammer.games.discovery import attacks_of, game_keys, get_game
from mathhammer.lists.army import DAMAGE_COLUMNS, army_of, army_values, damage_rows
from mathhammer.lists.durability import HEALTH_COLUMNS, health_rows
from mathhammer.lists.exchange import exchange_of
from mathhammer.units.roster import Roster
from mathhammer.units.unit import Unit

Units = Unit | str | Roster | Iterable[Unit | str]


def units(
    system: str | None = None, *, faction: str | None = None, datasheets: str | Path | None = None
) -> pd.DataFrame:
    """Every unit there is: name, system, faction, models, points; of one game or faction, or of all.

    >>> rats = units("aos4", faction="Skaven")
    >>> sorted(set(rats["faction"])), "Clanrats" in set(rats["name"])
    (['Skaven'], True)
    """
    keys = game_keys() if system is None else (system,)
    rows = [_sheet_row(sheet) for key in keys if _fights(key, system) for sheet in sheets(key, datasheets)]
    table = pd.DataFrame(rows, columns=["name", "system", "faction", "models", "points"])
    if faction is None:
        return table
    known = sorted(set(table["faction"]))
    wanted = next((name for name in known if name.lower() == str(faction).strip().lower()), None)
    if wanted is None:
        raise UnknownNameError("units", "faction", str(faction), known)
    chosen: pd.DataFrame = table[table["faction"] == wanted].reset_index(drop=True)
    return chosen


def _fights(key: str, asked: str | None) -> bool:
    """Whether the units of a game have weapons; an error where just that game was asked for."""
    if asked is not None:
        attacks_of(asked, "units")
    return get_game(key).attacks is not None


def _sheet_row(sheet: Sheet) -> tuple[str, str, str, int, int | None]:
    fields = sheet.fields
    groups = fields.get("group") or []
    models = fields.get("models") or sum(int(group.get("models", 1)) for group in groups) or 1
    return sheet.name, sheet.system, sheet.faction, int(models), fields.get("points")


def factions(system: str | None = None, *, datasheets: str | Path | None = None) -> pd.DataFrame:
    """The factions there are, with how many units each has.

    >>> table = factions("aos4")
    >>> list(table.columns), "Skaven" in set(table["faction"])
    (['system', 'faction', 'units'], True)
    """
    table = units(system, datasheets=datasheets)
    return table.groupby(["system", "faction"], sort=False).size().reset_index(name="units")


def pmf_frame(pmf: Pmf) -> pd.DataFrame:
    """A distribution: value, chance, at_least, at_most."""
    values = range(len(pmf))
    return pd.DataFrame(
        {
            "value": list(values),
            "chance": list(pmf),
            "at_least": [pmf.at_least(value) for value in values],
            "at_most": [pmf.at_most(value) for value in values],
        }
    )


def result_frame(result: Result) -> pd.DataFrame:
    """The distributions of a fight below each other: of (slain, lost, damage), value, chance, at_least,
    at_most.
    """
    parts = {"slain": result.slain, "lost": result.lost}
    parts |= {} if result.pool is None else {"damage": result.damage}
    frames = [pmf_frame(pmf).assign(of=name) for name, pmf in parts.items()]
    table = pd.concat(frames, ignore_index=True)
    table.insert(0, "attacker", result.attacker)
    table.insert(1, "target", result.target)
    table["conditions"] = str(result.conditions)
    table.attrs |= {"conditions": str(result.conditions), "not_counted": list(result.not_counted)}
    return table[["attacker", "target", "of", "value", "chance", "at_least", "at_most", "conditions"]]


def duel_frame(duel: Duel) -> pd.DataFrame:
    """How a duel stands after each turn: round, turn, chances, models and points of both sides."""
    rows = [
        (p.round, p.turn, p.p_win, p.p_lose, *p.models, *p.points_lost, p.p_engaged, p.p_charged)
        for p in duel.course
    ]
    sides = [f"{what}_{side}" for what in ("models", "points_lost") for side in ("a", "b")]
    return pd.DataFrame(rows, columns=["round", "turn", "p_win", "p_lose", *sides, "p_engaged", "p_charged"])


def roster_frame(roster: Roster) -> pd.DataFrame:
    """The units of a list: block, name, models, points, general, leads, known (whether it has a profile)."""
    rows = [
        (block.name, entry.name, entry.size, entry.points, entry.general, entry.leads, entry.unit is not None)
        for block in roster.blocks
        for entry in block.entries
    ]
    return pd.DataFrame(rows, columns=["block", "name", "models", "points", "general", "leads", "known"])


def rows_frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """The rows of an answer."""
    return pd.DataFrame(rows)


def compare(
    attackers: Units, targets: Units | None = None, *, system: str | None = None, **fight_options: Any
) -> pd.DataFrame:
    """Every attacker against every target, one row each; without targets, the game's reference targets.

    Units may be units, expressions such as "10 Liberators: charged" (see `mathhammer.unit`) or factions;
    a target may be a profile in one line, "4+ ward 5+ health 2 x10", and `fight_options` go to `fight`.
    `weapons="all"` gives a row for each kind of attack. The columns are those
    of `mathhammer.compare.matchups.COLUMNS`: `p_more` is the chance to do more damage than the first one.

    >>> table = compare(["Liberators", "10 Liberators"], ["Clanrats", "40 Clanrats"])
    >>> table[["attacker", "target", "kind", "slain"]].round(2).values.tolist()[:2]
    [['Liberators', 'Clanrats', 'melee', 6.06], ['Liberators', '40 Clanrats', 'melee', 6.06]]
    """
    attacking = named_units(attackers, system)
    game = system or (attacking[0].system if attacking else None)
    targeted = targets_of(attacking, None if targets is None else named_targets(targets, game))
    found = list(matchups(attacking, targeted, **fight_options))
    table = pd.DataFrame(rows_of(found), columns=list(COLUMNS))
    missing = dict.fromkeys(
        rule for one in found if one.result is not None for rule in one.result.not_counted
    )
    table.attrs["not_counted"] = list(missing)
    return table


def matrix(
    attackers: Units, targets: Units | None = None, *, system: str | None = None, **fight_options: Any
) -> pd.DataFrame:
    """All against all, exact: one row for each attacker and target with damage, lost, slain, p_destroyed and
    points removed.

    `fight_options` go to `fight`, and `executor`, `workers`, `progress` and `resume` to the work itself (see
    `compare.matrix.fill_matrix`). Points removed are the target's points by the share of its wounds that are
    lost.

    >>> table = matrix(["Liberators", "Rat Ogors"], ["Clanrats", "Stormvermin"], system="aos4")
    >>> table["slain"].round(2).tolist()
    [6.06, 5.27, 8.33, 6.39]
    >>> matrix("Skaven", "Liberators").sort_values("damage").iloc[-1][["attacker", "kind"]].tolist()
    ['Hell Pit Abomination', 'melee']
    """
    attacking = named_units(attackers, system, where="matrix")
    game = system or (attacking[0].system if attacking else None)
    targeted = targets_of(attacking, None if targets is None else named_units(targets, game, where="matrix"))
    filled = fill_matrix(attacking, targeted, **fight_options)
    places = [(a, t) for a in range(len(filled.attackers)) for t in range(len(targeted))]
    table = pd.DataFrame(filled.values.reshape(len(places), len(VALUES)), columns=list(VALUES))
    table["points_removed"] = [
        points_removed(targeted[t], lost) for (_, t), lost in zip(places, table["lost"], strict=True)
    ]
    table.insert(0, "attacker", [filled.attackers[a].label for a, _ in places])
    table.insert(1, "target", [targeted[t].label for _, t in places])
    table.insert(2, "kind", [filled.kind(a, t) or None for a, t in places])
    table.loc[table["kind"].isna(), [*VALUES, "points_removed"]] = None
    return table


def value(
    unit: Unit | str, opponents: Units | None = None, *, system: str | None = None, **fight_options: Any
) -> pd.DataFrame:
    """What each buff is worth to a unit: rolls, re-rolls, commands, protection and characteristics, the most
    valuable first.

    The columns are those of `mathhammer.compare.buffs.COLUMNS`.

    >>> table = value("Liberators", "Clanrats", system="aos4")
    >>> table.loc[0, ["help", "side"]].tolist()
    ['+1 Damage', 'attack']
    """
    (one,) = named_units(unit, system, where="value")
    against = targets_of(
        [one], None if opponents is None else named_units(opponents, one.system, where="value")
    )
    return pd.DataFrame(value_rows(one, against, **fight_options), columns=list(VALUE_COLUMNS))


def list_damage(units: Units, targets: Units | None = None, *, system: str | None = None) -> pd.DataFrame:
    """What each unit of a list does by kind of attack to each reference target; columns as in
    `mathhammer.lists.army.DAMAGE_COLUMNS`.

    >>> sorted(set(list_damage(["Liberators", "Rat Ogors"], system="aos4")["kind"]))
    ['melee', 'ranged']
    """
    army = army_of(named_units(units, system, where="list"))
    against = None if targets is None else named_units(targets, army.system, where="list")
    return pd.DataFrame(damage_rows(army_values(army, against)), columns=list(DAMAGE_COLUMNS))


def list_health(units: Units, *, system: str | None = None) -> pd.DataFrame:
    """What each unit of a list takes until it is gone, by Rend (or AP) and Damage; columns as in
    `lists.durability.HEALTH_COLUMNS`.

    >>> table = list_health("Liberators", system="aos4")
    >>> int(table.loc[0, "health"]), round(float(table.loc[0, "hits"]), 6)
    (10, 30.0)
    """
    return pd.DataFrame(
        health_rows(army_of(named_units(units, system, where="list"))), columns=list(HEALTH_COLUMNS)
    )


def list_exchange(a: Units, b: Units, *, system: str | None = None) -> pd.DataFrame:
    """Two lists against each other, both ways: mean points removed and chance to destroy for each pair, and
    whether the pair is assigned.

    >>> table = list_exchange(["Liberators"], ["Clanrats", "Rat Ogors"], system="aos4")
    >>> table[table.side == "a"]["target"].tolist()
    ['Clanrats', 'Rat Ogors']
    """
    both = exchange_of(
        army_of(named_units(a, system, where="list"), "A"), army_of(named_units(b, system, where="list"), "B")
    )
    rows = [
        (
            key,
            attacker.name,
            target.name,
            float(side.removed[i, j]),
            float(side.destroys[i, j]),
            (i, j) in pairs,
        )
        for key, side, pairs in (("a", both.a, both.a.assignment), ("b", both.b, both.b.assignment))
        for i, attacker in enumerate(side.army.units)
        for j, target in enumerate(side.other.units)
    ]
    columns = ["side", "attacker", "target", "points_removed", "p_destroyed", "assigned"]
    return pd.DataFrame(rows, columns=columns)
