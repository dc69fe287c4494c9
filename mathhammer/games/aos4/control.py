"""Control of objectives in Age of Sigmar, 4th edition (AOS4-32.1, AOS4-32.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mathhammer.dice.pmf import Pmf
from mathhammer.games.game import Fight
from mathhammer.units.unit import Unit

_STANDARD = r"STANDARD BEARER(?: \(\d+/\d+\))?"


def control_of(unit: Unit, models: int) -> int:
    """AOS4-32.2: the Control of each model that is left, at least 1; AOS4-CM-3.0: one more with a standard
    bearer, however many there are.
    """
    if models == 0:
        return 0
    standard = any(re.fullmatch(_STANDARD, word) for word in unit.keywords)
    return max(1, models * int(unit.stat("control", 1)) + standard)


def control_left(fight: Fight, slain: Pmf) -> Mapping[str, Pmf]:
    """The control score of the target after the attack."""
    before = fight.target.models_left
    return {"control_left": slain.map(lambda dead: control_of(fight.target, before - dead))}
