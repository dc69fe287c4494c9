"""The kinds of charts: what draws each, and one line about it. Known without loading matplotlib."""

from __future__ import annotations

from typing import NamedTuple


class ChartKind(NamedTuple):
    """A kind of chart: the drawing in `plots.chart` that serves it, and one line for people."""

    drawing: str
    line: str


CHART_KINDS: dict[str, ChartKind] = {
    "at_least": ChartKind("distributions", "chance of at least k models slain, a step curve"),
    "at_most": ChartKind("distributions", "chance of at most k"),
    "pmf": ChartKind("distributions", "chance of exactly k, bars"),
    "bands": ChartKind("distributions", "10-90 % bands, one row for each unit"),
    "ridge": ChartKind("distributions", "distributions of many units, one above the other"),
    "heatmap": ChartKind("heatmap", "every attacker against every target"),
    "curve": ChartKind("curve", "damage against better saves (or --against toughness, ward, fnp)"),
    "efficiency": ChartKind("efficiency", "points and what they buy"),
    "funnel": ChartKind("funnel", "from attacks to damage, roll by roll"),
    "duel": ChartKind("duel", "who has won by the end of each round"),
    "armies": ChartKind("armies", "two army lists: points that each unit removes (UNITS are two list files)"),
}
