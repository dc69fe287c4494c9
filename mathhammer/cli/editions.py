"""`mathhammer compare --system A,B`: the same question to several editions of a game, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mathhammer.cli.answer import Answer, Part
from mathhammer.cli.options import attackers_of, fight_arguments, find_units
from mathhammer.cli.output import remark
from mathhammer.compare.matchups import COLUMNS, Matchup, matchups, targets_of
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.tables import Column, Table
from mathhammer.text import percent

Pair = tuple[Matchup, ...]  # the same fight, once in each edition


def compare_editions(options: Mapping[str, Any]) -> None:
    """Writes what units do to targets in each of the editions that `--system` names, and the difference."""
    systems = options["system"].split(",")
    fights = [_fights(dict(options) | {"system": system}) for system in systems]
    if len({len(one) for one in fights}) > 1:
        raise BadInputError(
            f"compare: {' and '.join(systems)} do not have the same reference targets (name them with --vs)"
        )
    pairs = list(zip(*fights, strict=True))
    for line in dict.fromkeys(_left_out(pairs)):
        remark(line)
    titles = [get_game(system).short_title for system in systems]
    heads = [f"{title}: {_told(one)}" for title, one in zip(titles, fights, strict=True)]

    def parts() -> list[Part]:
        return [*heads, Table(_columns(titles), pairs)]

    Answer(
        parts,
        lambda: {
            "schema": "mathhammer-compare-editions/1",
            "systems": systems,
            "rows": [
                {
                    "attacker": pair[0].attacker.label,
                    "target": pair[0].target.label,
                    "editions": {s: one.row() for s, one in zip(systems, pair, strict=True)},
                }
                for pair in pairs
            ],
        },
        lambda: (
            ["system", *COLUMNS],
            [
                [system, *(one.row()[name] for name in COLUMNS)]
                for pair in pairs
                for system, one in zip(systems, pair, strict=True)
            ],
        ),
    ).write(dict(options))


def _fights(options: dict[str, Any]) -> list[Matchup]:
    """All fights in one edition."""
    attackers = attackers_of("compare", options["attackers"], options)
    given = find_units(options["targets"], options["system"], options["datasheets"], "compare")
    targets = targets_of(attackers, given, options["datasheets"])
    return list(matchups(attackers, targets, **fight_arguments("compare", attackers, options)))


def _told(fights: Sequence[Matchup]) -> str:
    """Under which conditions the numbers of an edition hold."""
    told = {str(one.result.conditions) for one in fights if one.result is not None}
    return told.pop().partition(" · ")[2] if len(told) == 1 else f"{len(told)} different conditions"


def _left_out(pairs: Sequence[Pair]) -> list[str]:
    return [
        f"{get_game(one.attacker.system).short_title}: {one.attacker.name}, {weapon} does not attack "
        f"{one.target.name}, {reason}"
        for pair in pairs
        for one in pair
        if one.result is not None
        for weapon, reason in one.result.skipped.items()
    ]


def _columns(titles: Sequence[str]) -> list[Column]:
    """Each number once for each edition; what the last one changes stands behind the damage."""
    numbers = [title.rpartition(" ")[2] for title in titles]
    shown = [
        Column("Target", lambda pair: pair[0].target.label),
        Column("Attacker", lambda pair: pair[0].attacker.label),
    ]
    for place, name in enumerate(numbers):
        shown.append(Column(f"Damage {name}", _mean("damage", place), right=True))
    shown.append(Column("Change", _change, right=True))
    for place, name in enumerate(numbers):
        shown.append(Column(f"Slain {name}", _mean("slain", place), right=True, rank=1))
    for place, name in enumerate(numbers):
        shown.append(Column(f"Destroyed {name}", _destroyed(place), right=True, rank=2))
    return shown


def _mean(what: str, place: int) -> Callable[[Pair], str]:
    return lambda pair: "-" if pair[place].result is None else f"{pair[place].row()[what]:.2f}"


def _destroyed(place: int) -> Callable[[Pair], str]:
    return lambda pair: "-" if pair[place].result is None else percent(pair[place].fought.p_destroyed)


def _change(pair: Pair) -> str:
    """The damage of the last edition against that of the first."""
    if pair[0].result is None or pair[-1].result is None:
        return "-"
    before, after = pair[0].harm.mean(), pair[-1].harm.mean()
    return "-" if before == 0.0 else f"{100.0 * (after / before - 1.0):+.0f} %"
