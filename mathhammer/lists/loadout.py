"""What a unit of a list carries, in words."""

from __future__ import annotations

from mathhammer.games.discovery import get_game
from mathhammer.units.roster import Entry


def loadout(entry: Entry, system: str) -> str:
    """What a unit is in its army and what it carries, in one line.

    >>> from mathhammer.units.roster import Item
    >>> loadout(Entry("Captain", general=True, items=(Item("Sword", 2),)), "wh40k10")
    'warlord, 2x Sword'
    """
    words = [get_game(system).general] if entry.general else []
    words += ["reinforced"] if entry.reinforced else []
    words += [f"leads {entry.leads}"] if entry.leads else []
    words += [extra.name for extra in entry.enhancements]
    carried = entry.carried()
    words += [name if number == 1 else f"{number}x {name}" for name, number in carried.items()]
    if not carried and entry.unit is not None:
        words += [weapon.label for weapon in entry.unit.weapons if not weapon.optional]
    return ", ".join(words)


def points_of(entry: Entry) -> int | None:
    """The points of a unit: as the list says, else as the datasheet says.

    >>> points_of(Entry("Captain", 80)), points_of(Entry("Captain"))
    (80, None)
    """
    return entry.points if entry.points is not None or entry.unit is None else entry.unit.points


def health_of(entry: Entry) -> int | None:
    """All wounds of a unit; None where its profile is not known.

    >>> health_of(Entry("Captain")) is None
    True
    """
    return None if entry.unit is None else entry.unit.health
