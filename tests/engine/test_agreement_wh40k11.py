"""Three ways to one answer in the 11th edition: exact, simulated, and save dice that are really sorted."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import product
from math import isclose
from typing import Any

import naive_wh40k11
import numpy as np
import pytest
import wh40k11_cases
from likelihood import LIMIT, likely, z_of_variance, z_score
from places import OWN_VECTORS

import mathhammer as mh
from mathhammer.errors import TooLargeError

GAMES = 5_000
CASES = [
    case
    for case in json.loads((OWN_VECTORS / "wh40k11.json").read_text(encoding="utf-8"))["cases"]
    if case["kind"] == "attack"
]


def one_in_six_is_quick(cases: Iterable[Any]) -> list[Any]:
    """The cases; most are for the slow run, as literal dice take their time."""
    return [
        pytest.param(case, marks=() if place % 6 == 0 else pytest.mark.slow)
        for place, case in enumerate(cases)
    ]


def chosen(case: dict[str, Any], result: mh.Result) -> dict[str, Any]:
    """The case with the choices that were made."""
    weapons = [
        weapon | {"lethal_choice": result.choices.get(weapon["name"], "always")} for weapon in case["weapons"]
    ]
    return case | {"weapons": weapons}


def agree_with_naive(case: dict[str, Any], seed: int, games: int = GAMES) -> None:
    exact = wh40k11_cases.ask(case)
    rolled = naive_wh40k11.play(chosen(case, exact), seed, games)
    for law, seen in ((exact.lost, rolled["lost"]), (exact.slain, rolled["slain"])):
        assert abs(z_score(law, float(np.mean(seen)), games)) < LIMIT
        assert abs(z_of_variance(law, np.array(seen))) < LIMIT
    if exact.plan.target.characters:
        assert likely(min(1.0, exact.p_character_slain), float(np.mean(rolled["characters"])), games)


def agree_with_simulation(case: dict[str, Any], trials: int) -> None:
    exact = wh40k11_cases.ask(case)
    played = wh40k11_cases.ask(case, method="simulate", trials=trials, seed=20261118)
    for law, seen in ((exact.lost, played.lost), (exact.slain, played.slain)):
        assert abs(z_score(law, seen.mean(), trials)) < LIMIT
    for name, group in exact.groups.items():
        assert likely(min(1.0, group.p_destroyed), played.groups[name].p_destroyed, trials)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_simulate_agrees_with_exact(case: dict[str, Any]) -> None:
    agree_with_simulation(case, 400_000)


@pytest.mark.rule("WH40K11-05.04", "WH40K11-05.03")
@pytest.mark.parametrize("case", one_in_six_is_quick(CASES), ids=lambda case: case["id"])
def test_naive_agrees_with_exact(case: dict[str, Any]) -> None:
    agree_with_naive(case, seed=11)


def random_case(rng: np.random.Generator) -> dict[str, Any]:
    """A legal set of attacks with several rules at once, against a unit of up to four kinds of models."""

    def pick(*options: Any) -> Any:
        return options[rng.integers(len(options))]

    def abilities() -> dict[str, Any]:
        pool: dict[str, Any] = {
            "lethal_hits": True,
            "devastating_wounds": True,
            "sustained_hits": pick(1, 2, "D3"),
            "twin_linked": True,
            "rapid_fire": pick(1, "D3"),
            "melta": 2,
            "blast": pick(True, 2),
            "heavy": True,
            "ignores_cover": True,
            "indirect_fire": True,
            "precision": True,
            "psychic": True,
            "anti": [{"keyword": "INFANTRY", "value": pick(2, 4, 5)}],
            "torrent": True,
        }
        listed = rng.permutation(sorted(pool))[: rng.integers(0, 4)]
        return {str(name): pool[str(name)] for name in listed}

    def weapon(name: str) -> dict[str, Any]:
        own = abilities()
        made = {
            "name": name,
            "type": "ranged",
            "count": int(rng.integers(1, 4)),
            "attacks": pick(1, 2, 3, "D3", "D6"),
            "skill": int(rng.integers(2, 7)),
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
        if pick(True, False, False):
            made["crit_wound_ap"] = 2
        if "sustained_hits" in own:
            made["ability_scopes"] = pick({}, {"sustained_hits": ["NON-INFANTRY"]})
        return made

    def group(name: str, character: bool, hurt: bool) -> dict[str, Any]:
        wounds = int(rng.integers(2, 5))
        made = {
            "name": name,
            "models": 1 if character else int(rng.integers(1, 4)),
            "wounds": wounds,
            "save": int(rng.integers(2, 7)),
            "invuln": pick(None, None, 4, 5),
            "invuln_ranged": pick(None, None, 4),
            "fnp": pick(None, None, 5),
            "fnp_mortal": pick(None, 4),
            "fnp_psychic": pick(None, 4),
            "damage_reduction": pick(0, 1),
            "halve_damage": pick(False, False, True),
            "reroll_saves": pick("none", "ones", "failed"),
            "character": character,
        }
        return made | ({"wounded": 1} if hurt else {})

    others = int(rng.integers(1, 3))
    leaders = int(rng.integers(0, 3 if others == 1 else 2))
    hurt = int(rng.integers(0, others + leaders + 2))
    kinds = [("squad", False), ("heavies", False)][:others] + [("captain", True), ("priest", True)][:leaders]
    first = weapon("a")
    weapons = [first, pick(first | {"name": "b"}, weapon("b"))][: int(rng.integers(1, 3))]
    return {
        "weapons": weapons,
        "attacker_state": {
            "half_range": bool(rng.integers(2)),
            "stationary": bool(rng.integers(2)),
            "short_move": bool(rng.integers(2)),
            "set_up_this_turn": pick(False, False, True),
            "plunging_fire": bool(rng.integers(2)),
            "shooting_type": pick("normal", "normal", "indirect", "snap"),
            "target_seen_by_friend": bool(rng.integers(2)),
        },
        "target": {
            "toughness": int(rng.integers(3, 9)),
            "keywords": pick([], ["INFANTRY"]),
            "cover": bool(rng.integers(2)),
            "stealth": bool(rng.integers(2)),
            "damage_zero_uses": pick(0, 0, 0, 1),
            "unmodified_wound_fails_up_to": pick(0, 0, 3),
            "groups": [group(*kind, place == hurt) for place, kind in enumerate(kinds)],
        },
        "modifiers": {
            "hit": [int(v) for v in rng.integers(-1, 2, rng.integers(0, 3))],
            "wound": [int(v) for v in rng.integers(-1, 2, rng.integers(0, 3))],
            "armour_save": pick([], [1], [2]),
            "save": pick([], [1], [-1]),
            "ignore_negative_hit_modifiers": bool(rng.integers(2)),
            "ignore_negative_skill_modifiers": bool(rng.integers(2)),
            "characteristics": pick(
                [],
                [{"stat": "D", "op": "add", "value": 1}],
                [{"stat": "A", "op": "mul", "value": 2}],
                [{"stat": "S", "op": "improve", "value": 1}],
                [{"stat": "skill", "op": "worsen", "value": 1}],
                [{"stat": "A", "op": "add", "value": 1}, {"stat": "A", "op": "div", "value": 2}],
            ),
        },
    }


@pytest.mark.parametrize("number", one_in_six_is_quick(range(60)))
def test_three_ways_agree_when_rules_combine(number: int) -> None:
    case = random_case(np.random.default_rng(number))
    agree_with_naive(case, seed=number, games=4_000)
    try:
        agree_with_simulation(case, 100_000)
    except TooLargeError as error:
        assert "pick one of several models" in str(error)
        assert sum(bool(group["character"]) for group in case["target"]["groups"]) == 2


@pytest.mark.rule("WH40K11-05.04")
def test_every_throw_of_five_save_dice() -> None:
    """Two guards of 5+ and a leader of 3+ and 4++: all 7776 throws, sorted, against the engine."""
    guards, leader = {"wounds": 1, "save": 5}, {"wounds": 2, "save": 3, "invuln": 4}
    killed = 0
    for dice in product(range(1, 7), repeat=5):
        left, wounds = 2, 2
        for die in sorted(dice):
            if left:
                left -= die - 1 < 5
            elif wounds:
                wounds -= not (die >= 4 or die - 1 >= 3)
        killed += wounds == 0
    target = {
        "toughness": 4,
        "groups": [
            {"name": "guards", "models": 2, **guards},
            {"name": "leader", "models": 1, "character": True, **leader},
        ],
    }
    fixed = mh.fight(
        mh.make_unit(
            "wh40k11",
            {
                "name": "probe",
                "toughness": 4,
                "wounds": 1,
                "weapon": [
                    {
                        "name": "gun",
                        "kind": "ranged",
                        "attacks": 5,
                        "strength": 8,
                        "ap": -1,
                        "damage": 1,
                        "abilities": ["Torrent"],
                    }
                ],
            },
        ),
        wh40k11_cases.target_unit(target),
        effects={"auto_wound": True},
    )
    assert isclose(fixed.p_character_slain, killed / 6**5, abs_tol=1e-12)
