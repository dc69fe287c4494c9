"""`Turns`: how a game's turn runs between two units, as data for duels: who is in combat, who charges, who
strikes first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from mathhammer.dice.pmf import Pmf
from mathhammer.units.unit import Unit

FIRST, NORMAL, LAST = 0, 1, 2  # when a unit is picked to fight


@dataclass(frozen=True, slots=True)
class Turns:
    """The turn of a game: distances in inches, the order of fighting, and what its commands are for."""

    engaged: str  # the situation of a unit that is in combat
    reach: float  # units so near are in combat
    charge_slack: float  # a charge has arrived so far before the enemy
    # a charge is declared within this distance; None: whatever the dice can reach
    charge_within: float | None
    active_first: bool  # who is picked first to fight: the player whose turn it is, or the other
    charge_strikes_first: bool = False  # a unit that charged is picked before the others
    rank: Callable[[Unit], int] = lambda _: NORMAL
    shoot_into_combat: bool = True  # whether a unit may shoot at enemies that fight its friends
    # the chance that whoever began this round begins the next; None: nobody rolls for it
    again: float | None = None
    guards: frozenset[str] = frozenset()  # commands of the side that is attacked
    only: Mapping[str, str] = field(default_factory=dict)  # command -> the one kind of attack it is for
    outside: frozenset[str] = frozenset()  # commands that no step of a duel asks for
    clash: Callable[[Sequence[str]], str] = lambda _: ""  # why one phase cannot have all of these
    rally: Callable[[Unit], Pmf] | None = None  # points of a rally: returned models first, then healing
    rules: Mapping[str, str] = field(default_factory=dict)  # step -> what happens there, with its rule
    one_melee_weapon: bool = False  # a model strikes with one melee weapon, extra attacks aside
    # abilities of weapons that are used once in a battle: here in its first turn
    once: frozenset[str] = frozenset()
