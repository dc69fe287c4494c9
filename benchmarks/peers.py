"""W1 as the installable peers work it out: the whole distribution of damage after wards, rules included."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product


def w1_icepool() -> list[float]:
    """20 attacks as a pool of mixed dice, in icepool."""
    import icepool

    ward = icepool.coin(2, 3)  # a point gets past a 5+ ward two times in three

    def attack(hit: int, wound: int, save: int) -> object:
        through = hit == 6 or (hit >= 3 and wound >= 3 and save < 5)
        return 2 @ ward if through else 0

    one = icepool.map(attack, icepool.d6, icepool.d6, icepool.d6)
    total = 20 @ one
    return [float(total.probability(value)) for value in range(41)]


def w1_dyce() -> list[float]:
    """20 attacks as the sum of a histogram, in dyce."""
    from dyce import H

    weights = {0: 0, 1: 0, 2: 0}
    for hit, wound, save in product(range(1, 7), repeat=3):
        through = hit == 6 or (hit >= 3 and wound >= 3 and save < 5)
        for first, second in product(range(3), repeat=2):  # a ward of 5+ saves one point in three
            weights[(first > 0) + (second > 0) if through else 0] += 1
    total = 20 @ H(weights)
    count = Fraction(sum(total.counts()))
    return [float(Fraction(total.get(value, 0)) / count) for value in range(41)]


PEERS: dict[str, Callable[[], list[float]]] = {"dyce": w1_dyce, "icepool": w1_icepool}
