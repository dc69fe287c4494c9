"""The units of a list as they fight: leaders joined to the units they lead."""

from __future__ import annotations

from mathhammer.errors import BadInputError
from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.units.roster import Roster
from mathhammer.units.unit import Unit


def attach(leader: Unit, bodyguard: Unit) -> Unit:
    """The Attached unit of a leader and its bodyguard, in games whose leaders join units (WH40K-LEADER).

    >>> from mathhammer.datasheets.library import load_unit
    >>> attach(load_unit("Captain", "wh40k10"), load_unit("Intercessor Squad", "wh40k10")).models
    6
    """
    for unit in (leader, bodyguard):
        if not isinstance(unit, Unit):
            raise BadInputError(f"attach: {unit!r:.60} is not a unit (use load_unit or make_unit)")
    join = attacks_of(leader.system, "attach").attach
    if join is None or leader.system != bodyguard.system:
        title = get_game(leader.system).title
        raise BadInputError(
            f"attach: {leader.name} of {title} cannot join {bodyguard.name} of "
            f"{get_game(bodyguard.system).title} (leaders join units of their own game, in Warhammer 40,000)"
        )
    return join(leader, bodyguard)


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
    game = get_game(roster.system)
    if game.attacks is not None and game.attacks.attach is not None:
        for place, entry in enumerate(entries):
            named = [p for p, e in enumerate(entries) if e.name == entry.leads and p != place and p in units]
            together = [p for p in named if entry.id and entries[p].id == entry.id]
            guards = together or [p for p in named if p not in led]
            if entry.leads and guards and "CHARACTER" in units[place].keywords:
                units[guards[0]] = attach(units.pop(place), units[guards[0]])
                led.add(guards[0])
    return tuple(units.values())
