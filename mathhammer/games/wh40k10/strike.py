"""A weapon's attacks in 40k before the target does anything: hit and wound rolls, AP and Damage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Modifier, Roll, Stage
from mathhammer.engine.plan import Again
from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Draft, WeaponAbility, strongest
from mathhammer.games.applying_effects import edited, rerolled_dice
from mathhammer.games.one_reroll import batch_again, single_rerolls, turned_to_six
from mathhammer.games.wh40k.abilities import BIG
from mathhammer.games.wh40k.characteristics import changed, changed_dice, told, wound_needs
from mathhammer.games.wh40k.fields import STATS
from mathhammer.games.wh40k.models import REROLLS
from mathhammer.games.wh40k.stratagems import check_dice, command_rerolls
from mathhammer.games.wh40k10.abilities import PSYCHIC
from mathhammer.games.wh40k10.defence import Blow
from mathhammer.units.conditions import Facts
from mathhammer.units.effects import Active, Change
from mathhammer.units.unit import Weapon

LOOKED_AT = frozenset({"flags", "keywords", "target_keywords"})  # by the rolls themselves, besides abilities
STAGES = (
    Stage("hits", leaving="hit"),
    Stage("wounds", entering=("ordinary", "devastating")),
    Stage("unsaved", entering=("ordinary", "devastating"), past_save=True),
    Stage("mortal", entering=("extra mortal",)),
)


@dataclass(frozen=True, slots=True)
class Strike:
    """A weapon's attacks before the target does anything about them."""

    attacks: Pmf
    chain: Chain
    blow: Blow
    notes: tuple[str, ...]
    again: tuple[Again, ...]


@dataclass(frozen=True, slots=True)
class Attacking:
    """All that decides a weapon's attacks before the target's saves."""

    weapon: Weapon
    bearers: int
    facts: Facts
    changes: tuple[Active, ...]
    abilities: tuple[WeaponAbility, ...]
    commands: tuple[str, ...]
    toughness: int
    stealth: bool
    wound_fails_up_to: int
    index: int  # place of the weapon in the order of attacks
    covered: bool | None = None  # a rule gives the target cover, or takes it away
    plunge_last: bool = False  # Plunging Fire acts after the limit of AP

    @property
    def smoke(self) -> bool:
        """WH40K-SMOKE: the stratagem is for Smoke units."""
        return "smokescreen" in self.commands and "SMOKE" in self.facts.target_keywords


@lru_cache(maxsize=65536)
def strike_of(attacking: Attacking) -> Strike:
    """Everything that does not depend on the target's saves; memoised, because whole armies ask for it again
    and again.

    The weapon itself stays as it is, whatever its attacks become (WH40K-ATTACKPROFILE); random Attacks are
    rolled for each bearer, random Damage for each attack that gets through (WH40K-RAND).
    """
    weapon, facts, changes, commands = (
        attacking.weapon,
        attacking.facts,
        attacking.changes,
        attacking.commands,
    )
    abilities = strongest(sorted(attacking.abilities, key=str))
    draft = edited(Draft(_chain(attacking)), changes, REROLLS, frozenset(STATS))
    for held in abilities:
        draft = held.edit(draft, facts)
    by_stat = {stat: tuple(change for change in draft.changes if change.stat == stat) for stat in STATS}
    attacks = rerolled_dice(weapon.attacks, "reroll_attacks", changes)
    each = changed_dice(attacks, by_stat["attacks"], "attacks", draft.rolled("attacks"))
    notes = [
        f"Attacks: {attacking.bearers // weapon.copies}{weapon.copies_note} x {weapon.attacks}"
        + "".join(f", {change}" for change in by_stat["attacks"])
    ]
    ap = _ap(attacking, by_stat["ap"], notes)
    chain = _with_needs(draft.chain, weapon, by_stat, attacking.toughness, notes)
    notes += told("Damage", weapon.damage, by_stat["damage"])
    blow = Blow(
        psychic=any(held.ability is PSYCHIC for held in abilities),
        ap=ap,
        damage=rerolled_dice(weapon.damage, "reroll_damage", changes),
        damage_changes=by_stat["damage"],
        melta=draft.rolled("damage"),
        cover=_cover(attacking),
        index=attacking.index,
    )
    check_dice(commands, attacks, blow.damage)
    chain, again = batch_again(
        command_rerolls(commands) | single_rerolls(changes), chain, turned_to_six(changes)
    )
    number = attacking.bearers
    total = each.power_lowest_again(number) if "command_reroll_attacks" in commands else each.power(number)
    return Strike(total, chain, blow, tuple(notes), again)


def _chain(attacking: Attacking) -> Chain:
    """WH40K-HIT and WH40K-WOUND with the limits of WH40K-CLAMP; needs are put in later.

    Criticals (WH40K-CRIT) and automatic failures look at the unmodified die (WH40K-UNMOD). A modified die is
    never below 1, which no need asks for, and may be above 6 (WH40K-MODROLL).
    """
    weapon = attacking.weapon
    overwatch = "overwatch" in attacking.facts.flags
    hit = Roll(
        needs=None,
        modifiers=tuple(sorted(_hit_modifiers(attacking))),
        limit=(-1, 1),
        limit_source="WH40K-CLAMP",
        crit_on=weapon.stat("crit_on", 6),
        fails_up_to=1,
        only=frozenset({6}) if overwatch else None,  # WH40K-OVERWATCH
        on_success=("wound",),
    )
    wound = Roll(
        needs=None,
        limit=(-1, 1),
        limit_source="WH40K-CLAMP",
        crit_on=weapon.stat("crit_wound_on", 6),
        fails_up_to=1,
        plain_fails_up_to=attacking.wound_fails_up_to,  # WH40K-PRIORITY
        on_success=("ordinary",),
    )
    return Chain("hit", (("hit", hit), ("wound", wound)), STAGES)


def _hit_modifiers(attacking: Attacking) -> Iterable[Modifier]:
    if attacking.weapon.kind != "ranged":
        return
    facts = attacking.facts
    if attacking.stealth or attacking.smoke:
        yield Modifier(-1, "Stealth (WH40K-STEALTH)")
    close = bool({"engaged", "engaged_elsewhere"} & facts.flags)
    engaged = (close and facts.keywords & BIG) or "target_engaged" in facts.flags
    if engaged and not any("engaged" in held.ability.allows for held in attacking.abilities):
        yield Modifier(-1, "Big Guns Never Tire (WH40K-BGNT)")


def _ap(attacking: Attacking, changes: tuple[Change, ...], notes: list[str]) -> int:
    """The AP after all changes; Plunging Fire joins the sum before the limit, or acts after it."""
    printed, flags = attacking.weapon.stat("ap", 0), attacking.facts.flags
    plunge = Change("ap", "add", -1, "Plunging Fire (WH40K-PLUNGE)")
    if not {"plunging_fire", "ranged"} <= flags:
        notes += told("AP", "as written", changes)
        return changed(printed, changes, "ap")
    notes += told("AP", "as written", (*changes, plunge))
    if attacking.plunge_last:
        notes.append("AP: Plunging Fire after the limit of 0 (option plunging_fire)")
        return changed(changed(printed, changes, "ap"), [plunge], "ap")
    return changed(printed, (*changes, plunge), "ap")


def _cover(attacking: Attacking) -> str:
    """Where the target's Benefit of Cover comes from, if it has it against this weapon."""
    facts, commands = attacking.facts, attacking.commands
    abilities = [held.ability for held in attacking.abilities]
    said = [ability.cover(facts.only(ability.reads)) for ability in abilities if ability.cover is not None]
    # WH40K-IGNCOVER, or a rule that takes it away
    if attacking.weapon.kind != "ranged" or False in said or attacking.covered is False:
        return ""
    sources = {
        "Cover (WH40K-COVER)": "target_in_cover" in facts.flags or attacking.covered is True,
        "Cover (WH40K-INDIRECT)": True in said,
        "Go to Ground (WH40K-GOTOGROUND)": "go_to_ground" in commands and "INFANTRY" in facts.target_keywords,
        "Smokescreen (WH40K-SMOKE)": attacking.smoke,
    }
    return next((source for source, holds in sources.items() if holds), "")


def _with_needs(
    chain: Chain, weapon: Weapon, by_stat: dict[str, tuple[Change, ...]], toughness: int, notes: list[str]
) -> Chain:
    """Puts the Skill, and Strength against Toughness, into the rolls."""
    skill = weapon.stat("skill")
    notes += told("Skill", f"{skill}+", by_stat["skill"])
    hit = None if skill is None else changed(skill, by_stat["skill"], "skill")
    strength = changed(weapon.stat("strength"), by_stat["strength"], "strength")
    notes.append(f"Strength {strength} against Toughness {toughness} (WH40K-SVT)")
    needs = {"hit": hit, "wound": wound_needs(strength, toughness)}
    lanes = tuple(
        (name, replace(lane, needs=needs[name]) if isinstance(lane, Roll) else lane)
        for name, lane in chain.lanes
    )
    roll = dict(lanes)["hit"]
    assert isinstance(roll, Roll)
    if hit is None and not roll.auto:
        raise BadInputError(f"fight: {weapon.name} has no skill (give it one, or the ability Torrent)")
    return replace(chain, lanes=lanes)
