"""Small multiples: one small chart for each target, or for each unit, all to be read in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mathhammer.plots.finishing import SIDE, Entry, Words, finish
from mathhammer.plots.lettering import letter, shortened, width_of, wrapped
from mathhammer.plots.look import PRESETS, Look
from mathhammer.plots.marks import Kind, draw_on
from mathhammer.plots.series import Series, described
from mathhammer.plots.shown import ShownAxes
from mathhammer.plots.style import dress, get_theme, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 1.6  # inches that a row of small charts takes


def draw_panels(
    groups: Sequence[Sequence[Series]], titles: Sequence[str], kind: Kind, look: Look, title: str
) -> Axes:
    """A small chart for each group; gives the first of them, whose figure holds them all.

    Units against one target share the axis across, so they stand one above the other.
    """
    theme = get_theme("chart", look.theme)
    alike = len({(one.panel, one.what) for group in groups for one in group}) == 1
    columns = _columns(len(groups), alike, look.preset)
    rows = -(-len(groups) // columns)
    figure = new_figure(look, (8.0, max(3.0, 1.2 + ROW * rows)))
    axes = figure.subplots(
        rows, columns, squeeze=False, sharey=True, sharex=alike, subplot_kw={"axes_class": ShownAxes}
    )
    groups, everyone = _coloured(groups, alike)
    room = 0.92 * figure.get_figwidth() / columns - 0.75
    for place, ax in enumerate(axes.flat):
        if place >= len(groups):
            ax.set_visible(False)
            continue
        dress(ax, theme)
        draw_on(
            ax, groups[place], kind, look, share=[one for group in groups for one in group] if alike else ()
        )
        marks = [text.get_text() for text in ax.texts if text.get_gid() == "dead"]
        marked = max((width_of(mark, 9.0) + 0.15 for mark in marks), default=0.0)
        head = shortened(titles[place], max(0.7, room - marked), 9.5, bold=True)
        ax.set_title(head, loc="left", fontsize=9.5, fontweight="bold", color=theme.ink)
        if place + columns >= len(groups) or not alike:
            ax.set_xlabel(groups[place][0].what, fontsize=9)
            ax.tick_params(labelbottom=True)
    if kind == "pmf":  # they share the axis, which has to hold the highest bar of all
        highest = max(float(one.pmf.probs.max()) for group in groups for one in group)
        axes.flat[0].set_ylim(0, 1.05 * highest)
    what = "exactly" if kind == "pmf" else kind.replace("_", " ")
    share = 0.5 if PRESETS[look.preset].grows else 0.22
    side = wrapped(f"chance of {what} that many", share * figure.get_figheight(), 9.5)
    letter(figure.supylabel(side, fontsize=9.5, color=theme.muted)).set_gid(SIDE)
    several = any(len(group) > 1 for group in groups)
    key = [Entry(one, theme.colour(n), theme.dash(n)) for n, one in enumerate(everyone)]
    told = described([one for group in groups for one in group])
    return finish(axes.flat[0], look, Words(title, told, "", tuple(key) if several else (), least=0.4))


def _coloured(groups: Sequence[Sequence[Series]], alike: bool) -> tuple[list[list[Series]], list[str]]:
    """Each unit in one colour throughout; where every chart shows another unit, all in the same."""
    who = [[one.name.removesuffix(f" against {one.panel}") for one in group] for group in groups]
    everyone = list(dict.fromkeys(name for names in who for name in names))
    coloured = [
        [
            replace(one, place=0 if alike else everyone.index(name))
            for one, name in zip(group, names, strict=True)
        ]
        for group, names in zip(groups, who, strict=True)
    ]
    return coloured, everyone


def _columns(number: int, alike: bool, preset: str) -> int:
    """How many small charts stand beside each other."""
    if preset == "phone":
        return 1 if number <= 4 or alike else 2
    if alike:
        return 1 if number <= 4 else 2
    return number if number <= 3 else 2 if number == 4 else 3 if number <= 9 else 4
