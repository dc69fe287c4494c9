"""A duel as data: both sides with their weapons, orders and commands, and the laws of
every attack between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice.pmf import Pmf
from mathhammer.duel.commands import REROLL, SIDES
from mathhammer.duel.fighter import Fighter, Scene
from mathhammer.duel.strikes import Array, Law, Looks, healing, rallying, strike_law
from mathhammer.errors import UnknownNameError
from mathhammer.fight import make_question
from mathhammer.games.game import Attacks, Game
from mathhammer.games.turns import FIRST, Turns
from mathhammer.odds import odds

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
    known: dict[Any, Law] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def attacks(self) -> Attacks:
        """How the units of the game attack."""
        return self.system.fighting("duel")

    @cached_property
    def turns(self) -> Turns:
        """How the game's turn runs."""
        found = self.attacks.turns
        assert found is not None
        return found

    @cached_property
    def engaged_at_start(self) -> bool:
        """True when the sides begin in combat."""
        return self.distance is None or self.distance <= self.turns.reach

    @cached_property
    def _asks_round(self) -> bool:
        everyone = [fighter for side in self.fighters for fighter in side]
        return any(
            condition.subject == "round"
            for fighter in everyone
            for effect in fighter.effects()
            for condition in effect.when
        )

    @cached_property
    def changes_with_time(self) -> bool:
        """Whether an attack may be another one in another turn."""
        timed = any(use.round or use.turn for side in self.fighters for use in side[0].commands)
        return timed or self._asks_round or self.fires_once

    @cached_property
    def fires_once(self) -> bool:
        """Whether somebody has a weapon that is used once in a battle."""
        weapons = [weapon for side in self.fighters for fighter in side for weapon in fighter.armed()]
        return any(self.turns.once & set(weapon.abilities) for weapon in weapons)

    def _loaded(self, one: Fighter, scene: Scene) -> tuple[str, ...]:
        """The weapons of a unit for an attack; those that are used once only in the first
        turn in which it attacks.
        """
        names = one.weapons.get(scene.kind, ())
        if not self.fires_once or (scene.round == 1 and (scene.kind == "ranged" or scene.turn == self.first)):
            return names
        spent = {weapon.name for weapon in one.armed() if self.turns.once & set(weapon.abilities)}
        return tuple(name for name in names if name not in spent)

    def turn_name(self, at: int) -> str:
        """Whose turn it is: a or b, or the first and second turn of a round where players roll for it."""
        if self.priority == "roll":
            return ("first", "second")[at % 2]
        return self.first if at % 2 == 0 else "b" if self.first == "a" else "a"

    def commands(self, attacker: int, scene: Scene) -> tuple[str, ...]:
        """The commands of both sides that act on this attack."""
        guards, only = self.turns.guards, self.turns.only
        found = []
        for side, guarding in ((attacker, False), (1 - attacker, True)):
            for use in self.fighters[side][0].commands:
                fits = (
                    use.command != REROLL
                    and (use.command in guards) == guarding
                    and only.get(use.command, scene.kind) == scene.kind
                )
                if fits and use.when(scene.round, scene.turn, scene.kind):
                    found.append(use.command)
        return tuple(dict.fromkeys(found))

    def law(self, attacker: int, u: int, v: int, scene: Scene) -> Law | None:
        """What unit `u` of side `attacker` does to unit `v` of the other side; None when
        it has no such weapon.
        """
        one, other = self.fighters[attacker][u], self.fighters[1 - attacker][v]
        names = self._loaded(one, scene)
        if not names:
            return None
        flags = [*one.flags]
        if scene.engaged and scene.kind == "ranged":
            flags.append(self.turns.engaged)
        flags += [
            word
            for word, holds in (("charged", scene.charged), ("target_charged", scene.target_charged))
            if holds
        ]
        away = 0.0 if scene.engaged else scene.distance
        if away is not None and scene.kind == "ranged" and "half_range" in self.attacks.situations:
            near = [
                w for w in one.unit.weapons if w.name in names and w.range is not None and away <= w.range / 2
            ]
            flags += [f"half_range:{weapon.name}" for weapon in near]
        how: dict[str, Any] = {
            "weapons": names,
            "situation": tuple(dict.fromkeys(flags)),
            "distance": None if scene.kind == "melee" else away,
            "round": scene.round if self._asks_round else None,
            "commands": self.commands(attacker, scene),
            "friends": one.friends,
            "target_friends": other.friends,
            "choices": {name: choice for name, choice in one.choices.items() if name in names} or None,
            "options": self.options,
        }
        key = (
            one.unit,
            other.unit,
            attacker if one.friends or other.friends else None,
            *((name, str(value)) for name, value in how.items() if "friends" not in name),
        )
        if key not in self.known:
            armed = replace(one.unit, weapons=tuple(w for w in one.unit.weapons if w.name in names))
            looks = Looks.at((*one.effects(), *other.effects()), (armed,))
            self.known[key] = strike_law(one.states, other.states, looks, how)
        return self.known[key]

    def charge_chance(self, side: int, round: int, turn: str, distance: float) -> float:
        """The chance that a charge of this side arrives; 0 when none may be declared."""
        limit = self.turns.charge_within
        if limit is not None and distance > limit:
            return 0.0
        return float(self._charges(side, round, turn)[self.needed(distance)])

    def needed(self, distance: float) -> int:
        """The total of 2D6 that a charge needs; 13 when the dice cannot reach."""
        return min(13, max(0, ceil(round(distance - self.turns.charge_slack, 6))))

    def _charges(self, side: int, round: int, turn: str) -> NDArray[np.float64]:
        again = any(
            use.command == REROLL and use.when(round, turn, None) for use in self.fighters[side][0].commands
        )
        return self.charge_table(again)

    def charge_table(self, again: bool) -> NDArray[np.float64]:
        """The chance of a charge for every needed total from 0 to 13."""
        return np.array(
            [
                odds(self.system.key, "charge", needed=needed, reroll=again)["p_success"]
                for needed in range(14)
            ]
        )

    def rank(self, side: int, u: int, charged: bool) -> int:
        """When a unit is picked to fight."""
        return (
            FIRST
            if charged and self.turns.charge_strikes_first
            else self.turns.rank(self.fighters[side][u].unit)
        )

    def own(self, side: int, u: int, engaged: bool) -> Array | None:
        """What a unit does for itself at the start of its own turn: Rally while it is free, then healing."""
        one = self.fighters[side][u]
        step: Array | None = None
        if one.rallies and not engaged and self.turns.rally is not None:
            step = rallying(one.states, self.turns.rally(one.unit))
        if one.heals is not None:
            healed = healing(one.states, one.heals)
            step = healed if step is None else step @ healed
        return step

    def flees(self, side: int, u: int) -> Array | None:
        """Battleshock: the chance that so many models flee, [slain this turn, models left, fled]; None where
        nobody tests.
        """
        unit = self.fighters[side][u].unit
        if self.attacks.aftermath is None or unit.stat("bravery") is None:
            return None
        law = np.zeros((unit.models + 1, unit.models + 1, unit.models + 1))
        law[:, :, 0] = 1.0
        foe = self.fighters[1 - side][0].unit
        flags = tuple(flag for flag in self.fighters[1 - side][0].flags if flag.startswith("target_"))
        asked = make_question(foe, unit, situation=flags, options=self.options)
        each = int(unit.groups[0].stat(unit.wounds))
        for slain in range(1, unit.models):
            for left in range(1, unit.models - slain + 1):
                before = replace(asked, target=unit.with_lost((unit.models - slain - left) * each))
                fled = self.attacks.aftermath(before, Pmf.constant(slain))["fled"].probs
                law[slain, left, : len(fled)] = fled
        return law

    def distances(self) -> list[tuple[float, float]]:
        """The distance in each round while nobody has charged: in the turn of whoever begins, then of the
        other.

        Units approach by their Move at the start of their own turn and stop short of combat (or where they
        shoot from).
        """
        if self.distance is None or self.engaged_at_start:
            return [(0.0, 0.0)] * self.rounds
        away = self.distance
        found = []
        for _ in range(self.rounds):
            seen = []
            for turn in (self.first, "b" if self.first == "a" else "a"):
                away -= self.step(SIDES.index(turn), 0, away)
                seen.append(away)
            found.append((seen[0], seen[1]))
        return found

    def step(self, side: int, u: int, away: float) -> float:
        """How far a unit moves towards an enemy at that distance."""
        one = self.fighters[side][u]
        return max(0.0, min(self.move(side, u), away - self.halt(side, u))) if one.approaches else 0.0

    def halt(self, side: int, u: int) -> float:
        """The distance at which a unit stops: a hair outside of combat, or its longest
        range if it never strikes.
        """
        one = self.fighters[side][u]
        ranges = [float(w.range or 0) for w in one.unit.weapons if w.name in one.weapons.get("ranged", ())]
        near = float(int(self.turns.reach) + 1)
        return max(near, *ranges) if ranges and not (one.melee and one.charges) else near

    def move(self, side: int, u: int) -> float:
        """A unit's Move in inches; the mean, rounded down, where it is rolled."""
        given = self.fighters[side][u].unit.stat("move")
        return 0.0 if given is None else float(int(given.pmf().mean()))


def side_index(where: str, side: str) -> int:
    """0 for a, 1 for b.

    >>> side_index("first", "b")
    1
    """
    if side not in SIDES:
        raise UnknownNameError("duel", where, str(side), SIDES)
    return SIDES.index(side)


def label(sides: Sequence[Sequence[Fighter]]) -> tuple[str, str]:
    """What the two sides are called; told apart when both have one name."""
    names = [fighters[0].unit.name if len(fighters) == 1 else f"{len(fighters)} units" for fighters in sides]
    return (f"{names[0]} (a)", f"{names[1]} (b)") if names[0] == names[1] else (names[0], names[1])
