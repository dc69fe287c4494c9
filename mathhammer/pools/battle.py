"""Questions about symbol dice as data: pools, volleys that scatter, battles in a row, and what comes of them.

A game asks, and `pools.running` answers with either engine. Nothing here knows the name of a game, rolls or
solves anything.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

from mathhammer.dataclass import dataclass
from mathhammer.dice.rerolls import ChosenReroll
from mathhammer.dice.symbols import Counts, Die

State = Hashable


@dataclass(frozen=True, slots=True)
class Effort:
    """What one side's roll is worth: blows, blocks against blows, breaks of enemy blocks; `mark` is what to
    remember of it.

    `outright` are pieces that it takes whatever the blocks are, `gains` pieces that join its own side before
    damage, `points` what its side scores for it.
    """

    blows: int
    blocks: int
    breaks: int
    mark: Hashable = None
    outright: int = 0
    gains: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Hand:
    """The dice of one side in a stage (first rerolled first), their rerolls, and what a result is worth.

    Several efforts are ways to use the result: its side chooses one once both rolls are seen.
    """

    dice: tuple[Die, ...]
    rerolls: tuple[int, ...]
    spend: Callable[[Counts], tuple[Effort, ...]]


@dataclass(frozen=True, slots=True)
class Pick:
    """States of which the side that chooses takes one."""

    states: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """One simultaneous roll of both sides: `after(damage to a, damage to b, mark of a,
    mark of b)` is the next state, or a `Pick` of states.
    """

    hands: tuple[Hand, Hand]
    standing: tuple[int, int]
    after: Callable[[int, int, Any, Any], State | Pick]
    counted: bool  # whether it counts as a round


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle: `stage` gives None for a state where it is over; `damage(blows, blocks, breaks)` is what gets
    through.

    `enter` turns an end of the battle before into a start of this one, or None where there is nobody left to
    fight it. Each side earns `points_each` for every piece of the other, and `points_end(state)` for the end.
    """

    where: str
    symbols: tuple[str, ...]
    stage: Callable[[State], Stage | None]
    damage: Callable[[int, int, int], int]
    enter: Callable[[State], State | None]
    points_each: tuple[int, int]
    points_end: Callable[[State], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Mean:
    """An expected value and its standard error, which is 0 when it is exact."""

    value: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class Fought:
    """One battle of a series: the chances of its ends (they add up to the chance that it
    took place), and means.
    """

    ends: Mapping[State, float]
    rounds: Mean
    lost: tuple[Mean, Mean]
    points: tuple[Mean, Mean]


@dataclass(frozen=True, slots=True)
class Series:
    """All battles of a series, and the points of both sides over all of them; `trials` is None
    when it is exact.
    """

    fights: tuple[Fought, ...]
    points: tuple[Mean, Mean]
    trials: int | None = None


@dataclass(frozen=True, slots=True)
class BattleSeries:
    """Battles in a row; the ends of one are the starts of the next. Answered by a `Series`.

    Where a side chooses (`chooser`, 0 or 1), it plays for the sum of `value` of the state in which the last
    battle ends and `points_weight` for each of its points.
    """

    battles: tuple[Battle, ...]
    start: State
    chooser: int = 0
    value: Callable[[State], float] = lambda _: 0.0
    points_weight: float = 0.0


@dataclass(frozen=True, slots=True)
class BestOf:
    """Several series of battles, of which the best by `score` of its exact answer is wanted. Answered by
    `Ranked`.
    """

    series: tuple[BattleSeries, ...]
    score: Callable[[Series], float]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The exact score of each series, and the answer of the best one (the first among equals)."""

    scores: tuple[float, ...]
    best: int
    series: Series


@dataclass(frozen=True, slots=True)
class PoolRoll:
    """One roll of a pool. Answered by a `Distribution` of its symbols."""

    dice: tuple[Die, ...]
    symbols: tuple[str, ...]
    rerolls: tuple[int, ...] = ()


class FaceEffect(NamedTuple):
    """What a face of a volley's die does: damage to the one it is rolled for, perhaps as a critical; or the
    die scatters, to be rolled again for another; or it is only noted.
    """

    damaging: int = 0
    crit: int = 0
    scatters: int = 0
    noted: int = 0


@dataclass(frozen=True, slots=True)
class ScatterVolley:
    """Dice rolled for one target, of which some scatter to others. Answered by `Scattered`."""

    dice: int
    first: tuple[FaceEffect, ...]  # what each face does on the first roll, to target 0
    second: tuple[FaceEffect, ...]  # and for the one a die scattered to
    recipients: tuple[int, ...]  # for whom the first, second, ... scattered die is rolled; empty: for nobody
    targets: int
    strengths: int  # each equally likely, one for the whole volley


@dataclass(frozen=True, slots=True)
class Scattered:
    """For each target (number of the strength, damaging dice, a crit among them) -> chance; how many faces of
    the first roll were noted; the chance that no die did damage.
    """

    struck: tuple[Mapping[tuple[int, int, bool], float], ...]
    noted: Mapping[int, float]
    nothing: float


@dataclass(frozen=True, slots=True)
class EventChain:
    """Events that follow each other: each gives the chances of the next states. Answered by the chances of
    the last states.
    """

    start: State
    events: tuple[Callable[[Any], Mapping[Any, float]], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for either engine: `read(answer, trials)` makes the reply; exact: trials is None."""

    where: str
    question: BattleSeries | BestOf | PoolRoll | ChosenReroll | ScatterVolley | EventChain
    read: Callable[[Any, int | None], Mapping[str, Any]]
    method: str = "exact"
    trials: int = 1
    seed: int = 0
