"""Small random armies, and what they do worked out the long way: one `fight` for each number of wounds lost."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import pytest

import mathhammer as mh

GAMES = ("aos4", "wh40k10")
QUICK = 20  # armies that every run tries; the others are tried where the slow tests run
SEEDS = [seed if seed < QUICK else pytest.param(seed, marks=pytest.mark.slow) for seed in range(100)]
COMMANDS = {
    "aos4": ("all_out_attack",),
    "wh40k10": tuple(f"command_reroll_{roll}" for roll in ("hit", "wound", "attacks", "damage")),
}


def weapon(game: str, rolls: Random, name: str, kind: str) -> dict[str, Any]:
    damage = rolls.choice([1, 1, 2, 3, "D3"])
    body: dict[str, Any] = {"name": name, "attacks": rolls.choice([1, 2, 3, "D3"]), "damage": damage}
    if kind == "ranged":
        body |= {"kind": "ranged", "range": 24}
    if game == "aos4":
        body |= {"hit": rolls.randint(2, 5), "wound": rolls.randint(2, 5), "rend": rolls.randint(0, 2)}
        body["abilities"] = rolls.choice([[], [], ["Crit (Mortal)"], ["Crit (2 Hits)"]])
    else:
        body |= {"skill": rolls.randint(2, 5), "strength": rolls.randint(3, 8), "ap": -rolls.randint(0, 3)}
        body["abilities"] = rolls.choice(
            [[], [], ["Devastating Wounds"], ["Lethal Hits", "Sustained Hits 1"]]
        )
    return body


def unit(game: str, seed: int, kind: str = "melee") -> mh.Unit:
    """A unit of one to three models with one weapon; some have a rule that looks at the target's losses."""
    rolls = Random(seed)
    body: dict[str, Any] = {
        "name": f"Unit {seed}",
        "models": rolls.randint(1, 3),
        "points": 10 * rolls.randint(3, 20),
        "save": rolls.randint(3, 6),
        "weapon": [weapon(game, rolls, "Blade", kind)],
    }
    wounds = rolls.randint(1, 3)
    body |= {"health": wounds} if game == "aos4" else {"wounds": wounds, "toughness": rolls.randint(3, 6)}
    if rolls.random() < 0.3:
        body["effect"] = [{"name": "Smells blood", "when": ["target_damaged"], "attacks": "+1"}]
    return mh.make_unit(game, body)


@cache
def taken(attacker: mh.Unit, target: mh.Unit, lost: int, commands: tuple[str, ...] = ()) -> dict[int, float]:
    """Wounds that an attacker takes from a target that has lost so many."""
    return mh.fight(attacker, target.with_lost(lost), commands=commands).lost.to_dict()


Commanded = tuple[mh.Unit, tuple[str, ...]]


@cache
def after(attackers: tuple[Commanded, ...], target: mh.Unit) -> dict[int, float]:
    """The chance of each number of wounds lost after these attackers, in this order."""
    if not attackers:
        return {target.lost: 1.0}
    states: dict[int, float] = {}
    attacker, commands = attackers[-1]
    for lost, chance in after(attackers[:-1], target).items():
        more = {0: 1.0} if lost == target.health else taken(attacker, target, lost, commands)
        for wounds, share in more.items():
            states[lost + wounds] = states.get(lost + wounds, 0.0) + chance * share
    return states


@cache
def destroyed(attackers: tuple[Commanded, ...], target: mh.Unit) -> float:
    return after(attackers, target).get(target.health, 0.0)


@cache
def mean_lost(attackers: tuple[Commanded, ...], target: mh.Unit) -> float:
    return sum(lost * chance for lost, chance in after(attackers, target).items())


def plain(units: tuple[mh.Unit, ...]) -> tuple[Commanded, ...]:
    return tuple((unit, ()) for unit in units)


@cache
def best_order(attackers: tuple[Commanded, ...], target: mh.Unit) -> float:
    return max(destroyed(order, target) for order in permutations(attackers))
