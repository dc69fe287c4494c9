"""Several of one weapon among the models of a unit: who has how many."""

from __future__ import annotations

MOST_COPIES = 12  # of one weapon in the hands of one model


def shares(number: int, models: int, all_fire: bool) -> list[tuple[int, int]]:
    """So many of one weapon among models: how many each has, and how many models have that.

    Without `all_fire` a second one changes nothing: a model uses one of them.

    >>> shares(4, 2, True), shares(3, 2, True), shares(3, 5, True), shares(4, 2, False)
    ([(2, 2)], [(2, 1), (1, 1)], [(1, 3)], [(1, 2)])
    """
    if not all_fire:
        return [(1, min(number, models))]
    each, more = divmod(min(number, MOST_COPIES * models), models)
    parts = [(each + 1, more), (each, models - more)]
    return [(copies, bearers) for copies, bearers in parts if copies and bearers]
