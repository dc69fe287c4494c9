"""Commands in a duel: what is refused, in its own words."""

from __future__ import annotations

from typing import Any

import pytest
from duel_units import aos, marine

import mathhammer as mh

MESSAGES: list[tuple[Any, Any, dict[str, Any], str]] = [
    (
        aos(),
        aos(),
        {"commands": ["all_out_atack"]},
        r"duel: a: unknown command 'all_out_atack' \(did you mean 'all_out_attack'\?\)",
    ),
    (
        aos(),
        aos(),
        {"commands": {"b": ["covering_fire@1b"]}},
        r"duel: b: covering_fire@1b is never used \(covering_fire is for the enemy's turn\)",
    ),
    (
        aos(),
        aos(),
        {"commands": ["all_out_attack@9"]},
        r"duel: a: all_out_attack@9 is never used \(the duel has rounds 1 to 5\)",
    ),
    (
        aos(),
        aos(),
        {"commands": ["all out"]},
        r"duel: a: cannot read 'all out' \(write a command, or command@round",
    ),
    (aos(), aos(), {"commands": {"c": []}}, r"duel: unknown commands 'c'"),
    (
        aos(),
        aos(),
        {"commands": ["all_out_attack", "all_out_defence"]},
        r"duel: a: all_out_attack and all_out_defence in one phase \(a unit uses one command per phase, AOS4-C-1.2; say when",
    ),
    (
        marine(),
        marine(),
        {"commands": ["command_reroll_hit", "command_reroll_save"]},
        r"duel: a: command_reroll_hit and command_reroll_save in one phase \(a stratagem is used once per phase, WH40K-CPLIMIT",
    ),
    ([aos(), aos()], aos(), {"commands": ["all_out_attack"]}, r"duel: commands with several units on a side"),
]


@pytest.mark.rule("AOS4-C-1.2", "WH40K-CPLIMIT")
@pytest.mark.parametrize(
    ("a", "b", "how", "message"), MESSAGES, ids=[text[:60] for _, _, _, text in MESSAGES]
)
def test_messages(a: Any, b: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.MathhammerError, match=message):
        mh.duel(a, b, **how)
