"""Attached units: a Leader joins a Bodyguard unit (WH40K-LEADER, WH40K-ATTACHED)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mathhammer.errors import BadInputError
from mathhammer.games.applying_effects import DEFENCE
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
    return replace(
        bodyguard,
        name=f"{bodyguard.name} with {leader.name}",
        groups=tuple(
            sorted((*bodyguard.groups, *_characters(leader)), key=lambda group: bool(group.stat("character")))
        ),
        stats=tuple((name, _together(name, value, leader)) for name, value in bodyguard.stats),
        weapons=(
            *(_carried(weapon, bodyguard, weapon.name) for weapon in bodyguard.weapons),
            *(_carried(weapon, leader, renamed[weapon.name]) for weapon in leader.weapons),
        ),
        effects=(
            *bodyguard.effects,
            *(given for effect in leader.effects for given in _given(effect, leader, renamed)),
        ),
        keywords=bodyguard.keywords | leader.keywords,
        points=points,
        minimum=bodyguard.minimum + leader.minimum,
        not_covered=(*bodyguard.not_covered, *leader.not_covered),
    )


def _characters(leader: Unit) -> tuple[ModelGroup, ...]:
    """The leader's models; where they are of several kinds, only the Characters among them are protected
    (WH40K-ATTACHED).
    """
    if any(group.stat("character") for group in leader.groups):
        return leader.groups
    return tuple(
        replace(
            group, stats=tuple((name, True if name == "character" else value) for name, value in group.stats)
        )
        for group in leader.groups
    )


def _together(name: str, value: Any, leader: Unit) -> Any:
    """A characteristic of the whole unit: every model must have Stealth (WH40K-STEALTH), and nobody is alone
    (WH40K-LONEOP).
    """
    if name == "stealth":
        return value and leader.stat("stealth")
    return None if name == "lone_operative" else value


def _carried(weapon: Weapon, unit: Unit, name: str) -> Weapon:
    """The weapon with the number of its bearers spelled out: "every model" means every
    model of its own part.
    """
    return replace(weapon, name=name, bearers=unit.models if weapon.bearers is None else weapon.bearers)


def _given(effect: Effect, leader: Unit, renamed: dict[str, str]) -> list[Effect]:
    if effect.on == "friends":
        return [
            replace(
                effect,
                on="unit",
                weapon=None if effect.weapon is None else renamed.get(effect.weapon, effect.weapon),
            )
        ]
    if effect.on != "unit":
        return [effect]
    effects = []
    attack = tuple(change for change in effect.changes if change[0] not in DEFENCE)
    guard = tuple(change for change in effect.changes if change[0] in DEFENCE)
    if attack:
        names = [renamed[effect.weapon]] if effect.weapon is not None else list(renamed.values())
        effects += [replace(effect, changes=attack, weapon=name) for name in names]
    if guard:
        effects += [replace(effect, changes=guard, group=group.name) for group in leader.groups]
    return effects
