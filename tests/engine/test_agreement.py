"""Three ways to one answer: exact, simulated, and dice rolled literally by the referee."""

from __future__ import annotations

import json
from typing import Any

import aos4_cases
import naive
import naive_wh40k10
import numpy as np
import pytest
import wh40k10_cases
from likelihood import LIMIT, likely, z_of_variance, z_score
from places import OWN_VECTORS

TRIALS = 1_000_000
GAMES = 100_000
AOS4 = json.loads((OWN_VECTORS / "aos4.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", AOS4, ids=lambda case: case["id"])
def test_simulate_agrees_with_exact(case: dict[str, Any]) -> None:
    exact = aos4_cases.ask(case)
    played = aos4_cases.ask(case, method="simulate", trials=TRIALS, seed=20261116)
    assert played.trials == TRIALS
    for law, seen in ((exact.damage, played.damage), (exact.lost, played.lost), (exact.slain, played.slain)):
        assert abs(z_score(law, seen.mean(), TRIALS)) < LIMIT
    assert likely(min(1.0, exact.p_destroyed), played.p_destroyed, TRIALS)


@pytest.mark.rule("AOS4-17.3")
@pytest.mark.parametrize("case", AOS4, ids=lambda case: case["id"])
def test_naive_agrees_with_exact(case: dict[str, Any]) -> None:
    """AOS4-17.3: dice rolled attack by attack have the law that is worked out for all attacks at once."""
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
        "options": {
            "crit_always_hits": bool(rng.integers(2)),
            "save_cap_includes_rend": bool(rng.integers(2)),
        },
    }


@pytest.mark.parametrize("number", range(40))
def test_naive_agrees_with_exact_when_rules_combine(number: int) -> None:
    case = _random_case(np.random.default_rng(number))
    exact = aos4_cases.ask(case)
    rolled = naive.aos4(case, seed=number, games=GAMES)
    for law, seen in ((exact.damage, rolled["damage"]), (exact.slain, rolled["slain"])):
        assert abs(z_score(law, float(seen.mean()), GAMES)) < LIMIT
        assert abs(z_of_variance(law, seen)) < LIMIT


# --- Warhammer 40,000 ---------------------------------------------------------------------------------------------------

WH40K10 = [
    c
    for c in json.loads((OWN_VECTORS / "wh40k10.json").read_text(encoding="utf-8"))["cases"]
    if c["kind"] == "attack"
]


def _agree_wh40k10(case: dict[str, Any], seed: int, games: int = GAMES) -> None:
    exact = wh40k10_cases.ask(case)
    rolled = naive_wh40k10.play(case, seed, games)
    for law, seen in ((exact.lost, rolled["lost"]), (exact.slain, rolled["slain"])):
        assert abs(z_score(law, float(seen.mean()), games)) < LIMIT
        assert abs(z_of_variance(law, seen)) < LIMIT


def _simulate_wh40k10(case: dict[str, Any], trials: int = TRIALS) -> None:
    exact = wh40k10_cases.ask(case)
    played = wh40k10_cases.ask(case, method="simulate", trials=trials, seed=20261116)
    for law, seen in ((exact.lost, played.lost), (exact.slain, played.slain)):
        assert abs(z_score(law, seen.mean(), trials)) < LIMIT
    for name, group in exact.groups.items():
        assert likely(min(1.0, group.p_destroyed), played.groups[name].p_destroyed, trials)


@pytest.mark.parametrize("case", WH40K10, ids=lambda case: case["id"])
def test_simulate_agrees_with_exact_in_40k(case: dict[str, Any]) -> None:
    _simulate_wh40k10(case)


@pytest.mark.rule("WH40K-FASTDICE")
@pytest.mark.parametrize("case", WH40K10, ids=lambda case: case["id"])
def test_naive_agrees_with_exact_in_40k(case: dict[str, Any]) -> None:
    """WH40K-FASTDICE: dice rolled attack by attack have the law that is worked out for all attacks at once."""
    _agree_wh40k10(case, seed=40)


def random_40k_case(rng: np.random.Generator) -> dict[str, Any]:
    """A legal volley with several rules at once, against a unit of one or two kinds of models, in the format of the vectors."""

    def pick(*options: Any) -> Any:
        return options[rng.integers(len(options))]

    def abilities() -> dict[str, Any]:
        pool: dict[str, Any] = {
            "lethal_hits": True,
            "devastating_wounds": True,
            "sustained_hits": pick(1, 2, "D3"),
            "twin_linked": True,
            "rapid_fire": 1,
            "melta": 2,
            "blast": True,
            "heavy": True,
            "ignores_cover": True,
            "indirect_fire": True,
            "precision": True,
            "psychic": True,
            "anti": [{"keyword": "INFANTRY", "value": pick(2, 4, 5)}],
            "torrent": True,
            "conversion": pick(12, 18),
        }
        chosen = rng.permutation(sorted(pool))[: rng.integers(0, 4)]
        return {str(name): pool[str(name)] for name in chosen}

    def weapon(name: str) -> dict[str, Any]:
        own = abilities()
        return {
            "name": name,
            "type": "ranged",
            "count": int(rng.integers(1, 4)),
            "attacks": pick(1, 2, 3, "D3", "D6"),
            "skill": int(rng.integers(2, 6)),
            "strength": int(rng.integers(3, 10)),
            "ap": -int(rng.integers(0, 4)),
            "damage": pick(1, 2, 3, "D3", "D6", "D3+1"),
            "abilities": own,
            "crit_hit_on": pick(6, 6, 5),
            "reroll_hits": pick("none", "ones", "failed", "noncrit"),
            "reroll_wounds": pick("none", "ones", "failed"),
            "reroll_damage": pick("none", "ones", "low"),
            "mortal_on_crit_wound": pick(0, 0, 1),
        }

    def group(name: str, character: bool) -> dict[str, Any]:
        return {
            "name": name,
            "models": 1 if character else int(rng.integers(1, 7)),
            "wounds": int(rng.integers(1, 6)),
            "save": int(rng.integers(2, 7)),
            "invuln": pick(None, None, 4, 5),
            "fnp": pick(None, None, 5),
            "fnp_mortal": pick(None, 4),
            "fnp_psychic": pick(None, 4),
            "damage_reduction": pick(0, 1),
            "halve_damage": pick(False, False, True),
            "reroll_saves": pick("none", "ones", "failed"),
            "character": character,
        }

    weapons = [weapon("a"), weapon("b")][: int(rng.integers(1, 3))]
    return {
        "weapons": weapons,
        "attacker_state": {
            "half_range": bool(rng.integers(2)),
            "stationary": bool(rng.integers(2)),
            "plunging_fire": bool(rng.integers(2)),
            "distance": pick(9, 15, 20),
        },
        "target": {
            "toughness": int(rng.integers(3, 9)),
            "keywords": pick([], ["INFANTRY"]),
            "cover": bool(rng.integers(2)),
            "stealth": bool(rng.integers(2)),
            "damage_zero_uses": pick(0, 0, 1),
            "unmodified_wound_fails_up_to": pick(0, 0, 3),
            "groups": [group("squad", False), group("captain", True)][: int(rng.integers(1, 3))],
        },
        "modifiers": {
            "hit": [int(v) for v in rng.integers(-1, 2, rng.integers(0, 3))],
            "wound": [int(v) for v in rng.integers(-1, 2, rng.integers(0, 3))],
            "armour_save": pick([], [1]),
            "save": pick([], [1], [-1]),
            "ignore_negative_hit_modifiers": bool(rng.integers(2)),
            "characteristics": pick(
                [],
                [{"stat": "D", "op": "add", "value": 1}],
                [{"stat": "A", "op": "mul", "value": 2}],
                [{"stat": "S", "op": "improve", "value": 1}],
            ),
        },
    }


@pytest.mark.parametrize("number", range(60))
def test_three_ways_agree_when_rules_combine_in_40k(number: int) -> None:
    case = random_40k_case(np.random.default_rng(number))
    _agree_wh40k10(case, seed=number, games=40_000)
    _simulate_wh40k10(case, trials=300_000)
