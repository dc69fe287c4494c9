"""Charts as files: PNG at twice the usual resolution, SVG, and words for readers who cannot see them."""

from __future__ import annotations

import html
import io
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.files import replace_file
from mathhammer.plots.look import PRESETS
from mathhammer.plots.style import figure_of, title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMS = ("png", "svg")


def picture_form(path: str | Path) -> str:
    """The form that a file's name asks for.

    >>> picture_form("slain.SVG")
    'svg'
    """
    form = str(path).rpartition(".")[2].lower()
    if form not in FORMS:
        raise BadInputError(f"chart: {str(path)!r} is not a picture (name it .png or .svg)")
    return form


def alt_text(ax: Axes) -> str:
    """What the chart says, in words.

    >>> from mathhammer.plots import plot_curve
    >>> alt_text(plot_curve([2, 3], {"Rats": [1.0, 2.0]}, xlabel="save", ylabel="damage",
    ...     title="Damage by save"))
    'Damage by save. Rats: damage from 1 at 2 to 2 at 3.'
    """
    return str(ax.get_label())


def render_figure(ax: Axes, form: str = "png", dots: int | None = None) -> bytes:
    """The chart of `ax` as the bytes of a file; the same bytes for the same chart. A PNG has as many dots to
    an inch as its preset says.
    """
    figure = figure_of(ax)
    words = alt_text(ax)
    described: dict[str, str | None] = {"Description": words} if words else {}
    preset = PRESETS.get(str(figure.get_label()), PRESETS["blog"])
    file = io.BytesIO()
    # letters as outlines: the same picture everywhere, without the font
    with mpl.rc_context({"svg.hashsalt": "mathhammer", "svg.fonttype": "path"}):
        if form == "svg":
            figure.savefig(file, format="svg", metadata={"Date": None, **described})
            return told_svg(file.getvalue().decode(), title_of(ax), words).encode()
        dots = preset.dots if dots is None else dots
        figure.savefig(file, format="png", dpi=dots, metadata={"Software": None, **described})
    return file.getvalue()


def told_svg(svg: str, title: str, words: str) -> str:
    """An SVG that says what it is to readers who cannot see it: title, description, role of a picture.

    >>> told_svg("<svg></svg>", "A < B", "Words.").partition("</title>")[0].rpartition('">')[2]
    'A &lt; B'
    """
    mark = f"{zlib.crc32(f'{title} {words}'.encode()):08x}"
    start = svg.index("<svg")
    end = svg.index(">", start)
    opened = f'{svg[:end]} role="img" aria-labelledby="title-{mark} desc-{mark}"'
    told = f'<title id="title-{mark}">{html.escape(title or "Chart", quote=False)}</title>'
    described = f'<desc id="desc-{mark}">{html.escape(words, quote=False)}</desc>'
    return f"{opened}>\n {told}\n {described}{svg[end + 1 :]}"


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart as a notebook shows it: `Picture(plot_pmf(result))` as the last line of a cell."""

    ax: Axes

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        width, height = (round(inches * 100) for inches in figure_of(self.ax).get_size_inches())
        return render_figure(self.ax, "png", 150), {"width": width, "height": height}

    def __repr__(self) -> str:
        """The words of the chart."""
        return alt_text(self.ax)


def save_figure(ax: Axes, path: str | Path, *, alt: bool = False) -> None:
    """Writes the chart of `ax` to a .png or .svg; with `alt` also its words to a text file beside it
    (`chart.png.txt`).
    """
    form = picture_form(path)
    replace_file(path, render_figure(ax, form))
    if alt:
        replace_file(f"{path}.txt", (alt_text(ax) + "\n").encode())
