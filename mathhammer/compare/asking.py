"""What an answer says of its question: the lines above a table, and what a JSON document repeats of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer._version import __version__
from mathhammer.engine.result import Result
from mathhammer.games.discovery import get_game
from mathhammer.units.circumstances import Conditions, not_counted_text, shared
from mathhammer.units.unit import Unit

LEFT_OUT = (
    "form",
    "output",
    "chart",
    "sort",
    "full",
    "per_100_points",
    "top",
    "value",
    "attackers",  # with their sizes and buffs they are in the question by their labels
    "targets",
    "models",
    "buffs",
)


def conditions_parts(results: Sequence[Result], system: str) -> list[str]:
    """The lines above a table: what all its rows hold under, and what is not counted."""
    missing = not_counted_text(not_counted_of(results))
    return [str(shared_conditions(results, system)), *([missing] if missing else [])]


def shared_conditions(results: Sequence[Result], system: str) -> Conditions:
    """What all results hold under; where there is none, the game."""
    if not results:
        return Conditions(get_game(system).short_title)
    pairs = {(result.attacker, result.target) for result in results}
    return shared([result.conditions for result in results], apart=len(pairs) < len(results))


def not_counted_of(results: Sequence[Result]) -> list[str]:
    """The rules that one of the results leaves out, each once."""
    return list(dict.fromkeys(rule for result in results for rule in result.not_counted))


def asked(attackers: Sequence[Unit], targets: Sequence[Unit], options: Mapping[str, Any]) -> dict[str, Any]:
    """The question, as it can be asked again."""
    given = {
        name: value
        for name, value in options.items()
        if name not in LEFT_OUT and value not in (None, (), [], False)
    }
    names = {"attackers": [unit.label for unit in attackers], "targets": [unit.label for unit in targets]}
    return names | {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}


def conditions_document(
    command: str, system: str, results: Sequence[Result], question: Mapping[str, Any]
) -> dict[str, Any]:
    """The beginning of a JSON document: schema, version, game, method, conditions, and the question."""
    about = shared_conditions(results, system)
    return {
        "schema": f"mathhammer-{command}/1",
        "mathhammer": __version__,
        "system": system,
        "title": get_game(system).title,
        "method": results[0].method if results else "exact",
        "trials": results[0].trials if results else None,
        "seed": results[0].seed if results else None,
        "conditions": about.to_dict(),
        "not_counted": not_counted_of(results),
        "asked": dict(question),
    }
