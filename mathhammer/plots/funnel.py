"""The funnel: from attacks to damage, roll by roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError
from mathhammer.plots.asking import Chart, chart, fought
from mathhammer.plots.distributions import names_of, subject
from mathhammer.plots.style import bare, canvas, conditions_line, finish, get_theme, source_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STAGES = ("attacks", "hits", "wounds", "unsaved", "mortal", "damage")
WORDS = {"unsaved": "unsaved wounds", "mortal": "mortal damage"}


def plot_funnel(
    *results: Result,
    ax: Axes | None = None,
    labels: tuple[str, ...] = (),
    theme: str = "light",
    title: str | None = None,
    source: str | None = None,
    subtitle: str | None = None,
) -> Axes:
    """Mean attacks, hits, wounds, unsaved wounds and damage of one to four results, with what is left of the
    stage before.

    >>> import mathhammer as mh
    >>> result = mh.fight(mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4"))
    >>> [round(float(bar.get_width()), 1) for bar in plot_funnel(result).patches][:3]
    [11.0, 7.3, 3.8]
    """
    if not 1 <= len(results) <= 4:
        raise BadInputError(f"plot_funnel: {len(results)} results (give one to four)")
    look = get_theme("chart", theme)
    stages = [stage for stage in STAGES if any(result.funnel.get(stage, 0.0) > 0 for result in results)]
    ax = canvas(ax, look, (8.0, 1.6 + len(stages) * (0.3 + 0.27 * len(results))))
    names = list(labels or names_of(results))
    thick = 0.76 / len(results)
    most = max((result.funnel.get(stage, 0.0) for result in results for stage in stages), default=1.0)
    for place, result in enumerate(results):
        before: float | None = None
        for row, stage in enumerate(stages):
            value = result.funnel.get(stage, 0.0)
            height = row + (place - (len(results) - 1) / 2) * thick
            ax.barh(
                height, value, thick * 0.9, color=look.colour(place), label=names[place] if row == 0 else None
            )
            chain = stage in ("hits", "wounds", "unsaved")
            share = f"  ({value / before:.0%})" if chain and before else ""
            name = f"  {names[place]}" if row == 0 and len(results) > 1 else ""
            text = ax.annotate(
                f"{value:.1f}{share}", (value, height), xytext=(5, 0), textcoords="offset points", va="center"
            )
            text.set(color=look.ink, fontsize=9.5)
            if name:
                shift = (5 + 6.2 * len(f"{value:.1f}{share}"), 0)
                label = ax.annotate(
                    name, (value, height), xytext=shift, textcoords="offset points", va="center"
                )
                label.set(color=look.colour(place), fontsize=9.5, fontweight="bold")
            before = value if stage == "attacks" or chain else before
    ax.set_yticks(range(len(stages)), [WORDS.get(stage, stage) for stage in stages])
    ax.set_ylim(len(stages) - 0.45, -0.55)
    ax.set_xlim(0, most * (1.16 if len(results) == 1 else 1.4))
    ax.set_xticks([])
    ax.set_xlabel("mean numbers; in brackets the share of the stage before")
    bare(ax, "bottom")
    alt = " ".join(
        f"{n}: " + ", ".join(f"{r.funnel.get(s, 0.0):.3g} {s}" for s in stages) + "."
        for n, r in zip(names, results, strict=True)
    )
    told_title = subject(results, "from attacks to damage, on average") if title is None else title
    told = conditions_line(results) if subtitle is None else subtitle
    return finish(ax, look, told_title, source_of(results) if source is None else source, alt, told)


@chart("funnel", "from attacks to damage, roll by roll", rank=9)
def funnel_chart(asked: Chart) -> Axes:
    """The funnels of up to four fights."""
    results = (matchup.fought for matchup in fought(asked, 4))
    return plot_funnel(*results, theme=asked.theme, title=asked.title)
