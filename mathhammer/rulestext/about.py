"""What a reading is about: combat, other dice, or nothing that a number looks at."""

from __future__ import annotations

from mathhammer.rulestext import matters
from mathhammer.rulestext.frame import Change
from mathhammer.rulestext.having import UNIT_ABILITIES
from mathhammer.units.abilities import About

_NO_NUMBER = {"move", "control", "range"}


_DICE = set(
    """
    charge_roll run_roll advance_roll cast_roll unbind_roll chant_roll banish_roll battleshock_roll
    reroll_charge reroll_run reroll_advance reroll_cast reroll_chant reroll_battleshock reroll_unbind
    reroll_banish reroll_hazardous reroll_escape leadership charge_dice battleshock_test own_roll
    no_attack
    """.split()
)


_MOVES = {"Deep Strike", "Infiltrators", "Fly", "Firing Deck"}


def subject(effects: list[Change], unread: list[str]) -> About:
    """Combat, dice or none: by what changes, and by what was not understood."""
    keys = {key for effect in effects for key in effect.changes} - _NO_NUMBER
    named = [
        str(name)
        for effect in effects
        for key in ("gain_unit", "lose_unit")
        for name in effect.changes.get(key, ())
    ]
    fighting = [
        name for name in named if UNIT_ABILITIES.fullmatch(name) and not name.startswith((*_MOVES, "Scouts"))
    ]
    if not fighting and not _named_rule(named):
        keys -= {"gain_unit", "lose_unit"}
    kinds = {matters.kind(text) for text in unread}
    if keys - _DICE or "combat" in kinds:
        return "combat"
    return "dice" if keys or "dice" in kinds else "none"


def _named_rule(names: list[str]) -> bool:
    """Whether one of them is a status or a rule rather than a keyword or a way to be set up."""
    return any(name in ("Afflicted", "Suppressed") for name in names)
