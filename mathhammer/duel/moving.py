"""Where the sides stand in a duel, how far they move, and whether a charge arrives."""

from __future__ import annotations

from dataclasses import field
from math import inf, nextafter
from typing import Any

import numpy as np

from mathhammer.checks import MOST_INCHES
from mathhammer.dataclass import dataclass
from mathhammer.duel.commands import REROLL, SIDES
from mathhammer.duel.setup import Setup
from mathhammer.duel.states import Array
from mathhammer.games.turns import OUT_OF_REACH, Charge, Move
from mathhammer.odds import odds


@dataclass(slots=True)
class Line:
    """The places of two units on a line while they are apart: a comes from 0, b from the other end."""

    places: list[float]
    still: list[bool] = field(default_factory=lambda: [True, True])  # who has not moved in this turn

    @staticmethod
    def start(setup: Setup) -> Line:
        """Where the units stand when the duel begins."""
        return Line([0.0, setup.distance or 0.0])

    @property
    def away(self) -> float:
        """The inches between them."""
        return abs(self.places[0] - self.places[1])

    def move(self, setup: Setup, side: int) -> None:
        """A unit moves towards the enemy."""
        step = max(0.0, min(move_of(setup, side, 0), self.away - halt_of(setup, side, 0)))
        self.still[side] = step == 0.0
        self.places[side] += step if side == 0 else -step


def move_of(setup: Setup, side: int, u: int) -> float:
    """How far a unit moves in its turn: its Move in inches; the mean, rounded down, where it is rolled."""
    one = setup.fighters[side][u]
    given = one.unit.stat("move") if one.approaches else None
    return 0.0 if given is None else float(int(given.pmf().mean()))


def halt_of(setup: Setup, side: int, u: int) -> float:
    """The distance at which a unit stops: outside of combat, or its longest range if it never strikes."""
    one, move = setup.fighters[side][u], setup.turns.step(Move)
    near = 0.0 if move is None else move.halt
    ranges = [float(weapon.range or 0) for weapon in one.shooting()]
    return max(near, *ranges) if ranges and not (one.melee and one.charges) else near


def first_charge_distance(setup: Setup) -> float | None:
    """The inches that the first charge of a duel has to cover; None where no charge is rolled at first."""
    line = Line.start(setup)
    if setup.engaged_at_start:
        return None
    for step in setup.turns.steps:
        if isinstance(step, Charge):
            return line.away
        if isinstance(step, Move):
            line.move(setup, SIDES.index(setup.first))
    return None


def charge_chance(setup: Setup, side: int, round: int, turn: str, distance: float) -> float:
    """The chance that a charge of this side arrives; 0 when none may be declared."""
    charge = setup.turns.step(Charge)
    if charge is None:
        return 0.0
    again = rerolls_charge(setup, side, round, turn)
    return float(charge_chances(setup, again, charge_modifier(setup, side))[charge.needs(distance)])


def rerolls_charge(setup: Setup, side: int, round: int, turn: str) -> bool:
    """Whether a side rolls a failed charge again in this turn: by a command, or by a rule of its unit."""
    one = setup.fighters[side][0]
    ruled = any(word in ("failed", "any") for word in one.always("reroll_charge"))
    return ruled or any(use.command == REROLL and use.when(round, turn, None) for use in one.commands)


def charge_modifier(setup: Setup, side: int) -> int:
    """What rules of a side's unit add to its charge rolls."""
    return sum(setup.fighters[side][0].always("charge_roll"))


def charge_chances(setup: Setup, reroll: bool, modifier: int = 0) -> Array:
    """The chance of a charge for every needed total from 0 to `OUT_OF_REACH`; that one is never rolled."""
    how: dict[str, Any] = {"reroll": reroll, "modifier": modifier}
    wanted = setup.all_options.get("charge_reroll")
    if wanted is not None:
        how["reroll_dice"] = wanted
    chances = [odds(setup.system.key, "charge", needed=n, **how)["p_success"] for n in range(OUT_OF_REACH)]
    return np.array([*chances, 0.0])


def charge_reaches(charge: Charge) -> Array:
    """For every total below `OUT_OF_REACH` the largest distance at which a charge needs no more than that."""
    return np.array([_largest(charge, total) for total in range(OUT_OF_REACH)])


def _largest(charge: Charge, total: int) -> float:
    """The largest number of inches that this total covers, to the last bit; -1: it covers none."""
    reached, beyond = -1.0, MOST_INCHES + 1.0
    while nextafter(reached, inf) < beyond:
        middle = (reached + beyond) / 2
        reached, beyond = (middle, beyond) if charge.needs(middle) <= total else (reached, middle)
    return reached
