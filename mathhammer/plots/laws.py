"""Charts: the home of matplotlib. Every function takes `ax` and returns it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.pmf import Pmf
from mathhammer.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = Literal["pmf", "at_least", "at_most"]
KINDS = ("pmf", "at_least", "at_most")
# Told apart by colour-blind readers (Okabe and Ito), darkened where white paper asks for 3:1 contrast.
COLOURS = ("#0072B2", "#C04A00", "#007A5A", "#A0447A", "#8A6D00", "#3A3A3A", "#2A86C0", "#7A4FB0")
LABELS = {"slain": "models slain", "lost": "wounds lost", "damage": "damage"}


def plot_pmf(*results: Result, kind: Kind = "at_least", of: str = "slain", ax: Axes | None = None, labels: tuple[str, ...] = ()) -> Axes:
    """The distribution of what each result did: chance of at least k, of at most k, or of exactly k.

    >>> import mathhammer as mh
    >>> result = mh.fight(mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4"))
    >>> ax = plot_pmf(result, of="slain")
    >>> ax.get_xlabel()
    'models slain'
    """
    if not results:
        raise BadInputError("plot_pmf: nothing to draw (give at least one result)")
    if kind not in KINDS:
        raise UnknownNameError("plot_pmf", "kind", str(kind), KINDS)
    if of not in LABELS:
        raise UnknownNameError("plot_pmf", "quantity", str(of), LABELS)
    return draw_laws([_law(result, of) for result in results], labels or _names(results), kind, LABELS[of], ax)


def draw_laws(laws: Sequence[Pmf], names: Sequence[str], kind: Kind, xlabel: str, ax: Axes | None = None) -> Axes:
    """Distributions on one pair of axes: bars side by side for the chance of exactly k, steps for at least and at most k."""
    if ax is None:
        ax = Figure(figsize=(8, 4.5), layout="constrained").add_subplot()
    top = max(law.quantile(0.999) for law in laws) + 1
    for place, (law, name) in enumerate(zip(laws, names, strict=True)):
        colour = COLOURS[place % len(COLOURS)]
        values = np.arange(top + 1)
        heights = [_height(law, kind, int(value)) for value in values]
        if kind == "pmf":
            width = 0.8 / len(laws)
            ax.bar(values + (place - (len(laws) - 1) / 2) * width, heights, width, color=colour, label=name)
        else:
            ax.step(values, heights, where="mid", color=colour, label=name, linewidth=2)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(f"chance of {'exactly' if kind == 'pmf' else kind.replace('_', ' ')} that many")
    ax.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(1.0, decimals=0))
    ax.set_ylim(0, None if kind == "pmf" else 1.02)
    ax.set_xlim(-0.5, top + 0.5)
    ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    ax.grid(True, axis="y", alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    return ax


def _law(result: Result, of: str) -> Pmf:
    law: Pmf = getattr(result, of)
    return law


def _height(law: Pmf, kind: Kind, value: int) -> float:
    return law[value] if kind == "pmf" else law.at_least(value) if kind == "at_least" else law.at_most(value)


def _names(results: tuple[Result, ...]) -> list[str]:
    """As short as they can be told apart: attackers, targets, or both."""
    attackers, targets = {r.attacker for r in results}, {r.target for r in results}
    if len(targets) == 1 and len(attackers) == len(results):
        return [r.attacker for r in results]
    if len(attackers) == 1 and len(targets) == len(results):
        return [f"against {r.target}" for r in results]
    return [f"{r.attacker} against {r.target}" for r in results]


def save_figure(ax: Axes, path: str) -> None:
    """Writes the chart of `ax` to a PNG (at twice the usual resolution) or SVG; the same bytes for the same chart."""
    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    kind = path.rpartition(".")[2].lower()
    if kind not in ("png", "svg"):
        raise BadInputError(f"chart: {path!r} is no picture (name it .png or .svg)")
    with mpl.rc_context({"svg.hashsalt": "mathhammer", "svg.fonttype": "none"}):
        figure.savefig(path, dpi=200, metadata={"Date": None} if kind == "svg" else {"Software": None})
