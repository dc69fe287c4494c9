"""One given roll of both sides, and what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.fields import choice, listed, whole
from mathhammer.games.uprising.bolts import Table, damage, spend
from mathhammer.games.uprising.pools import SYMBOLS
from mathhammer.games.uprising.sides import TERRAIN
from mathhammer.games.uprising.text import side_of

Odds = dict[str, Any]


def round_(
    *,
    a: Mapping[str, Any] | str,
    b: Mapping[str, Any] | str,
    rolled_a: Sequence[int],
    rolled_b: Sequence[int],
    terrain: str = "ice",
) -> Odds:
    """What one given roll of both sides does; results are (skulls, shields, bolts).

    >>> emperor = {"kind": "card", "faction": "empire", "god_power": {"effect": "none", "limit": "round"}}
    >>> answer = round_(a={"kind": "units", "units": []}, b=emperor, rolled_a=[3, 2, 0], rolled_b=[2, 1, 2])
    >>> answer["damage_a"], answer["damage_b"], answer["god_uses_b"]
    (1, 2, 1)
    """
    choice("round", "terrain", terrain, TERRAIN)
    left, right = side_of("round: a", a, fights=False), side_of("round: b", b, fights=False)
    of_a = spend(left, _rolled("rolled_a", rolled_a), Table(terrain, right, left.strength))
    of_b = spend(right, _rolled("rolled_b", rolled_b), Table(terrain, left, right.strength))
    lines = []
    for name, spent in (("a", of_a), ("b", of_b)):
        placed = spent.mark.placed
        told = f", {placed} skeletons placed after damage (UP-SKE-2)" if placed else ""
        told += f", {spent.outright} pieces destroyed outright" if spent.outright else ""
        told += f", {spent.mark.grown} more threat" if spent.mark.grown else ""
        lines.append(
            f"Side {name}: {spent.skulls} skulls, {spent.shields} shields, {spent.uses} bolts into god "
            "powers (UP-BOLT-2 to UP-BOLT-5), "
            f"{spent.cancels} bolts against shields (UP-BOLT-1){told}."
        )
    return {
        "damage_a": damage(of_b.skulls, of_a.shields, of_b.cancels) + of_b.outright,
        "damage_b": damage(of_a.skulls, of_b.shields, of_a.cancels) + of_a.outright,
        "god_uses_a": of_a.uses,
        "god_uses_b": of_b.uses,
        "placed_a": of_a.mark.placed,
        "placed_b": of_b.mark.placed,
        "dice_set": "none (the roll is given)",
        "explain": "\n".join(lines),
    }


def _rolled(name: str, value: Any) -> tuple[int, int, int]:
    numbers = listed("round", name, value)
    if len(numbers) != len(SYMBOLS):
        raise BadInputError(f"round: {name} is {value!r} (give three numbers: skulls, shields, bolts)")
    skulls, shields, bolts = (whole("round", name, number) for number in numbers)
    return skulls, shields, bolts
