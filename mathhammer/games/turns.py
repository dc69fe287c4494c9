"""`Turns`: a game's turn between two sides as data: its steps in order, with what each of them reads.

The exact duel folds over `steps`, and the script of the simulated one is generated from them: a step that a
game moves or leaves out is moved or left out in both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from math import ceil
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError
from mathhammer.units.conditions import Facts, switch
from mathhammer.units.unit import Unit

if TYPE_CHECKING:
    from fractions import Fraction

    from mathhammer.engine.plan import Plan
    from mathhammer.games.game import Fight as Question

FIRST, NORMAL, LAST = 0, 1, 2  # when a unit is picked to fight
OUT_OF_REACH = 13  # a total that two dice never show


@dataclass(frozen=True, slots=True)
class HelpItself:
    """The active side's units rally while they are free, and heal."""

    # wounds that the unit has lost after a rally, from those before; None: the game has no Rally
    rally: Callable[[Unit, int], Pmf] | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """The active side's units move towards the enemy and halt outside of combat."""

    halt: float  # inches from the enemy
    running: str = ""  # the situation of a unit that moves a D6 farther (runs, Advances); "": none may


@dataclass(frozen=True, slots=True)
class Shoot:
    """The active side's units shoot."""

    engaged: str  # the situation of a unit that shoots while it is in combat
    into_combat: bool = True  # whether a unit may shoot at enemies that fight its friends


@dataclass(frozen=True, slots=True)
class Charge:
    """The active side's units charge: 2D6 inches.

    >>> Charge(slack=0.5).total(9.5), Charge(slack=1.0, within=12.0).needs(12.5)
    (9, 13)
    """

    slack: float  # a charge has arrived so many inches before the enemy
    within: float | None = None  # it is declared within this distance; None: whatever the dice can reach
    strikes_first: bool = False  # a unit that charged is picked to fight before the others

    def total(self, distance: float | Fraction) -> int:
        """The least total that a charge over so many inches needs."""
        return charge_total(distance, self.slack)

    def needs(self, distance: float) -> int:
        """The total that is needed, or `OUT_OF_REACH` where none is declared or two dice never reach."""
        if self.within is not None and distance > self.within:
            return OUT_OF_REACH
        return min(OUT_OF_REACH, self.total(distance))


def inches(distance: float | str) -> Fraction:
    """A distance as an exact fraction, so that 9.5 inches is not 9.4999.

    >>> inches(9.5)
    Fraction(19, 2)
    """
    from fractions import Fraction  # only duels and charges need it

    try:
        value = Fraction(str(distance))
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if not 0 <= value <= 1000:
        raise BadInputError(
            f"charge: {distance!r} is not a distance (give inches from 0 on, such as 9 or 9.5)"
        )
    return value


def charge_total(distance: float | Fraction, slack: float) -> int:
    """The least total of a charge that may end `slack` inches before the enemy; a millionth of an inch is
    not measured.

    >>> charge_total(9, 1), charge_total(9.1, 1)
    (8, 9)
    """
    return max(0, ceil(round(distance - slack, 6)))


@dataclass(frozen=True, slots=True)
class Fight:
    """Units in combat are picked to fight: rank by rank, both sides in turn."""

    active_first: bool  # who picks first: the player whose turn it is, or the other
    # when a unit is picked, from the unit, its enemy, whether it charged, and the options of the game
    rank: Callable[[Unit, Unit, bool, Mapping[str, Any]], int] = lambda _unit, _foe, _charged, _how: NORMAL


@dataclass(frozen=True, slots=True)
class Tests:
    """Units that lost models in this turn test, and models flee."""

    aftermath: Callable[[Question, Pmf], Mapping[str, Pmf]]  # gives "fled", from the models slain
    stat: str  # the characteristic that is tested; units without it do not test


@dataclass(frozen=True, slots=True)
class Reaction:
    """A command that is a step of its own: something happens at one moment of a turn if a side uses it.

    It comes after a step of the turn, or before it; in its user's turn, or in the enemy's.
    """

    command: str
    step: type  # the kind of step that it comes after
    act: Literal["shoot", "hurt", "charge", "leave", "withdraw"]
    rule: str  # what it does, with its id
    before: bool = False
    own_turn: bool = True
    within: float | None = None  # inches to the enemy, where they are apart
    when: Literal["apart", "engaged", "charged"] = "apart"
    flag: str = ""  # the situation of an attack that is made by it
    # what it does to the enemy (hurt), or to the unit itself (leave), from its user and that unit
    harm: Callable[[Unit, Unit], Plan] | None = None
    able: Callable[[Unit, Unit], str] = lambda _unit, _foe: ""  # why a unit cannot use it


Step = HelpItself | Move | Shoot | Charge | Fight | Tests
AnyStep = TypeVar("AnyStep", HelpItself, Move, Shoot, Charge, Fight, Tests)


@dataclass(frozen=True, slots=True)
class Turns:
    """The turn of a game: its steps in order, distances in inches, and what its commands are for.

    >>> turns = Turns(steps=(Shoot("near"), Fight(active_first=True)), reach=3.0)
    >>> turns.step(Fight).active_first, turns.step(Charge)
    (True, None)
    """

    steps: tuple[Step, ...]
    reach: float  # units so near are in combat
    distances: tuple[float, ...] = ()  # fixed distances at which the game's own rules change an attack
    # the chance that whoever began this round begins the next; None: the game has no such roll
    p_same_player_first: float | None = None
    defensive: frozenset[str] = frozenset()  # commands of the side that is attacked
    rolls_priority: bool = False  # whether players roll for the first turn of a round unless it is said
    once: frozenset[str] = frozenset()  # commands that a side uses in one phase of the battle
    phase_of: Mapping[str, str] = field(default_factory=dict)  # command -> the one kind of attack it is for
    conflict: Callable[[Sequence[str]], str] = lambda _: ""  # why one phase cannot have all of these
    rules: Mapping[str, str] = field(default_factory=dict)  # step -> what happens there, with its rule
    # what one slain model of a unit does to another unit near it when it explodes; None: nothing
    demise: Callable[[Unit, Unit], Plan | None] | None = None
    demise_reach: float = 0.0  # inches
    reactions: tuple[Reaction, ...] = ()

    def __post_init__(self) -> None:
        kinds = [type(step) for step in self.steps]
        if len(set(kinds)) < len(kinds):
            raise ValueError("turns: a step stands twice in a turn (each kind of step comes once)")

    def reaction(self, command: str) -> Reaction | None:
        """The reaction of that name; None where a command is not one."""
        return next((one for one in self.reactions if one.command == command), None)

    def step(self, kind: type[AnyStep]) -> AnyStep | None:
        """The step of this kind; None where the game's turn has none."""
        return next((step for step in self.steps if isinstance(step, kind)), None)


def gained(unit: Unit, foe: Unit, charged: bool) -> frozenset[str]:
    """Unit abilities that rules give a unit in a combat: its own, and what its enemy does to it.

    >>> from mathhammer import make_unit
    >>> rush = {"name": "Rush", "when": ["charged"], "gain_unit": ["Strike-first"]}
    >>> rats = make_unit("aos4", {"name": "Rats", "health": 1, "effect": [rush]})
    >>> sorted(gained(rats, rats, charged=True)), sorted(gained(rats, rats, charged=False))
    (['strike first'], [])
    """
    flags = frozenset({"melee", "in_combat", "engaged"} | ({"charged"} if charged else set()))
    words: set[str] = set()
    for holder, other, scope in ((unit, foe, "unit"), (foe, unit, "enemies")):
        facts = Facts(
            flags if holder is unit else flags - {"charged"},
            other.keywords if scope == "enemies" else holder.keywords,
            other.keywords,
            holder.models_left,
            other.models_left,
            near=0.0,
            distance=0.0,
        )
        for effect in holder.effects:
            if effect.on == scope and effect.change("gain_unit") and not effect.needs and effect.holds(facts):
                words |= {switch(word) for word in effect.change("gain_unit")}
    return frozenset(words)
