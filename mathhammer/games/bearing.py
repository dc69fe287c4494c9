"""What of a unit can bear on what an attack does to its target: rules that wait to be used, rules about the
unit's own attacks while it is attacked, and keywords at which nothing looks are left out.

Sweeps put thousands of units against each other: those that differ in nothing that bears are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from mathhammer.games.effect_words import BESIDE_COMBAT, DEFENCE, IN_DUELS, NOTED
from mathhammer.units.conditions import ATTACK_OWN, PICKED, switch
from mathhammer.units.effects import Effect
from mathhammer.units.unit import Unit

# Keywords of a target at which rules of the games look themselves; a test reads them out of the games.
LOOKED_AT = frozenset(
    (
        "AIRCRAFT,BEAST,BEASTS,CHARACTER,EXPLOSIVES,FACTION TERRAIN,FLY,GRENADES,HERO,INFANTRY,MANIFESTATION,"
        "MONSTER,MOUNTED,SMOKE,SWARM,TITANIC,VEHICLE,WAR MACHINE"
    ).split(",")
)
BESIDE = frozenset({"friends", "led", "friends_attacker"})  # handed to others, never to the unit itself
# words about other moments of a battle; a roll of one's own is for other parts of the same rule
ELSEWHERE = NOTED | IN_DUELS | BESIDE_COMBAT | {"own_roll"}
# characteristics that no attack looks at, but for rules with dice of their own
UNSEEN = frozenset(
    {"objective_control", "control", "leadership", "move", "deadly_demise", "fights_first", "strike"}
)
SHARED = frozenset({"ignore", "no_reroll"})  # words that act on both sides
OF_TARGET = frozenset({"target_models", "target_lost", "target_wounds"}) | ATTACK_OWN


def as_attacker(unit: Unit, used: frozenset[str]) -> Unit:
    """The unit with those rules only that bear on what its attacks do; `used`: abilities in use, switches.

    >>> from mathhammer import load_unit
    >>> unit = load_unit("Clanrats", "aos4")
    >>> as_attacker(unit, frozenset()).weapons == unit.weapons
    True
    """
    used |= unit.stance.used

    def idle(effect: Effect) -> bool:
        to_itself = effect.on == "unit" and _keys(effect) <= {"mortal"} | ELSEWHERE
        return _waits(effect, used) or not acts(effect, attacking=True) or to_itself

    return _without(unit, idle)


def as_target(unit: Unit, used: frozenset[str]) -> Unit:
    """The unit with those rules only that bear on what attacks do to it.

    >>> from mathhammer import make_unit
    >>> rage = {"name": "Rage", "when": ["models >= 5"], "attacks": "+1"}
    >>> mist = {"name": "Mist", "on": "attacker", "hit_roll": "-1"}
    >>> unit = make_unit("aos4", {"name": "Rats", "models": 5, "health": 1, "effect": [rage, mist]})
    >>> [effect.name for effect in as_target(unit, frozenset()).effects]
    ['Mist']
    """
    used |= unit.stance.used

    def idle(effect: Effect) -> bool:
        struck_back = (
            effect.on in ("attacker", "enemies") and _keys(effect) <= {"mortal", "no_ward"} | ELSEWHERE
        )
        return _waits(effect, used) or not acts(effect, attacking=False) or struck_back

    return _without(unit, idle)


def acts(effect: Effect, *, attacking: bool) -> bool:
    """Whether a rule of a unit does anything in an attack that the unit makes, or that is made against it.

    >>> acts(Effect("Mist", (("hit_roll", -1),), on="attacker"), attacking=True)
    False
    """
    keys = _keys(effect)
    if attacking:
        return not (keys <= ELSEWHERE or effect.on in BESIDE | {"attacker"})
    own_attacks = effect.on == "unit" and not keys & (DEFENCE | SHARED)
    return not (keys <= ELSEWHERE or effect.on in BESIDE | {"target"} or own_attacks)


def _keys(effect: Effect) -> set[str]:
    return {key for key, _ in effect.changes}


def _waits(effect: Effect, used: frozenset[str]) -> bool:
    """Whether it waits for somebody to use it, or to say that something holds."""
    if effect.use and switch(effect.name) not in used:
        return True
    return any(
        one.subject == "used"
        and not one.negated
        and one.value not in used
        and not (one.value == PICKED and effect.use)
        for one in effect.when
    )


def acting(effects: Sequence[Effect], *, attacking: bool) -> tuple[Effect, ...]:
    """The rules of a unit that do anything in an attack, with all parts of those that roll dice of their own.

    >>> rest = Effect("Rest", (("heal", 1),), needs="6")
    >>> acting([rest, Effect("Rage", (("hit_roll", 1),))], attacking=True)[0].name
    'Rage'
    """
    return _kept(effects, lambda effect: not acts(effect, attacking=attacking))


def _without(unit: Unit, idle: Callable[[Effect], bool]) -> Unit:
    kept = _kept(unit.effects, idle)
    return unit if kept == unit.effects else replace(unit, effects=kept)


def _kept(effects: Sequence[Effect], idle: Callable[[Effect], bool]) -> tuple[Effect, ...]:
    """Without idle rules; a rule of several parts of which one rolls dice of its own stays whole."""
    rolling = {
        effect.name for effect in effects if (effect.needs or effect.change("mortal")) and not idle(effect)
    }
    return tuple(effect for effect in effects if effect.name in rolling or not idle(effect))


def rolls(effects: Iterable[Effect]) -> bool:
    """Whether a rule rolls dice of its own or deals mortal wounds: what it does depends on all of a target.

    >>> rolls([Effect("Roar", (("mortal", "D3"),), on="target")])
    True
    """
    return any(effect.needs or effect.change("mortal") for effect in effects)


def counts_target(effects: Iterable[Effect]) -> bool:
    """Whether a rule of an attacker looks at how many the target is, or at the attack itself.

    >>> counts_target([Effect("Rage", (("attacks", "+1 per 5 target models"),))])
    True
    """
    return any(
        any(condition.subject in OF_TARGET for condition in effect.when)
        or any(" per " in str(value) for _, value in effect.changes)
        for effect in effects
    )


def counts_itself(effects: Iterable[Effect]) -> bool:
    """Whether a rule of a target looks at how many it is, at its characteristics or at those of the attack.

    >>> counts_itself([Effect("Thick", (("ward", 5),))])
    False
    """
    numbers = OF_TARGET | {"models", "lost", "wounds"}
    return any(
        any(condition.subject in numbers for condition in effect.when)
        or any(" per " in str(value) for _, value in effect.changes)
        for effect in effects
    )


def text_of_effects(effects: Iterable[object]) -> str:
    """All words in which rules could name a keyword; rules may be mappings, as datasheets have them.

    >>> text_of_effects([{"when": ["target has MONSTER"], "hit_roll": "+1"}])
    "{'WHEN': ['TARGET HAS MONSTER'], 'HIT_ROLL': '+1'}"
    """
    found: dict[str, None] = {}
    for one in effects:
        if isinstance(one, Effect):
            found |= dict.fromkeys(str(condition.value) for condition in one.when)
            found |= dict.fromkeys(str(value) for _, value in one.changes)
        else:
            found[str(one)] = None
    return "\n".join(found).upper()
