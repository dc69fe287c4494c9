"""`plan`: who attacks whom this turn, with which weapons and commands, proven to be the best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from math import exp
from typing import Any

from mathhammer.checks import is_whole
from mathhammer.dataclass import dataclass
from mathhammer.decide.arms import Arms, greedy_plan
from mathhammer.decide.assigning import Program
from mathhammer.decide.blows import Blow, Member, Side, begin, members_of, states_of
from mathhammer.decide.columns import Column, Goal, Option
from mathhammer.decide.improving import FIRST_ROOM, Field, Weighed, best_choice, first_columns
from mathhammer.decide.reach import Reach
from mathhammer.decide.showing import Shown
from mathhammer.decide.spare import spare_of
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.units.unit import Unit

GOALS = ("removed", "destroyed")
MOST_ON_ONE = 12  # attackers on one target
MOST_UNITS = 60  # of a side
SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class PlannedAttack:
    """One target of a plan, with those who attack it in this order.

    >>> import mathhammer as mh
    >>> mh.plan(["Liberators"], ["Clanrats", "Rat Ogors"], system="aos4").attacks[0].target
    'Rat Ogors'
    """

    target: str
    attackers: tuple[str, ...]
    value: float
    lost: float
    p_destroyed: float
    command_points: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class TurnPlan(Shown):
    """Who attacks whom, what it is worth, how good any plan can be, and what a greedy choice comes to.

    >>> import mathhammer as mh
    >>> mh.plan(["Liberators", "Rat Ogors"], ["Clanrats", "Stormvermin"], system="aos4")
    TurnPlan(2 attackers on 2 targets: 120.5 points removed, proven best; greedy 115.8)
    """

    goal: str  # "removed", "destroyed" or "chance"
    attacks: tuple[PlannedAttack, ...]
    idle: tuple[str, ...]  # attackers with nothing to do
    spare: tuple[str, ...]  # attackers that hardly add anything: 0.1% of the value, all of them together
    value: float
    greedy: float  # what comes of always taking the attack that adds most
    bound: float  # no plan is worth more
    proven: bool  # no plan made of the sets that were weighed is better
    columns: int  # sets of attackers on one target that were weighed
    most: int  # all sets of up to so many attackers on one target were
    larger: bool  # of larger sets only the most promising ones were: the proof is among the sets weighed
    attackers: int
    skipped: tuple[tuple[str, str], ...]
    blows: tuple[Blow, ...] = field(repr=False)

    @property
    def gap(self) -> float:
        """How much better another plan might be, as a share of this one's value."""
        return 0.0 if self.proven else (self.bound - self.value) / max(abs(self.value), 1e-9)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each target that is attacked.

        >>> import mathhammer as mh
        >>> list(mh.plan(["Liberators"], ["Clanrats"]).rows()[0])
        ['target', 'attackers', 'value', 'lost', 'p_destroyed', 'command_points']
        """
        return [
            {
                "target": one.target,
                "attackers": one.attackers,
                "value": one.value,
                "lost": one.lost,
                "p_destroyed": one.p_destroyed,
                "command_points": one.command_points,
            }
            for one in self.attacks
        ]

    def __repr__(self) -> str:
        proof = "proven best" if self.proven else f"at most {self.gap:.1%} from the best"
        proof += f" of {self.columns} sets" if self.larger else ""
        what = {"removed": "points removed", "destroyed": "points destroyed", "chance": "to destroy all"}
        shown = (
            (f"{self.value:.1%}", f"{self.greedy:.1%}")
            if self.goal == "chance"
            else (f"{self.value:.1f}", f"{self.greedy:.1f}")
        )
        return (
            f"TurnPlan({_several(self.attackers, 'attacker')} on {_several(len(self.attacks), 'target')}: "
            f"{shown[0]} {what[self.goal]}, {proof}; greedy {shown[1]})"
        )


def _several(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def plan(
    army: Side,
    foe: Side,
    *,
    system: str | None = None,
    points: int = 0,
    goal: str = "removed",
    weights: Mapping[str, float] | None = None,
    destroy: Sequence[str] | str = (),
    reach: Mapping[str, Any] | None = None,
    split: bool = False,
    most: int = MOST_ON_ONE,
    seconds: float = SECONDS,
    progress: Callable[[int, int], None] | None = None,
    **how: Any,
) -> TurnPlan:
    """Who attacks whom this turn, for the most points removed; exact values, and a proof that it is the best.

    Parameters
    ----------
    army, foe
        Lists, factions, or units and names: each unit attacks once, and any number may attack one target.
    points
        Command points; each command is used once in a phase.
    goal
        "removed": points by the share of wounds lost; "destroyed": points of what is destroyed.
    weights
        Target -> what it is worth, instead of its points.
    destroy
        Targets that all have to be destroyed: the plan with the best chance of that, and nothing else.
    reach
        Attacker -> targets that it can attack, or the tables "can" and "cannot" of these; others reach all.
    split
        A unit may fire different ranged weapons at different targets.
    most
        The most attackers on one target.
    seconds
        Time for the solver; what is found by then is given with its gap.

    `how` is what `fight` takes besides the method.

    >>> import mathhammer as mh
    >>> found = mh.plan(["Liberators", "Rat Ogors"], ["Clanrats", "Stormvermin"], system="aos4")
    >>> [(one.target, one.attackers) for one in found.attacks], found.proven
    ([('Clanrats', ('Rat Ogors',)), ('Stormvermin', ('Liberators',))], True)
    """
    ours = members_of(army, system, "plan")
    theirs = members_of(foe, system or (ours[0].unit.system if ours else None), "plan")
    asked = Asked(points, goal, weights, destroy, reach, split, most, seconds)
    return plan_of(ours, theirs, how, asked, progress)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a plan: checked once."""

    points: int = 0
    goal: str = "removed"
    weights: Mapping[str, float] | None = None
    destroy: Sequence[str] | str = ()
    reach: Mapping[str, Any] | None = None
    split: bool = False
    most: int = MOST_ON_ONE
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        if self.goal not in GOALS:
            raise UnknownNameError("plan", "goal", str(self.goal), GOALS)
        for name, value, low, high in (
            ("points", self.points, 0, 20),
            ("most", self.most, 1, MOST_ON_ONE),
        ):
            if not is_whole(value, low, high):
                raise BadInputError(f"plan: {name} is {value!r} (give a whole number from {low} to {high})")
        if not (isinstance(self.seconds, (int, float)) and self.seconds > 0):
            raise BadInputError(f"plan: {self.seconds!r} seconds (give more than 0)")

    def goals(self, targets: Sequence[Unit]) -> list[Goal | None]:
        """What each target is worth; None: nothing."""
        names = [target.name for target in targets]
        wanted = [self.destroy] if isinstance(self.destroy, str) else list(self.destroy)
        if wanted:
            must = {_target_named(name, targets) for name in wanted}
            return [Goal("chance", 1.0) if name in must else None for name in names]
        if self.weights is None:
            prices = [target.points for target in targets]
            if not any(prices):
                raise BadInputError("plan: no target has points (give weights)")
            return [Goal(self.goal, float(price)) if price else None for price in prices]
        weights = {_target_named(name, targets): weight for name, weight in self.weights.items()}
        for name, weight in weights.items():
            if not (isinstance(weight, (int, float)) and 0 <= weight < 1e9):
                raise BadInputError(f"plan: {name} weighs {weight!r} (give a number from 0 on)")
        if not any(weights.values()):
            raise BadInputError("plan: no target weighs anything (give one of them more than 0)")
        return [Goal(self.goal, float(weights[name])) if weights.get(name) else None for name in names]


def _target_named(name: str, targets: Sequence[Unit]) -> str:
    """The name of the target that is meant, by its name or as tables show it."""
    said = str(name).strip().lower()
    found = next((t.name for t in targets if said in (t.name.lower(), t.label.lower())), None)
    if found is None:
        raise UnknownNameError("plan", "target", str(name), [target.name for target in targets])
    return found


def plan_of(
    ours: Sequence[Member],
    theirs: Sequence[Member],
    how: Mapping[str, Any],
    asked: Asked,
    progress: Callable[[int, int], None] | None = None,
) -> TurnPlan:
    """The same for units that are known, with their friends."""
    for side, what in ((ours, "attacker"), (theirs, "target")):
        if not side:
            raise BadInputError(f"plan: no {what} (name at least one unit)")
        if len(side) > MOST_UNITS:
            raise BadInputError(f"plan: {len(side)} {what}s (at most {MOST_UNITS})")
    targets = [member.unit for member in theirs]
    goals = asked.goals(targets)
    reach = Reach.of(asked.reach, [member.unit.name for member in ours], [unit.name for unit in targets])
    arms = Arms(ours, asked.split)
    fields: list[Field] = []
    options: list[list[Option]] = []
    skipped: dict[str, str] = {}
    for place, (member, goal) in enumerate(zip(theirs, goals, strict=True)):
        here: list[Option] = []
        if goal is not None:
            behind = {**how, "target_friends": (*how.get("target_friends", ()), *member.friends)}
            here = arms.options_on(member.unit, behind, reach, asked.points, skipped)
            fields.append(Field(place, member.unit, here, goal))
        options.append(here)
    columns: list[Column] = []
    tried = asked.most
    for number, field_ in enumerate(fields):
        if progress is not None:
            progress(number, len(fields))
        found, most = first_columns(field_, asked.points, asked.most, FIRST_ROOM // len(fields))
        columns += found
        tried = min(tried, most)
    must = frozenset(n for n, goal in enumerate(goals) if goal is not None and goal.kind == "chance")
    _check_reachable(columns, targets, must)
    greedy = greedy_plan(options, targets, goals, asked.points, asked.most)
    value = sum(column.value for column in greedy)
    if not must <= {column.target for column in greedy}:
        greedy, value = [], len(must) * Goal("chance", 1.0).nothing
    program = Program(columns, arms.parts, len(targets), asked.points, must)
    weighed = best_choice(fields, program, greedy, (asked.most, tried, asked.seconds))
    if progress is not None:
        progress(len(fields), len(fields))
    return _told(ours, targets, weighed, (goals, value), options, skipped)


def _check_reachable(columns: Sequence[Column], targets: Sequence[Unit], must: frozenset[int]) -> None:
    lonely = must - {column.target for column in columns}
    if lonely:
        raise BadInputError(f"plan: {targets[min(lonely)].label} cannot be destroyed by those who reach it")
    if not columns:
        raise BadInputError("plan: no attacker can hurt a target (see who can reach whom)")


def _told(
    ours: Sequence[Member],
    targets: Sequence[Unit],
    weighed: Weighed,
    about: tuple[Sequence[Goal | None], float],
    options: Sequence[Sequence[Option]],
    skipped: Mapping[str, str],
) -> TurnPlan:
    solution = weighed.solution
    if not solution.chosen:
        raise BadInputError("plan: no plan was found in this time (give more seconds)")
    goals, greedy = about
    kind = next(goal.kind for goal in goals if goal is not None)
    attacks = []
    for column in sorted(solution.chosen, key=lambda column: column.target):
        target, states = targets[column.target], states_of(targets[column.target], "plan")
        attacks.append(
            PlannedAttack(
                target.label,
                tuple(_name(option, ours) for option in column.options),
                column.value,
                float((column.mass - begin(target, states)) @ states.lost()),
                float(column.mass[states.alive_states :].sum()),
                column.spends,
            )
        )
    busy = {option.attacker for column in solution.chosen for option in column.options}
    shown = exp if kind == "chance" else float
    return TurnPlan(
        kind,
        tuple(attacks),
        tuple(member.unit.label for n, member in enumerate(ours) if n not in busy),
        tuple(_name(option, ours) for option in spare_of(solution.chosen, targets, goals)),
        shown(solution.value),
        shown(greedy),
        shown(solution.bound),
        solution.proven,
        weighed.columns,
        weighed.most,
        not weighed.whole,
        len(ours),
        tuple(skipped.items()),
        tuple(option.blow for here in options for option in here if not option.blow.commands),
    )


def _name(option: Option, ours: Sequence[Member]) -> str:
    """The attacker; of one that splits its fire, the weapon too."""
    weapons = option.blow.question.weapons
    unit = ours[option.attacker].unit
    ranged = {w.name for w in unit.weapons if w.kind == "ranged" and not w.optional}
    alone = len(weapons) == 1 and weapons[0].name in ranged and len(ranged) > 1
    return f"{option.blow.name}: {weapons[0].name}" if alone else option.blow.name
