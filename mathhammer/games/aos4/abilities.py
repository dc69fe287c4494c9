"""The weapon abilities of AOS4-20.0: one statement each, with all that it says."""

from __future__ import annotations

from mathhammer.games.abilities import Abilities, Draft, WeaponAbility
from mathhammer.games.sigmar.attack import changed
from mathhammer.units.conditions import Facts
from mathhammer.units.effects import Active, parse_change
from mathhammer.units.unit import Weapon

ABILITIES = Abilities()
LOWER_IS_BETTER = ("hit", "wound")
CHARACTERISTICS = ("attacks", "damage", "rend", *LOWER_IS_BETTER)


@ABILITIES.add("Crit (2 Hits)", rule="AOS4-20.0", critical=True)
def crit_two_hits(draft: Draft, _facts: Facts, _held: WeaponAbility) -> Draft:
    """A critical hit scores two hits, each with its own wound roll, save and random Damage (AOS4-AMB-4)."""
    return draft.edit("hit", on_crit=("wound", "wound"))


@ABILITIES.add("Crit (Auto-wound)", rule="AOS4-20.0", critical=True)
def crit_auto_wound(draft: Draft, _facts: Facts, _held: WeaponAbility) -> Draft:
    """A critical hit wounds without a roll and is saved as usual."""
    return draft.edit("hit", on_crit=("save",))


@ABILITIES.add("Crit (Mortal)", rule="AOS4-20.0", critical=True)
def crit_mortal(draft: Draft, _facts: Facts, _held: WeaponAbility) -> Draft:
    """A critical hit deals the Damage characteristic as mortal damage and ends there."""
    return draft.edit("hit", on_crit=("mortal",))


@ABILITIES.add(
    "Anti-X (+1 Rend)",
    rule="AOS4-20.0",
    pattern=r"Anti-(?P<keyword>.{1,40}?) \(\+1 Rend\)",
    reads=("flags", "target_keywords"),
)
def anti(draft: Draft, facts: Facts, held: WeaponAbility) -> Draft:
    """One more Rend against a target with the keyword, or one that charged (Anti-charge)."""
    charged = "target_charged" in facts.flags
    meets = charged if held.keyword == "CHARGE" else held.keyword in facts.target_keywords
    return draft.add("rend", 1, f"Anti-{held.keyword} (AOS4-20.0)") if meets else draft


@ABILITIES.add("Charge (+1 Damage)", rule="AOS4-20.0", reads=("flags",))
def charge_damage(draft: Draft, facts: Facts, _held: WeaponAbility) -> Draft:
    """One more Damage if the attacking unit charged."""
    return draft.add("damage", 1, "Charge (AOS4-20.0)") if "charged" in facts.flags else draft


def _reaches_a_companion(weapon: Weapon, change: Active) -> bool:
    """AOS4-20.0: friendly improvements do not reach it, unless they say so; what an enemy does, or makes it
    worse, does.
    """
    if change.enemy or change.included:
        return True
    if change.key in ("hit_roll", "wound_roll"):
        return bool(change.value < 0)
    if change.key not in CHARACTERISTICS:
        return False
    rolled = {"attacks": weapon.attacks, "damage": weapon.damage}.get(change.key)
    before = int(weapon.stat(change.key, 0)) if rolled is None else round(rolled.pmf().mean())
    # without a limit: what would make a Rend of 0 worse makes it worse, and something else may add to it
    after = changed(before, [parse_change(change.key, change.value)], least=-100)
    return after > before if change.key in LOWER_IS_BETTER else after < before


COMPANION = ABILITIES.tag(
    "Companion",
    rule="AOS4-20.0",
    reached_by=_reaches_a_companion,
    doc="Friendly improvements do not reach it.",
)
SHOOT_IN_COMBAT = ABILITIES.tag(
    "Shoot in Combat",
    rule="AOS4-20.0",
    allows=frozenset({"in_combat"}),
    doc="May be used while the unit is in combat.",
)
