"""What an army list does: damage and durability of each unit, what the list lacks, and how two lists trade.

Plain rows without pandas; `reports` makes frames of them. Leaders' gifts (effects on "friends") are on: every unit of a list is
given what its friends give, as far as the gifts' own conditions allow; ranges are the player's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.datasheets import reference_targets
from mathhammer.errors import BadInputError
from mathhammer.exact import per_attack
from mathhammer.fight import plan_fight
from mathhammer.landing import land, step
from mathhammer.matrices import fill_matrix
from mathhammer.schema import make_unit
from mathhammer.sweep import VALUES
from mathhammer.systems import get_system
from mathhammer.units import Unit

Array = NDArray[np.float64]
KINDS = ("melee", "ranged")
PIERCING = (0, 1, 2, 3)
DAMAGES = (1, 2, 3, "D6")

DAMAGE_COLUMNS: dict[str, str] = {
    "unit": "name of the unit",
    "models": "its models",
    "points": "its points, if known",
    "kind": "melee or ranged",
    "target": "reference target",
    "damage": "mean damage of one attack action",
    "slain": "mean models slain",
    "p_destroyed": "chance to destroy the target",
    "points_removed": "the target's points by the share of its wounds lost",
    "per_100": "damage for each 100 points of the unit",
}
HEALTH_COLUMNS: dict[str, str] = {
    "unit": "name of the unit",
    "points": "its points, if known",
    "health": "all its wounds",
    "pierce": "Rend, or AP as a positive number",
    "damage": "Damage of the attacks",
    "hits": "mean number of wounding hits of that kind that it takes to destroy the unit",
    "effective_health": "those hits times their mean damage: what the unit's health is worth",
    "per_100": "effective health for each 100 points",
}


@dataclass(frozen=True, slots=True)
class Army:
    """Units that fight together, under one name."""

    name: str
    system: str
    units: tuple[Unit, ...]

    @property
    def points(self) -> int:
        """All points of its units."""
        return sum(unit.points or 0 for unit in self.units)


def army_of(units: Sequence[Unit], name: str = "the list") -> Army:
    """An army from units of one game."""
    if not units:
        raise BadInputError(f"{name}: no unit with a profile (import its catalogue, or add datasheets)")
    games = {unit.system for unit in units}
    if len(games) > 1:
        raise BadInputError(f"{name}: units of {' and '.join(sorted(games))} (one list, one game)")
    game = get_system(units[0].system)
    if game.quick is None:
        raise BadInputError(f"{name}: {game.title} has no lists of this kind (give units of a game with hit, wound and save rolls)")
    return Army(name, units[0].system, tuple(units))


def _givers(army: Army) -> tuple[Unit, ...]:
    return tuple(unit for unit in army.units if any(effect.on == "friends" for effect in unit.effects))


def _able(unit: Unit, kind: str) -> bool:
    return any(weapon.kind == kind and not weapon.optional for weapon in unit.weapons)


def _chosen(unit: Unit, kind: str) -> list[str]:
    """The weapons of a kind that the unit uses together: in 40k a model strikes with one melee weapon only."""
    weapons = [weapon for weapon in unit.weapons if weapon.kind == kind and not weapon.optional]
    if unit.system != "wh40k10" or kind == "ranged":
        return [weapon.name for weapon in weapons]
    room, names = unit.models_left, [weapon.name for weapon in weapons if "Extra Attacks" in weapon.abilities]
    for weapon in sorted((w for w in weapons if w.name not in names), key=lambda w: w.bearers or unit.models):
        if unit.bearers(weapon) <= room:
            room -= unit.bearers(weapon)
            names.append(weapon.name)
    return names


def ways_to_attack(army: Army, unit: Unit) -> dict[str, dict[str, Any]]:
    """For melee and ranged, where the unit can: its weapons and the friends whose gifts are on, as `fight` takes them."""
    friends = tuple(giver for giver in _givers(army) if giver is not unit)
    names = {kind: _chosen(unit, kind) for kind in KINDS if _able(unit, kind)}
    return {kind: {"weapons": chosen, "friends": friends} for kind, chosen in names.items() if chosen}


def best_values(army: Army, targets: Sequence[Unit]) -> dict[str, Array]:
    """For melee and ranged: the numbers of every unit against every target, [unit, target, value]; zeros where it has none."""
    found = {kind: np.zeros((len(army.units), len(targets), len(VALUES))) for kind in KINDS}
    for place, unit in enumerate(army.units):
        for kind, how in ways_to_attack(army, unit).items():
            found[kind][place] = fill_matrix([unit], targets, workers=1, **how).values[0]
    return found


def damage_rows(army: Army, targets: Sequence[Unit] | None = None) -> list[dict[str, Any]]:
    """What each unit does by kind of attack to each reference target, one row each."""
    struck = list(targets or reference_targets(army.system))
    rows = []
    for kind, values in best_values(army, struck).items():
        for place, unit in enumerate(army.units):
            if not _able(unit, kind):
                continue
            for column, target in enumerate(struck):
                damage, lost, slain, destroyed = values[place, column].tolist()
                removed = None if target.points is None else target.points * lost / target.health
                per = None if not unit.points else 100 * damage / unit.points
                keys = (unit.name, unit.models, unit.points, kind, target.name, damage, slain, destroyed, removed, per)
                rows.append(dict(zip(DAMAGE_COLUMNS, keys, strict=True)))
    return rows


# --- durability ---------------------------------------------------------------------------------------------------


def health_rows(army: Army) -> list[dict[str, Any]]:
    """How many wounding hits each unit takes, for each piercing and each damage."""
    rows = []
    for unit in army.units:
        friends = tuple(giver for giver in _givers(army) if giver is not unit)
        for pierce in PIERCING:
            for damage in DAMAGES:
                hits = hits_to_destroy(unit, pierce, damage, friends)
                worth = hits * (3.5 if damage == "D6" else float(damage))
                per = None if not unit.points else 100 * worth / unit.points
                keys = (unit.name, unit.points, unit.health, pierce, damage, hits, worth, per)
                rows.append(dict(zip(HEALTH_COLUMNS, keys, strict=True)))
    return rows


def hits_to_destroy(unit: Unit, pierce: int, damage: int | str, friends: tuple[Unit, ...] = ()) -> float:
    """The mean number of hits that wound, of that Rend (or AP) and Damage, until nothing of the unit is left; exact.

    >>> wall = make_unit("aos4", {"name": "Wall", "models": 2, "health": 3, "save": 4})
    >>> round(hits_to_destroy(wall, 0, 1), 6), round(hits_to_destroy(wall, 1, 1), 6)
    (12.0, 9.0)
    """
    plan = plan_fight(_probe(unit.system, pierce, damage), replace(unit, effects=_defences(unit)), target_friends=friends)
    (volley,) = plan.volleys
    if plan.target.spills:
        law = per_attack(volley)
        left = land(plan.target).states - 1
        needed = [0.0]
        for health in range(1, left + 1):
            onwards = sum(float(law[points]) * needed[max(0, health - points)] for points in range(1, len(law)))
            needed.append((1.0 + onwards) / (1.0 - float(law[0])))
        return needed[-1]
    landing = land(plan.target)
    moves = step(volley.packets[0], plan.target)[np.ix_(landing.alive, landing.alive)]
    needed_from = np.linalg.solve(np.eye(len(moves)) - moves, np.ones(len(moves)))
    return float(needed_from[np.flatnonzero(landing.alive).tolist().index(landing.start)])


def _defences(unit: Unit) -> Any:
    """What the unit does for its own defence; what it does to an attacker's hit rolls is left out, as hits are counted."""
    return tuple(effect for effect in unit.effects if effect.on == "unit")


@lru_cache(maxsize=256)
def _probe(system: str, pierce: int, damage: int | str) -> Unit:
    """A model whose one attack always wounds."""
    game = get_system(system)
    assert game.quick is not None
    text = f"1x 2+ 2+ -{pierce} {damage}" if "rend" in {f.name for f in game.weapon_fields} else f"1x 2+ S1 AP-{pierce} D{damage}"
    weapon = game.quick[0](text) | {"name": "probe"}
    sure = {"auto_hit": True, "auto_wound": True}
    return make_unit(system, {"name": "probe", **game.quick_body, "weapon": [weapon], "effect": [sure]})


# --- what carries the list, and what it lacks ---------------------------------------------------------------------


def carriers(army: Army) -> list[tuple[str, float, float]]:
    """Each unit with its share of all points that the list removes, and its share of the list's points; best first."""
    targets = list(reference_targets(army.system))
    values = best_values(army, targets)
    lost = VALUES.index("lost")
    prices = np.array([(target.points or 0) / target.health for target in targets])
    removed = np.maximum(values["melee"][:, :, lost], values["ranged"][:, :, lost]) @ prices
    total, points = float(removed.sum()) or 1.0, army.points or 1
    shares = [(u.name, float(r) / total, (u.points or 0) / points) for u, r in zip(army.units, removed, strict=True)]
    return sorted(shares, key=lambda row: -row[1])


def lacks(army: Army) -> list[str]:
    """What the list has no good answer to: targets of which its three best attackers together take less than half on average."""
    targets = list(reference_targets(army.system))
    values = best_values(army, targets)
    damage = VALUES.index("lost")
    best = np.maximum(values["melee"][:, :, damage], values["ranged"][:, :, damage])
    found = []
    for column, target in enumerate(targets):
        three = float(np.sort(best[:, column])[::-1][:3].sum())
        if three < target.health / 2:
            names = [army.units[place].name for place in np.argsort(-best[:, column])[:3] if best[place, column] > 0]
            who = ", ".join(names) or "nobody"
            taken = f"take {three:.1f} of its {target.health} wounds on average"
            found.append(f"no answer to {target.name}: the three best attackers ({who}) {taken}")
    return found


# --- two lists ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """How two lists trade: points removed by every unit from every other, both ways, and the best assignments."""

    a: Army
    b: Army
    a_on_b: Array  # mean points removed, [unit of a, unit of b]
    b_on_a: Array
    a_destroys: Array  # chance to destroy
    b_destroys: Array


def exchange(a: Army, b: Army) -> Exchange:
    """Both lists against each other, each unit with the better of its melee and ranged attacks."""
    if a.system != b.system:
        raise BadInputError(f"list compare: {a.name} plays {a.system}, {b.name} plays {b.system} (compare lists of one game)")
    removed_ab, destroyed_ab = _removed(a, b)
    removed_ba, destroyed_ba = _removed(b, a)
    return Exchange(a, b, removed_ab, removed_ba, destroyed_ab, destroyed_ba)


def _removed(army: Army, other: Army) -> tuple[Array, Array]:
    values = best_values(army, other.units)
    lost, destroyed = VALUES.index("lost"), VALUES.index("p_destroyed")
    better = values["melee"][:, :, lost] >= values["ranged"][:, :, lost]
    prices = np.array([(unit.points or 0) / unit.health for unit in other.units])
    taken = np.where(better, values["melee"][:, :, lost], values["ranged"][:, :, lost]) * prices
    return taken, np.where(better, values["melee"][:, :, destroyed], values["ranged"][:, :, destroyed])


def assignment(removed: Array, other: Army) -> list[tuple[int, int]]:
    """Which unit should attack which, so that most points are removed: a target counts no more than its own points.

    Solved as a mixed-integer program: each attacker picks one target; what a target loses is the sum of what its attackers remove on
    average, up to all its points.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    attackers, targets = removed.shape
    prices = np.array([unit.points or 0 for unit in other.units], dtype=np.float64)
    picks = attackers * targets
    one_target = np.zeros((attackers, picks + targets))
    for attacker in range(attackers):
        one_target[attacker, attacker * targets : (attacker + 1) * targets] = 1.0
    taken = np.zeros((targets, picks + targets))  # loss of a target - sum of what is removed <= 0
    for target in range(targets):
        taken[target, picks + target] = 1.0
        taken[target, target:picks:targets] = -removed[:, target]
    solved = milp(
        c=np.concatenate([-1e-6 * removed.ravel(), -np.ones(targets)]),  # a hair for attacks beyond what a target has left
        constraints=[LinearConstraint(one_target, -np.inf, 1.0), LinearConstraint(taken, -np.inf, 0.0)],
        bounds=Bounds(0.0, np.concatenate([np.ones(picks), prices])),
        integrality=np.concatenate([np.ones(picks), np.zeros(targets)]),
        options={"time_limit": 5.0},
    )
    chosen = np.flatnonzero(np.asarray(solved.x[:picks]) > 0.5) if solved.x is not None else np.zeros(0, dtype=int)
    return [(int(place) // targets, int(place) % targets) for place in chosen if removed.ravel()[place] > 0]


def _struck(removed: Array, pairs: list[tuple[int, int]], left: Array, other: Army, other_left: Array) -> Array:
    """The share of each unit of the other list that is left after one round: attackers count by the share of them that is left."""
    after = other_left.copy()
    for attacker, target in pairs:  # points can be removed, so the target has some
        after[target] -= min(after[target], removed[attacker, target] * left[attacker] / (other.units[target].points or 1))
    return after


def trade(found: Exchange, first: str) -> dict[str, float]:
    """Points that each side loses when `first` ("a" or "b") strikes and the other strikes back with what is left."""
    a_left, b_left = np.ones(len(found.a.units)), np.ones(len(found.b.units))
    ab, ba = assignment(found.a_on_b, found.b), assignment(found.b_on_a, found.a)
    for side in ("a", "b") if first == "a" else ("b", "a"):
        if side == "a":
            b_left = _struck(found.a_on_b, ab, a_left, found.b, b_left)
        else:
            a_left = _struck(found.b_on_a, ba, b_left, found.a, a_left)
    prices_a = np.array([unit.points or 0 for unit in found.a.units])
    prices_b = np.array([unit.points or 0 for unit in found.b.units])
    return {"a_loses": float(((1 - a_left) * prices_a).sum()), "b_loses": float(((1 - b_left) * prices_b).sum())}


def summary(found: Exchange) -> str:
    """One paragraph in words, made from the numbers."""
    a, b = found.a.name, found.b.name
    first, second = trade(found, "a"), trade(found, "b")
    better = a if first["b_loses"] - first["a_loses"] + second["b_loses"] - second["a_loses"] > 0 else b
    carrier_a = found.a.units[int(found.a_on_b.max(axis=1).argmax())].name
    carrier_b = found.b.units[int(found.b_on_a.max(axis=1).argmax())].name
    return (
        f"If {a} strikes first, it removes {first['b_loses']:.0f} of {found.b.points} points "
        f"and loses {first['a_loses']:.0f} to what is left; "
        f"if {b} strikes first, it removes {second['a_loses']:.0f} of {found.a.points} and loses {second['b_loses']:.0f}. "
        f"Going first is worth {first['b_loses'] - second['b_loses'] + second['a_loses'] - first['a_loses']:.0f} points of difference. "
        f"Over both, {better} trades better. The hardest single blow is struck by {carrier_a} for {a} and by {carrier_b} for {b}."
    )
