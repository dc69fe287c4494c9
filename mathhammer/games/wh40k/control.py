"""Objective Control of 40k (WH40K-OC): what a unit brings to an objective marker."""

from __future__ import annotations

from collections.abc import Mapping

from mathhammer.dice.pmf import Pmf
from mathhammer.games.game import Fight
from mathhammer.units.unit import Unit


def control_of(unit: Unit, dead: int, battle_shocked: bool) -> int | None:
    """WH40K-OC: the sum over its models that are left after `dead` more, in the order of allocation;
    WH40K-BSHOCK: 0 while Battle-shocked. None where the sheet has no Objective Control.
    """
    level, known = 0, False
    for group, (models, _) in zip(unit.groups, unit.left(), strict=True):
        slain = min(dead, models)
        dead -= slain
        each = group.stat("objective_control")
        known = known or each is not None
        level += (models - slain) * int(each or 0)
    return None if not known else 0 if battle_shocked else level


def control_left(fight: Fight, slain: Pmf) -> Mapping[str, Pmf]:
    """The Level of Control of the target after the attack, where its sheet says what it is."""
    unit, shocked = fight.target, "target_battle_shocked" in fight.situation.flags
    if control_of(unit, 0, shocked) is None:
        return {}
    return {"control_left": slain.map(lambda dead: control_of(unit, dead, shocked) or 0)}
