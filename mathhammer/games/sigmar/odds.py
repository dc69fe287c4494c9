"""The other dice that both editions of Age of Sigmar share: charges, runs, casting, mortal damage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mathhammer.dice.notation import parse_dice
from mathhammer.dice.pmf import Pmf

Odds = dict[str, Any]
FACES = range(1, 7)
ONE_DIE = parse_dice("D6").pmf()
TWO_DICE = parse_dice("2D6").pmf()
D3 = parse_dice("D3").pmf()


def rolled_again(wanted: int, total: Callable[[int, int], int], whole: bool) -> float:
    """The chance that two dice come to a total when a failed roll may be rolled again: all of it, or one die
    or both, whichever is better (AOS4-AMB-20, AOS1-SILENT-13).

    >>> round(rolled_again(9, lambda a, b: a + b, whole=True), 6)
    0.478395
    """
    rolls = [(a, b) for a in FACES for b in FACES]
    both = sum(total(a, b) >= wanted for a, b in rolls) / 36
    if whole:
        return both + (1.0 - both) * both

    def keeping(kept: int) -> float:
        return sum(total(kept, again) >= wanted for again in FACES) / 6

    return sum(1.0 if total(a, b) >= wanted else max(keeping(a), keeping(b), both) for a, b in rolls) / 36


def reach(move: int | str, rolled: Pmf) -> Odds:
    """A run: Move, which may be dice, and a die (AOS4-14.1, AOS4-26.0, AOS1-MOVE).

    >>> reach("D6+8", ONE_DIE)["mean_reach"]
    15.0
    """
    far = parse_dice(move).pmf().convolve(rolled)
    return {"reach_pmf": far, "mean_reach": far.mean()}


def casting(
    rolls: Mapping[int, float], value: int, modifier: int, unbinding: int | None
) -> tuple[float, float]:
    """The chance that a casting roll succeeds, and that the spell is resolved after one attempt to unbind it
    with a strictly higher roll (AOS4-M-2.0, AOS4-M-4.0, AOS1-WIZARD).

    `rolls` are the totals that may succeed, with their chances; `unbinding` is the modifier of that attempt;
    None: nobody unbinds.
    """
    succeeds = resolved = 0.0
    for total, chance in rolls.items():
        if total + modifier < value:
            continue
        succeeds += chance
        stopped = 0.0 if unbinding is None else TWO_DICE.at_least(total + modifier + 1 - unbinding)
        resolved += chance * (1.0 - stopped)
    return succeeds, resolved


def mortal_losses(pool: Pmf, models: int, wounds: int, suffered: int, ward: int | None) -> tuple[Pmf, Pmf]:
    """What a pool of mortal damage does to a unit: the points that no ward ignores, and the models slain
    (AOS4-17.2, AOS4-18.1, AOS4-18.2, AOS1-MORTAL, AOS1-DAMAGE, AOS1-SILENT-5).
    """
    unwarded = pool if ward is None else pool.thin((ward - 1) / 6)
    return unwarded, unwarded.map(lambda points: min(models, (suffered + points) // wounds))
