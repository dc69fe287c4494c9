"""Charts: asserted on the Axes they return."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import mathhammer as mh
from mathhammer import plots
from mathhammer.plots.finishing import words_around
from mathhammer.plots.heatmap import contrast, ink_on
from mathhammer.plots.style import DASHES, title_of

RATS = mh.make_unit("aos4", {"name": "Rats", "models": 20, "health": 1, "save": 6})


def unit(name: str, attacks: int) -> mh.Unit:
    sword = {"name": "Sword", "attacks": attacks, "hit": 3, "wound": 3, "damage": 1}
    return mh.make_unit("aos4", {"name": name, "models": 5, "health": 2, "weapon": [sword]})


FEW, MANY = mh.fight(unit("Few", 1), RATS), mh.fight(unit("Many", 3), RATS)
SOURCE = f"Warhammer Age of Sigmar, 4th edition · exact · mathhammer {mh.__version__}"


def figure_of(ax: Axes) -> Figure:
    figure = ax.get_figure(root=True)
    assert isinstance(figure, Figure)
    return figure


def texts(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


# --- distributions ------------------------------------------------------------------------------------------------------


def test_at_least_is_a_falling_step_curve_for_each_result() -> None:
    ax = mh.plot_pmf(FEW, MANY)
    assert texts(ax) == ["Few", "Many"]
    assert ax.get_legend() is None
    assert [text.get_color() for text in ax.texts] == [line.get_color() for line in ax.get_lines()]
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
    assert list(mh.plot_pmf(FEW, kind="at_most", of="lost").get_lines()[0].get_ydata())[-1] == pytest.approx(
        1.0
    )
    both = mh.plot_pmf(FEW, MANY, kind="pmf", ax=Figure().add_subplot())
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["Few", "Many"]
    panels = figure_of(mh.plot_pmf(FEW, MANY, kind="pmf")).axes
    assert [panel.get_title(loc="left") for panel in panels] == ["Few", "Many"]
    assert [panel.patches[3].get_height() for panel in panels] == pytest.approx([FEW.slain[3], MANY.slain[3]])


def test_it_draws_on_the_axes_it_is_given() -> None:
    ax = Figure().add_subplot()
    assert mh.plot_pmf(FEW, ax=ax, labels=("mine",)) is ax
    assert texts(ax) == ["mine"]
    other = mh.fight(unit("Few", 1), mh.make_unit("aos4", {"name": "Cats", "models": 2, "health": 3}))
    assert texts(mh.plot_pmf(FEW, other)) == ["against Rats", "against Cats"]


def test_charts_that_share_a_figure_have_titles_of_their_own() -> None:
    left, right = Figure().subplots(1, 2)
    mh.plot_pmf(FEW, ax=left)
    plots.plot_funnel(MANY, ax=right)
    assert left.get_title(loc="left") == "Few against Rats:\nmodels slain"
    assert right.get_title(loc="left") == "Many against Rats:\nfrom attacks to\ndamage, on average"
    assert figure_of(left).get_suptitle() == ""


def test_title_source_and_words() -> None:
    ax = mh.plot_pmf(FEW, MANY)
    assert title_of(ax) == "Few and Many against Rats: models slain"
    assert figure_of(ax).get_supxlabel() == SOURCE
    words = plots.alt_text(ax)
    assert words.startswith("Few and Many against Rats: models slain. Few: 1.85 models slain on average")
    assert (
        f"Many: {MANY.slain.mean():.3g} models slain on average, between 3 and 8 in eight of ten rolls."
        in words
    )
    played = mh.fight(unit("Few", 1), RATS, method="simulate", trials=1000, seed=3)
    assert "simulated, 1,000 trials, seed 3" in figure_of(mh.plot_pmf(played)).get_supxlabel()
    mixed = figure_of(mh.plot_pmf(FEW, played)).get_supxlabel()
    assert (
        mixed
        == f"Warhammer Age of Sigmar, 4th edition · exact · simulated, 1,000 trials, seed 3 · mathhammer {mh.__version__}"
    )
    plain = mh.plot_pmf(FEW, title="", source="")
    assert (title_of(plain), figure_of(plain).get_supxlabel()) == ("", "")


def test_bands_reach_from_one_tenth_to_nine_tenths() -> None:
    ax = plots.plot_bands(FEW, MANY, of="lost")
    law = MANY.lost
    bars = [bar for bar in ax.patches if bar.get_y() > 0.5]
    assert all(
        bar.get_x() == law.quantile(0.1) and bar.get_x() + bar.get_width() == law.quantile(0.9)
        for bar in bars
    )
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Few", "Many"]
    assert [line.get_xdata()[0] for line in ax.get_lines()] == pytest.approx([FEW.lost.mean(), law.mean()])
    assert texts(ax) == [f"{FEW.lost.mean():.1f}", f"{law.mean():.1f}"]


def test_a_ridge_has_all_on_one_scale() -> None:
    ax = plots.plot_ridge(FEW, MANY)
    peak = max(FEW.slain.probs.max(), MANY.slain.probs.max())
    per = len(ax.patches) // 2
    assert -ax.patches[3].get_height() * peak / 0.86 == pytest.approx(FEW.slain[3])
    assert -ax.patches[per + 4].get_height() * peak / 0.86 == pytest.approx(MANY.slain[4])
    assert texts(ax) == [f"{FEW.slain.mean():.1f}", f"{MANY.slain.mean():.1f}"]


# --- the other kinds ----------------------------------------------------------------------------------------------------


def test_a_heat_map_has_its_numbers_in_its_cells() -> None:
    ax = plots.plot_heatmap([[1.25, 2.0], [3.0, 0.0]], ["a", "b"], ["c", "d"], what="models slain")
    assert texts(ax) == ["1.2", "2.0", "3.0", "0.0"]
    assert ax.get_images()[0].get_array().tolist() == [[1.25, 2.0], [3.0, 0.0]]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["c", "d"]
    assert plots.alt_text(ax).endswith("the most is 3.0, b against c.")
    assert texts(plots.plot_heatmap(np.ones((30, 30)), ["x"] * 30, ["y"] * 30)) == []


def test_a_curve_has_its_name_at_its_end() -> None:
    ax = plots.plot_curve([2, 3], {"Low": [1.0, 2.0], "High": [1.1, 2.05]}, xlabel="save", ticks=["2+", "3+"])
    assert texts(ax) == ["Low", "High"]
    assert [text.xy for text in ax.texts] == [(3, 2.0), (3, 2.05)]
    low, high = (
        ax.transData.transform(text.xy)[1] + text.xyann[1] * figure_of(ax).dpi / 72 for text in ax.texts
    )
    assert high - low >= 15.9  # pushed apart: the ends are closer than a line of text is high
    assert [label.get_text() for label in ax.get_xticklabels()] == ["2+", "3+"]


def test_efficiency_marks_the_best() -> None:
    ax = plots.plot_efficiency(["Cheap", "Dear"], [100, 200], [6.0, 8.0])
    assert ax.collections[0].get_offsets().tolist() == [[100.0, 6.0], [200.0, 8.0]]
    colours = {text.get_text(): text.get_color() for text in ax.texts}
    assert (colours["Cheap"], colours["Dear"]) == (plots.COLOURS[1], plots.COLOURS[0])
    assert [text for text in texts(ax) if "per 100" in text] == ["2 per 100", "4 per 100", "6 per 100"]
    for line, rate in zip(ax.get_lines(), (2, 4, 6), strict=True):
        assert line.get_ydata()[1] / line.get_xdata()[1] == pytest.approx(rate / 100)


def test_efficiency_without_any_harm_has_no_rates() -> None:
    ax = plots.plot_efficiency(["Cheap", "Dear"], [100, 200], [0.0, 0.0])
    assert [text for text in texts(ax) if "per 100" in text] == []
    assert ax.collections[0].get_offsets().tolist() == [[100.0, 0.0], [200.0, 0.0]]
    assert words_around(ax, "note") == ""  # nobody is best
    assert "Most for its points" not in plots.alt_text(ax)


def test_a_curve_of_nothing_has_an_axis_from_0_to_1() -> None:
    ax = plots.plot_curve([2, 3], {"Rats": [0.0, 0.0]}, xlabel="save of the target")
    assert ax.get_ylim() == (0.0, 1.0)


def test_a_funnel_shows_what_each_roll_leaves() -> None:
    ax = plots.plot_funnel(FEW)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(
        [FEW.funnel[k] for k in ("attacks", "hits", "wounds", "unsaved", "damage")]
    )
    assert texts(ax)[1] == f"{FEW.funnel['hits']:.1f}  (67%)"
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "attacks",
        "hits",
        "wounds",
        "unsaved wounds",
        "damage",
    ]
    assert words_around(plots.plot_funnel(FEW, MANY), "key") == "Few Many"


def test_a_duel_adds_up_in_every_round() -> None:
    ax = plots.plot_duel(("Us", "Them"), [0.1, 0.4], [0.2, 0.3])
    assert [bar.get_height() for bar in ax.patches] == pytest.approx([0.1, 0.4, 0.7, 0.3, 0.2, 0.3])
    assert words_around(ax, "key") == "won by Us both still stand won by Them"
    assert texts(ax) == ["10%", "40%", "70%", "30%", "20%", "30%"]
    assert ax.patches[-1].get_y() + ax.patches[-1].get_height() == pytest.approx(1.0)


def test_armies_stand_back_to_back() -> None:
    ax = plots.plot_armies(
        ("Us", "Them"), [("Weak", 10.0, 90.0), ("Strong", 50.0, 100.0)], [("Foe", 30.0, 80.0)]
    )
    assert [bar.get_width() for bar in ax.patches] == [-50.0, -10.0, 30.0]
    assert texts(ax) == ["Strong  50", "Weak  10", "Foe  30", "Us", "Them"]
    assert plots.alt_text(ax).endswith(
        "Us: Strong removes 50 points, Weak removes 10 points. Them: Foe removes 30 points."
    )


# --- messages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mh.plot_pmf(), "plot_pmf: nothing to draw (give at least one result)"),
        (
            lambda: mh.plot_pmf(FEW, kind="atleast"),
            "plot_pmf: unknown kind 'atleast' (did you mean 'at_least'?)",
        ),
        (lambda: mh.plot_pmf(FEW, of="slian"), "plot_pmf: unknown quantity 'slian' (did you mean 'slain'?)"),
        (lambda: mh.plot_pmf(FEW, theme="drak"), "chart: unknown theme 'drak' (did you mean 'dark'?)"),
        (lambda: plots.plot_bands(), "plot_bands: nothing to draw (give at least one result)"),
        (
            lambda: plots.plot_ridge(FEW, of="loss"),
            "plot_ridge: unknown quantity 'loss' (did you mean 'lost'?)",
        ),
        (
            lambda: plots.plot_heatmap([[1.0]], ["a"], ["b", "c"]),
            "plot_heatmap: (1, 1) numbers for 1 rows and 2 columns (give one for each cell)",
        ),
        (
            lambda: plots.plot_curve([], {}, xlabel="save"),
            "plot_curve: nothing to draw (give at least one curve and one value)",
        ),
        (
            lambda: plots.plot_curve([1, 2], {"a": [1]}, xlabel="save"),
            "plot_curve: a has 1 numbers for 2 values (give one for each)",
        ),
        (
            lambda: plots.plot_efficiency([], [], []),
            "plot_efficiency: names, points and values of different number (give one of each for every unit)",
        ),
        (
            lambda: plots.plot_efficiency(["a"], [0], [1]),
            "plot_efficiency: a unit without points (give points above 0)",
        ),
        (lambda: plots.plot_funnel(), "plot_funnel: 0 results (give one to four)"),
        (
            lambda: plots.plot_duel(("a", "b"), [0.1], []),
            "plot_duel: 1 and 0 rounds (give both sides' chances for each round)",
        ),
        (lambda: plots.plot_duel(("a", "b"), [1.1], [0.0]), "plot_duel: a chance outside 0 to 1"),
        (
            lambda: plots.plot_armies(("a", "b"), [], []),
            "plot_armies: an army without units (give at least one unit of each)",
        ),
        (
            lambda: plots.save_figure(mh.plot_pmf(FEW), "x.gif"),
            "chart: 'x.gif' is not a picture (name it .png or .svg)",
        ),
    ],
)
def test_messages(call: Callable[[], object], message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        call()
    assert str(caught.value) == message


# --- colours ------------------------------------------------------------------------------------------------------------

# What colour-blind eyes make of linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
BLINDNESS = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
    "none": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
}
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_OKLAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def seen(colour: str, blindness: str) -> np.ndarray:
    """A colour as such eyes see it, in Oklab, where a distance of 0.02 can just be told apart."""
    parts = np.array(to_rgb(colour))
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(BLINDNESS[blindness]) @ linear, 0.0, 1.0)
    return np.array(TO_OKLAB) @ np.cbrt(np.array(TO_CONES) @ linear)


@pytest.mark.parametrize("theme", plots.THEMES.values(), ids=lambda theme: theme.name)
def test_colours_stand_out_from_the_background(theme: plots.Theme) -> None:
    background = to_rgb(theme.background)
    for colour in (*theme.colours, theme.neutral):
        assert contrast(to_rgb(colour), background) >= 3.0, colour
    for ink in (theme.ink, theme.muted):
        assert contrast(to_rgb(ink), background) >= 4.5, ink


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize("theme", plots.THEMES.values(), ids=lambda theme: theme.name)
def test_colours_are_told_apart(theme: plots.Theme, blindness: str) -> None:
    for one, other in combinations(theme.colours, 2):
        apart = float(np.linalg.norm(seen(one, blindness) - seen(other, blindness)))
        assert apart > 0.12, f"{one} and {other}: {apart:.3f}"


def test_the_colour_check_sees_a_bad_pair() -> None:
    red, green = seen("#b35900", "deuteranopia"), seen("#808000", "deuteranopia")
    assert float(np.linalg.norm(red - green)) < 0.12


def test_no_two_lines_look_alike() -> None:
    looks = {
        (theme.colour(n), theme.dash(n))
        for theme in plots.THEMES.values()
        for n in range(len(theme.colours) * len(DASHES))
    }
    assert len(looks) == 2 * 6 * 3


@pytest.mark.parametrize("grey", range(0, 256, 5))
def test_numbers_in_cells_can_be_read(grey: int) -> None:
    cell = (grey / 255, grey / 255, grey / 255)
    assert contrast(to_rgb(ink_on(cell)), cell) >= 4.5


# --- files --------------------------------------------------------------------------------------------------------------

DRAW: dict[str, Callable[[str], Axes]] = {
    "at_least": lambda theme: mh.plot_pmf(FEW, MANY, theme=theme),
    "at_most": lambda theme: mh.plot_pmf(FEW, MANY, kind="at_most", theme=theme),
    "pmf": lambda theme: mh.plot_pmf(FEW, MANY, kind="pmf", theme=theme),
    "bands": lambda theme: plots.plot_bands(FEW, MANY, theme=theme),
    "ridge": lambda theme: plots.plot_ridge(FEW, MANY, theme=theme),
    "heatmap": lambda theme: plots.plot_heatmap([[1.0, 2.0]], ["a"], ["b", "c"], theme=theme),
    "curve": lambda theme: plots.plot_curve([1, 2], {"a": [1.0, 2.0]}, xlabel="save", theme=theme),
    "efficiency": lambda theme: plots.plot_efficiency(["a", "b"], [90, 100], [5.0, 6.0], theme=theme),
    "funnel": lambda theme: plots.plot_funnel(FEW, MANY, theme=theme),
    "duel": lambda theme: plots.plot_duel(("a", "b"), [0.3], [0.4], theme=theme),
    "armies": lambda theme: plots.plot_armies(
        ("a", "b"), [("x", 5.0, 90.0)], [("y", 6.0, 80.0)], theme=theme
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("theme", plots.THEMES)
@pytest.mark.parametrize("kind", DRAW)
def test_the_same_chart_gives_the_same_bytes(kind: str, theme: str) -> None:
    first, second = DRAW[kind](theme), DRAW[kind](theme)
    assert plots.render_figure(first) == plots.render_figure(second)
    assert plots.render_figure(first, "svg") == plots.render_figure(second, "svg")
    assert figure_of(first).get_facecolor()[:3] == to_rgb(plots.THEMES[theme].background)
    assert plots.alt_text(first)


def test_a_png_has_twice_the_dots(tmp_path: Path) -> None:
    path = tmp_path / "slain.png"
    plots.save_figure(mh.plot_pmf(FEW), path, alt=True)
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (1600, 900)
    assert (
        (tmp_path / "slain.png.txt")
        .read_text(encoding="utf-8")
        .startswith("Few against Rats: models slain. Few: 1.85 models slain")
    )
    svg = plots.render_figure(mh.plot_pmf(FEW), "svg").decode()
    assert "Few against Rats: models slain" in svg
    assert "<dc:date>" not in svg


def test_nothing_touches_pyplot_or_the_settings() -> None:
    program = (
        "import sys, matplotlib as mpl\n"
        "def settings(): return {key: mpl.rcParams[key] for key in mpl.rcParams if key != 'backend'}  # asking for that loads pyplot\n"
        "before = settings()\n"
        "from mathhammer import plots; plots.render_figure(plots.plot_duel(('a', 'b'), [0.1], [0.2]))\n"
        "assert settings() == before and 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_compare_returns_a_tidy_frame() -> None:
    table = mh.compare([unit("Few", 1), unit("Many", 3)], RATS)
    assert list(table["attacker"]) == ["Few", "Many"]
    assert table["slain"].tolist() == pytest.approx([FEW.slain.mean(), MANY.slain.mean()])
    assert len(mh.compare("Liberators", system="aos4")) == 8
    with pytest.raises(
        mh.BadInputError, match=r"^compare: units of aos4 and wh40k10 \(compare units of one game\)$"
    ):
        mh.compare([unit("Few", 1), mh.load_unit("Boyz", "wh40k10")])
