"""One-line profiles of Warhammer 40,000, 10th edition."""

from __future__ import annotations

import re
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.one_line import DICE, ability_word, attack_words, dice, put, scan
from mathhammer.games.wh40k10.abilities import ABILITIES

WEAPON = "20x 3+ S5 AP-1 D2 lethal hits, sustained hits 1"
TARGET = "T4 3+ 4++ fnp 5+ W2 x10"


def quick_weapon(text: str) -> dict[str, Any]:
    """A weapon from attacks, skill, Strength, AP, Damage and abilities, as a datasheet lists them.

    >>> quick_weapon("20x 3+ S5 AP-1 D2 lethal hits, anti-infantry 4+")["abilities"]
    ['Lethal Hits', 'Anti-INFANTRY 4+']
    """

    def ability(fields: dict[str, Any], found: re.Match[str]) -> None:
        fields.setdefault("abilities", []).append(" ".join(found[0].split()).title())

    def anti(fields: dict[str, Any], found: re.Match[str]) -> None:
        fields.setdefault("abilities", []).append(f"Anti-{found[1].upper()} {found[2]}+")

    numbered = r"(?:sustained hits|rapid fire|melta)\s?(?:\d{1,2}|D3|D6)"
    plain = r"(?:lethal hits|devastating wounds|ignores cover|indirect fire|extra attacks|one shot)"
    words = (
        *attack_words(),
        (r"(?:s|strength)\s?(\d{1,3})", put("strength")),
        (r"ap\s?(-?\d{1,2})", put("ap", lambda number: -abs(int(number)))),
        (rf"(?:d|damage)\s?({DICE})", put("damage", dice)),
        (rf"({DICE})", put("damage", dice)),
        (r"(?:bs|ws)?\s?(\d{1,2})\+", put("skill")),
        (numbered, ability),
        (plain, ability),
        (r"anti-([\w ]{1,30}?)\s?([2-6])\+", anti),
        ability_word(ABILITIES),
    )
    fields = scan(text, words, WEAPON)
    torrent = "Torrent" in fields.get("abilities", [])
    for name, what in (("attacks", "20x"), ("skill", "3+"), ("strength", "S5"), ("damage", "D2")):
        if name not in fields and not (name == "skill" and torrent):
            raise BadInputError(
                f"quick: no {name} in {text!r} (write something like {WEAPON!r}; {name} is the {what!r})"
            )
    return fields


def quick_target(text: str) -> dict[str, Any]:
    """A target from Toughness, Save, invulnerable save, Feel No Pain, Wounds and number of models.

    >>> quick_target("T4 3+ 4++ fnp 5+ W2 x10")["invuln"]
    4
    """
    words = (
        (r"(?:t|toughness)\s?(\d{1,3})", put("toughness")),
        (r"(\d{1,2})\+\+", put("invuln")),
        (r"(?:inv|invuln|invulnerable)\s?(\d{1,2})\+?", put("invuln")),
        (r"(?:fnp|feel no pain)\s?(\d{1,2})\+?", put("fnp")),
        (r"(?:w|wounds)\s?(\d{1,3})", put("wounds")),
        (r"x\s?(\d{1,3})", put("models")),
        (r"(\d{1,3})\s?models", put("models")),
        (r"(?:sv|save)?\s?(\d{1,2})\+", put("save")),
        (r"([a-z][a-z ]{1,20}?)", lambda fields, found: fields.setdefault("keywords", []).append(found[1])),
    )
    fields = {"wounds": 1} | scan(text, words, TARGET)
    if "toughness" not in fields:
        raise BadInputError(f"quick: no toughness in {text!r} (write something like {TARGET!r})")
    return fields


def probe_weapon(pierce: int, damage: int | str) -> dict[str, Any]:
    """One attack of that AP and Damage.

    >>> probe_weapon(2, "D3")
    {'attacks': 1, 'skill': 2, 'strength': 1, 'ap': -2, 'damage': 'D3'}
    """
    return {"attacks": 1, "skill": 2, "strength": 1, "ap": -pierce, "damage": damage}
