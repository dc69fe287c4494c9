"""Objective Control of 40k (WH40K-OC): what a unit brings to an objective marker."""

from __future__ import annotations

from collections.abc import Mapping

from mathhammer.dice.pmf import Pmf
from mathhammer.games.game import Fight
from mathhammer.units.unit import Unit


def control_of(unit: Unit, models: int, battle_shocked: bool) -> int | None:
    """WH40K-OC: the sum over its models; WH40K-BSHOCK: 0 while Battle-shocked. None where the sheet has no
    Objective Control.
    """
    each = unit.stat("objective_control")
    return None if each is None else 0 if battle_shocked else models * int(each)


def control_left(fight: Fight, slain: Pmf) -> Mapping[str, Pmf]:
    """The Level of Control of the target after the attack, where its sheet says what it is."""
    unit, shocked = fight.target, "target_battle_shocked" in fight.situation.flags
    if unit.stat("objective_control") is None:
        return {}
    before = unit.models_left
    return {"control_left": slain.map(lambda dead: control_of(unit, before - dead, shocked) or 0)}
