"""Rules behind a roll of their own: an attack is then a mixture, one for each way the rolls come up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from mathhammer.errors import BadInputError
from mathhammer.games.bearing import acting
from mathhammer.games.game import Fight
from mathhammer.games.gathering import facts_of, gifts_of, holds, reaches, seen_by_target
from mathhammer.games.mortals import own_roll
from mathhammer.games.needs import Needs, parse_needs
from mathhammer.units.conditions import Facts
from mathhammer.units.effects import Effect
from mathhammer.units.unit import Unit, Weapon

Branch = tuple[float, Fight]
Came = frozenset[tuple[str, str]]  # rules whose roll came up, with what they needed
MOST_BRANCHES = 64


def branches(fight: Fight) -> tuple[Branch, ...]:
    """The attack once for each way in which the rolls of rules may come up, with the chance of each.

    Effects of one name share one roll.
    """
    rolling = _rolling(fight)
    if not rolling:
        return ((1.0, fight),)
    names = list(dict.fromkeys(effect.name for effect, *_ in rolling))
    groups = [_outcomes([one for one in rolling if one[0].name == name]) for name in names]
    mixed: dict[Came, float] = {}
    for parts in product(*(group.items() for group in groups)):
        came = frozenset[tuple[str, str]]().union(*(part[0] for part in parts))
        chance = 1.0
        for _, share in parts:
            chance *= share
        mixed[came] = mixed.get(came, 0.0) + chance
    if len(mixed) > MOST_BRANCHES:
        raise BadInputError(f"fight: {len(names)} rules with a roll of their own are too many (use fewer)")
    return tuple((chance, replace(fight, rolled=came)) for came, chance in mixed.items())


Rolling = tuple[Effect, Needs, Unit, int]  # with the unit that it acts on, and what is added to the roll


def _rolling(fight: Fight) -> list[Rolling]:
    """The rules with a roll of their own that may act in this attack."""
    ours, others = gifts_of(fight.friends), gifts_of(fight.target_friends)
    every = (*fight.attacker.effects, *fight.effects, *ours, *fight.target.effects, *others)
    if not any(effect.needs for effect in every):
        return []
    # what does nothing in this attack rolls nothing
    own = (*acting(fight.attacker.effects, attacking=True), *fight.effects, *ours)
    theirs = (*acting(fight.target.effects, attacking=False), *others)
    found: dict[tuple[str, str], Rolling] = {}
    for weapon in fight.weapons or ():
        facts = facts_of(fight, weapon)
        found |= _of_side(fight, own, facts, (fight.attacker, fight.target), weapon)
        found |= _of_side(fight, theirs, seen_by_target(fight, facts), (fight.target, fight.attacker), weapon)
    return list(found.values())


def _of_side(
    fight: Fight, effects: Iterable[Effect], facts: Facts, units: tuple[Unit, Unit], weapon: Weapon
) -> dict[tuple[str, str], Rolling]:
    effects = list(effects)
    found: dict[tuple[str, str], Rolling] = {}
    for effect in effects:
        if not effect.needs or not reaches(effect, weapon):
            continue
        if not holds(fight, replace(effect, needs=""), facts):
            continue
        hurt = units[1] if effect.on in ("target", "enemies", "attacker", "friends_attacker") else units[0]
        more = own_roll(fight, effect, effects, facts)
        found[effect.name, effect.needs] = (effect, parse_needs("needs", effect.needs), hurt, more)
    return found


def _outcomes(rolling: list[Rolling]) -> dict[Came, float]:
    """What may come of one roll: which of the rules that look at it have what they need."""
    first = rolling[0][1]
    if any((needs.number, needs.sides) != (first.number, first.sides) for _, needs, _, _ in rolling):
        raise BadInputError(f"fight: {rolling[0][0].name} needs two different rolls (give them two names)")
    rolls = first.rolls()
    outcomes: dict[Came, float] = {}
    for total, dice in rolls:
        came = frozenset(
            (effect.name, effect.needs)
            for effect, needs, hurt, more in rolling
            if needs.right(total, dice, dict(hurt.stats) | dict(hurt.groups[0].stats), more)
        )
        outcomes[came] = outcomes.get(came, 0.0) + 1 / len(rolls)
    return outcomes
