"""What a question asked, in words: the conditions of an answer, and the rules that it leaves out."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.effect_words import BESIDE_COMBAT, IN_DUELS, NOTED
from mathhammer.games.game import Attacks, Fight
from mathhammer.games.mortals import countable
from mathhammer.games.weapon_choice import KINDS, weapons_text
from mathhammer.games.words import OTHER_SIDE, defensive
from mathhammer.units.abilities import Ability
from mathhammer.units.circumstances import Conditions
from mathhammer.units.conditions import PICKED, TRIGGERS, switch
from mathhammer.units.effects import Effect, Mortal, Scaled
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
    """The rules of both units and of their friends that are not in the answer."""
    kinds, used = {weapon.kind for weapon in question.weapons}, question.situation.used
    sides = ((question.attacker, question.friends), (question.target, question.target_friends))
    unknown = {
        "distance": question.situation.distance is None,
        "reach": question.situation.distance is None and kinds != {"melee"},
        "round": question.situation.round is None,
    }
    missing = frozenset(name for name, not_said in unknown.items() if not_said)
    found = [
        rules_left_out((unit, *friends), used | unit.stance.used, kinds, unknown=missing)
        for unit, friends in sides
    ]
    return tuple(dict.fromkeys((*found[0], *found[1])))


def rules_left_out(
    units: Iterable[Unit],
    used: frozenset[str] = frozenset(),
    kinds: Iterable[str] = KINDS,
    *,
    in_duel: bool = False,
    unknown: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """The rules of units that are noted in datasheets and not modelled, what of their abilities was not
    understood, and effects that do not act here, each once; `kinds` are those of the attacks, `unknown` is
    what nobody said (distance, round).

    >>> from mathhammer import load_unit
    >>> ogors = load_unit("Rat Ogors", "aos4")
    >>> rules_left_out([ogors]), rules_left_out([ogors], kinds=["ranged"])
    (('Rat Ogors: Unleashed Warp-fury (not used)',), ())
    """
    kinds = set(kinds)
    rules: list[str] = []
    for unit in units:
        acting = used | unit.stance.used
        silent = [
            left_out(effect, acting, kinds, in_duel=in_duel) or _unsaid(effect, unknown)
            for effect in unit.effects
        ]
        unused = {effect.name for effect in unit.effects if effect.use and switch(effect.name) not in acting}
        unread = (unread_text(ability) for ability in unit.abilities if ability.name not in unused)
        rules += [f"{unit.name}: {rule}" for rule in (*unit.not_covered, *filter(None, (*silent, *unread)))]
    return tuple(dict.fromkeys(rules))


def unread_text(ability: Ability) -> str:
    """What of a rule about combat was not understood; empty where all was, or it is about something else.

    >>> unread_text(Ability("Frenzy", rest=("on a blue moon",)))
    'Frenzy (not understood: on a blue moon)'
    """
    if ability.about != "combat" or ability.state == "whole":
        return ""
    words = "; ".join(clipped(words, LONGEST_REST) for words in ability.rest)
    part = "in part not understood" if ability.effects else "not understood"
    return f"{ability.name} ({part}: {words})" if words else f"{ability.name} ({part})"


def clipped(text: str, most: int) -> str:
    """A text of at most so many characters, cut at a space.

    >>> clipped("each time this model attacks", 20)
    'each time this ...'
    """
    return text if len(text) <= most else text[: most - 4].rpartition(" ")[0] + " ..."


def left_out(
    effect: Effect, used: frozenset[str], kinds: Collection[str] = KINDS, *, in_duel: bool = False
) -> str:
    """An effect that attacks of these kinds could look at and do not act on, with the reason; empty where
    they do.

    >>> from mathhammer import make_unit
    >>> rules = [{"name": "Rite", "use": "choice", "hit_roll": "+1"}, {"name": "Mend", "heal": "D3"}]
    >>> unit = make_unit("aos4", {"name": "Cult", "health": 1, "effect": rules})
    >>> [left_out(effect, frozenset()) for effect in unit.effects]
    ['Rite (not used)', 'Mend (counts in duels only)']
    """
    name = effect.name or effect_text(effect)
    words = {key for key, _ in effect.changes}
    if any(condition.value in KINDS and condition.value not in kinds for condition in effect.when):
        return ""
    if words and words <= BESIDE_COMBAT and not effect.noted:
        return ""
    if effect.use and switch(effect.name) not in used:
        return f"{name} (not used)"
    if reason := _unmet(effect, used) or _not_modelled(effect, words):
        return f"{name} ({reason})"
    if words <= IN_DUELS:
        if in_duel:
            known = words <= SCENIC or judged_in_duel(effect, KINDS if "fight_on_death" in words else ())
            return "" if known else f"{name} (not modelled in duels)"
        return f"{name} (counts in duels only)"
    return ""


SCENIC = frozenset({"strike_again"})  # words of duels that are looked at in every attack


def judged_in_duel(effect: Effect, flags: Collection[str] = ()) -> bool:
    """Whether a duel knows in every turn if a rule about turns works: it depends on no roll, on nothing but
    what the player says (and `flags`, which are known), and is not for one moment of the battle.
    """
    known = all(
        one.subject == "used" or (one.subject == "flag" and one.value in flags and not one.negated)
        for one in effect.when
    )
    return known and not effect.needs and not effect.use.endswith("per battle")


def _unsaid(effect: Effect, unknown: frozenset[str]) -> str:
    """A rule that asks for something that nobody said: how far apart the units are, or which round it is."""
    asked = next((one.subject for one in effect.when if one.subject in unknown), "").replace(
        "reach", "distance"
    )
    return f"{effect.name or effect_text(effect)} (the {asked} is not known)" if asked else ""


def _unmet(effect: Effect, used: frozenset[str]) -> str:
    """A condition of an effect that no question meets, or that the player has not said."""
    for condition in effect.when:
        if condition.subject != "used" or condition.negated or condition.value in used:
            continue
        if condition.value in TRIGGERS:
            return f"not modelled: {condition.text}"
        if condition.value != PICKED or not effect.use:  # to use it is to pick
            return f"needs {condition.text.removeprefix('if ')}"
    return ""


def _not_modelled(effect: Effect, words: Collection[str]) -> str:
    """What of an effect no number looks at."""
    silent = [
        f"{key.replace('_', ' ')} {value}"
        for key, value in effect.changes
        if _is_silent(key, value)
        or (isinstance(value, Mortal) and value.each == "roll" and not _rolls(effect))
    ]
    if not silent and not effect.noted:
        return ""
    if not effect.noted and len(silent) == len(words):
        return "not modelled"
    return f"not modelled: {', '.join((*effect.noted, *silent))}"


def _rolls(effect: Effect) -> bool:
    """Whether there is a roll that mortal damage may be as large as."""
    mortal = effect.change("mortal")
    return bool(effect.needs or mortal.on)


def _is_silent(key: str, value: object) -> bool:
    """Whether a change is noted only, or counts something that no fight knows."""
    if key in NOTED:
        return key not in BESIDE_COMBAT
    if isinstance(value, Mortal):
        return not countable(value)
    return isinstance(value, str) and not Scaled.read(value).countable


LONGEST_REST = 60  # characters of words that were not understood, in a remark
