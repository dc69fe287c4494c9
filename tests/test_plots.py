"""Charts: asserted on the Axes they return."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

import mathhammer as mh

RATS = mh.make_unit("aos4", {"name": "Rats", "models": 20, "health": 1, "save": 6})


def unit(name: str, attacks: int) -> mh.Unit:
    sword = {"name": "Sword", "attacks": attacks, "hit": 3, "wound": 3, "damage": 1}
    return mh.make_unit("aos4", {"name": name, "models": 5, "health": 2, "weapon": [sword]})


FEW, MANY = mh.fight(unit("Few", 1), RATS), mh.fight(unit("Many", 3), RATS)


def test_at_least_is_a_falling_step_curve_for_each_result() -> None:
    ax = mh.plot_pmf(FEW, MANY)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Few", "Many"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("models slain", "chance of at least that many")
    for line, result in zip(ax.get_lines(), (FEW, MANY), strict=True):
        heights = line.get_ydata()
        assert heights[0] == pytest.approx(1.0)
        assert heights[3] == pytest.approx(result.slain.at_least(3))
        assert list(heights) == sorted(heights, reverse=True)


def test_bars_show_chances() -> None:
    ax = mh.plot_pmf(FEW, kind="pmf", of="damage")
    assert [bar.get_height() for bar in ax.patches][:3] == pytest.approx(list(FEW.damage.probs[:3]))
    assert ax.get_xlabel() == "damage"
    assert list(mh.plot_pmf(FEW, kind="at_most", of="lost").get_lines()[0].get_ydata())[-1] == pytest.approx(1.0)


def test_it_draws_on_the_axes_it_is_given() -> None:
    ax = Figure().add_subplot()
    assert mh.plot_pmf(FEW, ax=ax, labels=("mine",)) is ax
    assert ax.get_legend().get_texts()[0].get_text() == "mine"
    other = mh.fight(unit("Few", 1), mh.make_unit("aos4", {"name": "Cats", "models": 2, "health": 3}))
    assert [text.get_text() for text in mh.plot_pmf(FEW, other).get_legend().get_texts()] == ["against Rats", "against Cats"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mh.plot_pmf(), "plot_pmf: nothing to draw (give at least one result)"),
        (lambda: mh.plot_pmf(FEW, kind="atleast"), "plot_pmf: unknown kind 'atleast' (did you mean 'at_least'?)"),
        (lambda: mh.plot_pmf(FEW, of="slian"), "plot_pmf: unknown quantity 'slian' (did you mean 'slain'?)"),
    ],
)
def test_messages(call: object, message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        call()  # type: ignore[operator]
    assert str(caught.value) == message


def test_compare_returns_a_tidy_frame() -> None:
    table = mh.compare([unit("Few", 1), unit("Many", 3)], RATS)
    assert list(table["attacker"]) == ["Few", "Many"]
    assert table["slain"].tolist() == pytest.approx([FEW.slain.mean(), MANY.slain.mean()])
    assert len(mh.compare("Liberators", system="aos4")) == 8
