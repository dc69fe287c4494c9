"""Effects as edits of a draft: which ones act on this attack or this defence, and what they change.

Shared by the games whose attacks run hit, wound, save; which words a game allows is in its `effect_fields`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mathhammer.dice.notation import Dice, DiceReroll
from mathhammer.engine.chain import Fan, Modifier, Reroll
from mathhammer.games.abilities import Abilities, Draft, WeaponAbility
from mathhammer.games.discovery import attacks_of
from mathhammer.games.game import Field, Fight
from mathhammer.units.effects import Active, Effect, Facts, parse_change
from mathhammer.units.unit import Unit, Weapon

ROLLS = ("hit", "wound", "save", "ward")
# Changes that act when the unit is attacked; all others act when it attacks.
DEFENCE = frozenset(
    (
        "save toughness invuln fnp ward save_roll armour_save_roll ward_roll reroll_save "
        "reroll_ward damage_reduction halve_damage bravery"
    ).split()
)

# Words that other steps read: the weapon's abilities, rolled characteristics, mortal damage, wards and saves.
READ_ELSEWHERE = frozenset(
    "gain lose reroll_attacks reroll_damage mortal_damage ward invuln fnp save toughness armour_save_roll "
    "damage_reduction halve_damage bravery".split()
)


def facts_of(fight: Fight, weapon: Weapon) -> Facts:
    """The fight as the attacker's conditions see it."""
    situation = fight.situation
    flags = {weapon.kind}
    for flag in situation.flags:  # WH40K-HALFRANGE: "half_range:Meltagun" is a flag for one weapon
        name, _, only = flag.partition(":")
        if not only or only == weapon.name:
            flags.add(name)
    if fight.attacker.damaged:
        flags.add("damaged")
    if fight.target.damaged:
        flags.add("target_damaged")
    return Facts(
        flags=frozenset(flags),
        keywords=fight.attacker.keywords,
        target_keywords=fight.target.keywords,
        models=fight.attacker.models_left,
        target_models=fight.target.models_left,
        lost=fight.attacker.lost,
        target_lost=fight.target.lost,
        distance=situation.distance,
        round=situation.round,
        phase=situation.phase or {"melee": "combat", "ranged": "shooting"}.get(weapon.kind),
    )


def seen_by_target(facts: Facts) -> Facts:
    """The same fight as the target's own conditions see it: `charged` means that the target charged."""
    sides = {"melee", "ranged"}
    flags = {
        flag
        if flag in sides
        else flag.removeprefix("target_")
        if flag.startswith("target_")
        else f"target_{flag}"
        for flag in facts.flags
    }
    return replace(
        facts,
        flags=frozenset(flags),
        keywords=facts.target_keywords,
        target_keywords=facts.keywords,
        models=facts.target_models,
        target_models=facts.models,
        lost=facts.target_lost,
        target_lost=facts.lost,
    )


def _gathered(
    fight: Fight, groups: Iterable[tuple[Iterable[Effect], str, Facts, bool]], weapon: Weapon, defence: bool
) -> list[Active]:
    stacking = attacks_of(fight.attacker.system).stacking
    seen: set[Effect] = set()
    active: list[Active] = []
    for effects, scope, facts, enemy in groups:
        for effect in effects:
            # AOS4-5.3, AOS4-28.1, AOS4-AMB-18: a named rule acts once, a lasting one too; WH40K-SAMENAME:
            # equal names add up
            if effect.on != scope or (effect.name and effect in seen and scope not in stacking):
                continue
            seen.add(effect)
            # AOS4-5.4: a rule works whenever its conditions hold; WH40K-TWOSTAGE: a better effect lists the
            # conditions of both stages;
            # WH40K-UNITMOD: what names no weapon reaches all of the unit
            if effect.weapon not in (None, weapon.name) or not effect.holds(facts):
                continue
            for key, value in effect.changes:
                part = _of_side(key, value, defence)
                if part is not None:
                    named = effect.weapon is not None
                    active.append(
                        Active(key, part, effect.name or "effect", enemy or effect.enemy, named, effect.group)
                    )
    return active


def _of_side(key: str, value: Any, defence: bool) -> Any:
    """The part of a change that acts on the attack, or on the defence; None when it is the other side's."""
    if key == "ignore":
        return tuple(penalty for penalty in value if (penalty == "save_penalties") == defence) or None
    return value if (key in DEFENCE) == defence else None


def gifts_of(friends: Iterable[Unit]) -> list[Effect]:
    """What friendly units hand out."""
    return [effect for friend in friends for effect in friend.effects]


def _any_effect(fight: Fight) -> bool:
    return bool(
        fight.effects
        or fight.attacker.effects
        or fight.target.effects
        or fight.friends
        or fight.target_friends
    )


def attack_changes(fight: Fight, facts: Facts, weapon: Weapon) -> list[Active]:
    """What acts on this weapon's attacks: the other side's rules first (AOS4-30.0), then the attacker's own,
    which win (AOS4-29.0).
    """
    if not _any_effect(fight):
        return []
    theirs = seen_by_target(facts)
    groups = [
        (fight.target.effects, "attacker", theirs, True),
        (fight.attacker.effects, "unit", facts, False),
        (gifts_of(fight.friends), "friends", facts, False),
        (fight.effects, "unit", facts, False),
    ]
    return _gathered(fight, groups, weapon, defence=False)


def defence_changes(fight: Fight, facts: Facts, weapon: Weapon) -> list[Active]:
    """What acts on the target's saves and wards against this weapon: here too the attacker's rules come last
    (AOS4-30.0).
    """
    if not _any_effect(fight):
        return []
    theirs = seen_by_target(facts)
    groups = [
        (fight.target.effects, "unit", theirs, False),
        (gifts_of(fight.target_friends), "friends", theirs, False),
        (fight.attacker.effects, "target", facts, True),
        (fight.effects, "target", facts, False),
    ]
    return _gathered(fight, groups, weapon, defence=True)


def abilities_of(known: Abilities, weapon: Weapon, changes: Iterable[Active]) -> tuple[WeaponAbility, ...]:
    """The weapon's abilities after gains and losses, each once; printed ones are its own (AOS4-AMB-5)."""
    changed = [change for change in changes if change.key in ("gain", "lose")]
    printed = known.of(weapon.abilities)
    if not changed:
        return printed
    words = {key: tuple(w for c in changed if c.key == key for w in c.value) for key in ("gain", "lose")}
    lost = set(known.of(words["lose"]))
    return tuple(dict.fromkeys(held for held in (*printed, *known.of(words["gain"])) if held not in lost))


def reaching(weapon: Weapon, abilities: Iterable[WeaponAbility], changes: Iterable[Active]) -> list[Active]:
    """The changes that act on a weapon with these abilities; mortal damage is of the action."""
    filters = [held.ability.reached_by for held in abilities if held.ability.reached_by is not None]
    return [
        change
        for change in changes
        if change.key == "mortal_damage" or all(reached_by(weapon, change) for reached_by in filters)
    ]


@dataclass(frozen=True, slots=True)
class Armed:
    """A weapon in a fight: what it looks at, what acts on it, and the abilities that it then has."""

    weapon: Weapon
    facts: Facts
    changes: tuple[Active, ...]
    abilities: tuple[WeaponAbility, ...]


def arm(known: Abilities, fight: Fight, weapon: Weapon, facts: Facts) -> Armed:
    """A weapon with all that acts on its attacks."""
    changes = reaching(weapon, known.of(weapon.abilities), attack_changes(fight, facts, weapon))
    abilities = abilities_of(known, weapon, changes)
    return Armed(weapon, facts, tuple(reaching(weapon, abilities, changes)), abilities)


def edited(
    draft: Draft, changes: Iterable[Active], rerolls: Mapping[str, Reroll], stats: frozenset[str]
) -> Draft:
    """The draft with the changes made: roll modifiers, re-rolls, criticals, automatic results,
    characteristics.
    """
    chain = draft.chain
    moved = list(draft.changes)
    for change in changes:
        roll, _, what = change.key.rpartition("_")
        if change.key in stats:
            moved.append(parse_change(change.key, change.value, change.source, change.enemy))
        elif what == "roll" and roll in ROLLS:
            chain = chain.edit(roll, modifiers=(Modifier(change.value, change.source),))
        elif roll == "reroll" and what in ROLLS:
            chain = chain.edit(what, reroll=as_rerolls(change.value, rerolls))
        elif change.key in ("crit_on", "crit_wound_on"):
            chain = chain.edit("hit" if change.key == "crit_on" else "wound", crit_on=change.value)
        elif roll == "auto":
            chain = chain.edit(what, auto=True)
        elif change.key == "ignore":  # WH40K-IGNOREMOD: the bad ones go, before any limit
            for penalty in change.value:
                chain = chain.edit(penalty.removesuffix("_penalties"), drop_negative=True)
        elif change.key in ("mortal_on_crit", "mortal_on_crit_wound"):
            lane = f"extra mortal: {change.source} {change.value}"
            chain = chain.with_fan(lane, Fan(change.value, "extra mortal"))
            chain = chain.edit("hit" if change.key == "mortal_on_crit" else "wound", added_on_crit=(lane,))
        elif change.key not in READ_ELSEWHERE:
            raise ValueError(f"no edit for the effect word {change.key!r} (write one in applying_effects)")
    return replace(draft, chain=chain, changes=tuple(moved))


def as_rerolls(value: str | tuple[int, ...], rerolls: Mapping[str, Reroll]) -> frozenset[Reroll]:
    """What a re-roll word or a list of faces means in this game."""
    return frozenset([rerolls[value]]) if isinstance(value, str) else frozenset(value)


def rerolled_dice(dice: Dice, key: str, changes: Iterable[Active]) -> Dice:
    """The dice of a characteristic with the re-rolls that `key` grants; the wider one counts."""
    modes: set[DiceReroll] = {change.value for change in changes if change.key == key}
    return dice.with_reroll("low" if "low" in modes else "ones") if modes else dice


def extra_mortals(changes: Iterable[Active]) -> list[tuple[str, Dice]]:
    """Mortal damage that comes on top of the attacks, once for the whole action."""
    return [(change.source, change.value) for change in changes if change.key == "mortal_damage"]


def effect_fields(
    stats: Mapping[str, str],
    defence_stats: Mapping[str, str],
    rerolls: Mapping[str, Reroll],
    *,
    wards: bool = True,
    crits: tuple[str, ...] = ("hit",),
) -> tuple[Field, ...]:
    """The words of the effect language that this game allows: `wards` where a ward is a roll, `crits` rolls
    that can be critical.
    """
    rolls = ROLLS if wards else ROLLS[:-1]
    words = {
        roll: tuple(word for word, reroll in rerolls.items() if reroll != "non_crit" or roll in crits)
        for roll in rolls
    }
    return (
        *(Field(name, "change", doc=doc) for name, doc in {**stats, **defence_stats}.items()),
        *(Field(f"{roll}_roll", "modifier", low=-6, high=6, doc=f"added to {roll} rolls") for roll in rolls),
        *(
            Field(f"reroll_{roll}", "reroll", choices=words[roll], doc=f"which {roll} rolls are rolled again")
            for roll in rolls
        ),
        *(
            Field(f"reroll_{what}", "choice", choices=("ones", "low"), doc=f"re-roll of random {what}")
            for what in ("attacks", "damage")
        ),
        Field("crit_on", "number", low=2, high=6, doc="unmodified hit rolls from here on are critical"),
        Field("auto_hit", "flag", doc="attacks hit without a roll"),
        Field("auto_wound", "flag", doc="hits wound without a roll"),
        Field("gain", "words", doc="weapon abilities gained"),
        Field("lose", "words", doc="weapon abilities lost"),
        Field(
            "ignore",
            "words",
            choices=("hit_penalties", "wound_penalties", "save_penalties"),
            doc="a kind of modifier that is ignored",
        ),
        Field("mortal_damage", "dice", doc="mortal damage on top, once for the whole action"),
        Field("mortal_on_crit", "dice", doc="mortal damage on top of each critical hit"),
    )
