"""The units of a list as they fight: leaders joined to the units they lead."""

from __future__ import annotations

from mathhammer.games.wh40k10.attach import attach
from mathhammer.units.roster import Roster
from mathhammer.units.unit import Unit


def fighting_units(roster: Roster) -> tuple[Unit, ...]:
    """The units with a profile; where the list says whom a 40k leader leads, both are one Attached unit
    (WH40K-LEADER).

    >>> from mathhammer.units.roster import Block, Entry
    >>> from mathhammer.datasheets.library import load_unit
    >>> squad, captain = load_unit("Intercessor Squad", "wh40k10"), load_unit("Captain", "wh40k10")
    >>> entries = (Entry(captain.name, leads=squad.name, unit=captain), Entry(squad.name, unit=squad))
    >>> [unit.name for unit in fighting_units(Roster("wh40k10", blocks=(Block("", "detachment", entries),)))]
    ['Intercessor Squad with Captain']
    """
    entries = [entry for entry in roster.entries if entry.unit is not None]
    units: dict[int, Unit] = {
        place: entry.unit for place, entry in enumerate(entries) if entry.unit is not None
    }
    led: set[int] = set()
    if roster.system == "wh40k10":
        for place, entry in enumerate(entries):
            guards = [
                p
                for p, e in enumerate(entries)
                if e.name == entry.leads and p != place and p not in led and p in units
            ]
            if entry.leads and guards and "CHARACTER" in units[place].keywords:
                units[guards[0]] = attach(units.pop(place), units[guards[0]])
                led.add(guards[0])
    return tuple(units.values())
