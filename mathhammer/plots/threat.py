"""Threat: by distance, the chance to reach an enemy this turn, or to destroy it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mathhammer.decide.threat import threat
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.plots.asking import MOST_LINES, Chart, chart, quantity_of
from mathhammer.plots.curves import plot_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = {"reach": "p_reached", "p_destroyed": "p_destroyed", "slain": "slain"}
LABELS = {
    "reach": "chance that the charge arrives",
    "p_destroyed": "chance to destroy",
    "slain": "mean models slain",
}


@chart("threat", "by distance: the chance to charge home (or --of p_destroyed, slain)", rank=12)
def threat_chart(asked: Chart) -> Axes:
    """What units can do in one turn to an enemy at each distance."""
    of = quantity_of(asked, "reach", tuple(SHOWN))
    if len(asked.attackers) > MOST_LINES:
        raise BadInputError(f"chart: {len(asked.attackers)} curves in one chart (at most {MOST_LINES})")
    if len(asked.targets) > 1 or (of != "reach" and not asked.targets):
        raise BadInputError(f"chart: {len(asked.targets)} targets for {of} by distance (give one)")
    given = [name for name, value in asked.fight_options.items() if value and name not in ("method", "seed")]
    if given or asked.fight_options.get("method", "exact") != "exact":
        wrong = given[0] if given else "method"
        raise BadInputError(f"chart: threat takes units and a target only (leave out {wrong})")
    found = [threat(unit, *asked.targets) for unit in asked.attackers]
    distances = sorted({one.distance for each in found for one in each.at})
    curves = {}
    for each in found:
        values = {one.distance: float(getattr(one, SHOWN[of])) for one in each.at}
        curves[each.unit.label] = [values.get(distance, 0.0) for distance in distances]
    game = get_game(asked.attackers[0].system).short_title
    whom = f" against {asked.targets[0].label}" if asked.targets else ""
    return plot_curve(
        distances,
        curves,
        xlabel="inches to the enemy",
        ylabel=LABELS[of],
        shares=of != "slain",
        **asked.words(
            f"{game} · exact · one turn: move, shoot, charge, fight; no run or advance",
            title=f"{LABELS[of][:1].upper()}{LABELS[of][1:]}{whom}",
        ),
    )
