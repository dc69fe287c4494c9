"""`Pmf`: a probability distribution on the whole numbers 0, 1, 2, ... n."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import comb, isfinite, sqrt
from operator import index
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from mathhammer.checks import whole
from mathhammer.dataclass import dataclass
from mathhammer.dice.sums import capped, power, repeat
from mathhammer.errors import BadInputError
from mathhammer.views import view

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

Array = NDArray[np.float64]
SAME = 1e-12  # means closer than this are equal


@dataclass(frozen=True, slots=True, eq=False)
class Pmf:
    """The chances of 0, 1, 2, ... : it *has* an array, it is not one.

    `trials` is None for an exact distribution; a simulated one says how many trials it came from.

    >>> coin = Pmf([0.5, 0.5])
    >>> two = coin + coin
    >>> two.mean(), two.at_least(1), two.standard_error()
    (1.0, 0.75, 0.0)
    >>> list(two), Pmf({1: 0.5, 3: 0.5}).mean()
    ([0.25, 0.5, 0.25], 2.0)
    """

    probs: Array
    trials: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.probs, np.ndarray):  # a list or a mapping, as a person writes it
            object.__setattr__(self, "probs", Pmf.of(self.probs).probs)
        self.probs.setflags(write=False)

    @staticmethod
    def of(chances: Iterable[float] | Mapping[int, float]) -> Pmf:
        """A distribution from a list of chances (index = value) or a mapping value -> chance.

        >>> Pmf.of({1: 0.5, 3: 0.5}).mean()
        2.0
        """
        try:
            mapped = dict(chances if isinstance(chances, Mapping) else enumerate(chances))
            places = np.array(list(mapped), dtype=np.float64)
            shares = np.array(list(mapped.values()), dtype=np.float64)
        except (TypeError, ValueError):
            raise BadInputError(
                f"pmf: {chances!r:.60} is not a distribution (give chances of 0, 1, 2, ... or a mapping)"
            ) from None
        if isinstance(chances, Mapping) and not (
            len(places) and (places >= 0).all() and (places % 1 == 0).all()
        ):
            raise BadInputError("pmf: values must be whole numbers from 0 on, at least one of them")
        probs = np.zeros(int(places.max(initial=-1)) + 1)
        np.add.at(probs, places.astype(np.int64), shares)
        total = float(probs.sum())
        if not (isfinite(total) and probs.min(initial=0.0) >= 0.0 and abs(total - 1.0) < 1e-9):
            raise BadInputError(f"pmf: chances must be at least 0 and add up to 1 (they add up to {total:g})")
        return Pmf(probs)

    @staticmethod
    def constant(value: int) -> Pmf:
        """The distribution that is always `value`.

        >>> Pmf.constant(2).mean()
        2.0
        """
        probs = np.zeros(value + 1)
        probs[value] = 1.0
        return Pmf(probs)

    @staticmethod
    def binomial(n: int, p: float) -> Pmf:
        """How many of `n` independent dice succeed when each does with chance `p`.

        >>> Pmf.binomial(6, 0.5).mean()
        3.0
        """
        whole("pmf: number of dice", n)
        if not 0.0 <= p <= 1.0:
            raise BadInputError(f"pmf: chance {p!r} (give a number from 0 to 1)")
        return Pmf(power(np.array([1.0 - p, p]), n, None)) if n else Pmf.constant(0)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Pmf) and self.trials == other.trials and np.array_equal(self.probs, other.probs)
        )

    def __hash__(self) -> int:
        return hash((self.probs.tobytes(), self.trials))

    def __len__(self) -> int:
        return len(self.probs)

    def __getitem__(self, value: int) -> float:
        """The chance of exactly `value`; 0.0 beyond the end."""
        return float(self.probs[value]) if 0 <= value < len(self.probs) else 0.0

    def __iter__(self) -> Iterator[float]:
        """The chances of 0, 1, 2, ... in order."""
        return iter(self.probs.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The chances as an array of one's own."""
        if copy is False:
            raise ValueError("pmf: its array is shared (let numpy copy it)")
        return np.array(self.probs, dtype=dtype)

    def __add__(self, other: Pmf | int) -> Pmf:
        """The sum of two independent rolls, or a roll and a fixed number.

        >>> sum([Pmf([0.5, 0.5])] * 3).mean(), (Pmf([0.5, 0.5]) + 2).mean()
        (1.5, 2.5)
        """
        if isinstance(other, Pmf):
            return self.convolve(other)
        if isinstance(other, bool) or not isinstance(other, (int, np.integer)) or other < 0:
            return NotImplemented
        return Pmf(np.concatenate([np.zeros(int(other)), self.probs]), self.trials)

    __radd__ = __add__

    def __repr__(self) -> str:
        source = "exact" if self.trials is None else f"{self.trials} trials"
        return f"Pmf(0..{len(self) - 1}, mean {self.mean():.4g}, sd {self.sd():.4g}, {source})"

    def card(self, title: str) -> str:
        """The distribution as a small piece of HTML."""
        from mathhammer.dice.card import distribution_card  # only where something is shown

        tenths = (self.quantile(0.1), self.quantile(0.5), self.quantile(0.9))
        note = (
            "exact"
            if self.trials is None
            else f"{self.trials:,} trials, standard error of the mean {self.standard_error():.2g}"
        )
        return distribution_card(title, self.probs.tolist(), self.mean(), self.sd(), tenths, note)

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        return self.card("distribution")

    def mean(self) -> float:
        """The average.

        >>> round(Pmf.of([0.25, 0.5, 0.25]).mean(), 6)
        1.0
        """
        return float(self.probs @ np.arange(len(self.probs)))

    def var(self) -> float:
        """The variance.

        >>> Pmf.of([0.5, 0.5]).var()
        0.25
        """
        return max(0.0, float(self.probs @ (np.arange(len(self.probs)) - self.mean()) ** 2))

    def sd(self) -> float:
        """The standard deviation: how far a roll typically lands from the mean.

        >>> Pmf.of([0.5, 0.5]).sd()
        0.5
        """
        return sqrt(self.var())

    def std(self) -> float:
        """The standard deviation under numpy's name.

        >>> Pmf([0.5, 0.5]).std()
        0.5
        """
        return self.sd()

    def median(self) -> int:
        """The value that half of all rolls do not exceed.

        >>> Pmf([0.1, 0.4, 0.4, 0.1]).median()
        1
        """
        return int(self.quantile(0.5))

    def standard_error(self) -> float:
        """The standard error of the mean: 0.0 for an exact distribution.

        >>> Pmf(Pmf.of([0.5, 0.5]).probs, trials=2500).standard_error()
        0.01
        """
        return 0.0 if self.trials is None else self.sd() / sqrt(self.trials)

    def at_least(self, value: int) -> float:
        """The chance of `value` or more.

        >>> Pmf.of([0.25, 0.5, 0.25]).at_least(2)
        0.25
        """
        return min(1.0, float(self.probs[max(0, _count(value)) :].sum()))

    def at_most(self, value: int) -> float:
        """The chance of `value` or less.

        >>> Pmf.of([0.25, 0.5, 0.25]).at_most(1)
        0.75
        """
        return min(1.0, float(self.probs[: max(0, _count(value) + 1)].sum()))

    def between(self, low: int, high: int) -> float:
        """The chance of at least `low` and at most `high`.

        >>> Pmf([0.25, 0.5, 0.25]).between(1, 2)
        0.75
        """
        return min(1.0, float(self.probs[max(0, _count(low)) : max(0, _count(high) + 1)].sum()))

    @overload
    def quantile(self, share: float) -> int: ...

    @overload
    def quantile(self, share: Sequence[float] | Array) -> NDArray[np.int64]: ...

    def quantile(self, share: float | Sequence[float] | Array) -> int | NDArray[np.int64]:
        """The smallest value that at least `share` of all rolls do not exceed; an array for several shares.

        >>> Pmf([0.1, 0.4, 0.4, 0.1]).quantile(0.5), Pmf([0.1, 0.4, 0.4, 0.1]).quantile([0.1, 0.9]).tolist()
        (1, [0, 2])
        """
        shares = np.asarray(share, dtype=np.float64)
        if not bool(((shares >= 0.0) & (shares <= 1.0)).all()):
            raise BadInputError(
                f"quantile: {share!r:.40} is not a share (give 0 to 1, such as 0.5 for the median)"
            )
        # A hair of slack: 0.1 + 0.4 in floats must count as 0.5.
        values = np.searchsorted(np.cumsum(self.probs), shares - 1e-12)
        clipped: NDArray[np.int64] = np.minimum(len(self.probs) - 1, values)
        return int(clipped) if clipped.ndim == 0 else clipped

    def sample(self, number: int, seed: int | None = None) -> NDArray[np.int64]:
        """So many rolls; the same ones for the same seed.

        >>> Pmf({2: 1.0}).sample(3).tolist()
        [2, 2, 2]
        """
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 0:
            raise BadInputError(f"sample: {number!r:.40} rolls (give a whole number from 0 on)")
        rolls = np.random.default_rng(seed).random(int(number))
        edges = np.cumsum(self.probs)
        values: NDArray[np.int64] = np.searchsorted(edges, rolls * edges[-1], side="right")
        return np.minimum(values, len(self) - 1)

    def to_frame(self) -> DataFrame:
        """A pandas frame: value, chance, at_least, at_most.

        >>> Pmf([0.25, 0.75]).to_frame()["at_least"].tolist()
        [1.0, 0.75]
        """
        frame: DataFrame = view("pmf_frame", self)
        return frame

    def plot(self, **options: Any) -> Axes:
        """A chart of the distribution; `options` as for `plot_distributions` (`kind`, `xlabel`, `ax` ...).

        >>> Pmf([0.25, 0.75]).plot(xlabel="goals").get_xlabel()
        'goals'
        """
        axes: Axes = view("pmf_plot", self, **options)
        return axes

    def beats(self, other: Pmf) -> float:
        """The chance that a roll of this is higher than an independent roll of the other.

        >>> Pmf.of([0.5, 0.5]).beats(Pmf.of([0.5, 0.5]))
        0.25
        """
        size = min(len(self) - 1, len(other))
        below = np.cumsum(other.probs)[:size]
        return float(self.probs[1 : size + 1] @ below) + float(self.probs[size + 1 :].sum())

    def convolve(self, other: Pmf, cap: int | None = None) -> Pmf:
        """The sum of two independent rolls; with `cap`, all above it counts as `cap`.

        >>> Pmf.of([0.5, 0.5]).convolve(Pmf.of([0.5, 0.5]), cap=1).probs.tolist()
        [0.25, 0.75]
        """
        return Pmf(capped(np.convolve(self.probs, other.probs), cap))

    def power(self, n: int, cap: int | None = None) -> Pmf:
        """The sum of `n` independent rolls, by repeated squaring.

        >>> Pmf.of([0.5, 0.5]).power(3).probs.tolist()
        [0.125, 0.375, 0.375, 0.125]
        """
        if n < 0:
            raise BadInputError(f"power: {n} rolls (give 0 or more)")
        return Pmf(power(self.probs, n, cap))

    def power_lowest_again(self, n: int) -> Pmf:
        """The sum of `n` independent rolls, the lowest of which is rolled again if it is below the average.

        >>> Pmf.of([0.5, 0.5]).power_lowest_again(2).probs.tolist()
        [0.125, 0.375, 0.5]
        """
        if n < 1:
            return self.power(n)
        total = np.zeros(n * (len(self) - 1) + 1)
        for low, chance in self.to_dict().items():
            last = self if low < self.mean() - SAME else Pmf.constant(low)
            above = self.probs.copy()
            above[: low + 1] = 0.0
            for ties in range(1, n + 1):  # so many rolls show the lowest value
                shown = np.zeros((ties - 1) * low + 1)
                shown[-1] = comb(n, ties) * chance**ties
                rolled = np.convolve(np.convolve(shown, last.probs), power(above, n - ties, None))
                total[: len(rolled)] += rolled
        return Pmf(total)

    def repeat(self, counts: Pmf, cap: int | None = None) -> Pmf:
        """The sum of a random number of rolls, that number distributed as `counts`.

        >>> Pmf.constant(2).repeat(Pmf.of([0.5, 0.5])).probs.tolist()
        [0.5, 0.0, 0.5]
        """
        return Pmf(repeat(self.probs, counts.probs, cap))

    def mix(self, other: Pmf, share: float) -> Pmf:
        """This distribution with chance `share`, the other one otherwise.

        >>> Pmf.constant(0).mix(Pmf.constant(1), 0.25).probs.tolist()
        [0.25, 0.75]
        """
        if not 0.0 <= share <= 1.0:
            raise BadInputError(f"mix: {share:g} is not a share (give 0 to 1)")
        probs = np.zeros(max(len(self), len(other)))
        probs[: len(self)] += share * self.probs
        probs[: len(other)] += (1.0 - share) * other.probs
        return Pmf(probs)

    def thin(self, keep: float) -> Pmf:
        """Each point survives on its own with chance `keep`: what a ward leaves of a damage roll.

        >>> Pmf.constant(2).thin(0.5).probs.tolist()
        [0.25, 0.5, 0.25]
        """
        if not 0.0 <= keep <= 1.0:
            raise BadInputError(f"thin: {keep:g} is not a chance (give 0 to 1)")
        return self if keep == 1.0 else Pmf(repeat(np.array([1.0 - keep, keep]), self.probs, None))

    def map(self, change: Callable[[int], int]) -> Pmf:
        """Each value replaced by `change(value)`: modifiers of a random characteristic.

        >>> Pmf.of([0.0, 0.5, 0.5]).map(lambda v: v + 1).probs.tolist()
        [0.0, 0.0, 0.5, 0.5]
        """
        values = [change(value) for value in range(len(self)) if self.probs[value] > 0.0]
        probs = np.zeros(max(values) + 1)
        np.add.at(probs, values, self.probs[self.probs > 0.0])
        return Pmf(probs)

    def cut(self, cap: int) -> Pmf:
        """All above `cap` counts as `cap`.

        >>> Pmf.of([0.25, 0.25, 0.5]).cut(1).probs.tolist()
        [0.25, 0.75]
        """
        return Pmf(capped(self.probs, whole("pmf: cap", cap)), self.trials)

    def to_dict(self) -> dict[int, float]:
        """Value -> chance, without the values of chance 0.

        >>> Pmf.constant(3).to_dict()
        {3: 1.0}
        """
        return {value: float(chance) for value, chance in enumerate(self.probs) if chance > 0.0}


def _count(value: int) -> int:
    """A number of wounds, models and so on; less than none is allowed, and no fraction."""
    try:
        return index(value)
    except TypeError:
        raise BadInputError(f"pmf: {value!r:.60} is not a whole number") from None
