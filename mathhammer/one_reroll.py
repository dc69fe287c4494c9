"""A command that takes one roll of an action again, whichever it is: the action under its best policy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mathhammer.engine.landing import land
from mathhammer.engine.plan import Plan
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import attacks_of
from mathhammer.games.game import Fight

if TYPE_CHECKING:
    from mathhammer.engine.best_reroll import Array, Policy

Planned = Callable[[Fight], Plan]


def best_end(
    question: Fight, plan: Plan, allowed: frozenset[str], goal: str = "lost"
) -> tuple[Array, Policy]:
    """Chances of the target's states after an action in which the re-roll is used where it is worth most,
    behind them the chances of its use by stage; and the policy. `goal` is "lost" (wounds) or "destroyed".
    """
    from mathhammer.engine.best_reroll import best_rows  # most attacks have no such command

    landing = land(plan.target)
    worth = landing.lost.astype(np.float64) if goal == "lost" else (~landing.alive).astype(np.float64)
    bearers = {w.name: question.attacker.now().bearers(w) * w.copies for w in question.weapons}
    return best_rows(plan, worth, allowed, bearers)


def asks_for_best(question: Fight) -> bool:
    """Whether the command that may take any roll again is in use."""
    return attacks_of(question.attacker.system).best_reroll in question.situation.commands


def end_with_best(question: Fight, plan_of: Planned) -> tuple[Plan, Array]:
    """The plan of an action without that command, and where the target ends with it."""
    attacks = attacks_of(question.attacker.system)
    commands = tuple(one for one in question.situation.commands if one != attacks.best_reroll)
    for one in set(commands) & set(attacks.one_reroll.values()):
        raise BadInputError(f"fight: {attacks.best_reroll} and {one} (leave one of them out)")
    plain = _with(question, commands)
    allowed = frozenset(
        roll
        for roll, one in attacks.one_reroll.items()
        if _allowed(_with(question, (*commands, one)), plan_of)
    )
    plan = plan_of(plain)
    row, _ = best_end(plain, plan, allowed)
    return plan, row[: land(plan.target).states]


def _with(question: Fight, commands: tuple[str, ...]) -> Fight:
    return replace(question, situation=replace(question.situation, commands=commands))


def _allowed(question: Fight, plan_of: Planned) -> bool:
    """Whether one kind of roll may be taken again: not where another rule rolls these dice again already."""
    try:
        plan_of(question)
    except BadInputError:
        return False
    return True
