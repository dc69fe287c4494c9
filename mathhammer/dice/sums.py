"""Sums of independent rolls on plain arrays of chances: squaring and Horner's scheme, never an FFT."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def capped(probs: Array, cap: int | None) -> Array:
    """All above `cap` counts as `cap`."""
    if cap is None or len(probs) <= cap + 1:
        return probs
    short = probs[: cap + 1].copy()
    short[cap] = probs[cap:].sum()
    return short


def power(probs: Array, n: int, cap: int | None) -> Array:
    """The n-fold convolution of `probs`; squaring keeps the tails that an FFT would turn into noise."""
    result: Array | None = None
    square = capped(probs, cap)
    while n:
        if n & 1:
            result = square if result is None else capped(np.convolve(result, square), cap)
        n >>= 1
        if n:
            square = capped(np.convolve(square, square), cap)
    return np.ones(1) if result is None else result


def repeat(probs: Array, counts: Array, cap: int | None) -> Array:
    """Sum over n of counts[n] times the n-fold convolution, by Horner's scheme."""
    used = np.flatnonzero(counts)
    low, high = int(used[0]), int(used[-1])
    total = counts[high:].copy()
    for n in range(high - 1, low - 1, -1):
        total = capped(np.convolve(total, probs), cap)
        total[0] += counts[n]
    if low:
        total = capped(np.convolve(total, power(probs, low, cap)), cap)
    return total
