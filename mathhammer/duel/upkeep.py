"""What becomes of a unit without an attack: healing and Rally in its own turn, models that flee."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np

from mathhammer.dice.pmf import Pmf
from mathhammer.duel.setup import Setup
from mathhammer.duel.states import Array, States, own_step
from mathhammer.fight import make_question
from mathhammer.games.turns import HelpItself, Tests


def healing(states: States, points: Pmf) -> Array:
    """Wounds given back to the wounded model; none returns (AOS4-21.0, WH40K-HEAL)."""

    def change(lost: int) -> dict[int, float]:
        hurt = sum(hurt for _, hurt in states.unit.with_lost(lost).left())
        return points.cut(hurt).map(lambda healed: lost - healed).to_dict()

    return own_step(states, change)


def returning(states: States, models: Pmf) -> Array:
    """Models brought back, at full strength (AOS4-22.0, WH40K-RETURNED): those of the first kind of models,
    and never more than there were.
    """
    unit = states.unit
    each, most = int(unit.groups[0].stat(unit.wounds)), unit.groups[0].models

    def change(lost: int) -> dict[int, float]:
        slain = min(most, lost // each)
        return models.cut(slain).map(lambda back: lost - back * each).to_dict()

    return own_step(states, change)


def returning_health(states: States, health: Pmf) -> Array:
    """Models brought back with a combined Health of up to that."""
    each = int(states.unit.groups[0].stat(states.unit.wounds))
    return returning(states, health.map(lambda points: points // each))


def reanimating(states: States, wounds: Pmf) -> Array:
    """Wounds given back one by one: to the wounded model, else a slain one returns with it (WH40K-HEAL)."""
    return own_step(states, lambda lost: wounds.cut(lost).map(lambda back: lost - back).to_dict())


# words of effects that help the unit in its own turn, and what they do
HELPS = {"heal": healing, "return": returning, "return_health": returning_health, "reanimate": reanimating}


def help_of(setup: Setup, side: int, u: int, engaged: bool) -> Array | None:
    """What a unit does for itself in its own turn: Rally while it is free, then healing, then what its rules
    bring back; None: nothing.
    """
    one, help_itself = setup.fighters[side][u], setup.turns.step(HelpItself)
    rally = None if help_itself is None else help_itself.rally
    steps: list[Array] = []
    if one.rallies and not engaged and rally is not None:
        steps.append(own_step(one.states, lambda lost: rally(one.unit, lost).to_dict()))
    if one.heals is not None:
        steps.append(healing(one.states, one.heals))
    for word, help_by in HELPS.items():
        steps += [help_by(one.states, dice.pmf()) for dice in one.always(word)]
    return None if not steps else reduce(np.matmul, steps)


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
        foe.acting(),
        setup.fighters[side][u].acting(),
        situation=flags,
        friends=foe.friends,
        target_friends=own,
        options=setup.options_of(1 - side),
    )
    each = int(unit.groups[0].stat(unit.wounds))
    for slain in range(1, unit.models):
        for left in range(1, unit.models - slain + 1):
            before = replace(question, target=question.target.with_lost((unit.models - slain - left) * each))
            fled = tests.aftermath(before, Pmf.constant(slain))["fled"].probs
            chances[slain, left, : len(fled)] = fled
    return chances
