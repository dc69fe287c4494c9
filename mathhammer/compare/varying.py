"""A target with another value of one characteristic: the ground of curves, and of tables by save."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mathhammer.errors import UnknownNameError
from mathhammer.units.unit import Unit

RANGES: dict[str, tuple[int, ...]] = {
    "save": (2, 3, 4, 5, 6, 7),
    "toughness": tuple(range(3, 15)),
    "ward": (3, 4, 5, 6, 7),
    "fnp": (3, 4, 5, 6, 7),
}


def varied(unit: Unit, stat: str, value: int | None) -> Unit:
    """The unit with another value of a characteristic, in every model group that has it.

    >>> import mathhammer as mh
    >>> varied(mh.load_unit("Clanrats", "aos4"), "save", 2).stat("save")
    2
    """
    if stat not in dict(unit.stats):
        raise UnknownNameError(
            unit.name, "characteristic", stat, [name for name in RANGES if name in dict(unit.stats)]
        )

    def changed(stats: tuple[tuple[str, Any], ...]) -> tuple[tuple[str, Any], ...]:
        return tuple((name, value if name == stat else old) for name, old in stats)

    groups = tuple(replace(group, stats=changed(group.stats)) for group in unit.groups)
    return replace(unit, stats=changed(unit.stats), groups=groups)
