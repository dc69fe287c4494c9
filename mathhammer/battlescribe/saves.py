"""Invulnerable saves and Feel No Pain, which 40k catalogues keep in the names and texts of abilities."""

from __future__ import annotations

import re

from mathhammer.dataclass import dataclass
from mathhammer.text import fold

_VALUE = re.compile(r"([2-6])\+")
_TITLE = re.compile(r"invul?nerable save", re.IGNORECASE)
_AGAINST = re.compile(r"\b(ranged|melee) attack", re.IGNORECASE)
_CARRIED = re.compile(
    r"(?:the bearer|this model) has an? [2-6]\+ invulnerable save(?: against (?:ranged|melee) attacks)?"
    r"(?: only)?\.?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Defence:
    """A value against all attacks, or against one kind of them; `conditional` when only
    the text says when it holds.
    """

    value: int | None = None
    ranged: int | None = None
    melee: int | None = None
    conditional: bool = False


def invulnerable(name: str, description: str) -> Defence | None:
    """The invulnerable save that an ability gives; None when it is about something else.

    >>> (invulnerable("Invulnerable Save (4+)", "").value,
    ...  invulnerable("Invulnerable Save (5+*)", "The statue has a 5+ invulnerable save.").value)
    (4, 5)
    >>> invulnerable("INVULNERABLE SAVE", "has a 5+ invulnerable save against ranged attacks").ranged
    5
    >>> invulnerable("Invulnerable Save", "It has a 6+ invulnerable save, and 4+ against melee attacks.")
    Defence(value=6, ranged=None, melee=4, conditional=False)
    """
    title, text = fold(name), fold(description)
    if not _TITLE.match(title):
        return None
    read = _read(text)
    if read is not None:
        return read
    found = _VALUE.search(title)
    if found is None or "+*" in title.replace(" ", ""):
        return Defence(conditional=True)
    return Defence(int(found[1]))


def _read(text: str) -> Defence | None:
    """The values of a text, each with the attacks that are named behind it; None where it has none."""
    found = list(_VALUE.finditer(text))
    if not found:
        return None
    ends = [*(match.start() for match in found[1:]), len(text)]
    values: dict[str, int] = {}
    for match, end in zip(found, ends, strict=True):
        limited = _AGAINST.search(text, match.end(), end)
        values.setdefault(limited[1].lower() if limited else "", int(match[1]))
    everywhere = values.get("")
    if everywhere is not None and everywhere in (values.get("ranged"), values.get("melee")):
        everywhere = None  # the bare value is only told again, with its limit
    return Defence(everywhere, values.get("ranged"), values.get("melee"))


def carried_save(description: str) -> Defence | None:
    """The invulnerable save that a shield or the like gives whoever carries it; None where the text says
    something else.

    >>> carried_save("The bearer has a 3+ invulnerable save.").value
    3
    >>> carried_save("While this model is leading a unit, models in that unit have a 2+ invulnerable save.")
    """
    text = fold(description)
    return _read(text) if _CARRIED.fullmatch(text) else None


_COLUMN = re.compile(r"([2-6])\+?\s*(\*)?\s*(?:\((ranged|melee)\))?", re.IGNORECASE)


def column_save(text: str) -> Defence | None:
    """The invulnerable save of a column of its own; None where it is empty. A star points to a text.

    >>> column_save("4+").value, column_save("5+ (Ranged)").ranged, column_save("5+*").conditional
    (4, 5, True)
    """
    found = _COLUMN.fullmatch(fold(text).strip())
    if found is None:
        return None
    if found[2]:
        return Defence(conditional=True)
    value, kind = int(found[1]), (found[3] or "").lower()
    if not kind:
        return Defence(value)
    return Defence(ranged=value) if kind == "ranged" else Defence(melee=value)


def feel_no_pain(name: str) -> Defence | None:
    """The Feel No Pain that the name of a rule gives; without a value it depends on a text.

    >>> (feel_no_pain("Feel No Pain 5+").value, feel_no_pain("Feel No Pain").conditional,
    ...  feel_no_pain("Stealth"))
    (5, True, None)
    """
    title = fold(name).lower()
    if not title.startswith("feel no pain"):
        return None
    match = _VALUE.search(title)
    return Defence(int(match[1])) if match else Defence(conditional=True)
