"""`threat`: by distance, the chance to reach an enemy this turn, and to destroy it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.decide.blows import SURE
from mathhammer.decide.showing import Shown
from mathhammer.dice.notation import parse_dice
from mathhammer.duel import duel
from mathhammer.duel.possible import NeverMeetError
from mathhammer.duel.sides import by_side, words_of
from mathhammer.errors import BadInputError
from mathhammer.fight import both_units
from mathhammer.games.discovery import get_game
from mathhammer.games.turns import Move, Turns
from mathhammer.units.unit import Unit

FARTHEST = 48  # inches


@dataclass(frozen=True, slots=True)
class Threatened:
    """What a unit can do in one turn to an enemy at a distance.

    >>> import mathhammer as mh
    >>> mh.threat("Rat Ogors", "Clanrats").at[-1].p_reached < 0.1
    True
    """

    distance: float
    p_reached: float  # its charge arrives, or it is in combat already
    p_destroyed: float
    slain: float  # mean models of the enemy


@dataclass(frozen=True, slots=True, repr=False)
class Threat(Shown):
    """By distance: the chance that a unit reaches an enemy in its turn, and what it does to it.

    >>> import mathhammer as mh
    >>> mh.threat("Rat Ogors", "Clanrats")
    Threat(Rat Ogors against Clanrats: reached with 50% up to 13 inches, at all up to 18)
    """

    unit: Unit
    target: Unit
    rerolled: bool  # the charge may be rolled again
    ran: bool  # it runs or Advances, and may charge then
    at: tuple[Threatened, ...]

    def reach(self, chance: float) -> float | None:
        """The largest distance at which it reaches the enemy with this chance; None: nowhere.

        >>> import mathhammer as mh
        >>> mh.threat("Rat Ogors", "Clanrats").reach(0.9)
        10
        """
        return max((one.distance for one in self.at if one.p_reached >= chance), default=None)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each distance.

        >>> import mathhammer as mh
        >>> list(mh.threat("Rat Ogors", "Clanrats").rows()[0])
        ['distance', 'p_reached', 'p_destroyed', 'slain']
        """
        return [
            {
                "distance": one.distance,
                "p_reached": one.p_reached,
                "p_destroyed": one.p_destroyed,
                "slain": one.slain,
            }
            for one in self.at
        ]

    def __repr__(self) -> str:
        likely, most = self.reach(0.5), self.reach(1e-12)
        half = "never with 50%" if likely is None else f"reached with 50% up to {likely:g} inches"
        far = "" if most is None else f", at all up to {most:g}"
        return f"Threat({self.unit.label} against {self.target.label}: {half}{far})"


def threat(
    unit: Unit | str,
    target: Unit | str | None = None,
    *,
    system: str | None = None,
    reroll: bool = False,
    run: bool = False,
    distances: Sequence[float] | None = None,
    **how: Any,
) -> Threat:
    """By distance, the chance that a unit reaches an enemy in one turn, and what it does to it then.

    The unit moves towards the enemy, shoots, charges and fights, as in the first turn of a `duel`; `reroll`:
    the charge may be rolled again; `run`: a rule lets it charge after it has run or Advanced, so it moves a
    D6 farther and shoots only what it may shoot then. Without a target, the unit itself stands for one.
    Distances are whole inches from just outside of combat on, as far as anything reaches, unless they are
    given; `how` is what `duel` takes besides.

    >>> import mathhammer as mh
    >>> plain, again = (mh.threat("Rat Ogors", "Clanrats", reroll=reroll) for reroll in (False, True))
    >>> [round(one.at[9].p_reached, 3) for one in (plain, again)]
    [0.583, 0.826]
    >>> round(mh.threat("Rat Ogors", "Clanrats", run=True).at[9].p_reached, 3)
    0.898
    """
    one, other = both_units(unit, unit if target is None else target, system, "threat")
    if distances is not None and not distances:
        raise BadInputError("threat: no distance (give inches, such as 9)")
    turns = get_game(one.system).fighting("threat").turns
    if turns is None:
        raise BadInputError(f"threat: {get_game(one.system).title} has no turns to charge in")
    where = range(int(turns.reach) + 1, FARTHEST + 1) if distances is None else distances
    how = {"commands": {"a": "reroll_charge"} if reroll else {}, **how}
    moved = [one]
    if run:
        flag, moved = _running(one, turns)
        given = by_side("situation", how.get("situation"))
        how["situation"] = {**given, "a": (*words_of(given.get("a", ())), flag)}
    found: list[Threatened] = []
    for distance in where:
        here = _mean([_turn(unit, other, distance, how) for unit in moved])
        reached = 1.0 if distance <= turns.reach else here.p_reached
        if distances is None and found and reached == here.slain == 0.0:
            break  # nothing reaches farther
        found.append(replace(here, p_reached=reached))
    return Threat(one, other, reroll, run, tuple(found))


def _running(unit: Unit, turns: Turns) -> tuple[str, list[Unit]]:
    """The situation of a unit that runs, and the unit once for each roll: it moves so much farther."""
    step = turns.step(Move)
    if step is None or not step.running:
        raise BadInputError(f"threat: {get_game(unit.system).title} has no run")
    move = unit.stat("move")
    if move is None:
        raise BadInputError(f"threat: {unit.name} has no Move")
    inches = int(move.pmf().mean())
    stats = [(name, value) for name, value in unit.stats if name != "move"]
    moved = [replace(unit, stats=(*stats, ("move", parse_dice(inches + roll)))) for roll in range(1, 7)]
    return step.running, moved


def _mean(turns: Sequence[Threatened]) -> Threatened:
    """The mean of turns that are equally likely."""
    share = 1 / len(turns)
    return Threatened(
        turns[0].distance,
        p_reached=share * sum(turn.p_reached for turn in turns),
        p_destroyed=share * sum(turn.p_destroyed for turn in turns),
        slain=share * sum(turn.slain for turn in turns),
    )


def _turn(one: Unit, other: Unit, distance: float, how: dict[str, Any]) -> Threatened:
    """How things stand after one turn that begins at a distance."""
    try:
        fought = duel(one, other, rounds=1, distance=distance, charge="a", approach="a", **how)
    except NeverMeetError:
        return Threatened(distance, 0.0, 0.0, 0.0)
    first = fought.course[0]
    slain = max(0.0, other.models_left - first.models[1])
    return Threatened(distance, first.p_charged, first.p_win, slain if slain > SURE else 0.0)
