"""Which weapons may attack here, and how many models use them."""

from __future__ import annotations

from functools import lru_cache

from mathhammer.errors import BadInputError
from mathhammer.games.applying_effects import Armed
from mathhammer.games.game import Fight
from mathhammer.games.wh40k.abilities import BIG
from mathhammer.games.wh40k.bearers import bearers_of, champions
from mathhammer.games.wh40k.stratagems import ONE_STRATAGEM, one_reroll
from mathhammer.games.wh40k10.abilities import ABILITIES
from mathhammer.units.conditions import Facts
from mathhammer.units.unit import Weapon

LONE_OPERATIVE, OVERWATCH = 12.0, 24.0  # WH40K-LONEOP, WH40K-OVERWATCHSTRAT: inches
# Situations in which weapons are silent, unless an ability allows them.
SILENT = {
    "advanced": "the unit Advanced, and this is not an Assault weapon (WH40K-ASSAULT)",
    "target_unseen": "nobody sees the target, and this is not Indirect Fire (WH40K-INDIRECT)",
}


def check_weapons(fight: Fight) -> None:
    """Refuses what the rules forbid before any die is thrown."""
    kinds = {weapon.kind for weapon in fight.weapons}
    if len(kinds) > 1:
        raise BadInputError("fight: melee and ranged weapons attack in different phases (choose one kind)")
    commands = fight.situation.commands
    rerolls = [command for command in commands if command.startswith("command_reroll")]
    if not one_reroll(commands):
        raise BadInputError(f"fight: {ONE_STRATAGEM} (WH40K-CPLIMIT; choose one command_reroll)")
    # seen attack by attack, not as a batch
    one_by_one = {"command_reroll_save", "command_reroll_damage"} & set(rerolls)
    if one_by_one and fight.target.stat("damage_zero_uses"):
        raise BadInputError(
            f"fight: {rerolls[0]} and damage_zero_uses together are not covered (drop one of them)"
        )
    if "command_reroll_attacks" in rerolls and len(fight.weapons) > 1:
        raise BadInputError(f"fight: {rerolls[0]} is for one roll of one weapon (name a single weapon)")
    if "epic_challenge" in commands and not any(champions(fight.attacker, w) for w in fight.attacker.weapons):
        raise BadInputError(
            f"fight: epic_challenge is for a Character, and {fight.attacker.name} has none (WH40K-EPIC)"
        )
    _check_keywords(fight)
    if "melee" in kinds:
        ordinary = [w for w in fight.weapons if not ABILITIES.carried(w, "extra")]
        strikes = sum(fight.attacker.bearers(weapon) for weapon in ordinary)
        if strikes > fight.attacker.models_left:  # WH40K-ATTACKS
            names = ", ".join(repr(weapon.name) for weapon in ordinary)
            raise BadInputError(
                f"fight: a model strikes with one melee weapon (WH40K-ATTACKS; name those you want: {names})"
            )
        if "overwatch" in fight.situation.flags:
            raise BadInputError("fight: overwatch is shooting (use it with ranged weapons)")


@lru_cache(maxsize=1024)
def looked_at(situations: frozenset[str], commands: frozenset[str]) -> frozenset[str]:
    """The keywords of a target at which an attack looks by itself."""
    found = set(BIG) if "target_engaged" in situations else set()
    found |= {"SMOKE"} if "smokescreen" in commands else set()
    found |= {"INFANTRY"} if "go_to_ground" in commands else set()
    return frozenset(found)


def _check_keywords(fight: Fight) -> None:
    """Refuses stratagems for a target that may not use them."""
    for command, keyword, rule in (
        ("smokescreen", "SMOKE", "WH40K-SMOKE"),
        ("go_to_ground", "INFANTRY", "WH40K-GOTOGROUND"),
    ):
        wrong = command in fight.situation.commands and keyword not in fight.target.keywords
        if wrong and fight.option("stratagem_keywords") == "required":
            raise BadInputError(
                f"fight: {command} is for {keyword.capitalize()} units, and {fight.target.name} is none "
                f"({rule})"
            )


def protects(fight: Fight) -> bool:
    """WH40K-ATTACHED: Characters are protected, and picked by Precision, in an Attached unit; the option
    `characters_protected` may say always.
    """
    unit = fight.target
    attached = bool(unit.bodyguard) or bool(unit.stat("attached"))
    return attached or fight.option("characters_protected") == "always"


def precise(fight: Fight, armed: Armed) -> bool:
    """WH40K-PRECISION, or melee attacks of a Character under Epic Challenge (WH40K-EPIC)."""
    challenge = "epic_challenge" in fight.situation.commands and armed.weapon.kind == "melee"
    if challenge and champions(fight.attacker, armed.weapon):
        return True
    return any(held.ability.picks_characters for held in armed.abilities)


def why_not(fight: Fight, armed: Armed) -> str:
    """Why this weapon may not attack this target; empty when it may."""
    weapon, facts, abilities = armed.weapon, armed.facts, armed.abilities
    if weapon.kind == "melee":
        return ""
    if reason := _out_of_reach(fight, weapon, facts) or _overwatch(facts):
        return reason
    allowed = frozenset[str]().union(*(held.ability.allows for held in abilities))
    if "engaged_elsewhere" in facts.flags and not facts.keywords & BIG:
        return "in Engagement Range Pistols are fired at units in it (WH40K-PISTOL)"
    if "engaged" in facts.flags and "engaged" not in allowed and not facts.keywords & BIG:
        return "in Engagement Range only Pistols are fired (WH40K-PISTOL)"
    if "target_engaged" in facts.flags and not facts.target_keywords & BIG:
        return "the target is engaged with friends (WH40K-BGNT)"
    for flag, reason in SILENT.items():
        if flag in facts.flags and flag not in allowed:
            return reason
    for held in abilities:
        may_attack = held.ability.may_attack
        if may_attack is not None and (reason := may_attack(facts.only(held.ability.reads))):
            return reason
    return (
        "" if bearers_of(ABILITIES, fight, weapon) else "its bearers fire their other weapons (WH40K-PISTOL)"
    )


def _out_of_reach(fight: Fight, weapon: Weapon, facts: Facts) -> str:
    distance = facts.distance
    if distance is None:
        return ""
    if weapon.range is not None and distance > weapon.range:
        return f"{distance:g} inches away, range {weapon.range} (WH40K-SEQ)"
    if distance > LONE_OPERATIVE and fight.target.stat("lone_operative"):
        return "a Lone Operative cannot be picked from more than 12 inches (WH40K-LONEOP)"
    return ""


def _overwatch(facts: Facts) -> str:
    """WH40K-OVERWATCHSTRAT, and WH40K-BGNT for engaged units."""
    if "overwatch" not in facts.flags:
        return ""
    if facts.distance is not None and facts.distance > OVERWATCH:
        return "Fire Overwatch reaches 24 inches (WH40K-OVERWATCHSTRAT)"
    if "TITANIC" in facts.keywords:
        return "a Titanic unit cannot use Fire Overwatch (WH40K-OVERWATCHSTRAT)"
    if "target_unseen" in facts.flags:
        return "the target of Fire Overwatch must be visible (WH40K-OVERWATCHSTRAT)"
    if {"engaged", "engaged_elsewhere"} & facts.flags:
        return "an engaged unit cannot use Fire Overwatch (WH40K-BGNT)"
    return ""
