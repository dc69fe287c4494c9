"""The turn of Warhammer 40,000, 10th edition, between two sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.games.turns import FIRST, NORMAL, Charge, gained
from mathhammer.units.unit import Unit


def rank(unit: Unit, foe: Unit, charged: bool, options: Mapping[str, Any]) -> int:
    """WH40K-FIGHTORDER: Fights First units, then the rest; in an Attached unit every model must have it, or
    by the option `attached_fights_first` any of them.
    """
    some = options.get("attached_fights_first") == "any" and unit.stat("some_fight_first")
    ruled = "fights first" in gained(unit, foe, charged)
    return FIRST if unit.stat("fights_first") or some or ruled else NORMAL


# WH40K-CHARGE: into Engagement Range; WH40K-FIGHTORDER: a unit that charged fights first
CHARGE = Charge(slack=1.0, within=12.0, strikes_first=True)
DEFENSIVE = frozenset(
    {"go_to_ground", "smokescreen", "command_reroll_save"}
)  # commands of the side that is attacked
