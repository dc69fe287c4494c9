"""The attack sequence of Warhammer 40,000, 10th edition (WH40K-SEQ), as a plan for the engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from mathhammer.dice.notation import Dice, parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Fan, Stage, flow
from mathhammer.engine.plan import Packet, Plan, Volley
from mathhammer.games.abilities import reads_of
from mathhammer.games.applying_effects import (
    Armed,
    arm,
    attack_changes,
    defence_changes,
    extra_mortals,
    facts_of,
    gifts_of,
)
from mathhammer.games.game import Fight
from mathhammer.games.wh40k.characteristics import changed
from mathhammer.games.wh40k10.abilities import ABILITIES
from mathhammer.games.wh40k10.defence import Blow, packets, target_of, uses_of
from mathhammer.games.wh40k10.strike import LOOKED_AT, Attacking, strike_of
from mathhammer.games.wh40k10.weapons import bearers_of, check_weapons, why_not
from mathhammer.units.effects import Active, Facts, parse_change
from mathhammer.units.unit import Weapon


def plan(fight: Fight) -> Plan:
    """All weapons in the listed order (WH40K-ORDER) against one target, with carry-over.

    What they look at is fixed before the first die (WH40K-TARGETCHECK); identical attacks are worked out
    together (WH40K-FASTDICE).
    """
    check_weapons(fight)
    skipped: list[tuple[str, str]] = []
    able: list[Armed] = []
    for weapon in fight.weapons:
        facts = _measured(fight, weapon, facts_of(fight, weapon))
        armed = arm(ABILITIES, fight, weapon, facts)
        if reason := why_not(fight, armed):
            skipped.append((weapon.name, reason))
        else:
            able.append(armed)
    picking = fight.option("precision_choice") == "character" and any(
        _precise(fight, armed) for armed in able
    )
    target = target_of(fight.target, picking, uses_of(fight))
    apart = len(target.tracks) > 1
    volleys: list[Volley] = []
    mortals: Counter[tuple[str, Dice]] = Counter()
    for index, armed in enumerate(able):
        order = (1, 0) if apart and _precise(fight, armed) else (0, 1) if apart else (0,)
        volleys.append(_volley(fight, armed, index, order))
        mortals |= Counter(extra_mortals(armed.changes))
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
        toughness=toughness_of(fight, defence_changes(fight, facts, weapon)),
    )


def toughness_of(fight: Fight, guards: Iterable[Active]) -> int:
    """WH40K-UNITT: of the whole unit."""
    moves = [
        parse_change("toughness", change.value, change.source)
        for change in guards
        if change.key == "toughness"
    ]
    return changed(fight.target.stat("toughness"), moves, "toughness")


def _precise(fight: Fight, armed: Armed) -> bool:
    """WH40K-PRECISION, or melee attacks under Epic Challenge (WH40K-EPIC)."""
    challenge = "epic_challenge" in fight.situation.commands and armed.weapon.kind == "melee"
    return challenge or any(held.ability.picks_characters for held in armed.abilities)


def _volley(fight: Fight, armed: Armed, index: int, tracks: tuple[int, ...]) -> Volley:
    """The attacks of a weapon, and what the target does about them."""
    weapon, facts = armed.weapon, armed.facts
    guards = tuple(defence_changes(fight, facts, weapon))
    reads = tuple(sorted(reads_of(armed.abilities) | LOOKED_AT))
    strike = strike_of(
        Attacking(
            weapon=weapon,
            bearers=bearers_of(fight, weapon),
            facts=facts.only(reads),  # nothing else, so that many targets share one answer
            changes=armed.changes,
            abilities=armed.abilities,
            commands=fight.situation.commands,
            toughness=toughness_of(fight, guards),
            stealth=bool(fight.target.stat("stealth")),
            wound_fails_up_to=int(fight.target.stat("unmodified_wound_fails_up_to", 0)),
            index=index,
        )
    )
    reached = flow(strike.chain).entering
    kinds = tuple(kind for kind in ("ordinary", "devastating", "extra mortal") if kind in reached)
    landing, notes = packets(fight, facts, strike.blow, guards, tracks, kinds)
    return Volley(weapon.name, strike.attacks, strike.chain, landing, strike.notes + notes, strike.again)


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
