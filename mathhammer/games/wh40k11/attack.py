"""The attack sequence of Warhammer 40,000, 11th edition (WH40K11-04), as a plan for the engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from mathhammer.dataclass import dataclass
from mathhammer.dice.notation import Dice
from mathhammer.engine.chain import flow
from mathhammer.engine.plan import Plan, Volley
from mathhammer.errors import UnknownNameError
from mathhammer.games.abilities import looked_at_by
from mathhammer.games.applying_effects import Armed, arm, covered, extra_mortals
from mathhammer.games.game import Fight
from mathhammer.games.gathering import attack_changes, defence_changes, effects_in_play, facts_of
from mathhammer.games.mortals import harm_by_dice, on_dice
from mathhammer.games.one_reroll import best_reroll
from mathhammer.games.wh40k.bearers import bearers_of
from mathhammer.games.wh40k.characteristics import changed_dice
from mathhammer.games.wh40k.models import has_rule, uses_of
from mathhammer.games.wh40k.rules_besides import first_mortals, instead_of_attacks
from mathhammer.games.wh40k11.abilities import ABILITIES, that_work
from mathhammer.games.wh40k11.allocation import Allocation, allocation_of
from mathhammer.games.wh40k11.characteristics import changed
from mathhammer.games.wh40k11.defence import KINDS, first_save, packets
from mathhammer.games.wh40k11.hazards import own_harm
from mathhammer.games.wh40k11.mortal import mortal_volley
from mathhammer.games.wh40k11.shooting import check_weapons, looked_at, precise, why_not
from mathhammer.games.wh40k11.strike import LOOKED_AT, Attacking, Strike, strike_of
from mathhammer.units.conditions import ATTACK_OWN, Facts
from mathhammer.units.effects import Active, parse_change
from mathhammer.units.unit import Weapon

LETHAL = "Lethal Hits"
ALWAYS, NEVER, BEST = "always", "never", "best"


@dataclass(frozen=True, slots=True)
class _Set:
    """Attacks that are gathered together (WH40K11-04.03.01)."""

    names: tuple[str, ...]
    strike: Strike
    precise: bool
    guards: tuple[Active, ...]


def plan(fight: Fight) -> Plan:
    """One set of identical attacks after the other (WH40K11-04.03), each with its saves, damage and mortal
    wounds before the next is rolled.

    What they look at is fixed when targets are selected (WH40K11-04.02).
    """
    fight = replace(fight, attacker=fight.attacker.now(), target=fight.target.now())
    check_weapons(fight)
    able, skipped = _able(fight)
    picking = any(precise(fight, armed) for armed in able)
    allocation = allocation_of(fight.target, uses_of(fight), picking, fight.option("precision_target"))
    volleys = [
        mortal_volley(fight, source, points, allocation, unwarded)
        for source, points, unwarded in first_mortals(fight)
    ]
    mortals: Counter[tuple[str, Dice]] = Counter()
    for armed in able:
        mortals |= Counter(extra_mortals(armed.changes))
    sets = _gathered([_set(fight, armed) for armed in able])
    # WH40K11-15.02: one roll of one set
    volleys += best_reroll([_volley(fight, one, allocation) for one in sets])
    for source, dice in mortals.elements():
        volleys.append(mortal_volley(fight, source, dice.pmf(), allocation))
    back = [harm for armed in able for harm in _harm_by_dice(fight, armed)]
    return Plan(
        tuple(volleys),
        allocation.target,
        skipped,
        choices=_lethal_choices(fight, able),
        own=own_harm(fight, able, back),
    )


def _able(fight: Fight) -> tuple[list[Armed], tuple[tuple[str, str], ...]]:
    """The weapons that attack, and why the others do not."""
    skipped: list[tuple[str, str]] = []
    able: list[Armed] = []
    instead = instead_of_attacks(fight)
    for weapon in fight.weapons:
        armed = _armed(fight, weapon, _measured(fight, weapon, facts_of(fight, weapon)))
        if reason := instead or why_not(fight, armed):
            skipped.append((weapon.name, reason))
        else:
            able.append(armed)
    return able, tuple(skipped)


def _armed(fight: Fight, weapon: Weapon, facts: Facts) -> Armed:
    """A weapon with the abilities that work here."""
    armed = arm(ABILITIES, fight, weapon, facts)
    held = that_work(armed.abilities, facts.target_keywords)
    if lethal_choice(fight, weapon) == NEVER:  # WH40K11-24.23: the attacker may let it wound
        held = tuple(one for one in held if one.ability.name != LETHAL)
    if "overwatch" in facts.flags and fight.option("snap_torrent") == "sixes":
        held = tuple(one for one in held if one.ability.name != "Torrent")
    changes = armed.changes
    if ABILITIES.carried(weapon, "extra") and fight.option("extra_attacks") == "named":
        changes = tuple(change for change in changes if change.key != "attacks" or change.named)
    return replace(armed, abilities=held, changes=changes)


def lethal_choice(fight: Fight, weapon: Weapon) -> str:
    """What the attacker does with Critical Hits of a weapon with Lethal Hits."""
    return dict(fight.choices).get(weapon.name, ALWAYS)


def _lethal_choices(fight: Fight, able: Iterable[Armed]) -> tuple[tuple[str, str], ...]:
    """The choices that were made, for the answer."""
    return tuple(
        (armed.weapon.name, lethal_choice(fight, armed.weapon))
        for armed in able
        if armed.weapon.name in dict(fight.choices)
    )


def optional(fight: Fight) -> dict[str, dict[str, str]]:
    """WH40K11-24.23: weapons whose Critical Hits wound by themselves if the attacker lets them."""
    able, _ = _able(replace(fight, choices=()))
    return {
        armed.weapon.name: {ALWAYS: LETHAL, NEVER: f"no {LETHAL}"}
        for armed in able
        if any(held.ability.name == LETHAL for held in armed.abilities)
    }


def decisions(fight: Fight) -> tuple[Fight, ...]:
    """WH40K11-24.23: the same question once for each way to use Lethal Hits, where the better one is asked
    for; to take the wound always comes first.
    """
    ways: list[list[tuple[str, str]]] = []
    for name, choice in fight.choices:
        if choice not in (ALWAYS, NEVER, BEST):
            raise UnknownNameError(f"fight: {name}", "choice", choice, (ALWAYS, NEVER, BEST))
        ways.append([(name, way) for way in ((ALWAYS, NEVER) if choice == BEST else (choice,))])
    return tuple(replace(fight, choices=choices) for choices in product(*ways))


def _set(fight: Fight, armed: Armed) -> _Set:
    guards = tuple(defence_changes(fight, armed.facts, armed.weapon))
    return _Set((armed.weapon.name,), _strike(fight, armed, guards), precise(fight, armed), guards)


def _gathered(sets: Iterable[_Set]) -> list[_Set]:
    """WH40K11-04.03.01: identical attacks are rolled together, at the place of the first of them."""
    found: dict[tuple[object, ...], _Set] = {}
    for one in sets:
        key = (one.strike.profile, one.precise, one.guards)
        if key in found:
            first = found[key]
            attacks = first.strike.attacks.convolve(one.strike.attacks)
            strike = replace(first.strike, attacks=attacks, notes=first.strike.notes + one.strike.notes)
            found[key] = replace(first, names=first.names + one.names, strike=strike)
        else:
            found[key] = one
    return list(found.values())


def _volley(fight: Fight, one: _Set, allocation: Allocation) -> Volley:
    """A set of identical attacks, and what the target does about them."""
    strike = one.strike
    reached = flow(strike.chain).entering
    kinds = tuple(kind for kind in KINDS if kind in reached)
    landing, notes = packets(fight, strike.blow, one.guards, allocation, one.precise, kinds)
    name = " and ".join(one.names)
    return Volley(name, strike.attacks, strike.chain, landing, strike.notes + notes, strike.again, apart=True)


def _harm_by_dice(fight: Fight, armed: Armed) -> list[Volley]:
    """What single dice of a weapon's attacks do to the attacker, by rules of the target."""
    if not fight.target.effects or not on_dice(fight, armed.facts):
        return []
    guards = tuple(defence_changes(fight, armed.facts, armed.weapon))
    strike = _strike(fight, armed, guards)
    save = first_save(fight, strike.blow, guards)
    return harm_by_dice(fight, armed.facts, strike.chain, strike.attacks, save)


def _measured(fight: Fight, weapon: Weapon, facts: Facts) -> Facts:
    """WH40K11-04.02.02: rules that ask for the attack's Strength, AP or Damage look at them once the targets
    are selected.
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
    blow = _strike(fight, _armed(fight, weapon, facts), guards).blow
    damage = changed_dice(blow.damage, blow.damage_changes, "damage", blow.melta, by=changed)
    fixed = len(damage) - 1 if damage[len(damage) - 1] == 1.0 else None
    return replace(facts, ap=-blow.ap, damage=fixed)


def toughness_of(fight: Fight, guards: Iterable[Active]) -> int:
    """WH40K11-05.02.01: of the whole unit, fixed when the targets are selected."""
    moves = [
        parse_change("toughness", change.value, change.source)
        for change in guards
        if change.key == "toughness"
    ]
    return changed(fight.target.stat("toughness"), moves, "toughness")


def _strike(fight: Fight, armed: Armed, guards: tuple[Active, ...]) -> Strike:
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
            covered=covered(guards),
        )
    )
