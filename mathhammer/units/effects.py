"""What a rule changes, when and on what: `Effect`, and changes of a characteristic."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal

from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import Dice, parse_dice
from mathhammer.errors import BadInputError
from mathhammer.units.conditions import PICKED, Condition, Facts, switch

Scope = Literal["unit", "led", "friends", "target", "attacker", "friends_attacker", "enemies"]
SCOPES: dict[str, str] = {
    "unit": "the unit itself, when it attacks and when it is attacked",
    "led": "the unit that this model leads",
    "friends": "another friendly unit that the effect is handed to (--with NAME)",
    "target": "the enemy unit that it attacks",
    "attacker": "the enemy unit that attacks it",
    "friends_attacker": "an enemy unit that attacks a friend that the effect is handed to",
    "enemies": "an enemy unit, when it is attacked and when it attacks",
}
Op = Literal["set", "mul", "div", "add"]


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a characteristic and the rule it comes from; `enemy` when the other side makes it.

    `dice` is a rolled bonus, on top of the value.
    """

    stat: str
    op: Op
    value: int
    source: str = ""
    enemy: bool = False
    dice: Dice | None = None

    def __str__(self) -> str:
        sign = {"set": "=", "mul": "x", "div": "/"}.get(self.op, "+" if self.value >= 0 else "")
        value = self.value if self.dice is None else self.dice
        return f"{sign}{value}" + (f" {self.source}" if self.source else "")


_CHANGE = r"(?:([+-])|(=)|([x*])|(/)) ?(\d{1,3})"
_ROLLED = r"(?i)\+ ?(\d{0,2}D[36](?:\+\d{1,2})?)"
_SCALED = r"(.{1,20}?)(?: per (?:(\d{1,2}) )?([A-Za-z].{0,80}?)s?)?(?: limit (\d{1,3}))?"
# What a change may be counted by, and the fact that says how many there are.
SCALES = {
    "model": "models",
    "target model": "target_models",
    "lost": "lost",
    "target lost": "target_lost",
    "round": "round",
}


def parse_change(stat: str, text: str, source: str = "", enemy: bool = False) -> Change:
    """A change from `+1`, `-1`, `=4`, `x2`, `/2` or `+D3`.

    >>> parse_change("attacks", "+3").op, parse_change("damage", "/2").value
    ('add', 2)
    >>> str(parse_change("attacks", "+D3", "Frenzy"))
    '+D3 Frenzy'
    """
    match = re.fullmatch(_CHANGE, text.strip()) if isinstance(text, str) else None
    if match is None and isinstance(text, str) and (rolled := re.fullmatch(_ROLLED, text.strip())):
        return Change(stat, "add", 0, source, enemy, parse_dice(rolled[1]))
    if match is None or (int(match[5]) == 0 and (match[3] or match[4])):
        raise BadInputError(f"{stat}: {text!r} is not a change (write '+1', '-1', '=4', 'x2', '/2' or '+D3')")
    number = int(match[5])
    if match[1]:
        return Change(stat, "add", number if match[1] == "+" else -number, source, enemy)
    op: Op = "set" if match[2] else "mul" if match[3] else "div"
    return Change(stat, op, number, source, enemy)


@dataclass(frozen=True, slots=True)
class Scaled:
    """A change that is counted: so much for each of something, up to a limit.

    >>> facts = Facts(frozenset(), frozenset(), frozenset(), models=11, target_models=3)
    >>> Scaled.read("+1 per 5 models").at(facts), Scaled.read("+2 per target model limit 4").at(facts)
    ('+2', '+4')
    """

    text: str
    per: str = ""
    each: int = 1
    limit: int | None = None

    @staticmethod
    def read(text: str) -> Scaled:
        """The parts of a change text; one without `per` and `limit` is plain."""
        match = re.fullmatch(_SCALED, text.strip())
        if match is None:
            return Scaled(text.strip())
        limit = None if match[4] is None else int(match[4])
        return Scaled(match[1].strip(), match[3] or "", int(match[2] or 1), limit)

    @property
    def countable(self) -> bool:
        """Whether the facts of a fight say how many there are."""
        return not self.per or self.per in SCALES

    def at(self, facts: Facts) -> str | None:
        """The plain change here; None where nothing counts, or it is not known how much."""
        if not self.per:
            return self.text
        number = getattr(facts, SCALES[self.per]) if self.countable else None
        match = re.fullmatch(_CHANGE, self.text)
        if not number or match is None or not match[1]:
            return None
        total = int(match[5]) * (number // self.each)
        total = total if self.limit is None else min(total, self.limit)
        return f"{match[1]}{total}" if total else None


@dataclass(frozen=True, slots=True)
class Mortal:
    """Mortal wounds or damage that a rule deals: so many dice, what each must show, and what it then does.

    >>> str(Mortal("D3")), str(Mortal("D3", "1", "5+")), str(Mortal("1", "models", "4+"))
    ('D3', 'D3 on 5+', '1 on 4+, a die per model')
    """

    each: str
    dice: str = ""  # left out: one lump
    on: str = ""  # left out: every die

    def __str__(self) -> str:
        per = {"": "", "1": "", "models": "a die per model", "target models": "a die per model of the target"}
        dice = per.get(self.dice, f"{self.dice} dice")
        return ", ".join(part for part in (self.each + (f" on {self.on}" if self.on else ""), dice) if part)


@dataclass(frozen=True, slots=True)
class Effect:
    """A rule of a unit as data: it holds `when` all conditions hold, acts `on` a scope, and makes `changes`.

    `weapon` limits it to weapons of these names; `enemy` marks what the other side does to a weapon. With
    `use` it is off until a player uses it, with `needs` it depends on a roll.
    """

    name: str
    changes: tuple[tuple[str, Any], ...]
    when: tuple[Condition, ...] = ()
    on: Scope = "unit"
    weapon: tuple[str, ...] = ()
    enemy: bool = False
    group: str | None = None  # the only models of the unit that it concerns
    use: str = ""
    needs: str = ""
    noted: tuple[str, ...] = ()  # changes that the game cannot act on, in words

    def holds(self, facts: Facts, own: Facts | None = None) -> bool:
        """True when every condition is met, and it is used if somebody has to use it; a roll that it needs is
        not looked at. `own` is what the unit that has the rule sees, where it acts on another one.

        >>> from dataclasses import replace
        >>> from mathhammer.units.conditions import parse_condition
        >>> picked = parse_condition("target_picked 18")
        >>> rule = Effect("Oath", (("hit_roll", 1),), (picked,), use="choice")
        >>> facts = Facts(frozenset(), frozenset(), frozenset(), 5, 1)
        >>> rule.holds(facts), rule.holds(replace(facts, used=frozenset({"oath"})))
        (False, True)
        """
        if self.use and switch(self.name) not in facts.used:
            return False
        return all(
            condition.holds(facts if own is None or not condition.own else own)
            or (condition.value == PICKED and bool(self.use))  # to use it is to pick
            for condition in self.when
        )

    def change(self, key: str) -> Any:
        """What it changes of one thing; None: nothing."""
        return next((value for name, value in self.changes if name == key), None)


def usable(effects: Iterable[Effect]) -> dict[str, str]:
    """What a player may use or say of units with these rules: abilities that are off until then, and switches
    of conditions; as they are compared, and as they are called.

    >>> usable([Effect("Dark Rite", (("hit_roll", 1),), use="choice")])
    {'dark rite': 'Dark Rite'}
    """
    found: dict[str, str] = {}
    for effect in effects:
        found |= {switch(effect.name): effect.name} if effect.use else {}
        for condition in effect.when:
            if condition.subject == "used":
                found.setdefault(str(condition.value), str(condition.value))
    return found


@dataclass(frozen=True, slots=True)
class Active:
    """One change of an effect that holds here, with the name of its rule."""

    key: str
    value: Any
    source: str
    enemy: bool
    named: bool = False  # the effect names the weapon
    group: str | None = None  # the only models of the unit that it concerns
    included: bool = False  # the effect says that it reaches weapons which others do not reach
