"""Simulated attacks keep every bit: what was stored once comes out again, with any number of threads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from stored_histograms import MANY, PLANS, QUICK, STORED, histogram

from mathhammer.engine import kernels
from mathhammer.engine.simplify import merged
from mathhammer.engine.stages import compile_stages


def stored(name: str) -> dict[str, Any]:
    rows: dict[str, dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))
    return rows[name]


@pytest.mark.parametrize("name", PLANS)
def test_the_same_bits_as_stored(name: str) -> None:
    """Few trials: also with the JIT switched off."""
    assert histogram(name, QUICK, threads=1) == stored(name)["quick"]


@pytest.mark.needs_jit
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("name", PLANS)
def test_the_same_bits_as_stored_on_several_threads(name: str, threads: int) -> None:
    assert histogram(name, MANY, threads) == stored(name)["many"]


def test_a_stored_histogram_counts_every_trial() -> None:
    rows = json.loads(STORED.read_text(encoding="utf-8"))
    assert list(rows) == list(PLANS)
    for row in rows.values():
        assert sum(row["quick"]["ends"].values()) == QUICK
        assert sum(row["many"]["ends"].values()) == MANY


def test_the_stored_plans_reach_every_kind_of_stage() -> None:
    kinds, numbers = set(), set()
    for make_plan in PLANS.values():
        stages, _ = compile_stages(merged(make_plan()))
        kinds |= set(stages.plan.kind.tolist())
        numbers |= {(stage.count_table >= 0, stage.if_counter >= 0) for stage in stages.plan}
    assert kinds == {kernels.ATTACKS, kernels.EACH, kernels.ROWS, kernels.STEPS, kernels.POOL}
    assert numbers == {(False, False), (True, False), (False, True)}
