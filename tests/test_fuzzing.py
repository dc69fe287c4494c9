"""Inputs of strangers, some of each kind: an answer or a sentence. `tests/fuzzing.py` tries many more, led by coverage."""

from __future__ import annotations

import random
import resource
import time

import pytest
from fuzz_kinds import KINDS, seeds
from garbled_files import mutated
from hypothesis import settings

import mathhammer as mh

SECONDS = 10.0
MEGABYTES = 1500


def answered(kind: str, data: bytes) -> bool:
    """Whether the input was fine; what is wrong with it is a sentence."""
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    try:
        KINDS[kind](data)
        fine = True
    except mh.MathhammerError as error:
        assert str(error).strip()
        fine = False
    assert time.process_time() - started < SECONDS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < MEGABYTES
    return fine


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_or_a_sentence(kind: str) -> None:
    dice, known = random.Random(f"mathhammer {kind}"), seeds(kind)
    right = [answered(kind, seed) for seed in known]
    assert any(right)
    for _ in range(2 * settings().max_examples):
        answered(kind, mutated(dice.choice(known), dice))
