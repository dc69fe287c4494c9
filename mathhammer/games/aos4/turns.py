"""The turn of Age of Sigmar, 4th edition, between two units (AOS4-13.0)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mathhammer.dice.pmf import Pmf
from mathhammer.games.turns import FIRST, LAST, NORMAL, Turns
from mathhammer.units.unit import Unit

_MUSICIAN = re.compile(r"MUSICIAN(?: \(\d+/\d+\))?")


def rank(unit: Unit) -> int:
    """AOS4-13.1, AOS4-19.0: Strike-first units, then the others, then Strike-last units."""
    return {"first": FIRST, "last": LAST}.get(unit.stat("strike"), NORMAL)


def rally_points(unit: Unit) -> Pmf:
    """AOS4-C-2.0: six dice, a point for each 4+; a musician adds a die (AOS4-CM-2.0)."""
    musician = any(_MUSICIAN.fullmatch(word) for word in unit.keywords)
    return Pmf.binomial(7 if musician else 6, 0.5)


def clash(commands: Sequence[str]) -> str:
    """AOS4-C-1.2: a unit uses one command in a phase."""
    return "a unit uses one command per phase, AOS4-C-1.2" if len(set(commands)) > 1 else ""


TURNS = Turns(
    engaged="in_combat",  # AOS4-14.4: such units fight, and those that charged
    reach=3.0,  # AOS4-7.0
    charge_slack=0.5,
    charge_within=None,
    active_first=True,  # AOS4-13.1
    rank=rank,
    again=21 / 36,  # AOS4-12.0
    guards=frozenset({"all_out_defence"}),
    outside=frozenset({"covering_fire"}),
    clash=clash,
    rally=rally_points,
    rules={
        "shoot": "its units shoot; in combat only with Shoot in Combat (AOS4-16.0)",
        "charge": "2D6, and it must end within half an inch (AOS4-14.3)",
        "reroll_charge": "Forward to Victory: the whole charge roll again (AOS4-C-5.0, AMB-20)",
        "fight": "Strike-first, then the others, then Strike-last; the active player picks first (AOS4-19.0)",
        "rally": (
            "Rally in its own hero phase while not in combat: models return first, then it heals (AOS4-C-2.0)"
        ),
        "heal": "healing in its own hero phase removes damage but returns no model (AOS4-21.0)",
        "priority": (
            "the first player of a round begins the next with chance 21/36 (AOS4-12.0); the winner goes first"
        ),
    },
)
