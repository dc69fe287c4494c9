"""Steps as bands do what whole matrices do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mathhammer as mh
from mathhammer.engine import bands
from mathhammer.engine.bands import Bands, banded, both, mixed, moved, whole


def matrix_of(size: int, reach: list[int], seed: int) -> np.ndarray[Any, Any]:
    """Random chances on these bands."""
    rng = np.random.default_rng(seed)
    made = np.zeros((size, size))
    for offset in reach:
        made += np.diag(rng.random(size - abs(offset)), offset)
    return made


reaches = st.lists(st.integers(-2, 6), min_size=1, max_size=4, unique=True)


@given(reaches, reaches, st.integers(96, 130), st.integers(0, 1000))
def test_bands_are_the_matrix(one: list[int], other: list[int], size: int, seed: int) -> None:
    a, b = matrix_of(size, one, seed), matrix_of(size, other, seed + 1)
    bands_a, bands_b = banded(a), banded(b)
    assert isinstance(bands_a, Bands)
    assert (whole(bands_a) == a).all()
    mass = np.random.default_rng(seed).random((3, size))
    np.testing.assert_allclose(moved(mass, bands_a), mass @ a, atol=1e-13)
    np.testing.assert_allclose(whole(both(bands_a, bands_b)), a @ b, atol=1e-12)
    np.testing.assert_allclose(whole(both(bands_a, b)), a @ b, atol=1e-12)
    np.testing.assert_allclose(
        whole(mixed([(0.25, bands_a), (0.75, bands_b)])), 0.25 * a + 0.75 * b, atol=1e-13
    )


@pytest.mark.parametrize("size", [20, 96])
def test_what_reaches_far_or_is_small_stays_a_matrix(size: int) -> None:
    full = np.random.default_rng(1).random((size, size))
    assert banded(full) is full
    assert isinstance(both(full, full), np.ndarray)


@pytest.mark.parametrize("damage", [1, "D3", "D6"])
def test_a_large_target_is_answered_alike_with_and_without_bands(
    damage: int | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(name: str) -> Any:
        rules = ["Devastating Wounds", "Sustained Hits 1"]
        gun = {
            "name": name,
            "attacks": 30,
            "skill": 3,
            "strength": 5,
            "ap": -1,
            "damage": damage,
            "abilities": rules,
        }
        attacker = mh.make_unit("wh40k10", {"name": "A", "wounds": 1, "toughness": 4, "weapon": [gun]})
        target = mh.make_unit(
            "wh40k10", {"name": "T", "models": 60, "wounds": 3, "toughness": 4, "save": 4, "fnp": 6}
        )
        from mathhammer.engine import queues

        queues.moves.cache_clear()
        queues.one_attack.cache_clear()
        return mh.fight(attacker, target).lost.probs

    with_bands = lost("with")
    monkeypatch.setattr(bands, "FEWEST", 10**9)
    without = lost("without")
    np.testing.assert_allclose(with_bands, without, atol=1e-13)
