"""Commands in a duel: who uses what, when, and whether the game allows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mathhammer.errors import BadInputError, UnknownNameError

if TYPE_CHECKING:
    from mathhammer.duel.setup import Setup

SIDES = ("a", "b")
REROLL = "reroll_charge"  # a command of every game that has charges
_USE = re.compile(r"([a-z_]{1,40})(?:@(\d{1,3})?([ab])?(?:-(melee|ranged))?)?")


@dataclass(frozen=True, slots=True)
class Use:
    """A command in use: always, or only in a round, in a side's turn, with a kind of attack.

    >>> Use.read("a", "all_out_attack@1b-melee")
    Use(command='all_out_attack', round=1, turn='b', kind='melee')
    """

    command: str
    round: int | None = None
    turn: str | None = None
    kind: str | None = None

    @staticmethod
    def read(side: str, text: str) -> Use:
        """A use from its text: `all_out_attack`, `all_out_attack@2`, `all_out_defence@1b-melee`."""
        found = _USE.fullmatch(str(text).strip())
        if found is None:
            raise BadInputError(
                f"duel: {side}: cannot read {text!r:.60} (write a command, or command@round, such as "
                "all_out_attack@1)"
            )
        return Use(found[1], int(found[2]) if found[2] else None, found[3], found[4])

    def when(self, round: int, turn: str, kind: str | None) -> bool:
        """True when it is in use then."""
        return (
            self.round in (None, round)
            and self.turn in (None, turn)
            and (kind is None or self.kind in (None, kind))
        )

    def __str__(self) -> str:
        when = f"@{self.round or ''}{self.turn or ''}" if self.round or self.turn or self.kind else ""
        return self.command + when + (f"-{self.kind}" if self.kind else "")


def check_commands(setup: Setup) -> None:
    """Refuses commands that the game does not know, that no step asks for, or that one
    phase cannot have together.
    """
    turns = setup.turns
    for side, fighters in zip(SIDES, setup.fighters, strict=True):
        uses = fighters[0].commands
        for use in uses:
            if use.command not in (REROLL, *setup.attacks.commands):
                raise UnknownNameError(
                    f"duel: {side}", "command", use.command, [REROLL, *setup.attacks.commands]
                )
            if use.command in turns.outside:
                raise BadInputError(f"duel: {side}: {use.command} is no step of a duel (ask fight for it)")
            if use.round is not None and not 1 <= use.round <= setup.rounds:
                raise BadInputError(
                    f"duel: {side}: {use} is never used (the duel has rounds 1 to {setup.rounds})"
                )
        for round in range(1, setup.rounds + 1):
            for turn in SIDES:
                for kind in ("melee", "ranged"):
                    here = [
                        u.command
                        for u in uses
                        if u.command != REROLL and turns.only.get(u.command, kind) == kind
                    ]
                    phase = [u for u in uses if u.command in here and u.when(round, turn, kind)]
                    # shooting is one phase in which only the active side attacks and only the other side is
                    # attacked
                    if kind == "ranged":
                        phase = [u for u in phase if (u.command in turns.guards) == (turn != side)]
                    reason = turns.clash([u.command for u in phase])
                    if reason:
                        told = " and ".join(dict.fromkeys(u.command for u in phase))
                        raise BadInputError(
                            f"duel: {side}: {told} in one phase ({reason}; say when, such as "
                            f"{phase[0].command}@1)"
                        )
