"""Matchups: many fights as plain rows of numbers, without pandas; the ground of `compare`
here and in the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mathhammer.datasheets.library import find_sheet, reference_targets
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError
from mathhammer.fight import fight
from mathhammer.units.unit import Unit

# Every column of a row, in order, and what it holds.
COLUMNS: dict[str, str] = {
    "attacker": "name of the attacking unit",
    "target": "name of the target",
    "models": "models of the attacker",
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
    "method": "exact or simulate",
}


@dataclass(frozen=True, slots=True)
class Matchup:
    """One attacker against one target, with the result of their fight."""

    attacker: Unit
    target: Unit
    result: Result

    @property
    def harm(self) -> Pmf:
        """What players call damage: the pool where damage pools, else the wounds lost."""
        return self.result.lost if self.result.pool is None else self.result.damage

    def row(self) -> dict[str, Any]:
        """The numbers of this matchup, one for each of `COLUMNS`."""
        harm, slain, points = self.harm, self.result.slain, self.attacker.points
        return {
            "attacker": self.attacker.name,
            "target": self.target.name,
            "models": self.attacker.models_left,
            "points": points,
            "damage": harm.mean(),
            "damage_sd": harm.sd(),
            "damage_se": harm.standard_error(),
            "p10": harm.quantile(0.1),
            "p50": harm.quantile(0.5),
            "p90": harm.quantile(0.9),
            "lost": self.result.lost.mean(),
            "slain": slain.mean(),
            "slain_sd": slain.sd(),
            "slain_se": slain.standard_error(),
            "p_destroyed": self.result.p_destroyed,
            "damage_per_100": 100.0 * harm.mean() / points if points else None,
            "overkill": max(0.0, self.result.funnel.get("damage", 0.0) - self.result.lost.mean()),
            "points_removed": points_removed(self.target, self.result.lost.mean()),
            "p_more": None,
            "rank": 1,
            "method": self.result.method,
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
        rivals = [
            (other, other_row)
            for other, other_row in zip(found, rows, strict=True)
            if other.target == matchup.target
        ]
        row["rank"] = 1 + sum(other_row["damage"] > row["damage"] + 1e-12 for _, other_row in rivals)
        if rivals[0][0] is not matchup:
            row["p_more"] = matchup.harm.beats(rivals[0][0].harm)
    return rows


def matchups(attackers: Iterable[Unit], targets: Sequence[Unit], **how: Any) -> Iterator[Matchup]:
    """Every attacker against every target; `how` goes to `fight`."""
    for attacker in attackers:
        for target in targets:
            yield Matchup(attacker, target, fight(attacker, target, **how))


def named_units(
    units: Unit | str | Iterable[Unit | str],
    system: str | None,
    own: str | Path | None = None,
    where: str = "compare",
) -> list[Unit]:
    """Units from units or names; names are looked up in the datasheets of one game."""
    listed = [units] if isinstance(units, (Unit, str)) else list(units)
    return [
        unit if isinstance(unit, Unit) else find_sheet(unit, system, own, where).unit() for unit in listed
    ]


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
