"""How the time grows with what is asked: attacks, models, weapons, units, lists."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import mathhammer as mh
from mathhammer.compare.matrix import fill_matrix

SYSTEMS = ("aos4", "wh40k10")
TRIALS = 1_000_000
Curve = list[tuple[int, float]]  # sizes, and seconds of each
Growth = dict[str, dict[str, Curve]]  # what grows, who asks


def weapon(system: str, number: int, attacks: int) -> dict[str, Any]:
    """A weapon with a critical rule."""
    stats = {"hit": 3, "wound": 3, "rend": 1} if system == "aos4" else {"skill": 3, "strength": 5, "ap": -1}
    special = ["Crit (2 Hits)"] if system == "aos4" else ["Sustained Hits 1"]
    return {"name": f"w{number}", "attacks": attacks, "damage": 2, "abilities": special} | stats


def unit(
    system: str, models: int = 1, attacks: int = 1, weapons: int = 1, extra: int = 0, wounds: int = 2
) -> mh.Unit:
    """A unit of plain models; `extra` makes units differ."""
    body = (
        {"health": wounds + extra % 3} if system == "aos4" else {"toughness": 4 + extra % 3, "wounds": wounds}
    )
    arms = [weapon(system, number, attacks) for number in range(weapons)]
    if system != "aos4" and weapons > 1:  # of melee weapons a model uses one
        arms = [one | {"kind": "ranged"} for one in arms]
    return mh.make_unit(
        system,
        {"name": f"U{extra}", "models": models, "save": 3 + extra % 4, "points": 100, "weapon": arms} | body,
    )


def forget() -> None:
    """Throws away the distributions and the answers that are remembered; plans and compiled tables stay."""
    from mathhammer.compare import landed
    from mathhammer.engine import exact, queues

    for known in (
        exact._volley_pool,
        queues.one_attack,
        landed.landing_distribution,
        landed.packet_rows,
        landed.step_of,
    ):
        known.cache_clear()
    sys.modules["mathhammer.fight"]._ENDS.clear()  # type: ignore[attr-defined]


def cold(ask: Callable[[], object]) -> float:
    """The time of a question of which no distribution is known yet; the best of three."""
    ask()
    times = []
    for _ in range(3):
        forget()
        start = time.perf_counter()
        ask()
        times.append(time.perf_counter() - start)
    return min(times)


def curve(sizes: Iterable[int], ask: Callable[[int], Callable[[], object]]) -> Curve:
    return [(size, cold(ask(size))) for size in sizes]


def growth() -> Growth:
    """Everything that is measured."""
    found: Growth = {}

    def note(what: str, sizes: Iterable[int], ways: dict[str, Callable[[int], Callable[[], object]]]) -> None:
        found[what] = {name: curve(sizes, ask) for name, ask in ways.items()}

    def fights(make: Callable[[str, int], tuple[mh.Unit, mh.Unit]]) -> dict[str, Any]:
        def way(system: str, **how: Any) -> Callable[[int], Callable[[], object]]:
            def ask(size: int) -> Callable[[], object]:
                attacker, target = make(system, size)
                return lambda: mh.fight(attacker, target, **how).slain

            return ask

        rolled = {"method": "simulate", "trials": TRIALS, "threads": 1}
        return {f"{key}, exact": way(key) for key in SYSTEMS} | {
            f"{key}, simulate": way(key, **rolled) for key in SYSTEMS
        }

    note("attacks", (10, 30, 100, 300, 1000), fights(lambda key, n: (unit(key, attacks=n), unit(key, 20))))
    note(
        "models of the target",
        (1, 3, 10, 30, 100),
        fights(lambda key, n: (unit(key, attacks=60), unit(key, n))),
    )
    note(
        "wounds of each of 20 models",
        (1, 3, 10, 30, 100),
        fights(lambda key, n: (unit(key, attacks=60), unit(key, 20, wounds=n))),
    )
    note(
        "weapons", (1, 2, 4, 8, 16), fights(lambda key, n: (unit(key, attacks=10, weapons=n), unit(key, 20)))
    )

    def squares(system: str) -> Callable[[int], Callable[[], object]]:
        def ask(size: int) -> Callable[[], object]:
            units = [unit(system, 1 + n % 10, 1 + n % 5, 1, n) for n in range(size)]
            return lambda: fill_matrix(units, units, workers=1)

        return ask

    note("units on each side of a matrix", (10, 30, 100, 300), {key: squares(key) for key in SYSTEMS})

    def duels(system: str, method: str) -> Callable[[int], Callable[[], object]]:
        def ask(size: int) -> Callable[[], object]:
            one, other = unit(system, size, 2), unit(system, size, 2, extra=1)
            more: dict[str, Any] = {} if method == "exact" else {"trials": 100_000}
            return lambda: mh.duel(one, other, method=method, rounds=3, **more)  # type: ignore[arg-type]

        return ask

    ways = {f"{key}, {method}": duels(key, method) for key in SYSTEMS for method in ("exact", "simulate")}
    note("models on each side of a duel", (1, 3, 10, 30), ways)

    def lists(system: str) -> Callable[[int], Callable[[], object]]:
        def ask(size: int) -> Callable[[], object]:
            one = [unit(system, 1 + n % 10, 2, 1, n) for n in range(size)]
            return lambda: mh.duel(one, one, method="simulate", rounds=3, trials=10_000)

        return ask

    note("units of two lists in battle", (2, 4, 8, 16), {f"{key}, simulate": lists(key) for key in SYSTEMS})
    return found


def growth_lines(found: Growth) -> list[str]:
    """A table for each thing that grows: milliseconds."""
    lines: list[str] = []
    for what, ways in found.items():
        sizes = [size for size, _ in next(iter(ways.values()))]
        lines += ["", f"| {what}, ms | " + " | ".join(map(str, sizes)) + " |", "|---|" + "---|" * len(sizes)]
        lines += [
            f"| {name} | " + " | ".join(f"{taken * 1e3:.3g}" for _, taken in row) + " |"
            for name, row in ways.items()
        ]
    return lines[1:]


def draw(found: Growth, path: Path) -> None:
    """A picture of the growth: a small one for each thing that grows."""
    from matplotlib.figure import Figure

    from mathhammer.plots import COLOURS

    figure = Figure(figsize=(14, 6.5), layout="constrained")
    names = list(dict.fromkeys(name.partition(",")[0] for ways in found.values() for name in ways))
    for place, (what, ways) in enumerate(found.items()):
        ax = figure.add_subplot(2, 4, place + 1)
        for name, row in ways.items():
            style = "o--" if name.endswith("simulate") else "o-"
            colour = COLOURS[names.index(name.partition(",")[0])]
            ax.loglog([n for n, _ in row], [taken * 1e3 for _, taken in row], style, color=colour, label=name)
        sizes = [size for size, _ in next(iter(ways.values()))]
        ax.set_xticks(sizes, list(map(str, sizes)))
        ax.minorticks_off()
        ax.yaxis.set_major_formatter("{x:g}")
        ax.set_title(what, fontsize=10)
        ax.grid(True, alpha=0.3)
        ax.spines[["top", "right"]].set_visible(False)
    handles = figure.axes[0].get_legend_handles_labels()
    figure.add_subplot(2, 4, 8, frame_on=False, xticks=[], yticks=[]).legend(
        *handles, frameon=False, loc="center"
    )
    figure.supylabel("milliseconds")
    figure.savefig(path, dpi=130, metadata={"Software": None})
