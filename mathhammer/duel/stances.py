"""Units of a duel that come with words of their own: what these say becomes orders of their side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mathhammer.duel.commands import SIDES
from mathhammer.duel.setup import other_side
from mathhammer.games.discovery import attacks_of
from mathhammer.games.words import OTHER_SIDE
from mathhammer.units.unit import Stance, Unit


def words_as_orders(sides: tuple[Any, Any], given: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Both sides without their words, and the arguments of a duel with them; buffs stay with their units."""
    units = []
    for side, unit in zip(SIDES, sides, strict=True):
        if not isinstance(unit, Unit) or not _says_something(unit):
            units.append(unit)
            continue
        stance, known = unit.stance, attacks_of(unit.system, "duel").situations
        own = [flag for flag in sorted(stance.flags) if flag in known]
        theirs = [OTHER_SIDE + flag for flag in sorted(stance.flags) if flag not in known]
        for name, whose, more in (
            ("situation", side, own),
            ("situation", other_side(side), theirs),  # a unit in cover is so for those who attack it
            ("commands", side, stance.commands),
            ("friends", side, stance.friends),
            ("use", side, sorted(stance.used)),
        ):
            given = {**given, name: _with(given[name], whose, tuple(more))}
        if stance.weapons not in (None, "best", "all"):
            given = {**given, "weapons": _by_side(given["weapons"]) | {side: stance.weapons}}
        units.append(replace(unit, stance=Stance(buffs=stance.buffs, words=stance.words)))
    return units[0], units[1], given


def _says_something(unit: Unit) -> bool:
    stance = unit.stance
    said = stance.flags or stance.commands or stance.friends or stance.used
    return bool(said or stance.weapons is not None)


def _by_side(given: Any) -> dict[str, Any]:
    return dict(given) if isinstance(given, dict) else {"a": given} if given else {}


def _with(given: Any, side: str, more: tuple[Any, ...]) -> Any:
    """An argument of each side, with more for one of them."""
    if not more:
        return given
    sides = _by_side(given)
    before = sides.get(side, ())
    return sides | {side: (*((before,) if isinstance(before, (str, Unit)) else tuple(before)), *more)}
