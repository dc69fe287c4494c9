"""One-line profiles of Age of Sigmar, 4th edition."""

from __future__ import annotations

import re
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.aos4.abilities import ABILITIES
from mathhammer.games.one_line import DICE, ability_word, attack_words, dice, put, scan

WEAPON = "20x 3+ 3+ -1 2 crit(mortal)"
TARGET = "4+ ward 5+ health 2 x10"


def quick_weapon(text: str) -> dict[str, Any]:
    """A weapon from attacks, Hit, Wound, Rend, Damage and abilities, as a warscroll lists them.

    >>> quick_weapon("20x 3+ 4+ -1 D3 crit(mortal)")["abilities"]
    ['Crit (Mortal)']
    """

    def need(fields: dict[str, Any], found: re.Match[str]) -> None:
        put("wound" if "hit" in fields else "hit")(fields, found)

    def anti(fields: dict[str, Any], found: re.Match[str]) -> None:
        fields.setdefault("abilities", []).append(f"Anti-{found[1]} (+1 Rend)")

    words = (
        *attack_words(),
        (r"(\d{1,2})\+", need),
        (r"(?:rend\s?)?-(\d{1,2})", put("rend")),
        (r"rend\s?(\d{1,2})", put("rend")),
        (rf"(?:damage\s?)?({DICE})", put("damage", dice)),
        (r"anti-([\w ]{1,30}?)(?:\s?\(\+1 rend\))?", anti),
        ability_word(ABILITIES),
    )
    fields = scan(text, words, WEAPON)
    for name, what in (("attacks", "20x"), ("hit", "3+"), ("wound", "3+"), ("damage", "2")):
        if name not in fields:
            raise BadInputError(
                f"quick: no {name} in {text!r} (write something like {WEAPON!r}; {name} is the {what!r})"
            )
    return fields


def quick_target(text: str) -> dict[str, Any]:
    """A target from Save, ward, Health and number of models.

    >>> quick_target("4+ ward 5+ health 2 x10") == {"save": 4, "ward": 5, "health": 2, "models": 10}
    True
    """
    words = (
        (r"ward\s?(\d{1,2})\+?", put("ward")),
        (r"(?:health|wounds|hp)\s?(\d{1,3})", put("health")),
        (r"x\s?(\d{1,3})", put("models")),
        (r"(\d{1,3})\s?models", put("models")),
        (r"(?:save\s?)?(\d{1,2})\+", put("save")),
        (r"-|no save()", lambda _fields, _found: None),
        (r"([a-z][a-z ]{1,20}?)", lambda fields, found: fields.setdefault("keywords", []).append(found[1])),
    )
    return {"health": 1} | scan(text, words, TARGET)


def probe_weapon(pierce: int, damage: int | str) -> dict[str, Any]:
    """One attack of that Rend and Damage.

    >>> probe_weapon(2, "D3")
    {'attacks': 1, 'hit': 2, 'wound': 2, 'rend': 2, 'damage': 'D3'}
    """
    return {"attacks": 1, "hit": 2, "wound": 2, "rend": pierce, "damage": damage}
