"""Distributions drawn in one line of text."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from mathhammer.dice.pmf import Pmf

BARS = "▁▂▃▄▅▆▇█"
PLAIN_BARS = "_.:-=+*#"


class Scale(NamedTuple):
    """How distributions are drawn side by side: values to a cell, cells, and the share that fills a cell."""

    each: int
    cells: int
    most: float


def sparkline_scale(pmfs: Sequence[Pmf], cells: int = 12) -> Scale:
    """One scale for several distributions: from 0 to where all but a thousandth of each lies."""
    top = max(pmf.quantile(0.999) for pmf in pmfs)
    # damage 2 only ever deals even numbers: no cell may hold more of them than another
    grain = gcd(*(value for pmf in pmfs for value in pmf.to_dict())) or 1
    each = grain * -(-(top + 1) // (cells * grain))  # values to a cell
    number = top // each + 1
    return Scale(each, number, max(share for pmf in pmfs for share in _shares(pmf, each, number)))


def _shares(pmf: Pmf, each: int, cells: int) -> list[float]:
    shares = [0.0] * cells
    for value, chance in enumerate(pmf):
        if value // each < cells:
            shares[value // each] += chance
    return shares


def sparkline(pmf: Pmf, cells: int = 12, scale: Scale | None = None, bars: str = BARS) -> str:
    """A distribution drawn in one line of text: from 0 to where all but a thousandth lies, or on a scale that
    it shares with others.

    >>> sparkline(Pmf.of([0.1, 0.4, 0.3, 0.2]), cells=4) in ("▃█▆▄", "▃█▆▅")
    True
    """
    each, number, most = scale or sparkline_scale([pmf], cells)
    shares = _shares(pmf, each, number)
    drawn = (bars[round(share / most * (len(bars) - 1))] if share > 0.0005 else " " for share in shares)
    return "".join(drawn).rstrip()
