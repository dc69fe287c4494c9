"""Whole numbers from users, also those of numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.checks import is_whole, whole


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_whole_numbers_of_numpy_are_whole_numbers(value: Any) -> None:
    number = whole("threat is", value, 1, 7)
    assert (number, type(number)) == (3, int)


@pytest.mark.parametrize("value", [True, np.True_, 3.0, np.float64(3), "3", None, 0, 8, np.int64(-1)])
def test_what_is_not_a_whole_number_within_bounds(value: Any) -> None:
    assert not is_whole(value, 1, 7)
    with pytest.raises(mh.BadInputError) as caught:
        whole("threat is", value, 1, 7)
    assert str(caught.value) == f"threat is {value!r} (give a whole number from 1 to 7)"


def test_without_an_upper_bound() -> None:
    assert whole("trials", 10**30, 1) == 10**30
    with pytest.raises(mh.BadInputError, match=r"^trials 0 \(give a whole number from 1 on\)$"):
        whole("trials", 0, 1)


def test_units_and_simulations_take_numbers_of_numpy() -> None:
    rats = mh.make_unit("aos4", {"name": "Rats", "models": 10, "health": 1, "save": 5})
    assert rats.with_models(np.int64(20)).with_lost(np.int32(4)).models_left == 16
    claws = {"name": "Claws", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    ogor = mh.make_unit("aos4", {"name": "Ogor", "health": 4, "weapon": [claws]})
    result = mh.fight(
        ogor, rats, method="simulate", trials=np.int64(2000), seed=np.uint32(7), threads=np.int8(1)
    )
    assert result.trials == 2000
