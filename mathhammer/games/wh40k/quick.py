"""One-line profiles of 40k."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Abilities
from mathhammer.games.one_line import (
    DICE,
    ability_words,
    attack_words,
    attacks_first,
    complete,
    dice,
    put,
    scan,
    target_words,
)

WEAPON = "20x 3+ S5 AP-1 D2 lethal hits, sustained hits 1"
TARGET = "T4 3+ 4++ fnp 5+ W2 x10"
# abilities that only weapons that shoot have
RANGED = {
    "Assault",
    "Rapid Fire",
    "Pistol",
    "Torrent",
    "Heavy",
    "Blast",
    "Melta",
    "Indirect Fire",
    "Conversion",
}
RANGED |= {"Ignores Cover"}
# yes-or-no fields of a unit that a target may have
FLAGS = ("stealth", "lone_operative", "halve_damage", "fights_first")
PARTS = {"attacks": "20x", "skill": "3+", "strength": "S5", "damage": "D2"}


def skill(fields: dict[str, Any], found: re.Match[str]) -> None:
    """Ballistic Skill is for shooting, Weapon Skill for fighting."""
    put("skill", int, 2)(fields, found)
    fields["kind"] = "ranged" if found[1].lower() == "bs" else "melee"


def ranged(fields: dict[str, Any], found: re.Match[str]) -> None:
    """A weapon with a range shoots."""
    put("range")(fields, found)
    fields["kind"] = "ranged"


def weapon_reader(known: Abilities) -> Callable[[str], dict[str, Any]]:
    """A reader of weapons from attacks, skill, Strength, AP, Damage and abilities, as a datasheet lists them.

    >>> from mathhammer.games.wh40k10.abilities import ABILITIES
    >>> weapon_reader(ABILITIES)("20x 3+ S5 AP-1 D2 lethal hits, anti-infantry 4+")["abilities"]
    ['Lethal Hits', 'Anti-INFANTRY 4+']
    """

    def quick_weapon(text: str) -> dict[str, Any]:
        words = (
            *attack_words(),
            (r"(?:s|strength)\s?(\d{1,3})", put("strength")),
            (r"ap\s?(-?\d{1,2})", put("ap", lambda number: -abs(int(number)))),
            (r"ap\s?-", put("ap", lambda _: 0, 0)),
            # D6 and 2D6 are dice to every player; D1 to D5 are a Damage of that much, as datasheets print it
            (r"(D6(?:\+\d)?|\d{1,2}D[36](?:\+\d)?)", attacks_first),
            (rf"(?:d|damage)\s?({DICE})", put("damage", dice)),
            (rf"({DICE})", attacks_first),
            (r"(bs|ws)\s?(\d{1,2})\+", skill),
            (r"(\d{1,2})\+", put("skill")),
            (r"(\d{1,3})(?:\"|''| inches| range)", ranged),
            *ability_words(known),
        )
        fields = scan(text, words, WEAPON, buffs=True)
        if RANGED & {re.sub(r" (?:\d|D).*", "", ability) for ability in fields.get("abilities", ())}:
            fields.setdefault("kind", "ranged")
        hits_anyway = "Torrent" in fields.get("abilities", [])
        needed = {name: what for name, what in PARTS.items() if name != "skill" or not hits_anyway}
        return complete(fields, text, WEAPON, needed)

    return quick_weapon


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
        (r"(transhuman)(?: physiology)?", put("unmodified_wound_fails_up_to", lambda _: 3)),
        *target_words("wounds", "w|wounds", FLAGS),
    )
    fields = {"wounds": 1} | scan(text, words, TARGET, buffs=True)
    if "toughness" not in fields:
        raise BadInputError(f"quick: no toughness in {text!r} (write something like {TARGET!r})")
    return fields


def probe_weapon(pierce: int, damage: int | str) -> dict[str, Any]:
    """One attack of that AP and Damage.

    >>> probe_weapon(2, "D3")
    {'attacks': 1, 'skill': 2, 'strength': 1, 'ap': -2, 'damage': 'D3'}
    """
    return {"attacks": 1, "skill": 2, "strength": 1, "ap": -pierce, "damage": damage}
