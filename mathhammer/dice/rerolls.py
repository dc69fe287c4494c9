"""Which dice of a pool to roll again: the best choice for every first roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from itertools import groupby, product
from math import factorial, prod

from mathhammer.dataclass import dataclass
from mathhammer.dice.symbols import Counts, Die, Distribution, pool_distribution
from mathhammer.errors import TooLargeError

MOST_CHOICES = 3_000_000  # first rolls with their choices
Kept = tuple[Counts, tuple[int, ...]]  # symbols that stay, and how many dice of each kind are rolled again


@dataclass(frozen=True, slots=True)
class ChosenReroll:
    """A pool of which up to `most` dice may be rolled again, once, as is best for the mean `value` of what it
    shows in the end. Answered by a `Distribution` of its symbols.

    >>> coin = Die("coin", (("skull",), ()))
    >>> best_rerolls(ChosenReroll((coin, coin), ("skull",), 1, lambda counts: float(counts[0] >= 2))).probs()
    {(0,): 0.25, (1,): 0.25, (2,): 0.5}
    """

    dice: tuple[Die, ...]
    symbols: tuple[str, ...]
    most: int
    value: Callable[[Counts], float]


@dataclass(slots=True)
class Choices:
    """The kinds of dice of a pool, and the best choice for each first roll."""

    asked: ChosenReroll
    kinds: tuple[tuple[Die, int], ...] = field(init=False)
    values: dict[Kept, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ordered = sorted(self.asked.dice, key=lambda die: (die.name, die.faces))
        self.kinds = tuple((die, len(list(group))) for die, group in groupby(ordered))

    def shown(self, face: tuple[str, ...]) -> Counts:
        """The symbols of a face."""
        return tuple(face.count(symbol) for symbol in self.asked.symbols)

    def faces(self, die: Die) -> dict[Counts, int]:
        """What a die may show, and on how many faces."""
        found: dict[Counts, int] = {}
        for face in die.faces:
            found[self.shown(face)] = found.get(self.shown(face), 0) + 1
        return found

    def value(self, kept: Kept) -> Fraction:
        """The mean value when these symbols stay and those dice are rolled again."""
        if kept not in self.values:
            again = self.again(kept[1])
            total = sum(
                (
                    weight * Fraction(self.asked.value(tuple(map(int.__add__, kept[0], counts))))
                    for counts, weight in again.weights.items()
                ),
                Fraction(0),
            )
            self.values[kept] = total / again.total
        return self.values[kept]

    def again(self, numbers: tuple[int, ...]) -> Distribution:
        """What the dice that are rolled again show."""
        dice = tuple(die for (die, _), n in zip(self.kinds, numbers, strict=True) for _ in range(n))
        return pool_distribution(dice, self.asked.symbols)

    def best(self, first: tuple[Mapping[Counts, int], ...]) -> Kept:
        """The best choice after a first roll, given as how many dice of each kind show what; as few dice as
        possible among equals.
        """
        sides = [(kind, shown, n) for kind, faces in enumerate(first) for shown, n in faces.items() if n]
        width = len(self.asked.symbols)
        options: dict[Kept, None] = {}
        for taken in product(*(range(n + 1) for _, _, n in sides)):
            if sum(taken) > self.asked.most:
                continue
            kept = [0] * width
            numbers = [0] * len(self.kinds)
            for (kind, shown, n), t in zip(sides, taken, strict=True):
                numbers[kind] += t
                for place in range(width):
                    kept[place] += (n - t) * shown[place]
            options[tuple(kept), tuple(numbers)] = None
        return max(options, key=lambda option: (self.value(option), -sum(option[1])))

    def first_rolls(self) -> Iterator[tuple[tuple[Mapping[Counts, int], ...], int]]:
        """All first rolls, and the ways in which each comes up."""
        by_kind = [list(_multisets(list(self.faces(die).items()), n)) for die, n in self.kinds]
        for parts in product(*by_kind):
            yield tuple(dict(part) for part, _ in parts), prod(ways for _, ways in parts)

    def size(self) -> int:
        """How many first rolls with their choices there are, at most."""
        number = 1
        for die, n in self.kinds:
            sets = list(_multisets(list(self.faces(die).items()), n))
            number *= sum(prod(count + 1 for _, count in part) for part, _ in sets)
        return number


def _multisets(
    faces: list[tuple[Counts, int]], dice: int
) -> Iterator[tuple[tuple[tuple[Counts, int], ...], int]]:
    """How many of some dice show each face, and the ways in which that comes up."""
    (shown, sides), *others = faces
    if not others:
        yield ((shown, dice),), sides**dice
        return
    for number in range(dice + 1):
        chosen = factorial(dice) // (factorial(number) * factorial(dice - number)) * sides**number
        for rest, ways in _multisets(others, dice - number):
            yield ((shown, number), *rest), chosen * ways


def choices_of(asked: ChosenReroll) -> Choices:
    """The choices of a pool; an error where there are too many."""
    choices = Choices(asked)
    if choices.size() > MOST_CHOICES:
        raise TooLargeError(
            f"pool: best play needs more than {MOST_CHOICES} choices for {len(asked.dice)} dice (use fewer "
            "dice, or reroll blanks)"
        )
    return choices


def best_rerolls(asked: ChosenReroll) -> Distribution:
    """What the pool shows in the end with the best choice of dice to roll again."""
    choices = choices_of(asked)
    sides = [len(die.faces) for die, _ in choices.kinds]
    weights: dict[Counts, int] = {}
    for first, ways in choices.first_rolls():
        kept, numbers = choices.best(first)
        again = choices.again(numbers)
        # dice that stay count as if they had been thrown twice, so that all ways have one total
        stay = prod(
            side ** (n - rolled) for side, (_, n), rolled in zip(sides, choices.kinds, numbers, strict=True)
        )
        for counts, weight in again.weights.items():
            key = tuple(map(int.__add__, kept, counts))
            weights[key] = weights.get(key, 0) + ways * weight * stay
    total = prod(side ** (2 * n) for side, (_, n) in zip(sides, choices.kinds, strict=True))
    return Distribution(weights, total)
