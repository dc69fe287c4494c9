"""What changes for a unit between two answers."""

from __future__ import annotations

from typing import Any

from mathhammer.compare.matchups import points_removed
from mathhammer.engine.result import Result
from mathhammer.units.unit import Unit


def measured(before: Result, after: Result, unit: Unit, target: Unit, side: str) -> dict[str, Any]:
    """What changes for a unit between two answers, as the columns of a row: it attacks `target`, or is
    attacked.
    """
    sign = 1.0 if side == "attack" else -1.0
    base = _harm(before) if side == "attack" else before.lost.mean()
    then = _harm(after) if side == "attack" else after.lost.mean()
    gained = sign * (then - base)
    lost = sign * (after.lost.mean() - before.lost.mean())
    return {
        "side": side,
        "opponent": before.target if side == "attack" else before.attacker,
        "weapons": before.weapons,
        "before": base,
        "change": gained,
        "share": gained / base if base > 1e-12 else None,
        "slain": sign * (after.slain.mean() - before.slain.mean()),
        "p_destroyed": sign * (after.p_destroyed - before.p_destroyed),
        "points": points_removed(target if side == "attack" else unit, lost),
    }


def _harm(result: Result) -> float:
    return (result.lost if result.pool is None else result.damage).mean()
