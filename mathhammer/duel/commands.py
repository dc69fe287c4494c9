"""Commands in a duel: who uses what, when, and whether the game allows it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError, UnknownNameError

if TYPE_CHECKING:
    from mathhammer.duel.setup import Setup
    from mathhammer.games.turns import Reaction, Turns

SIDES = ("a", "b")
REROLL = "reroll_charge"  # a command of every game that has charges
_USE = re.compile(r"([a-z_]{1,40})(?:@(\d{1,3})?([ab])?(?:-(melee|ranged))?)?")


@dataclass(frozen=True, slots=True)
class Use:
    """A command or ability in use: always, or only in a round, in a side's turn, with a kind of attack.

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
        match = _USE.fullmatch(str(text).strip())
        if match is None:
            raise BadInputError(
                f"duel: {side}: cannot read {text!r:.60} (write a command, or command@round, such as "
                "all_out_attack@1)"
            )
        return Use(match[1], int(match[2]) if match[2] else None, match[3], match[4])

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
    for side, fighters in zip(SIDES, setup.fighters, strict=True):
        uses = fighters[0].commands
        for use in uses:
            _check_use(setup, side, use)
        for round in range(1, setup.rounds + 1):
            for turn in SIDES:
                for kind in ("melee", "ranged"):
                    _check_phase(setup.turns, side, uses, (round, turn, kind))


def _check_use(setup: Setup, side: str, use: Use) -> None:
    known = [REROLL, *setup.attacks.commands, *(one.command for one in setup.turns.reactions)]
    if use.command not in known:
        raise UnknownNameError(f"duel: {side}", "command", use.command, known)
    reaction = setup.turns.reaction(use.command)
    if reaction is not None:
        _check_reaction(setup, side, use, reaction)
    if use.round is not None and not 1 <= use.round <= setup.rounds:
        raise BadInputError(f"duel: {side}: {use} is never used (the duel has rounds 1 to {setup.rounds})")


def _check_reaction(setup: Setup, side: str, use: Use, reaction: Reaction) -> None:
    """Refuses a reaction that its unit cannot use, or in a turn in which it is never used."""
    place = SIDES.index(side)
    one, other = setup.fighters[place][0].unit, setup.fighters[1 - place][0].unit
    if reason := reaction.able(one, other):
        raise BadInputError(f"duel: {side}: {one.name} cannot use {use.command}: {reason}")
    if use.turn is not None and (use.turn == side) != reaction.own_turn:
        whose = "its own turn" if reaction.own_turn else "the enemy's turn"
        raise BadInputError(f"duel: {side}: {use} is never used ({use.command} is for {whose})")


def _check_phase(turns: Turns, side: str, uses: tuple[Use, ...], when: tuple[int, str, str]) -> None:
    _, turn, kind = when
    phase = [
        use
        for use in uses
        if use.command != REROLL
        and turns.reaction(use.command) is None
        and turns.phase_of.get(use.command, kind) == kind
        and use.when(*when)
    ]
    # shooting is one phase in which only the active side attacks and only the other side is attacked
    if kind == "ranged":
        phase = [use for use in phase if (use.command in turns.defensive) == (turn != side)]
    reason = turns.conflict([use.command for use in phase])
    if reason:
        together = " and ".join(dict.fromkeys(use.command for use in phase))
        raise BadInputError(
            f"duel: {side}: {together} in one phase ({reason}; say when, such as {phase[0].command}@1)"
        )
