"""What a chart asks for: who against whom, the fights behind it, and how a kind of chart registers itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mathhammer.compare.matchups import Matchup, matchups, rows_for_all, targets_of
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.fight import make_question
from mathhammer.games.discovery import get_game
from mathhammer.games.telling import conditions_of
from mathhammer.games.weapon_choice import ALL, NoWeaponError
from mathhammer.plots.style import source_line
from mathhammer.units.circumstances import Conditions, shared
from mathhammer.units.unit import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 8  # that a reader can follow
MOST_ROWS = 40
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
    `fight_options` go to `fight`.
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
    fight_options: Mapping[str, Any] = field(default_factory=dict)


Drawing = Callable[[Chart], "Axes"]
DRAWINGS: dict[str, Drawing] = {}  # the kinds whose files are loaded


def chart(kind: str, line: str, *, rank: int) -> Callable[[Drawing], Drawing]:
    """Registers the decorated function as the drawing of a kind; `line` and `rank` are read in the file."""
    del line, rank

    def register(drawing: Drawing) -> Drawing:
        DRAWINGS[kind] = drawing
        return drawing

    return register


def fought(chart: Chart, most: int) -> list[Matchup]:
    """The fights of a chart; an error that says what takes more of them."""
    targets = targets_of(chart.attackers, chart.targets)
    asked = len(chart.attackers) * len(targets)
    if asked > most:
        more = "" if most == MOST_ROWS else "bands or ridge take more, "
        raise BadInputError(
            f"chart: {asked} distributions in one {chart.kind} chart (at most {most}; {more}heatmap "
            "takes any number)"
        )
    return able(list(matchups(chart.attackers, targets, **chart.fight_options)))


def able(found: Sequence[Matchup]) -> list[Matchup]:
    """The matchups in which there is an attack; an error where there is none."""
    fought = [matchup for matchup in found if matchup.result is not None]
    if not fought:
        raise BadInputError("chart: no attacker has such a weapon (choose another kind)")
    return fought


def quantity_of(chart: Chart, default: str, known: Sequence[str]) -> str:
    """What a chart shows; an error with what there is."""
    chosen = chart.of or default
    if chosen not in known:
        raise UnknownNameError("chart", "quantity", chosen, known)
    return chosen


def pmf_of(matchup: Matchup, of: str) -> Pmf:
    """One distribution of a matchup; damage is what players call so, in every game."""
    pmf: Pmf = matchup.harm if of == "damage" else getattr(matchup.fought, of)
    return pmf


def mean_of(matchup: Matchup, of: str) -> float:
    """The mean of a quantity, or the chance to destroy; 0 where there is no attack."""
    if matchup.result is None:
        return 0.0
    return matchup.result.p_destroyed if of == "p_destroyed" else pmf_of(matchup, of).mean()


def source_of_chart(chart: Chart) -> str:
    """The line below a chart: game, method, trials."""
    title = get_game(chart.attackers[0].system).title
    simulated = chart.fight_options.get("method") == "simulate"
    return source_line(
        title,
        "exact",
        (chart.fight_options.get("trials") or 1_000_000) if simulated else None,
        chart.fight_options.get("seed"),
    )


def one_kind(chart: Chart) -> None:
    """Refuses both kinds of weapons where each unit has one mark."""
    if chart.fight_options.get("weapons") == ALL or any(u.stance.weapons == ALL for u in chart.attackers):
        raise BadInputError(f"chart: {chart.kind} shows one kind of weapons (choose best, melee or ranged)")


def conditions_of_chart(chart: Chart, targets: Sequence[Unit]) -> str:
    """What all fights of a chart hold under, for its subtitle."""
    attackers, how = rows_for_all(chart.attackers, chart.fight_options)
    rolled = how.pop("method", "exact") == "simulate"
    trials, seed = how.pop("trials", None) or 1_000_000, how.pop("seed", 0)
    method = f"simulated, {trials:,} trials, seed {seed}" if rolled else "exact"
    told: list[Conditions] = []
    for attacker in attackers:
        for target in targets:
            try:
                told.append(conditions_of(make_question(attacker, target, **how), method))
            except NoWeaponError:
                continue
    apart = len(attackers) > len(chart.attackers)
    return str(shared(told, apart=apart)) if told else ""


def exact_options(chart: Chart) -> dict[str, Any]:
    """What goes to a fight, for kinds that are always exact."""
    how = dict(chart.fight_options)
    if how.pop("method", "exact") != "exact":
        raise BadInputError(f"chart: {chart.kind} is always exact (drop the simulation)")
    return how
