"""`Duel`: what a duel comes to, as distributions and turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from mathhammer.dataclass import dataclass
from mathhammer.dice.card import rows_card
from mathhammer.dice.pmf import Pmf
from mathhammer.duel.assumptions import assumptions
from mathhammer.duel.chain import Moment
from mathhammer.duel.commands import SIDES
from mathhammer.duel.moving import charge_chance, first_charge_distance
from mathhammer.duel.setup import Setup, label
from mathhammer.duel.states import Array
from mathhammer.views import view

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Point:
    """How things stand on average after a turn: chances, models left and points lost of a and b."""

    round: int
    turn: str
    p_win: float
    p_lose: float
    models: tuple[float, float]
    points_lost: tuple[float, float]
    p_engaged: float
    p_charged: float  # a charge arrives in this very turn (with many units: how many do, on average)


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one unit."""

    name: str
    side: str
    models: Pmf  # models left
    lost: Pmf  # wounds lost, those from before the duel included
    p_gone: float


@dataclass(frozen=True, repr=False)
class Duel:
    """The answer of `duel`: who wins, what is left on both sides, and how it went.

    a wins when nothing of b is left and something of a is; with neither gone after the last round it is a
    draw.
    """

    setup: Setup = field(repr=False)
    names: tuple[str, str]
    p_win: float
    p_lose: float
    models: tuple[Pmf, Pmf]
    points_lost: tuple[float, float]
    fates: tuple[Fate, ...]
    course: tuple[Point, ...]
    p_ahead: float  # a has lost fewer points than b
    p_behind: float
    method: str = "exact"
    trials: int | None = None
    seed: int | None = None
    swapped: Callable[[], Duel] | None = field(default=None, repr=False, compare=False)

    @property
    def p_draw(self) -> float:
        """The chance that nobody wins."""
        return max(0.0, 1.0 - self.p_win - self.p_lose)

    @property
    def trade(self) -> float:
        """Points of b that a removes, less the points it loses, on average."""
        return self.points_lost[1] - self.points_lost[0]

    @property
    def p_charge(self) -> Mapping[str, float]:
        """The chance that a side's charge arrives at some time; with many units: how many
        charges on average.
        """
        turns = {side: [point.p_charged for point in self.course if point.turn == side] for side in SIDES}
        if self.setup.priority == "roll":
            return {"any": sum(point.p_charged for point in self.course)}
        return {side: sum(chances) for side, chances in turns.items()}

    @property
    def first_charge(self) -> float | None:
        """The chance of a single charge roll in the first turn; None when the duel begins in combat."""
        away = self.first_charge_distance
        if away is None:
            return None
        return charge_chance(self.setup, SIDES.index(self.setup.first), 1, self.setup.first, away)

    @property
    def first_charge_distance(self) -> float | None:
        """The inches that the first charge has to cover; None when the duel begins in combat."""
        return first_charge_distance(self.setup)

    @cached_property
    def other_first(self) -> Duel:
        """The same duel with the other side first."""
        assert self.swapped is not None
        return self.swapped()

    @property
    def going_first(self) -> float:
        """What the first turn is worth to a: the chance to win when a goes first less the
        chance when b does.
        """
        change = self.p_win - self.other_first.p_win
        return change if self.setup.first == "a" else -change

    @property
    def by_round(self) -> tuple[Point, ...]:
        """How things stand after each round."""
        return self.course[1::2]

    def standard_error(self, chance: float) -> float:
        """The standard error of a chance; 0.0 when exact."""
        return 0.0 if self.trials is None else sqrt(max(0.0, chance * (1.0 - chance)) / self.trials)

    def __repr__(self) -> str:
        source = "exact" if self.trials is None else f"{self.trials} trials"
        last = self.course[-1].round
        return (
            f"Duel({self.names[0]} against {self.names[1]}, {last} {'round' if last == 1 else 'rounds'}: "
            f"win {self.p_win:.1%}, lose {self.p_lose:.1%}, draw {self.p_draw:.1%}, {source})"
        )

    def _repr_html_(self) -> str:
        """How a notebook shows it: who wins, and how it stands after each round."""
        rows: list[tuple[object, ...]] = [
            ("Round", "Wins", "Loses", *(f"{name}: models" for name in self.names))
        ]
        rows += [
            (p.round, f"{p.p_win:.1%}", f"{p.p_lose:.1%}", *(f"{left:.2f}" for left in p.models))
            for p in self.by_round
        ]
        return rows_card(f"{self.names[0]} against {self.names[1]}", [repr(self)], rows)

    def to_frame(self) -> DataFrame:
        """A pandas frame: how it stands after each turn.

        >>> import mathhammer as mh
        >>> mh.duel("Liberators", "Clanrats", rounds=2).to_frame()["round"].tolist()
        [1, 1, 2, 2]
        """
        frame: DataFrame = view("duel_frame", self)
        return frame

    def plot(self, **options: Any) -> Axes:
        """A chart of who has won after each round; `options` as for `plot_duel`."""
        axes: Axes = view("duel_plot", self, **options)
        return axes

    def explain(self) -> str:
        """The steps of the duel with their rules, all that was taken for granted, and what came out."""
        one, other = self.names
        last = self.course[-1].round
        lines = [f"{one} against {other}, {self.setup.system.title}", "", *assumptions(self.setup), ""]
        lines.append(f"After {last} {'round' if last == 1 else 'rounds'}:")
        for point in self.by_round:
            left = f"{one} {point.models[0]:.4g} models, {other} {point.models[1]:.4g} models left"
            lines.append(f"  round {point.round}: {left}, win {point.p_win:.2%}, lose {point.p_lose:.2%}")
        return "\n".join(
            [*lines, f"{one} wins {self.p_win:.2%}, loses {self.p_lose:.2%}, nobody {self.p_draw:.2%}"]
        )

    def to_dict(self, *, going_first: bool = True) -> dict[str, Any]:
        """Every number by name, distributions as mappings; what going first is worth takes as long again."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "first": self.setup.first,
            "rounds": self.course[-1].round,
            "distance": self.setup.distance,
            "p_win": self.p_win,
            "p_lose": self.p_lose,
            "p_draw": self.p_draw,
            "p_ahead": self.p_ahead,
            "p_behind": self.p_behind,
            "points_lost": dict(zip(SIDES, self.points_lost, strict=True)),
            "trade": self.trade,
            "p_charge": dict(self.p_charge),
            "first_charge": self.first_charge,
            "going_first": self.going_first if going_first else None,
            "models_left": {side: pmf.to_dict() for side, pmf in zip(SIDES, self.models, strict=True)},
            "units": [
                {
                    "name": f.name,
                    "side": f.side,
                    "models_left": f.models.mean(),
                    "lost": f.lost.mean(),
                    "p_gone": f.p_gone,
                }
                for f in self.fates
            ],
            "course": [
                {
                    "round": p.round,
                    "turn": p.turn,
                    "p_win": p.p_win,
                    "p_lose": p.p_lose,
                    "models": list(p.models),
                    "points_lost": list(p.points_lost),
                    "p_engaged": p.p_engaged,
                    "p_charged": p.p_charged,
                }
                for p in self.course
            ],
            "assumptions": assumptions(self.setup),
        }


def points_lost(setup: Setup, side: int, u: int) -> Array:
    """Points lost in each state of a unit: by models, none while the last model stands wounded; 0 where
    the price is not known.
    """
    fighter = setup.fighters[side][u]
    models = fighter.states.models()
    before = fighter.unit.with_lost(fighter.lost).models_left
    price = float(fighter.unit.points or 0)
    lost: Array = price * np.maximum(0, before - models) / fighter.unit.models
    return lost


def read_moments(setup: Setup, moments: list[Moment], swapped: Callable[[], Duel]) -> Duel:
    """The answer from the moments of the exact chain."""
    models = [side[0].states.models() for side in setup.fighters]
    gone = [left == 0 for left in models]
    prices = [points_lost(setup, side, 0) for side in (0, 1)]
    course = tuple(_point(moment, models, gone, prices) for moment in moments)
    joint = moments[-1].states
    chances = [joint.sum(axis=1), joint.sum(axis=0)]
    names = label(setup.fighters)
    difference = prices[1][None, :] - prices[0][:, None]
    fates = tuple(
        Fate(
            names[side],
            SIDES[side],
            _pmf(models[side], chances[side]),
            _pmf(setup.fighters[side][0].states.lost(), chances[side]),
            float(chances[side][gone[side]].sum()),
        )
        for side in (0, 1)
    )
    return Duel(
        setup=setup,
        names=names,
        p_win=course[-1].p_win,
        p_lose=course[-1].p_lose,
        models=(fates[0].models, fates[1].models),
        points_lost=course[-1].points_lost,
        fates=fates,
        course=course,
        p_ahead=float(joint[difference > 0].sum()),
        p_behind=float(joint[difference < 0].sum()),
        swapped=swapped,
    )


def _pmf(values: Any, chances: Array) -> Pmf:
    counted: Array = np.bincount(values, weights=chances)  # type: ignore[assignment]
    return Pmf(counted)


def _point(moment: Moment, models: list[Any], gone: list[Any], prices: list[Array]) -> Point:
    joint = moment.states
    chances = (joint.sum(axis=1), joint.sum(axis=0))
    return Point(
        moment.round,
        moment.turn,
        p_win=float(joint[np.ix_(~gone[0], gone[1])].sum()),
        p_lose=float(joint[np.ix_(gone[0], ~gone[1])].sum()),
        models=(float(chances[0] @ models[0]), float(chances[1] @ models[1])),
        points_lost=(float(chances[0] @ prices[0]), float(chances[1] @ prices[1])),
        p_engaged=moment.engaged,
        p_charged=moment.charged,
    )
