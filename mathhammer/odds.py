"""`odds`: dice questions that are no attack, asked of a game."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from mathhammer.errors import BadInputError, UnknownNameError
from mathhammer.systems import get_system


def odds(system: str, question: str, **details: Any) -> Mapping[str, Any]:
    """The answer to a dice question of a game, as a mapping of named numbers and distributions.

    >>> round(odds("aos4", "charge", needed=9, reroll=True)["p_success"], 4)
    0.4784
    >>> odds("aos4", "chargee", needed=9)
    Traceback (most recent call last):
    mathhammer.errors.UnknownNameError: odds: unknown question 'chargee' (did you mean 'charge'?)
    """
    questions = get_system(system).questions
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
        expected = str(wanted[name].annotation)
        if "int" in expected and isinstance(value, float) and "float" not in expected:
            raise BadInputError(f"odds: {question}: {name} is {value!r} (give a whole number)")
    return ask(**details)
