"""Numbers, dice, bands of a roll, and the names of rolls and characteristics."""

from __future__ import annotations

import re

NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12}
# Pieces of patterns, by the name they have between < and > in a production.
DICE = r"(?:\d{0,2}D[36](?: ?\+ ?\d{1,2}| ?x ?\d)?|\d{1,2}|an?|one|two|three|four|five|six)"
BAND = r"(?:\d{1,2}\+|\d{1,2} ?- ?\d{1,2}|\d{1,2} or (?:more|higher)|\d{1,2})"
ROLLS = {
    "hit": "hit",
    "wound": "wound",
    "save": "save",
    "saving": "save",
    "armour save": "save",
    "armour saving": "save",
    "ward": "ward",
    "charge": "charge",
    "run": "run",
    "advance": "advance",
    "casting": "cast",
    "unbinding": "unbind",
    "chanting": "chant",
    "banishment": "banish",
    "battle-shock": "battleshock",
    "leadership": "battleshock",
    "hazardous": "hazardous",
    "hazard": "hazardous",
    "desperate escape": "escape",
    "damage": "damage",
    "invulnerable save": "invuln",
}
STATS = {
    "attacks": "attacks",
    "attack": "attacks",
    "damage": "damage",
    "strength": "strength",
    "armour penetration": "ap",
    "ap": "ap",
    "ballistic skill": "skill",
    "weapon skill": "skill",
    "hit": "hit",
    "to hit": "hit",
    "wound": "wound",
    "rend": "rend",
    "save": "save",
    "toughness": "toughness",
    "wounds": "health",
    "health": "health",
    "move": "move",
    "movement": "move",
    "control": "control",
    "objective control": "control",
    "leadership": "leadership",
    "range": "range",
}
LOW_IS_GOOD = ("skill", "save", "leadership", "ap", "hit", "wound")
WEAPON_STATS = ("attacks", "damage", "strength", "ap", "skill", "hit", "wound", "rend", "range")
_BAND = re.compile(r"(\d{1,2})(?: ?(\+|-|or more|or higher) ?(\d{1,2})?)?")
_AND = re.compile(r",? and (?:the )?|, (?:the )?")


def number(text: str) -> int | None:
    """A number in digits or as a word; None if it is neither.

    >>> number("3"), number("two"), number("many")
    (3, 2, None)
    """
    text = text.strip().lower()
    return int(text) if text.isdigit() else NUMBERS.get(text)


def dice(text: str) -> str:
    """Dice text as datasheets write it.

    >>> dice("one"), dice("D3 + 3"), dice("2d6")
    ('1', 'D3+3', '2D6')
    """
    plain = text.strip().replace(" ", "").upper()
    value = NUMBERS.get(text.strip().lower())
    return str(value) if value is not None else plain


def band(text: str) -> str:
    """What a roll must show: "4+", "2-3", "6".

    >>> band("4 or more"), band("2 - 5"), band("6")
    ('4+', '2-5', '6')
    """
    match = _BAND.match(text.strip())
    if match is None:
        return text.strip()
    if match[2] == "-":
        return f"{match[1]}-{match[3]}"
    return f"{match[1]}+" if match[2] else match[1]


def names(text: str, known: dict[str, str]) -> tuple[str, ...] | None:
    """Several names of one table, joined by commas and "and"; None where one is not in it.

    >>> names("Strength and Armour Penetration", STATS)
    ('strength', 'ap')
    """
    found = tuple(known.get(part.strip().lower(), "") for part in _AND.split(text.strip()) if part.strip())
    return found if found and all(found) else None


def signed(value: int) -> str:
    """A change as datasheets write it.

    >>> signed(2), signed(-1)
    ('+2', '-1')
    """
    return f"+{value}" if value >= 0 else str(value)
