"""The attack sequence of Warhammer 40,000, 10th edition (WH40K-SEQ), as a plan for the engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from mathhammer.dice.notation import Dice
from mathhammer.engine.chain import flow
from mathhammer.engine.plan import Plan, Volley
from mathhammer.games.abilities import looked_at_by
from mathhammer.games.applying_effects import Armed, arm, covered, extra_mortals
from mathhammer.games.game import Fight
from mathhammer.games.gathering import attack_changes, defence_changes, effects_in_play, facts_of
from mathhammer.games.mortals import harm_by_dice, on_dice
from mathhammer.games.one_reroll import best_reroll
from mathhammer.games.wh40k.bearers import bearers_of
from mathhammer.games.wh40k.characteristics import changed, changed_dice
from mathhammer.games.wh40k.models import has_rule, uses_of
from mathhammer.games.wh40k.rules_besides import first_mortals, instead_of_attacks
from mathhammer.games.wh40k10.abilities import ABILITIES
from mathhammer.games.wh40k10.command_reroll import lowest_of_all, with_lowest_again
from mathhammer.games.wh40k10.defence import first_save, packets, target_of
from mathhammer.games.wh40k10.hazards import own_harm
from mathhammer.games.wh40k10.mortal import mortal_volley
from mathhammer.games.wh40k10.strike import LOOKED_AT, Attacking, Strike, strike_of
from mathhammer.games.wh40k10.weapons import check_weapons, looked_at, precise, protects, why_not
from mathhammer.units.conditions import ATTACK_OWN, Facts
from mathhammer.units.effects import Active, parse_change
from mathhammer.units.unit import Weapon


def plan(fight: Fight) -> Plan:
    """All weapons in the listed order (WH40K-ORDER) against one target, with carry-over.

    What they look at is fixed before the first die (WH40K-TARGETCHECK); identical attacks are worked out
    together (WH40K-FASTDICE). WH40K-LEADING, WH40K-UNITT, WH40K-HALF: units are taken as they stand then.
    """
    fight = replace(fight, attacker=fight.attacker.now(), target=fight.target.now())
    check_weapons(fight)
    skipped: list[tuple[str, str]] = []
    able: list[Armed] = []
    instead = instead_of_attacks(fight)
    for weapon in fight.weapons:
        facts = _measured(fight, weapon, facts_of(fight, weapon))
        armed = arm(ABILITIES, fight, weapon, facts)
        if reason := instead or why_not(fight, armed):
            skipped.append((weapon.name, reason))
        else:
            able.append(armed)
    picking = fight.option("precision_choice") == "character" and any(precise(fight, armed) for armed in able)
    target = target_of(fight.target, picking, uses_of(fight), protects(fight))
    apart = len(target.tracks) > 1
    everyone = (0, 1) if apart else (0,)
    volleys = [
        mortal_volley(fight, source, points, -1, everyone, unwarded)
        for source, points, unwarded in first_mortals(fight)
    ]
    mortals: Counter[tuple[str, Dice]] = Counter()
    attacks: list[Volley] = []
    for index, armed in enumerate(able):
        order = (1, 0) if apart and precise(fight, armed) else everyone
        attacks.append(_volley(fight, armed, index, order))
        mortals |= Counter(extra_mortals(armed.changes))
    volleys += best_reroll(attacks)  # WH40K-CMDREROLL: one roll of one weapon
    if lowest_of_all(fight):
        volleys, target = with_lowest_again(volleys, target)
    for source, dice in mortals.elements():
        volleys.append(mortal_volley(fight, source, dice.pmf(), len(able), everyone))
    back = [harm for armed in able for harm in _harm_by_dice(fight, armed)]
    return Plan(tuple(volleys), target, tuple(skipped), own=own_harm(fight, able, back))


def _harm_by_dice(fight: Fight, armed: Armed) -> list[Volley]:
    """What single dice of a weapon's attacks do to the attacker, by rules of the target."""
    if not fight.target.effects or not on_dice(fight, armed.facts):
        return []
    guards = tuple(defence_changes(fight, armed.facts, armed.weapon))
    strike = _strike(fight, armed, 0, guards)
    return harm_by_dice(
        fight, armed.facts, strike.chain, strike.attacks, first_save(fight, strike.blow, guards)
    )


def _measured(fight: Fight, weapon: Weapon, facts: Facts) -> Facts:
    """WH40K-AGAINST: rules that ask for the attack's Strength look at it, and at the Toughness, at the start
    of the sequence; rules that ask for its AP or Damage look at them after all other changes.
    """
    asked = {condition.subject for effect in effects_in_play(fight) for condition in effect.when} & ATTACK_OWN
    if not asked:
        return facts
    strength = [
        parse_change(c.key, c.value, c.source)
        for c in attack_changes(fight, facts, weapon)
        if c.key == "strength"
    ]
    facts = replace(
        facts,
        strength=changed(weapon.stat("strength"), strength, "strength"),
        toughness=toughness_of(fight, defence_changes(fight, facts, weapon)),
    )
    if asked == {"strength"}:
        return facts
    guards = tuple(defence_changes(fight, facts, weapon))
    blow = _strike(fight, arm(ABILITIES, fight, weapon, facts), 0, guards).blow
    damage = changed_dice(blow.damage, blow.damage_changes, "damage", blow.melta)
    fixed = len(damage) - 1 if damage[len(damage) - 1] == 1.0 else None
    return replace(facts, ap=-blow.ap, damage=fixed)


def toughness_of(fight: Fight, guards: Iterable[Active]) -> int:
    """WH40K-UNITT: of the whole unit."""
    moves = [
        parse_change("toughness", change.value, change.source)
        for change in guards
        if change.key == "toughness"
    ]
    return changed(fight.target.stat("toughness"), moves, "toughness")


def _strike(fight: Fight, armed: Armed, index: int, guards: tuple[Active, ...]) -> Strike:
    """The attacks of a weapon before the target does anything; `guards`: what acts on the target."""
    weapon, facts = armed.weapon, armed.facts
    words = looked_at(facts.flags, frozenset(fight.situation.commands))
    return strike_of(
        Attacking(
            weapon=weapon,
            bearers=bearers_of(ABILITIES, fight, weapon) * weapon.copies,
            facts=looked_at_by(armed.abilities, facts, LOOKED_AT, words),
            changes=armed.changes,
            abilities=armed.abilities,
            commands=fight.situation.commands,
            toughness=toughness_of(fight, guards),
            stealth=has_rule(fight.target, "stealth", guards),
            wound_fails_up_to=int(fight.target.stat("unmodified_wound_fails_up_to", 0)),
            index=index,
            covered=covered(guards),
            plunge_last=fight.option("plunging_fire") == "after_limit",
        )
    )


def _volley(fight: Fight, armed: Armed, index: int, tracks: tuple[int, ...]) -> Volley:
    """The attacks of a weapon, and what the target does about them."""
    weapon, facts = armed.weapon, armed.facts
    guards = tuple(defence_changes(fight, facts, weapon))
    strike = _strike(fight, armed, index, guards)
    reached = flow(strike.chain).entering
    kinds = tuple(kind for kind in ("ordinary", "devastating", "extra mortal") if kind in reached)
    landing, notes = packets(fight, facts, strike.blow, guards, tracks, kinds)
    return Volley(weapon.name, strike.attacks, strike.chain, landing, strike.notes + notes, strike.again)
