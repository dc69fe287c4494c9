"""What bears on an attack: what is left out changes no number, and every keyword that games look at is kept."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest
from places import PACKAGE

import mathhammer as mh
from mathhammer.compare.matrix import fill_matrix
from mathhammer.fight import use_of
from mathhammer.games.bearing import LOOKED_AT, as_attacker, as_target

ELSEWHERE = {"army.py", "attach.py"}  # what lists may hold, and who may lead whom


def test_every_keyword_in_the_games_is_looked_at() -> None:
    """Words in capitals in the code of the games are keywords, or none that a unit has."""
    found = {
        node.value
        for path in (PACKAGE / "games").rglob("*.py")
        if path.name not in ELSEWHERE and path.name != "bearing.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and len(node.value) > 2
        and node.value.replace(" ", "").isalpha()
        and node.value.isupper()
    }
    assert {"INFANTRY", "MONSTER", "FLY", "HERO"} <= found
    assert found - {"NAME", "KEYWORD", "WWB", "RRB", "CHARGE"} <= LOOKED_AT


RULES: list[dict[str, Any]] = [
    {"name": "Damaged", "when": ["wounds <= 4"], "hit_roll": "-1"},
    {"name": "Unused", "use": "choice", "attacks": "+3"},
    {"name": "Said", "when": ["if under orders"], "attacks": "+3"},
    {"name": "Rage", "when": ["models >= 3"], "attacks": "+1"},
    {"name": "Hunters", "when": ["target has MONSTER"], "wound_roll": "+1"},
    {"name": "Named", "when": ["target has UNIT 3"], "hit_roll": "+1"},
    {"name": "Many", "when": ["target models >= 4"], "attacks": "+1"},
    {"name": "Mist", "on": "attacker", "hit_roll": "-1"},
    {"name": "Big prey", "on": "attacker", "when": ["has MONSTER"], "wound_roll": "-1"},
    {"name": "Thick hide", "when": ["models >= 4"], "save_roll": "+1"},
    {"name": "Burning", "on": "target", "mortal": {"each": "D3"}},
    {"name": "Spikes", "on": "attacker", "mortal": {"each": "1"}},
    {"name": "Fear", "on": "enemies", "when": ["within 6"], "hit_roll": "-1"},
    {"name": "Shared", "on": "friends", "attacks": "+1"},
    {"name": "Swift", "move": "+2"},
]


def units(system: str) -> list[mh.Unit]:
    wounds = "health" if system == "aos4" else "wounds"
    made = []
    for number, rule in enumerate(RULES):
        body: dict[str, Any] = {
            "name": f"Unit {number}",
            "models": 2 + number % 4,
            wounds: 1 + number % 3,
            "save": 4,
        }
        body["keywords"] = ["monster"] if number % 2 else ["infantry", "hero"]
        stats: dict[str, Any] = {"hit": 3, "wound": 4, "rend": 1}
        if system == "wh40k10":
            body["toughness"], stats = 4 + number % 2, {"skill": 3, "strength": 4, "ap": -1}
        arms = [{"name": "Axe", "attacks": 2, "damage": 1}, {"name": "Maw", "attacks": "D3", "damage": 2}]
        body["weapon"] = [arm | stats for arm in arms]
        if system == "wh40k10":
            body["weapon"][1]["abilities"] = ["Extra Attacks"]
        body["effect"] = [rule]
        made.append(mh.make_unit(system, body))
    return made


@pytest.mark.parametrize("use", [(), ("Unused", "under orders")])
@pytest.mark.parametrize("system", ["aos4", "wh40k10"])
def test_a_sweep_with_all_such_rules_says_what_fights_say(system: str, use: tuple[str, ...]) -> None:
    made = units(system)
    how: dict[str, Any] = {"use": use} if use else {}
    for compiled in (False, True) if system == "wh40k10" else (False,):
        filled = fill_matrix(made, made, workers=1, compiled=compiled, **how)
        for a, attacker in enumerate(made):
            for t, target in enumerate(made):
                asked = mh.fight(attacker, target, **use_of(how, attacker, target))
                wanted = [asked.lost.mean(), asked.slain.mean(), asked.p_destroyed]
                assert filled.values[a, t, 1:] == pytest.approx(np.array(wanted), abs=1e-10), (a, t)


def test_what_is_left_out() -> None:
    made = units("wh40k10")
    striking = [unit.effects[0].name for unit in made if as_attacker(unit, frozenset()).effects]
    guarding = [unit.effects[0].name for unit in made if as_target(unit, frozenset()).effects]
    assert striking == ["Damaged", "Rage", "Hunters", "Named", "Many", "Thick hide", "Burning", "Fear"]
    assert guarding == ["Mist", "Big prey", "Thick hide", "Fear"]
    assert as_attacker(made[1], frozenset({"unused"})).effects


def test_a_rule_that_does_nothing_in_an_attack_rolls_nothing() -> None:
    """A fight rolls for rules that act only, as a matrix does; of a rule that acts, every part."""
    club = {"name": "Club", "attacks": 4, "hit": 4, "wound": 4, "damage": 1}
    orcs = {"name": "Orcs", "health": 2, "weapon": [club]}
    plain = mh.make_unit("aos4", orcs)
    rage = [
        {"name": "Rage", "needs": "4+", "attacks": "+1"},
        {"name": "Rage", "needs": "2D6 7+", "hit_roll": "+1"},
    ]
    raging = mh.make_unit("aos4", orcs | {"effect": rage})  # what it does is about its own attacks
    struck = mh.fight(plain, raging).lost.mean()
    assert struck == pytest.approx(mh.fight(plain, plain).lost.mean(), abs=1e-12)
    assert fill_matrix([plain], [raging]).of("lost")[0, 0] == pytest.approx(struck, abs=1e-12)
    for ask in (mh.fight, lambda a, t: fill_matrix([a], [t])):
        with pytest.raises(mh.BadInputError, match="two different rolls"):
            ask(raging, plain)


def test_a_roll_that_decides_how_the_target_takes_damage_is_refused_in_a_matrix_too() -> None:
    gun = {"name": "Gun", "kind": "ranged", "attacks": 4, "skill": 4, "strength": 4, "ap": 0, "damage": 2}
    marines = mh.make_unit("wh40k10", {"name": "Marines", "wounds": 2, "toughness": 4, "weapon": [gun]})
    lucky = {"name": "Luck", "needs": "4+", "damage_zero_uses": 1}
    target = mh.make_unit(
        "wh40k10", {"name": "Hero", "wounds": 5, "toughness": 4, "save": 4, "effect": [lucky]}
    )
    for ask in (mh.fight, lambda a, t: fill_matrix([a], [t])):
        with pytest.raises(mh.BadInputError, match="a roll that decides how the target takes damage"):
            ask(marines, target)
