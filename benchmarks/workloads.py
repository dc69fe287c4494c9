"""The workloads that every benchmark uses, and the same fights as a tidy plain numpy simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import mathhammer as mh


@dataclass(frozen=True)
class Workload:
    """A fight, and a function that plays it with plain numpy: (generator, trials) -> total damage of each trial."""

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
    through = wounds & (d6(rng, trials, 20) < 5)
    pool = 2 * (mortal.sum(axis=1) + through.sum(axis=1))
    return ward(rng, pool, 5)


def naive_w2(rng: np.random.Generator, trials: int) -> np.ndarray:
    """60 attacks, 4+ re-rolling failures, 3+ re-rolling ones, rend 1, D6 damage, Crit (2 Hits), save 4+, ward 6+."""
    first = d6(rng, trials, 60)
    hit = np.where(first < 4, d6(rng, trials, 60), first)
    pool = np.zeros(trials, dtype=np.int64)
    for active in (hit >= 4, hit == 6):
        first = d6(rng, trials, 60)
        wound = np.where(first == 1, d6(rng, trials, 60), first)
        through = active & (wound >= 3) & (d6(rng, trials, 60) < 5)
        pool += (d6(rng, trials, 60) * through).sum(axis=1, dtype=np.int64)
    return ward(rng, pool, 6)


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
WORKLOADS = (W1, W2)
