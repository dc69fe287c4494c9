"""Break-even and before and after: the numbers are those of `fight`."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import unit

import mathhammer as mh
from mathhammer import plots
from mathhammer.compare.varying import varied
from mathhammer.plots.asking import Chart
from mathhammer.plots.before_after import bare_unit
from mathhammer.plots.breakeven import cell_text, shares_of
from mathhammer.plots.chart import draw_chart
from mathhammer.plots.finishing import words_around

MANY, FEW = unit("Many", 4), unit("Few", 1)
RATS = unit("Rats", models=20, health=1, ward=5)
GUARD = mh.load_unit("Custodian Guard", "wh40k10")


def cells(chart: Chart) -> list[str]:
    return [text.get_text() for text in draw_chart(chart).texts]


def test_every_cell_is_that_of_fight() -> None:
    one, other = (mh.load_unit(name, "wh40k10") for name in ("Intercessor Squad", "Boyz"))
    found = cells(Chart("breakeven", (one, other), (GUARD,), fight_options={"weapons": "ranged"}))
    expected = []
    for toughness in range(3, 15):
        for save in (2, 3, 4, 5, 6, None):
            target = varied(varied(GUARD, "save", save), "toughness", toughness)
            values = [mh.fight(who, target, weapons="ranged").lost.mean() for who in (one, other)]
            expected.append(cell_text(*values))
    assert found == expected
    assert set(found) == {"100%", "3.0×", "4.0×"}


def test_points_change_who_is_worth_more() -> None:
    dear = unit("Dear", 5, points=1000)
    plain = draw_chart(Chart("breakeven", (dear, FEW), (RATS,)))
    priced = draw_chart(Chart("breakeven", (dear, FEW), (RATS,), per_100=True))
    assert "Dear has the higher mean damage against 30" in plots.alt_text(plain)
    assert "Few against 30" in plots.alt_text(priced)
    assert "for each 100 points" in plots.alt_text(priced)


def test_a_line_stands_just_where_the_better_one_changes() -> None:
    grid = {"across": ("save", ["2+", "3+", "4+"]), "up": ("ward", ["none", "6+"])}
    ax = plots.plot_breakeven(("a", "b"), [[2, 2, 1], [2, 1, 1]], [[1, 1, 2], [1, 2, 2]], **grid)
    lines = [segment.tolist() for part in ax.collections for segment in part.get_segments()]
    assert sorted(lines) == [
        [[0.5, 0.5], [0.5, 1.5]],
        [[0.5, 0.5], [1.5, 0.5]],
        [[1.5, -0.5], [1.5, 0.5]],
    ]
    colours = ax.get_images()[0].get_array()
    assert np.allclose(colours[0, 0], colours[1, 0])
    assert not np.allclose(colours[0, 0], colours[0, 2])
    assert words_around(ax, "key") == "a worth more b worth more"


def test_shares_and_words() -> None:
    assert shares_of(np.array([1.0, 1.0 + 1e-12]), np.array([4.0, 1.0])).tolist() == [-0.75, 0.0]
    assert [cell_text(1.0, 1.001), cell_text(1.0, 8.0)] == ["<1%", "8.0×"]
    noisy = [cell_text(5 / 9 + ulps * 2**-53, 5 / 3 - ulps * 2**-53) for ulps in range(-8, 9)]
    assert set(noisy) == {"3.0×"}


@pytest.mark.parametrize(
    ("chart", "message"),
    [
        (
            Chart("breakeven", (MANY,), (RATS,)),
            "chart: 1 units for breakeven (give two, or one unit in two ways)",
        ),
        (Chart("breakeven", (MANY, FEW)), "chart: 0 targets for breakeven (give the one whose save changes)"),
        (
            Chart("breakeven", (MANY, unit("Free", points=None)), (RATS,), per_100=True),
            "chart: Free has no points (drop --per-100-points)",
        ),
        (
            Chart("before_after", (MANY,), (RATS,)),
            "chart: Many has nothing before and after (give --buff, --command, --use or --with, or the unit twice in two ways)",
        ),
        (Chart("bands", (MANY,), (RATS,), per_100=True), "chart: bands takes no --per-100-points (drop it)"),
    ],
)
def test_messages(chart: Chart, message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        draw_chart(chart)
    assert str(caught.value) == message


def test_before_and_after_are_those_of_fight() -> None:
    chart = Chart("before_after", (MANY,), (RATS,), fight_options={"commands": ("all_out_attack",)})
    ax = draw_chart(chart)
    old, new = (
        mh.fight(MANY, RATS).damage.mean(),
        mh.fight(MANY, RATS, commands=["all_out_attack"]).damage.mean(),
    )
    assert list(ax.get_lines()[0].get_xdata()) == [old, new]
    assert [text.get_text() for text in ax.texts] == [f"{new - old:+.1f}  ({new / old - 1:+.0%})"]
    assert words_around(ax, "key") == "without All-out Attack with All-out Attack"


def test_two_ways_of_one_unit_are_before_and_after() -> None:
    one, other = mh.unit("Liberators: charged"), mh.unit("Liberators: charged, +1 to wound")
    ax = draw_chart(Chart("before_after", (one, other), (RATS,)))
    assert words_around(ax, "key") == "charged charged, +1 to wound"
    assert list(ax.get_lines()[0].get_xdata()) == [
        mh.fight(one, RATS).damage.mean(),
        mh.fight(other, RATS).damage.mean(),
    ]


def test_a_bare_unit_keeps_its_size_and_circumstances() -> None:
    helped = mh.unit("10 Liberators: charged, all-out attack, +1 to wound, reroll hits")
    assert bare_unit(helped) == mh.unit("10 Liberators: charged")
    assert bare_unit(mh.unit("Liberators: +1 to hit")) == mh.unit("Liberators")
    assert bare_unit(mh.unit("Liberators: melee")) == mh.unit("Liberators: melee")
