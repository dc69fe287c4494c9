"""All benchmarks in one run, as ratios: `python benchmarks/run.py [--write]` (with --write: README.md and
growth.png beside it).
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
from bench_engines import engine_rows, seconds
from growth import SYSTEMS, cold, draw, growth, growth_lines
from memory import memory_lines
from peers import PEERS
from workloads import W1

import mathhammer as mh
from mathhammer.compare.matrix import fill_matrix
from mathhammer.compare.sweep import Sweep

HERE = Path(__file__).parent


def peer_lines() -> list[str]:
    """Exact W1 through `fight`, worked out anew and asked again, next to dyce and icepool on the same
    distribution.
    """
    law = W1.fight().damage
    ours = min(cold(lambda: W1.fight().damage) for _ in range(200))
    again = seconds(lambda: [W1.fight().damage for _ in range(500)]) / 500
    lines = [
        "| exact W1, whole distribution | time | times ours |",
        "|---|---|---|",
        f"| mathhammer `fight`, its distribution worked out anew | {ours * 1e6:.0f} us | 1 |",
        f"| the same question asked again | {again * 1e6:.0f} us | {again / ours:.1f} |",
    ]
    for name, play in PEERS.items():
        try:
            theirs = play()
        except ImportError:
            lines.append(f"| {name} | not installed (pip install mathhammer[bench]) | - |")
            continue
        gap = max(abs(theirs[value] - law[value]) for value in range(41))
        taken = seconds(lambda play=play: play(), 20)  # type: ignore[misc]
        lines.append(f"| {name} | {taken * 1e6:.0f} us (largest difference {gap:.0e}) | {taken / ours:.0f} |")
    return lines


BARE = """import numba
@numba.njit(cache=True)
def one_more(x):
    return x + 1
one_more(1)
"""  # the least that any program with a stored kernel takes


def start_lines() -> list[str]:
    """Start to finish of a fresh process, with its bytecode written as in any installed package."""
    command = [sys.executable, "-m", "mathhammer", "compare", "Liberators", "--vs", "Clanrats"]
    simulate = [*command, "--method", "simulate", "--trials", "100000"]
    chart = [sys.executable, "-m", "mathhammer", "chart", "at_least", "Liberators", "--vs", "Clanrats", "-o"]
    with TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(BARE, encoding="utf-8")
        rows = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import numpy": [sys.executable, "-c", "import numpy"],
            "import numpy and click": [sys.executable, "-c", "import numpy, click"],
            "import numba": [sys.executable, "-c", "import numba"],
            "a function of numba that adds one, compiled before": [sys.executable, str(bare)],
            "import mathhammer": [sys.executable, "-c", "import mathhammer"],
            "mathhammer compare": command,
            "the same, simulated (kernel cached)": simulate,
            "mathhammer chart, to a PNG": [*chart, str(Path(folder) / "chart.png")],
        }
        lines = ["| start to finish | seconds |", "|---|---|"]
        for name, words in rows.items():
            start = partial(
                subprocess.run,
                words,
                capture_output=True,
                check=True,
                env=os.environ | {"PYTHONDONTWRITEBYTECODE": ""},
            )
            start()
            lines.append(f"| {name} | {seconds(start, 15):.3f} |")
    return lines


def random_unit(system: str, number: int) -> mh.Unit:
    """A random unit with one weapon."""
    draw, pick = random.randint, random.choice
    if system == "aos4":
        abilities = pick([[], ["Crit (Mortal)"], ["Crit (2 Hits)"], ["Crit (Auto-wound)"]])
        weapon: dict[str, Any] = {
            "hit": draw(2, 5),
            "wound": draw(2, 5),
            "rend": draw(0, 3),
            "damage": pick([1, 2, 3, "D3"]),
            "abilities": abilities,
        }
        body: dict[str, Any] = {
            "health": draw(1, 6),
            "save": draw(2, 6),
            **pick([{}, {"ward": 6}, {"ward": 5}]),
        }
    else:
        abilities = pick([[], ["Lethal Hits"], ["Sustained Hits 1"], ["Devastating Wounds"]])
        weapon = {
            "skill": draw(2, 5),
            "strength": draw(3, 12),
            "ap": -draw(0, 4),
            "damage": pick([1, 2, 3, "D3", "D6"]),
            "abilities": abilities,
        }
        body = {
            "toughness": draw(3, 12),
            "wounds": draw(1, 6),
            "save": draw(2, 6),
            **pick([{}, {"invuln": 4}]),
            **pick([{}, {"fnp": 5}]),
        }
    fields = {
        "name": f"{system} {number}",
        "models": draw(1, 12),
        "weapon": [{"name": "w", "attacks": draw(1, 4)} | weapon],
    } | body
    return mh.make_unit(system, fields)


def plans_of_matrix(attackers: list[mh.Unit], targets: list[mh.Unit]) -> tuple[int, float]:
    """How many attacks of a matrix differ, and the seconds that it takes to put their rules together."""
    plan, spent = Sweep._plan, []

    def timed(sweep: Sweep, attacker: mh.Unit, index: int) -> Any:
        start = time.perf_counter()
        made = plan(sweep, attacker, index)
        spent.append(time.perf_counter() - start)
        return made

    with patch.object(Sweep, "_plan", timed):
        fill_matrix(attackers, targets, workers=1)
    return len(spent), sum(spent)


def matrix_lines(size: int = 500) -> list[str]:
    """All against all, random one-weapon units, exact."""
    random.seed(7)
    lines = [
        (
            f"| exact matrix {size} x {size} | one process, s | all cores, s | attacks that differ | "
            "putting their rules together, s | one fight after the other, s (estimated) |"
        ),
        "|---|---|---|---|---|---|",
    ]
    for system in SYSTEMS:
        units = [random_unit(system, number) for number in range(2 * size)]
        attackers, targets = units[:size], units[size:]
        number, plans = plans_of_matrix(attackers, targets)
        both = seconds(lambda a=attackers, t=targets: fill_matrix(a, t), 3)  # type: ignore[misc]  # new processes each time: nothing known
        one = seconds(lambda a=attackers, t=targets: fill_matrix(a, t, workers=1), 1)  # type: ignore[misc]
        some = [(random.choice(attackers), random.choice(targets)) for _ in range(300)]
        single = seconds(lambda some=some: [mh.fight(a, t).slain for a, t in some], 1) / 300 * size * size  # type: ignore[misc]
        lines.append(f"| {system} | {one:.1f} | {both:.1f} | {number} | {plans:.1f} | {single:.0f} |")
    return lines


def main() -> None:
    """Prints the tables, and writes them beside this file when asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write benchmarks/README.md and growth.png")
    write = parser.parse_args().write
    started = time.strftime("%Y-%m-%d")
    engines = engine_rows()  # first: large arrays of other benchmarks change how memory is handed out
    found = growth()
    machine = (
        f"{os.cpu_count()} cores, Python {platform.python_version()}, numpy {np.__version__}, "
        f"{platform.machine()}"
    )
    sections = {
        "Engines": engines,
        "Peers": peer_lines(),
        "Start": start_lines(),
        "Matrices": matrix_lines(),
        "Memory": memory_lines(),
        "Growth": growth_lines(found),
    }
    text = "\n".join(line for title, lines in sections.items() for line in ("", f"## {title}", "", *lines))
    print(text)
    if write:
        draw(found, HERE / "growth.png")
        intro = (HERE / "intro.md").read_text(encoding="utf-8")
        (HERE / "README.md").write_text(
            f"{intro}\nMeasured on {started}: {machine}.\n{text}\n\n![growth](growth.png)\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
