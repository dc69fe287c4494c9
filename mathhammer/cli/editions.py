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
from mathhammer.units.circumstances import Conditions, not_counted_text, shared

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
    heads = [line for title, one in zip(titles, fights, strict=True) for line in _heads(title, one)]

    def parts() -> list[Part]:
        return [*heads, Table(_columns(titles, pairs), pairs)]

    Answer(
        parts,
        lambda: {
            "schema": "mathhammer-compare-editions/1",
            "systems": systems,
            "conditions": {s: _shared(one).to_dict() for s, one in zip(systems, fights, strict=True)},
            "not_counted": {s: _missing(one) for s, one in zip(systems, fights, strict=True)},
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


def _heads(title: str, fights: Sequence[Matchup]) -> list[str]:
    """Under which conditions the numbers of an edition hold, and what is not in them."""
    missing = not_counted_text(_missing(fights))
    about = str(_shared(fights)).partition(" · ")[2]
    return [f"{title}: {about}", *([f"{title}, {missing}"] if missing else [])]


def _shared(fights: Sequence[Matchup]) -> Conditions:
    told = [one.result.conditions for one in fights if one.result is not None]
    return shared(told) if told else Conditions(get_game(fights[0].attacker.system).short_title)


def _missing(fights: Sequence[Matchup]) -> list[str]:
    rules = (rule for one in fights if one.result is not None for rule in one.result.not_counted)
    return list(dict.fromkeys(rules))


def _left_out(pairs: Sequence[Pair]) -> list[str]:
    return [
        f"{get_game(one.attacker.system).short_title}: {one.attacker.name}, {weapon} does not attack "
        f"{one.target.name}, {reason}"
        for pair in pairs
        for one in pair
        if one.result is not None
        for weapon, reason in one.result.skipped.items()
    ]


def _columns(titles: Sequence[str], pairs: Sequence[Pair]) -> list[Column]:
    """Each number once for each edition; what the last one changes stands behind the damage."""
    numbers = [title.rpartition(" ")[2] for title in titles]
    shown = [
        Column("Target", lambda pair: pair[0].target.label),
        Column("Attacker", lambda pair: pair[0].attacker.label),
    ]
    if len({_kind(pair) for pair in pairs}) > 1:
        shown.append(Column("Kind", _kind))
    for place, name in enumerate(numbers):
        shown.append(Column(f"Damage {name}", _mean("damage", place), right=True))
    shown.append(Column("Change", _change, right=True))
    for place, name in enumerate(numbers):
        shown.append(Column(f"Slain {name}", _mean("slain", place), right=True, rank=1))
    for place, name in enumerate(numbers):
        shown.append(Column(f"Destroyed {name}", _destroyed(place), right=True, rank=2))
    return shown


def _kind(pair: Pair) -> str:
    """Melee or ranged; both where the editions differ in which is better."""
    return ", ".join(dict.fromkeys(one.row()["kind"] for one in pair if one.result is not None))


def _mean(what: str, place: int) -> Callable[[Pair], str]:
    return lambda pair: "-" if pair[place].result is None else f"{pair[place].row()[what]:.2f}"


def _destroyed(place: int) -> Callable[[Pair], str]:
    return lambda pair: "-" if pair[place].result is None else percent(pair[place].fought.p_destroyed)


def _change(pair: Pair) -> str:
    """The damage of the last edition against that of the first."""
    if pair[0].result is None or pair[-1].result is None:
        return "-"
    before, after = pair[0].harm.mean(), pair[-1].harm.mean()
    # no "-0 %" for what differs in the last bits
    return "-" if before == 0.0 else f"{round(100.0 * (after / before - 1.0)) + 0:+d} %"
