"""What stands around a chart: headline, own words, conditions and key above it, remarks, source and credit
below; measured, so that nothing is cut and nothing lies on anything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.text import Text

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.plots.lettering import letter, shortened, width_of, wrapped
from mathhammer.plots.look import PRESETS, Look
from mathhammer.plots.style import PAD, TOO_MUCH, Theme, figure_of, get_theme, is_ours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINE = 1.32 / 72  # inches that a line takes for each point of its size
STANDARD = 1.3  # inches that stand around a chart of the usual size: more makes the picture higher
MOST_REMARKS = 3  # on the picture, each in two lines; all are in the words for readers who cannot see it
DROPPED = ((), ("note",), ("note", "remark"))  # what a card goes without, one after the other, to be read
SIDE = "side"  # marks the words beside small charts
LEAST_ROW = 0.165  # inches that a row with a name takes
SWATCH = 0.2  # inches of colour before a name of the key


class Entry(NamedTuple):
    """A name of the key: its colour, and the dashes of its line (None: an area)."""

    name: str
    colour: str
    dashes: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """What a chart says of itself: its headline where the look has none, the words for readers who cannot
    see it, how to read it, the names of its colours, and how high it has to be to be read.
    """

    title: str
    alt: str
    note: str = ""
    key: tuple[Entry, ...] = ()
    least: float = 0.7  # inches of the plot itself, on a card, which cannot grow


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one size that stand around a chart."""

    role: str
    text: str
    size: float
    bold: bool = False
    after: float = 0.05  # inches below it

    @property
    def high(self) -> float:
        """Its height in inches."""
        return (self.text.count("\n") + 1) * self.size * LINE


def finish(ax: Axes, look: Look, words: Words) -> Axes:
    """Everything around the chart of `ax`, whose label becomes the words for readers who cannot see it."""
    figure, theme = figure_of(ax), get_theme("chart", look.theme)
    title = words.title if look.title is None else look.title
    if is_ours(figure):
        _surround(figure, look, theme, title, words)
    else:
        _surround_guest(ax, look, theme, title, words)
    for one in figure.axes if is_ours(figure) else [ax]:
        for text in one.findobj(Text):
            letter(text)
    conditions = look.conditions or ""
    parts = (_sentence(title), _sentence(look.subtitle), words.alt, *map(_sentence, look.remarks))
    told = (*parts, f"Conditions: {conditions}." if conditions else "")
    ax.set_label(" ".join(part for part in told if part))
    return ax


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?…" else f"{text}."


def _surround(figure: Figure, look: Look, theme: Theme, title: str, words: Words) -> None:
    """A figure of our own: the plot gets what head and foot leave."""
    room, card = figure.get_figwidth() - 2 * PAD, not PRESETS[look.preset].grows
    head, foot = _head(look, title, room), _foot(look, words, room)
    rows = _key_rows(words.key, room, 3 if card else 1)
    above = PAD + sum(block.high + block.after for block in head) + 0.22 * len(rows) + 0.03
    if card:
        foot = _fitted(figure, above, foot, words.least)
    else:
        below = 0.1 + sum(block.high + block.after for block in foot)
        figure.set_figheight(figure.get_figheight() + max(0.0, above + below - STANDARD))
        _leave(figure, above, below)
    high = figure.get_figheight()
    top = high - PAD
    for block in head:
        _write(figure, block, theme, top)
        top -= block.high + block.after
    _draw_key(figure, rows, theme, top)
    top = 0.1 + sum(block.high + block.after for block in foot)
    for block in foot:
        top -= block.after
        _write(figure, block, theme, top)
        top -= block.high


def _leave(figure: Figure, above: float, below: float) -> None:
    """So many inches above and below the plot for what stands around it."""
    room, high = figure.get_figwidth() - 2 * PAD, figure.get_figheight()
    for ax in figure.axes:
        ax.set_xlabel(wrapped(ax.get_xlabel(), 0.9 * room / _columns(figure), 10.0))
        ax.set_ylabel(wrapped(ax.get_ylabel(), 0.92 * max(0.8, high - above - below - 0.4), 10.0))
    engine = figure.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    engine.set(rect=(0.0, below / high, 1.0, 1.0 - (above + below) / high))


def _fitted(figure: Figure, above: float, foot: list[Block], least: float) -> list[Block]:
    """What stands below the plot of a card, so far as the plot keeps the height that it takes to be read."""
    for dropped in DROPPED:
        kept = [block for block in foot if block.role not in dropped]
        below = 0.1 + sum(block.high + block.after for block in kept)
        if above + below < figure.get_figheight() - least:
            _leave(figure, above, below)
            for text in figure.texts:
                if text.get_gid() == SIDE:  # beside the plots, not beside head and plots
                    text.set_y(0.5 * (1.0 + (below - above) / figure.get_figheight()))
            figure.draw_without_rendering()  # the layout is worked out here
            boxes = [ax.get_window_extent() for ax in figure.axes if ax.get_visible()]
            if min(box.height for box in boxes) >= least * figure.dpi:
                return kept
    raise BadInputError(TOO_MUCH)


def _columns(figure: Figure) -> int:
    """How many charts stand beside each other."""
    places = [ax.get_subplotspec() for ax in figure.axes]
    return max((place.get_gridspec().ncols for place in places if place is not None), default=1)


def _head(look: Look, title: str, room: float) -> list[Block]:
    blocks, card = [], not PRESETS[look.preset].grows
    one, two = (1, 2) if card else (None, None)
    if title:
        blocks.append(Block("title", wrapped(title, room, 13.0, bold=True, most=two), 13.0, bold=True))
    if look.subtitle:
        blocks.append(Block("subtitle", wrapped(look.subtitle, room, 10.5, most=one), 10.5))
    if look.conditions:
        lines = wrapped(look.conditions, room, 8.5, most=two)
        blocks.append(Block("conditions", lines, 8.5, after=0.08))
    return blocks


def _foot(look: Look, words: Words, room: float) -> list[Block]:
    """How to read it, remarks, and at the very bottom source and credit: side by side where they fit."""
    card = not PRESETS[look.preset].grows
    blocks = [Block("note", wrapped(words.note, room, 8.5), 8.5)] if words.note else []
    most = 1 if card else MOST_REMARKS
    shown = look.remarks[: most if len(look.remarks) <= most or card else most - 1]
    more = len(look.remarks) - len(shown)
    lines = [wrapped(line, room, 8.0, most=1 if card else 2) for line in shown]
    lines += [f"and {more} more {'remark' if more == 1 else 'remarks'}"] if more and not card else []
    blocks += [Block("remark", line, 8.0, after=0.02) for line in lines]
    source, credit = look.source or "", look.credit
    if width_of(source, 8.0) + width_of(credit, 8.0, True) + 0.3 > room and credit:
        blocks.append(Block("credit", wrapped(credit, room, 8.0, bold=True), 8.0, bold=True, after=0.02))
        credit = ""
    blocks += [Block("source", wrapped(source, room, 8.0), 8.0)] if source or credit else []
    return [*blocks, Block("credit beside", credit, 8.0, bold=True, after=-8.0 * LINE)] if credit else blocks


def _write(figure: Figure, block: Block, theme: Theme, top: float) -> None:
    """A block at its height; the title and the source are those that matplotlib knows by these names."""
    edge, y = PAD / figure.get_figwidth(), top / figure.get_figheight()
    place: dict[str, Any] = {"ha": "left", "va": "top", "fontsize": block.size, "linespacing": 1.12}
    if block.role == "title":
        text = figure.suptitle(block.text, x=edge, y=y, **place)
    elif block.role == "source":
        text = figure.supxlabel(block.text, x=edge, y=y, **place)
    elif block.role == "credit beside":
        text = figure.text(1 - edge, y, block.text, **place | {"ha": "right"})
    else:
        text = figure.text(edge, y, block.text, **place)
    strong = block.role in ("title", "subtitle", "remark")
    text.set(color=theme.ink if strong else theme.muted, fontweight="bold" if block.bold else "normal")
    text.set_label(block.role.partition(" ")[0])
    text.set_in_layout(False)  # its room is kept by the rectangle of the plot
    letter(text)


KeyRows = list[list[tuple[float, Entry]]]


def _key_rows(key: Sequence[Entry], room: float, beside: int = 1) -> KeyRows:
    """The names of the key in rows, each with where it begins; one that is too long for a row is cut, or for
    its part where so many have to stand `beside` each other.
    """
    longest = (room + 0.22) / min(beside, max(1, len(key))) - SWATCH - 0.22
    rows: KeyRows = []
    x = room
    for given in key:
        entry = given._replace(name=shortened(given.name, longest, 9.5, bold=True))
        wide = SWATCH + width_of(entry.name, 9.5, True) + 0.22
        if not rows or x + wide > room + 0.22:
            rows.append([])
            x = 0.0
        rows[-1].append((x, entry))
        x += wide
    return rows


def _draw_key(figure: Figure, rows: KeyRows, theme: Theme, top: float) -> None:
    """A short line, or a square, in each colour, and its name."""
    wide, high = figure.get_size_inches()
    for number, row in enumerate(rows):
        y = (top - 0.11 - 0.22 * number) / high
        for x, entry in row:
            left, end = (PAD + x) / wide, (PAD + x + (0.13 if entry.dashes is None else 0.17)) / wide
            thick = 8.0 if entry.dashes is None else 2.2
            line = Line2D([left, end], [y, y], color=entry.colour, linewidth=thick, solid_capstyle="butt")
            if entry.dashes:
                line.set_dashes([0.4 * dash for dash in entry.dashes])
            figure.add_artist(line)
            text = figure.text((PAD + x + SWATCH) / wide, y, entry.name, va="center_baseline", fontsize=9.5)
            text.set(
                color=theme.ink if entry.dashes is None else entry.colour, fontweight="bold", in_layout=False
            )
            text.set_label("key")
            letter(text)


def _surround_guest(ax: Axes, look: Look, theme: Theme, title: str, words: Words) -> None:
    """Axes of a caller: a title of their own; the rest only where they stand alone in their figure."""
    figure = figure_of(ax)
    alone = len(figure.axes) == 1
    inches = figure.get_figwidth() * (0.9 if alone else ax.get_position().width)
    if title and alone:
        head = wrapped(title, inches, 12.5, bold=True)
        letter(figure.suptitle(head, x=0.02, ha="left", color=theme.ink, fontsize=12.5, fontweight="bold"))
    elif title:
        head = wrapped(title, inches, 11.0, bold=True)
        ax.set_title(head, loc="left", color=theme.ink, fontsize=11, fontweight="bold")
    lines = [wrapped(text, inches, 8.5) for text in (look.subtitle, look.conditions, words.note) if text]
    if lines and alone:
        ax.set_title("\n".join(lines), loc="left", color=theme.muted, fontsize=8.5)
    if look.source and alone:
        letter(figure.supxlabel(look.source, x=0.02, ha="left", fontsize=8, color=theme.muted))
    if words.key:
        handles = [
            Line2D([], [], color=one.colour, linewidth=8 if one.dashes is None else 2.2, label=one.name)
            for one in words.key
        ]
        ax.legend(handles=handles, frameon=False, labelcolor=theme.ink, fontsize=9)


def words_around(ax: Axes, role: str) -> str:
    """What stands around a chart: title, subtitle, conditions, key, note, remark, source or credit.

    >>> from mathhammer.plots import plot_duel
    >>> words_around(plot_duel(("Rats", "Ogors"), [0.1], [0.3], credit="Chart: Anna"), "credit")
    'Chart: Anna'
    """
    found = [text for text in figure_of(ax).findobj(Text) if text.get_label() == role]
    return " ".join(" ".join(text.get_text().split()) for text in found)
