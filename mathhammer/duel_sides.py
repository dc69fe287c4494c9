"""What a side brings to a duel: its unit with weapons and orders, its commands, and the scenes of its attacks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from mathhammer.duel_laws import States
from mathhammer.effects import Effect
from mathhammer.errors import BadInputError
from mathhammer.pmf import Pmf
from mathhammer.units import Unit, Weapon

SIDES = ("a", "b")
REROLL = "reroll_charge"  # a command of every game that has charges
_USE = re.compile(r"([a-z_]{1,40})(?:@(\d{1,3})?([ab])?(?:-(melee|ranged))?)?")


@dataclass(frozen=True, slots=True)
class Use:
    """A command in use: always, or only in a round, in a side's turn, with a kind of attack.

    >>> Use.read("a", "all_out_attack@1b-melee")
    Use(command='all_out_attack', round=1, turn='b', kind='melee')
    """

    command: str
    round: int | None = None
    turn: str | None = None
    kind: str | None = None

    @staticmethod
    def read(side: str, text: str) -> Use:
        """A use from its text: `all_out_attack`, `all_out_attack@2`, `all_out_defence@1b-melee`."""
        found = _USE.fullmatch(str(text).strip())
        if found is None:
            raise BadInputError(f"duel: {side}: cannot read {text!r:.60} (write a command, or command@round, such as all_out_attack@1)")
        return Use(found[1], int(found[2]) if found[2] else None, found[3], found[4])

    def when(self, round: int, turn: str, kind: str | None) -> bool:
        """True when it is in use then."""
        return self.round in (None, round) and self.turn in (None, turn) and (kind is None or self.kind in (None, kind))

    def __str__(self) -> str:
        when = f"@{self.round or ''}{self.turn or ''}" if self.round or self.turn or self.kind else ""
        return self.command + when + (f"-{self.kind}" if self.kind else "")


@dataclass(frozen=True, slots=True)
class Fighter:
    """A unit in a duel: its weapons of each kind, and all that its side decides."""

    states: States
    lost: int = 0
    weapons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    charged: bool = False  # counts as having charged in its first turn
    friends: tuple[Unit, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    commands: tuple[Use, ...] = ()
    charges: bool = True
    approaches: bool = False
    rallies: bool = False
    heals: Pmf | None = None

    @property
    def unit(self) -> Unit:
        """The unit at full strength."""
        return self.states.unit

    @property
    def melee(self) -> bool:
        """True when it has something to strike with."""
        return bool(self.weapons.get("melee"))

    def armed(self) -> tuple[Weapon, ...]:
        """The weapons that it uses at all."""
        return tuple(weapon for weapon in self.unit.weapons if any(weapon.name in names for names in self.weapons.values()))

    def effects(self) -> tuple[Effect, ...]:
        """Every rule that may act on its attacks or on attacks against it."""
        own = tuple(effect for effect in self.unit.effects if effect.on != "friends")
        return own + tuple(effect for friend in self.friends for effect in friend.effects if effect.on == "friends")

    def reaches(self) -> list[float]:
        """Distances at which its shooting changes: ranges, half ranges, and what its rules ask for."""
        ranged = [weapon for weapon in self.unit.weapons if weapon.name in self.weapons.get("ranged", ())]
        far = [float(weapon.range) for weapon in ranged if weapon.range is not None]
        asked = [float(condition.value) for effect in self.unit.effects for condition in effect.when if condition.subject == "distance"]
        return [*far, *(value / 2 for value in far), *asked, 12.0]


@dataclass(frozen=True, slots=True)
class Scene:
    """The circumstances of one attack."""

    kind: str
    round: int
    turn: str
    engaged: bool
    charged: bool = False
    target_charged: bool = False
    distance: float | None = None
