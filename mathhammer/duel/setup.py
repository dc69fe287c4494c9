"""A duel as data: both sides with their weapons, orders and commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.duel.commands import SIDES
from mathhammer.duel.fighter import Fighter
from mathhammer.duel.strikes import Strike
from mathhammer.errors import UnknownNameError
from mathhammer.games.game import Attacks, Game
from mathhammer.games.game import Fight as Question
from mathhammer.games.turns import Turns

MOST_ROUNDS = 50


@dataclass(frozen=True)
class Setup:
    """Everything about a duel between units of two sides, checked."""

    system: Game
    fighters: tuple[tuple[Fighter, ...], tuple[Fighter, ...]]
    first: str = "a"
    rounds: int = MOST_ROUNDS
    open_end: bool = False
    distance: float | None = None
    priority: str = "fixed"
    policy: str = "nearest"
    options: Mapping[str, Any] | None = None
    side_options: tuple[Mapping[str, Any], Mapping[str, Any]] = (
        {},
        {},
    )  # of each side, besides those of both
    strikes: dict[Question, Strike] = field(default_factory=dict, repr=False, compare=False)  # known ones

    def __getstate__(self) -> dict[str, Any]:
        """Its fields alone: what follows from them is made anew where it is unpacked."""
        return {one.name: getattr(self, one.name) for one in fields(self)} | {"strikes": {}}

    @cached_property
    def attacks(self) -> Attacks:
        """How the units of the game attack."""
        return self.system.fighting("duel")

    @cached_property
    def all_options(self) -> dict[str, Any]:
        """The options of the game as they are here."""
        return {**self.attacks.options, **(self.options or {})}

    @cached_property
    def turns(self) -> Turns:
        """How the game's turn runs."""
        turns = self.attacks.turns
        assert turns is not None
        return turns

    @cached_property
    def several(self) -> bool:
        """True when a side has more than one unit."""
        return max(map(len, self.fighters)) > 1

    @cached_property
    def engaged_at_start(self) -> bool:
        """True when the sides begin in combat."""
        return self.distance is None or self.distance <= self.turns.reach

    @cached_property
    def order(self) -> tuple[str, str]:
        """The sides in the order of their turns, in round 1."""
        return (self.first, other_side(self.first))

    @cached_property
    def asks_round(self) -> bool:
        """Whether a rule or ability in play asks which round it is."""
        everyone = (*self.fighters[0], *self.fighters[1])
        effects = [effect for fighter in everyone for effect in fighter.effects()]
        asked = any(condition.subject == "round" for effect in effects for condition in effect.when)
        return asked or any("round" in self.attacks.reads(fighter.unit, effects) for fighter in everyone)

    @cached_property
    def asks_turn(self) -> bool:
        """Whether a rule in play asks whose turn it is."""
        everyone = (*self.fighters[0], *self.fighters[1])
        asked = {one.value for fighter in everyone for effect in fighter.effects() for one in effect.when}
        return bool(asked & {"my_turn", "enemy_turn"})

    @cached_property
    def fires_once(self) -> bool:
        """Whether a unit has a weapon that is used once in a battle."""
        weapons = [weapon for side in self.fighters for fighter in side for weapon in fighter.armed()]
        return any(self.attacks.abilities.carried(weapon, "once") for weapon in weapons)

    @cached_property
    def changes_with_time(self) -> bool:
        """Whether an attack may be another one in another turn."""
        fighters = [fighter for side in self.fighters for fighter in side]
        timed = any(use.round or use.turn for one in fighters for use in (*one.commands, *one.uses))
        return timed or self.asks_round or self.asks_turn or self.fires_once

    def options_of(self, attacker: int) -> Mapping[str, Any] | None:
        """The options of an attack by that side: those of both, its own, and those about its target."""
        about = self.attacks.target_options
        own = {name: value for name, value in self.side_options[attacker].items() if name not in about}
        theirs = {name: value for name, value in self.side_options[1 - attacker].items() if name in about}
        return {**(self.options or {}), **own, **theirs} or None

    def turn_name(self, at: int) -> str:
        """Whose turn it is: a or b, or the first and second turn of a round where players roll for it."""
        return (("first", "second") if self.priority == "roll" else self.order)[at % 2]

    def swapped(self) -> Setup:
        """The same duel with the other side first."""
        return replace(self, first=other_side(self.first))


def other_side(side: str) -> str:
    """The side that a side fights.

    >>> other_side("a")
    'b'
    """
    return SIDES[1 - SIDES.index(side)]


def side_index(where: str, side: str) -> int:
    """0 for a, 1 for b.

    >>> side_index("first", "b")
    1
    """
    if side not in SIDES:
        raise UnknownNameError("duel", where, str(side), SIDES)
    return SIDES.index(side)


def label(sides: Sequence[Sequence[Fighter]]) -> tuple[str, str]:
    """What the two sides are called; with their letters when both have one name."""
    names = [
        fighters[0].unit.label if len(fighters) == 1 else f"the army of {len(fighters)} units"
        for fighters in sides
    ]
    return (f"{names[0]} (a)", f"{names[1]} (b)") if names[0] == names[1] else (names[0], names[1])
