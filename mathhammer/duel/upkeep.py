"""What becomes of a unit without an attack: healing and Rally in its own turn, models that flee."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from mathhammer.dice.pmf import Pmf
from mathhammer.duel.setup import Setup
from mathhammer.duel.states import Array, States
from mathhammer.fight import make_question
from mathhammer.games.turns import HelpItself, Tests


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


def healing(states: States, points: Pmf) -> Array:
    """Wounds given back to the wounded model; none returns (AOS4-21.0, WH40K-HEAL)."""

    def change(lost: int) -> dict[int, float]:
        hurt = sum(hurt for _, hurt in states.unit.with_lost(lost).left())
        return points.cut(hurt).map(lambda healed: lost - healed).to_dict()

    return own_step(states, change)


def help_of(setup: Setup, side: int, u: int, engaged: bool) -> Array | None:
    """What a unit does for itself in its own turn: Rally while it is free, then healing; None: nothing."""
    one, help_itself = setup.fighters[side][u], setup.turns.step(HelpItself)
    rally = None if help_itself is None else help_itself.rally
    step: Array | None = None
    if one.rallies and not engaged and rally is not None:
        step = own_step(one.states, lambda lost: rally(one.unit, lost).to_dict())
    if one.heals is not None:
        healed = healing(one.states, one.heals)
        step = healed if step is None else step @ healed
    return step


def flight_of(setup: Setup, side: int, u: int) -> Array | None:
    """The chance that so many models flee, [slain this turn, models left, fled]; None where the unit does not
    test.
    """
    unit, tests = setup.fighters[side][u].unit, setup.turns.step(Tests)
    if tests is None or unit.stat(tests.stat) is None:
        return None
    chances = np.zeros((unit.models + 1, unit.models + 1, unit.models + 1))
    chances[:, :, 0] = 1.0
    foe = setup.fighters[1 - side][0]
    flags = tuple(flag for flag in foe.flags if flag.startswith("target_"))
    own = setup.fighters[side][u].friends
    question = make_question(
        foe.unit,
        unit,
        situation=flags,
        friends=foe.friends,
        target_friends=own,
        options=setup.options_of(1 - side),
    )
    each = int(unit.groups[0].stat(unit.wounds))
    for slain in range(1, unit.models):
        for left in range(1, unit.models - slain + 1):
            before = replace(question, target=unit.with_lost((unit.models - slain - left) * each))
            fled = tests.aftermath(before, Pmf.constant(slain))["fled"].probs
            chances[slain, left, : len(fled)] = fled
    return chances
