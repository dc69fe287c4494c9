"""Reports as tidy DataFrames: the home of pandas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from mathhammer.compare.buffs import COLUMNS as VALUE_COLUMNS
from mathhammer.compare.buffs import value_rows
from mathhammer.compare.matchups import COLUMNS, matchups, named_units, points_removed, rows_of, targets_of
from mathhammer.compare.matrix import fill_matrix
from mathhammer.compare.sweep import VALUES
from mathhammer.lists.army import DAMAGE_COLUMNS, army_of, army_values, damage_rows
from mathhammer.lists.durability import HEALTH_COLUMNS, health_rows
from mathhammer.lists.exchange import exchange
from mathhammer.units.unit import Unit

Units = Unit | str | Iterable[Unit | str]


def compare(
    attackers: Units, targets: Units | None = None, *, system: str | None = None, **fight_options: Any
) -> pd.DataFrame:
    """Every attacker against every target, one row each; without targets, the game's reference targets.

    Units may be given by name; `fight_options` go to `fight`. The columns are those of
    `mathhammer.compare.matchups.COLUMNS`.

    >>> table = compare(["Liberators", "Rat Ogors"], ["Clanrats"], system="aos4")
    >>> table[["attacker", "target", "slain"]].round(2).values.tolist()
    [['Liberators', 'Clanrats', 6.06], ['Rat Ogors', 'Clanrats', 8.33]]
    """
    attacking = named_units(attackers, system)
    game = system or (attacking[0].system if attacking else None)
    targeted = targets_of(attacking, None if targets is None else named_units(targets, game))
    return pd.DataFrame(rows_of(list(matchups(attacking, targeted, **fight_options))), columns=list(COLUMNS))


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
    """
    attacking = named_units(attackers, system, where="matrix")
    game = system or (attacking[0].system if attacking else None)
    targeted = targets_of(attacking, None if targets is None else named_units(targets, game, where="matrix"))
    filled = fill_matrix(attacking, targeted, **fight_options)
    pairs = [(attacker, target) for attacker in attacking for target in targeted]
    table = pd.DataFrame(filled.values.reshape(len(pairs), len(VALUES)), columns=list(VALUES))
    table.insert(0, "attacker", [attacker.name for attacker, _ in pairs])
    table.insert(1, "target", [target.name for _, target in pairs])
    table["points_removed"] = [
        points_removed(target, lost) for (_, target), lost in zip(pairs, table["lost"], strict=True)
    ]
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
    both = exchange(
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
