"""Invulnerable saves and Feel No Pain, which 40k catalogues keep in the names and texts of abilities."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathhammer.text import fold

_VALUE = re.compile(r"([2-6])\+")


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
    ...  invulnerable("Invulnerable Save", "This model has a 5+ ...").value)
    (4, 5)
    >>> invulnerable("INVULNERABLE SAVE", "has a 5+ invulnerable save against ranged attacks").ranged
    5
    """
    title, text = fold(name), fold(description)
    if not title.lower().startswith("invulnerable save"):
        return None
    found = _VALUE.search(title) or _VALUE.search(text)
    if found is None:
        return Defence(conditional=True)
    value = int(found[1])
    if "*" in title and "+*" in title.replace(" ", ""):
        return Defence(conditional=True)
    lower = text.lower()
    values = [int(match) for match in _VALUE.findall(text)]
    if "ranged attack" in lower and "melee attack" in lower and len(values) == 2:
        first_ranged = lower.index("ranged attack") < lower.index("melee attack")
        return Defence(ranged=values[0 if first_ranged else 1], melee=values[1 if first_ranged else 0])
    if "ranged attack" in lower:
        return Defence(ranged=value)
    if "melee attack" in lower:
        return Defence(melee=value)
    return Defence(value)


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
