"""An effect that was read, in words for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mathhammer.units.effects import SCOPES

HEAD = ("on", "when", "use", "needs", "weapon")


def in_words(effect: Mapping[str, Any]) -> dict[str, str]:
    """What changes, on whom, when, and what it takes.

    >>> in_words({"on": "led", "when": ["melee", "charged"], "hit_roll": "+1"})["when"]
    'melee, charged'
    >>> in_words({"use": "choice once per battle", "needs": "3+", "ward": 5})["takes"]
    'use it once per battle, on a roll of 3+'
    """
    changes = [_change(key, value) for key, value in effect.items() if key not in HEAD]
    takes = []
    if use := str(effect.get("use", "")):
        takes.append(f"use it {use.removeprefix('choice').strip()}".strip())
    if needs := effect.get("needs"):
        takes.append(f"on a roll of {needs}")
    if weapon := effect.get("weapon"):
        takes.append("with " + (weapon if isinstance(weapon, str) else ", ".join(weapon)))
    return {
        "change": ", ".join(changes),
        "on": SCOPES[str(effect.get("on", "unit"))].partition(",")[0],
        "when": ", ".join(effect.get("when", ())) or "always",
        "takes": ", ".join(takes) or "-",
    }


def _change(key: str, value: Any) -> str:
    name = key.replace("_", " ")
    if value is True:
        return name
    if isinstance(value, list):
        return f"{name} {', '.join(map(str, value))}"
    if isinstance(value, Mapping):
        return f"{name} {_dealt(value)}"
    return f"{name} {value}"


def _dealt(mortal: Mapping[str, Any]) -> str:
    """Mortal damage: how much, on which roll, for how many dice."""
    dice, on = str(mortal.get("dice", "")), str(mortal.get("on", ""))
    each = "the roll" if mortal["each"] == "roll" else str(mortal["each"])
    text = each + (f" on {on}" if on else "")
    return (
        text
        if dice in ("", "1")
        else f"{text} for each of {dice} dice"
        if dice.isdigit()
        else f"{text}, dice: {dice}"
    )
