"""One-line profiles of Age of Sigmar, 4th edition."""

from __future__ import annotations

import re
from typing import Any

from mathhammer.games.aos4.abilities import ABILITIES
from mathhammer.games.one_line import Word, ability_words, complete, put, scan, target_words
from mathhammer.games.sigmar.quick import PARTS, weapon_words

WEAPON = "20x 3+ 3+ -1 2 crit(mortal)"
TARGET = "4+ ward 5+ health 2 x10"


def quick_weapon(text: str) -> dict[str, Any]:
    """A weapon from attacks, Hit, Wound, Rend, Damage and abilities, as a warscroll lists them.

    >>> quick_weapon("20x 3+ 4+ -1 D3 crit(mortal)")["abilities"]
    ['Crit (Mortal)']
    """

    def anti(fields: dict[str, Any], found: re.Match[str]) -> None:
        fields.setdefault("abilities", []).append(f"Anti-{found[1]} (+1 Rend)")

    words: tuple[Word, ...] = (
        *weapon_words(),
        (r"anti-([\w ]{1,30}?)(?:\s?\(\+1 rend\))?", anti),
        *ability_words(ABILITIES),
    )
    fields = complete(scan(text, words, WEAPON, buffs=True), text, WEAPON, PARTS)
    return ({"kind": "ranged"} if "Shoot in Combat" in fields.get("abilities", ()) else {}) | fields


def quick_target(text: str) -> dict[str, Any]:
    """A target from Save, ward, Health and number of models.

    >>> quick_target("4+ ward 5+ health 2 x10") == {"save": 4, "ward": 5, "health": 2, "models": 10}
    True
    """
    words = ((r"ward\s?(\d{1,2})\+?", put("ward")), *target_words("health", "health|wounds|hp"))
    return {"health": 1} | scan(text, words, TARGET, buffs=True)
