"""The best loadout of a unit, and the best list from a pool of datasheets, for a stated
weighted objective.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from mathhammer.checks import whole
from mathhammer.compare.matchups import points_removed
from mathhammer.dataclass import dataclass
from mathhammer.errors import BadInputError
from mathhammer.fight import fight
from mathhammer.games.discovery import attacks_of, get_game
from mathhammer.games.game import MOST_COPIES, ArmyRules
from mathhammer.games.weapon_choice import NoWeaponError
from mathhammer.units.unit import Unit, Weapon

MOST_SOLUTIONS = 20


@dataclass(frozen=True, slots=True)
class Objective:
    """What is maximised: mean points removed from each target, weighted."""

    targets: tuple[Unit, ...]
    weights: tuple[float, ...]
    kind: str | None = None  # melee, ranged, or the better of both

    def __str__(self) -> str:
        names = [target.label for target in self.targets]
        equal = len(set(self.weights)) == 1
        parts = names if equal else [f"{w:.0%} {name}" for w, name in zip(self.weights, names, strict=True)]
        what = {"melee": "melee", "ranged": "shooting", None: "the better of melee and shooting"}[self.kind]
        return f"mean points removed in one action ({what}), averaged over {', '.join(parts)}"


def objective(
    targets: Sequence[Unit], weights: Sequence[float] | None = None, kind: str | None = None
) -> Objective:
    """An objective over targets; weights must add up to 1, and are equal when left out."""
    if not targets:
        raise BadInputError("optimise: no target (say against whom)")
    shares = tuple(weights) if weights else (1.0 / len(targets),) * len(targets)
    if len(shares) != len(targets):
        raise BadInputError(f"optimise: {len(shares)} weights for {len(targets)} targets (give one for each)")
    if any(not isfinite(share) or share < 0 for share in shares) or abs(sum(shares) - 1.0) > 1e-6:
        raise BadInputError(
            f"optimise: weights add up to {sum(shares):g} (they must be at least 0 and add up to 1)"
        )
    unpriced = [target.name for target in targets if not target.points]
    if unpriced:
        raise BadInputError(f"optimise: {unpriced[0]} has no points (targets need points to be removed)")
    return Objective(tuple(targets), shares, kind)


def score(unit: Unit, goal: Objective) -> float:
    """What a unit brings to the objective, exact; against each target the better kind of attack counts."""
    total = 0.0
    for target, weight in zip(goal.targets, goal.weights, strict=True):
        try:
            lost = fight(unit, target, weapons=goal.kind).lost.mean()
        except NoWeaponError:
            continue
        total += weight * (points_removed(target, lost) or 0.0)
    return total


# --- loadouts ---------------------------------------------------------------------------------------------


def loadouts(unit: Unit) -> dict[str, Unit]:
    """The standard loadout, and one for each optional weapon: its bearers take it instead of what most models
    of that kind carry.
    """
    variants = {
        "standard": replace(unit, weapons=tuple(weapon for weapon in unit.weapons if not weapon.optional))
    }
    for option in unit.weapons:
        if option.optional:
            variants[option.name] = replace(unit, weapons=tuple(_instead(unit, option)))
    return variants


def _instead(unit: Unit, option: Weapon) -> list[Weapon]:
    abilities = attacks_of(unit.system).abilities
    taken = unit.models if option.bearers is None else option.bearers
    usual = [weapon for weapon in unit.weapons if not weapon.optional]
    rivals = [
        weapon
        for weapon in usual
        if weapon.kind == option.kind
        and not any(abilities.carried(weapon, hook) for hook in ("extra", "instead"))
    ]
    most = max(rivals, key=lambda weapon: weapon.bearers or unit.models, default=None)
    result = []
    for weapon in usual:
        if weapon is most:
            left = (weapon.bearers or unit.models) - taken
            result += [replace(weapon, bearers=left)] if left > 0 else []
        else:
            result.append(weapon)
    return [*result, replace(option, optional=False, bearers=taken)]


def best_loadouts(unit: Unit, goal: Objective) -> list[tuple[str, float]]:
    """Every loadout with its score, best first; an error when none can do anything."""
    scored = [(name, score(variant, goal)) for name, variant in loadouts(unit).items()]
    if all(value <= 0 for _, value in scored):
        raise BadInputError(
            f"optimise: no loadout of {unit.name} can hurt these targets (choose others, or another "
            "kind of attack)"
        )
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))


# --- lists ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """One list: how many of each unit, what it costs, and what it brings."""

    units: tuple[tuple[str, int], ...]
    points: int
    score: float


def best_lists(
    pool: Sequence[Unit],
    goal: Objective,
    limit: int,
    *,
    solutions: int = 3,
    fixed: Mapping[str, int] | None = None,
    copies: int = MOST_COPIES,
) -> list[Choice]:
    """The best lists from a pool under a points limit and the game's rules of army composition that can be
    counted, with at most so many copies of a unit, best first.
    """
    priced = [unit for unit in pool if unit.points]
    if not priced:
        raise BadInputError("optimise: no unit of the pool has points (give some of them points)")
    limit = whole("optimise: limit", limit, 1, 100_000, "points from 1 to 100000")
    if not 1 <= solutions <= MOST_SOLUTIONS:
        raise BadInputError(f"optimise: {solutions} solutions (give 1 to {MOST_SOLUTIONS})")
    values = np.array([score(unit, goal) for unit in priced])
    if values.max() <= 0:
        raise BadInputError("optimise: no unit of the pool can hurt these targets (choose others)")
    most = {unit.name: min(copies, _most(unit, limit)) for unit in priced}
    return _solve(priced, values, limit, solutions, dict(fixed or {}), most)


def _rules_of(system: str) -> ArmyRules | None:
    army = get_game(system).army
    return None if army is None else army()


def _most(unit: Unit, limit: int) -> int:
    """How many of a unit a list may hold."""
    rules = _rules_of(unit.system)
    by_rules = MOST_COPIES if rules is None else rules.most(unit, limit)
    return min(limit // (unit.points or 1), by_rules)


def _solve(
    units: list[Unit],
    values: Any,
    limit: int,
    solutions: int,
    fixed: dict[str, int],
    most: dict[str, int],
) -> list[Choice]:
    from scipy.optimize import Bounds, LinearConstraint, milp

    known = {unit.name for unit in units}
    for name in fixed:
        if name not in known:
            raise BadInputError(f"optimise: {name!r} is not in the pool (or has no points)")
    low = np.array([fixed.get(unit.name, 0) for unit in units], dtype=np.float64)
    high = np.array([most[unit.name] for unit in units], dtype=np.float64)
    if (low > high).any():
        unit = units[int(np.argmax(low > high))]
        raise BadInputError(
            f"optimise: {fixed[unit.name]} {unit.name} are more than a list of {limit} points may hold "
            f"({most[unit.name]})"
        )
    points = np.array([unit.points or 0 for unit in units], dtype=np.float64)
    army = _rules_of(units[0].system)
    rules = [LinearConstraint(points, 0, limit)]
    for count in () if army is None else army.counts:
        weights = np.array([count.weight(unit) for unit in units], dtype=np.float64)
        rules.append(LinearConstraint(weights, count.low, count.high))
    choices: list[Choice] = []
    seen: list[float] = []
    for _ in range(solutions):
        # the next best list: below the last score by a hair, so that lists are told apart by what they bring
        cut = [LinearConstraint(values, -np.inf, seen[-1] - 1e-6 * max(1.0, seen[-1]))] if seen else []
        whole = np.ones(len(units))
        solved = milp(
            -values,
            constraints=[*rules, *cut],
            bounds=Bounds(low, high),
            integrality=whole,
            options={"time_limit": 20.0},
        )
        if solved.x is None:
            break
        numbers = np.round(solved.x).astype(int)
        brought = float(values @ numbers)
        seen.append(brought)
        chosen = tuple((unit.name, int(n)) for unit, n in zip(units, numbers, strict=True) if n)
        choices.append(Choice(chosen, int(points @ numbers), brought))
    if not choices:
        raise BadInputError(
            f"optimise: no legal list within {limit} points (the pool needs a hero or Character that fits)"
        )
    return choices
