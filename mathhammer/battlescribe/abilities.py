"""Weapon abilities as catalogues write them: mark-up stripped, slips mended, then looked
up in the game's own list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from mathhammer.errors import MathhammerError
from mathhammer.games.discovery import attacks_of, family_of
from mathhammer.text import clean, fold

_BEFORE_BRACKET = re.compile(r"(\S)\(")
_LOST_BRACKET = re.compile(r"(?<!\() ?\+1 (rend|damage)\b", re.IGNORECASE)
_VALUE = re.compile(r"[ -]X\b.*")  # what an ability has behind its name
_ANTI = re.compile(r"an(?:ti|it)[- ]\s*(.+)", re.IGNORECASE)
_ANTI_SIGMAR = re.compile(r"anti-([^(]+?)(?: ?\(\+?1 rend\))?", re.IGNORECASE)
_ANTI_40K = re.compile(r"anti-(.+?) ?([2-6])\+?", re.IGNORECASE)


def tokens(text: str) -> Iterator[str]:
    """The abilities of one characteristic, each in its usual spelling.

    >>> list(tokens("Anti\\u2011**^^Hero^^**(+1 Rend), -, Charge (+1 Damage"))
    ['Anti-Hero (+1 Rend)', 'Charge (+1 Damage)']
    """
    for part in fold(text.replace("*", "").replace("^", "")).split(","):
        word = clean(part)
        if word and word not in ("-", "–"):
            yield mended(word)


def mended(word: str) -> str:
    """One ability with the slips of real catalogues put right.

    >>> mended("Twin Linked"), mended("Anit-Infantry +1 Rend)"), mended("Anti Vehicle 3+")
    ('Twin-linked', 'Anti-Infantry (+1 Rend)', 'Anti-Vehicle 3+')
    """
    word = _BEFORE_BRACKET.sub(r"\1 (", word).replace("  (", " (")
    if "(" not in word:
        word = _LOST_BRACKET.sub(r" (+1 \1", word)
    if word.count("(") > word.count(")"):
        word += ")"
    if match := _ANTI.fullmatch(word):
        word = f"Anti-{match[1]}"
    return re.sub(r"^twin[ -]linked$", "Twin-linked", word, flags=re.IGNORECASE)


@lru_cache(maxsize=8192)
def known_ability(system: str, word: str) -> str | None:
    """The ability in the spelling the game knows, or None.

    >>> (known_ability("aos4", "CRIT (Mortal)"), known_ability("aos4", "anti-monster"),
    ...  known_ability("aos4", "Wyrdflame"))
    ('Crit (Mortal)', 'Anti-MONSTER (+1 Rend)', None)
    """
    spelled = word
    if family_of(system) == "sigmar" and (match := _ANTI_SIGMAR.fullmatch(word)):  # a bare Anti-X means +1
        spelled = (
            "Anti-charge (+1 Rend)" if match[1].lower() == "charge" else f"Anti-{match[1].upper()} (+1 Rend)"
        )
    elif family_of(system) == "wh40k" and (match := _ANTI_40K.fullmatch(word)):
        spelled = f"Anti-{match[1].capitalize()} {match[2]}+"
    try:
        held = attacks_of(system).abilities.find(spelled)
    except MathhammerError:
        return None
    name = held.ability.name
    return name if spelled.lower() == name.lower() else spelled


@lru_cache(maxsize=16)
def _families(system: str) -> frozenset[str]:
    names = (ability.name for ability in attacks_of(system).abilities.known)
    return frozenset(_VALUE.sub("", name).lower() for name in names)


def is_weapon_rule(system: str, name: str) -> bool:
    """Whether a rule of a catalogue explains an ability of weapons.

    >>> [is_weapon_rule("wh40k10", name) for name in ("Melta", "Sustained Hits 2", "Anti-", "Oath")]
    [True, True, True, False]
    """
    return name.lower().rstrip("- ") in _families(system) or known_ability(system, name) is not None


def read_abilities(system: str, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The abilities the game knows, each once, and those it does not.

    >>> read_abilities("aos4", "Companion, Blood-hungry")
    (('Companion',), ('Blood-hungry',))
    """
    known: dict[str, None] = {}
    unknown: dict[str, None] = {}
    for word in tokens(text):
        ability = known_ability(system, word)
        if ability is None:
            unknown[word] = None
        else:
            known[ability] = None
    return tuple(known), tuple(unknown)
