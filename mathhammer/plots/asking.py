"""What a chart asks for: who against whom, the fights behind it, and how a kind of chart registers itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from mathhammer.compare.answering import notes
from mathhammer.compare.matchups import Matchup, matchups, rows_for_all, targets_of
from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.fight import make_question
from mathhammer.games.discovery import get_game
from mathhammer.games.game import Fight
from mathhammer.games.telling import conditions_of, not_counted
from mathhammer.games.weapon_choice import ALL, NoWeaponError
from mathhammer.plots.look import Look, LookWords, conditions_line, left_out, source_line, source_of
from mathhammer.plots.series import LABELS, Series, fitting, names_of, one_series, subject
from mathhammer.units.circumstances import not_counted_text, shared
from mathhammer.units.unit import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 8  # that a reader can follow
MOST_PANELS = 12  # small charts that a reader can compare
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
    title: str | None = None  # the headline; None: what the kind says
    subtitle: str = ""  # a line of your own below it
    credit: str = ""
    preset: str = "blog"
    per_100: bool = False  # for each 100 points, where the kind knows it
    fight_options: Mapping[str, Any] = field(default_factory=dict)

    def words(self, conditions: str, remarks: Sequence[str] = (), title: str | None = None) -> LookWords:
        """The keywords of a plot function: how the chart is asked to look, what its numbers hold under, and
        what a reader should know; `title` where the chart is given none.
        """
        return {
            "theme": self.theme,
            "title": title if self.title is None else self.title,
            "subtitle": self.subtitle,
            "conditions": conditions,
            "source": source_of_chart(self),
            "credit": self.credit,
            "preset": self.preset,
            "remarks": tuple(dict.fromkeys(remarks)),
        }


Drawing = Callable[[Chart], "Axes"]
DRAWINGS: dict[str, Drawing] = {}  # the kinds whose files are loaded


def chart(kind: str, line: str, *, rank: int) -> Callable[[Drawing], Drawing]:
    """Registers the decorated function as the drawing of a kind; `line` and `rank` are read in the file."""
    del line, rank

    def register(drawing: Drawing) -> Drawing:
        DRAWINGS[kind] = drawing
        return drawing

    return register


def fought(chart: Chart, most: int, most_targets: int | None = None) -> list[Matchup]:
    """The fights of a chart; an error that says what takes more of them.

    `most` of all fights, or of attackers where targets have a bound of their own.
    """
    targets = targets_of(chart.attackers, chart.targets)
    asked = len(chart.attackers) * len(targets)
    each = len(chart.attackers) <= most and len(targets) <= (most_targets or 0)
    if not (each if most_targets else asked <= most):
        many = f"{most} units against {most_targets} targets" if most_targets else str(most)
        more = "" if most == MOST_ROWS else "bands or ridge take more, "
        raise BadInputError(
            f"chart: {asked} distributions in one {chart.kind} chart (at most {many}; {more}heatmap "
            "takes any number)"
        )
    found = list(matchups(chart.attackers, targets, **chart.fight_options))
    able(found)
    return found


def able(found: Sequence[Matchup]) -> list[Matchup]:
    """The matchups in which there is an attack; an error where there is none.

    What is not there is left out of a chart, not drawn as 0; `remarks_on` says so.
    """
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


def remarks_on(found: Sequence[Matchup]) -> list[str]:
    """What a reader of these fights should know, as `compare` says it; what is not counted comes last."""
    return [*notes(found), *left_out([one.result for one in found if one.result is not None])]


def shown_series(
    asked: Chart, found: Sequence[Matchup], *, apart: bool = False
) -> tuple[list[Series], Look, str]:
    """The distributions of fights, how the chart looks, and its headline; `apart` when targets need not count
    the same thing.
    """
    fights = able(found)
    results = [matchup.fought for matchup in fights]
    if asked.of is not None:
        quantity_of(asked, "slain", tuple(LABELS))
    same = asked.of or fitting([result.plan.target for result in results])
    shown = [asked.of or fitting([one.plan.target]) if apart else same for one in results]
    series = [
        one_series(matchup.fought, of, name, pmf_of(matchup, of))
        for matchup, of, name in zip(fights, shown, names_of(results), strict=True)
    ]
    what = LABELS[shown[0]] if len(set(shown)) == 1 else "models slain or wounds lost"
    words = asked.words(conditions_line(results), remarks_on(found)) | {"source": source_of(results)}
    look = Look(**words)
    return series, look, subject(results, what)


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


def questions_of(chart: Chart, targets: Sequence[Unit]) -> list[Fight]:
    """The questions behind a chart, without those for which an attacker has no weapon."""
    attackers, how = rows_for_all(chart.attackers, chart.fight_options)
    for name in ("method", "trials", "seed"):
        how.pop(name, None)
    asked: list[Fight] = []
    for attacker in attackers:
        for target in targets:
            try:
                asked.append(make_question(attacker, target, **how))
            except NoWeaponError:
                continue
    return asked


def conditions_of_chart(chart: Chart, targets: Sequence[Unit]) -> str:
    """What all fights of a chart hold under."""
    how = chart.fight_options
    rolled = how.get("method", "exact") == "simulate"
    trials, seed = how.get("trials") or 1_000_000, how.get("seed", 0)
    method = f"simulated, {trials:,} trials, seed {seed}" if rolled else "exact"
    told = [conditions_of(question, method) for question in questions_of(chart, targets)]
    apart = len(rows_for_all(chart.attackers, how)[0]) > len(chart.attackers)
    return str(shared(told, apart=apart)) if told else ""


def left_out_of_chart(chart: Chart, targets: Sequence[Unit]) -> list[str]:
    """The rules that a chart's numbers leave out, as one remark; an empty list where there is none."""
    asked = questions_of(chart, targets)
    rules = list(dict.fromkeys(rule for question in asked for rule in not_counted(question)))
    return [not_counted_text(rules)] if rules else []


def exact_options(chart: Chart) -> dict[str, Any]:
    """What goes to a fight, for kinds that are always exact."""
    how = dict(chart.fight_options)
    if how.pop("method", "exact") != "exact":
        raise BadInputError(f"chart: {chart.kind} is always exact (drop the simulation)")
    return how
