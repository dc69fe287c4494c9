"""What the numbers of a list hold under, and the rules that they leave out, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.telling import command_text, flag_text, rules_left_out
from mathhammer.lists.army import Army
from mathhammer.units.circumstances import BOTH
from mathhammer.units.unit import Unit


def list_conditions(army: Army, how: Mapping[str, Any]) -> str:
    """What the numbers of a list hold under."""
    attacks = attacks_of(army.system)
    words = [flag_text(flag) for flag in how.get("situation", ())]
    words += [command_text(attacks, command) for command in how.get("commands", ())]
    return " · ".join(
        [get_game(army.system).short_title, "exact", ", ".join([f"one action of each unit, {BOTH}", *words])]
    )


def rules_not_counted(units: Sequence[Unit]) -> list[str]:
    """The rules of units that are noted and not modelled, and effects that do not act here, each once."""
    return list(rules_left_out(units))
