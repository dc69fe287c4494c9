"""What both editions of Age of Sigmar share: the course of an attack, the order of changes, the ward."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from mathhammer.dice.notation import Dice, parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Reroll, Roll, Stage, chances
from mathhammer.engine.plan import Group, Packet, Plan, Target, Volley
from mathhammer.games.abilities import Abilities, Draft
from mathhammer.games.applying_effects import (
    Armed,
    arm,
    edited,
    extra_mortals,
    rerolled_dice,
    with_bonus,
)
from mathhammer.games.game import Fight
from mathhammer.games.gathering import defence_changes, effects_in_play, facts_of
from mathhammer.games.mortals import (
    HARM,
    dealt_to_attacker,
    dealt_to_target,
    harm_by_dice,
    makes_no_attack,
)
from mathhammer.games.one_reroll import best_reroll
from mathhammer.units.conditions import Facts
from mathhammer.units.effects import Change
from mathhammer.units.unit import Weapon

# AOS1-SILENT-2: "failed" is judged before modifiers; "any" is a permission without that word.
FAILED: dict[str, Reroll] = {"ones": "ones", "failed": "unmodified_fails", "any": "fails"}

# an action that deals nothing but mortal damage: a spell
NO_WEAPON = Weapon("", "melee", parse_dice(0), parse_dice(0))
# What a weapon does: a reason why it may not attack, or its volley and the critical ability that was chosen.
Attack = Callable[[Fight, Armed, Roll], str | tuple[Volley, str]]


def plan_of(known: Abilities, fight: Fight, target: Target, attack: Attack, mortal: str) -> Plan:
    """A volley for each weapon that may attack, and mortal damage once for the whole action.

    `mortal` is the sentence of `explain` about mortal damage.
    """
    volleys, instead = _by_dice(fight, len(target.groups), mortal)
    back: list[Volley] = []
    skipped: list[tuple[str, str]] = []
    choices: list[tuple[str, str]] = []
    mortals: Counter[tuple[str, Dice]] = Counter()
    warded = 0.0
    for weapon in fight.weapons or (NO_WEAPON,):
        facts = facts_of(fight, weapon)
        armed = arm(known, fight, weapon, facts)
        ward = ward_roll(fight, facts, weapon)
        if weapon is not NO_WEAPON:
            outcome = f"{instead} is used in its place" if instead else attack(fight, armed, ward)
            if isinstance(outcome, str):
                skipped.append((weapon.name, outcome))
                continue
            volley, choice = outcome
            volleys.append(volley)
            if fight.target.effects:
                back += harm_by_dice(fight, facts, volley.chain, volley.attacks, None)
            choices += [(weapon.name, choice)] if choice else []
        warded = chances(ward).passed
        mortals |= Counter(extra_mortals(armed.changes))  # once for the action, however many weapons see it
    for source, dice in mortals.elements():
        volleys.append(mortal_volley(source, dice.pmf(), warded, len(target.groups), mortal))
    own = _own_harm(fight, mortal, back)
    return Plan(tuple(best_reroll(volleys)), target, tuple(skipped), tuple(choices), own=own)


def _by_dice(fight: Fight, groups: int, mortal: str) -> tuple[list[Volley], str]:
    """Mortal damage that rules of the attacker deal by dice, and the rule that it uses in the place of its
    attacks.
    """
    if not any(effect.change("mortal") or effect.change("no_attack") for effect in effects_in_play(fight)):
        return [], ""
    weapon = fight.weapons[0] if fight.weapons else NO_WEAPON
    facts = facts_of(fight, weapon)
    ward = chances(ward_roll(fight, facts, weapon)).passed
    dealt = [
        mortal_volley(source, points, 0.0 if unwarded else ward, groups, mortal)
        for source, points, unwarded in dealt_to_target(fight, facts)
    ]
    return dealt, makes_no_attack(fight, facts)


def _own_harm(fight: Fight, mortal: str, back: list[Volley]) -> Plan | None:
    """What rules of either side deal to the attacker, also by single dice of its attacks (`back`); None:
    nothing.
    """
    if not any(effect.change("mortal") for effect in effects_in_play(fight)):
        return None
    weapon = fight.weapons[0] if fight.weapons else NO_WEAPON
    dealt = dealt_to_attacker(fight, facts_of(fight, weapon))
    if not dealt and not back:
        return None
    turned = replace(
        fight,
        attacker=fight.target,
        target=fight.attacker,
        friends=fight.target_friends,
        target_friends=fight.friends,
        effects=(),
    )
    ward = chances(ward_roll(turned, facts_of(turned, NO_WEAPON), NO_WEAPON)).passed
    unit = fight.attacker
    (models, hurt), *_ = unit.left()
    target = Target((Group(unit.name, models, int(unit.groups[0].stat(unit.wounds)), hurt),), spills=True)
    volleys = [
        mortal_volley(source, points, 0.0 if unwarded else ward, len(target.groups), mortal)
        for source, points, unwarded in dealt
    ]
    one = Packet(HARM, (Pmf.constant(1),), (1.0,), (ward,))
    volleys += [replace(volley, packets=(one,)) for volley in back]
    return Plan(tuple(volleys), target)


def mortal_volley(name: str, pool: Pmf, ward: float, groups: int, mortal: str) -> Volley:
    """Mortal damage that goes straight into the pool."""
    packet = Packet("mortal", (pool,) * groups, (1.0,) * groups, (ward,) * groups)
    chain = Chain("mortal", (), (Stage("mortal", entering=("mortal",)),))
    return Volley(name, Pmf.constant(1), chain, (packet,), (mortal,))


def number_of_attacks(
    armed: Armed,
    bearers: int,
    changes: Sequence[Change],
    least: int,
    leaders: int = 0,
    more: int = 0,
    bonus: Dice | None = None,
) -> Pmf:
    """All attacks of a weapon: random Attacks are rolled for each model (AOS4-26.0, AOS4-AMB-9,
    AOS1-SILENT-3); `leaders` among the bearers have `more` of them, after all other changes; `bonus` is
    rolled on top.
    """
    dice = rerolled_dice(armed.weapon.attacks, "reroll_attacks", armed.changes)
    copies = armed.weapon.copies
    plain = changed_dice(dice, changes, least, bonus).power((bearers - leaders) * copies)
    if not leaders:
        return plain
    led = changed_dice(dice, [*changes, Change("attacks", "add", more)], least, bonus).power(leaders * copies)
    return plain.convolve(led)


def attacks_note(armed: Armed, bearers: int, changes: Sequence[Change]) -> str:
    """The line of `explain` about the number of attacks."""
    models = "model" if bearers == 1 else "models"
    return f"Attacks: {bearers} {models}{armed.weapon.copies_note} x {armed.weapon.attacks}{listed(changes)}"


def changed(value: int, changes: Sequence[Change], least: int) -> int:
    """A characteristic after its changes (AOS4-27.0): set, then multiply and divide (rounded down at once,
    AOS4-AMB-12), then add.

    AoS 1 states no order and takes this one; what the value may not fall below is the edition's own
    (AOS4-AMB-8, AOS1-SILENT-15).
    """
    for change in changes:
        value = change.value if change.op == "set" else value
    for change in changes:
        value = (
            value * change.value
            if change.op == "mul"
            else value // change.value
            if change.op == "div"
            else value
        )
    return max(least, value + sum(change.value for change in changes if change.op == "add"))


def changed_dice(dice: Dice, changes: Sequence[Change], least: int, more: Dice | None = None) -> Pmf:
    """A characteristic that may be random: roll first, change afterwards; `more` is a rolled bonus."""
    if more is None and not changes:
        return dice.pmf()
    return with_bonus(
        dice, more, lambda value, extra: changed(value, [*changes, Change("", "add", extra)], least)
    )


def with_needs(chain: Chain, by_stat: Mapping[str, Sequence[Change]], least: int, notes: list[str]) -> Chain:
    """The chain with changed Hit, Wound and Save characteristics in its rolls."""
    lanes = []
    for name, lane in chain.lanes:
        changes = by_stat.get(name, ())
        if isinstance(lane, Roll) and changes and lane.needs is not None:
            notes += told(name.capitalize(), f"{lane.needs}+", changes)
            lane = replace(lane, needs=changed(lane.needs, changes, least))
        lanes.append((name, lane))
    return replace(chain, lanes=tuple(lanes))


def ward_roll(fight: Fight, facts: Facts, weapon: Weapon) -> Roll:
    """AOS4-18.1, AOS1-SILENT-5: one die for each point, mortal damage too; of several wards the best counts.

    AOS4-AMB-7: a 1 fails only where it is too low, and modifiers have no cap.
    """
    changes = defence_changes(fight, facts, weapon)
    if any(change.key == "no_ward" for change in changes):
        return Roll(needs=None)
    values = [fight.target.stat("ward"), *(change.value for change in changes if change.key == "ward")]
    roll = Roll(needs=min((value for value in values if value), default=None))
    edits = [change for change in changes if change.key in ("ward_roll", "reroll_ward")]
    if not edits:
        return roll
    lane = edited(Draft(Chain("ward", (("ward", roll),))), edits, FAILED, frozenset()).chain.lane("ward")
    assert isinstance(lane, Roll)
    return lane


def told(name: str, before: object, changes: Sequence[Change]) -> list[str]:
    """A line for `explain` where something changed."""
    return [f"{name}: {before}{listed(changes)}"] if changes else []


def listed(changes: Sequence[Change]) -> str:
    """The changes, each with its source."""
    return "".join(f", {change}" for change in changes)
