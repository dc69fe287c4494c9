"""What slain models do to the unit that slew them: they fight on before they go, and they explode."""

from __future__ import annotations

from math import comb

import numpy as np

from mathhammer.dataclass import dataclass
from mathhammer.duel.attacks import strike_of
from mathhammer.duel.fighter import Scene
from mathhammer.duel.setup import Setup
from mathhammer.duel.states import Array, Ints, own_step
from mathhammer.engine.exact import end_states
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError


@dataclass(frozen=True, slots=True, eq=False)
class Falls:
    """For each number of models slain by an attack, what that does to the attacker: [slain][state, state]."""

    models: Ints  # of the unit that is attacked, in each of its states
    after: tuple[Array, ...]


def falls_of(
    setup: Setup, attacker: int, units: tuple[int, int], scene: Scene, *, fought: bool
) -> Falls | None:
    """What the models that an attack slays do to the attacker; None: nothing.

    Slain models attack first, if their unit has not fought yet (WH40K-DEADFIGHT, WH40K11-05.04.05), then they
    explode (WH40K-DEADLY).
    """
    u, v = units
    one, other = setup.fighters[attacker][u], setup.fighters[1 - attacker][v]
    blast = demise_of(setup, attacker, units) if near_enough(setup, scene) else None
    needed = None if fought or scene.kind != "melee" else dies_fighting(setup, 1 - attacker, v)
    if blast is None and needed is None:
        return None
    models = other.states.models()
    back = None
    if needed is not None:
        reply = Scene("melee", scene.round, scene.turn, engaged=True, target_charged=scene.charged)
        back = strike_of(setup, 1 - attacker, v, u, reply)
    after = [np.eye(one.states.number)]
    for slain in range(1, int(models.max()) + 1):
        step = np.eye(one.states.number)
        if back is not None and needed is not None:
            step = _dying_blows(
                back.numbers, models, [back.matrix(n) for n in range(len(back.rows))], slain, needed
            )
        if blast is not None:
            step = step @ np.linalg.matrix_power(blast, slain)
        after.append(step)
    return Falls(models, tuple(after))


def near_enough(setup: Setup, scene: Scene) -> bool:
    """Whether the attacker stands near enough to be caught in an explosion."""
    reach = setup.turns.demise_reach
    return scene.engaged or (scene.distance is not None and scene.distance <= reach)


def demise_of(setup: Setup, attacker: int, units: tuple[int, int]) -> Array | None:
    """What one slain model of the target does to the attacker when it explodes; None: nothing."""
    one, other = setup.fighters[attacker][units[0]], setup.fighters[1 - attacker][units[1]]
    demise = setup.turns.demise
    if demise is None or demise(other.unit, one.unit) is None:
        return None

    def change(lost: int) -> dict[int, float]:
        plan = demise(other.unit, one.unit.with_lost(lost))
        assert plan is not None
        return Result("", "", plan, end_states(plan)).lost.map(lambda more: lost + more).to_dict()

    return own_step(one.states, change)


def dies_fighting(setup: Setup, side: int, u: int) -> int | None:
    """What a slain model of a unit needs to attack once more; None: it does not."""
    one = setup.fighters[side][u]
    needed = one.always("fight_on_death", "melee")
    if not needed or not one.melee:
        return None
    usual = [weapon for weapon in one.unit.weapons if weapon.name in one.weapons.get("melee", ())]
    if any(weapon.bearers not in (None, one.unit.models) for weapon in usual):
        raise BadInputError(
            f"duel: {one.unit.name} fights on death with different weapons (which models fall is not known; "
            "name one weapon that all carry)"
        )
    return int(min(needed))


def chance_to_reply(needed: int) -> float:
    """The chance that one slain model attacks."""
    return (7 - max(1, needed)) / 6 if needed > 1 else 1.0


def _dying_blows(numbers: Ints, models: Ints, matrices: list[Array], slain: int, needed: int) -> Array:
    """What so many slain models do to the attacker: each attacks with its chance, and those that do attack as
    a unit of so many models.
    """
    chance = chance_to_reply(needed)
    total = np.zeros_like(matrices[0])
    for striking in range(slain + 1):
        share = comb(slain, striking) * chance**striking * (1.0 - chance) ** (slain - striking)
        if share == 0.0:
            continue
        number = -1 if striking == 0 else int(numbers[np.argmax(models == striking)])
        total += share * (np.eye(len(total)) if number < 0 else matrices[number])
    return total
