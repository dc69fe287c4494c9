"""What a side brings to a duel: its unit with weapons and orders, and the scenes of its attacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.duel.commands import Use
from mathhammer.duel.states import States
from mathhammer.duel.strikes import rules_in_play
from mathhammer.games.telling import judged_in_duel
from mathhammer.units.conditions import switch
from mathhammer.units.effects import Effect
from mathhammer.units.unit import Unit, Weapon


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
    uses: tuple[Use, ...] = ()  # abilities in use, and switches that are on

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
        return tuple(
            weapon
            for weapon in self.unit.weapons
            if any(weapon.name in names for names in self.weapons.values())
        )

    def usual(self, kind: str) -> tuple[str, ...]:
        """The weapons of a kind that it uses when none are named: among them it chooses for each target."""
        return tuple(w.name for w in self.unit.weapons if w.kind == kind and not w.optional)

    def shooting(self) -> tuple[Weapon, ...]:
        """The ranged weapons that it uses."""
        return tuple(w for w in self.unit.weapons if w.name in self.weapons.get("ranged", ()))

    @property
    def used(self) -> frozenset[str]:
        """Abilities that are in use at some time, and switches that are on."""
        return frozenset(switch(use.command) for use in self.uses)

    def acting(self, scene: Scene | None = None) -> Unit:
        """The unit with the abilities that are in use in a scene; without one, those in use at all times."""
        used = frozenset(
            switch(use.command)
            for use in self.uses
            if (use.when(scene.round, scene.turn, scene.kind) if scene else str(use) == use.command)
        )
        if used == self.unit.stance.used:
            return self.unit
        return replace(self.unit, stance=replace(self.unit.stance, used=used))

    def always(self, word: str, *flags: str) -> list[Any]:
        """What its own rules, and those handed to it, say with a word about every turn: those without a
        condition that a duel cannot judge, and those that are used; `flags` are known to hold.
        """
        used = self.acting().stance.used
        return [
            effect.change(word)
            for effect in self.effects()
            if effect.on in ("unit", "friends", "led")
            and effect.change(word) is not None
            and judged_in_duel(effect, flags)
            and all(condition.subject != "used" or condition.value in used for condition in effect.when)
            and (not effect.use or switch(effect.name) in used)
        ]

    def effects(self) -> tuple[Effect, ...]:
        """Every rule that may act on its attacks or on attacks against it."""
        return rules_in_play(self.unit, self.friends)


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
    still: bool = False  # the unit has not moved in this turn
    reaction: str = ""  # the command by which it attacks out of turn
