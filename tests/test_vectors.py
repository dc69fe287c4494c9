"""Every vector of the attack games, exact: each key that a case expects, and only those."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from math import isclose
from typing import Any

import aos4_cases
import pytest
import wh40k10_cases
from conftest import vectors_folder
from places import OWN_VECTORS

import mathhammer as mh

ATTACK_GAMES = ("aos4",)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folder = vectors_folder(metafunc.config)
    if not folder.is_dir():
        raise pytest.UsageError(f"--vectors {folder}: no such folder")
    for fixture, key in (("attack_case", "cases"), ("aux_case", "aux_cases")):
        if fixture in metafunc.fixturenames:
            found = [
                (game, case)
                for game in ATTACK_GAMES
                if (folder / f"{game}.json").is_file()
                for case in json.loads((folder / f"{game}.json").read_text(encoding="utf-8")).get(key, [])
            ]
            metafunc.parametrize(fixture, found, ids=[case["id"] for _, case in found])
    if "wh40k10_case" in metafunc.fixturenames:
        file = folder / "wh40k10.json"
        cases = json.loads(file.read_text(encoding="utf-8"))["cases"] if file.is_file() else []
        metafunc.parametrize("wh40k10_case", cases, ids=[case["id"] for case in cases])


def agree(name: str, got: float, wanted: float) -> None:
    assert isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-12), f"{name}: {got!r}, expected {wanted!r}"


def agree_pmf(name: str, got: mh.Pmf, wanted: dict[str, float]) -> None:
    chances = {int(value): chance for value, chance in wanted.items()}
    for value in range(max(len(got), max(chances) + 1)):
        agree(f"{name}[{value}]", got[value], chances.get(value, 0.0))


ANSWERS: dict[str, Callable[[mh.Result], Any]] = {
    "mean_damage": lambda r: r.damage.mean(),
    "mean_damage_exact": lambda r: r.damage.mean(),
    "var_damage": lambda r: r.damage.var(),
    "mean_damage_allocated": lambda r: r.lost.mean(),
    "mean_models_slain": lambda r: r.slain.mean(),
    "p_target_destroyed": lambda r: r.p_destroyed,
    "p_target_left_damaged": lambda r: r.p_left_damaged,
    "models_slain_pmf": lambda r: r.slain,
    "damage_pmf": lambda r: r.damage,
}


def test_attack(attack_case: tuple[str, dict[str, Any]]) -> None:
    _, case = attack_case
    result = aos4_cases.ask(case)
    assert case["expect"]
    for key, wanted in case["expect"].items():
        if key == "weapons_able":
            names = [weapon["name"] for weapon in aos4_cases.told_apart(case, ())["weapons"]]
            assert [name not in result.skipped for name in names] == wanted
        elif wanted is None:
            assert key in (
                "mean_damage_exact",
                "damage_pmf",
            )  # the vectors leave out what is too long to print
        elif key.endswith("_pmf"):
            agree_pmf(key, ANSWERS[key](result), wanted)
        else:
            agree(key, ANSWERS[key](result), float(Fraction(wanted)) if isinstance(wanted, str) else wanted)


def test_aux(aux_case: tuple[str, dict[str, Any]]) -> None:
    game, case = aux_case
    details = {key: value for key, value in case["args"].items() if key != "edition"}
    assert case["args"].get("edition", game) == game
    answer = mh.odds(game, case["function"], **details)
    assert case["expect"]
    for key, wanted in case["expect"].items():
        if key.endswith("_pmf"):
            agree_pmf(key, answer[key], wanted)
        elif key.endswith("_exact"):
            agree(key, answer[key.removesuffix("_exact")], float(Fraction(wanted)))
        else:
            agree(key, answer[key], wanted)


# --- 40k: kinds of cases instead of two lists -------------------------------------------------------------------------


def near(name: str, got: float, wanted: float) -> None:
    assert abs(got - wanted) <= 1e-9, f"{name}: {got!r}, expected {wanted!r}"


def near_list(name: str, got: mh.Pmf, wanted: list[float]) -> None:
    for value in range(max(len(got), len(wanted))):
        near(f"{name}[{value}]", got[value], wanted[value] if value < len(wanted) else 0.0)


RAW = {
    "mean_attacks": "attacks",
    "mean_hits": "hits",
    "mean_wounds_scored": "wounds",
    "mean_unsaved": "unsaved",
}


def test_wh40k10(wh40k10_case: dict[str, Any]) -> None:
    case, expect = wh40k10_case, wh40k10_case["expect"]
    assert expect
    if case["kind"] != "attack":
        details = {
            key: value
            for key, value in case.items()
            if key not in ("id", "kind", "rules", "note", "assumes", "expect", "target")
        }
        if "target" in case:
            details["target"] = wh40k10_cases.target_unit(case["target"])
        answer = mh.odds("wh40k10", case["kind"], **details)
        for key, wanted in expect.items():
            if key.startswith("pmf_"):
                near_list(key, answer[f"{key.removeprefix('pmf_')}_pmf"], wanted)
            else:
                near(key, answer[key], wanted)
        return
    result = wh40k10_cases.ask(case)
    assert not result.skipped
    answers = {
        "mean_wounds_lost": result.lost.mean(),
        "mean_models_slain": result.slain.mean(),
        "p_destroyed": result.p_destroyed,
    }
    for key, wanted in expect.items():
        if key == "pmf_models_slain":
            near_list(key, result.slain, wanted)
        elif key == "pmf_wounds_lost":
            near_list(key, result.lost, wanted)
        elif key == "p_character_slain":
            names = [group["name"] for group in case["target"]["groups"] if group.get("character")]
            near(key, result.groups[names[0]].p_destroyed, wanted)
        elif key == "raw":
            for name, mean in wanted.items():
                near(name, result.funnel[RAW[name]], mean)
        else:
            near(key, answers[key], wanted)


def test_weapons_of_one_name_are_told_apart() -> None:
    case = json.loads((OWN_VECTORS / "aos4.json").read_text(encoding="utf-8"))["cases"][
        13
    ]  # one op names a weapon
    twice = case | {"weapons": [weapon | {"name": "Claw"} for weapon in case["weapons"]]}
    ops = [op | {"weapon": "Claw"} for op in case["modifiers"]["attacks"]]
    both = aos4_cases.ask(twice | {"modifiers": case["modifiers"] | {"attacks": ops}})
    everywhere = [{key: value for key, value in op.items() if key != "weapon"} for op in ops]
    assert both.damage.mean() == pytest.approx(
        aos4_cases.ask(case | {"modifiers": case["modifiers"] | {"attacks": everywhere}}).damage.mean()
    )
