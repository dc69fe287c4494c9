"""A chart from units: the file of its kind works out what it needs, and draws it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.plots.asking import DRAWINGS, Chart
from mathhammer.plots.kinds import CHART_KINDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_chart(chart: Chart) -> Axes:
    """The chart, drawn.

    >>> import mathhammer as mh
    >>> rats = mh.load_unit("Clanrats", "aos4")
    >>> draw_chart(Chart("bands", (mh.load_unit("Liberators", "aos4"),), (rats,
    ...     ))).get_yticklabels()[0].get_text()
    'Liberators'
    """
    if chart.kind not in CHART_KINDS:
        raise UnknownNameError("chart", "kind", chart.kind, CHART_KINDS)
    if not chart.attackers:
        raise BadInputError("chart: nobody attacks (give at least one unit)")
    if chart.per_100 and chart.kind != "breakeven":
        raise BadInputError(f"chart: {chart.kind} takes no --per-100-points (drop it)")
    importlib.import_module(f"mathhammer.plots.{CHART_KINDS[chart.kind].module}")
    return DRAWINGS[chart.kind](chart)
