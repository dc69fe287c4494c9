"""Whole lists: what each unit of an army does in a battle without orders."""

from __future__ import annotations

from collections.abc import Sequence

from mathhammer.fight import fight
from mathhammer.units.unit import Unit

GAP = 24.0  # inches between two armies where no distance is given
KINDS = ("melee", "ranged")


def orders(unit: Unit, foes: Sequence[Unit]) -> tuple[dict[str, tuple[str, ...]], bool]:
    """The weapons of a unit of each kind, and whether it goes for the enemy: not when its shooting does more
    than its blows.
    """
    usual = [weapon for weapon in unit.weapons if not weapon.optional]
    names = {kind: tuple(weapon.name for weapon in usual if weapon.kind == kind) for kind in KINDS}
    damage = {
        kind: sum(fight(unit, foe, weapons=kind).lost.mean() for foe in foes) if names[kind] else 0.0
        for kind in KINDS
    }
    return names, bool(names["melee"]) and damage["melee"] >= damage["ranged"]
