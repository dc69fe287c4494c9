"""How much it takes to destroy each unit of a list."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from mathhammer.datasheets.reading import make_unit
from mathhammer.engine.landing import land, per_attack, step
from mathhammer.errors import BadInputError
from mathhammer.fight import plan_fight
from mathhammer.games.discovery import get_game
from mathhammer.lists.army import Army, friends_of
from mathhammer.units.unit import Unit

PIERCING = (0, 1, 2, 3)
DAMAGES = (1, 2, 3, "D6")
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


def health_rows(army: Army) -> list[dict[str, Any]]:
    """How many wounding hits each unit takes, for each piercing and each damage."""
    rows = []
    for unit in army.units:
        friends = friends_of(army, unit)
        for pierce in PIERCING:
            for damage in DAMAGES:
                hits = hits_to_destroy(unit, pierce, damage, friends)
                worth = hits * (3.5 if damage == "D6" else float(damage))
                per = None if not unit.points else 100 * worth / unit.points
                keys = (unit.name, unit.points, unit.health, pierce, damage, hits, worth, per)
                rows.append(dict(zip(HEALTH_COLUMNS, keys, strict=True)))
    return rows


def hits_to_destroy(unit: Unit, pierce: int, damage: int | str, friends: tuple[Unit, ...] = ()) -> float:
    """The mean number of hits that wound, of that Rend (or AP) and Damage, until nothing of the unit is left;
    exact.

    >>> wall = make_unit("aos4", {"name": "Wall", "models": 2, "health": 3, "save": 4})
    >>> round(hits_to_destroy(wall, 0, 1), 6), round(hits_to_destroy(wall, 1, 1), 6)
    (12.0, 9.0)
    """
    plan = plan_fight(
        _probe(unit.system, pierce, damage), replace(unit, effects=_defences(unit)), target_friends=friends
    )
    (volley,) = plan.volleys
    if plan.target.spills:
        per_hit = per_attack(volley)
        left = land(plan.target).states - 1
        needed = [0.0]
        for health in range(1, left + 1):
            onwards = sum(
                float(per_hit[points]) * needed[max(0, health - points)] for points in range(1, len(per_hit))
            )
            needed.append((1.0 + onwards) / (1.0 - float(per_hit[0])))
        return needed[-1]
    landing = land(plan.target)
    moves = step(volley.packets[0], plan.target)[np.ix_(landing.alive, landing.alive)]
    needed_from = np.linalg.solve(np.eye(len(moves)) - moves, np.ones(len(moves)))
    return float(needed_from[np.flatnonzero(landing.alive).tolist().index(landing.start)])


def _defences(unit: Unit) -> Any:
    """What the unit does for its own defence; what it does to an attacker's hit rolls is left out, as hits
    are counted.
    """
    return tuple(effect for effect in unit.effects if effect.on == "unit")


@lru_cache(maxsize=256)
def _probe(system: str, pierce: int, damage: int | str) -> Unit:
    """A model whose one attack always wounds."""
    game = get_game(system)
    if game.probe is None:
        raise BadInputError(
            f"durability: {game.title} has no attacks to count (give units with hit, wound and save rolls)"
        )
    weapon = game.probe(pierce, damage) | {"name": "probe"}
    sure = {"auto_hit": True, "auto_wound": True}
    return make_unit(system, {"name": "probe", **game.quick_body, "weapon": [weapon], "effect": [sure]})
