"""Which weapons may attack here, and how many models use them."""

from __future__ import annotations

from mathhammer.errors import BadInputError
from mathhammer.games.game import Fight
from mathhammer.games.wh40k10.turns import ONE_STRATAGEM, one_reroll
from mathhammer.units.effects import Facts
from mathhammer.units.unit import Weapon

BIG = {"MONSTER", "VEHICLE"}


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
    if rerolls and len(fight.weapons) > 1 and not one_by_one:
        raise BadInputError(f"fight: {rerolls[0]} is for one roll of one weapon (name a single weapon)")
    if "melee" in kinds:
        ordinary = [w for w in fight.weapons if "Extra Attacks" not in w.abilities]
        strikes = sum(fight.attacker.bearers(weapon) for weapon in ordinary)
        if strikes > fight.attacker.models_left:  # WH40K-ATTACKS
            names = ", ".join(repr(weapon.name) for weapon in ordinary)
            raise BadInputError(
                f"fight: a model strikes with one melee weapon (WH40K-ATTACKS; name those you want: {names})"
            )
        if "overwatch" in fight.situation.flags:
            raise BadInputError("fight: overwatch is shooting (use it with ranged weapons)")


def why_not(fight: Fight, weapon: Weapon, facts: Facts, abilities: frozenset[str]) -> str:
    """Why this weapon may not attack this target; empty when it may."""
    if weapon.kind == "melee":
        return ""
    flags, distance = facts.flags, facts.distance
    if distance is not None and weapon.range is not None and distance > weapon.range:
        return f"{distance:g} inches away, range {weapon.range} (WH40K-SEQ)"
    if distance is not None and distance > 12 and fight.target.stat("lone_operative"):
        return "a Lone Operative cannot be picked from more than 12 inches (WH40K-LONEOP)"
    if "advanced" in flags and "Assault" not in abilities:
        return "the unit Advanced, and this is no Assault weapon (WH40K-ASSAULT)"
    big = bool(facts.keywords & BIG)
    if "engaged" in flags and not big and "Pistol" not in abilities:
        return "in Engagement Range only Pistols are fired (WH40K-PISTOL)"
    if "overwatch" in flags and distance is not None and distance > 24:
        return "Fire Overwatch reaches 24 inches (WH40K-OVERWATCHSTRAT)"
    if "overwatch" in flags and "TITANIC" in facts.keywords:
        return "a Titanic unit cannot use Fire Overwatch (WH40K-OVERWATCHSTRAT)"
    if "overwatch" in flags and "target_unseen" in flags:
        return "the target of Fire Overwatch must be visible (WH40K-OVERWATCHSTRAT)"
    if "engaged" in flags and "overwatch" in flags:
        return "an engaged unit cannot use Fire Overwatch (WH40K-BGNT)"
    if "target_engaged" in flags and not facts.target_keywords & BIG:
        return "the target is engaged with friends (WH40K-BGNT)"
    afar = distance is not None and distance > 1  # no unit that the shooters are in Engagement Range of
    if "engaged" in flags and not big and afar:
        return "in Engagement Range Pistols are fired at units in it (WH40K-PISTOL)"
    if ("target_engaged" in flags or ("engaged" in flags and not afar)) and "Blast" in abilities:
        return "Blast cannot be used at an engaged target (WH40K-BLAST)"
    if "target_unseen" in flags and "Indirect Fire" not in abilities:
        return "nobody sees the target, and this is no Indirect Fire (WH40K-INDIRECT)"
    if "target_unseen" in flags and "Torrent" in abilities:
        return "Torrent cannot be used through Indirect Fire (WH40K-TORRENT)"
    if bearers_of(fight, weapon) == 0:
        return "its bearers fire their other weapons (WH40K-PISTOL)"
    return ""


def bearers_of(fight: Fight, weapon: Weapon) -> int:
    """Who fires or strikes with it; models but Monsters and Vehicles fire either Pistols
    or their other weapons.
    """
    unit = fight.attacker
    number = unit.bearers(weapon)
    if (
        weapon.kind == "melee"
        or "Pistol" not in weapon.abilities
        or unit.keywords & BIG
        or "engaged" in fight.situation.flags
    ):
        return number
    busy = sum(unit.bearers(other) for other in fight.weapons if "Pistol" not in other.abilities)
    return max(0, min(number, unit.models_left - busy))
