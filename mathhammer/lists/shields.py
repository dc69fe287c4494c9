"""Saves that wargear gives: a datasheet says which, a list who carries it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mathhammer.names import normal, singular
from mathhammer.units.roster import Entry, Item, Kind
from mathhammer.units.unit import ModelGroup, Unit


def shielded(unit: Unit, entry: Entry, shields: Mapping[str, int]) -> tuple[Unit, list[str]]:
    """The unit with the invulnerable saves of what the list names, and what is said where only some models
    of a kind carry it: their saves are left out.

    >>> from mathhammer import make_unit
    >>> squad = {"name": "Rats", "models": 2, "wounds": 1, "toughness": 3, "save": 5}
    >>> rats, both = make_unit("wh40k10", squad), Entry("Rats", items=(Item("Shields", 2),))
    >>> unit, told = shielded(rats, both, {"Shield": 4})
    >>> unit.groups[0].stat("invuln"), told
    (4, [])
    >>> shielded(rats, Entry("Rats", items=(Item("Shield"),)), {"Shield": 4})[1]
    ['Rats: 1 of 2 models carry Shield, its invulnerable save of 4+ is left out']
    """
    told: list[str] = []
    for name, save in shields.items():
        number = _number((*entry.items, *(item for kind in entry.kinds for item in kind.items)), name)
        if not number:
            continue
        if number >= unit.models:
            unit = replace(unit, groups=tuple(_saved(group, save) for group in unit.groups))
            continue
        groups = tuple(
            _saved(group, save) if _all_carry(group, entry.kinds, name) else group for group in unit.groups
        )
        if groups == unit.groups:
            told.append(
                f"{entry.name}: {number} of {unit.models} models carry {name}, "
                f"its invulnerable save of {save}+ is left out"
            )
        unit = replace(unit, groups=groups)
    return unit, told


def _number(items: tuple[Item, ...], name: str) -> int:
    wanted = singular(normal(name))
    return sum(item.number for item in items if singular(normal(item.name)) == wanted)


def _all_carry(group: ModelGroup, kinds: tuple[Kind, ...], name: str) -> bool:
    """Whether the list has just these models under the name of their group, and each carries it."""
    same = [kind for kind in kinds if singular(normal(kind.name)) == singular(normal(group.name))]
    models = sum(kind.number for kind in same)
    return models == group.models and all(_number(kind.items, name) >= kind.number for kind in same)


def _saved(group: ModelGroup, save: int) -> ModelGroup:
    """These models with that invulnerable save, or with their own where it is better."""
    better = min(save, group.stat("invuln", save))
    return replace(
        group, stats=tuple((key, better if key == "invuln" else value) for key, value in group.stats)
    )
