"""`Blow`: one action of a unit against one target, as a step over the target's states.

Blows follow each other: each begins with the distribution that the one before has left. Every decision is
made of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mathhammer.dataclass import dataclass
from mathhammer.datasheets.asked import as_unit, faction_units
from mathhammer.duel.states import Array, States
from mathhammer.duel.strikes import strike_now
from mathhammer.errors import BadInputError
from mathhammer.fight import make_question, use_of
from mathhammer.games.discovery import attacks_of
from mathhammer.games.game import Fight
from mathhammer.games.telling import command_text, conditions_of, not_counted
from mathhammer.games.weapon_choice import words_of
from mathhammer.units.circumstances import Conditions
from mathhammer.units.roster import Roster
from mathhammer.units.unit import Unit
from mathhammer.views import view

SURE = 1e-9  # chances closer than this are the same
PHASES = ("ranged", "melee")  # in a turn, shooting comes first
MOST_STATES = 1_500  # of a target: a step has so many rows and columns


@dataclass(frozen=True, slots=True)
class Member:
    """A unit of a side, with the friends whose abilities apply to it."""

    unit: Unit
    friends: tuple[Unit, ...] = ()


Side = Roster | Unit | str | Sequence[Unit | str]


def members_of(given: Side, system: str | None, where: str) -> list[Member]:
    """The units of a side: of a list, of a faction, or those that are named.

    >>> [member.unit.name for member in members_of(["Clanrats", "Rat Ogors"], "aos4", "pile")]
    ['Clanrats', 'Rat Ogors']
    """
    if isinstance(given, Roster):
        fielded: list[tuple[Unit, tuple[Unit, ...]]] = view("roster_members", given)
        return [Member(unit, friends) for unit, friends in fielded]
    if isinstance(given, (str, Unit)):
        given = [given]
    if isinstance(given, Mapping) or not isinstance(given, Sequence):
        raise BadInputError(f"{where}: {given!r:.60} is not a list of units (give units, names or a list)")
    members: list[Member] = []
    for one in given:
        game = system or (members[0].unit.system if members else None)
        faction = faction_units(one, game, None, where) if isinstance(one, str) else []
        members += [Member(unit) for unit in faction or [as_unit(one, game, where)]]
    return members


@dataclass(frozen=True, eq=False)
class Blow:
    """One action of a unit against a target: `matrix` is the chance to go from each state to each other."""

    member: Member
    question: Fight
    commands: tuple[str, ...]  # used for this blow only
    matrix: Array
    shift: bool  # it takes the same wounds from whatever is left, so the order of such blows is the same
    harm: Array  # mean damage of its dice in each state, before any is wasted

    @property
    def kind(self) -> str:
        """Melee or ranged."""
        return self.question.weapons[0].kind

    @cached_property
    def conditions(self) -> Conditions:
        """Under which it is worked out."""
        return conditions_of(self.question)

    @property
    def missing(self) -> tuple[str, ...]:
        """Rules of both units that are not in it."""
        return not_counted(self.question)

    @property
    def name(self) -> str:
        """The unit with the commands that are used for it."""
        attacks = attacks_of(self.member.unit.system)
        said = ", ".join(command_text(attacks, command) for command in self.commands)
        return f"{self.member.unit.label} ({said})" if said else self.member.unit.label


def make_blow(
    member: Member, target: Unit, how: Mapping[str, Any], commands: tuple[str, ...] = (), where: str = "pile"
) -> Blow:
    """What one unit does to every state of a target; `how` is what `fight` takes."""
    how = use_of(how, member.unit, target)
    friends = (*how.get("friends", ()), *member.friends)
    used = (*words_of("commands", how.get("commands", ())), *commands)
    question = make_question(member.unit, target, **{**how, "friends": friends, "commands": used})
    states = states_of(target, where)
    strike, harm = strike_now(question, states)
    matrix = np.linalg.matrix_power(strike.matrix(0), strike.times)
    return Blow(member, question, commands, matrix, strike.shift, harm)


def states_of(target: Unit, where: str) -> States:
    """The states of a target; an error where there are too many."""
    states = States.of(target)
    if states.number > MOST_STATES:
        raise BadInputError(
            f"{where}: {target.name} has {states.number} states (at most {MOST_STATES}: use fewer models)"
        )
    return states


def begin(target: Unit, states: States) -> Array:
    """The distribution of a target that nobody has attacked yet."""
    mass = np.zeros(states.number)
    mass[states.start(target.lost)] = 1.0
    return mass


def gone(states: States, mass: Array) -> float:
    """The chance that nothing of the target is left."""
    return float(mass[..., states.alive_states :].sum())
