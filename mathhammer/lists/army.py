"""What an army list does: the damage of each unit, and what the list lacks.

Plain rows without pandas; `frames` makes frames of them. Effects on friends are on: every unit of a list is
within reach of its leaders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.compare.matrix import fill_matrix
from mathhammer.compare.sweep import VALUES
from mathhammer.datasheets.library import reference_targets
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.units.unit import Unit

Array = NDArray[np.float64]
KINDS = ("melee", "ranged")

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
    game = get_game(units[0].system)
    if game.attacks is None:
        raise BadInputError(
            f"{name}: {game.title} has no lists of this kind (give units of a game with hit, wound and "
            "save rolls)"
        )
    return Army(name, units[0].system, tuple(units))


def _givers(army: Army) -> tuple[Unit, ...]:
    return tuple(unit for unit in army.units if any(effect.on == "friends" for effect in unit.effects))


def _able(unit: Unit, kind: str) -> bool:
    return any(weapon.kind == kind and not weapon.optional for weapon in unit.weapons)


def ways_to_attack(army: Army, unit: Unit) -> dict[str, dict[str, Any]]:
    """For melee and ranged, where the unit can: its weapons and the friends whose effects reach it, as
    `fight` takes them.
    """
    friends = tuple(giver for giver in _givers(army) if giver is not unit)
    return {kind: {"weapons": kind, "friends": friends} for kind in KINDS if _able(unit, kind)}


def best_values(army: Army, targets: Sequence[Unit]) -> dict[str, Array]:
    """For melee and ranged: the numbers of every unit against every target, [unit, target, value]; zeros
    where it has none.
    """
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
                keys = (
                    unit.name,
                    unit.models,
                    unit.points,
                    kind,
                    target.name,
                    damage,
                    slain,
                    destroyed,
                    removed,
                    per,
                )
                rows.append(dict(zip(DAMAGE_COLUMNS, keys, strict=True)))
    return rows


# --- what carries the list, and what it lacks
# ---------------------------------------------------------------------


def carriers(army: Army) -> list[tuple[str, float, float]]:
    """Each unit with its share of all points that the list removes, and its share of the
    list's points; best first.
    """
    targets = list(reference_targets(army.system))
    values = best_values(army, targets)
    lost = VALUES.index("lost")
    prices = np.array([(target.points or 0) / target.health for target in targets])
    removed = np.maximum(values["melee"][:, :, lost], values["ranged"][:, :, lost]) @ prices
    total, points = float(removed.sum()) or 1.0, army.points or 1
    shares = [
        (u.name, float(r) / total, (u.points or 0) / points) for u, r in zip(army.units, removed, strict=True)
    ]
    return sorted(shares, key=lambda row: -row[1])


def lacks(army: Army) -> list[str]:
    """What the list has no good answer to: targets of which its three best attackers together take less than
    half on average.
    """
    targets = list(reference_targets(army.system))
    values = best_values(army, targets)
    damage = VALUES.index("lost")
    best = np.maximum(values["melee"][:, :, damage], values["ranged"][:, :, damage])
    found = []
    for column, target in enumerate(targets):
        three = float(np.sort(best[:, column])[::-1][:3].sum())
        if three < target.health / 2:
            names = [
                army.units[place].name
                for place in np.argsort(-best[:, column])[:3]
                if best[place, column] > 0
            ]
            who = ", ".join(names) or "nobody"
            taken = f"take {three:.1f} of its {target.health} wounds on average"
            found.append(f"no answer to {target.name}: the three best attackers ({who}) {taken}")
    return found
