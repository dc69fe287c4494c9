"""Conditions of effects: when a rule holds, read from a few words, and the facts that they look at."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterable
from functools import cache
from typing import Any, cast

from mathhammer.dataclass import dataclass
from mathhammer.errors import UnknownNameError

# Flags that follow from the units themselves; a system adds those of its situations.
STANDING_FLAGS: dict[str, str] = {
    "damaged": "the unit has lost wounds that did not slay a model",
    "target_damaged": "the target has lost wounds that did not slay a model",
    "below_half": "the unit is below half of its starting strength",
    "target_below_half": "the target is below half of its starting strength",
    "below_starting": "the unit is below its starting strength",
    "target_below_starting": "the target is below its starting strength",
    "melee": "the attack is made with a melee weapon",
    "ranged": "the attack is made with a ranged weapon",
}
# Flags that follow from others, from either side of an attack: who fights is in combat, and a unit charges in
# its own turn.
IMPLIED: dict[str, frozenset[str]] = {
    "in_combat": frozenset({"melee"}),
    "target_in_combat": frozenset({"melee"}),
    "engaged": frozenset({"melee"}),
    "target_engaged": frozenset({"melee"}),
    "facing_charge": frozenset({"melee", "target_charged"}),
    "my_turn": frozenset({"charged"}),
    "enemy_turn": frozenset({"target_charged"}),
}
# One thing under the names that different games give it.
SYNONYMS: tuple[frozenset[str], ...] = (
    frozenset({"retreated", "fell_back"}),
    frozenset({"target_retreated", "target_fell_back"}),
    frozenset({"ran", "advanced"}),
    frozenset({"in_combat", "engaged"}),
    frozenset({"target_in_combat", "target_engaged"}),
)
# Words of the language of rules that a game need not have as a situation: a player says whether they hold.
WORDS = frozenset(
    (
        "charged target_charged stationary advanced ran retreated half_range target_in_cover engaged "
        "in_combat battle_shocked target_battle_shocked on_objective target_on_objective closest_target "
        "my_turn enemy_turn set_up disembarked moved_over moved target_moved target_retreated facing_charge "
        "in_territory in_enemy_territory"
    ).split()
)
# What happens at a moment of an attack: rules of their own look at these, no fact holds them.
TRIGGERS = ("destroyed", "model_slain", "failed test", "passed test", "hit_by_this", "damaged_by_this")
PHASES = ("hero", "movement", "shooting", "charge", "combat", "fight", "end", "command")


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
    ap: int | None = None  # of the attack after all changes, as a number from 0 on
    damage: int | None = None  # of the attack after all changes; None: it is rolled, or not known
    wounds: int = 0  # that the unit has left, and its target
    target_wounds: int = 0
    reach: float | None = None  # the distance, also where nobody has to say it: in melee it is none
    near: float | None = None  # inches to the unit whose rule it is; None: not known
    weapon: frozenset[str] = frozenset()  # abilities of the weapon
    led_by: frozenset[str] = frozenset()  # keywords of the models that lead the unit, and their names
    contains: frozenset[str] = frozenset()  # names of the unit's models that are left
    used: frozenset[str] = frozenset()  # switches that a player has set, abilities in use among them
    rolled: tuple[
        str, ...
    ] = ()  # no fact says which dice were rolled: rules about single dice look themselves

    def only(self, reads: tuple[str, ...], words: frozenset[str] | None = None) -> Facts:
        """The facts with just these fields, and of the target's keywords just these words; reading another
        field raises an AttributeError.

        >>> facts = Facts(frozenset({"charged"}), frozenset(), frozenset(), 5, 1, distance=9.0)
        >>> facts.only(("distance",)).distance
        9.0
        >>> facts.only(("distance",)).models
        Traceback (most recent call last):
        AttributeError: facts.models is read but not declared (add it to reads=)
        """
        values = [getattr(self, name) for name in reads]
        if words is not None and "target_keywords" in reads:
            values[reads.index("target_keywords")] &= words
        return cast(Facts, _facts_with(reads)(*values))


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
    own: bool = False  # of the unit that has the rule, though the rule acts on others

    def holds(self, facts: Facts) -> bool:
        """True when the condition is met; a distance or round that is not known meets none, whichever way it
        is asked.
        """
        if self.subject in MEASURED and getattr(facts, self.subject) is None:
            return False
        return self._plain(facts) != self.negated

    def _plain(self, facts: Facts) -> bool:
        if self.subject == "flag":
            return self.value in facts.flags or IMPLIED.get(str(self.value), NEVER) <= facts.flags
        if self.subject == "phase":
            return self.value == facts.phase
        if self.subject == "rolled":
            return False
        if self.subject == "leading":  # an Attached unit has the keywords of all its models
            return bool(facts.led_by) and self.value in facts.keywords
        seen: Any = getattr(facts, self.subject)
        if self.test in ("has", "lacks"):
            return (self.value in seen) == (self.test == "has")
        if self.test == "any":
            return bool(seen)
        value = facts.toughness if self.value == "toughness" else self.value
        return value is not None and _COMPARE[self.test](seen, value)


NEVER = frozenset({"never"})
_COMPARE = {
    ">=": lambda seen, value: seen >= value,
    "<=": lambda seen, value: seen <= value,
    ">": lambda seen, value: seen > value,
    "<": lambda seen, value: seen < value,
    "==": lambda seen, value: seen == value,
}
ATTACK_OWN = frozenset({"strength", "ap", "damage"})  # characteristics of the attack itself
DISTANCES = frozenset({"distance", "reach"})
MEASURED = ATTACK_OWN | DISTANCES | {"round", "near"}
_KEYWORD = r"(target )?(has|lacks) (\S.{0,60})"
_NUMBER = (
    r"(models|target models|lost|target lost|wounds|target wounds|distance|round|strength|ap|damage) "
    r"?(>=|<=|==|>|<) ?(\d{1,4}(?:\.\d{1,3})?)"
)
_STRENGTH = r"strength ?(>=|<=|==|>|<) ?toughness"
_WITHIN = r"(target_)?within (\d{1,3}(?:\.\d{1,3})?)"
_WEAPON = r"weapon (has|lacks) (\S.{0,60})"
_LED = r"(led|leading)(?: (\S.{0,120}))?"
_CONTAINS = r"contains (\S.{0,120})"
# A player says whether these hold: `used NAME`, `is NAME`, a picked target, and whatever stands behind `if`.
_SWITCH = r"(?:if|used|is|target is) (\S.{0,200})|(target_picked)(?: \d{1,3})?|(near \S.{0,120}|ward_roll \d)"
PICKED = "target picked"  # the switch of rules about an enemy unit that was picked
_ROLLED = r"(hit_roll|wound_roll|save_roll) ([1-6])"  # once for each such die


_GAPS = r"[\s_-]+"


def switch(text: str) -> str:
    """A switch as it is compared: case, hyphens and underscores do not matter.

    >>> switch("Dark-Pact"), switch("under_orders")
    ('dark pact', 'under orders')
    """
    return " ".join(re.split(_GAPS, text.strip().lower()))


def parse_condition(text: str, flags: Iterable[str] = ()) -> Condition:
    """A condition from its text; `flags` are the situations that the system knows.

    >>> parse_condition("distance <= 12").value
    12.0
    >>> parse_condition("not if under orders").value
    'under orders'
    """
    words = " ".join(text.split())
    negated = words.startswith("not ")
    plain = words.removeprefix("not ")
    own = plain.startswith("self ")
    plain = plain.removeprefix("self ")
    if plain.startswith("not "):
        negated, plain = not negated, plain.removeprefix("not ")
    known = {*STANDING_FLAGS, "charged", *flags}
    if flag := _flag(plain, known):
        return Condition(text, "flag", "is", flag, negated, own)
    subject = ("used", "has", switch(plain)) if plain in WORDS else _parsed(plain)
    if subject is not None:
        return Condition(text, *subject, negated, own)
    if plain.startswith("phase "):
        phase = plain.removeprefix("phase ")
        if phase not in PHASES:
            raise UnknownNameError("condition", "phase", phase, PHASES)
        return Condition(text, "phase", "is", phase, negated, own)
    raise UnknownNameError(
        "condition",
        "condition",
        plain,
        [*known, *TRIGGERS, "has KEYWORD", "target has KEYWORD", "models >= 10", "if SWITCH"],
    )


def as_switch(condition: Condition) -> Condition:
    """The condition as something that a player says.

    >>> as_switch(parse_condition("not self in_combat", ["in_combat"])).value
    'self in combat'
    """
    words = switch(condition.text.removeprefix("not "))
    return Condition(condition.text, "used", "has", words, condition.negated)


def _flag(plain: str, known: Iterable[str]) -> str:
    """The flag that a word means in a game with these; empty where it has none for it."""
    if plain in known:
        return plain
    alike = next((names for names in SYNONYMS if plain in names), frozenset[str]())
    return next((name for name in sorted(alike) if name in known), plain if plain in IMPLIED else "")


def from_the_other_side(flag: str) -> str:
    """A flag as the unit on the other side of the attack sees it.

    >>> [from_the_other_side(flag) for flag in ("charged", "target_charged", "melee", "my_turn")]
    ['target_charged', 'charged', 'melee', 'enemy_turn']
    """
    same = {"melee": "melee", "ranged": "ranged", "my_turn": "enemy_turn", "enemy_turn": "my_turn"}
    if flag in same:
        return same[flag]
    return flag.removeprefix("target_") if flag.startswith("target_") else f"target_{flag}"


def _parsed(plain: str) -> tuple[str, str, str | float] | None:
    """What a condition asks, how, and against what; None where it is not one of these."""
    if match := re.fullmatch(_KEYWORD, plain):
        return "target_keywords" if match[1] else "keywords", match[2], match[3].upper()
    if match := re.fullmatch(_NUMBER, plain):
        return match[1].replace(" ", "_"), match[2], float(match[3])
    if match := re.fullmatch(_STRENGTH, plain):
        return "strength", match[1], "toughness"
    if match := re.fullmatch(_WITHIN, plain):
        return "reach" if match[1] else "near", "<=", float(match[2])
    if match := re.fullmatch(_WEAPON, plain):
        return "weapon", match[1], switch(match[2])
    if match := re.fullmatch(_LED, plain):
        if match[2] and match[1] == "leading":
            return "leading", "is", match[2].upper()
        return ("led_by", "has", match[2].upper()) if match[2] else ("led_by", "any", "")
    if match := re.fullmatch(_CONTAINS, plain):
        return "contains", "has", switch(match[1])
    if match := re.fullmatch(_ROLLED, plain):
        return "rolled", match[1].removesuffix("_roll"), int(match[2])
    if match := re.fullmatch(_SWITCH, plain):
        return "used", "has", switch(match[1] or match[2] or match[3])
    if plain in TRIGGERS:
        return "used", "has", plain
    return None
