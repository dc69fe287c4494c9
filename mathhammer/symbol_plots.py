"""Charts of named distributions: damage of a volley, goals of a quest, what is left after a battle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.plots import KINDS, Kind, draw_laws
from mathhammer.pmf import Pmf

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_laws(
    laws: Mapping[str, Pmf], *, kind: Kind = "pmf", xlabel: str = "", title: str = "", source: str = "", ax: Axes | None = None
) -> Axes:
    """Named distributions side by side: bars for exactly k, steps for at least or at most k.

    >>> ax = plot_laws({"goals met": Pmf.of([0.25, 0.5, 0.25])}, xlabel="goals met")
    >>> [float(bar.get_height()) for bar in ax.patches][:3], ax.get_xlabel()
    ([0.25, 0.5, 0.25], 'goals met')
    """
    if not laws:
        raise BadInputError("plot_laws: nothing to draw (give at least one distribution)")
    if kind not in KINDS:
        raise UnknownNameError("plot_laws", "kind", str(kind), KINDS)
    return draw_laws(list(laws.values()), list(laws), kind, xlabel, ax, title=title, source=source)
