"""`kill` and `survive`: the cheapest sets of units that destroy a target with a wanted chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from mathhammer.checks import is_whole
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.asked import as_unit
from mathhammer.decide.blows import (
    PHASES,
    SURE,
    Blow,
    Member,
    Side,
    begin,
    gone,
    make_blow,
    members_of,
    states_of,
)
from mathhammer.decide.sets import Choice, Found, Search, minimal
from mathhammer.decide.showing import Shown
from mathhammer.duel.states import Array, States
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.weapon_choice import words_of
from mathhammer.games.words import command_named, defensive
from mathhammer.units.roster import Roster
from mathhammer.units.unit import Unit

MOST_UNITS = 8  # of one set
COPIES = 3  # of one unit, where a faction and not a list is given
USUAL_LIMIT = 2000  # points of the list that they would stand in


@dataclass(frozen=True, slots=True)
class KillSet:
    """Units that destroy a target together, in the order in which they attack.

    >>> import mathhammer as mh
    >>> best = mh.kill("Clanrats", ["Liberators", "Rat Ogors", "Stormvermin"], chance=0.5).sets[0]
    >>> best.units, best.points
    (('Liberators', 'Rat Ogors', 'Stormvermin'), 340)
    """

    units: tuple[str, ...]
    points: int | None
    p_destroyed: float
    command_points: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Kill(Shown):
    """The cheapest sets that destroy a target with the wanted chance, without and with commands.

    >>> import mathhammer as mh
    >>> mh.kill("Rat Ogors", ["Liberators", "Clanrats"], chance=0.99)
    Kill(Rat Ogors with a chance of 99%: no set of 2 units)
    """

    target: Unit
    chance: float
    sets: tuple[KillSet, ...]  # the cheapest, without commands
    with_commands: tuple[KillSet, ...]  # the cheapest, with command points
    fewest: KillSet | None  # the cheapest of those with the fewest units, without commands
    units: int  # how many there were to choose from
    tried: int  # all sets of up to so many units were tried
    complete: bool  # no larger set can be cheaper
    p_all: float | None  # the chance of all units together, where there are so many of each
    skipped: tuple[tuple[str, str], ...]  # units that were left out, with the reason
    blows: tuple[Blow, ...] = field(repr=False)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each set.

        >>> import mathhammer as mh
        >>> list(mh.kill("Clanrats", ["Stormvermin", "Rat Ogors"], chance=0.3).rows()[0])
        ['units', 'number', 'points', 'command_points', 'p_destroyed']
        """
        return [
            {
                "units": one.units,
                "number": len(one.units),
                "points": one.points,
                "command_points": one.command_points,
                "p_destroyed": one.p_destroyed,
            }
            for one in (*self.sets, *(s for s in self.with_commands if s.command_points))
        ]

    def __repr__(self) -> str:
        if self.sets:
            best = self.sets[0]
            cost = "" if best.points is None else f" for {best.points} points"
            found = f"{' + '.join(best.units)}{cost}, {best.p_destroyed:.1%}"
        else:
            found = f"no set of {self.units} units"
        return f"Kill({self.target.label} with a chance of {self.chance:.0%}: {found})"


def kill(
    target: Unit | str,
    army: Side,
    *,
    chance: float = 0.8,
    system: str | None = None,
    best: int = 5,
    points: int = 1,
    copies: int | None = None,
    most: int = MOST_UNITS,
    **how: Any,
) -> Kill:
    """The cheapest sets of units that destroy a target with at least this chance, exactly.

    Parameters
    ----------
    target
        A unit, its name or an expression.
    army
        A list (each of its units once), a faction, or units and names.
    chance
        The least chance to destroy it, such as 0.8.
    best
        How many sets to give.
    points
        Command points for the sets with commands; each command is used once in a phase.
    copies
        How many of each unit there may be. Default: those of a list or of names; of a faction's 3, or 1
        where a list may hold but one.
    most
        The most units of a set.

    Units attack in the best order, shooting before combat; `how` is what `fight` takes besides the method.

    >>> import mathhammer as mh
    >>> answer = mh.kill("Clanrats", ["Liberators", "Rat Ogors", "Stormvermin"], chance=0.5)
    >>> [(one.units, one.points, round(one.p_destroyed, 3)) for one in answer.sets]
    [(('Liberators', 'Rat Ogors', 'Stormvermin'), 340, 0.766)]
    """
    named = isinstance(target, str)
    game = system if named else (system or target.system)  # type: ignore[union-attr]
    members = members_of(army, game, "kill")
    if not members:
        raise BadInputError("kill: no unit to attack with (name at least one unit)")
    against = as_unit(target, game or members[0].unit.system, "kill")
    faction = copies is None and isinstance(army, str) and len(members) > 1
    limits = Limits(chance, best, points, copies, most, faction)
    return kill_of(members, against, how, limits, listed=isinstance(army, Roster))


def survive(unit: Unit | str, army: Side, *, chance: float = 0.5, **options: Any) -> Kill:
    """What of theirs is enough: the cheapest sets of an enemy's units that destroy a unit, as `kill` finds
    them; `options` are those of `kill`.

    >>> import mathhammer as mh
    >>> mh.survive("Liberators", ["Rat Ogors", "Stormvermin"]).sets[0].units
    ('Rat Ogors', 'Stormvermin')
    """
    return kill(unit, army, chance=chance, **options)


@dataclass(frozen=True, slots=True)
class Limits:
    """What is asked of sets: checked once."""

    chance: float = 0.8
    best: int = 5
    points: int = 1
    copies: int | None = None
    most: int = MOST_UNITS
    faction: bool = False  # of each unit as many as a list may hold, but no more than COPIES

    def __post_init__(self) -> None:
        if not (isinstance(self.chance, (int, float)) and 0.0 < self.chance <= 1.0):
            raise BadInputError(f"kill: chance {self.chance!r} (give more than 0 and at most 1, such as 0.8)")
        for name, value, low, high in (
            ("best", self.best, 1, 100),
            ("points", self.points, 0, 20),
            ("copies", 1 if self.copies is None else self.copies, 1, 20),
            ("most", self.most, 1, MOST_UNITS),
        ):
            if not is_whole(value, low, high):
                raise BadInputError(f"kill: {name} is {value!r} (give a whole number from {low} to {high})")


def kill_of(
    members: Sequence[Member], target: Unit, how: Mapping[str, Any], limits: Limits, *, listed: bool
) -> Kill:
    """The same for units that are known, with their friends."""
    items: dict[Member, int] = {}
    for member in members:
        items[member] = items.get(member, 0) + 1
    blows: list[Blow] = []
    skipped: list[tuple[str, str]] = []
    for member in items:
        try:
            blows.append(make_blow(member, target, how, where="kill"))
        except BadInputError as error:
            skipped.append((member.unit.label, str(error)))
    if not blows:
        raise BadInputError(f"kill: no unit can attack {target.name} ({skipped[0][1]})")
    priced = [blow for blow in blows if blow.member.unit.points]
    if priced and len(priced) < len(blows):
        skipped += [(b.member.unit.label, "it has no points") for b in blows if not b.member.unit.points]
        blows = priced
    copies = {blow.member: limits.copies or items[blow.member] for blow in blows}
    if limits.faction:
        copies = {member: _in_a_list(member.unit) for member in copies}
    states = states_of(target, "kill")
    alone = replace(limits, points=0)
    plain = _searched(blows, copies, target, states, alone, by_points=bool(priced))
    fewest = _searched(blows, copies, target, states, alone, by_points=False)
    commanded = plain
    if limits.points:
        # with commands the cheapest sets cost no more than without: what alone costs more is in none of them
        cheap = [blow for blow in blows if (blow.member.unit.points or 0) <= plain.search.limit]
        more = [*blows, *commanded_blows(cheap if priced else blows, target, how)]
        commanded = _searched(more, copies, target, states, limits, by_points=bool(priced))
    together = _all_of([blow for blow in blows for _ in range(items[blow.member])])
    return Kill(
        target,
        limits.chance,
        plain.sets,
        commanded.sets,
        fewest.sets[0] if fewest.sets else None,
        sum(copies.values()),
        min(plain.search.tried, commanded.search.tried),
        plain.search.complete and commanded.search.complete,
        gone(states, begin(target, states) @ together)
        if listed or not (limits.faction or limits.copies)
        else None,
        tuple(skipped),
        tuple(blows),
    )


def _in_a_list(unit: Unit) -> int:
    """How many of a unit of a faction there are: one of an Epic Hero or a Unique unit."""
    army = get_game(unit.system).army
    return COPIES if army is None else max(1, min(COPIES, army().most(unit, USUAL_LIMIT)))


def _all_of(blows: Sequence[Blow]) -> Array:
    """All blows, shooting first, as one step."""
    whole = np.eye(len(blows[0].matrix))
    for blow in sorted(blows, key=lambda blow: PHASES.index(blow.kind)):
        whole = whole @ blow.matrix
    return whole


def commanded_blows(blows: Sequence[Blow], target: Unit, how: Mapping[str, Any]) -> list[Blow]:
    """The blows once more for each command that makes them take more wounds."""
    if not blows:
        return []
    attacks = attacks_of(target.system)
    states = states_of(target, "kill")
    start, lost = begin(target, states), states.lost()
    taken = {command_named(attacks, word) for word in words_of("commands", how.get("commands", ()))}
    found = []
    for command in attacks.commands:
        if command in (*defensive(attacks), *taken, attacks.best_reroll):  # the last needs one target alone
            continue
        for blow in blows:
            try:
                better = make_blow(blow.member, target, how, (command,), "kill")
            except BadInputError:  # not for this unit: it is no choice
                continue
            if float(start @ (better.matrix - blow.matrix) @ lost) > SURE:
                found.append(better)
    return found


def command_tags(blows: Sequence[Blow]) -> list[int]:
    """For each blow the bits of its commands: those with a bit in common are not used together in a phase."""
    if not blows:
        return []
    turns = attacks_of(blows[0].member.unit.system).turns
    families: list[list[str]] = []
    for command in dict.fromkeys(command for blow in blows for command in blow.commands):
        for family in families:
            if turns is not None and turns.conflict([family[0], command]):
                family.append(command)
                break
        else:
            families.append([command])
    place = {command: number for number, family in enumerate(families) for command in family}
    phases = len(PHASES)
    return [
        sum(1 << (place[command] * phases + PHASES.index(blow.kind)) for command in blow.commands)
        for blow in blows
    ]


@dataclass(frozen=True, slots=True)
class _Sets:
    sets: tuple[KillSet, ...]
    search: Search


def _searched(
    blows: Sequence[Blow],
    copies: Mapping[Member, int],
    target: Unit,
    states: States,
    limits: Limits,
    *,
    by_points: bool,
) -> _Sets:
    items = {member: number for number, member in enumerate(copies)}
    price = np.array([float(blow.member.unit.points or 0) for blow in blows])
    # of as many units the cheaper ones; of as many points those without commands
    cost = price if by_points else 1.0 + price / 1e7
    choice = Choice(
        [blow.matrix for blow in blows],
        np.array([items[blow.member] for blow in blows]),
        np.array([copies[blow.member] for blow in blows]),
        cost,
        np.array(command_tags(blows)),
        np.array([len(blow.commands) for blow in blows]),
        np.array([PHASES.index(blow.kind) for blow in blows]),
        all(blow.shift for blow in blows),
    )
    mass = begin(target, states)
    search = Search(
        choice,
        mass,
        states.lost(),
        states.alive_states,
        limits.chance,
        limits.best,
        limits.points,
        limits.most,
    ).run()
    kept = minimal(list(search.found.values()), choice, limits.best)[: limits.best]
    return _Sets(tuple(_told(one, blows, choice) for one in kept), search)


def _told(found: Found, blows: Sequence[Blow], choice: Choice) -> KillSet:
    used = [blows[place] for place in found.places]
    used.sort(key=lambda blow: PHASES.index(blow.kind))
    prices = [blow.member.unit.points for blow in used]
    points = None if None in prices else sum(price or 0 for price in prices)
    spent = int(choice.spends[list(found.places)].sum())
    return KillSet(tuple(blow.name for blow in used), points, found.chance, spent)
