"""What stands in a combat between two rolls: the pieces of both sides, the hex, and how a combat ends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from mathhammer.dataclass import dataclass
from mathhammer.games.uprising.side import DEFENCES, Side

Phase = Literal["choose", "archery", "first", "clash", "archery_after", "clash_after"]
Outcome = Literal["win", "lose", "draw", "horde", "left"]
Force = tuple[int, ...]  # the number of each kind of unit, those given up first at the front; or the strength
# UP-VP-3: whose graveyard, and what lies in it
FALLEN = (("empire", "player"), ("empire", "skeletons"), ("chaos", "player"), ("chaos", "garrison"))
GRAVEYARD_VP = 2  # UP-VP-4: for each faction represented in a graveyard


@dataclass(frozen=True, slots=True)
class Ground:
    """The hex: whether a curse was placed on it, how many defences are gone, and who lies in which graveyard
    (as bits by `FALLEN`).
    """

    cursed: bool = False
    razed: int = 0
    fallen: int = 0


UNTOUCHED = Ground()


@dataclass(frozen=True, slots=True)
class Now:
    """A combat between two rolls: what stands on each side, which once-per-combat powers are used up (as
    bits), and which die a side rolls where it may roll only one.
    """

    phase: Phase
    forces: tuple[Force, Force]
    used: tuple[int, int] = (0, 0)
    ground: Ground = UNTOUCHED
    die: str = ""

    @property
    def standing(self) -> tuple[int, int]:
        """How many pieces each side has."""
        return sum(self.forces[0]), sum(self.forces[1])


@dataclass(frozen=True, slots=True)
class Over:
    """The end of a combat for side a; `horde` where skeletons became one while the other side still stands,
    `left` where the enemy left.
    """

    outcome: Outcome
    forces: tuple[Force, Force]
    ground: Ground = UNTOUCHED

    @property
    def standing(self) -> tuple[int, int]:
        """How many pieces each side has."""
        return sum(self.forces[0]), sum(self.forces[1])


@dataclass(frozen=True, slots=True)
class Passed:
    """A combat that need not be fought: no horde was formed, so much of side a goes on."""

    force: Force
    ground: Ground = UNTOUCHED


def given_up(force: Force, number: int) -> Force:
    """What is left once so many pieces are given up, from the front (UP-CAS-2).

    >>> given_up((2, 1), 2)
    (0, 1)
    """
    left = []
    for pieces in force:
        taken = min(pieces, number)
        left.append(pieces - taken)
        number -= taken
    return tuple(left)


def ways_to_give_up(force: Force, number: int) -> Iterator[Force]:
    """All that may be left, the usual choice first (UP-CAS-1).

    >>> list(ways_to_give_up((2, 1), 1))
    [(1, 1), (2, 0)]
    """
    usual = given_up(force, number)
    left = sum(force) - number
    yield usual
    for other in product(*(range(pieces + 1) for pieces in force)):
        if sum(other) == left and other != usual:
            yield other


def without_the_best(side: Side, force: Force, number: int) -> Force:
    """What is left once the most expensive units are destroyed, or so many pieces of anything else."""
    if side.kind != "units":
        return given_up(force, number)
    left = list(force)
    for _ in range(number):
        there = [place for place, pieces in enumerate(left) if pieces]
        if there:
            left[max(there, key=lambda place: side.kinds[place][0].worth)] -= 1
    return tuple(left)


def defences(side: Side, ground: Ground) -> tuple[str, ...]:
    """The wall, tower and haven that a side still has; a curse removes all of them (UP-NEM-3)."""
    built = [name for name in DEFENCES if getattr(side, name)]
    return () if ground.cursed else tuple(built[ground.razed :])


def dice_of(side: Side, force: Force, archery: bool, badlands: bool) -> list[str]:
    """The dice of the units that are left: in archery archers, on badlands riders too (UP-TER-2)."""
    return [
        figure.die
        for (figure, _), number in zip(side.kinds, force, strict=True)
        for _ in range(number)
        if not archery or figure.archer or (badlands and figure.rider)
    ]


def fallen_bits(side: Side, enemy: Side) -> int:
    """The bit of the graveyard that the pieces of a side go to when the enemy destroys them (UP-VP-3)."""
    kind = "player" if side.faction == "player" else side.kind
    return 1 << FALLEN.index((enemy.faction, kind)) if (enemy.faction, kind) in FALLEN else 0
