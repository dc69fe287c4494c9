"""The answer of a comparison: its fights in order, what a reader should know, and its rows for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mathhammer.compare.asking import conditions_document
from mathhammer.compare.idle import idle_words
from mathhammer.compare.matchups import Matchup, matchups, rows_of
from mathhammer.dataclass import dataclass
from mathhammer.engine.result import Result
from mathhammer.units.unit import Unit

SORTS = {
    "damage": "damage",
    "slain": "slain",
    "destroyed": "p_destroyed",
    "points": "damage_per_100",
    "name": "attacker",
}
Row = dict[str, Any]
Compared = tuple[Matchup, Row]  # a fight, and its numbers


@dataclass(frozen=True, slots=True)
class Comparison:
    """Units against targets, worked out: the fights as they were asked for, and in the order of the answer
    with their numbers; `remarks` are what a reader should know.
    """

    fights: tuple[Matchup, ...]
    compared: tuple[Compared, ...]
    remarks: tuple[str, ...]


def work_out(
    attackers: Sequence[Unit],
    targets: Sequence[Unit],
    how: Mapping[str, Any],
    *,
    sort: str | None = None,
    tell: Callable[[int, int], None] = lambda _done, _wanted: None,
) -> Comparison:
    """Every attacker against every target, as the terminal and the page show it; `how` goes to `fight`.

    >>> from mathhammer import load_unit
    >>> both = [load_unit(name, "aos4") for name in ("Liberators", "Clanrats")]
    >>> [round(row["slain"], 2) for _, row in work_out(both[:1], both[1:], {}).compared]
    [6.06]
    """
    fights: list[Matchup] = []
    for matchup in matchups(attackers, targets, **how):
        fights.append(matchup)
        tell(len(fights), len(attackers) * len(targets))
    compared = ordered(fights, sort)
    remarks = (*idle_words(fights, how), *notes([matchup for matchup, _ in compared]))
    return Comparison(tuple(fights), tuple(compared), remarks)


def ordered(fights: Sequence[Matchup], sort: str | None) -> list[Compared]:
    """Fights with their numbers, those of one target together; both in the order that is wanted."""
    compared = list(zip(fights, rows_of(fights), strict=True))
    groups: dict[Any, list[Compared]] = {}
    for one in compared:
        groups.setdefault(one[0].target, []).append(one)
    if sort is not None:
        key = SORTS[sort]

        def place(one: Compared) -> Any:
            return one[1][key] if key == "attacker" else -(one[1][key] or 0.0)

        for rows in groups.values():
            rows.sort(key=place)
        if key != "attacker":
            return [one for rows in sorted(groups.values(), key=lambda rows: place(rows[0])) for one in rows]
    return [one for rows in groups.values() for one in rows]


def is_best(one: Compared) -> bool:
    """Whether nobody does more to this target."""
    return bool(one[1]["rank"] == 1)


def notes(fights: Sequence[Matchup]) -> list[str]:
    """What a reader of the numbers should know."""
    lines: dict[str, None] = {}
    for matchup in fights:
        who, whom = matchup.attacker.name, matchup.target.name
        if matchup.result is None:
            lines[f"{who}: no such weapon, so there is nothing to compare"] = None
            continue
        lines |= dict.fromkeys(skipped_lines(who, whom, matchup.result))
        cost = matchup.result.own_lost
        if cost is not None:
            by = matchup.attacker.label
            lines[f"{by}: loses {cost.mean():.2f} wounds on average by its own attack on {whom}"] = None
        for weapon, choice in matchup.result.choices.items():
            lines[f"{who}, {weapon}: {choice} chosen against {whom}, the highest mean damage"] = None
    return list(lines)


def skipped_lines(who: str, whom: str, result: Result) -> list[str]:
    """The weapons of an attacker that may not attack a target, with the reason."""
    return [f"{who}, {weapon}: does not attack {whom}, {reason}" for weapon, reason in result.skipped.items()]


def row_document(matchup: Matchup, row: Row) -> dict[str, Any]:
    """A row as JSON: every number, both distributions, and how they came about."""
    result = matchup.result
    if result is None:
        return dict(row)
    return row | {
        "slain_pmf": {str(value): chance for value, chance in result.slain.to_dict().items()},
        "damage_pmf": {str(value): chance for value, chance in matchup.harm.to_dict().items()},
        "funnel": dict(result.funnel),
        "aftermath": {name: pmf.mean() for name, pmf in result.aftermath.items()},
        "own_lost": None if result.own_lost is None else result.own_lost.mean(),
        "skipped": dict(result.skipped),
        "choices": dict(result.choices),
        "not_counted": list(result.not_counted),
    }


def compared_document(compared: Sequence[Compared], question: Mapping[str, Any]) -> dict[str, Any]:
    """A whole comparison as JSON, as `mathhammer compare --format json` writes it and the page gets it."""
    fights = [matchup for matchup, _ in compared]
    results = [matchup.result for matchup in fights if matchup.result is not None]
    return conditions_document("compare", fights[0].attacker.system, results, question) | {
        "rows": [row_document(*one) for one in compared]
    }
