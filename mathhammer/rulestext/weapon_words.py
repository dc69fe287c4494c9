"""Weapons in a phrase: their kind, an ability that they have, their names."""

from __future__ import annotations

import re

from mathhammer.rulestext.frame import Alts, one

_PSYCHIC = re.compile(
    r"(?:an?|the|one or more|any|with)? ?\[?(?P<what>psychic|torrent|blast|melta|heavy|assault|"
    r"pistol|rapid fire|precision|twin-linked|extra attacks|companion|indirect fire|lance)\]?(?: "
    r"weapons?| attacks?| ability)*",
    re.IGNORECASE,
)


_KIND = re.compile(
    r"(?:an?|the|its|their|one or more|any)? ?(?P<kind>melee|ranged|combat|shooting)(?: weapons?| attacks?)?",
    re.IGNORECASE,
)


def weapon_words(text: str) -> Alts | None:
    """Conditions of the weapon: its kind, or an ability that it has.

    >>> weapon_words("a Psychic weapon")
    ((Cond(word='weapon has Psychic', of='', no=False),),)
    """
    text = text.strip()
    if match := _KIND.fullmatch(text):
        return one("melee" if match["kind"].lower() in ("melee", "combat") else "ranged")
    if match := _PSYCHIC.fullmatch(text):
        return one(f"weapon has {match['what'].capitalize()}")
    if " or " in text:
        first, _, second = text.partition(" or ")
        ways = weapon_words(first), weapon_words(second)
        if ways[0] is not None and ways[1] is not None:
            return (*ways[0], *ways[1])
    if text.lower().startswith("that had the ") or text.lower().startswith("the ["):
        return weapon_words(text.removeprefix("that had ").removeprefix("the "))
    return None


_LIST = re.compile(r", (?:and |or )?| and | or ")


KINDS = {"melee": "melee", "ranged": "ranged", "combat": "melee", "shooting": "ranged"}


def weapon_names(text: str) -> tuple[str, ...] | None:
    """The names of weapons in a phrase; None where it does not look like names.

    >>> weapon_names("Claws, Teeth and Horns")
    ('Claws', 'Teeth', 'Horns')
    """
    text = text.strip()
    if not text or len(text) > 120 or _NOT_NAMES.search(text) or _ONLY_KIND.fullmatch(text):
        return None
    text = _KIND_BEHIND.sub("", text)
    parts = [part.strip() for part in _LIST.split(text) if part.strip()]
    return tuple(parts) if "," in text or " or " in text else (text,)


_KIND_BEHIND = re.compile(r" (?:melee|ranged|Companion) weapons?$", re.IGNORECASE)
_ONLY_KIND = re.compile(
    r"(?:(?:all|its|their|melee|ranged|non-\w+|companion|psychic|other|combat|shooting|that|those) "
    r")*weapons?",
    re.IGNORECASE,
)


_NOT_NAMES = re.compile(
    r"\b(?:while|they|are|is|within|wholly|if|friendly|enemy|have|has|attacks?|unit|units|model|"
    r"models|characteristics?|rolls?|abilit|target|this|that|turn|phase|by|instead|until|keyword|"
    r"army|move|points?|for|rest|with|when)\b|[\d:;]",
    re.IGNORECASE,
)
