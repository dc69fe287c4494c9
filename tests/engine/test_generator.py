"""The random numbers of the simulation: a battery over seeds, blocks, steps and lanes, and long runs against exact results.

Chi-square and correlation tests, each with a fixed seed; a statistic may be 6.2 standard deviations off, as everywhere here.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.engine import kernels, lane_kernels

pytestmark = pytest.mark.slow

LIMIT = 6.2


def words(seed: int, block: int, steps: int, size: int = lane_kernels.LANES) -> np.ndarray:
    """The 32-bit draws of the first steps of a block: [step, lane]."""
    with np.errstate(over="ignore"):
        counter = lane_kernels.mix(np.uint64(seed)) + kernels.place_of(np.uint64(block)) * lane_kernels.GOLDEN
    out = np.empty((steps, size), dtype=np.uint32)
    for step in range(steps):
        counter = lane_kernels.fill(out[step], np.uint64(counter))
    return out


def chi_z(counts: np.ndarray) -> float:
    """A chi-square statistic of equally likely cells, as standard deviations from its mean."""
    expected = counts.sum() / counts.size
    freedom = counts.size - 1
    return float((((counts - expected) ** 2 / expected).sum() - freedom) / sqrt(2 * freedom))


def halves(draws: np.ndarray) -> np.ndarray:
    return draws.view(np.uint16)


DRAWS = words(seed=11, block=0, steps=4000)


def test_draws_are_uniform() -> None:
    assert abs(chi_z(np.bincount(halves(DRAWS).ravel() >> 4, minlength=4096))) < LIMIT
    assert abs(chi_z(np.bincount(halves(DRAWS).ravel() & 0xFF, minlength=256))) < LIMIT


def test_every_bit_is_fair_and_no_two_agree_too_often() -> None:
    bits = (
        np.unpackbits(DRAWS.ravel()[:400_000].view(np.uint8).reshape(-1, 4), axis=1).astype(np.float64) - 0.5
    )
    n = len(bits)
    assert np.abs(bits.mean(axis=0) * 2 * sqrt(n)).max() < LIMIT
    together = 4 * (bits.T @ bits) / sqrt(n)
    np.fill_diagonal(together, 0.0)
    assert np.abs(together).max() < LIMIT


def correlation_z(a: np.ndarray, b: np.ndarray) -> float:
    x, y = a.astype(np.float64) - a.mean(dtype=np.float64), b.astype(np.float64) - b.mean(dtype=np.float64)
    return float((x * y).mean() / (x.std() * y.std()) * sqrt(x.size))


@pytest.mark.parametrize("shift", [1, 2, 3, 16, 512, 1023])
def test_neighbouring_lanes_are_independent(shift: int) -> None:
    assert abs(correlation_z(DRAWS[:, shift:], DRAWS[:, :-shift])) < LIMIT


@pytest.mark.parametrize("shift", [1, 2, 7, 100])
def test_neighbouring_steps_are_independent(shift: int) -> None:
    assert abs(correlation_z(DRAWS[shift:], DRAWS[:-shift])) < LIMIT


@pytest.mark.parametrize(("seed", "block"), [(12, 0), (11, 1), (11, 2**20), (0, 0), (2**63 - 1, 5)])
def test_neighbouring_seeds_and_blocks_are_independent(seed: int, block: int) -> None:
    other = words(seed, block, steps=2000)
    assert abs(correlation_z(DRAWS[:2000], other)) < LIMIT
    d6 = (halves(DRAWS[:2000]).astype(np.uint32) * 6 >> 16).ravel() * 6 + (
        halves(other).astype(np.uint32) * 6 >> 16
    ).ravel()
    assert abs(chi_z(np.bincount(d6, minlength=36))) < LIMIT


@pytest.mark.parametrize("stride", [1, 2, 1024, 2048])
def test_pairs_and_triples_of_d6_are_uniform(stride: int) -> None:
    die = (halves(DRAWS).astype(np.uint32) * 6 >> 16).ravel().astype(np.int64)
    pairs = die[:-stride] * 6 + die[stride:]
    assert abs(chi_z(np.bincount(pairs, minlength=36))) < LIMIT
    triples = die[: -2 * stride] * 36 + die[stride:-stride] * 6 + die[2 * stride :]
    assert abs(chi_z(np.bincount(triples, minlength=216))) < LIMIT


def test_no_word_comes_back_too_often() -> None:
    """Birthdays: n words of 32 bits should agree in about n*n / 2^33 pairs."""
    n = DRAWS.size // 8
    some = np.sort(DRAWS.ravel()[:n])
    seen = int((some[1:] == some[:-1]).sum())
    expected = n * n / 2**33
    assert abs(seen - expected) < LIMIT * sqrt(expected)


def test_the_means_of_many_seeds_scatter_as_they_should() -> None:
    """Two hundred short runs: their z-scores must have mean 0 and spread 1."""
    sword = {
        "name": "Sword",
        "attacks": 4,
        "hit": 3,
        "wound": 4,
        "rend": 1,
        "damage": 2,
        "abilities": ["Crit (Mortal)"],
    }
    attacker = mh.make_unit("aos4", {"name": "A", "models": 5, "health": 1, "weapon": [sword]})
    target = mh.make_unit("aos4", {"name": "T", "models": 10, "health": 2, "save": 4, "ward": 5})
    law = mh.fight(attacker, target).damage
    trials = 20_000
    z = np.array(
        [
            (
                mh.fight(attacker, target, method="simulate", trials=trials, seed=seed).damage.mean()
                - law.mean()
            )
            / (law.sd() / sqrt(trials))
            for seed in range(200)
        ]
    )
    assert abs(z.mean() * sqrt(200)) < LIMIT
    assert abs((z.var() - 1) * sqrt(100)) < LIMIT


def test_four_billion_trials_of_w1() -> None:
    """Mean and variance after 4e9 trials: a bias of one part in ten thousand of a standard deviation would show."""
    sword = {
        "name": "Sword",
        "attacks": 2,
        "hit": 3,
        "wound": 3,
        "rend": 1,
        "damage": 2,
        "abilities": ["Crit (Mortal)"],
    }
    attacker = mh.make_unit("aos4", {"name": "A", "models": 10, "health": 1, "weapon": [sword]})
    target = mh.make_unit("aos4", {"name": "T", "models": 10, "health": 2, "save": 4, "ward": 5})
    law = mh.fight(attacker, target).damage
    trials = 4_000_000_000
    seen = mh.fight(attacker, target, method="simulate", trials=trials, seed=1).damage
    values = np.arange(len(law))
    fourth = float(law.probs @ (values - law.mean()) ** 4)
    seen_var = float(seen.probs @ (np.arange(len(seen)) - law.mean()) ** 2)
    assert abs(seen.mean() - law.mean()) / (law.sd() / sqrt(trials)) < LIMIT
    assert abs(seen_var - law.var()) / sqrt((fourth - law.var() ** 2) / trials) < LIMIT


def test_a_rare_event_in_ten_billion_trials() -> None:
    """About one in ten million: four of four attacks that each get through once in 54. Counts far out in the tail are right too."""
    needle = {"name": "Needle", "attacks": 4, "hit": 6, "wound": 6, "damage": 1}
    attacker = mh.make_unit("aos4", {"name": "A", "health": 1, "weapon": [needle]})
    target = mh.make_unit("aos4", {"name": "T", "health": 4, "save": 5})
    trials = 10_000_000_000
    chance = mh.fight(attacker, target).p_destroyed
    assert chance == pytest.approx((1 / 54) ** 4, rel=1e-9)
    seen = mh.fight(attacker, target, method="simulate", trials=trials, seed=5).p_destroyed
    assert abs(seen - chance) / sqrt(chance / trials) < LIMIT
