"""A duel as JSON, for programs and for the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mathhammer._version import __version__
from mathhammer.dice.plain import plain
from mathhammer.duel.advice import Advice
from mathhammer.duel.result import Duel
from mathhammer.duel.telling import duel_conditions, duel_not_counted


def duel_document(duel: Duel, advice: Sequence[Advice]) -> dict[str, Any]:
    """The duel and the advice as JSON."""
    uses = [
        {
            "use": str(one.use),
            "rule": one.rule,
            "p_win": one.wins,
            "gain": one.gain,
            "trade": one.trade,
            "refused": one.refused,
        }
        for one in advice
    ]
    return {
        "schema": "mathhammer-duel/1",
        "mathhammer": __version__,
        "system": duel.setup.system.key,
        "title": duel.setup.system.title,
        "method": duel.method,
        "trials": duel.trials,
        "seed": duel.seed,
        "conditions": {"text": duel_conditions(duel)},
        "not_counted": list(duel_not_counted(duel)),
        "answer": plain(duel.to_dict(going_first=max(map(len, duel.setup.fighters)) == 1)),
        "advice": uses,
    }
