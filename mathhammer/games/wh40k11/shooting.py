"""Which weapons may attack here: shooting types, Engagement Range, stratagems."""

from __future__ import annotations

from functools import lru_cache

from mathhammer.errors import BadInputError
from mathhammer.games.applying_effects import Armed
from mathhammer.games.game import Fight
from mathhammer.games.wh40k.abilities import BIG
from mathhammer.games.wh40k.bearers import bearers_of, champions
from mathhammer.games.wh40k.stratagems import ONE_STRATAGEM, one_reroll
from mathhammer.games.wh40k11.abilities import ABILITIES, shoots_indirectly
from mathhammer.units.conditions import Facts
from mathhammer.units.unit import Weapon

LONE_OPERATIVE, SNAP = 12, 24.0  # WH40K11-24.24, WH40K11-15.09: inches
NEAREST, FARTHEST = 9, 30  # WH40K11-02.02.01-RANGE: of Lone Operative, in inches
ENGAGED = frozenset({"engaged", "engaged_elsewhere"})
# Situations in which weapons are silent, unless an ability allows them: normal shooting is for units that did
# not Advance (WH40K11-10.04).
SILENT = {
    "advanced": "the unit Advanced, and this is not an Assault weapon (WH40K11-10.05)",
    "target_unseen": "nobody sees the target, and this is not Indirect Fire (WH40K11-10.07)",
}


def check_weapons(fight: Fight) -> None:
    """Refuses what the rules forbid before any die is thrown."""
    kinds = {weapon.kind for weapon in fight.weapons}
    if len(kinds) > 1:
        raise BadInputError("fight: melee and ranged weapons attack in different phases (choose one kind)")
    commands = fight.situation.commands
    rerolls = [command for command in commands if command.startswith("command_reroll")]
    if not one_reroll(commands):
        raise BadInputError(f"fight: {ONE_STRATAGEM} (WH40K11-15.01; choose one command_reroll)")
    one_by_one = {"command_reroll_save", "command_reroll_damage"} & set(rerolls)
    if one_by_one and fight.target.stat("damage_zero_uses"):
        raise BadInputError(
            f"fight: {rerolls[0]} and damage_zero_uses together are not covered (drop one of them)"
        )
    if "command_reroll_attacks" in rerolls and len(fight.weapons) > 1:
        raise BadInputError(f"fight: {rerolls[0]} is for one roll of one weapon (name a single weapon)")
    if "epic_challenge" in commands and not any(champions(fight.attacker, w) for w in fight.attacker.weapons):
        raise BadInputError(
            f"fight: epic_challenge is for a Character, and {fight.attacker.name} has none (WH40K11-15.03)"
        )
    smoke = "smokescreen" in commands and "SMOKE" not in fight.target.keywords
    if smoke and fight.option("stratagem_keywords") == "required":
        raise BadInputError(
            f"fight: smokescreen is for Smoke units, and {fight.target.name} is none (WH40K11-15.10)"
        )
    if "melee" in kinds:
        _check_melee(fight)


@lru_cache(maxsize=1024)
def looked_at(situations: frozenset[str], commands: frozenset[str]) -> frozenset[str]:
    """The keywords of a target at which an attack looks by itself: AIRCRAFT always."""
    found = {"AIRCRAFT"} | (set(BIG) if "target_engaged" in situations else set())
    return frozenset(found | ({"SMOKE"} if "smokescreen" in commands else set()))


def _check_melee(fight: Fight) -> None:
    """WH40K11-04.01: a model strikes with one melee weapon, and with all that have Extra Attacks."""
    ordinary = [weapon for weapon in fight.weapons if not ABILITIES.carried(weapon, "extra")]
    if sum(fight.attacker.bearers(weapon) for weapon in ordinary) > fight.attacker.models_left:
        names = ", ".join(repr(weapon.name) for weapon in ordinary)
        raise BadInputError(
            f"fight: a model strikes with one melee weapon (WH40K11-04.01; name those you want: {names})"
        )
    if "overwatch" in fight.situation.flags:
        raise BadInputError("fight: overwatch is shooting (use it with ranged weapons)")


def precise(fight: Fight, armed: Armed) -> bool:
    """WH40K11-24.28, or melee attacks of a Character under Epic Challenge (WH40K11-15.03)."""
    if fight.option("precision_choice") != "character":
        return False
    challenge = "epic_challenge" in fight.situation.commands and armed.weapon.kind == "melee"
    if challenge and champions(fight.attacker, armed.weapon):
        return True
    return any(held.ability.picks_characters for held in armed.abilities)


def why_not(fight: Fight, armed: Armed) -> str:
    """Why this weapon may not attack this target; empty when it may."""
    weapon, facts, abilities = armed.weapon, armed.facts, armed.abilities
    if weapon.kind == "melee":
        # WH40K11-23: only flying units fight Aircraft
        grounded = "AIRCRAFT" in facts.target_keywords and "FLY" not in facts.keywords
        return "only flying units fight Aircraft (WH40K11-23)" if grounded else ""
    allowed = frozenset[str]().union(*(held.ability.allows for held in abilities))
    if reason := _out_of_reach(fight, weapon, facts) or _snap(facts) or _engaged(facts, allowed):
        return reason
    for flag, reason in SILENT.items():
        if flag in facts.flags and flag not in allowed:
            return reason
    for held in abilities:
        may_attack = held.ability.may_attack
        if may_attack is not None and (reason := may_attack(facts.only(held.ability.reads))):
            return reason
    bearers = bearers_of(ABILITIES, fight, weapon)
    return "" if bearers else "its bearers fire their other weapons (WH40K11-24.07)"


def _out_of_reach(fight: Fight, weapon: Weapon, facts: Facts) -> str:
    distance = facts.distance
    if distance is None:
        return ""
    if weapon.range is not None and distance > weapon.range:
        return f"{distance:g} inches away, range {weapon.range} (WH40K11-04.02)"
    if fight.target.stat("lone_operative"):
        seen = int(fight.target.stat("lone_operative_range", LONE_OPERATIVE))
        seen = max(NEAREST, min(FARTHEST, seen))
        if distance > seen:
            return f"a Lone Operative is not visible beyond {seen} inches (WH40K11-24.24)"
    return ""


def _snap(facts: Facts) -> str:
    """WH40K11-15.09, and WH40K11-15.08 for who may use Fire Overwatch."""
    if "overwatch" not in facts.flags:
        return ""
    if facts.distance is not None and facts.distance > SNAP:
        return "snap shooting reaches 24 inches (WH40K11-15.09)"
    if "TITANIC" in facts.keywords:
        return "a Titanic unit cannot use Fire Overwatch (WH40K11-15.08)"
    if "target_unseen" in facts.flags:
        return "the target of snap shooting must be visible (WH40K11-15.09)"
    if ENGAGED & facts.flags:
        return "an engaged unit cannot use Fire Overwatch (WH40K11-15.08)"
    return ""


def _engaged(facts: Facts, allowed: frozenset[str]) -> str:
    """WH40K11-10.06 for engaged units, WH40K11-17.03 for engaged targets, WH40K11-10.07 for indirect
    shooting.
    """
    big = bool(facts.keywords & BIG)
    if "engaged_elsewhere" in facts.flags and not big:
        return "an engaged unit shoots only at units that it is engaged with (WH40K11-10.06)"
    if "engaged" in facts.flags and "engaged" not in allowed and not big:
        return "an engaged unit fires only Close-quarters weapons (WH40K11-10.06)"
    if ENGAGED & facts.flags and "advanced" in facts.flags:
        return "an engaged unit that Advanced does not shoot (WH40K11-10.06)"
    if ENGAGED & facts.flags and shoots_indirectly(facts):
        return "an engaged unit does not shoot indirectly (WH40K11-10.07)"
    if "target_engaged" in facts.flags and not facts.target_keywords & BIG:
        return "the target is engaged, and no Monster or Vehicle (WH40K11-17.03)"
    return ""
