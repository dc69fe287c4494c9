"""One melee weapon for each model (WH40K-ATTACKS): the ways in which a unit can strike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, permutations

from mathhammer.units.unit import Unit, Weapon

MOST_ORDERS = 120  # five weapons in every order; with more of them the first orders count


def ways_to_strike(extra: Callable[[Weapon], bool]) -> Callable[[Unit], tuple[Unit, ...]]:
    """A function that gives a unit once for each way in which its models can choose their melee weapons.

    `extra` tells the weapons that are used besides another one.
    """

    @cache
    def ways(unit: Unit) -> tuple[Unit, ...]:
        plain = [w for w in unit.weapons if w.kind == "melee" and not w.optional and not extra(w)]
        if sum(_carried(unit, weapon) for weapon in plain) <= unit.models:
            return (unit,)
        orders: Iterable[Sequence[Weapon]] = islice(permutations(plain), MOST_ORDERS)
        return tuple(dict.fromkeys(_armed(unit, order) for order in orders))

    return ways


def _carried(unit: Unit, weapon: Weapon) -> int:
    return unit.models if weapon.bearers is None else weapon.bearers


def _armed(unit: Unit, order: Sequence[Weapon]) -> Unit:
    """The unit in which models take the first weapon of the order that they carry; the others stay unused."""
    room = unit.models
    used: dict[str, Weapon] = {}
    for weapon in order:
        bearers = min(room, _carried(unit, weapon))
        room -= bearers
        everyone = bearers == unit.models
        used[weapon.name] = replace(weapon, bearers=None if everyone else bearers, optional=bearers == 0)
    return replace(unit, weapons=tuple(used.get(weapon.name, weapon) for weapon in unit.weapons))
