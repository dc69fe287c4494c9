"""Steps between states as bands: of many states only a few lie within reach, the rest of a matrix is empty.

A packet takes a few wounds, so from each of hundreds of states it leads to the next few. The bands beside the
diagonal say all of it, and applying them takes as many sums as there are bands, where a whole matrix takes as
many as there are states.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass

Array = NDArray[np.float64]
FEWEST = 96  # states from which on bands are worth it
SHARE = 8  # and there are at least so many states for each band


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """A matrix by its bands: how far each leads, and the chances from every state, 0 where there is none."""

    size: int
    offsets: tuple[int, ...]
    chances: tuple[Array, ...]


Step = Array | Bands


def banded(matrix: Array) -> Step:
    """The matrix as its bands where they are few, else as it is.

    >>> banded(np.eye(3)).shape, banded(np.eye(200)).offsets
    ((3, 3), (0,))
    """
    size = len(matrix)
    if size < FEWEST:
        return matrix
    rows, columns = np.nonzero(matrix)
    offsets = np.unique(columns - rows).tolist()
    if len(offsets) * SHARE > size:
        return matrix
    chances = []
    for offset in offsets:
        chances.append(np.zeros(size))
        chances[-1][max(0, -offset) : size - max(0, offset)] = np.diagonal(matrix, offset)
    return Bands(size, tuple(offsets), tuple(chances))


def moved(mass: Array, step: Step) -> Array:
    """The chances of all states, on the last axis, after a step.

    >>> moved(np.array([1.0, 0.0]), np.array([[0.5, 0.5], [0.0, 1.0]])).tolist()
    [0.5, 0.5]
    """
    if not isinstance(step, Bands):
        return mass @ step
    result = np.zeros_like(mass)
    for offset, chances in zip(step.offsets, step.chances, strict=True):
        first, last = max(0, -offset), step.size - max(0, offset)
        result[..., first + offset : last + offset] += mass[..., first:last] * chances[first:last]
    return result


def both(one: Step, other: Step) -> Step:
    """One step after the other."""
    if isinstance(one, Bands) and isinstance(other, Bands):
        found: dict[int, Array] = {}
        for offset, chances in zip(one.offsets, one.chances, strict=True):
            first, last = max(0, -offset), one.size - max(0, offset)
            for more, share in zip(other.offsets, other.chances, strict=True):
                into = found.setdefault(offset + more, np.zeros(one.size))
                into[first:last] += chances[first:last] * share[first + offset : last + offset]
        return _bands(one.size, found)
    return whole(one) @ whole(other)


def mixed(parts: list[tuple[float, Step]]) -> Step:
    """Several steps, each with its chance."""
    if all(isinstance(step, Bands) for _, step in parts):
        found: dict[int, Array] = {}
        for chance, step in parts:
            assert isinstance(step, Bands)
            for offset, chances in zip(step.offsets, step.chances, strict=True):
                found[offset] = found.get(offset, 0.0) + chance * chances
        return _bands(parts[0][1].size, found)
    total = np.zeros_like(whole(parts[0][1]))
    for chance, step in parts:
        total += chance * whole(step)
    return total


def whole(step: Step) -> Array:
    """The whole matrix of a step.

    >>> bool((whole(banded(np.eye(200))) == np.eye(200)).all())
    True
    """
    if not isinstance(step, Bands):
        return step
    matrix = np.zeros((step.size, step.size))
    states = np.arange(step.size)
    for offset, chances in zip(step.offsets, step.chances, strict=True):
        here = states[max(0, -offset) : step.size - max(0, offset)]
        matrix[here, here + offset] = chances[here]
    return matrix


def _bands(size: int, found: dict[int, Array]) -> Step:
    kept = {offset: chances for offset, chances in sorted(found.items()) if chances.any()}
    bands = Bands(size, tuple(kept), tuple(kept.values()))
    return bands if len(kept) * SHARE <= size else whole(bands)
