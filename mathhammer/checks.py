"""Numbers from users: the one check of their kind and bounds."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from mathhammer.errors import BadInputError

MOST_SEED = 2**63 - 1
MOST_THREADS = 1024
MOST_INCHES = 1000.0  # between two units


def is_whole(value: Any, low: int = 0, high: int | None = None) -> bool:
    """Whether the value is a whole number within bounds; numpy's integers are, True and 3.0 are not.

    >>> is_whole(3, 1, 7), is_whole(8, 1, 7), is_whole(True), is_whole(3.0)
    (True, False, False, False)
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        return False
    return low <= int(value) and (high is None or int(value) <= high)


def whole(what: str, value: Any, low: int = 0, high: int | None = None, wanted: str = "") -> int:
    """The value as a whole number within bounds, or an error that says which would be right.

    >>> whole("battle: threat is", 3, 1, 7)
    3
    >>> whole("battle: threat is", 0, 1, 7)
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: battle: threat is 0 (give a whole number from 1 to 7)
    """
    if not is_whole(value, low, high):
        bounds = f"from {low} on" if high is None else f"from {low} to {high}"
        raise BadInputError(f"{what} {value!r} (give {wanted or f'a whole number {bounds}'})")
    return int(value)


def check_seed(where: str, seed: Any) -> int:
    """A seed of random numbers.

    >>> check_seed("simulate", -1)
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: simulate: seed -1 (give a whole number from 0 to 2**63 - 1)
    """
    return whole(f"{where}: seed", seed, 0, MOST_SEED, "a whole number from 0 to 2**63 - 1")


def check_threads(where: str, threads: Any, name: str = "threads") -> int:
    """A number of threads or processes.

    >>> check_threads("simulate", 4)
    4
    """
    return whole(f"{where}: {name}", threads, 1, MOST_THREADS, "a whole number from 1 on")


def check_inches(where: str, distance: Any) -> float:
    """A distance in inches; numpy's numbers are numbers.

    >>> check_inches("fight", 9)
    9.0
    >>> check_inches("fight", -1)
    Traceback (most recent call last):
    mathhammer.errors.BadInputError: fight: distance -1 (give inches from 0 to 1000)
    """
    fits = isinstance(distance, Real) and not isinstance(distance, bool)
    if not (fits and 0 <= distance <= MOST_INCHES):
        raise BadInputError(f"{where}: distance {distance!r:.40} (give inches from 0 to {MOST_INCHES:g})")
    return float(distance)
