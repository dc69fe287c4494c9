"""One-line profiles of Age of Sigmar, 1st edition."""

from __future__ import annotations

import re
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.one_line import DICE, attack_words, dice, put, scan

WEAPON = "5x2 4+ 3+ -1 D3 leader +1"
TARGET = "4+ wounds 2 bravery 6 x10"


def quick_weapon(text: str) -> dict[str, Any]:
    """A weapon from Attacks, To Hit, To Wound, Rend and Damage, as a warscroll lists them; `leader +1` for
    the unit's leader.

    >>> quick_weapon("5x2 4+ 3+ -1 D3 leader +1") == {
    ...     "models": 5, "attacks": 2, "hit": 4, "wound": 3, "rend": 1, "damage": "D3", "leader_attacks": 1}
    True
    """

    def need(fields: dict[str, Any], found: re.Match[str]) -> None:
        put("wound" if "hit" in fields else "hit")(fields, found)

    words = (
        *attack_words(),
        (r"(\d{1,2})\+", need),
        (r"(?:rend\s?)?-(\d{1,2})", put("rend")),
        (r"rend\s?(\d{1,2})", put("rend")),
        (rf"(?:damage\s?)?({DICE})", put("damage", dice)),
        (r"leader\s?\+?(\d{1,2})", put("leader_attacks")),
    )
    fields = scan(text, words, WEAPON)
    for name, what in (("attacks", "5x2"), ("hit", "4+"), ("wound", "3+"), ("damage", "D3")):
        if name not in fields:
            raise BadInputError(
                f"quick: no {name} in {text!r} (write something like {WEAPON!r}; {name} is the {what!r})"
            )
    return fields


def quick_target(text: str) -> dict[str, Any]:
    """A target from Save, Wounds, Bravery, a ward and the number of models; with Bravery, battleshock is
    worked out too.

    >>> quick_target("4+ wounds 2 bravery 6 x10") == {"save": 4, "wounds": 2, "bravery": 6, "models": 10}
    True
    """
    words = (
        (r"ward\s?(\d{1,2})\+?", put("ward")),
        (r"(?:wounds|w)\s?(\d{1,3})", put("wounds")),
        (r"(?:bravery|br)\s?(\d{1,2})", put("bravery")),
        (r"x\s?(\d{1,3})", put("models")),
        (r"(\d{1,3})\s?models", put("models")),
        (r"(?:save\s?)?(\d{1,2})\+", put("save")),
        (r"-|no save()", lambda _fields, _found: None),
        (r"([a-z][a-z ]{1,20}?)", lambda fields, found: fields.setdefault("keywords", []).append(found[1])),
    )
    return {"wounds": 1} | scan(text, words, TARGET)


def probe_weapon(pierce: int, damage: int | str) -> dict[str, Any]:
    """One attack of that Rend and Damage.

    >>> probe_weapon(2, "D3")
    {'attacks': 1, 'hit': 2, 'wound': 2, 'rend': 2, 'damage': 'D3'}
    """
    return {"attacks": 1, "hit": 2, "wound": 2, "rend": pierce, "damage": damage}
