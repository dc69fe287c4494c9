"""A duel over its rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Unpack

from matplotlib.colors import to_rgb

from mathhammer.duel import duel
from mathhammer.duel.telling import duel_conditions, duel_not_counted
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.plots.asking import Chart, chart
from mathhammer.plots.finishing import Entry, Words, finish
from mathhammer.plots.heatmap import ink_on
from mathhammer.plots.look import Look, LookWords, source_line
from mathhammer.plots.scales import Percents, whole_numbers
from mathhammer.plots.style import bare, canvas, get_theme, on_a_card
from mathhammer.units.circumstances import not_counted_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_duel(
    names: tuple[str, str],
    wins: Sequence[float],
    losses: Sequence[float],
    *,
    ax: Axes | None = None,
    **look: Unpack[LookWords],
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
    shown = Look(**look)
    theme = get_theme("chart", shown.theme)
    ax = canvas(ax, shown)
    rounds = range(1, len(wins) + 1)
    open_ = [max(0.0, 1.0 - win - loss) for win, loss in zip(wins, losses, strict=True)]
    parts = (
        Part(f"won by {names[0]}", theme.colour(0), wins),
        Part("both still stand", theme.neutral, open_),
        Part(f"won by {names[1]}", theme.colour(1), losses),
    )
    floor = [0.0] * len(wins)
    for part in parts:
        ax.bar(rounds, part.heights, 0.82, bottom=floor, color=part.colour, label=part.name)
        _write_shares(ax, part, floor)
        floor = [low + height for low, height in zip(floor, part.heights, strict=True)]
    ax.set_xlim(0.5, len(wins) + 0.5)
    ax.set_ylim(0, 1)
    whole_numbers(ax)
    ax.yaxis.set_major_formatter(Percents())
    ax.set_xlabel("end of battle round")
    bare(ax, "left")
    alt = (
        f"After round {len(wins)}: won by {names[0]} {wins[-1]:.0%}, by {names[1]} "
        f"{losses[-1]:.0%}, both still stand {open_[-1]:.0%}."
    )
    key = tuple(Entry(part.name, part.colour) for part in parts)
    return finish(ax, shown, Words(f"{names[0]} against {names[1]}: who has won by when", alt, key=key))


class Part(NamedTuple):
    """One colour of the bars: what it stands for, and its share in every round."""

    name: str
    colour: str
    heights: Sequence[float]


def _write_shares(ax: Axes, part: Part, floor: Sequence[float]) -> None:
    """The shares in the bars, where they are high enough to hold them and wide enough."""
    least = 0.2 if on_a_card(ax) else 0.055
    size = 9.5 if len(part.heights) <= 14 else 7.0
    for place, height in enumerate(part.heights):
        if height >= least and len(part.heights) <= 24:
            text = ax.text(place + 1, floor[place] + height / 2, f"{height:.0%}", ha="center", va="center")
            text.set(color=ink_on(to_rgb(part.colour)), fontsize=size)


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
    source = source_line(get_game(asked.attackers[0].system).title, result.method, result.trials, result.seed)
    remark = not_counted_text(duel_not_counted(result))
    remarks = [remark] if remark else []
    return plot_duel(
        result.names,
        [point.p_win for point in result.by_round],
        [point.p_lose for point in result.by_round],
        **asked.words(duel_conditions(result, result.names), remarks) | {"source": source},
    )
