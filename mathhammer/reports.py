"""Reports as tidy DataFrames: the home of pandas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from mathhammer.matchups import COLUMNS, matchups, named_units, targets_of
from mathhammer.units import Unit

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
    return pd.DataFrame([matchup.row() for matchup in matchups(striking, struck, **how)], columns=list(COLUMNS))
