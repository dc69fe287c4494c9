"""The compiled loops, also as plain Python: the same bits with the JIT and without, and checks small enough to run both ways.

`NUMBA_DISABLE_JIT=1 python -m pytest -m "not needs_jit" tests/engine/test_kernels.py tests/engine/test_simulate.py tests/duel` is the
second run of `.ci/run`: the interpreter then sees every branch of the kernels.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from math import comb, sqrt

import kernel_cases
import numba
import numpy as np
import pytest
from kernel_cases import CASES, RATS, orruk

import mathhammer as mh
from mathhammer.engine import kernels, lane_kernels, simulate

LIMIT = 6.2
ONE = orruk({"damage": 2})


def play(trials: int, **how: object) -> mh.Result:
    return mh.fight(ONE, RATS, method="simulate", trials=trials, **how)  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_jit_changes_no_bit() -> None:
    """Every trial, every share and every sum of a case, from this process and from one with the JIT switched the other way."""
    other = os.environ | {"NUMBA_DISABLE_JIT": "0" if numba.config.DISABLE_JIT else "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", kernel_cases.__file__],
        capture_output=True,
        text=True,
        check=False,
        env=other,
    )
    assert done.returncode == 0, done.stderr
    there = json.loads(done.stdout)
    assert list(there) == list(CASES)
    here = {name: json.loads(json.dumps(case())) for name, case in CASES.items()}
    assert [name for name in CASES if here[name] != there[name]] == []


def test_the_counters_are_splitmix64() -> None:
    """The published sequence from seed 0: state += golden ratio, then the mixing function."""
    with np.errstate(over="ignore"):
        drawn = [int(lane_kernels.mix(np.uint64(n) * lane_kernels.GOLDEN)) for n in (1, 2, 3)]
    assert drawn == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_a_pool_may_pass_the_counter() -> None:
    """Three blows of 30000 on 4+: binomial, also above 65535."""
    seen = kernel_cases.very_many_ends()
    assert set(seen) == {"0", "30000", "60000", "90000"}
    for blows in range(4):
        chance = comb(3, blows) / 8
        assert abs(seen[str(30_000 * blows)] - chance) < LIMIT * sqrt(chance * (1 - chance) / 700)


def test_threads_and_pieces_change_no_bit() -> None:
    one, three = (play(40_001, seed=5, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.damage.probs, three.damage.probs)
    law = mh.fight(ONE, RATS).damage
    assert abs(one.damage.mean() - law.mean()) < LIMIT * law.sd() / sqrt(40_001)
    assert play(40_001, seed=6).damage != one.damage


def test_samples_are_the_trials_and_more_trials_go_on() -> None:
    few, many = (play(trials, seed=9, samples=True) for trials in (1100, 2100))
    assert few.samples is not None
    assert many.samples is not None
    assert np.array_equal(few.samples["damage"], many.samples["damage"][:1100])
    assert np.bincount(few.samples["damage"]) / 1100 == pytest.approx(few.damage.probs)


def test_a_stopping_rule_looks_after_every_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mathhammer.engine.simulate.LOOK", 2)
    seen: list[int] = []
    result = mh.fight(
        ONE,
        RATS,
        method="simulate",
        standard_error=0.01,
        seed=2,
        progress=lambda done, wanted: seen.append(done),
    )
    assert seen == [2 * lane_kernels.LANES * (look + 1) for look in range(len(seen))]
    assert result.trials == seen[-1]
    # the spread of the wounds lost is known, so is about when its mean is within 0.01
    assert seen[-1] == pytest.approx((mh.fight(ONE, RATS).lost.sd() / 0.01) ** 2, rel=0.2)


def first_words(seed: int, block: int) -> np.ndarray:
    """The draws of the first step of a block."""
    out = np.empty(64, dtype=np.uint32)
    with np.errstate(over="ignore"):
        lane_kernels.fill(
            out, lane_kernels.mix(np.uint64(seed)) + kernels.place_of(np.uint64(block)) * lane_kernels.GOLDEN
        )
    return out


def test_no_block_begins_where_another_one_draws() -> None:
    """Places are multiples of 2^32 and differ, so blocks of up to 2^32 steps share no counter."""
    some = np.unique(
        np.concatenate(
            [
                np.arange(4096, dtype=np.uint64),
                2 ** np.arange(32, dtype=np.uint64),
                np.uint64(2**24) + np.arange(4096, dtype=np.uint64),
                np.uint64(2**32 - 1) - np.arange(4096, dtype=np.uint64),
            ]
        )
    )
    places = np.array([kernels.place_of(block) for block in some], dtype=np.uint64)
    assert len(np.unique(places)) == len(some)
    assert not (places % np.uint64(2**32)).any()
    assert simulate.MOST_TRIALS <= 2**32 * lane_kernels.LANES
    assert (first_words(3, 0) != first_words(3, 2**24)).any()
