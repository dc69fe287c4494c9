"""Small units of Warhammer 40,000 for tests: five models with a gun, a blade, or whatever is given."""

from __future__ import annotations

from typing import Any

import mathhammer as mh


def gun(**fields: Any) -> dict[str, Any]:
    """A plain ranged weapon."""
    return {
        "name": "Gun",
        "kind": "ranged",
        "range": 24,
        "attacks": 2,
        "skill": 3,
        "strength": 4,
        "damage": 1,
    } | fields


def blade(**fields: Any) -> dict[str, Any]:
    """A plain melee weapon."""
    return {"name": "Blade", "kind": "melee", "attacks": 3, "skill": 3, "strength": 4, "damage": 1} | fields


def squad(*weapons: dict[str, Any], **fields: Any) -> mh.Unit:
    """Five models of Toughness 4, Save 4+ and two Wounds."""
    return mh.make_unit(
        "wh40k10",
        {"name": "Squad", "models": 5, "toughness": 4, "wounds": 2, "save": 4, "weapon": list(weapons)}
        | fields,
    )
