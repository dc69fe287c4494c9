"""Matchups: many fights as plain rows of numbers, without pandas; the ground of `compare`
here and in the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mathhammer.dataclass import dataclass
from mathhammer.datasheets.asked import asked_units
from mathhammer.datasheets.library import UnknownUnitError, reference_targets
from mathhammer.datasheets.typed import asked_target
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError
from mathhammer.fight import check_use, fight, use_of
from mathhammer.games.weapon_choice import ALL, KINDS, NoWeaponError, kinds_of, wanted_weapons, with_weapons
from mathhammer.units.roster import Roster
from mathhammer.units.unit import Unit

# Every column of a row, in order, and what it holds.
COLUMNS: dict[str, str] = {
    "attacker": "the attacking unit, with its size where it is not the smallest, and its words",
    "target": "the target, in the same way",
    "kind": "melee or ranged: what the attacker used; None where it has no such weapon",
    "models": "models of the attacker",
    "target_models": "models of the target",
    "points": "points of the attacker, if known",
    "damage": "mean damage: the pool after wards, overkill included, where damage pools; else wounds lost",
    "damage_sd": "spread (standard deviation) of the damage",
    "damage_se": "standard error of the mean damage; 0 when exact",
    "p10": "one roll in ten does at most this much damage",
    "p50": "the median damage",
    "p90": "nine rolls in ten do at most this much damage",
    "lost": "mean wounds that the target loses",
    "slain": "mean models slain",
    "slain_sd": "spread of the models slain",
    "slain_se": "standard error of the mean models slain; 0 when exact",
    "p_destroyed": "chance that nothing of the target is left",
    "damage_per_100": "mean damage for each 100 points of the attacker, if known",
    "overkill": "mean damage that is wasted: lost with a model that was nearly dead, or beyond the last one",
    "points_removed": "the target's points by the share of its wounds that it loses, if known",
    "p_more": "chance to do more damage than the first attacker does to the same target",
    "rank": "place among all attackers of this target by mean damage, 1 for the best",
    "weapons": "melee, ranged, or the names of the weapons that were used",
    "situation": "the situation of both sides, with commas",
    "commands": "commands of both sides in use, with commas",
    "conditions": "all that the numbers hold under, in one line",
    "method": "exact or simulate",
}


Asked = Unit | str | Roster | Iterable[Unit | str]


@dataclass(frozen=True, slots=True)
class Matchup:
    """One attacker against one target, with the result of their fight; None where it has no such weapon."""

    attacker: Unit
    target: Unit
    result: Result | None

    @property
    def harm(self) -> Pmf:
        """What players call damage: the pool where damage pools, else the wounds lost."""
        result = self.fought
        return result.lost if result.pool is None else result.damage

    @property
    def fought(self) -> Result:
        """The result; an error where the attacker has no such weapon."""
        if self.result is None:
            raise BadInputError(f"fight: {self.attacker.name} has no such weapon (choose another kind)")
        return self.result

    @property
    def kind(self) -> str:
        """Melee or ranged; empty where the attacker has no such weapon."""
        if self.result is None:
            return ""
        used = self.result.weapons
        by_name = {weapon.name: weapon.kind for weapon in self.attacker.weapons}
        return used if used in KINDS else by_name.get(used.partition(", ")[0], "melee")

    def row(self) -> dict[str, Any]:
        """The numbers of this matchup, one for each of `COLUMNS`."""
        about = {
            "attacker": self.attacker.label,
            "target": self.target.label,
            "models": self.attacker.models_left,
            "target_models": self.target.models_left,
            "points": self.attacker.points,
        }
        return dict.fromkeys(COLUMNS) | about | (self._numbers() if self.result is not None else {})

    def _numbers(self) -> dict[str, Any]:
        result, harm, points = self.fought, self.harm, self.attacker.points
        slain, conditions = result.slain, result.conditions
        return {
            "kind": self.kind,
            "damage": harm.mean(),
            "damage_sd": harm.sd(),
            "damage_se": harm.standard_error(),
            "p10": harm.quantile(0.1),
            "p50": harm.quantile(0.5),
            "p90": harm.quantile(0.9),
            "lost": result.lost.mean(),
            "slain": slain.mean(),
            "slain_sd": slain.sd(),
            "slain_se": slain.standard_error(),
            "p_destroyed": result.p_destroyed,
            "damage_per_100": 100.0 * harm.mean() / points if points else None,
            "overkill": max(0.0, result.funnel.get("damage", 0.0) - result.lost.mean()),
            "points_removed": points_removed(self.target, result.lost.mean()),
            "rank": 1,
            "weapons": conditions.weapons,
            "situation": ", ".join(conditions.situation),
            "commands": ", ".join(conditions.commands),
            "conditions": str(conditions),
            "method": result.method,
        }


def points_removed(target: Unit, lost: float) -> float | None:
    """Points of a target by the share of its wounds that are lost (WH40K-METRICS); None
    when it has no points.
    """
    return None if target.points is None else target.points * lost / target.health


def rows_of(found: Sequence[Matchup]) -> list[dict[str, Any]]:
    """The rows of several matchups, ranked among those with the same target, and set
    against the first of them.
    """
    rows = [matchup.row() for matchup in found]
    for row, matchup in zip(rows, found, strict=True):
        if matchup.result is None:
            continue
        rivals = [
            (other, other_row)
            for other, other_row in zip(found, rows, strict=True)
            if other.target == matchup.target and other.result is not None
        ]
        row["rank"] = 1 + sum(other_row["damage"] > row["damage"] + 1e-12 for _, other_row in rivals)
        if rivals[0][0] is not matchup:
            row["p_more"] = matchup.harm.beats(rivals[0][0].harm)
    return rows


def rows_for_all(attackers: Sequence[Unit], how: Mapping[str, Any]) -> tuple[list[Unit], dict[str, Any]]:
    """With `weapons="all"` every attacker once for each kind of attack that it has; else as they are.

    >>> from mathhammer import load_unit
    >>> rows, how = rows_for_all([load_unit("Castigators", "aos4")], {"weapons": "all"})
    >>> [unit.stance.weapons for unit in rows], how
    (['melee', 'ranged'], {})
    """
    if how.get("weapons") != ALL and not any(unit.stance.weapons == ALL for unit in attackers):
        return list(attackers), dict(how)
    rows: list[Unit] = []
    for unit in attackers:
        if wanted_weapons(unit, how.get("weapons")) == ALL:
            rows += [with_weapons(unit, kind) for kind in kinds_of(unit)] or [with_weapons(unit, None)]
        else:
            rows.append(unit)
    return rows, {name: given for name, given in how.items() if name != "weapons" or given != ALL}


def matchups(attackers: Iterable[Unit], targets: Sequence[Unit], **how: Any) -> Iterator[Matchup]:
    """Every attacker against every target; `how` goes to `fight`. An attacker without a weapon of the kind
    that is asked for has no result.
    """
    striking, how = rows_for_all(list(attackers), how)
    if how.get("use"):
        beside = (*how.get("friends", ()), *how.get("target_friends", ()))
        check_use(how["use"], (*striking, *targets, *beside), where="compare")
    for attacker in striking:
        for target in targets:
            try:
                result = fight(attacker, target, **use_of(how, attacker, target))
            except NoWeaponError:
                yield Matchup(attacker, target, None)
            else:
                yield Matchup(attacker, target, result)


def _each(units: Asked, where: str) -> list[Unit | str]:
    """What is asked for, one by one; of a list every unit, which must have a profile."""
    if isinstance(units, Roster):
        fighting = [entry for b in units.blocks if b.kind != "terrain" for entry in b.entries]
        unknown = [e.name for e in fighting if e.unit is None and e in units.entries]
        if unknown:
            raise BadInputError(
                f"{where}: no datasheet for {', '.join(unknown)} of the list (import catalogues, or give "
                "roster.units for those that are known)"
            )
        return list(units.units)
    return [units] if isinstance(units, (Unit, str)) else list(units)


def named_units(
    units: Asked,
    system: str | None,
    own: str | Path | None = None,
    where: str = "compare",
) -> list[Unit]:
    """Units from units, expressions, names of factions or a list; all of one game, which the first tells."""
    found: list[Unit] = []
    for unit in _each(units, where):
        game = system or (found[0].system if found else None)
        found += [unit] if isinstance(unit, Unit) else asked_units(unit, game, own, where)
    return found


def named_targets(
    units: Asked,
    system: str | None,
    own: str | Path | None = None,
    where: str = "compare",
) -> list[Unit]:
    """The same for targets, which may also be profiles in one line.

    >>> [unit.models for unit in named_targets(["Clanrats", "4+ health 2 x10"], "aos4")]
    [20, 10]
    """
    found: list[Unit] = []
    for unit in _each(units, where):
        game = system or (found[0].system if found else None)
        try:
            found += named_units([unit], game, own, where)
        except UnknownUnitError:
            found.append(asked_target(str(unit), game, own, where))
    return found


def targets_of(
    attackers: Sequence[Unit], targets: Sequence[Unit] | None, own: str | Path | None = None
) -> list[Unit]:
    """The targets given, or the reference targets of the attackers' game."""
    if targets:
        return list(targets)
    systems = {unit.system for unit in attackers}
    if len(systems) != 1:
        raise BadInputError(
            f"compare: units of {' and '.join(sorted(systems)) or 'no game'} (compare units of one game)"
        )
    return list(reference_targets(systems.pop(), own))
