"""The columns of a comparison for people, in a terminal, in Markdown and on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from mathhammer.compare.answering import Compared, is_best
from mathhammer.compare.matchups import Matchup
from mathhammer.dice.sparkline import sparkline, sparkline_scale
from mathhammer.tables import Column, Table
from mathhammer.text import percent

if TYPE_CHECKING:
    from mathhammer.compare.matrix import Matrix

VALUE = (
    Column("Buff", "help", prose=True),
    Column("Side", "side", rank=5),
    Column("Opponent", "opponent"),
    Column("Kind", "weapons", rank=6),
    Column("Before", lambda row: f"{row['before']:.2f}", right=True, rank=3),
    Column("Change", lambda row: f"{row['change']:+.2f}", right=True),
    Column(
        "Share", lambda row: "new" if row["share"] is None else f"{row['share']:+.0%}", right=True, rank=1
    ),
    Column("Slain", lambda row: f"{row['slain']:+.2f}", right=True, rank=4),
    Column("Destroyed", lambda row: f"{row['p_destroyed']:+.1%}", right=True, rank=2),
    Column("Points", lambda row: "-" if row["points"] is None else f"{row['points']:+.1f}", right=True),
)  # of what a buff is worth
MATRIX = {
    "damage": "Mean damage",
    "lost": "Mean wounds lost",
    "slain": "Mean models slain",
    "p_destroyed": "Chance to destroy",
}


def columns(compared: Sequence[Compared], per_100: bool, *, full: bool) -> list[Column]:
    """The columns for people; on a narrow terminal what was asked for goes late."""
    fights = [matchup for matchup, _ in compared]
    fled = any(matchup.result is not None and "fled" in matchup.result.aftermath for matchup in fights)
    several = len(fights) > len({matchup.target for matchup in fights})
    per = " per 100 pts" if per_100 else ""
    more = [
        Column("Overkill", number("overkill", ".2f"), right=True, rank=4),
        Column("Points removed", number("points_removed", ".1f"), right=True, rank=2),
        Column("Beats first", chance("p_more"), right=True, rank=3),
        Column("Rank", number("rank", "d"), right=True, rank=5),
    ]
    whole = [
        Column("Destroyed", chance("p_destroyed"), right=True),
        Column("Per 100 pts", number("damage_per_100", ".2f"), right=True, rank=9),
    ]
    return [
        Column("Target", lambda one: one[1]["target"]),
        Column("Attacker", lambda one: one[1]["attacker"]),
        Column("Kind", lambda one: one[1]["kind"] or "-"),
        Column(
            f"Damage{per}",
            spread("damage", per_100),
            right=True,
            brief=spread("damage", per_100, briefly=True),
            brief_rank=6,
        ),
        Column(
            f"Slain{per}",
            spread("slain", per_100),
            right=True,
            rank=1,
            brief=spread("slain", per_100, briefly=True),
            brief_rank=7,
        ),
        Column(f"Damage{per} 10/50/90 %", tenths(per_100), right=True, rank=8),
        *([] if per_100 else whole),
        *(more if full else []),
        *([Column("Fled", fled_models, right=True, rank=1)] if fled and not per_100 else []),
        *([Column("Gone", gone_after, right=True, rank=1)] if fled and not per_100 else []),
        *([Column("Best", lambda one: "*" if is_best(one) else "", rank=9)] if several else []),
    ]


def distributions(fights: Sequence[Matchup], draw: Callable[..., str] = sparkline) -> Column:
    """The distributions as text, those of one target on one scale."""
    harms: dict[Any, list[Any]] = {}
    for matchup in fights:
        if matchup.result is not None:
            harms.setdefault(matchup.target, []).append(matchup.harm)
    scales = {target: sparkline_scale(pmfs) for target, pmfs in harms.items()}

    def show(one: Compared) -> str:
        matchup = one[0]
        return "" if matchup.result is None else draw(matchup.harm, scale=scales[matchup.target])

    return Column("Distribution", show, rank=10)


def matrix_table(filled: Matrix, value: str) -> tuple[Table, list[str]]:
    """A matrix for people: a row for each attacker, a column for each target, and what its signs mean."""
    attackers, targets = [unit.label for unit in filled.attackers], [unit.label for unit in filled.targets]

    def cell(number: float, kind: str, mixed: bool) -> str:
        if not kind:
            return "-"
        text = percent(number) if value == "p_destroyed" else f"{number:.2f}"
        return f"{text} {kind[0]}" if mixed else text

    rows = []
    for a, (name, cells) in enumerate(zip(attackers, filled.of(value), strict=True)):
        used = [filled.kind(a, t) for t in range(len(targets))]
        mixed = len(set(used)) > 1
        word = "both" if mixed else used[0] or "-"
        rows.append((name, word, *(cell(n, k, mixed) for n, k in zip(cells, used, strict=True))))
    shown = [Column(target, place, right=True) for place, target in enumerate(targets, 2)]
    notes = ["m melee, r ranged: what each unit used"] if any(row[1] == "both" for row in rows) else []
    return Table([Column(MATRIX[value], 0), Column("Kind", 1), *shown], rows, stacked=2), notes


def spread(what: str, per_100: bool, *, briefly: bool = False) -> Callable[[Compared], str]:
    """A mean with its spread, and with the error of the mean where it was simulated."""

    def show(one: Compared) -> str:
        row = one[1]
        if row[what] is None:
            return "-"
        scale = 100.0 / row["points"] if per_100 else 1.0
        if briefly:
            return f"{row[what] * scale:.2f}"
        error = row[f"{what}_se"] * scale
        played = f" (se {error:.1g})" if error and what == "damage" else ""
        return f"{row[what] * scale:.2f} ± {row[f'{what}_sd'] * scale:.2f}{played}"

    return show


def number(key: str, form: str) -> Callable[[Compared], str]:
    """A number of a row; what is not known is a dash."""
    return lambda one: "-" if one[1][key] is None else format(one[1][key], form)


def chance(key: str) -> Callable[[Compared], str]:
    """A chance of a row."""
    return lambda one: "-" if one[1][key] is None else percent(one[1][key])


def tenths(per_100: bool) -> Callable[[Compared], str]:
    """What one roll in ten, the middle roll and nine in ten stay at or below."""

    def show(one: Compared) -> str:
        row = one[1]
        values = [row[key] for key in ("p10", "p50", "p90")]
        if None in values:
            return "-"
        return "/".join(f"{100 * value / row['points']:.1f}" if per_100 else str(value) for value in values)

    return show


def gone_after(one: Compared) -> str:
    """The chance that nobody is left once models have fled."""
    pmf = None if one[0].result is None else one[0].result.aftermath.get("gone")
    return "-" if pmf is None else percent(pmf.mean())


def fled_models(one: Compared) -> str:
    """Models that flee after the fight, where the game and the datasheet say so."""
    pmf = None if one[0].result is None else one[0].result.aftermath.get("fled")
    return "-" if pmf is None else f"{pmf.mean():.2f} ± {pmf.sd():.2f}"
