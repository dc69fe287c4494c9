"""Dice with symbols instead of numbers: the joint distribution of the symbols that a pool of them shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, TooLargeError, UnknownNameError

Counts = tuple[int, ...]
Face = tuple[str, ...]
MOST_FACES = 100
MOST_SYMBOLS = 20  # on one face
MOST_CELLS = 200_000  # different results of one pool


@dataclass(frozen=True, slots=True)
class Die:
    """A die: faces that are equally likely, each with no, one or several symbols.

    >>> Die("coin", (("skull",), ())).faces[1]
    ()
    """

    name: str
    faces: tuple[Face, ...]

    def changed(self, change: Callable[[str], str | None]) -> Die:
        """The die with each symbol replaced by another, or taken away where `change` gives None.

        >>> Die("coin", (("miss",), ("hit",))).changed(lambda s: "hit" if s == "miss" else s).faces
        (('hit',), ('hit',))
        """
        faces = tuple(
            tuple(sorted(new for old in face if (new := change(old)) is not None)) for face in self.faces
        )
        return Die(self.name, faces)

    def __str__(self) -> str:
        return ", ".join("+".join(face) if face else "blank" for face in self.faces)


def make_die(where: str, name: str, faces: Any, symbols: Iterable[str]) -> Die:
    """A die from a list of faces, each a list of symbols.

    >>> str(make_die("pool", "red", [["skull", "skull"], ["skull"], []], ["skull", "bolt"]))
    'skull+skull, skull, blank'
    >>> make_die("pool", "red", [], ["skull", "bolt"])
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: pool: the red die has no faces (give 1 to 100, each a list of symbols)
    """
    known = list(symbols)
    if isinstance(faces, (str, Mapping)) or not isinstance(faces, Iterable):
        raise BadInputError(
            f"{where}: the faces of the {name} die are {faces!r} (give a list, each face a list of symbols)"
        )
    read_faces: list[Face] = []
    for face in faces:
        if isinstance(face, str) or not isinstance(face, (list, tuple)) or len(face) > MOST_SYMBOLS:
            raise BadInputError(
                f"{where}: {face!r} is not a face of the {name} die (give a list of at most {MOST_SYMBOLS} "
                "symbols)"
            )
        for symbol in face:
            if symbol not in known:
                raise UnknownNameError(f"{where}: {name} die", "symbol", str(symbol), known)
        read_faces.append(tuple(sorted(face)))
    if not read_faces:
        raise BadInputError(
            f"{where}: the {name} die has no faces (give 1 to {MOST_FACES}, each a list of symbols)"
        )
    if len(read_faces) > MOST_FACES:
        raise BadInputError(f"{where}: the {name} die has {len(read_faces)} faces (give 1 to {MOST_FACES})")
    return Die(name, tuple(read_faces))


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """How often each result comes up, in whole numbers out of `total`: nothing is rounded before it is read.

    >>> distribution = pool_distribution((Die("coin", (("skull",), ())),) * 2, ("skull",))
    >>> distribution.chance(lambda counts: counts[0] >= 1), distribution.means()
    (Fraction(3, 4), (Fraction(1, 1),))
    """

    weights: Mapping[Counts, int]
    total: int

    def chance(self, holds: Callable[[Counts], bool]) -> Fraction:
        """The chance of the results for which `holds` is true."""
        return Fraction(sum(weight for counts, weight in self.weights.items() if holds(counts)), self.total)

    def of(self, value: Callable[[Counts], Any]) -> dict[Any, Fraction]:
        """The distribution of a value that each result has."""
        sums: dict[Any, int] = {}
        for counts, weight in self.weights.items():
            key = value(counts)
            sums[key] = sums.get(key, 0) + weight
        return {key: Fraction(weight, self.total) for key, weight in sums.items()}

    def means(self) -> tuple[Fraction, ...]:
        """The mean number of each symbol."""
        width = len(next(iter(self.weights)))
        return tuple(
            Fraction(sum(c[i] * w for c, w in self.weights.items()), self.total) for i in range(width)
        )

    def probs(self) -> dict[Counts, float]:
        """Result -> chance as floats, in the order of the results."""
        return {counts: self.weights[counts] / self.total for counts in sorted(self.weights)}


@lru_cache(maxsize=4096)
def pool_distribution(
    dice: tuple[Die, ...], symbols: tuple[str, ...], rerolls: tuple[int, ...] = ()
) -> Distribution:
    """The joint distribution of how many of each of `symbols` a pool shows.

    Each entry of `rerolls` is one effect: up to so many blanks are rolled once more, dice that stand first in
    the pool first.

    >>> coin = Die("coin", (("skull",), ()))
    >>> pool_distribution((coin, coin), ("skull",), (1,)).probs()
    {(0,): 0.125, (1,): 0.375, (2,): 0.5}
    """
    # The dice are read one after the other; what is left of each effect is part of the state.
    state: dict[tuple[Counts, Counts], int] = {
        ((0,) * len(symbols), tuple(min(n, len(dice)) for n in rerolls)): 1
    }
    total = 1
    for die in dice:
        after: dict[tuple[Counts, Counts], int] = {}
        for (counts, left), weight in state.items():
            for shown, left_now, ways in _outcomes(die, symbols, left):
                key = (tuple(map(int.__add__, counts, shown)), left_now)
                after[key] = after.get(key, 0) + weight * ways
        state = after
        total *= len(die.faces) ** (1 + len(rerolls))
        if len(state) > MOST_CELLS:
            raise TooLargeError(
                f"pool: exact needs more than {MOST_CELLS} results for {len(dice)} dice (use fewer dice)"
            )
    weights: dict[Counts, int] = {}
    for (counts, _), weight in state.items():
        weights[counts] = weights.get(counts, 0) + weight
    return Distribution(weights, total)


@lru_cache(maxsize=4096)
def _outcomes(
    die: Die, symbols: tuple[str, ...], left: Counts, effect: int = 0
) -> tuple[tuple[Counts, Counts, int], ...]:
    """What one die shows in the end, what is left of the rerolls then, and the ways to get there.

    The effects from number `effect` on may still act; every way is counted as if each of them threw the die.
    """
    faces = len(die.faces)
    unthrown = faces ** (len(left) - effect)
    ways: dict[tuple[Counts, Counts], int] = {}

    def add(counts: Counts, left_now: Counts, number: int) -> None:
        ways[counts, left_now] = ways.get((counts, left_now), 0) + number

    blanks = 0
    for face in die.faces:
        if face:
            add(tuple(face.count(symbol) for symbol in symbols), left, unthrown)
        else:
            blanks += 1
    acting = next((e for e in range(effect, len(left)) if left[e] > 0), None)
    if blanks and acting is None:
        add((0,) * len(symbols), left, blanks * unthrown)
    elif blanks and acting is not None:
        used = (*left[:acting], left[acting] - 1, *left[acting + 1 :])
        for counts, left_now, number in _outcomes(die, symbols, used, acting + 1):
            add(counts, left_now, blanks * number * faces ** (acting - effect))
    return tuple((counts, left_now, number) for (counts, left_now), number in ways.items())
