"""`Roster`: an army list as a value, whatever file it came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from mathhammer.dataclass import dataclass
from mathhammer.units.unit import Unit
from mathhammer.views import view

if TYPE_CHECKING:
    from pandas import DataFrame

BlockKind = Literal["regiment", "auxiliary", "renown", "terrain", "manifestation", "detachment", "allied"]
BLOCK_KINDS: tuple[BlockKind, ...] = (
    "regiment",
    "auxiliary",
    "renown",
    "terrain",
    "manifestation",
    "detachment",
    "allied",
)


@dataclass(frozen=True, slots=True)
class Item:
    """Something carried: a weapon or other wargear, and how many of it."""

    name: str
    number: int = 1

    def __str__(self) -> str:
        return self.name if self.number == 1 else f"{self.number}x {self.name}"


@dataclass(frozen=True, slots=True)
class Kind:
    """Models of one kind in a unit, with what all of them together carry."""

    name: str
    number: int
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Extra:
    """What is not a unit but may cost points: an enhancement, a lore, a formation; `kind` where the
    list says it.
    """

    name: str
    points: int | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Standard:
    """What the datasheets say of a unit of that name: its smallest size, its points then, its faction."""

    models: int
    points: int | None = None
    faction: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One unit of a list as the list gives it; `unit` is the fighting unit where its profile is known.

    `models` is None where the list does not say; `bundle` names the Regiment of Renown it came with;
    `standard` is what a list may be held against, where the datasheets have a unit of that very name.
    """

    name: str
    points: int | None = None
    models: int | None = None
    kinds: tuple[Kind, ...] = ()
    items: tuple[Item, ...] = ()
    enhancements: tuple[Extra, ...] = ()
    general: bool = False
    reinforced: bool = False
    keywords: tuple[str, ...] = ()
    role: str = ""
    leads: str = ""
    bundle: str = ""
    details: tuple[tuple[str, Any], ...] = ()
    unit: Unit | None = None
    standard: Standard | None = field(default=None, compare=False)
    told: bool = field(default=True, compare=False)  # the list tells its models from what they carry
    flat: bool = field(default=False, compare=False)  # its indentation, which would tell them, is lost
    line: int | None = field(default=None, compare=False)
    id: str = field(default="", compare=False)  # of the selection, where the file has one

    def carried(self) -> dict[str, int]:
        """Everything the unit carries, counted by name."""
        counts: dict[str, int] = {}
        for item in (*self.items, *(item for kind in self.kinds for item in kind.items)):
            counts[item.name] = counts.get(item.name, 0) + item.number
        return counts

    @property
    def own_points(self) -> int | None:
        """Its points without those of its enhancements, where the list gives both."""
        if self.points is None:
            return None
        return self.points - sum(extra.points or 0 for extra in self.enhancements)

    @property
    def size(self) -> int | None:
        """How many models: as the list says, else as the profile says."""
        if self.models is None and self.unit is not None:
            return self.unit.models
        return self.models


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a list: a regiment, the auxiliaries, a Regiment of Renown with its price,
    or a heading of a 40k list.
    """

    name: str
    kind: BlockKind
    entries: tuple[Entry, ...] = ()
    points: int | None = None
    cards: tuple[Any, ...] = ()  # command cards of Diskwars


@dataclass(frozen=True, slots=True)
class Missing:
    """A name for which there is no profile, and the nearest known one."""

    name: str
    unit: str = ""  # for wargear: the unit that carries it
    suggestion: str = ""

    def __str__(self) -> str:
        near = f" (did you mean {self.suggestion!r}?)" if self.suggestion else ""
        return f"{self.unit}: no weapon {self.name!r}{near}" if self.unit else f"no unit {self.name!r}{near}"


@dataclass(frozen=True, slots=True, repr=False)
class Roster:
    """An army list: what it says, what it adds up to, and what could not be read or found.

    >>> army = Roster("aos4", blocks=(Block("Regiment 1", "regiment", (Entry("Rats", 150),
    ...     Entry("Rat Boss", 100))),), declared=260)
    >>> army.points, army.difference, [entry.name for entry in army.entries]
    (250, 10, ['Rats', 'Rat Boss'])
    >>> army
    Roster(list, aos4: 2 units, 2 without a profile, 250 points)
    """

    system: str
    name: str = ""
    faction: str = ""
    formation: str = ""  # battle formation, or detachment in 40k
    battlepack: str = ""  # or the battle size in 40k
    army_of_renown: bool = False
    declared: int | None = None
    limit: int | None = None
    blocks: tuple[Block, ...] = ()
    lores: tuple[Extra, ...] = ()
    extras: tuple[Extra, ...] = ()
    drops: int | None = None
    unpriced: int = 0  # points inside the file that belong to nothing listed above
    warnings: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()
    format: str = field(default="", compare=False)
    source: str = field(default="", compare=False)

    def __repr__(self) -> str:
        name = self.name or self.faction or "list"
        known = len(self.units)
        unknown = "" if known == len(self.entries) else f", {len(self.entries) - known} without a profile"
        units = f"{len(self.entries)} {'unit' if len(self.entries) == 1 else 'units'}"
        return f"Roster({name}, {self.system}: {units}{unknown}, {self.points} points)"

    def _repr_html_(self) -> str:
        """How a notebook shows it: its units with their sizes and points."""
        from mathhammer.dice.card import rows_card  # only where something is shown

        rows: list[tuple[object, ...]] = [("Unit", "Models", "Points")]
        rows += [
            (
                entry.name,
                "?" if entry.size is None else entry.size,
                "" if entry.points is None else entry.points,
            )
            for entry in self.entries
        ]
        return rows_card(self.name or self.faction or "list", [repr(self)], rows)

    def to_frame(self) -> DataFrame:
        """A pandas frame of its units: block, name, models, points, general, leads, known.

        >>> army = Roster("aos4", blocks=(Block("One", "regiment", (Entry("Rats", 150),)),))
        >>> army.to_frame()["name"].tolist()
        ['Rats']
        """
        frame: DataFrame = view("roster_frame", self)
        return frame

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every unit of the list, without manifestations."""
        return tuple(
            entry for block in self.blocks if block.kind != "manifestation" for entry in block.entries
        )

    @property
    def units(self) -> tuple[Unit, ...]:
        """The fighting units: those whose profile is in the list or in the datasheets."""
        return tuple(entry.unit for entry in self.entries if entry.unit is not None)

    @property
    def points(self) -> int:
        """All points that the list shows, added up."""
        return sum(self._prices()) + self.unpriced

    @property
    def priced(self) -> int:
        """How many lines of the list are units or bundles with a price."""
        bundles = sum(block.points is not None for block in self.blocks)
        return bundles + sum(entry.points is not None for entry in self.entries)

    @property
    def models(self) -> int | None:
        """All models, terrain aside, or None when the size of a unit is not known."""
        sizes = [
            entry.size
            for block in self.blocks
            if block.kind not in ("terrain", "manifestation")
            for entry in block.entries
        ]
        return None if any(size is None for size in sizes) else sum(size or 0 for size in sizes)

    @property
    def difference(self) -> int:
        """Declared points minus counted points; 0 when nothing is declared."""
        return 0 if self.declared is None else self.declared - self.points

    def _prices(self) -> Iterator[int]:
        for block in self.blocks:
            yield block.points or 0
            for entry in block.entries:
                yield entry.points or 0
        for extra in (*self.lores, *self.extras):
            yield extra.points or 0
