"""The attack sequence of Warhammer 40,000, 10th edition (WH40K-SEQ), as a plan for the engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from mathhammer.dice.notation import Dice, parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Fan, Modifier, Roll, Stage, flow
from mathhammer.engine.plan import Again, Packet, Plan, Volley
from mathhammer.errors import BadInputError
from mathhammer.games.abilities import Ability, Draft
from mathhammer.games.applying_effects import (
    Active,
    abilities_of,
    attack_changes,
    defence_changes,
    edited,
    extra_mortals,
    facts_of,
    gifts_of,
    rerolled_dice,
)
from mathhammer.games.game import Fight
from mathhammer.games.wh40k10.abilities import ABILITIES
from mathhammer.games.wh40k10.characteristics import changed, changed_dice, told, wound_needs
from mathhammer.games.wh40k10.command_reroll import batch_again, check_dice
from mathhammer.games.wh40k10.defence import REROLLS, Blow, packets, target_of, uses_of
from mathhammer.games.wh40k10.weapons import bearers_of, check_weapons, why_not
from mathhammer.units.effects import Change, Facts, parse_change
from mathhammer.units.unit import Weapon

STATS = {
    "attacks": "Attacks characteristic",
    "skill": "Ballistic or Weapon Skill",
    "strength": "Strength characteristic",
    "ap": "AP as it is written: -1 improves it",
    "damage": "Damage characteristic",
}
STAGES = (
    Stage("hits", leaving="hit"),
    Stage("wounds", entering=("ordinary", "devastating")),
    Stage("unsaved", entering=("ordinary", "devastating"), past_save=True),
    Stage("mortal", entering=("extra mortal",)),
)


def plan(fight: Fight) -> Plan:
    """All weapons in the listed order (WH40K-ORDER) against one target, with carry-over.

    What they look at is fixed before the first die (WH40K-TARGETCHECK); identical attacks are worked out
    together (WH40K-FASTDICE).
    """
    check_weapons(fight)
    skipped: list[tuple[str, str]] = []
    able: list[tuple[Weapon, Facts, list[Active], frozenset[str]]] = []
    for weapon in fight.weapons:
        facts = _measured(fight, weapon, facts_of(fight, weapon))
        changes = attack_changes(fight, facts, weapon)
        abilities = frozenset(abilities_of(weapon, changes))
        if reason := why_not(fight, weapon, facts, abilities):
            skipped.append((weapon.name, reason))
        else:
            able.append((weapon, facts, changes, abilities))
    picking = fight.option("precision_choice") == "character" and any(
        _precise(fight, weapon, names) for weapon, _, _, names in able
    )
    target = target_of(fight.target, picking, uses_of(fight))
    apart = len(target.tracks) > 1
    volleys: list[Volley] = []
    mortals: Counter[tuple[str, Dice]] = Counter()
    for index, (weapon, facts, changes, names) in enumerate(able):
        order = (1, 0) if apart and _precise(fight, weapon, names) else (0, 1) if apart else (0,)
        volleys.append(_volley(fight, weapon, facts, changes, names, order, index))
        mortals |= Counter(extra_mortals(changes))
    for source, dice in mortals.elements():
        volleys.append(_extra(fight, source, dice, len(able), (0, 1) if apart else (0,)))
    return Plan(tuple(volleys), target, tuple(skipped))


def _measured(fight: Fight, weapon: Weapon, facts: Facts) -> Facts:
    """WH40K-AGAINST: rules that ask for the attack's Strength look at it, and at the Toughness, at the start
    of the sequence.
    """
    effects = (
        *fight.effects,
        *fight.attacker.effects,
        *fight.target.effects,
        *gifts_of(fight.friends),
        *gifts_of(fight.target_friends),
    )
    if not any(condition.subject == "strength" for effect in effects for condition in effect.when):
        return facts
    strength = [
        parse_change(c.key, c.value, c.source)
        for c in attack_changes(fight, facts, weapon)
        if c.key == "strength"
    ]
    return replace(
        facts,
        strength=changed(weapon.stat("strength"), strength, "strength"),
        toughness=_toughness(fight, defence_changes(fight, facts, weapon)),
    )


def _toughness(fight: Fight, guards: Iterable[Active]) -> int:
    """WH40K-UNITT: of the whole unit."""
    moves = [
        parse_change("toughness", change.value, change.source)
        for change in guards
        if change.key == "toughness"
    ]
    return changed(fight.target.stat("toughness"), moves, "toughness")


def _precise(fight: Fight, weapon: Weapon, abilities: frozenset[str]) -> bool:
    """WH40K-PRECISION, or melee attacks under Epic Challenge (WH40K-EPIC)."""
    return "Precision" in abilities or (
        "epic_challenge" in fight.situation.commands and weapon.kind == "melee"
    )


def strongest(names: Iterable[str]) -> list[tuple[Ability, str]]:
    """WH40K-DUP: of one ability from several sources the one with the higher expectation;
    Anti counts by keyword.
    """
    best: dict[str, tuple[float, Ability, str]] = {}
    for name in names:
        ability, detail = ABILITIES.find(name)
        keyword, _, threshold = detail.rpartition(" ")
        anti = ability.name == "Anti-X n+"
        key = f"{ability.name} {keyword.upper()}" if anti else ability.name
        worth = (
            7.0 - int(threshold.rstrip("+")) if anti else parse_dice(detail).pmf().mean() if detail else 0.0
        )
        if key not in best or worth > best[key][0]:
            best[key] = (worth, ability, detail)
    return [(ability, detail) for _, ability, detail in best.values()]


@dataclass(frozen=True, slots=True)
class Strike:
    """A weapon's attacks before the target does anything about them."""

    attacks: Pmf
    chain: Chain
    blow: Blow
    notes: tuple[str, ...]
    again: Again | None


def _volley(
    fight: Fight,
    weapon: Weapon,
    facts: Facts,
    changes: list[Active],
    names: frozenset[str],
    tracks: tuple[int, ...],
    index: int,
) -> Volley:
    guards = defence_changes(fight, facts, weapon)
    blast = any(name == "Blast" for name in names)
    strike = _strike(
        weapon,
        bearers_of(fight, weapon),
        # what the abilities look at, and nothing else: many targets then share one answer
        Facts(facts.flags, facts.keywords, facts.target_keywords, 0, facts.target_models if blast else 0),
        tuple(changes),
        names,
        fight.situation.commands,
        _toughness(fight, guards),
        bool(fight.target.stat("stealth")),
        int(fight.target.stat("unmodified_wound_fails_up_to", 0)),
        index,
    )
    reached = flow(strike.chain).entering
    kinds = tuple(kind for kind in ("ordinary", "devastating", "extra mortal") if kind in reached)
    landing, notes = packets(fight, facts, strike.blow, tuple(guards), tracks, kinds)
    return Volley(weapon.name, strike.attacks, strike.chain, landing, strike.notes + notes, strike.again)


@lru_cache(maxsize=65536)
def _strike(
    weapon: Weapon,
    number: int,
    facts: Facts,
    changes: tuple[Active, ...],
    names: frozenset[str],
    commands: tuple[str, ...],
    toughness: int,
    stealth: bool,
    wound_fails_up_to: int,
    index: int,
) -> Strike:
    """Everything that does not depend on the target's saves; memoised, because whole armies ask for it again
    and again.

    The weapon itself stays as it is, whatever its attacks become (WH40K-ATTACKPROFILE); random Attacks are
    rolled for each bearer, random Damage for each attack that gets through (WH40K-RAND).
    """
    found = strongest(sorted(names))
    kinds = {ability.name for ability, _ in found}
    if "Extra Attacks" in kinds:  # WH40K-EXTRA: only rules that name the weapon change its Attacks
        changes = tuple(change for change in changes if change.key != "attacks" or change.named)
    chain = _chain(weapon, facts, kinds, commands, stealth, wound_fails_up_to)
    draft = edited(Draft(chain), changes, REROLLS, frozenset(STATS))
    for ability, detail in found:
        draft = ability.edit(draft, facts, detail)
    by_stat = {stat: tuple(change for change in draft.changes if change.stat == stat) for stat in STATS}
    half = "half_range" in facts.flags
    rolled = {
        ability.name: parse_dice(detail)
        for ability, detail in found
        if detail and not detail.isdigit() and ability.name[-1] == "X"
    }
    attacks = rerolled_dice(weapon.attacks, "reroll_attacks", changes)
    each = changed_dice(attacks, by_stat["attacks"], "attacks", rolled.get("Rapid Fire X") if half else None)
    notes = [
        f"Attacks: {number} x {weapon.attacks}" + "".join(f", {change}" for change in by_stat["attacks"])
    ]
    ap = changed(weapon.stat("ap", 0), _ap_changes(facts, by_stat["ap"], notes), "ap")
    chain = _with_needs(draft.chain, weapon, by_stat, toughness, notes)
    notes += told("Damage", weapon.damage, by_stat["damage"])
    blow = Blow(
        psychic="Psychic" in kinds,
        ap=ap,
        damage=rerolled_dice(weapon.damage, "reroll_damage", changes),
        damage_changes=by_stat["damage"],
        melta=rolled.get("Melta X") if half else None,
        cover=_cover(weapon, facts, kinds, commands),
        index=index,
    )
    check_dice(commands, attacks, blow.damage)
    chain, again = batch_again(commands, chain)
    total = each.power_lowest_again(number) if "command_reroll_attacks" in commands else each.power(number)
    return Strike(total, chain, blow, tuple(notes), again)


def _extra(fight: Fight, source: str, dice: Dice, index: int, tracks: tuple[int, ...]) -> Volley:
    """Mortal wounds on top of the attacks, once, after everything else (WH40K-MORTALADD)."""
    lane = "mortal wounds"
    chain = Chain(lane, ((lane, Fan(dice, "extra mortal")),), (Stage("mortal", entering=("extra mortal",)),))
    return Volley(
        source,
        Pmf.constant(1),
        chain,
        mortal_packets(fight, index, tracks),
        ("Mortal wounds: no save (WH40K-MORTAL)",),
    )


def mortal_packets(
    fight: Fight, index: int, tracks: tuple[int, ...], psychic: bool = False
) -> tuple[Packet, ...]:
    """Mortal wounds as packets of one point, which spill."""
    none = Weapon("mortal wounds", "ranged", parse_dice(0), parse_dice(1))
    blow = Blow(psychic, 0, parse_dice(1), (), None, "", index)
    facts = facts_of(fight, none)
    return packets(fight, facts, blow, tuple(defence_changes(fight, facts, none)), tracks, ("extra mortal",))[
        0
    ]


# --- rolls
# --------------------------------------------------------------------------------------------------------


def _chain(
    weapon: Weapon,
    facts: Facts,
    abilities: set[str],
    commands: tuple[str, ...],
    stealth: bool,
    wound_fails_up_to: int,
) -> Chain:
    """WH40K-HIT and WH40K-WOUND with the limits of WH40K-CLAMP; needs are put in later.

    Criticals (WH40K-CRIT) and automatic failures look at the unmodified die (WH40K-UNMOD). A modified die is
    never below 1, which no need asks for, and may be above 6 (WH40K-MODROLL).
    """
    overwatch = "overwatch" in facts.flags
    hit = Roll(
        needs=None,
        modifiers=tuple(sorted(_hit_modifiers(weapon, facts, abilities, stealth or _smoke(facts, commands)))),
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
        plain_fails_up_to=wound_fails_up_to,  # WH40K-PRIORITY
        on_success=("ordinary",),
    )
    return Chain("hit", (("hit", hit), ("wound", wound)), STAGES)


def _hit_modifiers(weapon: Weapon, facts: Facts, abilities: set[str], stealth: bool) -> Iterable[Modifier]:
    if weapon.kind != "ranged":
        return
    if stealth:
        yield Modifier(-1, "Stealth (WH40K-STEALTH)")
    big = facts.keywords & {"MONSTER", "VEHICLE"}
    if "Pistol" not in abilities and (("engaged" in facts.flags and big) or "target_engaged" in facts.flags):
        yield Modifier(-1, "Big Guns Never Tire (WH40K-BGNT)")


def _ap_changes(facts: Facts, changes: tuple[Change, ...], notes: list[str]) -> tuple[Change, ...]:
    if "plunging_fire" in facts.flags and "ranged" in facts.flags:
        changes = (*changes, Change("ap", "add", -1, "Plunging Fire (WH40K-PLUNGE)"))
    notes += told("AP", "as written", changes)
    return changes


def _cover(weapon: Weapon, facts: Facts, abilities: set[str], commands: tuple[str, ...]) -> str:
    """Where the target's Benefit of Cover comes from, if it has it against this weapon."""
    if weapon.kind != "ranged" or "Ignores Cover" in abilities:  # WH40K-IGNCOVER
        return ""
    sources = {
        "Cover (WH40K-COVER)": "target_in_cover" in facts.flags,
        "Cover (WH40K-INDIRECT)": "Indirect Fire" in abilities and "target_unseen" in facts.flags,
        "Go to Ground (WH40K-GOTOGROUND)": "go_to_ground" in commands and "INFANTRY" in facts.target_keywords,
        "Smokescreen (WH40K-SMOKE)": _smoke(facts, commands),
    }
    return next((source for source, holds in sources.items() if holds), "")


def _smoke(facts: Facts, commands: tuple[str, ...]) -> bool:
    """WH40K-SMOKE: the stratagem is for Smoke units."""
    return "smokescreen" in commands and "SMOKE" in facts.target_keywords


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
