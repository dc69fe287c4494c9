"""What an army list does: the damage of each unit, and what the list lacks.

Plain rows without pandas; `frames` makes frames of them. Auras are on: every unit of a list is taken to be in
reach of its friends. What a leader gives to the unit he leads stays with that unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.compare.landed import VALUES
from mathhammer.compare.matchups import points_removed
from mathhammer.compare.matrix import fill_matrix
from mathhammer.dataclass import dataclass
from mathhammer.datasheets.library import reference_targets
from mathhammer.errors import BadInputError
from mathhammer.games.discovery import get_game
from mathhammer.lists.attached import fighting_units
from mathhammer.lists.gifts import auras_of
from mathhammer.units.roster import Roster
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
    auras: bool = True  # every unit is in reach of its friends' auras

    @property
    def points(self) -> int:
        """All points of its units."""
        return sum(unit.points or 0 for unit in self.units)


def army_of(units: Sequence[Unit], name: str = "the list", *, auras: bool = True) -> Army:
    """An army from units of one game; different units of one name are numbered."""
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
    return Army(name, units[0].system, numbered(units), auras)


def numbered(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """The units, where different ones of one name have a number behind it; units that are alike stay alike.

    >>> from mathhammer import load_unit
    >>> rats = load_unit("Clanrats", "aos4")
    >>> [unit.name for unit in numbered([rats, rats, rats.with_models(40).with_lost(1)])]
    ['Clanrats 1', 'Clanrats 1', 'Clanrats 2']
    """
    kinds: dict[str, list[Unit]] = {}
    for unit in units:
        alike = kinds.setdefault(unit.name, [])
        if unit not in alike:
            alike.append(unit)
    return tuple(
        unit
        if len(kinds[unit.name]) == 1
        else replace(unit, name=f"{unit.name} {kinds[unit.name].index(unit) + 1}")
        for unit in units
    )


def friends_of(army: Army, unit: Unit) -> tuple[Unit, ...]:
    """The other units of the army whose auras reach their friends, with these auras only.

    >>> from mathhammer import load_unit
    >>> friends_of(army_of([load_unit("Clanrats", "aos4")]), load_unit("Clanrats", "aos4"))
    ()
    """
    if not army.auras:
        return ()
    others = (other for other in army.units if other is not unit)
    return tuple(giver for other in others if (giver := auras_of(other)) is not None)


def roster_members(roster: Roster) -> list[tuple[Unit, tuple[Unit, ...]]]:
    """Every unit of a list, leaders joined to the units they lead, with the friends whose auras reach it.

    >>> from mathhammer.lists.readers import read_roster
    >>> rats = read_roster('system = "aos4"\\n[[regiment]]\\n[[regiment.unit]]\\nname = "Clanrats"\\n')
    >>> [(unit.name, len(friends)) for unit, friends in roster_members(rats)]
    [('Clanrats', 0)]
    """
    army = army_of(fighting_units(roster), roster.name or roster.faction or "the list")
    return [(unit, friends_of(army, unit)) for unit in army.units]


def _able(unit: Unit, kind: str) -> bool:
    return any(weapon.kind == kind and not weapon.optional for weapon in unit.weapons)


def ways_to_attack(army: Army, unit: Unit) -> dict[str, dict[str, Any]]:
    """For melee and ranged, where the unit can: its weapons and the friends whose abilities apply to it, as
    `fight` takes them.
    """
    friends = friends_of(army, unit)
    return {kind: {"weapons": kind, "friends": friends} for kind in KINDS if _able(unit, kind)}


@dataclass(frozen=True, slots=True, eq=False)
class ArmyValues:
    """What every unit of an army does to every target, by kind of attack: [unit, target, value], zeros where
    a unit has no such attack. Worked out once, read by everything below.
    """

    army: Army
    targets: tuple[Unit, ...]
    kinds: Mapping[str, Array]

    def of(self, kind: str, value: str) -> Array:
        """One value of `VALUES` of a kind of attack, [unit, target]."""
        return self.kinds[kind][:, :, VALUES.index(value)]

    @property
    def lost(self) -> Array:
        """Mean wounds lost to the better kind of attack, [unit, target]."""
        return np.maximum(self.of("melee", "lost"), self.of("ranged", "lost"))

    @property
    def destroyed(self) -> Array:
        """The chance to destroy with the kind of attack that takes more wounds, [unit, target]."""
        melee = self.of("melee", "lost") >= self.of("ranged", "lost")
        return np.where(melee, self.of("melee", "p_destroyed"), self.of("ranged", "p_destroyed"))

    @property
    def removed(self) -> Array:
        """Mean points removed by the better kind of attack, [unit, target]."""
        prices: Array = np.array([(target.points or 0) / target.health for target in self.targets])
        return self.lost * prices


def army_values(army: Army, targets: Sequence[Unit] | None = None, **how: Any) -> ArmyValues:
    """The army against these targets, or against the game's reference targets; `how` goes to `fight`.

    >>> from mathhammer import load_unit
    >>> values = army_values(army_of([load_unit("Liberators", "aos4")]), [load_unit("Clanrats", "aos4")])
    >>> values.lost.round(2).tolist(), values.removed.round(1).tolist()
    ([[6.06]], [[45.4]])
    """
    against = tuple(reference_targets(army.system) if targets is None else targets)
    kinds = {kind: np.zeros((len(army.units), len(against), len(VALUES))) for kind in KINDS}
    for place, unit in enumerate(army.units):
        for kind, attack in ways_to_attack(army, unit).items():
            kinds[kind][place] = fill_matrix([unit], against, workers=1, **{**how, **attack}).values[0]
    return ArmyValues(army, against, kinds)


def damage_rows(values: ArmyValues) -> list[dict[str, Any]]:
    """What each unit does by kind of attack to each target, one row each; keys as in `DAMAGE_COLUMNS`.

    >>> from mathhammer import load_unit
    >>> values = army_values(army_of([load_unit("Liberators", "aos4")]), [load_unit("Clanrats", "aos4")])
    >>> [(row["unit"], row["kind"], round(row["slain"], 2)) for row in damage_rows(values)]
    [('Liberators', 'melee', 6.06)]
    """
    rows = []
    for kind, numbers in values.kinds.items():
        for place, unit in enumerate(values.army.units):
            if not _able(unit, kind):
                continue
            for column, target in enumerate(values.targets):
                damage, lost, slain, destroyed = numbers[place, column].tolist()
                per = None if not unit.points else 100 * damage / unit.points
                about = (unit.name, unit.models, unit.points, kind, target.name)
                row = (*about, damage, slain, destroyed, points_removed(target, lost), per)
                rows.append(dict(zip(DAMAGE_COLUMNS, row, strict=True)))
    return rows


# --- what carries the list, and what it lacks


def carriers(values: ArmyValues) -> list[tuple[str, float, float]]:
    """Each unit with its share of all points that the list removes, and its share of the list's points; best
    first.

    >>> from mathhammer import load_unit
    >>> carriers(army_values(army_of([load_unit("Liberators", "aos4")])))
    [('Liberators', 1.0, 1.0)]
    """
    army, removed = values.army, values.removed.sum(axis=1)
    total, points = float(removed.sum()) or 1.0, army.points or 1
    shares = [
        (unit.name, float(mean) / total, (unit.points or 0) / points)
        for unit, mean in zip(army.units, removed, strict=True)
    ]
    return sorted(shares, key=lambda row: -row[1])


def lacks(values: ArmyValues) -> list[str]:
    """What the list has no good answer to: targets of which its three best attackers together take less than
    half on average.

    >>> from mathhammer import load_unit
    >>> len(lacks(army_values(army_of([load_unit("Clanrats", "aos4")]))))
    6
    """
    lines = []
    for column, target in enumerate(values.targets):
        lost = values.lost[:, column]
        best = np.argsort(-lost)[:3]
        three = float(lost[best].sum())
        if three < target.health / 2:
            names = [values.army.units[place].name for place in best if lost[place] > 0]
            who = ", ".join(names) or "none"
            taken = f"take {three:.1f} of its {target.health} wounds on average"
            lines.append(f"no answer to {target.name}: the three best attackers ({who}) {taken}")
    return lines
