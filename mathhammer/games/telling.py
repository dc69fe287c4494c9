"""What a question asked, in words: the conditions of an answer, and the rules that it leaves out."""

from __future__ import annotations

from collections.abc import Iterable

from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.game import Attacks, Fight
from mathhammer.games.weapon_choice import KINDS, weapons_text
from mathhammer.games.words import OTHER_SIDE, defensive
from mathhammer.units.circumstances import Conditions
from mathhammer.units.conditions import switch
from mathhammer.units.effects import Effect
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
    """The rules of both units and of their friends that are not in the answer."""
    kinds, used = {weapon.kind for weapon in question.weapons}, question.situation.used
    sides = ((question.attacker, question.friends), (question.target, question.target_friends))
    found = [rules_left_out((unit, *friends), used | unit.stance.used, kinds) for unit, friends in sides]
    return tuple(dict.fromkeys((*found[0], *found[1])))


def rules_left_out(
    units: Iterable[Unit], used: frozenset[str] = frozenset(), kinds: Iterable[str] = KINDS
) -> tuple[str, ...]:
    """The rules of units that are noted in datasheets and not modelled, and those that nobody uses here,
    each once; `kinds` are those of the attacks.

    >>> from mathhammer import load_unit
    >>> ogors = load_unit("Rat Ogors", "aos4")
    >>> rules_left_out([ogors]), rules_left_out([ogors], kinds=["ranged"])
    (('Rat Ogors: Unleashed Warp-fury (not used)',), ())
    """
    kinds = set(kinds)
    return tuple(
        dict.fromkeys(
            f"{unit.name}: {rule}"
            for unit in units
            for rule in (*unit.not_covered, *_unused(unit, used | unit.stance.used, kinds))
        )
    )


def _unused(unit: Unit, used: frozenset[str], kinds: set[str]) -> list[str]:
    """Abilities of a unit that could act on such attacks and are off: a player uses them, or says so."""
    found = []
    for effect in unit.effects:
        if any(condition.value in KINDS and condition.value not in kinds for condition in effect.when):
            continue
        if effect.use and switch(effect.name) not in used:
            found.append(f"{effect.name} (not used)")
        found += [
            f"{effect_text(effect)} (needs {condition.text.removeprefix('if ')})"
            for condition in effect.when
            if condition.subject == "used" and not condition.negated and condition.value not in used
        ]
    return found
