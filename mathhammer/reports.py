"""Reports as tidy DataFrames: the home of pandas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from mathhammer.matchups import COLUMNS, matchups, named_units, points_removed, rows_of, targets_of
from mathhammer.matrices import fill_matrix
from mathhammer.sweep import VALUES
from mathhammer.units import Unit
from mathhammer.value import COLUMNS as VALUE_COLUMNS
from mathhammer.value import value_rows

Units = Unit | str | Iterable[Unit | str]


def compare(attackers: Units, targets: Units | None = None, *, system: str | None = None, **how: Any) -> pd.DataFrame:
    """Every attacker against every target, one row each; without targets, the game's reference targets.

    Units may be given by name; `how` goes to `fight`. The columns are those of `mathhammer.matchups.COLUMNS`.

    >>> table = compare(["Liberators", "Rat Ogors"], ["Clanrats"], system="aos4")
    >>> table[["attacker", "target", "slain"]].round(2).values.tolist()
    [['Liberators', 'Clanrats', 6.06], ['Rat Ogors', 'Clanrats', 8.33]]
    """
    striking = named_units(attackers, system)
    game = system or (striking[0].system if striking else None)
    struck = targets_of(striking, None if targets is None else named_units(targets, game))
    return pd.DataFrame(rows_of(list(matchups(striking, struck, **how))), columns=list(COLUMNS))


def matrix(attackers: Units, targets: Units | None = None, *, system: str | None = None, **how: Any) -> pd.DataFrame:
    """All against all, exact: one row for each attacker and target with damage, lost, slain, p_destroyed and points removed.

    `how` goes to `fight`, and `executor`, `workers`, `progress` and `resume` to the work itself (see `mathhammer.matrices.fill_matrix`).
    Points removed are the target's points by the share of its wounds that are lost.

    >>> table = matrix(["Liberators", "Rat Ogors"], ["Clanrats", "Stormvermin"], system="aos4")
    >>> table["slain"].round(2).tolist()
    [6.06, 5.27, 8.33, 6.39]
    """
    striking = named_units(attackers, system, where="matrix")
    game = system or (striking[0].system if striking else None)
    struck = targets_of(striking, None if targets is None else named_units(targets, game, where="matrix"))
    filled = fill_matrix(striking, struck, **how)
    pairs = [(attacker, target) for attacker in striking for target in struck]
    table = pd.DataFrame(filled.values.reshape(len(pairs), len(VALUES)), columns=list(VALUES))
    table.insert(0, "attacker", [attacker.name for attacker, _ in pairs])
    table.insert(1, "target", [target.name for _, target in pairs])
    table["points_removed"] = [points_removed(target, lost) for (_, target), lost in zip(pairs, table["lost"], strict=True)]
    return table


def value(unit: Unit | str, opponents: Units | None = None, *, system: str | None = None, **how: Any) -> pd.DataFrame:
    """What each help is worth to a unit: rolls, re-rolls, commands, protection and characteristics, the most valuable first.

    The columns are those of `mathhammer.value.COLUMNS`.

    >>> table = value("Liberators", "Clanrats", system="aos4")
    >>> table.loc[0, ["help", "side"]].tolist()
    ['+1 Damage', 'attack']
    """
    (one,) = named_units(unit, system, where="value")
    against = targets_of([one], None if opponents is None else named_units(opponents, one.system, where="value"))
    return pd.DataFrame(value_rows(one, against, **how), columns=list(VALUE_COLUMNS))
