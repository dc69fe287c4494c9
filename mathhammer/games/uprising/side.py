"""A side of a combat: its units, levels, skeletons or threat, and what its card says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from itertools import groupby

from mathhammer.dataclass import dataclass
from mathhammer.games.uprising.pools import COLOURS
from mathhammer.games.uprising.powers import Power

DEFENCES = ("wall", "tower", "haven")  # in the order in which a power removes them
MOST_UNITS = 5  # UP-UNIT-1


@dataclass(frozen=True, slots=True)
class Figure:
    """One player unit: the colour of its die, whether it shoots or rides, whose it is and what it costs."""

    name: str
    die: str
    archer: bool = False
    rider: bool = False
    people: str = ""
    cost: int = 0  # resources; 0: not known
    number: int = MOST_UNITS  # how many of it there are

    @property
    def worth(self) -> tuple[int, int]:
        """By which the most expensive unit is told: its cost, among equals the strength of its die."""
        return self.cost, -COLOURS.index(self.die)


@dataclass(frozen=True, slots=True)
class Extra:
    """Dice that a card adds when the terrain or a condition of the hex is met."""

    when: str
    archery: tuple[str, ...] = ()
    clash: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a combat, checked. `figures` stand in the order in which they die, `rows` are by level,
    number or threat.
    """

    kind: str
    faction: str
    name: str
    strength: int  # units, levels, skeletons or threat
    figures: tuple[Figure, ...] = ()
    rows: Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=dict)
    tower: bool = False
    wall: bool = False
    haven: bool = False
    bonus: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    symbols: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # added by cards, as `bonus`
    powers: tuple[Power, ...] = ()
    policy: str = "negate_shields"  # or "god_power_first"; "best" where its owner chooses freely
    reroll: int = 0
    destroy_vp: int | None = 0  # None: not known
    hero_skulls_vp: bool = False  # points for destroying it: one for each skull of the hero's dice
    stops_shields: bool = False
    stops_bolts: bool = False
    skips_archery: bool = False
    copies_enemy_dice: bool = False
    extra: tuple[Extra, ...] = ()
    conditions: frozenset[str] = frozenset()
    initiative: int = 0

    @property
    def piece(self) -> str:
        """What the strength of this side counts."""
        return {"units": "units", "garrison": "levels", "skeletons": "skeletons", "card": "threat"}[self.kind]

    @property
    def most(self) -> int:
        """The strength that it can grow to: as far as its rows go (UP-THR-1)."""
        return max(self.strength, *self.rows) if self.rows else self.strength

    @property
    def kinds(self) -> tuple[tuple[Figure, int], ...]:
        """Its units as runs of equal ones, those given up first at the front."""
        return tuple((figure, len(list(run))) for figure, run in groupby(self.figures))

    @property
    def force(self) -> tuple[int, ...]:
        """All of it: the number of each kind of unit, or its strength."""
        return tuple(number for _, number in self.kinds) if self.kind == "units" else (self.strength,)
