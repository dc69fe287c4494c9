"""The turn of Age of Sigmar, 4th edition, between two sides (AOS4-13.0)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from mathhammer.games.turns import FIRST, LAST, NORMAL, Charge, gained
from mathhammer.units.unit import Unit


def rank(unit: Unit, foe: Unit, charged: bool, _options: Mapping[str, Any]) -> int:
    """AOS4-13.1, AOS4-19.0: Strike-first units, then the others, then Strike-last units; a unit with both
    counts as having neither.
    """
    words = gained(unit, foe, charged) | {f"strike {unit.stat('strike')}"}
    first, last = "strike first" in words, "strike last" in words
    return NORMAL if first == last else FIRST if first else LAST


ONE_COMMAND = "a unit uses one command per phase"


def one_command(commands: Collection[str]) -> bool:
    """AOS4-C-1.2: whether a unit may use all of these in one phase: one command, however often it is named.

    >>> one_command(["all_out_attack", "all_out_attack"]), one_command(["all_out_attack", "covering_fire"])
    (True, False)
    """
    return len(set(commands)) <= 1


CHARGE = Charge(slack=0.5)  # AOS4-14.3: it ends within half an inch
DEFENSIVE = frozenset({"all_out_defence"})  # commands of the side that is attacked
