"""One style for every chart: two themes, and how a chart begins and ends."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from matplotlib.figure import Figure

import mathhammer
from mathhammer.errors import UnknownNameError
from mathhammer.units.circumstances import shared

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from mathhammer.engine.result import Result

ThemeName = Literal["light", "dark"]
SIZE = (8.0, 4.5)  # inches, at 100 dots each: what a blog post's column holds
WRAP = 66  # characters of a title that fit the width
SUBWRAP = 104  # and of a subtitle
DASHES: tuple[tuple[float, ...], ...] = ((), (5.0, 2.0), (1.5, 1.5))


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a chart: at least 3:1 against the background, and told apart by
    colour-blind readers (a test says so).
    """

    name: str
    background: str
    ink: str  # titles and numbers
    muted: str  # axes, units, the source line
    grid: str
    colours: tuple[str, ...]
    neutral: str  # what belongs to nobody: a draw, a line of reference
    heat: tuple[str, str, str]  # a heat map from nothing to most

    def colour(self, place: int) -> str:
        """The colour of the n-th series; they begin again after the last."""
        return self.colours[place % len(self.colours)]

    def dash(self, place: int) -> tuple[float, ...]:
        """The dashes of the n-th series: whole lines first, then broken ones, so that none
        looks like another.
        """
        return DASHES[place // len(self.colours) % len(DASHES)]


LIGHT = Theme(
    name="light",
    background="#ffffff",
    ink="#1a1d23",
    muted="#5a6270",
    grid="#e3e6ea",
    colours=("#1f3f99", "#ee4c0c", "#0a9a9a", "#c139ef", "#680808", "#9e2e4a"),
    neutral="#868d99",
    heat=("#f3f6fb", "#6f95d6", "#16306f"),
)
DARK = Theme(
    name="dark",
    background="#14181f",
    ink="#eef1f5",
    muted="#a3acba",
    grid="#2b323d",
    colours=("#8ed4eb", "#f9a03f", "#ef3994", "#a88ef6", "#5555f1", "#84660b"),
    neutral="#727b8a",
    heat=("#1d2430", "#2f78b0", "#b8ecff"),
)
THEMES: dict[str, Theme] = {"light": LIGHT, "dark": DARK}
COLOURS = LIGHT.colours


def get_theme(where: str, theme: str) -> Theme:
    """The theme of that name.

    >>> get_theme("chart", "dark").background
    '#14181f'
    """
    if theme not in THEMES:
        raise UnknownNameError(where, "theme", str(theme), THEMES)
    return THEMES[theme]


def canvas(ax: Axes | None, theme: Theme, size: tuple[float, float] = SIZE) -> Axes:
    """The axes to draw on, dressed in the theme: the caller's, or new ones on a figure of their own."""
    if ax is None:
        figure = Figure(figsize=size, facecolor=theme.background)
        figure.set_layout_engine("constrained", w_pad=0.14, h_pad=0.1)
        ax = figure.add_subplot()
    ax.set_facecolor(theme.background)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(theme.muted)
    ax.tick_params(colors=theme.muted, labelcolor=theme.ink, labelsize=9.5)
    ax.xaxis.label.set(color=theme.muted, fontsize=10)
    ax.yaxis.label.set(color=theme.muted, fontsize=10)
    ax.set_axisbelow(True)
    return ax


def grid(ax: Axes, theme: Theme, axis: Literal["x", "y", "both"]) -> None:
    """Faint lines behind the data."""
    ax.grid(True, axis=axis, color=theme.grid, linewidth=0.8)


def bare(ax: Axes, *sides: str) -> None:
    """Takes away lines of the frame, with their tick marks."""
    ax.spines[list(sides)].set_visible(False)
    ax.tick_params(length=0)


def finish(ax: Axes, theme: Theme, title: str, source: str, alt: str, subtitle: str = "") -> Axes:
    """Title, subtitle, source line, and the words for readers who cannot see the chart (kept as the
    label of the axes).
    """
    figure = ax.get_figure(root=True)
    assert isinstance(figure, Figure)
    edge = 0.14 / figure.get_figwidth()
    alone = len(figure.axes) == 1
    inches = figure.get_figwidth() * (1.0 if alone else 1.2 * ax.get_position().width)
    head = "\n".join(textwrap.wrap(title, max(12, round(WRAP * inches / SIZE[0]))))
    if title and alone:
        figure.suptitle(head, x=edge, ha="left", color=theme.ink, fontsize=12.5, fontweight="bold")
    elif title:
        ax.set_title(head, loc="left", color=theme.ink, fontsize=11, fontweight="bold")
    if subtitle and alone:
        wide = max(24, round(SUBWRAP * inches / SIZE[0]))
        ax.set_title(
            "\n".join(textwrap.wrap(subtitle, wide)), loc="left", color=theme.muted, fontsize=9, x=0.0
        )
    if source and alone:
        figure.supxlabel(source, x=edge, ha="left", fontsize=8, color=theme.muted)
    parts = (f"{title}." if title else "", alt, f"Conditions: {subtitle}." if subtitle else "")
    ax.set_label(" ".join(part for part in parts if part))
    return ax


def title_of(ax: Axes) -> str:
    """The title of a chart: of the whole figure, or of the axes where they share one with others."""
    figure = ax.get_figure(root=True)
    alone = isinstance(figure, Figure) and len(figure.axes) == 1
    return figure.get_suptitle() if alone and isinstance(figure, Figure) else ax.get_title(loc="left")


def source_line(
    edition: str = "", method: str = "exact", trials: int | None = None, seed: int | None = None
) -> str:
    """Where the numbers of a chart come from: rules edition, method, version.

    >>> source_line("Some game, 4th edition")
    'Some game, 4th edition · exact · mathhammer 0.1.0'
    """
    if trials is not None:
        method = f"simulated, {trials:,} trials" + ("" if seed is None else f", seed {seed}")
    return " · ".join(part for part in (edition, method, f"mathhammer {mathhammer.__version__}") if part)


def source_of(results: Sequence[Result]) -> str:
    """The source line of results; every game and every method among them is named once."""
    lines = [
        source_line(result.edition, result.method, result.trials, result.seed).split(" · ")
        for result in results
    ]
    return " · ".join(dict.fromkeys(part for parts in zip(*lines, strict=True) for part in parts))


def conditions_line(results: Sequence[Result]) -> str:
    """What all results hold under, for the subtitle of a chart."""
    pairs = {(result.attacker, result.target) for result in results}
    return str(shared([result.conditions for result in results], apart=len(pairs) < len(results)))


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them; more than three are counted.

    >>> listed(["A", "B", "C"]), listed(["A", "B", "C", "D"])
    ('A, B and C', '4 units')
    """
    if len(names) > 3:
        return f"{len(names)} units"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
