"""The states of a unit in a duel: the wounds it has lost, and the limited uses it has left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.units.unit import Unit

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class States:
    """The states of a unit: state = wounds lost x (uses + 1) + uses left; the last ones
    are a unit that is gone.
    """

    unit: Unit
    uses: int

    @staticmethod
    def of(unit: Unit) -> States:
        """The states of a unit that is fit for a duel."""
        if any(group.stat("wounded") for group in unit.groups):
            raise BadInputError(
                f"duel: {unit.name} has wounded models (say with_lost for the whole unit instead)"
            )
        given = sum(
            int(effect.change("damage_zero_uses") or 0)
            for effect in unit.effects
            if effect.on == "unit" and not effect.when and not effect.use
        )
        return States(replace(unit, lost=0), int(unit.stat("damage_zero_uses", 0)) + given)

    @property
    def number(self) -> int:
        """How many states there are."""
        return (self.unit.health + 1) * (self.uses + 1)

    @property
    def alive_states(self) -> int:
        """How many states there are in which something of it is left: the first ones."""
        return self.number - self.uses - 1

    def start(self, lost: int) -> int:
        """The state in which the duel begins."""
        return lost * (self.uses + 1) + self.uses

    def lost(self) -> Ints:
        """Wounds lost in each state."""
        return np.arange(self.number) // (self.uses + 1)

    def models(self) -> Ints:
        """Models left in each state."""
        left = [self.unit.with_lost(lost).models_left for lost in range(self.unit.health)] + [0]
        return np.array(left)[self.lost()]

    def at_models(self) -> Ints:
        """For each number of models left: the least wounds lost, so that the wounded model is gone first."""
        models = [*(self.unit.with_lost(lost).models_left for lost in range(self.unit.health)), 0]
        return np.array([models.index(left) for left in range(self.unit.models + 1)])


def own_step(states: States, change: Callable[[int], Mapping[int, float]]) -> Array:
    """What a unit does to itself, [state, state]: `change` gives the chances of the wounds lost after it,
    from the wounds lost before.
    """
    size, uses = states.unit.health + 1, states.uses + 1
    matrix = np.zeros((size, size))
    matrix[-1, -1] = 1.0
    for lost in range(size - 1):
        for after, chance in change(lost).items():
            matrix[lost, after] += chance
    step: Array = np.kron(matrix, np.eye(uses))  # type: ignore[assignment]
    return step
