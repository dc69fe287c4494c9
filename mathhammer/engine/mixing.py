"""Results of several branches of one attack as one: a mixture by their chances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.plan import Plan
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError


def mixed(parts: Sequence[tuple[float, Result]]) -> Result:
    """One result of several, each with its share.

    >>> import mathhammer as mh
    >>> club = {"name": "Club", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    >>> luck = {"name": "Luck", "needs": "4+", "hit_roll": "+1"}
    >>> orc = mh.make_unit("aos4", {"name": "Orc", "health": 1, "weapon": [club], "effect": [luck]})
    >>> round(mh.fight(orc, mh.make_unit("aos4", {"name": "Rat", "health": 1})).p_destroyed, 6)
    0.291667
    """
    (_, first), *others = parts
    if not others:
        return first
    check_mixed([result.plan for _, result in parts])
    end = sum((chance * result.end for chance, result in parts), np.zeros_like(first.end))
    pool = None
    if first.pool is not None:
        pool = partial(_joined_damage, tuple(parts))
    own = [result.own_lost for _, result in parts]
    lost = slain = None
    if any(pmf is not None for pmf in own):
        lost = _joined([(chance, result.own_lost or Pmf.constant(0)) for chance, result in parts])
        slain = _joined([(chance, result.own_slain or Pmf.constant(0)) for chance, result in parts])
    return replace(
        first,
        end=end,
        pool=pool,
        trials=None if first.trials is None else sum(result.trials or 0 for _, result in parts),
        branches=tuple((chance, result.plan) for chance, result in parts),
        own_lost=lost,
        own_slain=slain,
    )


def check_mixed(plans: Sequence[Plan]) -> None:
    """Only attacks that land in the same way are mixed.

    >>> import mathhammer as mh
    >>> check_mixed([mh.fight("Liberators", "Clanrats").plan])
    """
    if any(plan.target != plans[0].target for plan in plans):
        raise BadInputError(
            "fight: a roll that decides how the target takes damage is not covered (use it without the roll)"
        )


def _joined_damage(parts: Sequence[tuple[float, Result]]) -> Pmf:
    return _joined([(chance, result.damage) for chance, result in parts])


def _joined(parts: Sequence[tuple[float, Pmf]]) -> Pmf:
    total: dict[int, float] = {}
    for chance, pmf in parts:
        for value, share in pmf.to_dict().items():
            total[value] = total.get(value, 0.0) + chance * share
    return Pmf.of(total)
