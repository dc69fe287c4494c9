"""One style for every chart: two themes, and how a chart begins and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from matplotlib.figure import Figure

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.plots.lettering import family
from mathhammer.plots.look import PRESETS, Look
from mathhammer.plots.shown import ShownAxes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ThemeName = Literal["light", "dark"]
PAD = 0.14  # inches between the picture's edge and what stands in it
MOST_ON_A_CARD = 6.0  # inches that a kind wants in a blog
TOO_MUCH = "chart: too much for a card (name fewer units, or leave the preset out)"
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
    heat=("#f5f7fb", "#c3d5f0", "#86ade4"),
)
DARK = Theme(
    name="dark",
    background="#14181f",
    ink="#eef1f5",
    muted="#a3acba",
    grid="#2b323d",
    colours=("#8ed4eb", "#f9a03f", "#ef3994", "#a88ef6", "#5555f1", "#84660b"),
    neutral="#727b8a",
    heat=("#1b212b", "#1f4263", "#22689c"),
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


def canvas(ax: Axes | None, look: Look, size: tuple[float, float] | None = None) -> Axes:
    """The axes to draw on, dressed in the theme: the caller's, or new ones on a figure of their own, in the
    preset's size (`size` is what the kind wants in a blog).
    """
    if ax is None:
        ax = new_figure(look, size).add_subplot(axes_class=ShownAxes)
    dress(ax, get_theme("chart", look.theme))
    return ax


def new_figure(look: Look, size: tuple[float, float] | None = None) -> Figure:
    """A figure of the preset's size; where it may grow, as high as the kind wants."""
    preset = PRESETS[look.preset]
    wide, high = preset.size
    if size is not None:
        if not preset.grows and size[1] > MOST_ON_A_CARD:
            raise BadInputError(TOO_MUCH)
        if look.preset == "blog":
            wide, high = size
        elif preset.grows:
            high = max(high, size[1] * 1.1)
    figure = Figure(figsize=(wide, high), facecolor=get_theme("chart", look.theme).background)
    figure.set_layout_engine("constrained", w_pad=PAD, h_pad=0.06)
    figure.set_label(look.preset)  # tells our figures from those of a caller
    return figure


def dress(ax: Axes, theme: Theme) -> None:
    """Axes in the colours and letters of a theme."""
    ax.set_facecolor(theme.background)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(theme.muted)
    ax.tick_params(
        which="both", colors=theme.muted, labelcolor=theme.ink, labelsize=9.5, labelfontfamily=family()
    )
    ax.xaxis.label.set(color=theme.muted, fontsize=10)
    ax.yaxis.label.set(color=theme.muted, fontsize=10)
    ax.set_axisbelow(True)


def grid(ax: Axes, theme: Theme, axis: Literal["x", "y", "both"]) -> None:
    """Faint lines behind the data."""
    ax.grid(True, axis=axis, color=theme.grid, linewidth=0.8)


def bare(ax: Axes, *sides: str) -> None:
    """Takes away lines of the frame, with their tick marks."""
    ax.spines[list(sides)].set_visible(False)
    ax.tick_params(length=0)


def figure_of(ax: Axes) -> Figure:
    """The figure that axes stand in."""
    figure = ax.get_figure(root=True)
    assert isinstance(figure, Figure)
    return figure


def is_ours(figure: Figure) -> bool:
    """Whether a chart made the figure, and so may place everything in it."""
    return figure.get_label() in PRESETS


def on_a_card(ax: Axes) -> bool:
    """Whether the chart has the size of a card, which cannot grow.

    >>> on_a_card(Figure().add_subplot())
    False
    """
    return figure_of(ax).get_label() == "card"


def title_of(ax: Axes) -> str:
    """The headline of a chart: of the whole figure, or of the axes where they share one with others."""
    figure = figure_of(ax)
    one = is_ours(figure) or len(figure.axes) == 1
    return " ".join((figure.get_suptitle() if one else ax.get_title(loc="left")).split())
