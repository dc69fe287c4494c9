"""Rules of 40k besides the attacks of weapons: mortal wounds by dice, and what is used in their place."""

from __future__ import annotations

from collections.abc import Sequence

from mathhammer.dice.notation import parse_dice
from mathhammer.engine.chain import Stage
from mathhammer.games.applying_effects import Armed
from mathhammer.games.game import Fight
from mathhammer.games.gathering import effects_in_play, facts_of
from mathhammer.games.mortals import Dealt, dealt_to_attacker, dealt_to_target, makes_no_attack
from mathhammer.units.unit import Weapon

NO_WEAPON = Weapon("mortal wounds", "ranged", parse_dice(0), parse_dice(1))
MORTALS = (Stage("mortal wounds", entering=("extra mortal",)),)


def instead_of_attacks(fight: Fight) -> str:
    """Why no weapon attacks: a rule is used in the place of all attacks; empty: none is."""
    if not fight.weapons or not any(effect.change("no_attack") for effect in fight.attacker.effects):
        return ""
    used = makes_no_attack(fight, facts_of(fight, fight.weapons[0]))
    return f"{used} is used in its place" if used else ""


def first_mortals(fight: Fight) -> Dealt:
    """Mortal wounds by dice of the attacker's rules: they come before its attacks."""
    if not any(effect.change("mortal") for effect in effects_in_play(fight)):
        return []
    return dealt_to_target(fight, facts_of(fight, fight.weapons[0] if fight.weapons else NO_WEAPON))


def own_mortals(fight: Fight, able: Sequence[Armed]) -> Dealt:
    """Mortal wounds that rules deal to the attacker."""
    if not any(effect.change("mortal") for effect in effects_in_play(fight)):
        return []
    return dealt_to_attacker(fight, facts_of(fight, able[0].weapon if able else NO_WEAPON))
