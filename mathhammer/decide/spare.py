"""Attackers of a plan that hardly add anything: a player keeps them for something else."""

from __future__ import annotations

from collections.abc import Sequence
from math import expm1

from mathhammer.decide.columns import Column, Goal, Option, column_of
from mathhammer.units.unit import Unit

LITTLE = 0.001  # of what the plan is worth, for all of them together


def spare_of(chosen: Sequence[Column], targets: Sequence[Unit], goals: Sequence[Goal | None]) -> list[Option]:
    """Those without which the plan loses least, as long as it is little for all of them together."""
    now = {column.target: column for column in chosen}
    least = sum(column.value for column in chosen)
    chance = any(goal is not None and goal.kind == "chance" for goal in goals)
    room = LITTLE if chance else LITTLE * least
    spare: list[Option] = []
    while True:
        best: tuple[float, Column, Option] | None = None
        for place, column in now.items():
            goal = goals[place]
            if goal is None or len(column.options) < 2:
                continue
            for option in column.options:
                fewer = tuple(one for one in column.options if one is not option)
                without = column_of(place, targets[place], fewer, goal)
                loss = column.value - without.value
                loss = -expm1(-loss) if chance else loss
                if best is None or loss < best[0]:
                    best = (loss, without, option)
        if best is None or best[0] > room:
            return spare
        room -= best[0]
        now[best[1].target] = best[1]
        spare.append(best[2])
