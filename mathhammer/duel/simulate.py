"""Duels and whole battles by simulation: strikes become tables, the tables are played by the kernel, on any
number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.checks import check_seed, check_threads, whole
from mathhammer.dice.pmf import Pmf
from mathhammer.duel import kernels
from mathhammer.duel.commands import SIDES
from mathhammer.duel.kernels import make_board
from mathhammer.duel.result import Duel, Fate, Point
from mathhammer.duel.script import MOST_UNITS, Script, compile_script
from mathhammer.duel.setup import Setup, label
from mathhammer.duel.states import Array
from mathhammer.engine.jit import announce_compiling
from mathhammer.errors import BadInputError, TooLargeError

DEFAULT_TRIALS = 100_000
BLOCK = 4096
MOST_TRIALS = 100_000_000
MOST_WORK = 2_000_000_000  # trials times units


def simulate_duel(
    setup: Setup, trials: int | None, seed: int, threads: int | None, swapped: Callable[[], Duel]
) -> Duel:
    """Plays the duel so many times."""
    trials = DEFAULT_TRIALS if trials is None else trials
    units = sum(map(len, setup.fighters))
    _check(trials, seed, threads, units)
    script = compile_script(setup)
    if max(int(script.melee.max()), int(script.shots.max())) < 0:
        raise BadInputError(
            "duel: no unit of either side can hurt an enemy (give one of them weapons that get through)"
        )
    announce_compiling(kernels.play, "duel")
    final = np.empty((trials, units), dtype=np.int64 if script.states.max() > 2**15 else np.int16)
    workers = threads or (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    # sums over blocks of one size are the same for any number of threads
    edges = [*range(0, trials, BLOCK), trials]

    def piece(bounds: tuple[int, int]) -> Array:
        totals = np.zeros((2 * setup.rounds, 8))
        # counters are meant to wrap around; only without numba would numpy warn
        with np.errstate(over="ignore"):
            kernels.play(script, make_board(units), np.uint64(seed), bounds, final, totals)
        return totals

    with ThreadPoolExecutor(workers) as pool:
        totals = sum(pool.map(piece, pairwise(edges)), np.zeros((2 * setup.rounds, 8)))
    return _read(setup, script, final, totals / trials, seed, swapped)


def _check(trials: int, seed: int, threads: int | None, units: int) -> None:
    whole("duel: trials", trials, 1, MOST_TRIALS)
    check_seed("duel", seed)
    if threads is not None:
        check_threads("duel", threads)
    if units > MOST_UNITS:
        raise TooLargeError(f"duel: {units} units (give at most {MOST_UNITS} of both sides together)")
    if units * trials > MOST_WORK:
        raise TooLargeError(
            f"duel: {trials} trials of {units} units would take hours (ask for at most {MOST_WORK // units})"
        )


# --- reading ----------------------------------------------------------------------------------------------


def _read(
    setup: Setup, script: Script, final: NDArray[Any], means: Array, seed: int, swapped: Callable[[], Duel]
) -> Duel:
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
        fates.append(Fate(fighter.unit.name, SIDES[which], _pmf(left, trials), _pmf(wounds, trials), gone))
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
        models=(_pmf(totals[0], trials), _pmf(totals[1], trials)),
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


def _pmf(values: NDArray[Any], trials: int) -> Pmf:
    return Pmf(np.bincount(values) / trials, trials)
