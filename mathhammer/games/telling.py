"""What a question asked, in words: the conditions of an answer, and the rules that it leaves out."""

from __future__ import annotations

from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.effect_words import IN_DUELS, NOTED
from mathhammer.games.game import Attacks, Fight
from mathhammer.games.weapon_choice import weapons_text
from mathhammer.games.words import OTHER_SIDE, defensive
from mathhammer.units.circumstances import Conditions
from mathhammer.units.conditions import TRIGGERS, switch
from mathhammer.units.effects import Effect, Scaled
from mathhammer.units.unit import Unit


def command_text(attacks: Attacks, command: str) -> str:
    """A command as its game calls it.

    >>> command_text(attacks_of("aos4"), "all_out_attack")
    'All-out Attack'
    """
    return attacks.called.get(command) or command.replace("_", " ").title()


def flag_text(flag: str) -> str:
    """A situation in words.

    >>> flag_text("half_range:Meltagun")
    'half range (Meltagun)'
    """
    name, _, only = flag.partition(":")
    return name.replace("_", " ") + (f" ({only})" if only else "")


def effect_text(effect: Effect) -> str:
    """An effect by its name, else by what it changes."""
    return effect.name or ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in effect.changes)


def conditions_of(question: Fight, method: str = "exact") -> Conditions:
    """The conditions of a question."""
    attacks, situation = attacks_of(question.attacker.system), question.situation
    guarding = defensive(attacks)
    flags = sorted(situation.flags)
    ours = [flag_text(flag) for flag in flags if not flag.startswith(OTHER_SIDE)]
    theirs = [flag_text(flag.removeprefix(OTHER_SIDE)) for flag in flags if flag.startswith(OTHER_SIDE)]
    for command in situation.commands:
        (theirs if command in guarding else ours).append(command_text(attacks, command))
    ours += [] if situation.distance is None else [f"{situation.distance:g} inches away"]
    ours += [] if situation.round is None else [f"round {situation.round}"]
    ours += [] if situation.phase is None else [f"{situation.phase} phase"]
    ours += [f"using {word}" for word in sorted(situation.used)]
    for effect in question.effects:
        (theirs if effect.on == "target" else ours).append(effect_text(effect))
    options = [f"{name} {value}" for name, value in question.options if attacks.options.get(name) != value]
    return Conditions(
        get_game(question.attacker.system).short_title,
        method,
        question.attacker.models_left,
        weapons_text(question.attacker, question.weapons),
        (*ours, *_own(question.attacker, question.friends)),
        (*_size(question.target), *theirs, *_own(question.target, question.target_friends)),
        tuple(options),
        tuple(flags),
        situation.commands,
    )


def _own(unit: Unit, friends: tuple[Unit, ...]) -> list[str]:
    """What a unit was given: friends beside it, and buffs."""
    return [*(f"with {friend.name}" for friend in friends), *unit.stance.buffs]


def _size(unit: Unit) -> list[str]:
    return [] if unit.models == unit.minimum and not unit.lost else [f"{unit.models_left} models"]


def not_counted(question: Fight) -> tuple[str, ...]:
    """The rules of both units and of their friends that are noted in datasheets and not modelled."""
    units = (question.attacker, *question.friends, question.target, *question.target_friends)
    used = question.situation.used
    rules: list[str] = []
    for unit in units:
        silent = (left_out(effect, used) for effect in unit.effects)
        rules += [f"{unit.name}: {rule}" for rule in (*unit.not_covered, *filter(None, silent))]
    return tuple(dict.fromkeys(rules))


def left_out(effect: Effect, used: frozenset[str]) -> str:
    """An effect that an attack does not act on, with the reason; empty where it does.

    >>> from mathhammer import make_unit
    >>> rules = [{"name": "Rite", "use": "choice", "hit_roll": "+1"}, {"name": "Mend", "heal": "D3"}]
    >>> unit = make_unit("aos4", {"name": "Cult", "health": 1, "effect": rules})
    >>> [left_out(effect, frozenset()) for effect in unit.effects]
    ['Rite (not used)', 'Mend (counts in duels only)']
    """
    name = effect.name or effect_text(effect)
    if effect.use and switch(effect.name) not in used:
        return f"{name} (not used)"
    switches = [c for c in effect.when if c.subject == "used" and not c.negated and c.value not in used]
    if switches and switches[0].value in TRIGGERS:
        return f"{name} (not modelled: {switches[0].text})"
    if switches:
        return f"{name} (not said: {switches[0].text})"
    words = {key for key, _ in effect.changes}
    if words <= IN_DUELS:
        return f"{name} (counts in duels only)"
    scaled = [Scaled.read(value) for _, value in effect.changes if isinstance(value, str)]
    if words <= NOTED or any(not one.countable or (one.limit is not None and not one.per) for one in scaled):
        return f"{name} (not modelled)"
    return ""
