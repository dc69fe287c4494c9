"""Which models of a 40k unit use a weapon."""

from __future__ import annotations

from mathhammer.games.abilities import Abilities
from mathhammer.games.game import Fight
from mathhammer.games.wh40k.abilities import BIG
from mathhammer.units.unit import Unit, Weapon


def champions(unit: Unit, weapon: Weapon) -> bool:
    """WH40K-EPIC, WH40K11-15.03: whether the weapon is in the hands of the Character model that issues the
    challenge: the first one that is left.
    """
    alive = [group for group, (models, _) in zip(unit.groups, unit.left(), strict=True) if models]
    characters = [group.name for group in alive if group.stat("character")]
    if not characters:
        return "CHARACTER" in unit.keywords
    return characters[0] in (weapon.groups or [group.name for group in alive])


def bearers_of(known: Abilities, fight: Fight, weapon: Weapon) -> int:
    """Who fires or strikes with it; models but Monsters and Vehicles fire either Pistols or their other
    weapons (WH40K-PISTOL, WH40K11-24.07).
    """
    unit = fight.attacker
    number = unit.bearers(weapon)
    engaged = bool({"engaged", "engaged_elsewhere"} & fight.situation.flags)
    if weapon.kind == "melee" or not known.carried(weapon, "instead") or unit.keywords & BIG or engaged:
        return number
    busy = sum(unit.bearers(other) for other in fight.weapons if not known.carried(other, "instead"))
    return max(0, min(number, unit.models_left - busy))
