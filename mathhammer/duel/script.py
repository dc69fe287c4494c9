"""`Script`: a duel or a whole battle as plain arrays, for the kernel that plays it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mathhammer.duel import kernels as kernels
from mathhammer.duel.commands import REROLL, SIDES
from mathhammer.duel.fighter import Scene
from mathhammer.duel.result import points_lost
from mathhammer.duel.setup import Setup
from mathhammer.duel.strikes import Array, Law

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
    active_first: int
    charge_first: int
    into_combat: int
    slack: float
    within: float
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
    odds: Floats  # [at, side, needed]
    melee: Ints  # [at, 3, u, v]
    shots: Ints  # [at, bands + 1, u, v]
    own: Ints  # [unit, 2]: table of what it does for itself, free and in combat
    tables: Ints  # [table, 4]: first entry, width, whether a row is for every state of the target, first gain
    chances: Floats  # cumulated
    gains: Floats  # expected points for each class and state, in the order of the tables
    flees: Floats  # [unit, slain, left, fled], cumulated; of length 0 where nobody tests
    falls: Ints  # [unit, models left]: the state that keeps the most wounds


MOST_UNITS = 100  # of both sides together
POLICIES = {"nearest": kernels.NEAREST, "points": kernels.POINTS, "weakest": kernels.WEAKEST}


# --- laws to tables
# -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Tables:
    rows: list[list[int]] = field(default_factory=list)
    chances: list[Array] = field(default_factory=list)
    gains: list[Array] = field(default_factory=list)
    known: dict[Any, int] = field(default_factory=dict)
    entries: int = 0
    valued: int = 0

    def add(self, law: Law | None, worth: Array) -> int:
        """The number of a law's table; -1 when it does nothing."""
        if law is None or law.idle:
            return -1
        key = (law.shift, law.rows.shape, law.rows.tobytes(), worth.tobytes())
        if key not in self.known:
            after = np.stack([law.matrix(number) @ worth for number in range(len(law.rows))])
            self.known[key] = self._store(law.rows, law.shift, (after - worth).ravel())
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
    melee, shots = _attacks(setup, everyone, bands, worth, tables, numbers)
    flees = [setup.flees(side, u) for side, u in everyone]
    tested = max((len(law) for law in flees if law is not None), default=0)
    turns = setup.turns
    own = [[tables.own(setup.own(side, u, engaged)) for engaged in (False, True)] for side, u in everyone]
    return Script(
        rounds=setup.rounds,
        first=SIDES.index(setup.first),
        again=1.0 if setup.priority == "fixed" or turns.again is None else turns.again,
        policy=POLICIES[setup.policy],
        active_first=int(turns.active_first),
        charge_first=int(turns.charge_strikes_first),
        into_combat=int(turns.shoot_into_combat),
        slack=turns.charge_slack,
        within=kernels.FAR if turns.charge_within is None else turns.charge_within,
        engaged=int(setup.engaged_at_start),
        side=np.array([side for side, _ in everyone]),
        start=np.array([fighter.states.start(fighter.lost) for fighter in fighters]),
        states=np.array([fighter.states.number for fighter in fighters]),
        models=_padded([fighter.states.models() for fighter in fighters], most),
        wounds=_padded([fighter.unit.health - fighter.states.lost() for fighter in fighters], most),
        numbers=numbers,
        worth=_padded(worth, most),
        rank=np.array([turns.rank(fighter.unit) for fighter in fighters]),
        charges=np.array([int(fighter.charges and fighter.melee) for fighter in fighters]),
        charged=np.array([int(fighter.charged) for fighter in fighters]),
        moves=np.array(
            [setup.move(side, u) if setup.fighters[side][u].approaches else 0.0 for side, u in everyone]
        ),
        halts=np.array([setup.halt(side, u) for side, u in everyone]),
        gap=setup.distance or 0.0,
        bands=bands,
        odds=_odds(setup),
        melee=melee,
        shots=shots,
        own=np.array(own),
        tables=np.array(tables.rows, dtype=np.int64).reshape(-1, 4),
        chances=np.concatenate([np.zeros(0), *tables.chances]),
        gains=np.concatenate([np.zeros(0), *tables.gains]),
        flees=_flights(flees, tested),
        falls=_padded(
            [fighter.states.at_models() * (fighter.states.uses + 1) for fighter in fighters], 1 + most
        ),
    )


def _padded(rows: list[Any], width: int) -> Any:
    found = np.zeros((len(rows), width), dtype=rows[0].dtype)
    for row, values in zip(found, rows, strict=True):
        row[: len(values)] = values
    return found


def _flights(laws: list[Array | None], size: int) -> Array:
    if size == 0:
        return np.zeros((0, 0, 0, 0))
    found = np.ones((len(laws), size, size, size))  # cumulated: nobody flees
    for place, law in enumerate(laws):
        if law is not None:
            found[place, : len(law), : len(law), : len(law)] = np.cumsum(law, axis=-1)
    return found


def _bands(setup: Setup, everyone: list[tuple[int, int]]) -> Array:
    """For each unit the distances up to which its shooting is the same."""
    found = []
    for side, u in everyone:
        fighter = setup.fighters[side][u]
        ranged = [
            weapon for weapon in fighter.unit.weapons if weapon.name in fighter.weapons.get("ranged", ())
        ]
        far = [kernels.FAR] if any(weapon.range is None for weapon in ranged) else []
        reach = max((float(weapon.range or 0) for weapon in ranged), default=0.0)
        found.append(
            sorted({value for value in fighter.reaches() if value <= reach} | set(far)) if ranged else [-1.0]
        )
    most = max(map(len, found))
    return np.array([[*row, *[row[-1]] * (most - len(row))] for row in found])


def _attacks(
    setup: Setup,
    everyone: list[tuple[int, int]],
    bands: Array,
    worth: list[Array],
    tables: _Tables,
    numbers: Ints,
) -> tuple[Ints, Ints]:
    """The numbers of the tables of all attacks, for every turn; fills in how attackers
    look in their states.
    """

    def table(i: int, j: int, scene: Scene) -> int:
        (side, u), (_, v) = everyone[i], everyone[j]
        law = setup.law(side, u, v, scene)
        if law is not None:
            numbers[i, j, : len(law.numbers)] = law.numbers
        return tables.add(law, worth[j])

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
                    away = None if bands[i, band] == kernels.FAR else float(bands[i, band])
                    scene = Scene("ranged", number, turn, engaged=False, distance=away)
                    shots[at, band, i, j] = table(i, j, scene)
            scene = Scene("ranged", number, turn, engaged=True)
            shots[at, -1, i, j] = table(i, j, scene)
    if not changing:
        melee[1:], shots[1:] = melee[0], shots[0]
    return melee, shots


def _odds(setup: Setup) -> Array:
    """The chance of a charge for every turn, side and needed total."""
    plain, again = setup.charge_table(False), setup.charge_table(True)
    found = np.empty((2 * setup.rounds, 2, 14))
    for at in range(2 * setup.rounds):
        for side in (0, 1):
            uses = setup.fighters[side][0].commands
            rolled = any(use.command == REROLL and use.when(at // 2 + 1, SIDES[at % 2], None) for use in uses)
            found[at, side] = again if rolled else plain
    return found
