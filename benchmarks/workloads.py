"""The workloads that every benchmark uses, and the same fights as a tidy plain numpy simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import mathhammer as mh


@dataclass(frozen=True)
class Workload:
    """A fight, and a function that plays it with plain numpy: (generator, trials) -> total
    damage of each trial.
    """

    name: str
    attacker: mh.Unit
    target: mh.Unit
    naive: Callable[[np.random.Generator, int], np.ndarray]
    how: dict[str, Any] = field(default_factory=dict)

    def fight(self, **how: Any) -> mh.Result:
        """The fight with these further arguments."""
        return mh.fight(self.attacker, self.target, **self.how, **how)


def d6(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Dice as small as numpy makes them."""
    return rng.integers(1, 7, shape, dtype=np.uint8)


def ward(rng: np.random.Generator, pool: np.ndarray, needs: int) -> np.ndarray:
    """What a ward leaves of each pool: a die for every point."""
    return pool - (rng.binomial(pool, (7 - needs) / 6)).astype(pool.dtype)


def naive_w1(rng: np.random.Generator, trials: int) -> np.ndarray:
    """20 attacks, 3+/3+, rend 1, damage 2, Crit (Mortal), save 4+, ward 5+."""
    hit = d6(rng, trials, 20)
    mortal = hit == 6
    wounds = (hit >= 3) & ~mortal & (d6(rng, trials, 20) >= 3)
    unsaved = mortal | (wounds & (d6(rng, trials, 20) < 5))
    points = unsaved[:, :, None] & (d6(rng, trials, 20, 2) < 5)  # a ward die for each of the two points
    return points.sum(axis=(1, 2))


def naive_w2(rng: np.random.Generator, trials: int) -> np.ndarray:
    """60 attacks, 4+ re-rolling failures, 3+ re-rolling ones, rend 1, D6 damage, Crit (2
    Hits), save 4+, ward 6+.
    """
    first = d6(rng, trials, 60)
    hit = np.where(first < 4, d6(rng, trials, 60), first)
    pool = np.zeros(trials, dtype=np.int64)
    for active in (hit >= 4, hit == 6):
        first = d6(rng, trials, 60)
        wound = np.where(first == 1, d6(rng, trials, 60), first)
        through = active & (wound >= 3) & (d6(rng, trials, 60) < 5)
        pool += (d6(rng, trials, 60) * through).sum(axis=1, dtype=np.int64)
    return ward(rng, pool, 6)


def naive_w3(rng: np.random.Generator, trials: int) -> np.ndarray:
    """30 attacks 3+ S5 AP-1 D2, Sustained Hits 1, Lethal Hits, Devastating Wounds, on 10 models T4 3+ W2 FNP
    5+: wounds lost.
    """
    hit = d6(rng, trials, 30)
    crit = hit == 6
    # lethal: wounds without a roll; 3+ at AP-1 saves on a 4+
    unsaved = (crit & (d6(rng, trials, 30) < 4)).sum(axis=1)
    devastating = np.zeros(trials, dtype=np.int64)
    for active in ((hit >= 3) & ~crit, crit):  # plain hits, then the hit that each critical adds
        wound = d6(rng, trials, 30)
        devastating += (active & (wound == 6)).sum(axis=1)
        unsaved += (active & (wound >= 3) & (wound < 6) & (d6(rng, trials, 30) < 4)).sum(axis=1)
    lost = np.zeros(trials, dtype=np.int64)
    for number in (unsaved, devastating):
        for packet in range(int(number.max())):
            left = 2 - lost % 2  # of the model that takes it: what exceeds it is lost
            dealt = (d6(rng, trials) < 5).astype(np.int64) + (d6(rng, trials) < 5)
            lost = np.where((packet < number) & (lost < 20), lost + np.minimum(left, dealt), lost)
    return lost


def aos4(attacker: dict[str, Any], target: dict[str, Any]) -> tuple[mh.Unit, mh.Unit]:
    """Two units from a weapon and a profile."""
    weapon = {"name": "Weapon"} | attacker
    return (
        mh.make_unit("aos4", {"name": "Attacker", "models": 10, "health": 1, "weapon": [weapon]}),
        mh.make_unit("aos4", {"name": "Target"} | target),
    )


W1 = Workload(
    "W1",
    *aos4(
        {"attacks": 2, "hit": 3, "wound": 3, "rend": 1, "damage": 2, "abilities": ["Crit (Mortal)"]},
        {"models": 10, "health": 2, "save": 4, "ward": 5},
    ),
    naive_w1,
)
W2 = Workload(
    "W2",
    *aos4(
        {"attacks": 6, "hit": 4, "wound": 3, "rend": 1, "damage": "D6", "abilities": ["Crit (2 Hits)"]},
        {"models": 20, "health": 3, "save": 4, "ward": 6},
    ),
    naive_w2,
    {"effects": ({"reroll_hit": "failed", "reroll_wound": "ones"},)},
)
W3 = Workload(
    "W3",
    mh.make_unit(
        "wh40k10",
        {
            "name": "Attacker",
            "models": 10,
            "toughness": 4,
            "wounds": 1,
            "weapon": [
                {
                    "name": "Weapon",
                    "attacks": 3,
                    "skill": 3,
                    "strength": 5,
                    "ap": -1,
                    "damage": 2,
                    "abilities": ["Sustained Hits 1", "Lethal Hits", "Devastating Wounds"],
                }
            ],
        },
    ),
    mh.make_unit(
        "wh40k10", {"name": "Target", "models": 10, "toughness": 4, "save": 3, "wounds": 2, "fnp": 5}
    ),
    naive_w3,
)
WORKLOADS = (W1, W2, W3)
