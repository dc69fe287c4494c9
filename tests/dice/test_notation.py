"""Dice text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathhammer.dice.notation import Dice, parse_dice
from mathhammer.errors import BadInputError


@pytest.mark.parametrize(
    ("text", "mean", "low", "high"),
    [
        ("D6", 3.5, 1, 6),
        ("d3", 2.0, 1, 3),
        ("2D6", 7.0, 2, 12),
        ("D3+1", 3.0, 2, 4),
        ("2d3 + 2", 6.0, 4, 8),
        ("D6-1", 2.5, 0, 5),
        (4, 4.0, 4, 4),
        ("7", 7.0, 7, 7),
        (0, 0.0, 0, 0),
    ],
)
def test_reads_what_players_write(text: str | int, mean: float, low: int, high: int) -> None:
    law = parse_dice(text).pmf()
    assert law.mean() == pytest.approx(mean)
    assert min(law.to_dict()) == low
    assert max(law.to_dict()) == high


@pytest.mark.parametrize(
    "text",
    [
        "2D",
        "D",
        "",
        " ",
        "D6+",
        "6D",
        "x",
        "D6+1+1",
        "2D6D6",
        "+-1",
        "1.5",
        "²D6",
        "٣",
        "-",
        "1e3",
        "nan",
        "9" * 40,
    ],
)
def test_refuses_what_is_no_dice_text(text: str) -> None:
    with pytest.raises(BadInputError) as caught:
        parse_dice(text)
    assert str(caught.value) == f"dice: {text!r} is not dice text (write a number, D3, D6, 2D6 or D6+1)"


@pytest.mark.parametrize("value", [None, 1.5, float("nan"), True])
def test_refuses_what_is_no_text(value: object) -> None:
    with pytest.raises(BadInputError, match="is not dice text"):
        parse_dice(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("D7", "dice: 'D7' has a D7 (these games roll D3 and D6 only)"),
        ("-3", "dice: '-3' is negative (give 0 or more)"),
        (-3, "dice: '-3' is negative (give 0 or more)"),
        (10**9, "dice: '1000000000' is out of range (1 to 1000 dice, numbers up to 1000)"),
        ("5000D6", "dice: '5000D6' is out of range (1 to 1000 dice, numbers up to 1000)"),
        ("0D6", "dice: '0D6' is out of range (1 to 1000 dice, numbers up to 1000)"),
    ],
)
def test_messages(text: str | int, message: str) -> None:
    with pytest.raises(BadInputError) as caught:
        parse_dice(text)
    assert str(caught.value) == message


@pytest.mark.rule("WH40K-REROLLMODE")
@given(st.integers(1, 3), st.sampled_from([3, 6]), st.sampled_from(["ones", "low"]))
def test_rerolls_match_an_enumeration(count: int, sides: int, mode: str) -> None:
    """WH40K-REROLLMODE: every 1 again, or the whole roll where it is below its average."""
    faces = list(itertools.product(range(1, sides + 1), repeat=count))
    wanted: dict[int, float] = {}
    for first in faces:
        for second in faces:
            if mode == "ones":
                kept = sum(b if a == 1 else a for a, b in zip(first, second, strict=True))
            else:
                kept = sum(second) if sum(first) < count * (sides + 1) / 2 else sum(first)
            wanted[kept] = wanted.get(kept, 0.0) + 1.0 / len(faces) ** 2
    law = parse_dice(f"{count}D{sides}").with_reroll(mode).pmf()  # type: ignore[arg-type]
    assert law.to_dict() == pytest.approx(wanted)


@given(st.text(max_size=30))
def test_any_text_gives_dice_or_one_sentence(text: str) -> None:
    try:
        dice = parse_dice(text)
    except BadInputError as error:
        assert str(error).startswith("dice: ")
    else:
        assert dice.pmf().probs.sum() == pytest.approx(1.0)


@given(st.integers(0, 9), st.sampled_from([3, 6]), st.integers(-3, 9))
def test_text_round_trip(count: int, sides: int, plus: int) -> None:
    text = f"{count or ''}D{sides}{plus:+d}" if plus else f"{count or ''}D{sides}"
    assert parse_dice(str(parse_dice(text))) == parse_dice(text)


def test_the_parts_of_a_text() -> None:
    assert (parse_dice(7), parse_dice("7")) == (Dice(0, 0, 7), Dice(0, 0, 7))
    assert (parse_dice("2D6"), parse_dice("d3 - 1")) == (Dice(2, 6, 0), Dice(1, 3, -1))
    assert [str(parse_dice(text)) for text in ("1d6", "2d6", "3D3+2", "4")] == ["D6", "2D6", "3D3+2", "4"]


def test_a_sum_below_0_counts_as_0() -> None:
    assert parse_dice("D3-2").pmf().to_dict() == pytest.approx({0: 2 / 3, 1: 1 / 3})


def test_the_largest_numbers() -> None:
    assert parse_dice(1000).plus == parse_dice("1000").plus == parse_dice("D6+1000").plus == 1000
    assert parse_dice("1000D3").count == 1000
    for text in (1001, "1001", "D6+1001", "1001D6", "0D6"):
        with pytest.raises(BadInputError, match="is out of range"):
            parse_dice(text)


@pytest.mark.parametrize("text", [-1, "-1"])
def test_the_smallest_fixed_number_is_zero(text: str | int) -> None:
    assert parse_dice(0).pmf().to_dict() == {0: 1.0}
    with pytest.raises(BadInputError, match="is negative"):
        parse_dice(text)


def test_dice_text_may_have_24_characters() -> None:
    longest = "000000002D00000006+00001"
    assert len(longest) == 24
    assert parse_dice(longest) == parse_dice("2D6+1")
    with pytest.raises(BadInputError, match="is not dice text"):
        parse_dice("0" + longest[:-1] + "01")
