"""What bands and ridges share: a row for each distribution, and where their targets are destroyed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mathhammer.plots.lettering import letter
from mathhammer.plots.look import Look
from mathhammer.plots.series import Series, dead_text
from mathhammer.plots.style import get_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def mark_ends(ax: Axes, series: Sequence[Series], look: Look, high: float, below: float, above: float) -> str:
    """A line where all targets are destroyed, or a tick in each row; gives what to say of the ticks."""
    ends = [one.dead for one in series]
    theme = get_theme("chart", look.theme)
    if len(set(ends)) == 1 and ends[0] is not None and ends[0] <= high:
        ax.axvline(ends[0], color=theme.ink, linewidth=1.0, linestyle=(0, (3, 3)), zorder=1, gid="dead")
        text = ax.annotate(
            dead_text(series[0]),
            (ends[0], 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 2),
            textcoords="offset points",
            ha="right" if ends[0] > 0.3 * high else "left",
            va="bottom",
            fontsize=9,
            color=theme.ink,
        )
        text.set_gid("dead")
        letter(text)
        return ""
    shown = [(row, end) for row, end in enumerate(ends) if end is not None and end <= high]
    for row, end in shown:
        ax.vlines(end, row - above, row + below, color=theme.ink, linewidth=2.0, gid="dead")
    return "; dark tick: the target is dead" if shown else ""
