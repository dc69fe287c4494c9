"""Who is meant and under which conditions: what the clauses of a sentence have said so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from itertools import product
from typing import Any, Literal

from mathhammer.dataclass import dataclass

Side = Literal["self", "led", "friends", "foes"]
Of = Literal["", "self", "friend", "foe"]
# States of a unit; an enemy's are written with `target_` before them.
STATES = (
    "charged",
    "in_cover",
    "below_half",
    "below_starting",
    "damaged",
    "battle_shocked",
    "on_objective",
    "moved",
    "retreated",
    "set_up",
)
# What else is said of an enemy; most of it has no word, and is a switch that the player sets. Territory is
# friendly to the unit that has the ability.
OF_ENEMY = {
    "stationary": "if the enemy unit did not move",
    "advanced": "if the enemy unit advanced",
    "ran": "if the enemy unit ran",
    "disembarked": "if the enemy unit disembarked",
    "in_territory": "if the enemy unit is in your territory",
    "in_enemy_territory": "target_in_territory",
    "facing_charge": "if a unit that charged is in combat with the enemy unit",
}
# Words that speak of a unit's nature: they follow the unit that the effect acts on.
NATURE = ("has ", "lacks ", "is ", "contains ", "model ")


@dataclass(frozen=True, slots=True)
class Cond:
    """One condition, and of whom it is said: the unit that has the ability, a friend, an enemy, or nobody."""

    word: str
    of: Of = ""
    no: bool = False

    def written(self, on: str) -> str:
        """The condition in the words of the effect language, for an effect on that scope."""
        text = self._positive(on)
        if not self.no:
            return text
        for word, other in (("has ", "lacks "), ("target has ", "target lacks ")):
            if text.startswith(word):
                return other + text.removeprefix(word)
        return f"not {text}"

    def _positive(self, on: str) -> str:
        nature = self.word.startswith(NATURE)
        if self.of == "foe":
            if nature:
                return self.word if on in ("enemies", "attacker") else f"target {self.word}"
            if self.word.startswith(("models", "lost", "wounds")):
                return f"target {self.word}"
            return f"target_{self.word}" if self.word in STATES else OF_ENEMY.get(self.word, self.word)
        if self.of == "self":
            others = on in ("led", "friends", "friends_attacker") or (
                nature and on in ("enemies", "attacker")
            )
            return f"self {self.word}" if others else self.word
        return self.word


Alts = tuple[tuple[Cond, ...], ...]
ALWAYS: Alts = ((),)


def both(first: Alts, second: Alts) -> Alts:
    """All of either: every way to meet both."""
    return tuple((*a, *(c for c in b if c not in a)) for a, b in product(first, second))


def one(word: str, of: Of = "", no: bool = False) -> Alts:
    """A single condition."""
    return ((Cond(word, of, no),),)


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a phrase means: a side, what it must be, and whether it was picked."""

    side: Side
    alts: Alts = ALWAYS
    picked: bool = False
    reach: str = ""  # how far away a picked enemy may be
    also: tuple[Who, ...] = ()  # "this unit and ..."
    weapon: tuple[str, ...] = ()  # the weapon with which it was hit

    @property
    def of(self) -> Of:
        """What conditions about it are said of."""
        return {"self": "self", "led": "friend", "friends": "friend", "foes": "foe"}[self.side]  # type: ignore[return-value]

    @property
    def scope(self) -> str:
        """`on` of an effect that is theirs."""
        return {"self": "unit", "led": "led", "friends": "friends", "foes": "enemies"}[self.side]

    def that(self, alts: Alts) -> Who:
        """The same with more conditions."""
        return replace(self, alts=both(self.alts, alts), also=tuple(who.that(alts) for who in self.also))


SELF = Who("self")
NOBODY = Who("self", picked=True)  # somebody was picked, and it was not understood whom


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that the ability rolls and whose result is not yet told."""

    dice: str = "1"  # how many
    kind: str = ""  # "" a D6, else D3, 2D6
    many: bool = False  # one for each of several units
    number: int = 0  # which roll of the ability it is

    def shows(self, text: str) -> str:
        """What must be rolled, with the kind of dice."""
        plain = not self.kind or (text.startswith((">", "<")) and self.kind == "D3")
        return text if plain else f"{self.kind} {text}"


@dataclass(frozen=True, slots=True)
class Frame:
    """What has been said so far: by whom, against whom, when, by whose choice, on which roll."""

    alts: Alts = ALWAYS
    use: str = ""
    limit: str = ""
    needs: str = ""
    weapon: tuple[str, ...] = ()
    it: Who = SELF  # "it", "that unit"
    foe: Who | None = None  # "that enemy unit"
    by: Who | None = None  # whose attacks are meant
    against: Who | None = None  # attacks against whom are meant
    attack: bool = False  # "that attack" is known
    roll: Roll | None = None
    rolls: int = 0  # how many rolls were told of
    on: str = ""  # what the pending roll must show
    last: Alts | None = None  # the last "if", for "otherwise"
    mark: str = ""  # what a picked enemy is called: "prey"
    status: str = ""  # a status that was just given, and
    bearers: Who | None = None  # who has it
    given: str = ""  # the roll on which it was given
    options: tuple[str, ...] = ()  # weapon abilities of which one was chosen
    crit: str = ""  # mortal damage on top of criticals: which
    per: str = ""  # what the next change is counted by
    declared: Who | None = None  # who declared the ability to which this is a reaction
    caster: bool = False  # "the caster" is the unit that has the ability
    phase: str = ""  # melee or ranged: the phase in which it happens
    near: Alts | None = None  # what it means for this unit that somebody is near
    led: bool = False  # this model leads the unit that is meant
    companion: bool = False  # Companion weapons are meant too
    victim: Who | None = None  # who was hurt last
    own_needs: bool = False  # the roll that is told of is the casting or chanting roll
    extra: Alts | None = None  # conditions that stand behind a change alone
    test: Who | None = None  # who takes the test that is told of

    def when(self, alts: Alts) -> Frame:
        """The same under one more condition."""
        return replace(self, alts=both(self.alts, alts))

    def chosen(self) -> Frame:
        """The same by choice of a player."""
        return replace(self, use="choice")

    @property
    def used(self) -> str:
        """`use` as it is written."""
        if self.limit and not self.use:
            return f"choice {self.limit}"
        return " ".join(part for part in (self.use, self.limit) if part)


@dataclass(frozen=True, slots=True)
class Change:
    """One effect as it was read: on whom, when, and what changes."""

    on: str
    when: tuple[str, ...]
    use: str
    needs: str
    weapon: tuple[str, ...]
    changes: Mapping[str, Any] = field(default_factory=dict)
    roll: Roll | None = None  # the roll that it hangs on

    def mapping(self) -> dict[str, Any]:
        """As a datasheet and a reading write it; what is not said is left out."""
        head: dict[str, Any] = {}
        if self.on != "unit":
            head["on"] = self.on
        if self.when:
            head["when"] = list(self.when)
        if self.use:
            head["use"] = self.use
        if self.needs:
            head["needs"] = self.needs
        if self.weapon:
            head["weapon"] = self.weapon[0] if len(self.weapon) == 1 else list(self.weapon)
        return {**head, **self.changes}


def written(alts: Alts, on: str) -> list[tuple[str, ...]]:
    """Each way to meet the conditions, in the words of the effect language."""
    ways: list[dict[str, None]] = []
    for way in alts:
        words = dict.fromkeys(cond.written(on) for cond in way)
        if "facing_charge" in words:
            words.pop("in_combat", None)
        near = [word for word in words if word.startswith("within ")]
        for word in near[1:]:  # a pick in range that lasts while it is near: the lasting range counts
            words.pop(word)
        ways.append(words)
    # a way that asks for more than another one adds nothing
    kept = [
        words
        for number, words in enumerate(ways)
        if not any(
            set(other) < set(words) or (set(other) == set(words) and place < number)
            for place, other in enumerate(ways)
            if place != number
        )
    ]
    return [tuple(words) for words in kept]


def merged(changes: Iterable[Change]) -> list[Change]:
    """Effects with the same head put together, in the order in which they came."""
    found: dict[tuple[Any, ...], Change] = {}
    for change in changes:
        key: tuple[Any, ...] = (change.on, frozenset(change.when), change.use, change.needs, change.weapon)
        while key in found and any(
            name in found[key].changes and not isinstance(value, list)
            for name, value in change.changes.items()
        ):
            key = (*key, 1)
        old = found.get(key)
        if old is None:
            found[key] = change
            continue
        mix = dict(old.changes)
        for name, value in change.changes.items():
            mix[name] = [*mix.get(name, ()), *value] if isinstance(value, list) else value
        found[key] = replace(old, changes=mix)
    return list(found.values())
