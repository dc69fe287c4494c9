"""Which named rules of both sides act on an attack, and what they change."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.games.game import Fight
from mathhammer.games.gathering import attack_changes, defence_changes, effects_in_play, facts_of
from mathhammer.games.mortals import dealt_to_attacker, dealt_to_target


def rules_at_work(question: Fight) -> tuple[str, ...]:
    """The rules that act on an attack, each with the words that it changes; a roll that one needs is taken as
    come up.
    """
    effects = effects_in_play(question)
    came = frozenset((effect.name, effect.needs) for effect in effects if effect.needs)
    names = {effect.name for effect in effects if effect.name}
    fight = replace(question, rolled=came)
    found: dict[str, dict[str, None]] = {}
    for weapon in fight.weapons:
        facts = facts_of(fight, weapon)
        for change in (*attack_changes(fight, facts, weapon), *defence_changes(fight, facts, weapon)):
            if change.source in names:
                found.setdefault(change.source, {})[change.key.replace("_", " ")] = None
        for name, _, _ in (*dealt_to_target(fight, facts), *dealt_to_attacker(fight, facts)):
            if name in names:
                found.setdefault(name, {})["mortal"] = None
    return tuple(f"{name}: {', '.join(words)}" for name, words in found.items())
