"""Lines and bars of distributions: axes that end at what is possible, ticks that differ, the dead marked."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import boxes, figure_of, unit
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

import mathhammer as mh
from mathhammer import plots
from mathhammer.plots.asking import Chart
from mathhammer.plots.chart import draw_chart
from mathhammer.plots.finishing import words_around

RATS = unit("Rats", models=20, health=1)
HERO = unit("Hero", models=1, health=7)
STRONG = unit("Strong", 12, models=10)


def dead(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts if text.get_gid() == "dead"]


def tick_labels(ax: Axes, side: str) -> list[str]:
    """The labels that are drawn along one axis."""
    shown = {id(text): text.get_text() for text, _ in boxes(ax)}
    axis = ax.xaxis if side == "x" else ax.yaxis
    return [shown[id(tick.label1)] for tick in axis.get_major_ticks() if id(tick.label1) in shown]


@pytest.mark.parametrize("kind", ["at_least", "at_most", "pmf"])
def test_no_21_of_20(kind: str) -> None:
    ax = draw_chart(Chart(kind, (STRONG,), (RATS,)))
    assert ax.get_xlim()[1] == 20.5
    assert max(int(label) for label in tick_labels(ax, "x")) <= 20


@pytest.mark.parametrize("kind", ["at_least", "at_most", "pmf", "bands", "ridge"])
def test_a_single_model_is_shown_as_wounds_with_its_death(kind: str) -> None:
    ax = draw_chart(Chart(kind, (unit("Ogors", 3),), (HERO,)))
    assert ax.get_xlabel() == "wounds lost"
    assert dead(ax)[0].startswith("dead at 7")
    line = next(line for line in ax.get_lines() if line.get_gid() == "dead")
    assert list(line.get_xdata()) == [7, 7]
    assert "Dead at 7: " in plots.alt_text(ax)


def test_the_chance_of_death_is_that_of_fight() -> None:
    ogors = unit("Ogors", 3)
    ax = mh.plot_pmf(mh.fight(ogors, HERO))
    assert dead(ax) == [f"dead at 7: {mh.fight(ogors, HERO).p_destroyed:.0%}"]
    assert dead(mh.plot_pmf(mh.fight(ogors, HERO.with_lost(3)))) == [
        f"dead at 4: {mh.fight(ogors, HERO.with_lost(3)).p_destroyed:.0%}"
    ]
    assert dead(mh.plot_pmf(mh.fight(ogors, RATS), of="slain")) == []
    assert dead(mh.plot_pmf(mh.fight(STRONG, RATS), of="lost"))[0].startswith("all dead at 20")


def test_ticks_differ_also_where_chances_are_small() -> None:
    huge = unit("Huge", 40, models=60)
    ax = draw_chart(Chart("pmf", (huge,), (unit("Giants", models=60, health=20),), of="lost"))
    labels = tick_labels(ax, "y")
    assert len(labels) > 2
    assert len(set(labels)) == len(labels)
    left, _ = ax.get_xlim()
    mean = mh.fight(huge, unit("Giants", models=60, health=20)).lost.mean()
    assert 0.4 * mean < left < mean  # nothing empty from 0 on
    assert len(ax.patches) == 1  # one area, no stripes


def test_small_charts_for_several_targets_and_for_bars() -> None:
    ax = draw_chart(Chart("at_least", (unit("Ogors", 3), STRONG), (RATS, HERO)))
    first, second = figure_of(ax).axes
    assert [first.get_xlabel(), second.get_xlabel()] == ["models slain", "wounds lost"]
    assert words_around(ax, "key") == "Ogors Strong"
    heights = [line.get_ydata()[3] for line in second.get_lines() if line.get_gid() is None]
    assert heights == [mh.fight(one, HERO).lost.at_least(3) for one in (unit("Ogors", 3), STRONG)]
    bars = figure_of(draw_chart(Chart("pmf", (unit("Ogors", 3), STRONG), (RATS,)))).axes
    assert [len(one.patches) for one in bars] == [21, 21]
    assert bars[0].get_xlim() == bars[1].get_xlim()


@pytest.mark.parametrize("target", [RATS, HERO], ids=["models", "wounds"])
def test_no_bar_of_a_small_chart_is_cut(target: mh.Unit) -> None:
    weak, sure = unit("Many weak blows", 6), unit("One sure blow", 0, models=1)
    for order in ((weak, sure), (sure, weak)):
        charts = figure_of(draw_chart(Chart("pmf", order, (target,)))).axes
        assert len({ax.get_ylim() for ax in charts}) == 1
        highest = max(bar.get_height() for ax in charts for bar in ax.patches)
        assert highest == 1.0
        assert charts[0].get_ylim()[1] > highest


def test_lines_that_lie_on_each_other_are_both_seen() -> None:
    twins = plots.plot_curve([1, 2], {"a": [1.0, 2.0], "b": [1.0, 2.0]}, xlabel="save").get_lines()
    assert [line.is_dashed() for line in twins] == [False, True]
    apart = plots.plot_curve([1, 2], {"a": [1.0, 2.0], "b": [1.0, 2.5]}, xlabel="save").get_lines()
    assert [line.is_dashed() for line in apart] == [False, False]


def test_the_words_of_a_heat_map_have_one_colour_and_can_be_read() -> None:
    from mathhammer.plots.heatmap import contrast

    for theme in plots.THEMES.values():
        ax = plots.plot_heatmap(np.arange(12.0).reshape(3, 4), "abc", "wxyz", theme=theme.name)
        assert {text.get_color() for text in ax.texts} == {theme.ink}
        image = ax.get_images()[0]
        ink = tuple(int(theme.ink[place : place + 2], 16) / 255 for place in (1, 3, 5))
        for value in np.linspace(0.0, 11.0, 40):
            colour = image.cmap(image.norm(value))[:3]
            assert contrast(ink, colour) >= 4.5, (theme.name, value, to_hex(colour))


def test_headings_stand_over_the_middle_of_their_columns() -> None:
    names = ["Light cavalry", "Extraordinarily-long-worded Behemoths", "Hero", "Mega-gargant"] * 3
    ax = plots.plot_heatmap(np.ones((2, 12)), ["a", "b"], names)
    drawn = {id(text): box for text, box in boxes(ax)}
    for place, tick in enumerate(ax.xaxis.get_major_ticks()):
        box = drawn[id(tick.label2)]
        assert (box.x0 + box.x1) / 2 == pytest.approx(ax.transData.transform((place, 0))[0], abs=2.0)


def test_numbers_of_a_heat_map() -> None:
    ax = plots.plot_heatmap([[1122.7, 5.25], [np.nan, 0.0]], ["a", "b"], ["c", "d"])
    assert [text.get_text() for text in ax.texts] == ["1,123", "5.2", "–", "0.0"]


def test_a_duel_says_by_name_who_is_first() -> None:
    ax = draw_chart(Chart("duel", (unit("Ogors", 3),), (HERO,), rounds=2))
    assert words_around(ax, "conditions").endswith(
        "5 against 1 model, begun in combat, 2 rounds, Ogors first"
    )


def test_a_name_of_a_duel_for_what_is_open_although_it_is_over_in_the_end() -> None:
    ax = plots.plot_duel(("a", "b"), [0.3, 0.5], [0.2, 0.5])
    assert words_around(ax, "key") == "won by a both still stand won by b"
