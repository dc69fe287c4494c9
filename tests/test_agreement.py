"""Three ways to one answer: exact, simulated, and dice rolled literally by the referee."""

from __future__ import annotations

import json
from math import sqrt
from typing import Any

import aos4_cases
import naive
import numpy as np
import pytest
from conftest import OWN_VECTORS

import mathhammer as mh

LIMIT = 6.2
TRIALS = 1_000_000
GAMES = 100_000
AOS4 = json.loads((OWN_VECTORS / "aos4.json").read_text(encoding="utf-8"))["cases"]


def z_score(law: mh.Pmf, seen_mean: float, trials: int) -> float:
    """How many standard errors a seen mean is off; what cannot vary must be met exactly."""
    if law.sd() < 1e-12:
        return 0.0 if abs(seen_mean - law.mean()) < 1e-9 else float("inf")
    return (seen_mean - law.mean()) / (law.sd() / sqrt(trials))


def z_of_variance(law: mh.Pmf, seen: np.ndarray) -> float:
    """The same for the spread, which is where outcomes wrongly treated as independent show."""
    values = np.arange(len(law))
    fourth = float(law.probs @ (values - law.mean()) ** 4)
    noise = sqrt(max(0.0, fourth - law.var() ** 2) / len(seen))
    seen_var = float(((seen - law.mean()) ** 2).mean())
    return (seen_var - law.var()) / noise if noise > 1e-12 else 0.0


@pytest.mark.parametrize("case", AOS4, ids=lambda case: case["id"])
def test_simulate_agrees_with_exact(case: dict[str, Any]) -> None:
    exact = aos4_cases.ask(case)
    played = aos4_cases.ask(case, method="simulate", trials=TRIALS, seed=20261116)
    assert played.trials == TRIALS
    for law, seen in ((exact.damage, played.damage), (exact.lost, played.lost), (exact.slain, played.slain)):
        assert abs(z_score(law, seen.mean(), TRIALS)) < LIMIT
    p = exact.p_destroyed
    assert abs(played.p_destroyed - p) <= LIMIT * sqrt(p * (1 - p) / TRIALS) + 1e-12


@pytest.mark.parametrize("case", AOS4, ids=lambda case: case["id"])
def test_naive_agrees_with_exact(case: dict[str, Any]) -> None:
    exact = aos4_cases.ask(case)
    rolled = naive.aos4(case, seed=4, games=GAMES)
    for law, seen in ((exact.damage, rolled["damage"]), (exact.slain, rolled["slain"])):
        assert abs(z_score(law, float(seen.mean()), GAMES)) < LIMIT
        assert abs(z_of_variance(law, seen)) < LIMIT


def _random_case(rng: np.random.Generator) -> dict[str, Any]:
    """A legal fight with several rules at once, in the format of the vectors."""

    def pick(*options: Any) -> Any:
        return options[rng.integers(len(options))]

    def weapon(name: str) -> dict[str, Any]:
        return {
            "name": name,
            "type": "melee",
            "models": int(rng.integers(1, 5)),
            "champions": int(rng.integers(0, 2)),
            "attacks": pick("1", "2", "3", "D3", "D6", "D3+1"),
            "hit": int(rng.integers(2, 7)),
            "wound": int(rng.integers(2, 7)),
            "rend": int(rng.integers(0, 4)),
            "damage": pick("1", "2", "3", "D3", "D6", "D3+2"),
            "abilities": [
                n
                for n in (
                    pick("crit_two_hits", "crit_auto_wound", "crit_mortal", None),
                    pick("charge_damage", None),
                    pick("companion", None, None),
                )
                if n
            ],
            "anti": [n for n in (pick("HERO", None), pick("charge", None)) if n],
        }

    return {
        "weapons": [weapon("a"), weapon("b")][: int(rng.integers(1, 3))],
        "attacker_state": {"charged": bool(rng.integers(2)), "in_combat": True, "distance": None},
        "target": {
            "models": int(rng.integers(1, 11)),
            "health": (health := int(rng.integers(1, 5))),
            "damage_allocated": int(rng.integers(0, health)),
            "save": pick(2, 3, 4, 5, 6, None),
            "ward": pick([], [], [6], [5], [6, 4]),
            "keywords": pick([], ["HERO"], ["FLY"]),
            "charged": bool(rng.integers(2)),
            "in_cover": bool(rng.integers(2)),
            "obscured": False,
            "near_friendly_non_hero": False,
        },
        "modifiers": {
            "hit": [int(v) for v in rng.integers(-1, 2, rng.integers(0, 3))],
            "wound": [int(v) for v in rng.integers(-1, 2, rng.integers(0, 3))],
            "save": [int(v) for v in rng.integers(-1, 2, rng.integers(0, 3))],
            "reroll_hit": pick("none", "ones", "failed", "any", "non_crit"),
            "reroll_wound": pick("none", "ones", "failed", "any"),
            "reroll_save": pick("none", "none", "ones", "failed"),
            "reroll_ward": pick("none", "ones", "failed"),
            "crit_on": pick(6, 5),
            "commands": pick([], ["all_out_attack"], ["all_out_defence"]),
            "mortal_damage": pick([], ["D3"]),
            "damage": pick([], [{"op": "div", "value": 2, "by": "enemy"}]),
        },
        "options": {"crit_always_hits": bool(rng.integers(2)), "save_cap_includes_rend": bool(rng.integers(2))},
    }


@pytest.mark.parametrize("number", range(40))
def test_naive_agrees_with_exact_when_rules_combine(number: int) -> None:
    case = _random_case(np.random.default_rng(number))
    exact = aos4_cases.ask(case)
    rolled = naive.aos4(case, seed=number, games=GAMES)
    for law, seen in ((exact.damage, rolled["damage"]), (exact.slain, rolled["slain"])):
        assert abs(z_score(law, float(seen.mean()), GAMES)) < LIMIT
        assert abs(z_of_variance(law, seen)) < LIMIT
