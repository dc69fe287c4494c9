"""Characteristics as a datasheet prints them, and what a target brings to a fight, in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mathhammer.games.discovery import attacks_of
from mathhammer.games.game import Attacks
from mathhammer.units.unit import Unit


def stat_text(attacks: Attacks, name: str, value: object) -> str:
    """A characteristic as a datasheet prints it: 3+ where it is a roll."""
    fields = (*attacks.unit_fields, *attacks.weapon_fields, *attacks.group_fields)
    rolled = any(field.name == name and field.kind == "need" for field in fields)
    return "-" if value is None else f"{value}+" if rolled else str(value)


def stats_text(attacks: Attacks, stats: Sequence[tuple[str, Any]]) -> str:
    """All characteristics that say something."""
    return ", ".join(
        name.replace("_", " ") + ("" if value is True else f" {stat_text(attacks, name, value)}")
        for name, value in stats
        if value not in (None, False)
    )


def defence_text(unit: Unit) -> str:
    """What a target brings to a fight, in one line."""
    told = [
        (name, value) for name, value in unit.stats if name not in ("control", "move", "objective_control")
    ]
    models = f"{unit.models} {'model' if unit.models == 1 else 'models'}"
    more = [*sorted(unit.keywords), *(flag.replace("_", " ") for flag in sorted(unit.stance.flags))]
    return ", ".join([models, stats_text(attacks_of(unit.system), told), *more, *unit.stance.buffs])


def tells(name: str, value: Any) -> bool:
    """Whether a characteristic of a weapon says something: a critical on a 6 is what every weapon has.

    >>> tells("rend", 1), tells("rend", None), tells("crit_on", 6)
    (True, False, False)
    """
    return value not in (None, False) and not (name.startswith("crit") and value == 6)
