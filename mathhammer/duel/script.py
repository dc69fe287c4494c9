"""`Script`: a duel or a whole battle as plain arrays, for the kernel that plays it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mathhammer.duel import kernels
from mathhammer.duel.attacks import strike_of
from mathhammer.duel.bands import band_edges
from mathhammer.duel.commands import SIDES
from mathhammer.duel.fighter import Scene
from mathhammer.duel.moving import charge_chances, charge_reaches, halt_of, move_of, rerolls_charge
from mathhammer.duel.result import points_lost
from mathhammer.duel.setup import Setup
from mathhammer.duel.states import Array
from mathhammer.duel.strikes import Strike
from mathhammer.duel.upkeep import flight_of, help_of
from mathhammer.games.turns import (
    NORMAL,
    OUT_OF_REACH,
    Charge,
    Fight,
    HelpItself,
    Move,
    Shoot,
    Tests,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Script(NamedTuple):
    """A compiled battle. Units of a come first; `at` is 2 x round + 1 in b's turn, mapped to the tables in
    force then.

    Tables are rows of cumulated chances. `melee[at, how, u, v]` is the number of a table, how: 0 plain, 1
    it charged, 2 its target did; `shots[at, band, u, v]` the same for shooting, the last band while in
    combat; -1: it does nothing.
    """

    rounds: int
    first: int
    again: float  # chance that whoever began a round begins the next
    policy: int
    steps: Ints  # codes of the steps of a turn, in order
    active_first: int
    charge_first: int
    into_combat: int
    reaches: Floats  # [total]: the largest distance at which a charge needs no more than that
    engaged: int  # whether the sides begin in combat
    side: Ints  # [unit]
    start: Ints  # [unit]: its first state
    states: Ints  # [unit]
    models: Ints  # [unit, state]
    wounds: Ints  # [unit, state]: wounds left
    numbers: Ints  # [u, v, state of u]: how u in that state looks to attacks on v
    worth: Floats  # [unit, state]: points lost
    rank: Ints  # [unit]
    charges: Ints  # [unit]: whether it charges
    charged: Ints  # [unit]: whether it counts as having charged at the start
    moves: Floats  # [unit]
    halts: Floats  # [unit]
    gap: float
    bands: Floats  # [unit, band]: largest distance of each band
    odds: Floats  # [at, side, needed total]
    melee: Ints  # [at, 3, u, v]
    shots: Ints  # [at, bands + 1, u, v]
    own: Ints  # [unit, 2]: table of what it does for itself, free and in combat
    tables: Ints  # [table, 4]: first entry, width, whether a row is for every state of the target, first gain
    chances: Floats  # cumulated
    gains: Floats  # expected points for each class and state, in the order of the tables
    flees: Floats  # [unit, slain, left, fled], cumulated; of length 0 where no unit tests
    falls: Ints  # [unit, models left]: the state that keeps the most wounds


MOST_UNITS = 100  # of both sides together
CODES = {
    HelpItself: kernels.HELP,
    Move: kernels.MOVE,
    Shoot: kernels.SHOOT,
    Charge: kernels.CHARGE,
    Fight: kernels.FIGHT,
    Tests: kernels.TESTS,
}
POLICIES = {"nearest": kernels.NEAREST, "points": kernels.POINTS, "weakest": kernels.WEAKEST}


# --- strikes to tables ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Tables:
    rows: list[list[int]] = field(default_factory=list)
    chances: list[Array] = field(default_factory=list)
    gains: list[Array] = field(default_factory=list)
    known: dict[Any, int] = field(default_factory=dict)
    entries: int = 0
    valued: int = 0

    def add(self, strike: Strike | None, worth: Array) -> int:
        """The number of a strike's table; -1 when it does nothing."""
        if strike is None or strike.idle:
            return -1
        key = (strike.shift, strike.rows.shape, strike.rows.tobytes(), worth.tobytes())
        if key not in self.known:
            after = np.stack([strike.matrix(number) @ worth for number in range(len(strike.rows))])
            self.known[key] = self._store(strike.rows, strike.shift, (after - worth).ravel())
        return self.known[key]

    def own(self, step: Array | None) -> int:
        """The number of the table of what a unit does to itself."""
        return -1 if step is None else self._store(step, False, np.zeros(0))

    def _store(self, rows: Array, shift: bool, gains: Array) -> int:
        number = len(self.rows)
        self.rows.append([self.entries, rows.shape[-1], int(shift), self.valued])
        self.chances.append(np.cumsum(rows, axis=-1).ravel())
        self.gains.append(gains)
        self.entries += rows.size
        self.valued += gains.size
        return number


def compile_script(setup: Setup) -> Script:
    """The setup as the kernel reads it."""
    everyone = [(side, u) for side in (0, 1) for u in range(len(setup.fighters[side]))]
    fighters = [setup.fighters[side][u] for side, u in everyone]
    most = max(fighter.states.number for fighter in fighters)
    worth = [points_lost(setup, side, u) for side, u in everyone]
    tables = _Tables()
    bands = _bands(setup, everyone)
    numbers = np.zeros((len(everyone), len(everyone), most), dtype=np.int64)
    melee, shots = _attacks(setup, everyone, bands, (worth, tables, numbers))
    own = [
        [tables.own(help_of(setup, side, u, engaged)) for engaged in (False, True)] for side, u in everyone
    ]
    return Script(
        **_turn(setup),
        **_units(setup, everyone),
        numbers=numbers,
        worth=_padded(worth, most),
        bands=bands,
        melee=melee,
        shots=shots,
        own=np.array(own),
        tables=np.array(tables.rows, dtype=np.int64).reshape(-1, 4),
        chances=np.concatenate([np.zeros(0), *tables.chances]),
        gains=np.concatenate([np.zeros(0), *tables.gains]),
        flees=_flights([flight_of(setup, side, u) for side, u in everyone]),
    )


def _turn(setup: Setup) -> dict[str, Any]:
    """The turn of the game: its steps, and what they read."""
    turns = setup.turns
    shoot, charge, fight = turns.step(Shoot), turns.step(Charge), turns.step(Fight)
    again = turns.p_same_player_first if setup.priority == "roll" else None
    return {
        "rounds": setup.rounds,
        "first": SIDES.index(setup.first),
        "again": 1.0 if again is None else again,
        "policy": POLICIES[setup.policy],
        "steps": np.array([CODES[type(step)] for step in turns.steps], dtype=np.int64),
        "active_first": int(fight is not None and fight.active_first),
        "charge_first": int(charge is not None and charge.strikes_first),
        "into_combat": int(shoot is not None and shoot.into_combat),
        "reaches": np.full(OUT_OF_REACH, -1.0) if charge is None else charge_reaches(charge),
        "engaged": int(setup.engaged_at_start),
        "gap": setup.distance or 0.0,
        "odds": _odds(setup),
    }


def _units(setup: Setup, everyone: list[tuple[int, int]]) -> dict[str, Any]:
    """What each unit brings."""
    fighters = [setup.fighters[side][u] for side, u in everyone]
    states = [fighter.states for fighter in fighters]
    most = max(each.number for each in states)
    fight = setup.turns.step(Fight)
    return {
        "side": np.array([side for side, _ in everyone]),
        "start": np.array([fighter.states.start(fighter.lost) for fighter in fighters]),
        "states": np.array([each.number for each in states]),
        "models": _padded([each.models() for each in states], most),
        "wounds": _padded([each.unit.health - each.lost() for each in states], most),
        "rank": np.array([NORMAL if fight is None else fight.rank(each.unit) for each in states]),
        "charges": np.array([int(fighter.charges and fighter.melee) for fighter in fighters]),
        "charged": np.array([int(fighter.charged) for fighter in fighters]),
        "moves": np.array([move_of(setup, side, u) for side, u in everyone]),
        "halts": np.array([halt_of(setup, side, u) for side, u in everyone]),
        "falls": _padded([each.at_models() * (each.uses + 1) for each in states], 1 + most),
    }


def _padded(rows: list[Any], width: int) -> Any:
    padded = np.zeros((len(rows), width), dtype=rows[0].dtype)
    for row, values in zip(padded, rows, strict=True):
        row[: len(values)] = values
    return padded


def _flights(flights: list[Array | None]) -> Array:
    size = max((len(flight) for flight in flights if flight is not None), default=0)
    if size == 0:
        return np.zeros((0, 0, 0, 0))
    cumulated = np.ones((len(flights), size, size, size))  # no model flees
    for place, flight in enumerate(flights):
        if flight is not None:
            cumulated[place, : len(flight), : len(flight), : len(flight)] = np.cumsum(flight, axis=-1)
    return cumulated


def _bands(setup: Setup, everyone: list[tuple[int, int]]) -> Array:
    """For each unit the distances up to which its shooting is the same; -1 where it does not shoot."""
    edges = [band_edges(setup, side, u) or [-1.0] for side, u in everyone]
    most = max(map(len, edges))
    return np.array([[*row, *[row[-1]] * (most - len(row))] for row in edges])


def _attacks(
    setup: Setup, everyone: list[tuple[int, int]], bands: Array, filled: tuple[list[Array], _Tables, Ints]
) -> tuple[Ints, Ints]:
    """The numbers of the tables of all attacks, for every turn; fills in the tables, and how attackers look
    in their states.
    """
    worth, tables, numbers = filled

    def table(i: int, j: int, scene: Scene) -> int:
        (side, u), (_, v) = everyone[i], everyone[j]
        strike = strike_of(setup, side, u, v, scene)
        if strike is not None:
            numbers[i, j, : len(strike.numbers)] = strike.numbers
        return tables.add(strike, worth[j])

    units, times = len(everyone), 2 * setup.rounds
    melee = np.full((times, 3, units, units), -1, dtype=np.int64)
    shots = np.full((times, bands.shape[1] + 1, units, units), -1, dtype=np.int64)
    changing = setup.changes_with_time
    for at in range(times if changing else 1):
        number, turn = at // 2 + 1, SIDES[at % 2]
        for i, j in [(i, j) for i in range(units) for j in range(units) if everyone[i][0] != everyone[j][0]]:
            for how in range(3):
                scene = Scene("melee", number, turn, engaged=True, charged=how == 1, target_charged=how == 2)
                melee[at, how, i, j] = table(i, j, scene)
            for band in range(bands.shape[1]):
                if bands[i, band] >= 0 and (band == 0 or bands[i, band] > bands[i, band - 1]):
                    scene = Scene("ranged", number, turn, engaged=False, distance=float(bands[i, band]))
                    shots[at, band, i, j] = table(i, j, scene)
            scene = Scene("ranged", number, turn, engaged=True)
            shots[at, -1, i, j] = table(i, j, scene)
    if not changing:
        melee[1:], shots[1:] = melee[0], shots[0]
    return melee, shots


def _odds(setup: Setup) -> Array:
    """The chance of a charge for every turn, side and needed total."""
    plain, again = charge_chances(setup, reroll=False), charge_chances(setup, reroll=True)
    chances = np.empty((2 * setup.rounds, 2, OUT_OF_REACH + 1))
    for at in range(2 * setup.rounds):
        for side in (0, 1):
            rolled = rerolls_charge(setup, side, at // 2 + 1, SIDES[at % 2])
            chances[at, side] = again if rolled else plain
    return chances
