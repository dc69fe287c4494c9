"""One-line profiles of Age of Sigmar, 1st edition."""

from __future__ import annotations

from typing import Any

from mathhammer.games.one_line import complete, put, scan, target_words
from mathhammer.games.sigmar.quick import weapon_words

WEAPON = "5x2 4+ 3+ -1 D3 leader +1"
TARGET = "4+ wounds 2 bravery 6 x10"
PARTS = {"attacks": "5x2", "hit": "4+", "wound": "3+", "damage": "D3"}


def quick_weapon(text: str) -> dict[str, Any]:
    """A weapon from Attacks, To Hit, To Wound, Rend and Damage, as a warscroll lists them; `leader +1` for
    the unit's leader.

    >>> quick_weapon("5x2 4+ 3+ -1 D3 leader +1") == {
    ...     "models": 5, "attacks": 2, "hit": 4, "wound": 3, "rend": 1, "damage": "D3", "leader_attacks": 1}
    True
    """
    words = (*weapon_words(), (r"leader\s?\+?(\d{1,2})", put("leader_attacks")))
    return complete(scan(text, words, WEAPON, buffs=True), text, WEAPON, PARTS)


def quick_target(text: str) -> dict[str, Any]:
    """A target from Save, Wounds, Bravery, a ward and the number of models; with Bravery, battleshock is
    worked out too.

    >>> quick_target("4+ wounds 2 bravery 6 x10") == {"save": 4, "wounds": 2, "bravery": 6, "models": 10}
    True
    """
    words = (
        (r"ward\s?(\d{1,2})\+?", put("ward")),
        (r"(?:bravery|br)\s?(\d{1,2})", put("bravery")),
        *target_words("wounds", "wounds|w"),
    )
    return {"wounds": 1} | scan(text, words, TARGET, buffs=True)
