"""Duels and whole battles by simulation: the laws become tables, the tables are played by the kernel, on any number of threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer import duel_kernels as kernels
from mathhammer.compiling import announce_compiling
from mathhammer.duel_laws import Array, Law
from mathhammer.duel_plan import Setup, label
from mathhammer.duel_result import Duel, Fate, Point, points_lost
from mathhammer.duel_script import Script
from mathhammer.duel_sides import REROLL, SIDES, Scene
from mathhammer.errors import BadInputError, TooLargeError
from mathhammer.pmf import Pmf

DEFAULT_TRIALS = 100_000
BLOCK = 4096
MOST_TRIALS = 100_000_000
MOST_WORK = 2_000_000_000  # trials times units
MOST_UNITS = 100  # of both sides together
POLICIES = {"nearest": kernels.NEAREST, "points": kernels.POINTS, "weakest": kernels.WEAKEST}
Ints = NDArray[np.int64]


def simulate_duel(setup: Setup, trials: int | None, seed: int, threads: int | None, swapped: Callable[[], Duel]) -> Duel:
    """Plays the duel so many times."""
    trials = DEFAULT_TRIALS if trials is None else trials
    units = sum(map(len, setup.fighters))
    _checked(trials, seed, threads, units)
    script = compile_script(setup)
    if max(int(script.melee.max()), int(script.shots.max())) < 0:
        raise BadInputError("duel: no unit of either side can hurt an enemy (give one of them weapons that get through)")
    announce_compiling(kernels.play, "duel")
    final = np.empty((trials, units), dtype=np.int64 if script.states.max() > 2**15 else np.int16)
    workers = threads or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    edges = [*range(0, trials, BLOCK), trials]  # sums over blocks of one size are the same for any number of threads

    def piece(bounds: tuple[int, int]) -> Array:
        totals = np.zeros((2 * setup.rounds, 8))
        with np.errstate(over="ignore"):  # counters are meant to wrap around; only without numba would numpy warn
            kernels.play(script, np.uint64(seed), bounds[0], bounds[1], final, totals)
        return totals

    with ThreadPoolExecutor(workers) as pool:
        totals = sum(pool.map(piece, pairwise(edges)), np.zeros((2 * setup.rounds, 8)))
    return _read(setup, script, final, totals / trials, seed, swapped)


def _checked(trials: int, seed: int, threads: int | None, units: int) -> None:
    if isinstance(trials, bool) or not isinstance(trials, int) or not 1 <= trials <= MOST_TRIALS:
        raise BadInputError(f"duel: trials {trials!r} (give a whole number from 1 to {MOST_TRIALS})")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise BadInputError(f"duel: seed {seed!r} (give a whole number from 0 to 2**63 - 1)")
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024):
        raise BadInputError(f"duel: threads {threads!r} (give a whole number from 1 on)")
    if units > MOST_UNITS:
        raise TooLargeError(f"duel: {units} units (give at most {MOST_UNITS} of both sides together)")
    if units * trials > MOST_WORK:
        raise TooLargeError(f"duel: {trials} trials of {units} units would take hours (ask for at most {MOST_WORK // units})")


# --- laws to tables -----------------------------------------------------------------------------------------------


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
        moves=np.array([setup.move(side, u) if setup.fighters[side][u].approaches else 0.0 for side, u in everyone]),
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
        falls=_padded([fighter.states.at_models() * (fighter.states.uses + 1) for fighter in fighters], 1 + most),
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
        ranged = [weapon for weapon in fighter.unit.weapons if weapon.name in fighter.weapons.get("ranged", ())]
        far = [kernels.FAR] if any(weapon.range is None for weapon in ranged) else []
        reach = max((float(weapon.range or 0) for weapon in ranged), default=0.0)
        found.append(sorted({value for value in fighter.reaches() if value <= reach} | set(far)) if ranged else [-1.0])
    most = max(map(len, found))
    return np.array([[*row, *[row[-1]] * (most - len(row))] for row in found])


def _attacks(
    setup: Setup, everyone: list[tuple[int, int]], bands: Array, worth: list[Array], tables: _Tables, numbers: Ints
) -> tuple[Ints, Ints]:
    """The numbers of the tables of all attacks, for every turn; fills in how attackers look in their states."""

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


# --- reading ------------------------------------------------------------------------------------------------------


def _read(setup: Setup, script: Script, final: NDArray[Any], means: Array, seed: int, swapped: Callable[[], Duel]) -> Duel:
    trials = len(final)
    places = np.arange(final.shape[1])
    models = script.models[places, final]
    lost = script.worth[places, final]
    side = script.side
    fates = []
    for unit, (which, u) in enumerate([(s, u) for s in (0, 1) for u in range(len(setup.fighters[s]))]):
        fighter = setup.fighters[which][u]
        wounds = fighter.states.lost()[final[:, unit]]
        left = models[:, unit]
        gone = float((left == 0).mean())
        fates.append(Fate(fighter.unit.name, SIDES[which], _law(left, trials), _law(wounds, trials), gone))
    prices = [lost[:, side == which].sum(axis=1) for which in (0, 1)]
    totals = [models[:, side == which].sum(axis=1) for which in (0, 1)]
    course = tuple(
        Point(
            at // 2 + 1,
            setup.turn_name(at),
            p_win=float(row[0]),
            p_lose=float(row[1]),
            models=(float(row[2]), float(row[3])),
            points_lost=(float(row[4]), float(row[5])),
            p_engaged=float(row[6]),
            p_charged=float(row[7]),
        )
        for at, row in enumerate(means)
    )
    return Duel(
        setup=setup,
        names=label(setup.fighters),
        p_win=course[-1].p_win,
        p_lose=course[-1].p_lose,
        models=(_law(totals[0], trials), _law(totals[1], trials)),
        points_lost=course[-1].points_lost,
        fates=tuple(fates),
        course=course,
        p_ahead=float((prices[0] < prices[1]).mean()),
        p_behind=float((prices[0] > prices[1]).mean()),
        method="simulate",
        trials=trials,
        seed=seed,
        swapped=swapped,
    )


def _law(values: NDArray[Any], trials: int) -> Pmf:
    return Pmf(np.bincount(values) / trials, trials)
