"""What becomes of each rule of a unit in a fight, in words: it works, works when ..., has to be used, ..."""

from __future__ import annotations

from collections.abc import Iterator

from mathhammer.dataclass import dataclass
from mathhammer.games.effect_words import BESIDE_COMBAT, IN_DUELS
from mathhammer.games.telling import left_out
from mathhammer.units.abilities import Ability
from mathhammer.units.conditions import TRIGGERS, switch
from mathhammer.units.effects import Effect
from mathhammer.units.unit import Unit


@dataclass(frozen=True, slots=True)
class RuleState:
    """One effect of a rule, or the words of it that were not understood: what becomes of it, and what it
    changes.
    """

    name: str
    state: str
    change: str = ""


def rule_states(unit: Unit) -> Iterator[RuleState]:
    """Every rule of a unit, those that are not modelled included.

    >>> from mathhammer import make_unit
    >>> rite = {"name": "Rite", "effect": [{"use": "choice once per battle", "when": ["melee"], "ward": 5}]}
    >>> song = {"name": "Song", "rest": ["it rings"]}
    >>> cult = make_unit("aos4", {"name": "Cult", "health": 1, "ability": [rite, song]})
    >>> [(one.name, one.state) for one in rule_states(cult)]
    [('Rite', 'use it (once per battle), works when melee'), ('Song', 'not understood: it rings')]
    """
    named = {ability.name for ability in unit.abilities}
    for effect in unit.effects:
        if effect.name not in named:
            yield RuleState(effect.name or "a rule", effect_state(effect), changes_text(effect))
    for ability in unit.abilities:
        by_hand = not any(effect.name == ability.name for effect in unit.effects)
        if by_hand and ability.state == "whole":
            continue  # effects of another name stand for it, and are shown under that
        own = [effect for effect in unit.effects if effect.name == ability.name]
        yield from (RuleState(ability.name, effect_state(one), changes_text(one)) for one in own)
        yield from _words_left(ability, bool(own))
    for rule in unit.not_covered:
        yield RuleState(
            rule.partition(" (")[0], f"not counted: {rule.partition(' (')[2].removesuffix(')') or 'noted'}"
        )


def _words_left(ability: Ability, acts: bool) -> Iterator[RuleState]:
    if ability.about == "none":
        yield RuleState(ability.name, "not about combat")
    elif ability.rest or not acts:
        about = "" if ability.about == "combat" else "about other rolls; "
        words = f": {'; '.join(ability.rest)}" if ability.rest else ""
        yield RuleState(ability.name, f"{about}not understood{words}")


def effect_state(effect: Effect) -> str:
    """What becomes of an effect in a fight."""
    words = {key for key, _ in effect.changes}
    said = frozenset(
        str(one.value) for one in effect.when if one.subject == "used" and one.value not in TRIGGERS
    )
    reason = left_out(effect, said | {switch(effect.name)}, in_duel=True)
    if words and words <= BESIDE_COMBAT and not effect.noted:
        state = "about other rolls"
    elif reason:
        state = reason.removeprefix(effect.name).strip(" ()")
    else:
        state = "works in duels" if words <= IN_DUELS else "works"
    when = " and ".join(condition.text for condition in effect.when)
    state += f" when {when}" if when and state.startswith("works") else ""
    state += f", on a roll of {effect.needs}" if effect.needs else ""
    limit = effect.use.removeprefix("choice").strip()
    return f"use it{f' ({limit})' if limit else ''}, {state}" if effect.use else state


def changes_text(effect: Effect) -> str:
    """What an effect changes, of whom and of which weapons."""
    changes = [_change(key, value) for key, value in effect.changes]
    limits = [f"on {effect.on.replace('_', ' ')}"] if effect.on != "unit" else []
    limits += [f"with {', '.join(effect.weapon)}"] if effect.weapon else []
    limits += [f"{effect.group} only"] if effect.group else []
    return ", ".join((*changes, *effect.noted)) + (f" ({'; '.join(limits)})" if limits else "")


def _change(key: str, value: object) -> str:
    words = key.replace("_", " ")
    if value is True:
        return words
    if key.endswith("_roll") and isinstance(value, int):
        return f"{words} {value:+d}"
    return f"{words} {', '.join(map(str, value)) if isinstance(value, tuple) else value}"
