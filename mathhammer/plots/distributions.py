"""Distributions: the chance of at least, at most or exactly k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import matplotlib as mpl
import numpy as np

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.plots.asking import MOST_LINES, Chart, chart, fought, pmf_of, quantity_of
from mathhammer.plots.labels import beside
from mathhammer.plots.style import canvas, conditions_line, finish, get_theme, grid, listed, source_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Kind = Literal["pmf", "at_least", "at_most"]
KINDS = ("pmf", "at_least", "at_most")
LABELS = {"slain": "models slain", "lost": "wounds lost", "damage": "damage"}


def plot_pmf(
    *results: Result,
    kind: Kind = "at_least",
    of: str = "slain",
    ax: Axes | None = None,
    labels: tuple[str, ...] = (),
    theme: str = "light",
    title: str | None = None,
    source: str | None = None,
    subtitle: str | None = None,
) -> Axes:
    """The distribution of what each result did: chance of at least k, of at most k, or of exactly k.

    Title, source line and subtitle (the conditions) are made from the results; give your own, or "" for none.

    >>> import mathhammer as mh
    >>> result = mh.fight(mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4"))
    >>> ax = plot_pmf(result, of="slain")
    >>> ax.get_xlabel()
    'models slain'
    """
    pmfs = pmfs_of("plot_pmf", results, of)
    if kind not in KINDS:
        raise UnknownNameError("plot_pmf", "kind", str(kind), KINDS)
    names = labels or names_of(results)
    heading = subject(results, LABELS[of]) if title is None else title
    return draw_distributions(
        pmfs,
        names,
        kind,
        LABELS[of],
        ax,
        theme=theme,
        title=heading,
        source=source_of(results) if source is None else source,
        subtitle=conditions_line(results) if subtitle is None else subtitle,
    )


def draw_distributions(
    pmfs: Sequence[Pmf],
    names: Sequence[str],
    kind: Kind,
    xlabel: str,
    ax: Axes | None = None,
    *,
    theme: str = "light",
    title: str = "",
    source: str = "",
    subtitle: str = "",
) -> Axes:
    """Distributions on one pair of axes: bars side by side for the chance of exactly k, steps for at least
    and at most k.
    """
    look = get_theme("chart", theme)
    ax = canvas(ax, look)
    top = max(pmf.quantile(0.999) for pmf in pmfs) + 1
    values = np.arange(top + 1)
    colours = [look.colour(place) for place in range(len(pmfs))]
    ways = []
    for place, (pmf, name) in enumerate(zip(pmfs, names, strict=True)):
        heights = [_height(pmf, kind, int(value)) for value in values]
        if kind == "pmf":
            width = 0.8 / len(pmfs)
            ax.bar(
                values + (place - (len(pmfs) - 1) / 2) * width,
                heights,
                width,
                color=colours[place],
                label=name,
            )
        else:
            (line,) = ax.step(values, heights, where="mid", color=colours[place], label=name, linewidth=2.2)
            line.set_dashes(look.dash(place))
            ways.append(_corners(values, heights))
    ax.set_xlabel(xlabel)
    ax.set_ylabel(f"chance of {'exactly' if kind == 'pmf' else kind.replace('_', ' ')} that many")
    ax.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(1.0, decimals=0))
    ax.set_ylim(0, None if kind == "pmf" else 1.02)
    ax.set_xlim(-0.5, top + 0.5)
    ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    grid(ax, look, "y")
    finish(
        ax,
        look,
        title,
        source,
        " ".join(describe(pmf, name, xlabel) for pmf, name in zip(pmfs, names, strict=True)),
        subtitle,
    )
    if ways:
        beside(ax, names, ways, look, colours)
    elif len(pmfs) > 1:  # bars of several units stand among each other: only here a legend reads better
        ax.legend(frameon=False, labelcolor=look.ink, fontsize=9.5)
    return ax


def pmfs_of(where: str, results: Sequence[Result], of: str) -> list[Pmf]:
    """One distribution of each result."""
    if not results:
        raise BadInputError(f"{where}: nothing to draw (give at least one result)")
    if of not in LABELS:
        raise UnknownNameError(where, "quantity", str(of), LABELS)
    return [getattr(result, of) for result in results]


def describe(pmf: Pmf, name: str, what: str) -> str:
    """A distribution in one sentence.

    >>> describe(Pmf.of([0.25, 0.5, 0.25]), "Rats", "models slain")
    'Rats: 1 models slain on average, between 0 and 2 in eight of ten rolls.'
    """
    low, high = pmf.quantile(0.1), pmf.quantile(0.9)
    return f"{name}: {pmf.mean():.3g} {what} on average, between {low} and {high} in eight of ten rolls."


def names_of(results: Sequence[Result]) -> list[str]:
    """As short as they can be told apart: attackers, targets, or both; with their weapons where one attacker
    uses several.
    """
    attackers, targets = {r.attacker for r in results}, {r.target for r in results}
    if len({(r.attacker, r.target) for r in results}) < len(results):
        whom = [""] * len(results) if len(targets) == 1 else [f" against {r.target}" for r in results]
        return [f"{r.attacker} ({r.weapons}){of}" for r, of in zip(results, whom, strict=True)]
    if len(targets) == 1 and len(attackers) == len(results):
        return [r.attacker for r in results]
    if len(attackers) == 1 and len(targets) == len(results):
        return [f"against {r.target}" for r in results]
    return [f"{r.attacker} against {r.target}" for r in results]


def subject(results: Sequence[Result], what: str) -> str:
    """What a chart of these results is about."""
    attackers = list(dict.fromkeys(r.attacker for r in results))
    targets = list(dict.fromkeys(r.target for r in results))
    whom = f"{len(targets)} targets" if len(targets) > 3 else listed(targets)
    return f"{listed(attackers)} against {whom}: {what}"


def _height(pmf: Pmf, kind: Kind, value: int) -> float:
    return pmf[value] if kind == "pmf" else pmf.at_least(value) if kind == "at_least" else pmf.at_most(value)


def _corners(
    values: np.ndarray[tuple[int], np.dtype[np.int64]], heights: Sequence[float]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The corners of a step line."""
    edges = np.repeat(values[:-1] + 0.5, 2)
    x = np.concatenate([[values[0]], edges, [values[-1]]])
    return np.column_stack([x, np.repeat(np.asarray(heights, dtype=np.float64), 2)])


def plot_distributions(
    pmfs: Mapping[str, Pmf],
    *,
    kind: Kind = "pmf",
    xlabel: str = "",
    title: str = "",
    source: str = "",
    subtitle: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Named distributions side by side: bars for exactly k, steps for at least or at most k.

    >>> ax = plot_distributions({"goals met": Pmf.of([0.25, 0.5, 0.25])}, xlabel="goals met")
    >>> [float(bar.get_height()) for bar in ax.patches][:3], ax.get_xlabel()
    ([0.25, 0.5, 0.25], 'goals met')
    """
    if not pmfs:
        raise BadInputError("plot_distributions: nothing to draw (give at least one distribution)")
    if kind not in KINDS:
        raise UnknownNameError("plot_distributions", "kind", str(kind), KINDS)
    return draw_distributions(
        list(pmfs.values()), list(pmfs), kind, xlabel, ax, title=title, source=source, subtitle=subtitle
    )


def shown_distributions(asked: Chart, most: int) -> tuple[list[Pmf], list[str], str, dict[str, Any]]:
    """The distributions of all attackers against all targets, their names, what they count, and the look."""
    fights = fought(asked, most)
    of = quantity_of(asked, "slain", tuple(LABELS))
    results = [matchup.fought for matchup in fights]
    title = subject(results, LABELS[of]) if asked.title is None else asked.title
    look = {"theme": asked.theme, "title": title, "source": source_of(results)}
    look["subtitle"] = conditions_line(results)
    return [pmf_of(matchup, of) for matchup in fights], names_of(results), LABELS[of], look


def _lines(asked: Chart, kind: Kind) -> Axes:
    pmfs, names, label, look = shown_distributions(asked, MOST_LINES)
    return draw_distributions(pmfs, names, kind, label, **look)


@chart("at_least", "chance of at least k models slain, a step curve", rank=1)
def at_least_chart(asked: Chart) -> Axes:
    """The chance of at least k, for each attacker and target."""
    return _lines(asked, "at_least")


@chart("at_most", "chance of at most k", rank=2)
def at_most_chart(asked: Chart) -> Axes:
    """The chance of at most k, for each attacker and target."""
    return _lines(asked, "at_most")


@chart("pmf", "chance of exactly k, bars", rank=3)
def pmf_chart(asked: Chart) -> Axes:
    """The chance of exactly k, for each attacker and target."""
    return _lines(asked, "pmf")
