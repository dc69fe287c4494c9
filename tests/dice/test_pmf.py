"""Distributions: arithmetic against small enumerations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mathhammer as mh

laws = st.lists(st.floats(0.01, 1.0), min_size=1, max_size=6).map(
    lambda w: mh.Pmf.of([x / sum(w) for x in w])
)


def enumerated(law: mh.Pmf, times: int) -> dict[int, float]:
    total: dict[int, float] = {}
    for rolls in itertools.product(range(len(law)), repeat=times):
        total[sum(rolls)] = total.get(sum(rolls), 0.0) + float(np.prod([law[r] for r in rolls]))
    return total


@given(laws, st.integers(0, 4))
def test_power_is_the_sum_of_independent_rolls(law: mh.Pmf, times: int) -> None:
    wanted = enumerated(law, times)
    got = law.power(times)
    for value in range(len(got)):
        assert got[value] == pytest.approx(wanted.get(value, 0.0), abs=1e-12)


@given(laws, laws)
def test_sums_mean_and_variance_add_up(a: mh.Pmf, b: mh.Pmf) -> None:
    total = a.convolve(b)
    assert total.probs.sum() == pytest.approx(1.0)
    assert total.mean() == pytest.approx(a.mean() + b.mean())
    assert total.var() == pytest.approx(a.var() + b.var())


@given(laws, st.integers(0, 5), st.integers(0, 8))
def test_a_cap_only_moves_what_lies_above_it(law: mh.Pmf, times: int, cap: int) -> None:
    full, capped = law.power(times), law.power(times, cap=cap)
    assert len(capped) <= cap + 1
    for value in range(min(cap, len(full))):
        assert capped[value] == pytest.approx(full[value], abs=1e-12)
    assert capped.probs.sum() == pytest.approx(1.0)


@given(laws, laws)
def test_a_random_number_of_rolls_has_walds_mean(one: mh.Pmf, number: mh.Pmf) -> None:
    total = one.repeat(number)
    assert total.mean() == pytest.approx(one.mean() * number.mean())
    assert total.var() == pytest.approx(number.mean() * one.var() + number.var() * one.mean() ** 2)


@given(laws, st.floats(0.0, 1.0))
def test_thinning_keeps_each_point_on_its_own(law: mh.Pmf, keep: float) -> None:
    assert law.thin(keep).mean() == pytest.approx(keep * law.mean(), abs=1e-12)


def test_points_all_kept_or_all_lost() -> None:
    law = mh.Pmf.of([0.25, 0.25, 0.5])
    assert law.thin(0.0).to_dict() == {0: 1.0}
    assert law.thin(1.0) == law


@given(laws, laws, st.floats(0.0, 1.0))
def test_a_mixture_is_a_mixture(a: mh.Pmf, b: mh.Pmf, share: float) -> None:
    mixed = a.mix(b, share)
    assert len(mixed) == max(len(a), len(b))
    for value in range(len(mixed)):
        assert mixed[value] == pytest.approx(share * a[value] + (1.0 - share) * b[value], abs=1e-12)
    assert (a.mix(b, 1.0).mean(), a.mix(b, 0.0).mean()) == pytest.approx((a.mean(), b.mean()))


@pytest.mark.parametrize("faces", [[1, 2, 3], [1, 2, 3, 4, 5, 6], [0, 4]])
@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_the_lowest_roll_again_by_enumeration(faces: list[int], number: int) -> None:
    """A roll that shows the average is kept."""
    law, wanted = mh.Pmf.of({face: 1 / len(faces) for face in faces}), [0.0] * (number * max(faces) + 1)
    for *rolled, new in itertools.product(faces, repeat=number + 1):
        again = rolled and min(rolled) < sum(faces) / len(faces)
        wanted[sum(rolled) - (min(rolled) - new if again else 0)] += len(faces) ** -(number + 1)
    assert law.power_lowest_again(number).probs.tolist() == pytest.approx(wanted)


def test_the_card_says_where_the_numbers_come_from() -> None:
    law = mh.Pmf.of([0.05, 0.15, 0.3, 0.3, 0.15, 0.05])
    assert "10/50/90 %: 1/2/4<br><small>exact</small>" in law.card("law")
    assert "10,000 trials, standard error of the mean 0.012" in mh.Pmf(law.probs, trials=10_000).card("law")


@given(laws, laws)
def test_beats_counts_every_pair(a: mh.Pmf, b: mh.Pmf) -> None:
    assert a.beats(b) == pytest.approx(
        sum(a[i] * b[j] for i in range(len(a)) for j in range(len(b)) if i > j), abs=1e-12
    )


def test_tails_stay_exact_where_fourier_powers_turn_to_noise() -> None:
    assert mh.Pmf.of([0.999, 0.001]).power(40)[40] == pytest.approx(1e-120, rel=1e-9)


def test_quantiles_and_tails() -> None:
    law = mh.Pmf.of([0.1, 0.2, 0.3, 0.4])
    assert [law.quantile(q) for q in (0.0, 0.1, 0.11, 0.5, 0.6, 1.0)] == [0, 0, 1, 2, 2, 3]
    assert law.at_least(-1) == law.at_most(9) == pytest.approx(1.0)
    assert law.at_least(4) == law.at_most(-1) == 0.0
    assert law[7] == law[4] == law[-1] == 0.0
    assert law.to_dict() == {0: 0.1, 1: 0.2, 2: 0.3, 3: 0.4}


def test_values_are_values() -> None:
    law = mh.Pmf.of({0: 0.5, 2: 0.5})
    same = law
    assert law == same == mh.Pmf.of([0.5, 0.0, 0.5])
    assert law != mh.Pmf(law.probs, trials=10)
    assert len({law, mh.Pmf.of([0.5, 0.0, 0.5])}) == 1
    with pytest.raises(ValueError, match="read-only"):
        law.probs[0] = 1.0
    assert repr(law) == "Pmf(0..2, mean 1, sd 1, exact)"


@pytest.mark.parametrize("chances", [[], [0.5], [1.5, -0.5], [float("nan"), 1.0], {1.5: 1.0}, {-1: 1.0}, {}])
def test_what_is_no_distribution_is_refused(chances: object) -> None:
    with pytest.raises(
        mh.BadInputError, match=r"^pmf: .*\(they add up to|^pmf: values must be whole numbers"
    ):
        mh.Pmf.of(chances)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.quantile(1.5), "quantile: 1.5 is not a share (give 0 to 1, such as 0.5 for the median)"),
        (lambda p: p.power(-1), "power: -1 rolls (give 0 or more)"),
        (lambda p: p.mix(p, 2.0), "mix: 2 is not a share (give 0 to 1)"),
        (lambda p: p.mix(p, -0.5), "mix: -0.5 is not a share (give 0 to 1)"),
        (lambda p: p.thin(-0.5), "thin: -0.5 is not a chance (give 0 to 1)"),
        (lambda p: p.thin(1.5), "thin: 1.5 is not a chance (give 0 to 1)"),
    ],
)
def test_messages(call: object, message: str) -> None:
    with pytest.raises(mh.BadInputError) as caught:
        call(mh.Pmf.constant(1))  # type: ignore[operator]
    assert str(caught.value) == message
