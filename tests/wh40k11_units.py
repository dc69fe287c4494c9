"""Small units of the 11th edition for tests."""

from __future__ import annotations

from typing import Any

import mathhammer as mh

BODY: dict[str, Any] = {"models": 5, "toughness": 4, "save": 4, "wounds": 2, "keywords": ["infantry"]}


def squad(*weapons: dict[str, Any], **fields: Any) -> mh.Unit:
    """Five models of Toughness 4, Save 4+ and two Wounds."""
    return mh.make_unit("wh40k11", {"name": "Squad", **BODY, "weapon": list(weapons), **fields})


def hero(name: str = "Hero", **fields: Any) -> mh.Unit:
    """A Character of Toughness 5, Save 2+ and four Wounds."""
    body = {"models": 1, "toughness": 5, "save": 2, "wounds": 4, "keywords": ["infantry", "character"]}
    return mh.make_unit("wh40k11", {"name": name, **body, **fields})


def skipped(attacker: mh.Unit, target: mh.Unit, **how: Any) -> str:
    """Why a weapon does not attack; empty when all do."""
    return next(iter(mh.fight(attacker, target, **how).skipped.values()), "")
