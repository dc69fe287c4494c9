"""When a side uses what it has once: a command or an ability, in the phase where it helps most."""

from __future__ import annotations

from dataclasses import replace

from mathhammer.duel.commands import SIDES, Use
from mathhammer.duel.exact import run_exactly
from mathhammer.duel.result import read_moments
from mathhammer.duel.setup import Setup
from mathhammer.duel.using import free_places, kinds_of, limit_of
from mathhammer.errors import BadInputError

MOST_ROUNDS = 10  # rounds among which the best is looked for


def at_the_best_time(setup: Setup) -> Setup:
    """The duel with commands that are used once in the one phase in which they help their side most: the best
    chance to win among all phases that were not ruled out. A time that is said stays.
    """
    for side in (0, 1):
        for place, use in enumerate(setup.fighters[side][0].commands):
            if use.command in setup.turns.once and not (use.round and use.turn):
                setup = max(
                    (_used(setup, side, place, when) for when in _times(setup, use)),
                    key=lambda one: _chance(one, side),
                )
        for place, use in enumerate(setup.fighters[side][0].uses):
            if not setup.several and any(free_places(use, setup.fighters[side][0].effects())):
                setup = max(
                    (_using(setup, side, place, when) for when in moments(setup, side, use)),
                    key=lambda one: _chance(one, side),
                )
    return setup


def check_once(setup: Setup) -> None:
    """Refuses a command twice that a side has once in a battle."""
    for side, fighters in zip(SIDES, setup.fighters, strict=True):
        names = [use.command for use in fighters[0].commands if use.command in setup.turns.once]
        if len(set(names)) < len(names):
            raise BadInputError(f"duel: {side}: {names[0]} is for one phase of the battle (name it once)")


def check_uses(setup: Setup) -> None:
    """Refuses an ability that is used more often than it may be, never, or at a time that cannot be found."""
    for side, fighters in zip(SIDES, setup.fighters, strict=True):
        for fighter in fighters:
            effects = fighter.effects()
            for use in fighter.uses:
                if use.round is not None and not 1 <= use.round <= setup.rounds:
                    raise BadInputError(
                        f"duel: {side}: {use} is never used (the duel has rounds 1 to {setup.rounds})"
                    )
                if setup.several and any(free_places(use, effects)):
                    raise BadInputError(
                        f"duel: {side}: {use.command} is used once per {limit_of(use.command, effects)[1]} "
                        f"(say when, such as {use.command}@1{side}-melee)"
                    )
                number = sum(other.command == use.command for other in fighter.uses)
                most, per = limit_of(use.command, effects)
                if per == "battle" and number > most:
                    raise BadInputError(
                        f"duel: {side}: {use.command} is used {number} times (it may be {most} per battle)"
                    )


def moments(setup: Setup, side: int, use: Use) -> list[Use]:
    """The times among which a side may choose one for an ability, the earliest first."""
    effects = setup.fighters[side][0].effects()
    round_, turn, kind = free_places(use, effects)
    rounds = range(1, min(setup.rounds, MOST_ROUNDS) + 1) if round_ else [use.round]
    turns = setup.order if turn else [use.turn]
    kinds = kinds_of(use.command, effects) if kind else [use.kind]
    return [replace(use, round=a, turn=b, kind=c) for a in rounds for b in turns for c in kinds]


def _using(setup: Setup, side: int, place: int, when: Use) -> Setup:
    fighter = setup.fighters[side][0]
    uses = (*fighter.uses[:place], when, *fighter.uses[place + 1 :])
    fighters = list(setup.fighters)
    fighters[side] = (replace(fighter, uses=uses),)
    return replace(setup, fighters=(fighters[0], fighters[1]), strikes={})


def _times(setup: Setup, use: Use) -> list[Use]:
    """The phases in which it may be used, the earliest first."""
    rounds = [use.round] if use.round else range(1, min(setup.rounds, MOST_ROUNDS) + 1)
    turns = [use.turn] if use.turn else setup.order
    return [replace(use, round=number, turn=turn) for number in rounds for turn in turns]


def _used(setup: Setup, side: int, place: int, when: Use) -> Setup:
    fighter = setup.fighters[side][0]
    uses = (*fighter.commands[:place], when, *fighter.commands[place + 1 :])
    fighters = list(setup.fighters)
    fighters[side] = (replace(fighter, commands=uses),)
    # a setup remembers what it worked out: the copy begins anew
    return replace(setup, fighters=(fighters[0], fighters[1]), strikes={})


def _chance(setup: Setup, side: int) -> float:
    duel = read_moments(setup, run_exactly(setup), lambda: duel)
    return duel.p_win if side == 0 else duel.p_lose
