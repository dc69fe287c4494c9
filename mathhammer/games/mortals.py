"""Mortal wounds and mortal damage that rules deal by dice, inside an action or after a charge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Fan, Gate, Roll, Stage, face_chance
from mathhammer.engine.plan import Volley
from mathhammer.games.game import Fight
from mathhammer.games.gathering import gifts_of, holds, seen_by_target
from mathhammer.games.needs import parse_needs
from mathhammer.units.conditions import Facts
from mathhammer.units.effects import SCALES, Effect, Mortal, Scaled
from mathhammer.units.unit import Unit

# the name of each rule, the points that it deals, and whether no ward may be rolled for them
Dealt = list[tuple[str, Pmf, bool]]


def points(mortal: Mortal, facts: Facts, stats: Mapping[str, Any], more: int = 0) -> Pmf:
    """The points that a rule deals: `facts` are those of the unit that has it, `stats` the characteristics of
    the unit that is hurt, `more` is added to its dice.

    >>> facts = Facts(frozenset(), frozenset(), frozenset(), models=3, target_models=10)
    >>> points(Mortal("1", "models", "4+"), facts, {}).mean()
    1.5
    >>> points(Mortal("roll", "1", "D3 2+"), facts, {}).to_dict()
    {0: 0.3333333333333333, 2: 0.3333333333333333, 3: 0.3333333333333333}
    """
    return _one(mortal, stats, more).repeat(_number(mortal.dice or "1", facts))


def _number(text: str, facts: Facts) -> Pmf:
    if text in ("models", "target models"):
        return Pmf.constant(getattr(facts, text.replace(" ", "_")))
    scaled = Scaled.read(text)
    each = parse_dice(scaled.text).pmf()
    if not scaled.per:
        return each
    number = (getattr(facts, SCALES[scaled.per]) or 0) // scaled.each
    total = each.power(number)
    return total if scaled.limit is None else total.cut(scaled.limit)


def _one(mortal: Mortal, stats: Mapping[str, Any], more: int) -> Pmf:
    """What one die of it deals."""
    if not mortal.on:
        return parse_dice(mortal.each).pmf()
    needs = parse_needs("on", mortal.on)
    rolls = needs.rolls()
    dealt: dict[int, float] = {}
    for total, dice in rolls:
        if not needs.right(total, dice, stats, more):
            each = Pmf.constant(0)
        else:
            each = Pmf.constant(total) if mortal.each == "roll" else parse_dice(mortal.each).pmf()
        for value, chance in each.to_dict().items():
            dealt[value] = dealt.get(value, 0.0) + chance / len(rolls)
    return Pmf.of(dealt)


def dealt_to_target(fight: Fight, facts: Facts) -> Dealt:
    """What the attacker's rules, and those of its friends, deal to the target in this action."""
    sides = [
        (fight.attacker.effects, TO_ENEMY),
        (gifts_of(fight.friends), ("enemies",)),
        (fight.effects, TO_ENEMY),
    ]
    return [one for effects, scopes in sides for one in _dealt(fight, effects, scopes, facts, fight.target)]


def dealt_to_attacker(fight: Fight, facts: Facts) -> Dealt:
    """What the attacker's own rules and those of the target deal to the attacker."""
    theirs = seen_by_target(fight, facts)
    own = _dealt(fight, fight.attacker.effects, ("unit",), facts, fight.attacker)
    return [*own, *_dealt(fight, fight.target.effects, ("attacker", "enemies"), theirs, fight.attacker)]


def on_dice(fight: Fight, facts: Facts) -> list[tuple[str, str, int, Pmf]]:
    """What rules of the target deal to the attacker for each die of its attacks that shows a face: name, roll
    (hit, wound, save), face, points.
    """
    theirs = seen_by_target(fight, facts)
    stats = dict(fight.attacker.stats) | dict(fight.attacker.groups[0].stats)
    found: list[tuple[str, str, int, Pmf]] = []
    for effect in fight.target.effects:
        mortal = effect.change("mortal")
        dice = [condition for condition in effect.when if condition.subject == "rolled"]
        if mortal is None or len(dice) != 1 or effect.on not in ("attacker", "enemies"):
            continue
        rest = replace(effect, when=tuple(c for c in effect.when if c.subject != "rolled"))
        if holds(fight, rest, theirs):
            dealt = points(mortal, theirs, stats)
            found.append((effect.name or "effect", dice[0].test, int(dice[0].value), dealt))
    return found


def harm_by_dice(fight: Fight, facts: Facts, chain: Chain, attacks: Pmf, save: Roll | None) -> list[Volley]:
    """The same as volleys against the attacker, without packets: each attack of a weapon sends a token for
    each of its dice that shows the face. `save` is the target's save, where it is not a lane of the chain.
    """
    volleys = []
    for name, roll, face, dealt in on_dice(fight, facts):
        lane = save if roll == "save" and save is not None else chain.lane(roll)
        if not isinstance(lane, Roll):
            continue
        at = "ordinary" if lane is save else roll
        gate = (at, Gate(face_chance(lane, face), "harm"))
        lanes = (*(pair for pair in chain.lanes if pair[0] != at), gate, ("harm", Fan(dealt, HARM)))
        # a die that is looked at may be the first one of an attack
        harming = Chain(chain.start, tuple(sorted(lanes, key=lambda pair: pair[0])), HARMS)
        volleys.append(Volley(name, attacks, harming, ()))
    return volleys


HARM = "extra mortal"
HARMS = (Stage("mortal", entering=(HARM,)),)
TO_ENEMY = ("target", "enemies")


def _dealt(
    fight: Fight, effects: Iterable[Effect], scopes: tuple[str, ...], facts: Facts, hurt: Unit
) -> Dealt:
    effects = list(effects)
    stats = dict(hurt.stats) | dict(hurt.groups[0].stats)
    found: Dealt = []
    for effect in effects:
        mortal = effect.change("mortal")
        if mortal is None or effect.on not in scopes or not holds(fight, effect, facts):
            continue
        if not countable(mortal) or (mortal.each == "roll" and not mortal.on and not effect.needs):
            continue
        more = own_roll(fight, effect, effects, facts)
        if mortal.each == "roll" and not mortal.on:
            dealt = _as_rolled(fight, effect, effects, stats, more).repeat(_number(mortal.dice or "1", facts))
        else:
            dealt = points(mortal, facts, stats, more)
        found.append((effect.name or "effect", dealt, bool(effect.change("no_ward"))))
    return found


def _as_rolled(
    fight: Fight, effect: Effect, effects: Iterable[Effect], stats: Mapping[str, Any], more: int
) -> Pmf:
    """What the roll that a rule needs showed, given which rules of its name had what they need."""
    bands = {other.needs for other in effects if other.name == effect.name and other.needs}
    asked = [(parse_needs("needs", text), (effect.name, text) in fight.rolled) for text in sorted(bands)]
    totals: dict[int, float] = {}
    for total, dice in parse_needs("needs", effect.needs).rolls():
        if all(needs.right(total, dice, stats, more) == came for needs, came in asked):
            totals[total] = totals.get(total, 0.0) + 1.0
    number = sum(totals.values())
    return Pmf.of({total: ways / number for total, ways in totals.items()}) if number else Pmf.constant(0)


def countable(mortal: Mortal) -> bool:
    """Whether the facts of a fight say how many dice there are."""
    return mortal.dice in ("models", "target models") or Scaled.read(mortal.dice or "1").countable


def own_roll(fight: Fight, effect: Effect, effects: Iterable[Effect], facts: Facts) -> int:
    """What other parts of a rule add to the dice that it rolls itself."""
    return sum(
        int(other.change("own_roll") or 0)
        for other in effects
        if other.name == effect.name and other.change("own_roll") and holds(fight, other, facts)
    )


def makes_no_attack(fight: Fight, facts: Facts) -> str:
    """The rule that the attacker uses in the place of its attacks; empty: none."""
    for effect in fight.attacker.effects:
        if effect.change("no_attack") and effect.on in ("unit", *TO_ENEMY) and holds(fight, effect, facts):
            return effect.name
    return ""
