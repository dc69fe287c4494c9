"""The funnel: from attacks to damage, roll by roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError
from mathhammer.plots.asking import Chart, able, chart, fought, remarks_on
from mathhammer.plots.bands import mean_text
from mathhammer.plots.finishing import LEAST_ROW, Entry, Words, finish
from mathhammer.plots.lettering import width_of
from mathhammer.plots.look import Look, LookWords, conditions_line, source_of
from mathhammer.plots.series import names_of, subject
from mathhammer.plots.style import Theme, bare, canvas, figure_of, get_theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STAGES = ("attacks", "hits", "wounds", "unsaved", "mortal", "damage")
WORDS = {"unsaved": "unsaved wounds", "mortal": "mortal damage"}


def plot_funnel(
    *results: Result,
    ax: Axes | None = None,
    labels: tuple[str, ...] = (),
    **look: Unpack[LookWords],
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
    shown = Look(**look).about(results)
    theme = get_theme("chart", shown.theme)
    stages = [stage for stage in STAGES if any(result.funnel.get(stage, 0.0) > 0 for result in results)]
    stages = stages or list(STAGES[:1])
    ax = canvas(ax, shown, (8.0, 1.6 + len(stages) * (0.3 + 0.27 * len(results))))
    names = list(labels or names_of(results))
    for place, result in enumerate(results):
        _bars(ax, result, stages, (place, len(results)), theme)
    most = max(result.funnel.get(stage, 0.0) for result in results for stage in stages)
    ax.set_yticks(range(len(stages)), [WORDS.get(stage, stage) for stage in stages])
    ax.set_ylim(len(stages) - 0.45, -0.55)
    numbers = width_of("1,234.5  (100%)", 9.5) + 0.1
    ax.set_xlim(0, (most or 1.0) / (1 - numbers / (figure_of(ax).get_figwidth() - 1.6)))
    ax.set_xticks([])
    bare(ax, "bottom")
    alt = " ".join(
        f"{n}: " + ", ".join(f"{r.funnel.get(s, 0.0):.3g} {s}" for s in stages) + "."
        for n, r in zip(names, results, strict=True)
    )
    key = [Entry(name, theme.colour(place)) for place, name in enumerate(names)] if len(results) > 1 else []
    title = subject(results, "from attacks to damage, on average")
    least = LEAST_ROW * len(stages) * len(results)
    note = "Mean numbers; in brackets the share of the stage before."
    return finish(ax, shown, Words(title, alt, note, tuple(key), least))


def _bars(ax: Axes, result: Result, stages: Sequence[str], place: tuple[int, int], theme: Theme) -> None:
    """The bars of one result, the n-th of so many."""
    number, several = place
    thick = 0.76 / several
    inches = (figure_of(ax).get_figheight() - 1.7) / len(stages) * thick
    size = min(9.5, max(5.0, 0.7 * 72 * inches))
    before: float | None = None
    for row, stage in enumerate(stages):
        value = result.funnel.get(stage, 0.0)
        height = row + (number - (several - 1) / 2) * thick
        ax.barh(height, value, thick * 0.9, color=theme.colour(number))
        chain = stage in ("hits", "wounds", "unsaved")
        share = f"  ({value / before:.0%})" if chain and before else ""
        text = ax.annotate(
            f"{mean_text(value)}{share}",
            (value, height),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
        )
        text.set(color=theme.ink, fontsize=size)
        before = value if stage == "attacks" or chain else before


@chart("funnel", "from attacks to damage, roll by roll", rank=9)
def funnel_chart(asked: Chart) -> Axes:
    """The funnels of up to four fights."""
    found = fought(asked, 4)
    results = [matchup.fought for matchup in able(found)]
    words = asked.words(conditions_line(results), remarks_on(found))
    return plot_funnel(*results, **words | {"source": source_of(results)})
