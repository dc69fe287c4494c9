"""What units of a list give each other: auras reach all, a leader's gift only the unit that he leads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mathhammer.units.unit import Unit


def auras_of(unit: Unit) -> Unit | None:
    """The unit with those gifts only that reach friends near it; None where it has none."""
    gifts = tuple(effect for effect in unit.effects if effect.on == "friends")
    return replace(unit, effects=gifts) if gifts else None


def gift_lines(units: Iterable[Unit], auras: bool) -> list[str]:
    """Which gifts are on, and which are not, in a line each."""
    given: dict[str, None] = {}
    led: dict[str, None] = {}
    for unit in units:
        for effect in unit.effects:
            if effect.on in ("friends", "led"):  # WH40K-LEADING
                kind = led if effect.on == "led" else given
                kind[f"{effect.name or 'a gift'} ({unit.name})"] = None
    lines = []
    if given and auras:
        reach = "gifts that count for every unit, as if in reach"
        lines.append(f"{reach}: {', '.join(given)} (--no-auras leaves them out)")
    elif given:
        lines.append(f"gifts left out: {', '.join(given)}")
    if led:
        lines.append(f"gifts left out, as their leader leads no unit here: {', '.join(led)}")
    return lines
