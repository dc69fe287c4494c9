"""Exact and simulate next to plain numpy, in one run: `python benchmarks/bench_engines.py`."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from threading import Thread

import numpy as np
from workloads import WORKLOADS, Workload

from mathhammer.engine import kernels, lane_kernels
from mathhammer.engine.simplify import merged
from mathhammer.engine.stages import compile_stages

SIMULATED = 60_000_000
NAIVE = 100_000
ROUNDS = 9


def seconds(call: Callable[[], object], repeat: int = 5) -> float:
    """The best time of some runs: other programs can only make it longer."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def exact_microseconds(workload: Workload) -> float:
    """One warm `fight`, all tables memoised, read out."""
    number = 2000
    return seconds(lambda: [workload.fight().slain for _ in range(number)]) / number * 1e6


def check(workload: Workload) -> float:
    """The naive version must play the same game: how many standard errors it is off."""
    seen = workload.naive(np.random.default_rng(1), NAIVE)
    result = workload.fight()
    law = result.lost if result.pool is None else result.damage
    return float((seen.mean() - law.mean()) / (law.sd() / NAIVE**0.5))


def halves(workload: Workload) -> float:
    """What two cores give here at the best: the bare kernel on two threads that share nothing, against the
    same work on one.
    """
    stages, size = compile_stages(merged(workload.fight().plan))
    blocks = SIMULATED // lane_kernels.LANES

    def play(first: int, last: int) -> None:
        histogram, samples = np.zeros(size, np.int64), np.empty(0, np.int64)
        kernels.play(stages, np.uint64(0), (first, last), SIMULATED, histogram, samples)

    def both() -> None:
        threads = [Thread(target=play, args=ends) for ends in ((0, blocks // 2), (blocks // 2, blocks))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return seconds(lambda: play(0, blocks), 2) / seconds(both, 2)


def engine_rows() -> list[str]:
    """The table, a row for each workload."""
    lines = [
        "| workload | exact, us | numpy, trials/s | simulate, 1 thread, trials/s | ratio | 2 "
        "threads / 1 | (bare halves / 1) "
        "| numpy off by, s.e. |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for workload in WORKLOADS:
        workload.fight(method="simulate", trials=10_000)
        rng = np.random.default_rng(1)
        rounds = []
        for _ in range(ROUNDS):  # interleaved, so that a busy machine slows all of them
            naive = NAIVE / seconds(lambda: workload.naive(rng, NAIVE), 2)
            one = SIMULATED / seconds(
                lambda: workload.fight(method="simulate", trials=SIMULATED, threads=1), 2
            )
            two = SIMULATED / seconds(
                lambda: workload.fight(method="simulate", trials=SIMULATED, threads=2), 2
            )
            rounds.append((one / naive, naive, one, two / one, halves(workload)))
        ratio, naive, one, threads, ceiling = (median(values) for values in zip(*rounds, strict=True))
        lines.append(
            f"| {workload.name} | {exact_microseconds(workload):.0f} | {naive:.2e} | {one:.2e} | "
            f"{ratio:.0f}x "
            f"| {threads:.2f}x | {ceiling:.2f}x | {check(workload):+.1f} |"
        )
    return lines


if __name__ == "__main__":
    print("\n".join(engine_rows()))
