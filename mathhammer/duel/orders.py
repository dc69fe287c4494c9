"""Whole lists: what each unit of an army does in a battle without orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathhammer.fight import fight
from mathhammer.games.game import Game
from mathhammer.units.unit import Unit, Weapon

GAP = 24.0  # inches between two armies where no distance is given


def orders(system: Game, unit: Unit, foes: Sequence[Unit]) -> tuple[dict[str, tuple[str, ...]], bool]:
    """The weapons of a unit of each kind, and whether it goes for the enemy: not when its shooting does more
    than its blows.
    """
    assert system.turns is not None
    usual = [weapon for weapon in unit.weapons if not weapon.optional]
    melee = [weapon for weapon in usual if weapon.kind == "melee"]
    if system.turns.one_melee_weapon:
        melee = _one_each(unit, melee, foes)
    kinds = {
        "melee": tuple(w.name for w in melee),
        "ranged": tuple(w.name for w in usual if w.kind == "ranged"),
    }
    damage = {kind: _damage(unit, names, foes) for kind, names in kinds.items()}
    return kinds, bool(kinds["melee"]) and damage["melee"] >= damage["ranged"]


def _one_each(unit: Unit, melee: list[Weapon], foes: Sequence[Unit]) -> list[Weapon]:
    """Where models have several melee weapons, the one that does most, and those that add attacks
    (WH40K-ATTACKS).
    """
    extra = [weapon for weapon in melee if "Extra Attacks" in weapon.abilities]
    ordinary = [weapon for weapon in melee if weapon not in extra]
    if sum(unit.bearers(weapon) for weapon in ordinary) <= unit.models_left:
        return melee
    best = max(ordinary, key=lambda weapon: _damage(unit, (weapon.name,), foes))
    return [weapon for weapon in melee if weapon is best or weapon in extra]


def _damage(unit: Unit, names: Sequence[str], foes: Sequence[Unit]) -> float:
    """Mean wounds over all enemies."""
    alone = replace(unit, weapons=tuple(weapon for weapon in unit.weapons if weapon.name in names))
    return sum(fight(alone, foe, weapons=tuple(names)).lost.mean() for foe in foes) if names else 0.0
