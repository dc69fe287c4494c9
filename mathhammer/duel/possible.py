"""Whether anything can happen in a duel of two units at all."""

from __future__ import annotations

from collections.abc import Iterator

from mathhammer.duel.attacks import strike_of
from mathhammer.duel.commands import SIDES
from mathhammer.duel.fighter import Scene
from mathhammer.duel.moving import Line, charge_chance
from mathhammer.duel.reactions import reactions_used
from mathhammer.duel.setup import Setup, label
from mathhammer.errors import BadInputError
from mathhammer.games.turns import Charge, Fight, Move, Shoot


class NeverMeetError(BadInputError):
    """Two units stay apart, and neither can shoot so far.

    >>> str(NeverMeetError("duel: Rats and Cats never meet"))
    'duel: Rats and Cats never meet'
    """


def check_someone_can_attack(setup: Setup) -> None:
    """Refuses a duel in which nothing can ever happen."""
    if {"hurt", "shoot", "charge"} & reactions_used(setup):
        return
    meet = False
    for side, scene in _scenes(setup):
        meet = meet or scene.engaged
        strike = strike_of(setup, side, 0, 0, scene)
        if strike is not None and not strike.idle:
            return
    names = label(setup.fighters)
    if not meet:
        raise NeverMeetError(
            f"duel: {names[0]} and {names[1]} never meet: {setup.distance:g} inches apart, no charge "
            "reaches and nobody shoots so far "
            '(give a smaller distance, or approach="both")'
        )
    raise BadInputError(
        f"duel: {names[0]} and {names[1]} cannot hurt each other (give one of them weapons that get through)"
    )


def _scenes(setup: Setup) -> Iterator[tuple[int, Scene]]:
    """The side and the scene of every attack that may be made, turn by turn."""
    apart, engaged, line = not setup.engaged_at_start, setup.engaged_at_start, Line.start(setup)
    for number in range(1, setup.rounds + 1):
        for turn in setup.order:
            active, charged = SIDES.index(turn), False
            one = setup.fighters[active][0]
            for step in setup.turns.steps:
                if isinstance(step, Move):
                    line.move(setup, active)
                elif isinstance(step, Shoot):
                    for close in [False] * apart + [True] * engaged:
                        yield active, Scene("ranged", number, turn, engaged=close, distance=line.away)
                elif isinstance(step, Charge):
                    charged = number == 1 and setup.engaged_at_start and one.charged
                    if apart and one.charges and one.melee:
                        charged = charge_chance(setup, active, number, turn, line.away) > 0.0
                    engaged = engaged or charged
                elif isinstance(step, Fight) and engaged:
                    for side in (0, 1):
                        rush = charged and side == active
                        yield side, Scene("melee", number, turn, engaged=True, charged=rush)
