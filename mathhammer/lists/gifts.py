"""What units of a list give each other: auras reach all, a leader's gift only the unit that he leads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mathhammer.games.discovery import attacks_of
from mathhammer.units.effects import Effect
from mathhammer.units.unit import Unit


def is_led_only(unit: Unit, effect: Effect) -> bool:
    """Whether a gift is only for the unit that a leader has joined (WH40K-LEADING): in games whose leaders
    join units, all gifts of a Character that are not called an aura.

    >>> from mathhammer import load_unit
    >>> kharn, pack = load_unit("Khârn the Betrayer", "wh40k10"), load_unit("Eightbound", "wh40k10")
    >>> [[is_led_only(one, e) for e in one.effects if e.on == "friends"] for one in (kharn, pack)]
    [[True], [False]]
    """
    joins = attacks_of(unit.system).attach is not None and "CHARACTER" in unit.keywords
    return effect.on == "friends" and joins and "aura" not in effect.name.lower()


def auras_of(unit: Unit) -> Unit | None:
    """The unit with those gifts only that reach friends near it; None where it has none."""
    gifts = tuple(e for e in unit.effects if e.on == "friends" and not is_led_only(unit, e))
    return replace(unit, effects=gifts) if gifts else None


def gift_lines(units: Iterable[Unit], auras: bool) -> list[str]:
    """Which gifts are on, and which are not, in a line each."""
    given: dict[str, None] = {}
    led: dict[str, None] = {}
    for unit in units:
        for effect in unit.effects:
            if effect.on == "friends":
                kind = led if is_led_only(unit, effect) else given
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
