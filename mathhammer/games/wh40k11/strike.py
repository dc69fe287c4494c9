"""A weapon's attacks in the 11th edition before the target saves: attack dice, hit and wound rolls, AP and
Damage.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from mathhammer.dataclass import dataclass
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Modifier, Roll, Stage
from mathhammer.engine.plan import Again
from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Draft, WeaponAbility
from mathhammer.games.applying_effects import edited, rerolled_dice
from mathhammer.games.one_reroll import batch_again, single_rerolls, turned_to_six
from mathhammer.games.wh40k.abilities import BIG
from mathhammer.games.wh40k.characteristics import changed_dice, told, wound_needs
from mathhammer.games.wh40k.fields import STATS
from mathhammer.games.wh40k.models import REROLLS
from mathhammer.games.wh40k.stratagems import check_dice, command_rerolls
from mathhammer.games.wh40k11.abilities import DICE, OUTSIDE, psychic
from mathhammer.games.wh40k11.characteristics import changed
from mathhammer.games.wh40k11.defence import Blow
from mathhammer.units.conditions import Facts
from mathhammer.units.effects import Active, Change
from mathhammer.units.unit import Weapon

LOOKED_AT = frozenset({"flags", "keywords", "target_keywords"})  # by the rolls themselves, besides abilities
WOUNDS = ("ordinary", "critical", "devastating")
STAGES = (
    Stage("hits", leaving="hit"),
    Stage("wounds", entering=WOUNDS),
    Stage("unsaved", entering=WOUNDS, past_save=True),
    Stage("mortal", entering=("extra mortal",)),
)


@dataclass(frozen=True, slots=True)
class Strike:
    """A weapon's attacks before the target does anything; equal `profile`s are identical attacks."""

    attacks: Pmf
    chain: Chain
    blow: Blow
    profile: tuple[object, ...]
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
    covered: bool | None = None  # a rule gives the target cover, or takes it away


@lru_cache(maxsize=65536)
def strike_of(attacking: Attacking) -> Strike:
    """Everything that does not depend on the target's saves; memoised, because whole armies ask for it again
    and again.

    WH40K11-02.02.03: random Attacks are rolled for each weapon, random Damage for each attack that inflicts
    it.
    """
    weapon, changes, commands = attacking.weapon, attacking.changes, attacking.commands
    start = Draft(_chain(attacking), tuple(_skill_changes(attacking)))
    draft = edited(start, changes, REROLLS, frozenset(STATS))
    for held in attacking.abilities:
        draft = held.edit(draft, attacking.facts)
    by_stat = {stat: tuple(c for c in draft.changes if c.stat == stat) for stat in (*STATS, DICE)}
    attacks = rerolled_dice(weapon.attacks, "reroll_attacks", changes)
    each = changed_dice(attacks, by_stat["attacks"], "attacks", draft.rolled("attacks"), by=changed)
    more = sum(change.value for change in by_stat[DICE])
    each = each.map(lambda value: value + more) if more else each
    rolled = draft.rolled(DICE)
    each = each if rolled is None else each.convolve(rolled.pmf())
    notes = [
        f"Attacks: {attacking.bearers // weapon.copies}{weapon.copies_note} x {weapon.attacks}"
        + "".join(f", {change}" for change in (*by_stat["attacks"], *by_stat[DICE]))
    ]
    notes += told("AP", "as written", by_stat["ap"])
    ap = changed(weapon.stat("ap", 0), by_stat["ap"], "ap")
    chain = _with_needs(draft.chain, attacking, by_stat, notes)
    notes += told("Damage", weapon.damage, by_stat["damage"])
    blow = Blow(
        kind=weapon.kind,
        psychic=any(held.ability.edit is psychic for held in attacking.abilities),
        ap=ap,
        critical_ap=ap - int(weapon.stat("crit_wound_ap", 0)),
        damage=rerolled_dice(weapon.damage, "reroll_damage", changes),
        damage_changes=by_stat["damage"],
        melta=draft.rolled("damage"),
    )
    check_dice(commands, attacks, blow.damage)
    profile = _profile(
        chain, blow, changed(weapon.stat("strength"), by_stat["strength"], "strength"), attacking
    )
    chain, again = batch_again(
        command_rerolls(commands) | single_rerolls(changes), chain, turned_to_six(changes)
    )
    number = attacking.bearers
    total = each.power_lowest_again(number) if "command_reroll_attacks" in commands else each.power(number)
    return Strike(total, chain, blow, profile, tuple(notes), again)


def _profile(chain: Chain, blow: Blow, strength: int, attacking: Attacking) -> tuple[object, ...]:
    """WH40K11-04.03.01: what identical attacks share: skill, net modifiers, thresholds, re-rolls, Strength,
    AP, Damage, and the abilities that act inside the sequence; whatever the weapons are called.
    """
    lanes = tuple(
        (name, replace(lane, modifiers=(Modifier(lane.modifier(), ""),)) if isinstance(lane, Roll) else lane)
        for name, lane in chain.lanes
    )
    inside = frozenset(str(held) for held in attacking.abilities if held.ability.name not in OUTSIDE)
    plain = tuple((change.op, change.value) for change in blow.damage_changes)
    return lanes, replace(blow, damage_changes=()), plain, strength, inside


def _chain(attacking: Attacking) -> Chain:
    """WH40K11-05.01 and WH40K11-05.02 with the limits of WH40K11-02.02.01-ROLLS; needs are put in later."""
    weapon = attacking.weapon
    # WH40K11-15.09: only an unmodified 6 hits, and no Hit roll is rolled again
    snap = "overwatch" in attacking.facts.flags
    hit = Roll(
        needs=None,
        modifiers=tuple(sorted(_hit_modifiers(attacking))),
        limit=(-1, 1),
        limit_source="WH40K11-02.02.01-ROLLS",
        crit_on=weapon.stat("crit_on", 6),
        fails_up_to=1,
        only=frozenset({6}) if snap else None,
        no_reroll=snap,
        on_success=("wound",),
    )
    # WH40K11-05.03.02: what a Critical Wound changes makes another pool of saves
    split = bool(weapon.stat("crit_wound_ap", 0)) and not any(
        held.ability.name == "Devastating Wounds" for held in attacking.abilities
    )
    wound = Roll(
        needs=None,
        limit=(-1, 1),
        limit_source="WH40K11-02.02.01-ROLLS",
        crit_on=weapon.stat("crit_wound_on", 6),
        fails_up_to=1,
        plain_fails_up_to=attacking.wound_fails_up_to,
        on_success=("ordinary",),
        on_crit=("critical",) if split else None,
    )
    return Chain("hit", (("hit", hit), ("wound", wound)), STAGES)


def _hit_modifiers(attacking: Attacking) -> Iterable[Modifier]:
    if attacking.weapon.kind != "ranged":
        return
    facts = attacking.facts
    close = any("engaged" in held.ability.allows for held in attacking.abilities)
    engaged = {"engaged", "engaged_elsewhere"} & facts.flags
    beside = "engaged" in facts.flags and "engaged_elsewhere" not in facts.flags
    if engaged and facts.keywords & BIG and not (close and beside):
        yield Modifier(-1, "shooting while engaged (WH40K11-10.06)")
    if "target_engaged" in facts.flags and not (close and beside):
        yield Modifier(-1, "an engaged target (WH40K11-17.03)")


def _skill_changes(attacking: Attacking) -> Iterable[Change]:
    """What acts on Ballistic Skill and not on the roll: cover and Plunging Fire."""
    if attacking.weapon.kind != "ranged":
        return
    if source := _cover(attacking):
        yield Change("skill", "add", 1, source)
    facts = attacking.facts
    if "plunging_fire" in facts.flags and "AIRCRAFT" not in facts.keywords | facts.target_keywords:
        yield Change("skill", "add", -1, "Plunging Fire (WH40K11-22.05)")


def _cover(attacking: Attacking) -> str:
    """WH40K11-13.08: where the target's cover comes from, if it has it against this weapon; from several
    sources it is the same.
    """
    facts = attacking.facts
    abilities = [held.ability for held in attacking.abilities]
    said = [ability.cover(facts.only(ability.reads)) for ability in abilities if ability.cover is not None]
    if False in said or attacking.covered is False:
        return ""
    sources = {
        "Cover (WH40K11-13.08)": "target_in_cover" in facts.flags or attacking.covered is True,
        "Cover (WH40K11-10.07)": True in said,
        "Stealth (WH40K11-24.33)": attacking.stealth,
        "Smokescreen (WH40K11-15.10)": "smokescreen" in attacking.commands,
    }
    return next((source for source, holds in sources.items() if holds), "")


def _with_needs(
    chain: Chain, attacking: Attacking, by_stat: dict[str, tuple[Change, ...]], notes: list[str]
) -> Chain:
    """Puts the Skill, and Strength against Toughness, into the rolls."""
    weapon, toughness = attacking.weapon, attacking.toughness
    skill = weapon.stat("skill")
    notes += told("Skill", f"{skill}+", by_stat["skill"])
    hit = None if skill is None else changed(skill, by_stat["skill"], "skill")
    strength = changed(weapon.stat("strength"), by_stat["strength"], "strength")
    notes.append(f"Strength {strength} against Toughness {toughness} (WH40K11-05.02)")
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
