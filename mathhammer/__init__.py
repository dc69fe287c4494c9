"""mathhammer: what units of tabletop wargames do to each other, exact and simulated."""

from mathhammer.datasheets import load_unit
from mathhammer.errors import BadInputError, MathhammerError, TooLargeError, UnknownNameError
from mathhammer.fight import fight
from mathhammer.odds import odds
from mathhammer.pmf import Pmf
from mathhammer.result import Result
from mathhammer.schema import make_unit
from mathhammer.units import Unit, Weapon

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
    "fight",
    "load_unit",
    "make_unit",
    "odds",
]
