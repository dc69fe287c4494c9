"""One bullet of a list: what it says, and what stands below it."""

from __future__ import annotations

from dataclasses import field

from mathhammer.dataclass import dataclass
from mathhammer.units.roster import Item


@dataclass(slots=True)
class Part:
    """One bullet: how deep it stands, its text, and what stands below it."""

    level: int
    text: str
    number: int = 1
    loadouts: list[tuple[int, list[Item]]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    counted: bool = False
    bullet: bool = True  # else it is the next line of the bullet above
