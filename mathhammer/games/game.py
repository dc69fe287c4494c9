"""`Game`: what a game tells the engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.plan import Plan, Target
from mathhammer.games.abilities import Abilities
from mathhammer.games.turns import Turns
from mathhammer.units.effects import Effect
from mathhammer.units.unit import Situation, Unit, Weapon

FieldKind = Literal[
    "need", "number", "dice", "text", "flag", "words", "change", "modifier", "reroll", "choice"
]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a datasheet: what it may hold, and what stands there when it is left out."""

    name: str
    kind: FieldKind
    required: bool = False
    default: Any = None
    low: int = 0
    high: int = 1000
    choices: tuple[str, ...] = ()
    doc: str = ""


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

    def option(self, name: str) -> Any:
        """The value of one of the system's switches."""
        return dict(self.options)[name]


Question = Callable[..., Mapping[str, Any] | Plan]  # a plan is put to the exact engine


@dataclass(frozen=True, slots=True)
class Game:
    """A game: its datasheet fields, abilities, situations, and the functions that answer for it."""

    key: str
    title: str
    wounds: str
    plan: Callable[[Fight], Plan]
    unit_fields: tuple[Field, ...]
    weapon_fields: tuple[Field, ...]
    effect_fields: tuple[Field, ...]
    abilities: Abilities
    situations: Mapping[str, str]
    commands: Mapping[str, str]
    options: Mapping[str, Any]
    questions: Mapping[str, Question]
    group_fields: tuple[Field, ...] = ()
    # whether an attack of this unit depends on how many models the target has (the conditions of effects
    # aside)
    counts_target_models: Callable[[Unit], bool] | None = None
    # the target as engines see it, for plans that any such target shares
    target_of: Callable[[Unit], Target] | None = None
    # for whole armies: what of a target the chain of an attack depends on, and what the harm of its packets
    # depends on
    views: tuple[Callable[[Unit], Any], Callable[[Unit], Any]] | None = None
    pools: bool = False  # damage spills from model to model, so there is a pool to report
    # one-line profiles: readers of a weapon and of a target, and the fields that an attacker needs besides
    # its weapons
    quick: tuple[Callable[[str], dict[str, Any]], Callable[[str], dict[str, Any]]] | None = None
    quick_body: Mapping[str, Any] = field(default_factory=dict)
    # the weapon of one attack with that Rend (or AP) and Damage, as a datasheet has it
    probe: Callable[[int, int | str], dict[str, Any]] | None = None
    general: str = "general"  # what the leader of an army is called
    # what models slain lead to (battleshock)
    aftermath: Callable[[Fight, Pmf], Mapping[str, Pmf]] | None = None
    turns: Turns | None = None  # how a turn runs between two units, for duels
    # scopes of effects in which equal rules add up; elsewhere a named rule acts once, from however many units
    # it comes
    stacking: frozenset[str] = frozenset()
    # datasheets of a game without units that have weapons: table -> the check of one record, which raises one
    # sentence
    records: Mapping[str, Callable[[str, Mapping[str, Any]], None]] = field(default_factory=dict)

    def depends_on_size(self, attacker: Unit) -> bool:
        """Whether the attacks of this unit depend on how many models the target has, the conditions of
        effects aside.
        """
        return self.counts_target_models is not None and self.counts_target_models(attacker)
