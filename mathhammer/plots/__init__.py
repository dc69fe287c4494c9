"""Charts: the home of matplotlib. Every function takes `ax` and returns it; nothing
touches pyplot or global settings. Each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mathhammer.views import lazily

if TYPE_CHECKING:
    from mathhammer.plots.armies import plot_armies
    from mathhammer.plots.asking import Chart
    from mathhammer.plots.bands import draw_bands, plot_bands
    from mathhammer.plots.chart import draw_chart
    from mathhammer.plots.curves import plot_curve
    from mathhammer.plots.distributions import (
        KINDS,
        LABELS,
        Kind,
        draw_distributions,
        plot_distributions,
        plot_pmf,
    )
    from mathhammer.plots.duel import plot_duel
    from mathhammer.plots.efficiency import plot_efficiency
    from mathhammer.plots.funnel import plot_funnel
    from mathhammer.plots.heatmap import plot_heatmap
    from mathhammer.plots.post import read_post
    from mathhammer.plots.ridge import draw_ridge, plot_ridge
    from mathhammer.plots.saving import Picture, alt_text, render_figure, save_figure
    from mathhammer.plots.style import COLOURS, DARK, LIGHT, THEMES, Theme, source_line

__all__ = [
    "COLOURS",
    "Chart",
    "DARK",
    "KINDS",
    "LABELS",
    "LIGHT",
    "THEMES",
    "Kind",
    "Picture",
    "Theme",
    "alt_text",
    "draw_bands",
    "draw_chart",
    "draw_distributions",
    "draw_ridge",
    "plot_armies",
    "plot_bands",
    "plot_curve",
    "plot_distributions",
    "plot_duel",
    "plot_efficiency",
    "plot_funnel",
    "plot_heatmap",
    "plot_pmf",
    "plot_ridge",
    "read_post",
    "render_figure",
    "save_figure",
    "source_line",
]
HOMES = {
    "Chart": "asking",
    "draw_chart": "chart",
    "plot_distributions": "distributions",
    "read_post": "post",
    "COLOURS": "style",
    "DARK": "style",
    "KINDS": "distributions",
    "Kind": "distributions",
    "LABELS": "distributions",
    "LIGHT": "style",
    "Picture": "saving",
    "THEMES": "style",
    "Theme": "style",
    "alt_text": "saving",
    "draw_bands": "bands",
    "draw_distributions": "distributions",
    "draw_ridge": "ridge",
    "plot_armies": "armies",
    "plot_bands": "bands",
    "plot_curve": "curves",
    "plot_duel": "duel",
    "plot_efficiency": "efficiency",
    "plot_funnel": "funnel",
    "plot_heatmap": "heatmap",
    "plot_pmf": "distributions",
    "plot_ridge": "ridge",
    "render_figure": "saving",
    "save_figure": "saving",
    "source_line": "style",
}


__getattr__, __dir__ = lazily(__name__, {name: f"{__name__}.{home}" for name, home in HOMES.items()}, __all__)
