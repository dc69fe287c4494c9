"""How far a simulated figure may lie from the exact one."""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy.stats import binom

import mathhammer as mh

LIMIT = 6.2


def z_score(law: mh.Pmf, seen_mean: float, trials: int) -> float:
    """How many standard errors a seen mean is off; what cannot vary must be met exactly."""
    if law.sd() < 1e-12:
        return 0.0 if abs(seen_mean - law.mean()) < 1e-9 else float("inf")
    return (seen_mean - law.mean()) / (law.sd() / sqrt(trials))


def z_of_variance(law: mh.Pmf, seen: np.ndarray) -> float:
    """The same for the spread, which is where outcomes wrongly treated as independent show."""
    values = np.arange(len(law))
    fourth = float(law.probs @ (values - law.mean()) ** 4)
    noise = sqrt(max(0.0, fourth - law.var() ** 2) / len(seen))
    seen_var = float(((seen - law.mean()) ** 2).mean())
    return (seen_var - law.var()) / noise if noise > 1e-12 else 0.0


def likely(p: float, seen: float, trials: int) -> bool:
    """Whether a seen share fits the chance p: exact binomial tails, as far out as 6.2 standard errors would be."""
    count, tail = round(seen * trials), 2.8e-10
    return bool(binom.sf(count - 1, trials, p) > tail and binom.cdf(count, trials, p) > tail)
