"""One way to load an army list: read it, look up its profiles, join leaders, name it, say what is missing."""

from __future__ import annotations

from pathlib import Path

from mathhammer.dataclass import dataclass
from mathhammer.lists.army import Army, army_of
from mathhammer.lists.attached import fighting_units
from mathhammer.lists.coverage import Coverage, coverage_of
from mathhammer.lists.readers import read_roster, read_rosters
from mathhammer.units.roster import Roster
from mathhammer.units.unit import Unit


@dataclass(frozen=True, slots=True)
class LoadedList:
    """A list with the units that fight for it: leaders are joined to the units they lead."""

    roster: Roster
    units: tuple[Unit, ...]

    @property
    def name(self) -> str:
        """What the list is called."""
        return list_name(self.roster)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What does not add up, and what has no profile."""
        wargear = [one for one in self.roster.missing if one.unit and not one.suggestion]
        others = [f"missing: {one}" for one in self.roster.missing if one not in wargear]
        names = ", ".join(dict.fromkeys(f"{one.name} ({one.unit})" for one in wargear))
        noted = (
            [f"missing: no profile of a weapon {names}; wargear that is none needs none"] if wargear else []
        )
        return (*self.roster.warnings, *others, *noted)

    @property
    def coverage(self) -> Coverage:
        """How much of it is known."""
        return coverage_of(self.roster)

    def army(self, *, auras: bool = True) -> Army:
        """The units as an army; an error where none has a profile."""
        return army_of(self.units, self.name, auras=auras)


def list_name(roster: Roster) -> str:
    """What a list is called: its own name, else its faction, else its file.

    >>> list_name(Roster("aos4", faction="Skaven")), list_name(Roster("aos4", source="lists/rats.rosz"))
    ('Skaven', 'rats')
    """
    return roster.name or roster.faction or Path(roster.source).stem or "list"


def load_list(given: str | bytes | Path, *, datasheets: str | Path | None = None) -> LoadedList:
    """The list in a file, a pasted text or bytes; where there are several, the first, and a remark says so.

    >>> rats = load_list('system = "aos4"\\n[[regiment]]\\n[[regiment.unit]]\\nname = "Clanrat"\\n')
    >>> rats.name, len(rats.units), rats.remarks
    ('list', 1, ('Clanrat: taken as Clanrats',))
    """
    return loaded(read_roster(given, datasheets=datasheets))


def load_lists(given: str | bytes | Path, *, datasheets: str | Path | None = None) -> tuple[LoadedList, ...]:
    """Every list of a file, a pasted text or bytes.

    >>> [one.name for one in load_lists('system = "aos4"\\nname = "Rats"\\n[[regiment]]\\n')]
    ['Rats']
    """
    return tuple(loaded(roster) for roster in read_rosters(given, datasheets=datasheets))


def loaded(roster: Roster) -> LoadedList:
    """A list that was read, ready to fight.

    >>> loaded(Roster("aos4", name="Rats")).units
    ()
    """
    return LoadedList(roster, fighting_units(roster))
