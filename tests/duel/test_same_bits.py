"""Scripted duels end in the very states that they ended in when they were written down, with and without the compiler."""

from __future__ import annotations

import json

import pytest
from scripted_duels import FILE, histograms, scripted

pytestmark = pytest.mark.slow

CASES = scripted()
WRITTEN = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_script_is_written_down() -> None:
    assert list(WRITTEN) == list(CASES)


@pytest.mark.parametrize("name", list(CASES))
def test_same_bits(name: str) -> None:
    assert json.loads(json.dumps(histograms(*CASES[name]))) == WRITTEN[name]
