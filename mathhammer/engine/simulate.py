"""The simulating engine: the kernel plays stages in blocks, on as many threads as wanted."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from math import isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from mathhammer.checks import check_seed, check_threads, whole
from mathhammer.dice.pmf import Pmf
from mathhammer.engine import kernels, lane_kernels
from mathhammer.engine.jit import announce_compiling
from mathhammer.engine.landing import land
from mathhammer.engine.plan import Plan
from mathhammer.engine.result import Result
from mathhammer.engine.simplify import merged
from mathhammer.engine.stages import MOST_DRAWS, Part, compile_stages
from mathhammer.errors import BadInputError, TooLargeError

Array = NDArray[np.float64]
Progress = Callable[[int, int], None]
DEFAULT_TRIALS = 1_000_000
MOST_TRIALS = 10**12
LOOK = 256  # blocks between two looks at the stopping rule
PIECE = 1024  # blocks that a thread takes at a time, at the most
AHEAD = 2  # pieces for each thread that may be under way or wait to be counted


def simulate(
    plan: Plan,
    *,
    attacker: str,
    target: str,
    trials: int | None = None,
    standard_error: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    samples: bool = False,
    progress: Progress | None = None,
    after: Callable[[Pmf], Mapping[str, Pmf]] | None = None,
) -> Result:
    """Plays a plan; either a number of `trials`, or until the mean wounds lost has the
    wanted standard error.
    """
    trials, threads = _checked(trials, standard_error, seed, threads, samples)
    stages, size = compile_stages(merged(plan))
    most = int(stages.plan["attacks"].sum())
    if most * trials > MOST_DRAWS:
        raise TooLargeError(
            f"simulate: {most * trials:.1e} attacks to roll would take hours (ask for fewer trials)"
        )
    announce_compiling(kernels.play, "simulation")
    landing = land(plan.target)
    histogram = np.zeros(size, dtype=np.int64)
    ends = np.empty(trials if samples else 0, dtype=np.int64)

    def piece(first: int, last: int) -> Part:
        part = np.zeros(size, dtype=np.int64)
        # counters are meant to wrap around; only without numba would numpy warn
        with np.errstate(over="ignore"):
            kernels.play(stages, np.uint64(seed), (first, last), trials, part, ends)
        return part, last

    done = 0
    with closing(_in_order(piece, _pieces(trials, stopping=standard_error is not None), threads)) as parts:
        for part, last in parts:
            histogram += part
            done = min(trials, last * lane_kernels.LANES)
            if progress is not None:
                progress(done, trials)
            if standard_error is not None and _error(plan, histogram, done) <= standard_error:
                break
    end, pooled = _read(plan, histogram, done)
    taken = None
    if samples:
        ends = ends[:done]
        places = np.minimum(ends, landing.states - 1) if plan.target.spills else ends
        taken = {"lost": landing.lost[places], "slain": landing.slain[places]}
        taken |= {"damage": ends} if plan.target.spills else {}
    damage = None if pooled is None else partial(Pmf, pooled.probs, pooled.trials)
    return Result(
        attacker, target, plan, end, "simulate", done, seed, pool=damage, after=after, samples=taken
    )


def shared_trials(chances: Sequence[float], trials: int, seed: int) -> list[int]:
    """How many of the trials fall to each branch of an attack."""
    check_seed("simulate", seed)
    whole("simulate: trials", trials, 1, MOST_TRIALS, "a whole number from 1 on")
    total = sum(chances)
    drawn = np.random.default_rng(seed).multinomial(trials, [chance / total for chance in chances])
    return [int(number) for number in drawn]


def _checked(
    trials: int | None, standard_error: float | None, seed: int, threads: int | None, samples: bool
) -> tuple[int, int]:
    if standard_error is not None and not (isfinite(standard_error) and standard_error > 0):
        raise BadInputError(f"simulate: standard_error {standard_error!r} (give a number above 0)")
    if trials is None:
        trials = DEFAULT_TRIALS if standard_error is None else 10**9
    trials = whole("simulate: trials", trials, 1, MOST_TRIALS, "a whole number from 1 on")
    check_seed("simulate", seed)
    if threads is None:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = check_threads("simulate", threads)
    if samples and trials > 10**9:
        raise TooLargeError(
            f"simulate: samples of {trials} trials do not fit into memory (ask for at most 10**9)"
        )
    return trials, threads


def _pieces(trials: int, stopping: bool) -> Iterator[tuple[int, int]]:
    """First and last block of each piece of work; with a stopping rule the same looks for
    every number of threads.
    """
    blocks = -(-trials // lane_kernels.LANES)
    length = LOOK if stopping else min(PIECE, max(LOOK // 2, blocks // 32))
    return ((first, min(blocks, first + length)) for first in range(0, blocks, length))


def _in_order(
    play: Callable[[int, int], Part], pieces: Iterator[tuple[int, int]], threads: int
) -> Generator[Part]:
    """Plays the pieces on some threads and gives what they return in order; no thread waits for another, and
    few pieces wait.
    """
    if threads == 1:
        yield from (play(first, last) for first, last in pieces)
        return
    waiting: deque[Future[Part]] = deque()
    with ThreadPoolExecutor(threads) as workers:
        try:
            for first, last in pieces:
                waiting.append(workers.submit(play, first, last))
                if len(waiting) > AHEAD * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:  # also when stopped or interrupted
            for future in waiting:
                future.cancel()


def _read(plan: Plan, histogram: NDArray[np.int64], trials: int) -> tuple[Array, Pmf | None]:
    shares = histogram / trials
    if not plan.target.spills:
        return shares, None
    landing = land(plan.target)
    end = np.zeros(landing.states)
    capped = Pmf(shares).cut(landing.states - 1).probs
    end[: len(capped)] = capped
    return end, Pmf(np.trim_zeros(shares, "b"), trials)


def _error(plan: Plan, histogram: NDArray[np.int64], trials: int) -> float:
    end, _ = _read(plan, histogram, trials)
    lost = land(plan.target).lost
    mean = float(end @ lost)
    # One more in the count: a first batch without any hit must not look certain.
    return sqrt(max(float(end @ (lost - mean) ** 2), 1.0 / trials) / trials)
