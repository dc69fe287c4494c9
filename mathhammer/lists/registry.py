"""`@reader`: how a list format makes itself known."""

from __future__ import annotations

from collections.abc import Callable

from mathhammer.dataclass import dataclass
from mathhammer.lists.documents import Document
from mathhammer.units.roster import Roster


@dataclass(frozen=True, slots=True)
class Reader:
    """One list format: how to recognise it, how to read it, and which goes first where two would match."""

    name: str
    title: str
    rank: int
    matches: Callable[[Document], bool]
    read: Callable[[Document], list[Roster]]


READERS: list[Reader] = []
Read = Callable[[Document], list[Roster]]


def reader(
    name: str, title: str, *, rank: int, matches: Callable[[Document], bool]
) -> Callable[[Read], Read]:
    """Registers the decorated function as the reader of a format."""

    def register(read: Read) -> Read:
        if all(known.name != name for known in READERS):
            READERS.append(Reader(name, title, rank, matches, read))
        return read

    return register
