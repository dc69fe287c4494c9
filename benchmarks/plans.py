"""How often the best plan of a turn beats the greedy one: random armies of shipped units, seeds in one line.

python benchmarks/plans.py --armies 50 --units 10
"""

from __future__ import annotations

import argparse
from random import Random
from time import perf_counter

import mathhammer as mh
from mathhammer.datasheets.library import sheets

BETTER = 1e-6  # points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--armies", type=int, default=50, help="pairs of armies for each game")
    parser.add_argument("--units", type=int, default=10, help="units of each army")
    parser.add_argument("--system", action="append", help="aos4, wh40k10; default: both")
    parser.add_argument("--points", type=int, default=0, help="command points to spend")
    options = parser.parse_args()
    for system in options.system or ("aos4", "wh40k10"):
        known = [unit for sheet in sheets(system) if (unit := sheet.unit()).points and unit.weapons]
        proven = whole = beaten = 0
        gains, seconds = [], []
        for seed in range(options.armies):
            rolls = Random(seed)
            ours, theirs = (rolls.sample(known, options.units) for _ in range(2))
            begun = perf_counter()
            plan = mh.plan(ours, theirs, points=options.points)
            seconds.append(perf_counter() - begun)
            proven += plan.proven
            whole += plan.proven and not plan.larger
            beaten += plan.value > plan.greedy + BETTER
            gains.append(plan.value / plan.greedy - 1.0 if plan.greedy else 0.0)
        gains.sort()
        seconds.sort()
        print(
            f"{system}: {options.armies} pairs of {options.units} against {options.units}, "
            f"{options.points} command points: proven {proven}, "
            f"of these over sets of any size {whole}, better than greedy {beaten}, "
            f"gain in the middle {gains[len(gains) // 2]:.1%}, at most {gains[-1]:.1%}; "
            f"seconds in the middle {seconds[len(seconds) // 2]:.1f}, at most {seconds[-1]:.1f}"
        )


if __name__ == "__main__":
    main()
