"""What the commands that decide share: the lines above an answer, and the beginning of a JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer._version import __version__
from mathhammer.cli.asking import asked
from mathhammer.decide.blows import Blow
from mathhammer.games.discovery import get_game
from mathhammer.units.circumstances import Conditions, not_counted_text, shared
from mathhammer.units.unit import Unit


def decision_lines(blows: Sequence[Blow], *targets: Unit) -> list[str]:
    """The lines above a table: what all blows hold under, the target, and what is not counted."""
    missing = not_counted_text(_missing(blows))
    size = [f"{t.label}: {_left(t)}" for t in targets]
    return [str(_conditions(blows, targets[0].system)), *size, *([missing] if missing else [])]


def _left(target: Unit) -> str:
    wounds = target.health - target.lost
    models = f"{target.models_left} {'model' if target.models_left == 1 else 'models'}"
    return f"{models}, {wounds} wounds" + (f", {target.points} points" if target.points else "")


def _conditions(blows: Sequence[Blow], system: str) -> Conditions:
    if not blows:
        return Conditions(get_game(system).short_title)
    return shared([blow.conditions for blow in blows])


def _missing(blows: Sequence[Blow]) -> list[str]:
    return list(dict.fromkeys(rule for blow in blows for rule in blow.missing))


def decision_head(
    command: str,
    blows: Sequence[Blow],
    attackers: Sequence[Unit],
    targets: Sequence[Unit],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """The beginning of a JSON document: schema, version, game, conditions, and the question."""
    system = targets[0].system
    return {
        "schema": f"mathhammer-{command}/1",
        "mathhammer": __version__,
        "system": system,
        "title": get_game(system).title,
        "method": "exact",
        "conditions": _conditions(blows, system).to_dict(),
        "not_counted": _missing(blows),
        "asked": asked(attackers, targets, options),
    }
