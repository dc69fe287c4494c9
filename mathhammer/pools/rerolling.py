"""Pools of which the best dice are rolled again, played."""

from __future__ import annotations

import numpy as np

from mathhammer.dice.rerolls import ChosenReroll, choices_of
from mathhammer.dice.symbols import Counts, Distribution


def play_rerolls(asked: ChosenReroll, *, trials: int, seed: int) -> Distribution:
    """The same, die by die: every first roll is looked at, and the dice that are best are thrown again."""
    choices = choices_of(asked)
    rng = np.random.default_rng(seed)
    dice = [die for die, n in choices.kinds for _ in range(n)]
    kind_of = [kind for kind, (_, n) in enumerate(choices.kinds) for _ in range(n)]
    thrown = np.stack([rng.integers(0, len(die.faces), trials) for die in dice], axis=1)
    tallies: dict[Counts, int] = {}
    for faces, number in zip(*np.unique(thrown, axis=0, return_counts=True), strict=True):
        first: list[dict[Counts, int]] = [{} for _ in choices.kinds]
        for die, kind, face in zip(dice, kind_of, faces, strict=True):
            shown = choices.shown(die.faces[face])
            first[kind][shown] = first[kind].get(shown, 0) + 1
        kept, numbers = choices.best(tuple(first))
        again = [die for (die, _), n in zip(choices.kinds, numbers, strict=True) for _ in range(n)]
        sums = np.tile(np.array(kept, dtype=np.int64), (int(number), 1))
        for die in again:
            table = np.array([choices.shown(face) for face in die.faces], dtype=np.int64)
            sums += table[rng.integers(0, len(die.faces), int(number))]
        for row, times in zip(*np.unique(sums, axis=0, return_counts=True), strict=True):
            key = tuple(int(value) for value in row)
            tallies[key] = tallies.get(key, 0) + int(times)
    return Distribution(tallies, trials)
