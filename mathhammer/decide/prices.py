"""Which sets of attackers a plan that is better than the one in hand may still hold.

The linear program puts a price on each attacker, target and command. Whatever the prices are, no plan is
worth more than all of them together and, for each target, the most that a set is worth beyond its own. So a
set that cannot come near its prices, however it grows, is in no better plan: it is left out, with all that
begin with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.decide.blows import states_of
from mathhammer.decide.columns import Column, Goal, Option
from mathhammer.duel.states import Array
from mathhammer.units.unit import Unit

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # between what is left of a target and what its attackers can do


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """What the linear program pays for each thing, and for all of them together."""

    parts: Sequence[float]
    targets: Sequence[float]
    tags: Mapping[int, float]  # of each bit
    point: float  # of a command point
    total: float

    def of(self, option: Option) -> float:
        """The price of an option."""
        tags = sum(price for bit, price in self.tags.items() if option.tag >> bit & 1) if option.tag else 0.0
        return sum(self.parts[part] for part in option.parts) + tags + option.spends * self.point

    def beyond(self, column: Column) -> float:
        """What a set is worth beyond its prices."""
        return column.value - self.targets[column.target] - sum(map(self.of, column.options))


@dataclass(frozen=True, slots=True, eq=False)
class Hope:
    """Tells of sets on one target whether they, or any that begin with them, can be worth more than `least`
    beyond their prices.
    """

    goal: Goal
    target: float  # its price
    least: float
    price: Mapping[Option, float]
    cost: Array  # [option]: its price; options that use the same parts stand together
    groups: Sequence[int]  # the bits of these parts
    first: NDArray[np.int64]  # the first option of each group
    gains: Array  # [state, option]: the most that it adds to this state, or to one that follows it
    left: Array  # [state]: the most that all of them add

    @staticmethod
    def of(
        target: Unit, options: Sequence[Option], goal: Goal, prices: Prices, wanted: tuple[int, float]
    ) -> Hope:
        """What each option can add at most; `wanted`: the place of the target, and `least`."""
        states = states_of(target, "plan")
        lost, gone = states.lost().astype(np.float64), np.arange(states.number) >= states.alive_states
        worth = goal.price * (lost / lost.max() if goal.kind == "removed" else gone.astype(np.float64))
        left = goal.price - worth
        together = sorted(options, key=lambda option: option.bits)
        order = np.argsort(-lost, kind="stable")  # states that follow one have lost as much, or more
        gains = np.empty((states.number, len(options)))
        for number, option in enumerate(together):
            most = np.maximum.accumulate((option.blow.matrix @ worth - worth)[order])
            last = np.searchsorted(-lost[order], -lost[order], side="right") - 1
            gains[order, number] = most[last]
        groups = [option.bits for option in together]
        first = [n for n, bits in enumerate(groups) if n == 0 or groups[n - 1] != bits]
        price = {option: prices.of(option) for option in together}
        return Hope(
            goal,
            prices.targets[wanted[0]],
            wanted[1],
            price,
            np.array(list(price.values())),
            [groups[n] for n in first],
            np.array(first, dtype=np.int64),
            np.minimum(gains, left[:, None]),
            left,
        )

    def beyond(self, column: Column) -> float:
        """What a set is worth beyond its prices."""
        return column.value - self.target - sum(self.price[option] for option in column.options)

    def __call__(self, sets: Sequence[Column]) -> NDArray[np.bool_]:
        """Which of these can be, or become, worth more."""
        beyond = np.array([self.beyond(one) for one in sets])
        if self.goal.kind == "chance":  # of a logarithm no more than 0 comes
            hoped: Array = beyond - np.array([one.value for one in sets])
            return hoped > self.least
        mass = np.stack([one.mass for one in sets])
        free = np.array([[not bits & one.bits for bits in self.groups] for one in sets])
        gains, left = mass @ self.gains, mass @ self.left
        # what is added is no more than any mean of what is left and what all of them add
        added = [
            (1.0 - share) * left
            + (
                np.maximum.reduceat(np.maximum(share * gains - self.cost, 0.0), self.first, axis=1) * free
            ).sum(axis=1)
            for share in SHARES
        ]
        within: NDArray[np.bool_] = beyond + np.min(added, axis=0) > self.least
        return within
