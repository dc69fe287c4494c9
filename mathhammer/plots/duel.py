"""A duel over its rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.colors import to_rgb

from mathhammer.duel import duel
from mathhammer.duel.telling import duel_conditions
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.plots.asking import Chart, chart
from mathhammer.plots.heatmap import ink_on
from mathhammer.plots.style import bare, canvas, finish, get_theme, source_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_duel(
    names: tuple[str, str],
    wins: Sequence[float],
    losses: Sequence[float],
    *,
    ax: Axes | None = None,
    theme: str = "light",
    title: str | None = None,
    source: str = "",
    subtitle: str = "",
) -> Axes:
    """After each round: the chance that the first has won, that both still stand, that the second has won.

    Parameters
    ----------
    names
        Of both sides.
    wins, losses
        The chance that the first, and that the second, has won by the end of round 1, 2, ...

    >>> ax = plot_duel(("Rats", "Ogors"), [0.1, 0.2], [0.3, 0.6])
    >>> [round(float(bar.get_height()), 2) for bar in ax.patches]
    [0.1, 0.2, 0.6, 0.2, 0.3, 0.6]
    """
    if not wins or len(wins) != len(losses):
        raise BadInputError(
            f"plot_duel: {len(wins)} and {len(losses)} rounds (give both sides' chances for each round)"
        )
    if any(not 0.0 <= chance <= 1.0 for chance in (*wins, *losses)):
        raise BadInputError("plot_duel: a chance outside 0 to 1")
    look = get_theme("chart", theme)
    ax = canvas(ax, look)
    rounds = range(1, len(wins) + 1)
    open_ = [max(0.0, 1.0 - win - loss) for win, loss in zip(wins, losses, strict=True)]
    parts = (
        (wins, look.colour(0), f"won by {names[0]}"),
        (open_, look.neutral, "both still stand"),
        (losses, look.colour(1), f"won by {names[1]}"),
    )
    floor = [0.0] * len(wins)
    for heights, colour, label in parts:
        ax.bar(rounds, heights, 0.82, bottom=floor, color=colour, label=label)
        for place, height in enumerate(heights):
            if height >= 0.055:
                ax.text(
                    place + 1,
                    floor[place] + height / 2,
                    f"{height:.0%}",
                    ha="center",
                    va="center",
                    color=ink_on(to_rgb(colour)),
                    fontsize=9.5,
                )
        end = floor[-1] + heights[-1] / 2
        if heights[-1] >= 0.02:
            note = ax.annotate(
                label,
                (len(wins) + 0.41, end),
                xytext=(7, 0),
                textcoords="offset points",
                va="center",
                annotation_clip=False,
            )
            note.set(color=look.ink if colour == look.neutral else colour, fontsize=9.5, fontweight="bold")
        floor = [low + height for low, height in zip(floor, heights, strict=True)]
    ax.set_xlim(0.5, len(wins) + 0.5)
    ax.set_ylim(0, 1)
    ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(1.0, decimals=0))
    ax.set_xlabel("end of battle round")
    bare(ax, "left")
    alt = (
        f"After round {len(wins)}: won by {names[0]} {wins[-1]:.0%}, by {names[1]} "
        f"{losses[-1]:.0%}, both still stand {open_[-1]:.0%}."
    )
    return finish(
        ax,
        look,
        f"{names[0]} against {names[1]}: who has won by when" if title is None else title,
        source,
        alt,
        subtitle,
    )


@chart("duel", "who has won by the end of each round", rank=10)
def duel_chart(asked: Chart) -> Axes:
    """A duel of one unit against another."""
    if len(asked.attackers) != 1 or len(asked.targets) != 1:
        raise BadInputError(
            f"chart: {len(asked.attackers)} units against {len(asked.targets)} (a duel needs one against one)"
        )
    taken = {
        name: value
        for name, value in asked.fight_options.items()
        if name in ("method", "trials", "seed", "distance") and value is not None
    }
    ignored = [
        name
        for name, value in asked.fight_options.items()
        if name not in taken and value not in (None, (), [], {})
    ]
    if ignored:
        raise BadInputError(
            f"chart: a duel takes no {' or '.join(ignored)} (drop it; mathhammer duel knows more)"
        )
    result = duel(asked.attackers[0], asked.targets[0], rounds=asked.rounds, **taken)
    return plot_duel(
        result.names,
        [point.p_win for point in result.by_round],
        [point.p_lose for point in result.by_round],
        theme=asked.theme,
        title=asked.title,
        source=source_line(
            get_game(asked.attackers[0].system).title, result.method, result.trials, result.seed
        ),
        subtitle=duel_conditions(result),
    )
