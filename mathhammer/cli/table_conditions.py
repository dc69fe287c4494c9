"""The lines above a table of plain numbers, such as a matrix: its conditions, and what is not counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mathhammer.cli.answer import Part
from mathhammer.compare.asking import conditions_document
from mathhammer.compare.matrix import Matrix
from mathhammer.compare.sweep import NO_WEAPON
from mathhammer.dataclass import dataclass
from mathhammer.fight import make_question
from mathhammer.games.discovery import get_game
from mathhammer.games.telling import conditions_of, not_counted
from mathhammer.units.circumstances import APART, BOTH, Conditions, not_counted_text, shared


@dataclass(frozen=True, slots=True)
class TableConditions:
    """The conditions of a table whose cells are numbers, and the rules of its units that are not counted."""

    system: str
    conditions: Conditions
    not_counted: tuple[str, ...]

    def lines(self) -> list[Part]:
        """The lines above the table."""
        missing = not_counted_text(self.not_counted)
        return [str(self.conditions), *([missing] if missing else [])]

    def document(self, command: str, question: Mapping[str, Any]) -> dict[str, Any]:
        """The beginning of a JSON document."""
        return conditions_document(command, self.system, (), question) | {
            "conditions": self.conditions.to_dict(),
            "not_counted": list(self.not_counted),
        }


def table_conditions(filled: Matrix, how: Mapping[str, Any]) -> TableConditions:
    """The conditions that all fights of a matrix share, from one fight for each attacker and each target."""
    pairs = [(unit, filled.targets[0], place, 0) for place, unit in enumerate(filled.attackers)]
    pairs += [(filled.attackers[0], unit, 0, place) for place, unit in enumerate(filled.targets)]
    told: list[Conditions] = []
    missing: dict[str, None] = {}
    for attacker, target, row, column in pairs:
        if filled.used[row, column] != NO_WEAPON:
            question = make_question(attacker, target, **how)
            told.append(conditions_of(question))
            missing |= dict.fromkeys(not_counted(question))
    system = filled.attackers[0].system
    about = shared(told) if told else Conditions(get_game(system).short_title)
    kinds = {filled.kind(a, t) for a in range(len(filled.attackers)) for t in range(len(filled.targets))} - {
        ""
    }
    if len(kinds) > 1:
        labels = [unit.label for unit in filled.attackers]
        about = replace(about, weapons=APART if len(set(labels)) < len(labels) else BOTH)
    return TableConditions(system, about, tuple(missing))
