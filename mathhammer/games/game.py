"""`Game`: what a game tells the engines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from math import inf
from typing import TYPE_CHECKING, Any, Literal

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.plan import Plan, Target
from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Abilities, WeaponAbility, distances_of, reads_of
from mathhammer.games.options import Option
from mathhammer.games.turns import Turns
from mathhammer.units.effects import Effect
from mathhammer.units.unit import Situation, Unit, Weapon

if TYPE_CHECKING:
    from mathhammer.units.findings import Finding
    from mathhammer.units.roster import Roster

if TYPE_CHECKING:
    from mathhammer.pools.battle import Asked

FieldKind = Literal[
    "need",
    "number",
    "dice",
    "text",
    "flag",
    "words",
    "change",
    "modifier",
    "reroll",
    "choice",
    "table",  # with `fields`
    "tables",  # a list of them
    "mapping",  # of names of any kind to values, each as the only one of `fields`
    "checked",  # whatever `check` takes
]
MOST_NUMBER, MOST_ROLL = 1000, 6  # in a field that says nothing else
MOST_COPIES = 20  # of one unit in a list, where no rule says less


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a datasheet: what it may hold, and what stands there when it is left out."""

    name: str
    kind: FieldKind
    required: bool = False
    default: Any = None
    low: int = 0
    high: int | None = None
    choices: tuple[str, ...] = ()
    doc: str = ""
    fields: tuple[Field, ...] = ()
    check: Callable[[str, str, Any], object] | None = None  # (where, name, value): raises one sentence

    @property
    def most(self) -> int:
        """The largest number that it may hold.

        >>> Field("save", "need").most, Field("save", "need", high=7).most, Field("points", "number").most
        (6, 7, 1000)
        """
        if self.high is not None:
            return self.high
        return MOST_ROLL if self.kind == "need" else MOST_NUMBER


@dataclass(frozen=True, slots=True)
class Fight:
    """A question to a system: who attacks whom with what, and under which circumstances."""

    attacker: Unit
    target: Unit
    weapons: tuple[Weapon, ...]
    situation: Situation = field(default_factory=Situation)
    friends: tuple[Unit, ...] = ()
    target_friends: tuple[Unit, ...] = ()
    effects: tuple[Effect, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, Any], ...] = ()
    rolled: frozenset[tuple[str, str]] = frozenset()  # rules whose roll came up, with what they needed

    def option(self, name: str) -> Any:
        """The value of one of the system's switches."""
        return dict(self.options)[name]


@dataclass(frozen=True, slots=True)
class Hurting:
    """A plan without an attacker, whose answer tells of each model group, and what follows from it."""

    plan: Plan
    then: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda _answer: {}


# a plan is put to the exact engine, also as a part of an answer; a question about symbol dice to the one that
# was asked for
Question = Callable[..., "Mapping[str, Any] | Plan | Hurting | Asked"]


@dataclass(frozen=True, slots=True)
class Attacks:
    """How the units of a game attack each other: datasheet fields, abilities, situations, and the plan."""

    wounds: str  # the characteristic that counts a model's wounds
    plan: Callable[[Fight], Plan]
    unit_fields: tuple[Field, ...]
    weapon_fields: tuple[Field, ...]
    effect_fields: tuple[Field, ...]
    abilities: Abilities
    situations: Mapping[str, str]
    commands: Mapping[str, str]
    options: Mapping[str, Any]
    # the weapon of one attack with that Rend (or AP) and Damage, as a datasheet has it
    probe: Callable[[int, int | str], dict[str, Any]]
    group_fields: tuple[Field, ...] = ()
    readings: Mapping[str, Option] = field(default_factory=dict)  # what each of the options means
    target_options: frozenset[str] = frozenset()  # options that belong to the unit that is attacked
    # the target as engines see it, for plans that any such target shares
    target_of: Callable[[Unit], Target] | None = None
    # for whole armies: what of a target the chain of an attack depends on, and what the damage of its packets
    # depends on
    views: tuple[Callable[[Unit], Any], Callable[[Unit], Any]] | None = None
    # the keywords of a target at which an attack looks by itself, by situations and commands; None: any of
    # those that are known
    looked_at: Callable[[frozenset[str], frozenset[str]], frozenset[str]] | None = None
    pools: bool = False  # damage spills from model to model, so there is a pool to report
    # one-line profiles: readers of a weapon and of a target, and the fields that an attacker needs besides
    # its weapons
    quick: tuple[Callable[[str], dict[str, Any]], Callable[[str], dict[str, Any]]] | None = None
    quick_body: Mapping[str, Any] = field(default_factory=dict)
    # a unit once for each way in which its models can choose between melee weapons; None: they use them all
    ways_to_strike: Callable[[Unit], tuple[Unit, ...]] | None = None
    # a question once for each way in which the attacker may decide; the one with the most wounds lost counts
    decisions: Callable[[Fight], tuple[Fight, ...]] | None = None
    # for each weapon about which there is something to decide: the values of `choices`, with their words
    optional: Callable[[Fight], dict[str, dict[str, str]]] | None = None
    fires_copies: bool = False  # a model with two of one ranged weapon fires both
    attach: Callable[[Unit, Unit], Unit] | None = None  # a leader joins a unit
    # what models slain lead to (battleshock)
    aftermath: Callable[[Fight, Pmf], Mapping[str, Pmf]] | None = None
    turns: Turns | None = None  # how a turn runs between two units, for duels
    # scopes of effects in which equal rules add up; elsewhere a named rule acts once, from however many units
    # it comes
    stacking: frozenset[str] = frozenset()
    called: Mapping[str, str] = field(default_factory=dict)  # commands whose name is not plain from their key
    # a command that takes one roll again, whichever it is: kind of roll -> the command that takes only these
    one_reroll: Mapping[str, str] = field(default_factory=dict)
    best_reroll: str = ""  # that command where it is used on the roll where it is worth most

    def reads(self, unit: Unit, effects: Iterable[Effect] = ()) -> frozenset[str]:
        """What the weapon abilities of a unit look at, those that effects may give it included.

        >>> from mathhammer import load_unit
        >>> from mathhammer.games.discovery import attacks_of
        >>> sorted(attacks_of("wh40k10").reads(load_unit("Captain", "wh40k10")))
        ['distance', 'flags', 'keywords']
        """
        return reads_of(self._abilities_in_play(unit, effects))

    def distances(self, unit: Unit, effects: Iterable[Effect] = ()) -> list[float]:
        """The distances at which those abilities start or end."""
        return distances_of(self._abilities_in_play(unit, effects))

    def _abilities_in_play(self, unit: Unit, effects: Iterable[Effect]) -> tuple[WeaponAbility, ...]:
        changes = (change for effect in (*unit.effects, *effects) for change in effect.changes)
        gained = (word for key, words in changes if key == "gain" for word in words)
        printed = (word for weapon in unit.weapons for word in weapon.abilities)
        return self.abilities.of(tuple(dict.fromkeys((*printed, *gained))))


@dataclass(frozen=True, slots=True)
class Count:
    """A limit of army composition as a sum over the units of a list: `low` <= sum of weights <= `high`."""

    rule: str
    weight: Callable[[Unit], float]
    low: float = -inf
    high: float = inf


@dataclass(frozen=True, slots=True)
class ArmyRules:
    """Army composition: what is wrong with a list, and the limits that can be counted while one is made."""

    check: Callable[[Roster], list[Finding]]
    # copies of a unit within a points limit
    most: Callable[[Unit, int], int] = lambda _unit, _limit: MOST_COPIES
    counts: tuple[Count, ...] = ()


@dataclass(frozen=True, slots=True)
class Lists:
    """How army lists and catalogues of a game are written by the tools that players use."""

    family: Literal["sigmar", "wh40k"]
    ids: tuple[str, ...]  # of the game in catalogues
    names: tuple[str, ...]  # of the game in files without ids, in lower case
    # editions of it that are not read: their ids in catalogues, and their titles
    others: tuple[tuple[str, str], ...] = ()
    # lines of a text of which one tells that it is for this edition; a text without any of them is for an
    # edition that has none
    marks: tuple[re.Pattern[str], ...] = ()


@dataclass(frozen=True, slots=True)
class RecordKind:
    """What a record of a datasheet holds.

    `relations` looks at fields that are right by themselves, and raises one sentence if they do not fit.
    """

    fields: tuple[Field, ...]
    relations: Callable[[str, Mapping[str, Any]], object] | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game: the questions it answers, how its units attack, and how its armies are built and written."""

    key: str
    title: str
    questions: Mapping[str, Question]
    attacks: Attacks | None = None
    army: Callable[[], ArmyRules] | None = None  # loaded where lists are checked or made
    lists: Lists | None = None
    general: str = "general"  # who leads an army
    block: str = "regiment"  # what an army is made of
    # datasheets of a game without units that have weapons: table -> what one of its records holds
    records: Mapping[str, RecordKind] = field(default_factory=dict)
    short: str = ""  # the title in few words, for the line above an answer
    small_library: bool = (
        False  # few units are shipped: names that an older edition has too mean the older one
    )

    def __reduce__(self) -> tuple[Any, ...]:
        """A game travels by its key: another process has the same one."""
        from mathhammer.games.discovery import get_game

        return get_game, (self.key,)

    @property
    def short_title(self) -> str:
        """The title in few words, where it has some."""
        return self.short or self.title

    def fighting(self, where: str) -> Attacks:
        """How its units attack; an error that names its questions where they have no weapons."""
        if self.attacks is None:
            raise BadInputError(
                f"{where}: {self.title} has no units with weapons "
                f"(ask mathhammer.odds({self.key!r}, ...) one of: {', '.join(self.questions)})"
            )
        return self.attacks
