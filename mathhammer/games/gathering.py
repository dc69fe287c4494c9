"""Which rules act on an attack, and what of each: the facts of conditions, and the changes that hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from mathhammer.games.discovery import attacks_of
from mathhammer.games.effect_words import DEFENCE
from mathhammer.games.game import Fight
from mathhammer.names import normal, singular
from mathhammer.units.conditions import Facts, from_the_other_side, switch
from mathhammer.units.effects import Active, Effect, Scaled
from mathhammer.units.unit import Unit, Weapon
from mathhammer.units.weapon_names import names_weapon

ENEMY_SCOPES = frozenset({"target", "attacker", "enemies"})
HANDED = frozenset({"friends", "led"})  # what a friend hands to the unit that it stands by or leads


def facts_of(fight: Fight, weapon: Weapon) -> Facts:
    """The fight as the attacker's conditions see it."""
    situation, attacker, target = fight.situation, fight.attacker, fight.target
    flags = {weapon.kind}
    for flag in situation.flags:  # WH40K-HALFRANGE: "half_range:Meltagun" is a flag for one weapon
        name, _, only = flag.partition(":")
        if not only or only == weapon.name:
            flags.add(name)
    flags |= attacker.standing()
    flags |= {f"target_{flag}" for flag in target.standing()}
    if (
        situation.distance is not None
        and weapon.kind == "ranged"
        and weapon.range is not None
        and 2 * situation.distance <= weapon.range
    ):
        flags.add("half_range")  # WH40K-HALFRANGE: a known distance within a known range tells by itself
    return Facts(
        flags=frozenset(flags),
        keywords=known_as(attacker),
        target_keywords=known_as(target),
        models=attacker.models_left,
        target_models=target.models_left,
        lost=attacker.lost,
        target_lost=target.lost,
        distance=situation.distance,
        # who strikes in melee is next to the target
        reach=0.0 if situation.distance is None and weapon.kind == "melee" else situation.distance,
        round=situation.round,
        phase=situation.phase or {"melee": "combat", "ranged": "shooting"}.get(weapon.kind),
        wounds=attacker.health - attacker.lost,
        target_wounds=target.health - target.lost,
        near=0.0,
        weapon=attacks_of(attacker.system).abilities.words(weapon.abilities),
        led_by=attacker.led_by,
        contains=_names(attacker),
        used=situation.used | attacker.stance.used,
    )


@lru_cache(maxsize=4096)
def known_as(unit: Unit) -> frozenset[str]:
    """The keywords of a unit, its name among them, also in the singular: rules name datasheets so.

    >>> from mathhammer import load_unit
    >>> sorted(known_as(load_unit("Clanrats", "aos4")) - load_unit("Clanrats", "aos4").keywords)
    ['CLANRAT', 'CLANRATS']
    """
    return unit.keywords | {unit.name.upper(), singular(normal(unit.name)).upper()}


@lru_cache(maxsize=4096)
def _names(unit: Unit) -> frozenset[str]:
    return frozenset(
        switch(group.name) for group, (models, _) in zip(unit.groups, unit.left(), strict=True) if models
    )


def seen_by_target(fight: Fight, facts: Facts) -> Facts:
    """The same fight as the target's own conditions see it: `charged` means that the target charged."""
    return replace(
        facts,
        flags=frozenset(map(from_the_other_side, facts.flags)),
        keywords=facts.target_keywords,
        target_keywords=facts.keywords,
        models=facts.target_models,
        target_models=facts.models,
        lost=facts.target_lost,
        target_lost=facts.lost,
        wounds=facts.target_wounds,
        target_wounds=facts.wounds,
        led_by=fight.target.led_by,
        used=fight.situation.used | fight.target.stance.used,
        contains=_names(fight.target),
    )


Group = tuple[Iterable[Effect], frozenset[str], Facts, bool]


def _gathered(fight: Fight, groups: Iterable[Group], weapon: Weapon, defence: bool) -> list[Active]:
    stacking = attacks_of(fight.attacker.system).stacking
    seen: set[Effect] = set()
    active: list[Active] = []
    for effects, scopes, facts, enemy in groups:
        for effect in effects:
            # AOS4-5.3, AOS4-28.1, AOS4-AMB-18: a named rule acts once, a lasting one too; WH40K-SAMENAME:
            # equal names add up
            if effect.on not in scopes or (effect.name and effect in seen and effect.on not in stacking):
                continue
            seen.add(effect)
            # AOS4-5.4: a rule works whenever its conditions hold; WH40K-TWOSTAGE: a better effect lists the
            # conditions of both stages;
            # WH40K-UNITMOD: what names no weapon reaches all of the unit
            if not reaches(effect, weapon) or not holds(fight, effect, facts):
                continue
            active += _parts(effect, facts, enemy or effect.enemy, weapon, defence)
    return active


def reaches(effect: Effect, weapon: Weapon) -> bool:
    """Whether a rule concerns a weapon: all of them, or those that it names."""
    return not effect.weapon or any(names_weapon(name, weapon.name) for name in effect.weapon)


def holds(fight: Fight, effect: Effect, facts: Facts) -> bool:
    """Whether a rule works here: its conditions hold, it is used, and the roll that it needs came up."""
    if effect.needs and (effect.name, effect.needs) not in fight.rolled:
        return False
    return effect.holds(_of_the_enemy(facts), facts) if effect.on in ENEMY_SCOPES else effect.holds(facts)


def _of_the_enemy(facts: Facts) -> Facts:
    """What a rule about an enemy looks at: `has` speaks of the enemy, and `within` of the way to it."""
    return replace(facts, keywords=facts.target_keywords, near=facts.reach)


def _parts(effect: Effect, facts: Facts, enemy: bool, weapon: Weapon, defence: bool) -> Iterable[Active]:
    """The changes of a rule that act on the attack, or on the defence."""
    others = effect.group is not None and bool(weapon.groups) and effect.group not in weapon.groups
    for key, value in effect.changes:
        part = _of_side(key, value, defence)
        if part is None or (others and not defence):
            continue
        if isinstance(part, str) and " per " in part:
            part = Scaled.read(part).at(facts)
            if part is None:
                continue
        named, included = bool(effect.weapon), _reaches_all(effect)
        yield Active(key, part, effect.name or "effect", enemy, named, effect.group, included)


def _reaches_all(effect: Effect) -> bool:
    """Whether a rule says that it reaches weapons that others do not reach: Companions, or weapons with an
    ability that it names.
    """
    return effect.change("companion") is not None or any(
        one.subject == "weapon" and one.test == "has" and not one.negated for one in effect.when
    )


def _of_side(key: str, value: Any, defence: bool) -> Any:
    """The part of a change that acts on the attack, or on the defence; None when it is the other side's."""
    if key in ("ignore", "no_reroll"):
        return tuple(word for word in value if word.startswith(("save", "ward", "invuln")) == defence) or None
    return value if (key in DEFENCE) == defence else None


def gifts_of(friends: Iterable[Unit]) -> list[Effect]:
    """What friendly units hand out."""
    return [effect for friend in friends for effect in friend.effects]


def effects_in_play(fight: Fight) -> list[Effect]:
    """Every rule of either side that may act on the attack."""
    return [
        *fight.effects,
        *fight.attacker.effects,
        *fight.target.effects,
        *gifts_of(fight.friends),
        *gifts_of(fight.target_friends),
    ]


def _any_effect(fight: Fight) -> bool:
    return bool(
        fight.effects
        or fight.attacker.effects
        or fight.target.effects
        or fight.friends
        or fight.target_friends
    )


UNIT, TARGETED = frozenset({"unit"}), frozenset({"target", "enemies"})
ATTACKING, ENEMIES = frozenset({"attacker", "enemies"}), frozenset({"enemies"})


def attack_changes(fight: Fight, facts: Facts, weapon: Weapon) -> list[Active]:
    """What acts on this weapon's attacks: the other side's rules first (AOS4-30.0), then the attacker's own,
    which win (AOS4-29.0).
    """
    if not _any_effect(fight):
        return []
    theirs = seen_by_target(fight, facts)
    groups = [
        (fight.target.effects, ATTACKING, theirs, True),
        (gifts_of(fight.target_friends), frozenset({"friends_attacker", "enemies"}), theirs, True),
        (fight.attacker.effects, UNIT, facts, False),
        (gifts_of(fight.friends), HANDED, facts, False),
        (fight.effects, UNIT, facts, False),  # WH40K-PERSIST: also on what is left of an Attached unit
    ]
    return _gathered(fight, groups, weapon, defence=False)


def defence_changes(fight: Fight, facts: Facts, weapon: Weapon) -> list[Active]:
    """What acts on the target's saves and wards against this weapon: here too the attacker's rules come last
    (AOS4-30.0).
    """
    if not _any_effect(fight):
        return []
    theirs = seen_by_target(fight, facts)
    groups = [
        (fight.target.effects, UNIT, theirs, False),
        (gifts_of(fight.target_friends), HANDED, theirs, False),
        (fight.attacker.effects, TARGETED, facts, True),
        (gifts_of(fight.friends), ENEMIES, facts, True),
        (fight.effects, TARGETED, facts, False),
    ]
    return _gathered(fight, groups, weapon, defence=True)
