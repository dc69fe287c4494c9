"""What a rule changes, when and on what: `Effect`, its conditions, and changes of a characteristic."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast

from mathhammer.errors import BadInputError, UnknownNameError

Scope = Literal["unit", "target", "attacker", "friends"]
SCOPES: dict[str, str] = {
    "unit": "the unit itself, when it attacks and when it is attacked",
    "target": "the enemy unit that it attacks",
    "attacker": "the enemy unit that attacks it",
    "friends": "another friendly unit that the effect is handed to (--with NAME)",
}
# Flags that follow from the units themselves; a system adds those of its situations.
STANDING_FLAGS: dict[str, str] = {
    "damaged": "the unit has lost wounds that did not slay a model",
    "target_damaged": "the target has lost wounds that did not slay a model",
    "melee": "the attack is made with a melee weapon",
    "ranged": "the attack is made with a ranged weapon",
}


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a condition may look at."""

    flags: frozenset[str]
    keywords: frozenset[str]
    target_keywords: frozenset[str]
    models: int
    target_models: int
    lost: int = 0
    target_lost: int = 0
    distance: float | None = None
    round: int | None = None
    phase: str | None = None
    strength: int | None = None  # of the attack, and the Toughness that it meets, where a game has them
    toughness: int | None = None

    def only(self, reads: tuple[str, ...]) -> Facts:
        """The facts with just these fields; reading another one raises an AttributeError.

        >>> facts = Facts(frozenset({"charged"}), frozenset(), frozenset(), 5, 1, distance=9.0)
        >>> facts.only(("distance",)).distance
        9.0
        >>> facts.only(("distance",)).models
        Traceback (most recent call last):
        AttributeError: facts.models is read but not declared (add it to reads=)
        """
        return cast(Facts, _facts_with(reads)(*[getattr(self, name) for name in reads]))


class _Undeclared:
    """What facts with a few fields say of the others."""

    __slots__ = ()
    only = Facts.only

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"facts.{name} is read but not declared (add it to reads=)")


@cache
def _facts_with(reads: tuple[str, ...]) -> type:
    return type("FactsRead", (_Undeclared, namedtuple("FactsRead", reads)), {"__slots__": ()})


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of an effect, read from text.

    >>> facts = Facts(frozenset({"charged"}), frozenset(), frozenset({"MONSTER"}), 5, 1)
    >>> [parse_condition(text).holds(facts) for text in ("charged", "target has MONSTER", "not models >= 10")]
    [True, True, True]
    """

    text: str
    subject: str
    test: str
    value: str | int | float
    negated: bool = False

    def holds(self, facts: Facts) -> bool:
        """True when the condition is met; a distance or round that nobody gave meets none."""
        return self._plain(facts) != self.negated

    def _plain(self, facts: Facts) -> bool:
        if self.subject == "flag":
            return self.value in facts.flags
        if self.subject == "phase":
            return self.value == facts.phase
        seen: Any = getattr(facts, self.subject)
        if self.test == "has":
            return self.value in seen
        if self.test == "lacks":
            return self.value not in seen
        value = facts.toughness if self.value == "toughness" else self.value
        return seen is not None and value is not None and _COMPARE[self.test](seen, value)


_COMPARE = {
    ">=": lambda seen, value: seen >= value,
    "<=": lambda seen, value: seen <= value,
    ">": lambda seen, value: seen > value,
    "<": lambda seen, value: seen < value,
    "==": lambda seen, value: seen == value,
}
_KEYWORD = re.compile(r"(target )?(has|lacks) (\S.{0,60})")
_NUMBER = re.compile(
    r"(models|target models|lost|target lost|distance|round|strength) ?(>=|<=|==|>|<) "
    r"?(\d{1,4}(?:\.\d{1,3})?)"
)
_STRENGTH = re.compile(r"strength ?(>=|<=|==|>|<) ?toughness")
PHASES = ("hero", "movement", "shooting", "charge", "combat", "fight", "end")


def parse_condition(text: str, flags: Iterable[str] = ()) -> Condition:
    """A condition from its text; `flags` are the situations that the system knows.

    >>> parse_condition("distance <= 12").value
    12.0
    """
    words = " ".join(text.split())
    negated = words.startswith("not ")
    plain = words.removeprefix("not ")
    if match := _KEYWORD.fullmatch(plain):
        subject = "target_keywords" if match[1] else "keywords"
        return Condition(text, subject, match[2], match[3].upper(), negated)
    if match := _NUMBER.fullmatch(plain):
        return Condition(text, match[1].replace(" ", "_"), match[2], float(match[3]), negated)
    if match := _STRENGTH.fullmatch(plain):
        return Condition(text, "strength", match[1], "toughness", negated)
    if plain.startswith("phase "):
        phase = plain.removeprefix("phase ")
        if phase not in PHASES:
            raise UnknownNameError("condition", "phase", phase, PHASES)
        return Condition(text, "phase", "is", phase, negated)
    known = {*STANDING_FLAGS, "charged", *flags}
    if plain not in known:
        raise UnknownNameError(
            "condition", "condition", plain, [*known, "has KEYWORD", "target has KEYWORD", "models >= 10"]
        )
    return Condition(text, "flag", "is", plain, negated)


Op = Literal["set", "mul", "div", "add"]


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a characteristic and the rule it comes from; `enemy` when the other side makes it."""

    stat: str
    op: Op
    value: int
    source: str = ""
    enemy: bool = False

    def __str__(self) -> str:
        sign = {"set": "=", "mul": "x", "div": "/"}.get(self.op, "+" if self.value >= 0 else "")
        return f"{sign}{self.value}" + (f" {self.source}" if self.source else "")


_CHANGE = re.compile(r"(?:([+-])|(=)|([x*])|(/)) ?(\d{1,3})")


def parse_change(stat: str, text: str, source: str = "", enemy: bool = False) -> Change:
    """A change from `+1`, `-1`, `=4`, `x2` or `/2`.

    >>> parse_change("attacks", "+3").op, parse_change("damage", "/2").value
    ('add', 2)
    """
    match = _CHANGE.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None or (int(match[5]) == 0 and (match[3] or match[4])):
        raise BadInputError(f"{stat}: {text!r} is not a change (write '+1', '-1', '=4', 'x2' or '/2')")
    number = int(match[5])
    if match[1]:
        return Change(stat, "add", number if match[1] == "+" else -number, source, enemy)
    op: Op = "set" if match[2] else "mul" if match[3] else "div"
    return Change(stat, op, number, source, enemy)


@dataclass(frozen=True, slots=True)
class Effect:
    """A rule of a unit as data: it holds `when` all conditions hold, acts `on` a scope, and makes `changes`.

    `weapon` limits it to one weapon; `enemy` marks what the other side does to a weapon.
    """

    name: str
    changes: tuple[tuple[str, Any], ...]
    when: tuple[Condition, ...] = ()
    on: Scope = "unit"
    weapon: str | None = None
    enemy: bool = False
    group: str | None = None  # the only model group whose defence it changes

    def holds(self, facts: Facts) -> bool:
        """True when every condition is met."""
        return all(condition.holds(facts) for condition in self.when)


@dataclass(frozen=True, slots=True)
class Active:
    """One change of an effect that holds here, with the name of its rule."""

    key: str
    value: Any
    source: str
    enemy: bool
    named: bool = False  # the effect names the weapon
    group: str | None = None  # the only model group whose defence it changes
