"""`split`: the attacks of one unit divided between several targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mathhammer.checks import is_whole
from mathhammer.datasheets.asked import as_unit
from mathhammer.engine.result import Result
from mathhammer.errors import BadInputError
from mathhammer.fight import fight
from mathhammer.units.unit import Unit, Weapon

LEADER = "leader_attacks"  # more attacks of the one model that leads


def split(
    attacker: Unit | str,
    targets: Sequence[tuple[Unit | str, int]],
    *,
    system: str | None = None,
    **options: Any,
) -> tuple[Result, ...]:
    """What a unit does to several targets when so many of its models attack each of them (AOS1-ATTACK).

    The models of the first target include the leader and as many special weapons as they can carry; the
    unit counts with all its models for rules that ask how many it has. Each answer is that of `fight` with
    these `options`; with fixed shares they do not depend on each other.

    >>> from mathhammer import make_unit
    >>> axe = {"name": "Axe", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}
    >>> orcs = make_unit("aos1", {"name": "Orcs", "models": 10, "wounds": 1, "weapon": [axe]})
    >>> rats = make_unit("aos1", {"name": "Rats", "models": 10, "wounds": 1})
    >>> [round(result.lost.mean(), 6) for result in split(orcs, [(rats, 6), (rats, 4)])]
    [1.5, 1.0]
    """
    unit = as_unit(attacker, system, "split") if isinstance(attacker, str) else attacker
    shares = [share for _, share in targets]
    if not targets or not all(is_whole(share, 1, unit.models_left) for share in shares):
        raise BadInputError(
            f"split: {unit.name} with {unit.models_left} models attacks with {shares} (give each target 1 "
            "or more)"
        )
    if sum(shares) > unit.models_left:
        raise BadInputError(
            f"split: {sum(shares)} models attack, {unit.name} has {unit.models_left} (give at most as many)"
        )
    results = []
    used = 0
    for target, share in targets:
        part = _part(unit, used, share)
        results.append(fight(part, target, system=unit.system, **options))
        used += share
    return tuple(results)


def _part(unit: Unit, before: int, share: int) -> Unit:
    """The unit with only the attacks of some of its models: `share` of them, after the first `before`."""
    weapons = []
    for weapon, first, bearers in _carried(unit):
        number = max(0, min(first + bearers, before + share) - max(first, before))
        if number:
            leads = before <= first  # the leader is the first who carries it
            weapons.append(replace(_led(weapon, leads), bearers=number))
    whole = unit if unit.models_left == unit.models else unit.with_models(unit.models_left)
    return replace(whole, weapons=tuple(weapons))


def _carried(unit: Unit) -> list[tuple[Weapon, int, int]]:
    """Each weapon with the first model that carries it, and how many do: special weapons come first, one
    after the other as long as there are models for them.
    """
    carried = []
    taken: dict[tuple[str, bool], int] = {}
    for weapon in unit.weapons:
        bearers, like = unit.bearers(weapon), (weapon.kind, weapon.optional)
        first = 0
        if bearers < unit.models_left and taken.get(like, 0) + bearers <= unit.models_left:
            first = taken.get(like, 0)
            taken[like] = first + bearers
        carried.append((weapon, first, bearers))
    return carried


def _led(weapon: Weapon, leads: bool) -> Weapon:
    """The weapon, without the leader's attacks where he is not among its bearers."""
    if leads or not weapon.stat(LEADER, 0):
        return weapon
    stats = tuple((name, 0 if name == LEADER else value) for name, value in weapon.stats)
    return replace(weapon, stats=stats)
