"""A chart from units: what to work out for each kind of chart, and the drawing of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mathhammer import plots
from mathhammer.compare.matchups import Matchup, matchups, targets_of
from mathhammer.compare.matrix import fill_matrix
from mathhammer.compare.sweep import VALUES
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.discovery import get_game
from mathhammer.lists.army import army_of
from mathhammer.lists.exchange import exchange_of
from mathhammer.plots.distributions import LABELS, names_of, subject
from mathhammer.plots.kinds import CHART_KINDS
from mathhammer.plots.style import source_line, source_of
from mathhammer.units.unit import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_LINES = 8  # that a reader can follow
MOST_ROWS = 40
RANGES: dict[str, tuple[int, ...]] = {
    "save": (2, 3, 4, 5, 6, 7),
    "toughness": tuple(range(3, 15)),
    "ward": (3, 4, 5, 6, 7),
    "fnp": (3, 4, 5, 6, 7),
}
WORDS = {
    "damage": "mean damage",
    "lost": "mean wounds lost",
    "slain": "mean models slain",
    "p_destroyed": "chance to destroy",
}


@dataclass(frozen=True, slots=True)
class Chart:
    """What is to be drawn: the kind, who against whom, and how it should look.

    `of` is slain, lost, damage or (for the kinds that show means) p_destroyed; left out, what suits the kind.
    `how` goes to `fight`.
    """

    kind: str
    attackers: tuple[Unit, ...]
    targets: tuple[Unit, ...] = ()
    of: str | None = None
    against: str = "save"  # for a curve: the characteristic of the target that changes
    rounds: int = 5  # of a duel
    names: tuple[str, str] = ("A", "B")  # of two armies
    theme: str = "light"
    title: str | None = None
    how: Mapping[str, Any] = field(default_factory=dict)


def draw_chart(chart: Chart) -> Axes:
    """The chart, drawn.

    >>> import mathhammer as mh
    >>> rats = mh.load_unit("Clanrats", "aos4")
    >>> draw_chart(Chart("bands", (mh.load_unit("Liberators", "aos4"),), (rats,
    ...     ))).get_yticklabels()[0].get_text()
    'Liberators'
    """
    if chart.kind not in CHARTS:
        raise UnknownNameError("chart", "kind", chart.kind, CHARTS)
    if not chart.attackers:
        raise BadInputError("chart: nobody attacks (give at least one unit)")
    return CHARTS[chart.kind](chart)


def _fought(chart: Chart, most: int) -> list[Matchup]:
    targets = targets_of(chart.attackers, chart.targets)
    asked = len(chart.attackers) * len(targets)
    if asked > most:
        more = "" if most == MOST_ROWS else "bands or ridge take more, "
        raise BadInputError(
            f"chart: {asked} distributions in one {chart.kind} chart (at most {most}; {more}heatmap "
            "takes any number)"
        )
    return list(matchups(chart.attackers, targets, **chart.how))


def _of(chart: Chart, default: str, known: Sequence[str]) -> str:
    chosen = chart.of or default
    if chosen not in known:
        raise UnknownNameError("chart", "quantity", chosen, known)
    return chosen


def law(matchup: Matchup, of: str) -> Pmf:
    """One distribution of a matchup; damage is what players call so, in every game."""
    found: Pmf = matchup.harm if of == "damage" else getattr(matchup.result, of)
    return found


def _laws(chart: Chart) -> Axes:
    """Lines or bars, bands, ridge: the distributions of every attacker against every target."""
    found = _fought(chart, MOST_LINES if chart.kind in plots.KINDS else MOST_ROWS)
    of = _of(chart, "slain", tuple(LABELS))
    results = [matchup.result for matchup in found]
    laws = [law(matchup, of) for matchup in found]
    title = subject(results, LABELS[of]) if chart.title is None else chart.title
    look: dict[str, Any] = {"theme": chart.theme, "title": title, "source": source_of(results)}
    if chart.kind == "bands":
        return plots.draw_bands(laws, names_of(results), LABELS[of], **look)
    if chart.kind == "ridge":
        return plots.draw_ridge(laws, names_of(results), LABELS[of], **look)
    kind: plots.Kind = chart.kind  # type: ignore[assignment]
    return plots.draw_distributions(laws, names_of(results), kind, LABELS[of], **look)


def _funnel(chart: Chart) -> Axes:
    found = _fought(chart, 4)
    return plots.plot_funnel(*(matchup.result for matchup in found), theme=chart.theme, title=chart.title)


def _source(chart: Chart) -> str:
    title = get_game(chart.attackers[0].system).title
    simulated = chart.how.get("method") == "simulate"
    return source_line(
        title, "exact", (chart.how.get("trials") or 1_000_000) if simulated else None, chart.how.get("seed")
    )


def _exact_how(chart: Chart) -> dict[str, Any]:
    how = dict(chart.how)
    if how.pop("method", "exact") != "exact":
        raise BadInputError(f"chart: {chart.kind} is always exact (drop the simulation)")
    return how


def _heatmap(chart: Chart) -> Axes:
    of = _of(chart, "damage", VALUES)
    targets = targets_of(chart.attackers, chart.targets)
    filled = fill_matrix(chart.attackers, targets, **_exact_how(chart))
    return plots.plot_heatmap(
        filled.of(of),
        [unit.name for unit in chart.attackers],
        [unit.name for unit in targets],
        what=WORDS[of],
        pattern="{:.0%}" if of == "p_destroyed" else "{:.1f}",
        theme=chart.theme,
        title=chart.title,
        source=_source(chart),
    )


def varied(unit: Unit, stat: str, value: int | None) -> Unit:
    """The unit with another value of a characteristic, in every model group that has it.

    >>> import mathhammer as mh
    >>> varied(mh.load_unit("Clanrats", "aos4"), "save", 2).stat("save")
    2
    """
    if stat not in dict(unit.stats):
        raise UnknownNameError(
            unit.name, "characteristic", stat, [name for name in RANGES if name in dict(unit.stats)]
        )

    def changed(stats: tuple[tuple[str, Any], ...]) -> tuple[tuple[str, Any], ...]:
        return tuple((name, value if name == stat else old) for name, old in stats)

    groups = tuple(replace(group, stats=changed(group.stats)) for group in unit.groups)
    return replace(unit, stats=changed(unit.stats), groups=groups)


def _mean(matchup: Matchup, of: str) -> float:
    return matchup.result.p_destroyed if of == "p_destroyed" else law(matchup, of).mean()


def _curve(chart: Chart) -> Axes:
    of = _of(chart, "damage", tuple(WORDS))
    if chart.against not in RANGES:
        raise UnknownNameError("chart", "characteristic", chart.against, RANGES)
    if len(chart.targets) != 1:
        raise BadInputError(
            f"chart: {len(chart.targets)} targets for a curve (give the one whose {chart.against} changes)"
        )
    if len(chart.attackers) > MOST_LINES:
        raise BadInputError(f"chart: {len(chart.attackers)} curves in one chart (at most {MOST_LINES})")
    values = RANGES[chart.against]
    counted = chart.against == "toughness"
    struck = [
        varied(chart.targets[0], chart.against, value if counted or value < 7 else None) for value in values
    ]
    found = {
        unit.name: [_mean(one, of) for one in matchups([unit], struck, **chart.how)]
        for unit in chart.attackers
    }
    whom, what = chart.targets[0].name, {"fnp": "Feel No Pain"}.get(chart.against, chart.against)
    return plots.plot_curve(
        values,
        found,
        xlabel=f"{what} of the target",
        ylabel=WORDS[of],
        ticks=[str(value) if counted else f"{value}+" if value < 7 else "none" for value in values],
        theme=chart.theme,
        title=f"{WORDS[of][:1].upper()}{WORDS[of][1:]} against {whom} by {what}"
        if chart.title is None
        else chart.title,
        source=_source(chart),
    )


def _efficiency(chart: Chart) -> Axes:
    of = _of(chart, "damage", tuple(WORDS))
    targets = targets_of(chart.attackers, chart.targets)
    free = [unit.name for unit in chart.attackers if not unit.points]
    if free:
        raise BadInputError(f"chart: {free[0]} has no points (an efficiency chart needs them)")
    means = [
        sum(_mean(one, of) for one in matchups([unit], targets, **chart.how)) / len(targets)
        for unit in chart.attackers
    ]
    whom = (
        f"against {targets[0].name}" if len(targets) == 1 else f"against {len(targets)} targets, on average"
    )
    return plots.plot_efficiency(
        [unit.name for unit in chart.attackers],
        [float(unit.points or 0) for unit in chart.attackers],
        means,
        what=f"{WORDS[of]} {whom}",
        theme=chart.theme,
        title=f"Points and what they buy: {WORDS[of]} {whom}" if chart.title is None else chart.title,
        source=_source(chart),
    )


def _duel(chart: Chart) -> Axes:
    from mathhammer.duel import duel

    if len(chart.attackers) != 1 or len(chart.targets) != 1:
        raise BadInputError(
            f"chart: {len(chart.attackers)} units against {len(chart.targets)} (a duel needs one against one)"
        )
    taken = {
        name: value
        for name, value in chart.how.items()
        if name in ("method", "trials", "seed", "distance") and value is not None
    }
    ignored = [
        name for name, value in chart.how.items() if name not in taken and value not in (None, (), [], {})
    ]
    if ignored:
        raise BadInputError(
            f"chart: a duel takes no {' or '.join(ignored)} (drop it; mathhammer duel knows more)"
        )
    fought = duel(chart.attackers[0], chart.targets[0], rounds=chart.rounds, **taken)
    return plots.plot_duel(
        fought.names,
        [point.p_win for point in fought.by_round],
        [point.p_lose for point in fought.by_round],
        theme=chart.theme,
        title=chart.title,
        source=source_line(
            get_game(chart.attackers[0].system).title, fought.method, fought.trials, fought.seed
        ),
    )


def _armies(chart: Chart) -> Axes:
    if not chart.targets:
        raise BadInputError("chart: armies needs two lists (give two list files)")
    one, other = army_of(chart.attackers, chart.names[0]), army_of(chart.targets, chart.names[1])
    found = exchange_of(one, other)
    sides = [
        [
            (unit.name, float(row.max()), float(unit.points or 0))
            for unit, row in zip(army.units, removed, strict=True)
        ]
        for army, removed in ((one, found.a.removed), (other, found.b.removed))
    ]
    return plots.plot_armies(
        chart.names, sides[0], sides[1], theme=chart.theme, title=chart.title, source=_source(chart)
    )


DRAWINGS: dict[str, Callable[[Chart], Axes]] = {
    "distributions": _laws,
    "heatmap": _heatmap,
    "curve": _curve,
    "efficiency": _efficiency,
    "funnel": _funnel,
    "duel": _duel,
    "armies": _armies,
}
CHARTS = {name: DRAWINGS[kind.drawing] for name, kind in CHART_KINDS.items()}
