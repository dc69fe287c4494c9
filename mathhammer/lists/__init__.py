"""Army lists: read what players already have, look up what is missing, and say whether it is legal."""

from mathhammer.lists.legality import check_list
from mathhammer.lists.readers import read_roster, read_rosters
from mathhammer.units.findings import Finding
from mathhammer.units.roster import Block, Entry, Extra, Item, Kind, Missing, Roster

__all__ = [
    "Block",
    "Entry",
    "Extra",
    "Finding",
    "Item",
    "Kind",
    "Missing",
    "Roster",
    "check_list",
    "read_roster",
    "read_rosters",
]
