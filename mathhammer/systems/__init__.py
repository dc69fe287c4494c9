"""`System`: what a game tells the engines, how its abilities register, and how games are found."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from mathhammer.chain import Chain, Plan, Target
from mathhammer.effects import Change, Effect, Facts
from mathhammer.errors import UnknownNameError
from mathhammer.pmf import Pmf
from mathhammer.systems._turns import Turns
from mathhammer.units import Situation, Unit, Weapon

FieldKind = Literal["need", "number", "dice", "text", "flag", "words", "change", "modifier", "reroll", "choice"]


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


@dataclass(frozen=True, slots=True)
class Draft:
    """An attack while it is being built: the chain, and the changes of characteristics still to be applied."""

    chain: Chain
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Ability:
    """A weapon ability: its spelling, the rule it cites, and the edit it makes."""

    name: str
    rule: str
    pattern: re.Pattern[str]
    edit: Callable[[Draft, Facts, str], Draft]
    crit: bool = False  # triggered by a critical hit, where only one such ability may be chosen
    doc: str = ""


@dataclass(slots=True)
class Abilities:
    """The weapon abilities of a game; `@abilities.add(...)` registers one function."""

    known: list[Ability] = field(default_factory=list)

    def add(self, name: str, *, rule: str, pattern: str | None = None, crit: bool = False) -> Callable[..., Any]:
        """Registers the decorated edit under a name; `pattern` is for names with a number or keyword inside."""

        def register(edit: Callable[[Draft, Facts, str], Draft]) -> Callable[[Draft, Facts, str], Draft]:
            spelled = re.compile(pattern or re.escape(name), re.IGNORECASE)
            self.known.append(Ability(name, rule, spelled, edit, crit, (edit.__doc__ or "").strip()))
            return edit

        return register

    def find(self, text: str) -> tuple[Ability, str]:
        """The ability of that spelling, and what stands in its brackets or behind it (a keyword, a number)."""
        squeezed = " ".join(text.split())
        for ability in self.known:
            if found := ability.pattern.fullmatch(squeezed):
                return ability, next((part for part in found.groups() if part), "")
        raise UnknownNameError("weapon", "ability", text, [ability.name for ability in self.known])


Question = Callable[..., Mapping[str, Any] | Plan]  # a plan is put to the exact engine


@dataclass(frozen=True, slots=True)
class System:
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
    # whether an attack of this unit depends on how many models the target has (the conditions of effects aside)
    counts_target_models: Callable[[Unit], bool] | None = None
    target_of: Callable[[Unit], Target] | None = None  # the target as engines see it, for plans that any such target shares
    # for whole armies: what of a target the chain of an attack depends on, and what the harm of its packets depends on
    views: tuple[Callable[[Unit], Any], Callable[[Unit], Any]] | None = None
    pools: bool = False  # damage spills from model to model, so there is a pool to report
    # one-line profiles: readers of a weapon and of a target, and the fields that an attacker needs besides its weapons
    quick: tuple[Callable[[str], dict[str, Any]], Callable[[str], dict[str, Any]]] | None = None
    quick_body: Mapping[str, Any] = field(default_factory=dict)
    aftermath: Callable[[Fight, Pmf], Mapping[str, Pmf]] | None = None  # what models slain lead to (battleshock)
    turns: Turns | None = None  # how a turn runs between two units, for duels
    # scopes of effects in which equal rules add up; elsewhere a named rule acts once, from however many units it comes
    stacking: frozenset[str] = frozenset()
    # datasheets of a game without units that have weapons: table -> the check of one record, which raises one sentence
    records: Mapping[str, Callable[[str, Mapping[str, Any]], None]] = field(default_factory=dict)

    def depends_on_size(self, attacker: Unit) -> bool:
        """Whether the attacks of this unit depend on how many models the target has, the conditions of effects aside."""
        return self.counts_target_models is not None and self.counts_target_models(attacker)


@cache
def get_system(key: str) -> System:
    """The game of that key.

    >>> get_system("aos4").title
    'Warhammer Age of Sigmar, 4th edition'
    """
    if key not in system_keys():
        raise UnknownNameError("mathhammer", "system", str(key), system_keys())
    found: System = importlib.import_module(f"{__name__}.{key}").SYSTEM
    return found


def current_editions(keys: Iterable[str]) -> list[str]:
    """Of several editions of one game (keys that differ in the number at their end) the newest.

    >>> current_editions(["aos1", "aos4", "wh40k10"])
    ['aos4', 'wh40k10']
    """
    newest: dict[str, str] = {}
    for key in keys:
        game = key.rstrip("0123456789")
        newest[game] = max(key, newest.get(game, key), key=lambda one: int(one[len(one.rstrip("0123456789")) :] or 0))
    return list(newest.values())


@cache
def system_keys() -> tuple[str, ...]:
    """The keys of all games, found by looking at the package.

    >>> "aos4" in system_keys()
    True
    """
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")))
