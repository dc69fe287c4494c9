"""Axes that show themselves in a notebook."""

from __future__ import annotations

from matplotlib.axes import Axes


class ShownAxes(Axes):
    """What every plot function draws on where it is given no axes: a picture as the last line of a cell."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        from mathhammer.plots.saving import Picture  # which draws, and so needs what makes these axes

        return Picture(self)._repr_png_()

    def __repr__(self) -> str:
        """The words of the chart."""
        return str(self.get_label()) or super().__repr__()
