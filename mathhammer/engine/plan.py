"""What a game hands to the engines: volleys of attacks, the packets at their end, and the
target they land on.
"""

from __future__ import annotations

from dataclasses import field

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain

SLAIN = "slain"  # the kind of packets that take whole models away


@dataclass(frozen=True, slots=True)
class Save:
    """A save die of models whose saves are all rolled at once: how often it shows each face, and up to which
    face it fails.
    """

    shown: tuple[float, ...]
    fails_up_to: int


@dataclass(frozen=True, slots=True)
class Packet:
    """What one lump of harm of a kind does to each model group of the target."""

    kind: str
    damage: tuple[Pmf, ...]  # points before the ward, one for each group
    through: tuple[float, ...]  # chance to get past the save
    ward: tuple[float, ...]  # chance that one point is ignored
    rank: int | None = None  # None: lands at once; else queued, lower ranks first
    tracks: tuple[int, ...] = (0,)  # preference order
    spared: tuple[Pmf, ...] | None = None  # damage instead, while a limited use is left
    # while a limited use is left: a damage roll worse than a new one is rolled again
    reroll_low: bool = False
    cap: int | None = None  # at most so many packets of this kind count
    # "note": the lowest damage roll so far is kept in the uses; "again": it is rolled again at the end
    low: str = ""
    # the chance that a packet past the save spends the limited use, one for each group; empty: it always does
    spends: tuple[float, ...] = ()
    # one for each group: all saves of a volley are rolled at once and land from the lowest die up, in an
    # order of tracks that is fixed when they are rolled; `through` is then what a single die comes to
    saves: tuple[Save, ...] = ()
    picks: tuple[int, ...] = ()  # the first of these tracks that is left comes before all others
    _hash: int | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        """Worked out once: these values are keys of every table."""
        known = self._hash
        if known is None:
            known = hash(
                (
                    self.kind,
                    self.damage,
                    self.through,
                    self.ward,
                    self.rank,
                    self.tracks,
                    self.spared,
                    self.reroll_low,
                    self.saves,
                    self.picks,
                )
            )
            object.__setattr__(self, "_hash", known)
        return known


@dataclass(frozen=True, slots=True)
class Group:
    """Models of the target that are alike; `hurt` is what the first of them has already lost."""

    name: str
    models: int
    wounds: int
    hurt: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """The target as the engines see it: groups in allocation order on one or more tracks.

    `spills` says that all damage of the action is one pool that flows from model to model.
    """

    groups: tuple[Group, ...]
    tracks: tuple[tuple[int, ...], ...] = ((0,),)
    spills: bool = False
    uses: int = 0
    characters: tuple[int, ...] = ()  # groups of Characters
    # one for each track, instead of the order that a packet gives: lower ones take packets first, and of
    # equal ones those with a wounded model
    ranks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Again:
    """One more try after the whole volley, if any token of that kind was counted: a
    re-roll picked after the batch. Of several, each follows the one before.
    """

    kind: str
    chain: Chain


@dataclass(frozen=True, slots=True)
class Volley:
    """All attacks of one weapon: how many, the chain each of them runs through, and what its packets do."""

    name: str
    attacks: Pmf
    chain: Chain
    packets: tuple[Packet, ...]
    notes: tuple[str, ...] = ()  # how the characteristics came about, for `explain`
    again: tuple[Again, ...] = ()
    apart: bool = False  # its queued packets land before the next volley begins, not after the last one
    _hash: int | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        """Worked out once: these values are keys of every table."""
        known = self._hash
        if known is None:
            known = hash((self.attacks, self.chain, self.packets, self.again))
            object.__setattr__(self, "_hash", known)
        return known


@dataclass(frozen=True, slots=True)
class Plan:
    """One action, ready for an engine: volleys in order against one target, and what was
    decided on the way.
    """

    volleys: tuple[Volley, ...]
    target: Target
    skipped: tuple[tuple[str, str], ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    own: Plan | None = None  # what the action does to the attacker itself
