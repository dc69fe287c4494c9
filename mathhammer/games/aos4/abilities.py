"""The weapon abilities of AOS4-20.0: one decorated edit each."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.games.abilities import Abilities, Draft
from mathhammer.units.effects import Change, Facts

ABILITIES = Abilities()


def _more(draft: Draft, stat: str, source: str) -> Draft:
    return replace(draft, changes=(*draft.changes, Change(stat, "add", 1, source)))


@ABILITIES.add("Crit (2 Hits)", rule="AOS4-20.0", crit=True)
def crit_two_hits(draft: Draft, facts: Facts, detail: str) -> Draft:
    """A critical hit scores two hits, each with its own wound roll, save and random Damage (AOS4-AMB-4)."""
    return replace(draft, chain=draft.chain.edit("hit", on_crit=("wound", "wound")))


@ABILITIES.add("Crit (Auto-wound)", rule="AOS4-20.0", crit=True)
def crit_auto_wound(draft: Draft, facts: Facts, detail: str) -> Draft:
    """A critical hit wounds without a roll and is saved as usual."""
    return replace(draft, chain=draft.chain.edit("hit", on_crit=("save",)))


@ABILITIES.add("Crit (Mortal)", rule="AOS4-20.0", crit=True)
def crit_mortal(draft: Draft, facts: Facts, detail: str) -> Draft:
    """A critical hit deals the Damage characteristic as mortal damage and ends there."""
    return replace(draft, chain=draft.chain.edit("hit", on_crit=("mortal",)))


@ABILITIES.add("Anti-X (+1 Rend)", rule="AOS4-20.0", pattern=r"Anti-(.{1,40}?) \(\+1 Rend\)")
def anti(draft: Draft, facts: Facts, detail: str) -> Draft:
    """One more Rend against a target with the keyword, or one that charged (Anti-charge)."""
    meets = (
        "target_charged" in facts.flags
        if detail.lower() == "charge"
        else detail.upper() in facts.target_keywords
    )
    return _more(draft, "rend", f"Anti-{detail} (AOS4-20.0)") if meets else draft


@ABILITIES.add("Charge (+1 Damage)", rule="AOS4-20.0")
def charge_damage(draft: Draft, facts: Facts, detail: str) -> Draft:
    """One more Damage if the attacking unit charged."""
    return _more(draft, "damage", "Charge (AOS4-20.0)") if "charged" in facts.flags else draft


@ABILITIES.add("Companion", rule="AOS4-20.0")
def companion(draft: Draft, facts: Facts, detail: str) -> Draft:
    """Ignores friendly improvements; which changes that means is decided where they are gathered."""
    return draft


@ABILITIES.add("Shoot in Combat", rule="AOS4-20.0")
def shoot_in_combat(draft: Draft, facts: Facts, detail: str) -> Draft:
    """May be used while the unit is in combat: looked at when weapons are chosen, changes no roll."""
    return draft
