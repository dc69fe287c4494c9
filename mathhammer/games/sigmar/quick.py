"""What one-line profiles of both editions of Age of Sigmar share."""

from __future__ import annotations

from typing import Any

from mathhammer.games.one_line import DICE, Word, attack_words, attacks_first, dice, hit_then_wound, put

PARTS = {"attacks": "20x", "hit": "3+", "wound": "3+", "damage": "2"}  # what a weapon needs


def weapon_words() -> tuple[Word, ...]:
    """Attacks, rolls to hit and to wound, Rend and Damage, in the order of a warscroll."""
    return (
        *attack_words(),
        (r"(\d{1,2})\+", hit_then_wound),
        (r"(?:rend\s?)?-(\d{1,2})", put("rend")),
        (r"rend\s?(\d{1,2}|-)", put("rend", lambda text: 0 if text == "-" else int(text))),
        (r"(-)", put("rend", lambda _: 0)),
        (rf"damage\s?({DICE})", put("damage", dice)),
        # a plain number behind both rolls is the Rend where another one follows
        (rf"(0)(?=\s+{DICE}(?:[\s,;]|$))", put("rend")),
        (rf"({DICE})", attacks_first),
    )


def probe_weapon(pierce: int, damage: int | str) -> dict[str, Any]:
    """One attack of that Rend and Damage.

    >>> probe_weapon(2, "D3")
    {'attacks': 1, 'hit': 2, 'wound': 2, 'rend': 2, 'damage': 'D3'}
    """
    return {"attacks": 1, "hit": 2, "wound": 2, "rend": pierce, "damage": damage}
