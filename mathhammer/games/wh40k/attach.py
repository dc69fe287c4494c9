"""Attached units: a Leader joins a Bodyguard unit (WH40K-LEADER, WH40K-ATTACHED)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.effect_words import DEFENCE, IN_DUELS
from mathhammer.units.effects import Effect
from mathhammer.units.unit import ModelGroup, Unit, Weapon


def attach(leader: Unit, bodyguard: Unit) -> Unit:
    """The Attached unit of a leader and its bodyguard: characters come last in allocation.

    What the leader gives to friends ("while leading") helps the whole unit, himself included (WH40K-LEADING);
    his own other rules stay his own. Toughness is the bodyguard's (WH40K-UNITT), keywords are those of both
    (WH40K-ANTI).

    >>> from mathhammer import load_unit
    >>> squad = attach(load_unit("Captain", "wh40k10"), load_unit("Intercessor Squad", "wh40k10"))
    >>> [group.name for group in squad.groups], squad.models
    (['Intercessor Squad', 'Captain'], 6)
    """
    if "CHARACTER" not in leader.keywords and not any(group.stat("character") for group in leader.groups):
        raise BadInputError(
            f"attach: {leader.name} is not a Character (give the leader first, then the bodyguard)"
        )
    if leader.lost:
        raise BadInputError(
            f"attach: {leader.name} has lost wounds (attach first, then say with_lost for the whole unit)"
        )
    taken = {weapon.name for weapon in bodyguard.weapons}
    renamed = {
        weapon.name: f"{leader.name}: {weapon.name}" if weapon.name in taken else weapon.name
        for weapon in leader.weapons
    }
    points = None if leader.points is None or bodyguard.points is None else leader.points + bodyguard.points
    groups = _characters(leader, {group.name for group in bodyguard.groups})
    arms = (
        *(_carried(weapon, bodyguard, weapon.name, bodyguard.groups) for weapon in bodyguard.weapons),
        *(_carried(weapon, leader, renamed[weapon.name], groups) for weapon in leader.weapons),
    )
    attached = replace(
        bodyguard,
        name=f"{bodyguard.name} with {leader.name}",
        prices=(),  # its size is settled
        groups=tuple(sorted((*bodyguard.groups, *groups), key=lambda group: bool(group.stat("character")))),
        stats=(
            *((name, _together(name, value, leader)) for name, value in bodyguard.stats),
            ("some_fight_first", bool(leader.stat("fights_first") or bodyguard.stat("fights_first"))),
        ),
        weapons=arms,
        effects=(
            *bodyguard.effects,
            *(
                given
                for effect in leader.effects
                if not _once(effect, bodyguard)
                for given in _given(effect, groups, renamed)
            ),
        ),
        keywords=bodyguard.keywords | leader.keywords,
        points=points,
        minimum=bodyguard.minimum + leader.minimum,
        not_covered=(*bodyguard.not_covered, *leader.not_covered),
        abilities=tuple({one.name: one for one in (*leader.abilities, *bodyguard.abilities)}.values()),
        led_by=bodyguard.led_by | leader.keywords | {leader.name.upper()},
        bodyguard=bodyguard.bodyguard or frozenset(group.name for group in bodyguard.groups),
        survivors=None,
    )
    return replace(attached, survivors=_on_their_own(leader, bodyguard, attached, renamed))


def _on_their_own(leader: Unit, bodyguard: Unit, attached: Unit, renamed: dict[str, str]) -> Unit:
    """What is left once the bodyguard is gone: leaders with their own Toughness, Leadership and rules,
    without what they give while leading (WH40K-LEADING, WH40K-UNITT). Two leaders are taken together.
    """
    own = tuple(
        replace(effect, weapon=tuple(renamed.get(name, name) for name in effect.weapon))
        for effect in leader.effects
        if effect.on != "led"
    )
    other = bodyguard.survivors
    stats = leader.stats
    if other is not None:  # of two leaders the higher Toughness, the better Leadership
        better = {"toughness": max, "leadership": min}
        stats = tuple(
            (
                name,
                better[name](value, other.stat(name))
                if name in better and value and other.stat(name)
                else value,
            )
            for name, value in leader.stats
        )
    return replace(
        attached,
        name=leader.name if other is None else f"{other.name} and {leader.name}",
        stats=stats,
        effects=own if other is None else (*other.effects, *own),
        keywords=leader.keywords | (frozenset() if other is None else other.keywords),
        led_by=frozenset(),
    )


def _characters(leader: Unit, taken: set[str]) -> tuple[ModelGroup, ...]:
    """The leader's models; where they are of several kinds, only the Characters among them are protected
    (WH40K-ATTACHED).
    """
    named = tuple(
        replace(group, name=f"{group.name} (leader)") if group.name in taken else group
        for group in leader.groups
    )
    if any(group.stat("character") for group in named):
        return named
    return tuple(
        replace(
            group, stats=tuple((name, True if name == "character" else value) for name, value in group.stats)
        )
        for group in named
    )


def _together(name: str, value: Any, leader: Unit) -> Any:
    """A characteristic of the whole unit: every model must have Stealth (WH40K-STEALTH) and Fights First
    (WH40K-FIGHTORDER), none is alone (WH40K-LONEOP), and Leadership is the best of its models (WH40K-BSHOCK).
    """
    if name in ("stealth", "fights_first"):
        return value and leader.stat(name)
    if name == "leadership":
        return min((each for each in (value, leader.stat(name)) if each), default=None)
    return None if name == "lone_operative" else value


def _carried(weapon: Weapon, unit: Unit, name: str, groups: tuple[ModelGroup, ...]) -> Weapon:
    """The weapon in the hands of its own part of the unit."""
    bearers = unit.models if weapon.bearers is None else weapon.bearers
    names = weapon.groups or tuple(group.name for group in groups)
    return replace(weapon, name=name, bearers=bearers, groups=names)


def _once(effect: Effect, bodyguard: Unit) -> bool:
    """Whether both bring the same rule about a turn of the unit: an Attached unit is one unit, which heals
    and returns models once (WH40K-ATTACHED).
    """
    return effect in bodyguard.effects and all(word in IN_DUELS for word, _ in effect.changes)


def _given(effect: Effect, groups: tuple[ModelGroup, ...], renamed: dict[str, str]) -> list[Effect]:
    """What a leader's rule does in the Attached unit: what he gives reaches all of it, his own stays his."""
    weapon = tuple(renamed.get(name, name) for name in effect.weapon)
    if effect.on in ("friends", "led"):
        return [replace(effect, on="unit", weapon=weapon)]
    if effect.on != "unit":
        return [replace(effect, weapon=weapon)]
    effects = []
    attack = tuple(change for change in effect.changes if change[0] not in DEFENCE)
    guard = tuple(change for change in effect.changes if change[0] in DEFENCE)
    if attack:
        effects.append(replace(effect, changes=attack, weapon=weapon or tuple(renamed.values())))
    if guard:
        effects += [replace(effect, changes=guard, group=group.name) for group in groups]
    return effects
