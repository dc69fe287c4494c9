"""`odds`: dice questions that are no attack, asked of a game."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from mathhammer.dice.pmf import Pmf
from mathhammer.engine.exact import end_states
from mathhammer.engine.plan import SLAIN, Plan, Volley
from mathhammer.engine.result import Result
from mathhammer.engine.table import compile_volley
from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.games.discovery import get_game
from mathhammer.games.game import Hurting
from mathhammer.units.unit import Unit


def odds(system: str, question: str, **details: Any) -> Mapping[str, Any]:
    """The answer to a dice question of a game, as a mapping of named numbers and distributions.

    >>> round(odds("aos4", "charge", needed=9, reroll=True)["p_success"], 4)
    0.4784
    >>> odds("aos4", "chargee", needed=9)
    Traceback (most recent call last):
    mathhammer.errors.UnknownNameError: odds: unknown question 'chargee' (did you mean 'charge'?)
    """
    questions = get_game(system).questions
    if question not in questions:
        raise UnknownNameError("odds", "question", str(question), questions)
    ask = questions[question]
    wanted = inspect.signature(ask).parameters
    for name in details:
        if name not in wanted:
            raise UnknownNameError(f"odds: {question}", "detail", name, wanted)
    missing = [name for name, spec in wanted.items() if spec.default is spec.empty and name not in details]
    if missing:
        raise BadInputError(f"odds: {question} needs {' and '.join(missing)}")
    for name, value in details.items():
        # seeds are larger, and checked where they are used
        hint = "" if name == "seed" else _misfit(value, str(wanted[name].annotation))
        if hint:
            raise BadInputError(f"odds: {question}: {name} is {value!r:.60} (give {hint})")
    answer = ask(**details)
    if isinstance(answer, Plan):
        return hurt(answer)
    if isinstance(answer, Hurting):
        return worked_out(answer)
    if isinstance(answer, Mapping):
        return {
            name: worked_out(part) if isinstance(part, Hurting) else part for name, part in answer.items()
        }
    from mathhammer.pools.running import run  # for games with symbol dice only

    return run(answer)


# What a word of an annotation accepts, and how to say it; questions that take more say so themselves.
_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "int": (
        lambda value: isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9,
        "a whole number",
    ),
    "float": (
        lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value),
        "a number",
    ),
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    "str": (lambda value: isinstance(value, str), "a word"),
    "None": (lambda value: value is None, "nothing"),
    "Unit": (lambda value: isinstance(value, Unit), "a unit, from load_unit or make_unit"),
}


def _misfit(value: Any, annotation: str) -> str:
    """What would be right instead of a value of the wrong kind; empty when it fits."""
    words = [word.strip() for word in annotation.split("|")]
    if any(word not in _KINDS for word in words) or any(_KINDS[word][0](value) for word in words):
        return ""
    return " or ".join(_KINDS[word][1] for word in words if word != "None")


def worked_out(asked: Hurting) -> dict[str, Any]:
    """What a plan does to its target and to each model group of it, and what follows."""
    answer, result = hurt(asked.plan), Result("dice", "target", asked.plan, end_states(asked.plan))
    if len(result.groups) > 1:
        answer["groups"] = [
            {
                "name": group.name,
                "p_destroyed": group.p_destroyed,
                "mean_models_slain": group.mean_slain,
                "mean_wounds_lost": group.mean_lost,
            }
            for group in result.groups.values()
        ]
    return answer | dict(asked.then(answer))


def hurt(plan: Plan) -> dict[str, Any]:
    """What a plan without an attacker does to its target, worked out by the exact engine."""
    result = Result("dice", plan.target.groups[0].name, plan, end_states(plan))
    (volley,) = plan.volleys
    (packet,) = volley.packets
    slain = {
        "mean_models_slain": result.slain.mean(),
        "models_slain_pmf": result.slain,
        "p_destroyed": result.p_destroyed,
    }
    if packet.kind == SLAIN:  # models are taken away, no wound is dealt
        return slain
    answer = {
        "mean_wounds_lost": result.lost.mean(),
        **slain,
        "wounds_lost_pmf": result.lost,
        "mean_mortal_wounds": packets_of(volley, packet.cap).mean() * packet.damage[0].mean(),
    }
    if plan.target.characters and len(plan.target.groups) > 1:
        answer["p_character_slain"] = result.p_character_slain
    return answer


def packets_of(volley: Volley, cap: int | None) -> Pmf:
    """How many packets a volley with one kind of them produces, before the target runs out."""
    table = compile_volley(volley)
    one = Pmf.of(
        {int(counts[0]): float(chance) for counts, chance in zip(table.packets, table.probs, strict=True)}
    )
    total = one.repeat(volley.attacks)
    return total if cap is None else total.cut(cap)
