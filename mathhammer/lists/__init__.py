"""Army lists: read what players already have, say whether it is legal, and what it does."""

from typing import TYPE_CHECKING

from mathhammer.units.findings import Finding
from mathhammer.units.roster import Block, Entry, Extra, Item, Kind, Missing, Roster
from mathhammer.views import lazily

if TYPE_CHECKING:
    from mathhammer.lists.army import army_of, army_values, lacks
    from mathhammer.lists.attached import attach, fighting_units
    from mathhammer.lists.durability import hits_to_destroy
    from mathhammer.lists.exchange import exchange_of, trade
    from mathhammer.lists.legality import check_list
    from mathhammer.lists.readers import read_roster, read_rosters

__all__ = [
    "Block",
    "Entry",
    "Extra",
    "Finding",
    "Item",
    "Kind",
    "Missing",
    "Roster",
    "army_of",
    "army_values",
    "attach",
    "check_list",
    "exchange_of",
    "fighting_units",
    "hits_to_destroy",
    "lacks",
    "read_roster",
    "read_rosters",
    "trade",
]
_HOMES = {
    "army_of": "army",
    "army_values": "army",
    "attach": "attached",
    "check_list": "legality",
    "exchange_of": "exchange",
    "fighting_units": "attached",
    "hits_to_destroy": "durability",
    "lacks": "army",
    "read_roster": "readers",
    "read_rosters": "readers",
    "trade": "exchange",
}
__getattr__, __dir__ = lazily(
    __name__, {name: f"{__name__}.{home}" for name, home in _HOMES.items()}, __all__
)
