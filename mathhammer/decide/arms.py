"""What every attacker of an army can do to a target by itself, and what a greedy player makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from mathhammer.dataclass import dataclass
from mathhammer.decide.blows import SURE, Blow, Member, begin, make_blow, states_of
from mathhammer.decide.columns import Column, Goal, Option, column_of
from mathhammer.decide.kill import command_tags, commanded_blows
from mathhammer.decide.reach import Reach
from mathhammer.errors import BadInputError
from mathhammer.games.weapon_choice import wanted_weapons
from mathhammer.units.unit import Unit


@dataclass(slots=True)
class Arms:
    """The parts of an army that attack one target each: units, or their ranged weapons if fire is split."""

    ours: Sequence[Member]
    split: bool
    parts: int = 0
    of: list[dict[str, int]] = field(default_factory=list)  # for each unit: weapon -> part

    def __post_init__(self) -> None:
        for member in self.ours:
            names = [w.name for w in member.unit.weapons if w.kind == "ranged" and not w.optional]
            apart = (
                self.split and len(set(names)) > 1 and wanted_weapons(member.unit, None) in ("best", "ranged")
            )
            words = list(dict.fromkeys(names)) if apart else [""]
            self.of.append({name: self.parts + n for n, name in enumerate(words)})
            self.parts += len(words)

    def options_on(
        self, target: Unit, how: Mapping[str, Any], reach: Reach, points: int, skipped: dict[str, str]
    ) -> list[Option]:
        """Everything that one attacker alone can do to a target."""
        found: list[tuple[int, frozenset[int], Blow]] = []
        for number, member in enumerate(self.ours):
            if not reach.allows(member.unit.name, target.name):
                continue
            try:
                whole = make_blow(member, target, how, where="plan")
            except BadInputError as error:
                skipped.setdefault(member.unit.label, str(error))
                continue
            blows = [whole, *(commanded_blows([whole], target, how) if points else [])]
            found += [(number, frozenset(self.of[number].values()), blow) for blow in blows]
            found += self._apart(number, target, how)
        tags = command_tags([blow for _, _, blow in found])
        return [Option(n, parts, blow, tag) for (n, parts, blow), tag in zip(found, tags, strict=True)]

    def _apart(
        self, number: int, target: Unit, how: Mapping[str, Any]
    ) -> list[tuple[int, frozenset[int], Blow]]:
        """The weapons of a unit one by one; not where together they do something else than the unit, as a
        rule that acts once for all of them would count for each.
        """
        own, member = self.of[number], self.ours[number]
        if len(own) < 2 or how.get("weapons") == "melee":
            return []
        ranged = make_blow(member, target, {**how, "weapons": "ranged"}, where="plan")
        parts = [make_blow(member, target, {**how, "weapons": (name,)}, where="plan") for name in own]
        mass = other = begin(target, states_of(target, "plan"))
        for part in parts:
            mass = mass @ part.matrix
        if not np.allclose(mass, other @ ranged.matrix, rtol=0.0, atol=1e-9):
            return []
        return [(number, frozenset({own[name]}), part) for name, part in zip(own, parts, strict=True)]


def greedy_plan(
    options: Sequence[Sequence[Option]],
    targets: Sequence[Unit],
    goals: Sequence[Goal | None],
    points: int,
    most: int,
) -> list[Column]:
    """A plan that always takes the attack which adds most."""
    now = [
        None if goal is None else column_of(place, target, (), goal)
        for place, (target, goal) in enumerate(zip(targets, goals, strict=True))
    ]
    used: set[int] = set()
    tag, left = 0, points
    while True:
        best: tuple[float, Column, Option] | None = None
        for place, (here, goal) in enumerate(zip(options, goals, strict=True)):
            before = now[place]
            if goal is None or before is None or len(before.options) >= most:
                continue
            for option in here:
                if option.parts & used or option.tag & tag or len(option.blow.commands) > left:
                    continue
                column = column_of(place, targets[place], (*before.options, option), goal)
                gain = column.value - before.value
                if gain > (SURE if best is None else best[0]):
                    best = (gain, column, option)
        if best is None:
            return [column for column in now if column is not None and column.options]
        _, column, option = best
        now[column.target] = column
        used |= option.parts
        tag |= option.tag
        left -= len(option.blow.commands)
