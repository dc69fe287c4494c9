"""Words of a question that change nothing: friends who give nothing, commands and buffs that do not fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mathhammer.compare.matchups import Matchup
from mathhammer.errors import MathhammerError
from mathhammer.fight import make_question, plan_of
from mathhammer.games.discovery import attacks_of
from mathhammer.games.game import Fight
from mathhammer.games.telling import command_text, flag_text
from mathhammer.games.words import defensive
from mathhammer.units.unit import Unit

METHOD = ("method", "trials", "seed")


def idle_words(fights: Sequence[Matchup], how: Mapping[str, Any]) -> list[str]:
    """One line for each word of the question without which every answer would be the same."""
    asked = {name: given for name, given in how.items() if name not in METHOD}
    idle: dict[str, bool] = {}
    for matchup in fights:
        if matchup.result is None:
            continue
        question = make_question(matchup.attacker, matchup.target, **asked)
        for line, without in _without_each(question):
            idle[line] = idle.get(line, True) and _same(question, without)
    return [line for line, nothing in idle.items() if nothing]


def _same(question: Fight, without: Fight) -> bool:
    """Whether a question without one of its words has the same answer; one that is refused has not."""
    try:
        return plan_of(question) == plan_of(without)
    except MathhammerError:
        return False


def _without_each(question: Fight) -> Iterator[tuple[str, Fight]]:
    """The question without each of its words, and what is said of a word that changes nothing."""
    situation, attacks = question.situation, attacks_of(question.attacker.system)
    who, whom = question.attacker.name, question.target.name
    for flag in sorted(situation.flags):
        fewer = replace(situation, flags=situation.flags - {flag})
        yield f"{flag_text(flag)}: changes nothing here", replace(question, situation=fewer)
    for command in situation.commands:
        side = "the target's" if command in defensive(attacks) else "the attacker's"
        fewer = replace(situation, commands=tuple(c for c in situation.commands if c != command))
        yield (
            f"{command_text(attacks, command)} ({side} command): changes nothing here",
            replace(question, situation=fewer),
        )
    for name, helped in (("friends", who), ("target_friends", whom)):
        for friend in getattr(question, name):
            others: dict[str, Any] = {name: tuple(f for f in getattr(question, name) if f is not friend)}
            yield f"{friend.name}: gives {helped} nothing here", replace(question, **others)
    for side, unit in (("attacker", question.attacker), ("target", question.target)):
        for buff in unit.stance.buffs:
            plain: dict[str, Any] = {side: _without(unit, buff)}
            yield f"{unit.name}, {buff}: {_why(buff)}", replace(question, **plain)


def _why(buff: str) -> str:
    """What is said of a buff that changes nothing."""
    return "changes nothing here" + (
        " (-1 to be hit is for attacks against a unit)" if "to hit" in buff else ""
    )


def _without(unit: Unit, buff: str) -> Unit:
    return replace(unit, effects=tuple(effect for effect in unit.effects if effect.name != buff))
