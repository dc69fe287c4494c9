"""A rule as data: a small graph of rolls.

Everything here is hashable and holds no arrays. A game builds these values, `table` compiles them, the
engines read the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from functools import lru_cache
from typing import Any, Literal

from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import Dice
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import MathhammerError

# What may be rolled again. "ones": an unmodified 1; "unmodified_fails": what fails before modifiers;
# "fails": what fails in the end; "non_crit": all that is not a critical; a number: that face, if it fails.
Reroll = Literal["ones", "unmodified_fails", "fails", "non_crit"] | int
FACES = range(1, 7)


@dataclass(frozen=True, slots=True, order=True)
class Modifier:
    """Plus or minus on a roll, and the rule it comes from; `capped` ones share the roll's limit."""

    value: int
    source: str
    capped: bool = True


@dataclass(frozen=True, slots=True)
class Roll:
    """One kind of D6 roll, and the lanes that get a token when it succeeds, fails or is critical.

    >>> chances(Roll(needs=3, fails_up_to=1, crit_on=6))
    Chances(fail=0.3333333333333333, success=0.5, crit=0.16666666666666666)
    """

    needs: int | None  # None: nothing succeeds
    modifiers: tuple[Modifier, ...] = ()
    limit: tuple[int | None, int | None] = (None, None)
    limit_source: str = ""
    drop_negative: bool = False
    drop_positive: bool = False
    crit_on: int | None = None
    crit_succeeds: bool = True
    fails_up_to: int = 0  # unmodified; criticals too
    plain_fails_up_to: int = 0  # unmodified; criticals excepted
    only: frozenset[int] | None = None  # the faces that can succeed at all
    auto: bool = False  # succeeds without a die, never critical
    no_crit: bool = False  # what would be critical is a plain success
    no_reroll: bool = False
    reroll: frozenset[Reroll] = frozenset()
    on_success: tuple[str, ...] = ()
    on_fail: tuple[str, ...] = ()
    on_crit: tuple[str, ...] | None = None  # replaces on_success
    added_on_crit: tuple[str, ...] = ()

    def modifier(self) -> int:
        """What is added to the die in the end: the capped modifiers summed, limited, plus the others."""
        used = [
            m
            for m in self.modifiers
            if not (self.drop_negative and m.value < 0) and not (self.drop_positive and m.value > 0)
        ]
        total = sum(m.value for m in used if m.capped)
        low, high = self.limit
        total = total if low is None else max(low, total)
        total = total if high is None else min(high, total)
        return total + sum(m.value for m in used if not m.capped)


@dataclass(frozen=True, slots=True)
class Fan:
    """A lane that turns one token into a rolled number of tokens (Sustained Hits D3)."""

    dice: Dice | Pmf
    to: str

    def pmf(self) -> Pmf:
        """How many tokens come out."""
        return self.dice if isinstance(self.dice, Pmf) else self.dice.pmf()


@dataclass(frozen=True, slots=True)
class Gate:
    """A lane that lets a token through with a chance, and loses it otherwise."""

    chance: float
    to: str


Lane = Roll | Fan | Gate


@dataclass(frozen=True, slots=True)
class Chances:
    """What one roll comes to: fail, plain success, critical success."""

    fail: float
    success: float
    crit: float

    @property
    def passed(self) -> float:
        """The chance of any success."""
        return self.success + self.crit


def _outcome(roll: Roll, face: int, modifier: int) -> str:
    crit = roll.crit_on is not None and face >= roll.crit_on
    if face <= roll.fails_up_to or (roll.only is not None and face not in roll.only):
        return "fail"
    if crit and roll.crit_succeeds:
        return "success" if roll.no_crit else "crit"
    if face <= roll.plain_fails_up_to or roll.needs is None or face + modifier < roll.needs:
        return "fail"
    return "crit" if crit and not roll.no_crit else "success"


def _rerolled(roll: Roll, face: int, outcome: str) -> bool:
    if roll.no_reroll:
        return False
    if "non_crit" in roll.reroll and outcome != "crit":
        return True
    if outcome != "fail":  # a die that succeeds in the end is kept
        return False
    before = roll.needs is None or face < roll.needs or face <= roll.fails_up_to
    return (
        "fails" in roll.reroll
        or face in roll.reroll
        or ("ones" in roll.reroll and face == 1)
        or ("unmodified_fails" in roll.reroll and before)
    )


@lru_cache(maxsize=8192)
def chances(roll: Roll) -> Chances:
    """How often the roll fails, succeeds and is critical, re-rolls included: counted in 36ths.

    >>> chances(Roll(needs=4, fails_up_to=1, reroll=frozenset({"ones"}))).passed
    0.5833333333333334
    """
    if roll.auto:
        return Chances(0.0, 1.0, 0.0)
    modifier = roll.modifier()
    outcomes = [_outcome(roll, face, modifier) for face in FACES]
    count = dict.fromkeys(("fail", "success", "crit"), 0)
    for face, outcome in zip(FACES, outcomes, strict=True):
        if _rerolled(roll, face, outcome):
            for again in outcomes:
                count[again] += 1
        else:
            count[outcome] += 6
    return Chances(count["fail"] / 36, count["success"] / 36, count["crit"] / 36)


def face_chance(roll: Roll, face: int) -> float:
    """How often the die shows this face in the end, re-rolls included; 0 where no die is rolled.

    >>> face_chance(Roll(needs=4), 6), face_chance(Roll(needs=4, reroll=frozenset({"fails"})), 6)
    (0.16666666666666666, 0.25)
    """
    if roll.auto or roll.needs is None:
        return 0.0
    modifier = roll.modifier()
    again = [_rerolled(roll, one, _outcome(roll, one, modifier)) for one in FACES]
    return ((not again[face - 1]) * 6 + sum(again)) / 36


def first_fails(roll: Roll) -> float:
    """How often the roll fails and was not rolled again.

    >>> first_fails(Roll(needs=4)), first_fails(Roll(needs=4, reroll=frozenset({"fails"})))
    (0.5, 0.0)
    """
    modifier = roll.modifier()
    outcomes = {face: _outcome(roll, face, modifier) for face in FACES}
    return sum(out == "fail" and not _rerolled(roll, face, out) for face, out in outcomes.items()) / 6


def _lower(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


def _same(a: tuple[str, ...] | None, b: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if a is not None and b is not None and a != b:
        raise MathhammerError(
            f"chain: a critical cannot be both {', '.join(a)} and {', '.join(b)} (choose one ability)"
        )
    return b if a is None else a


# Every field that an edit may touch has one way to join two values, so edits commute.
_JOINS: dict[str, Callable[[Any, Any], Any]] = {
    "modifiers": lambda a, b: tuple(sorted(a + b)),
    "added_on_crit": lambda a, b: tuple(sorted(a + b)),
    "crit_on": _lower,
    "on_crit": _same,
    "fails_up_to": max,
    "plain_fails_up_to": max,
    "only": lambda a, b: b if a is None else a & b,
    "auto": lambda a, b: a or b,
    "drop_negative": lambda a, b: a or b,
    "drop_positive": lambda a, b: a or b,
    "no_crit": lambda a, b: a or b,
    "no_reroll": lambda a, b: a or b,
    "reroll": lambda a, b: a | b,
}


@dataclass(frozen=True, slots=True)
class Stage:
    """A line of the funnel: tokens that leave one lane, or that enter any of some lanes or packet kinds."""

    label: str
    leaving: str | None = None
    entering: tuple[str, ...] = ()
    past_save: bool = False  # only those that get through the save of the target's first group


@dataclass(frozen=True, slots=True)
class Chain:
    """Named lanes of rolls; a token that reaches a name without a lane has become a packet of that kind."""

    start: str
    lanes: tuple[tuple[str, Lane], ...] = ()
    stages: tuple[Stage, ...] = ()
    _hash: int | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        """Worked out once: these values are keys of every table."""
        known = self._hash
        if known is None:
            known = hash((self.start, self.lanes))
            object.__setattr__(self, "_hash", known)
        return known

    def lane(self, name: str) -> Lane | None:
        """The lane of that name; None for a packet kind."""
        return next((lane for key, lane in self.lanes if key == name), None)

    def edit(self, name: str, **fields: Any) -> Chain:
        """A copy in which the roll's fields are joined with these; joining commutes."""
        lanes = []
        for key, lane in self.lanes:
            if key == name and isinstance(lane, Roll):
                joined = {
                    field: _JOINS[field](getattr(lane, field), value) for field, value in fields.items()
                }
                lane = replace(lane, **joined)
            lanes.append((key, lane))
        return replace(self, lanes=tuple(lanes))

    def with_fail(self, name: str, token: str) -> Chain:
        """A copy in which each failure of the roll sends one more token."""
        lanes = tuple(
            (
                key,
                replace(lane, on_fail=(*lane.on_fail, token))
                if key == name and isinstance(lane, Roll)
                else lane,
            )
            for key, lane in self.lanes
        )
        return replace(self, lanes=lanes)

    def with_six(self, name: str) -> Chain:
        """A copy in which the die of a roll shows an unmodified 6: as good as it gets, and critical where a 6
        is.
        """
        lanes = []
        for key, lane in self.lanes:
            if key == name and isinstance(lane, Roll):
                outcome = _outcome(lane, 6, lane.modifier())
                sure = {"crit": 1, "success": None, "fail": None}[outcome]
                needs = None if outcome == "fail" else 1
                lane = replace(lane, needs=needs, crit_on=sure, fails_up_to=0, plain_fails_up_to=0, only=None)
            lanes.append((key, lane))
        return replace(self, lanes=tuple(lanes))

    def without_fail(self, name: str) -> Chain:
        """A copy in which a failure of the roll sends nothing."""
        lanes = tuple(
            (key, replace(lane, on_fail=()) if key == name and isinstance(lane, Roll) else lane)
            for key, lane in self.lanes
        )
        return replace(self, lanes=lanes)

    def with_fan(self, name: str, fan: Fan) -> Chain:
        """A copy with one more lane that fans out."""
        return replace(self, lanes=tuple(sorted((*self.lanes, (name, fan)), key=lambda item: item[0])))


@dataclass(frozen=True, slots=True)
class Flow:
    """Mean number of tokens per start token: entering each lane or kind, leaving and
    critical in each roll.
    """

    entering: dict[str, float] = field(default_factory=dict)
    leaving: dict[str, float] = field(default_factory=dict)
    crits: dict[str, float] = field(default_factory=dict)


@lru_cache(maxsize=8192)
def flow(chain: Chain) -> Flow:
    """The mean traffic of a chain, with fans counted by their mean."""
    result = Flow()

    def send(name: str, amount: float) -> float:
        """Sends tokens into a lane; says how many pieces they count for once fanned out."""
        result.entering[name] = result.entering.get(name, 0.0) + amount
        lane = chain.lane(name)
        if isinstance(lane, Fan):
            return send(lane.to, amount * lane.pmf().mean())
        if isinstance(lane, Gate):
            return send(lane.to, amount * lane.chance)
        if isinstance(lane, Roll):
            chance = chances(lane)
            crit = lane.on_success if lane.on_crit is None else lane.on_crit
            left = sum(send(token, amount * chance.success) for token in lane.on_success)
            left += sum(send(token, amount * chance.crit) for token in crit)
            for token in lane.added_on_crit:  # a further hit counts as one, a mortal wound on top does not
                pieces = send(token, amount * chance.crit)
                left += pieces if rolls_on(token) else 0.0
            left += sum(send(token, amount * chance.fail) for token in lane.on_fail)
            result.leaving[name] = result.leaving.get(name, 0.0) + left
            result.crits[name] = result.crits.get(name, 0.0) + amount * chance.crit
        return amount

    def rolls_on(name: str) -> bool:
        lane = chain.lane(name)
        return rolls_on(lane.to) if isinstance(lane, (Fan, Gate)) else lane is not None

    send(chain.start, 1.0)
    return result
