"""mathhammer: what units of tabletop wargames do to each other, exact and simulated."""

import importlib
from typing import TYPE_CHECKING, Any

from mathhammer.datasheets import load_unit
from mathhammer.duel import duel
from mathhammer.errors import BadInputError, MathhammerError, TooLargeError, UnknownNameError
from mathhammer.fight import fight
from mathhammer.odds import odds
from mathhammer.pmf import Pmf
from mathhammer.result import Result
from mathhammer.schema import make_unit
from mathhammer.units import Unit, Weapon

if TYPE_CHECKING:
    from mathhammer.plots import plot_pmf
    from mathhammer.reports import compare, matrix
    from mathhammer.rosters.readers import read_roster
    from mathhammer.systems.wh40k10.attach import attach

__version__ = "0.1.0"
__all__ = [
    "BadInputError",
    "MathhammerError",
    "Pmf",
    "Result",
    "TooLargeError",
    "Unit",
    "UnknownNameError",
    "Weapon",
    "attach",
    "compare",
    "duel",
    "fight",
    "load_unit",
    "make_unit",
    "matrix",
    "odds",
    "plot_pmf",
    "read_roster",
]
_LAZY = {  # pandas and matplotlib only when used
    "attach": "mathhammer.systems.wh40k10.attach",
    "compare": "mathhammer.reports",
    "matrix": "mathhammer.reports",
    "plot_pmf": "mathhammer.plots",
    "read_roster": "mathhammer.rosters.readers",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'mathhammer' has no attribute {name!r}")
