"""Charts: the home of matplotlib. Every function takes `ax` and returns it; nothing
touches pyplot or global settings.
"""

from mathhammer.plots.armies import plot_armies
from mathhammer.plots.bands import draw_bands, plot_bands
from mathhammer.plots.curves import plot_curve
from mathhammer.plots.distributions import KINDS, LABELS, Kind, draw_laws, plot_pmf
from mathhammer.plots.duel import plot_duel
from mathhammer.plots.efficiency import plot_efficiency
from mathhammer.plots.funnel import plot_funnel
from mathhammer.plots.heatmap import plot_heatmap
from mathhammer.plots.ridge import draw_ridge, plot_ridge
from mathhammer.plots.saving import Picture, alt_text, render_figure, save_figure
from mathhammer.plots.style import COLOURS, DARK, LIGHT, THEMES, Theme, source_line

__all__ = [
    "COLOURS",
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
    "draw_laws",
    "draw_ridge",
    "plot_armies",
    "plot_bands",
    "plot_curve",
    "plot_duel",
    "plot_efficiency",
    "plot_funnel",
    "plot_heatmap",
    "plot_pmf",
    "plot_ridge",
    "render_figure",
    "save_figure",
    "source_line",
]
