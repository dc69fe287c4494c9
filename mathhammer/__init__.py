"""mathhammer: what units of tabletop wargames do to each other, exact and simulated."""

import importlib
from typing import TYPE_CHECKING, Any

from mathhammer import compare as _package
from mathhammer._version import __version__ as __version__
from mathhammer.datasheets.library import load_unit
from mathhammer.datasheets.reading import make_unit
from mathhammer.dice.pmf import Pmf
from mathhammer.duel import duel
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError, MathhammerError, TooLargeError, UnknownNameError
from mathhammer.fight import fight
from mathhammer.odds import odds
from mathhammer.units.unit import Unit, Weapon

if TYPE_CHECKING:
    from mathhammer.frames import compare, matrix
    from mathhammer.lists.attached import attach
    from mathhammer.lists.readers import read_roster
    from mathhammer.plots import plot_pmf

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
    "attach": "mathhammer.lists.attached",
    "compare": "mathhammer.frames",
    "matrix": "mathhammer.frames",
    "plot_pmf": "mathhammer.plots",
    "read_roster": "mathhammer.lists.readers",
}
# The package `compare` is loaded here once and unbound again, so that the name is left to the function.
del _package, compare


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'mathhammer' has no attribute {name!r}")
