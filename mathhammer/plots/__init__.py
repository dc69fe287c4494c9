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
    from mathhammer.plots.before_after import plot_before_after
    from mathhammer.plots.breakeven import plot_breakeven
    from mathhammer.plots.chart import draw_chart
    from mathhammer.plots.curves import plot_curve
    from mathhammer.plots.distributions import draw_distributions, plot_distributions, plot_pmf
    from mathhammer.plots.duel import plot_duel
    from mathhammer.plots.efficiency import plot_efficiency
    from mathhammer.plots.funnel import plot_funnel
    from mathhammer.plots.heatmap import plot_heatmap
    from mathhammer.plots.look import PRESETS, Look, Preset, source_line
    from mathhammer.plots.marks import KINDS, Kind
    from mathhammer.plots.post import read_post
    from mathhammer.plots.ridge import draw_ridge, plot_ridge
    from mathhammer.plots.saving import Picture, alt_text, render_figure, save_figure
    from mathhammer.plots.series import LABELS
    from mathhammer.plots.style import COLOURS, DARK, LIGHT, THEMES, Theme

__all__ = [
    "COLOURS",
    "Chart",
    "DARK",
    "KINDS",
    "LABELS",
    "LIGHT",
    "THEMES",
    "Kind",
    "Look",
    "PRESETS",
    "Picture",
    "Preset",
    "Theme",
    "alt_text",
    "draw_bands",
    "draw_chart",
    "draw_distributions",
    "draw_ridge",
    "plot_armies",
    "plot_bands",
    "plot_before_after",
    "plot_breakeven",
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
    "KINDS": "marks",
    "Kind": "marks",
    "LABELS": "series",
    "Look": "look",
    "PRESETS": "look",
    "Preset": "look",
    "plot_before_after": "before_after",
    "plot_breakeven": "breakeven",
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
    "source_line": "look",
}


__getattr__, __dir__ = lazily(__name__, {name: f"{__name__}.{home}" for name, home in HOMES.items()}, __all__)
