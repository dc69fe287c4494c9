"""What a case of the vectors expects against the exact answer: every key that it has, and only those."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isclose
from typing import Any

import aos1_cases
import aos4_cases
import vector_symbols
import wh40k10_cases
import wh40k11_cases
from vector_files import Case

import mathhammer as mh

AOS_ANSWERS: dict[str, Callable[[mh.Result], Any]] = {
    "mean_damage": lambda r: r.damage.mean(),
    "mean_damage_exact": lambda r: r.damage.mean(),
    "var_damage": lambda r: r.damage.var(),
    "mean_damage_allocated": lambda r: r.lost.mean(),
    "mean_models_slain": lambda r: r.slain.mean(),
    "p_target_destroyed": lambda r: r.p_destroyed,
    "p_target_left_damaged": lambda r: r.p_left_damaged,
    "models_slain_pmf": lambda r: r.slain,
    "damage_pmf": lambda r: r.damage,
    "mean_models_fled": lambda r: r.aftermath["fled"].mean(),
    "mean_models_lost": lambda r: r.aftermath["models_lost"].mean(),
    "p_gone_after_battleshock": lambda r: r.aftermath["models_left"][0],
    "models_fled_pmf": lambda r: r.aftermath["fled"],
}
TOO_LONG_TO_PRINT = ("mean_damage_exact", "damage_pmf")  # null in the vectors
WH40K_ANSWERS: dict[str, Callable[[mh.Result], Any]] = {
    "mean_wounds_lost": lambda r: r.lost.mean(),
    "mean_models_slain": lambda r: r.slain.mean(),
    "p_destroyed": lambda r: r.p_destroyed,
    "pmf_models_slain": lambda r: r.slain,
    "pmf_wounds_lost": lambda r: r.lost,
}
WH40K11_ANSWERS = WH40K_ANSWERS | {"p_character_slain": lambda r: r.p_character_slain}
WH40K_FUNNEL = {
    "mean_attacks": "attacks",
    "mean_hits": "hits",
    "mean_wounds_scored": "wounds",
    "mean_unsaved": "unsaved",
}
AUX_KEYS = {"id", "system", "kind", "rules", "note", "function", "args", "expect"}
ABOUT = {"id", "kind", "rules", "note", "assumes", "expect"}


def expected(data: dict[str, Any], name: str = "expect") -> dict[str, Any]:
    """What a case expects; a case that expects nothing is a failure."""
    wanted = data.get(name)
    assert isinstance(wanted, dict), f"{data['id']}: no `{name}`"
    assert wanted, f"{data['id']}: `{name}` is empty"
    return wanted


def answer_to(key: str, answers: Any) -> Any:
    """The answer of that key; a key that nobody can answer is a failure."""
    assert key in answers, f"{key}: not an answer that is known here (known: {', '.join(answers)})"
    return answers[key]


# --- Age of Sigmar --------------------------------------------------------------------------------------------------


def agree(name: str, got: float, wanted: Any) -> None:
    number = float(Fraction(wanted)) if isinstance(wanted, str) else wanted
    assert isclose(got, number, rel_tol=1e-9, abs_tol=1e-15), f"{name}: {got!r}, expected {wanted!r}"


def agree_pmf(name: str, got: mh.Pmf, wanted: dict[str, float]) -> None:
    chances = {int(value): chance for value, chance in wanted.items()}
    for value in range(max(len(got), max(chances) + 1)):
        agree(f"{name}[{value}]", got[value], chances.get(value, 0.0))


def aos_case(case: Case) -> None:
    """A case of either edition: an attack, or another question."""
    assert case.data.get("system", case.game) == case.game
    return aos_question(case) if "function" in case.data else aos_attack(case)


def aos_attack(case: Case) -> None:
    """An attack."""
    reader = {"aos1": aos1_cases, "aos4": aos4_cases}[case.game]
    data = case.data | {"options": case.options | case.data.get("options", {})}
    wanted, result = expected(data), reader.ask(data)
    for key, value in wanted.items():
        if key == "weapons_able":
            names = [weapon["name"] for weapon in aos4_cases.told_apart(data, ())["weapons"]]
            assert [name not in result.skipped for name in names] == value
        elif value is None:
            assert key in TOO_LONG_TO_PRINT, f"{key}: nothing to compare with"
        else:
            same = agree_pmf if key.endswith("_pmf") else agree
            same(key, answer_to(key, AOS_ANSWERS)(result), value)


def aos_question(case: Case) -> None:
    """Another question about dice."""
    data = aos4_cases.only(case.data, AUX_KEYS)
    details = {key: value for key, value in data["args"].items() if key != "edition"}
    assert data["args"].get("edition", case.game) == case.game
    wanted, answers = expected(data), mh.odds(case.game, data["function"], **details)
    for key, value in wanted.items():
        same = agree_pmf if key.endswith("_pmf") else agree
        same(key, answer_to(key.removesuffix("_exact"), answers), value)


# --- Warhammer 40,000 -----------------------------------------------------------------------------------------------


def near(name: str, got: Any, wanted: Any) -> None:
    """Numbers within 1e-9; a list is a distribution from 0 on."""
    if isinstance(wanted, list):
        for value in range(max(len(got), len(wanted))):
            near(f"{name}[{value}]", got[value], wanted[value] if value < len(wanted) else 0.0)
    else:
        assert abs(got - wanted) <= 1e-9, f"{name}: {got!r}, expected {wanted!r}"


def wh40k10_case(case: Case) -> None:
    """An attack, or another question."""
    return wh40k10_attack(case) if case.data["kind"] == "attack" else wh40k10_question(case)


def wh40k10_question(case: Case) -> None:
    """Another question about dice."""
    details = {key: value for key, value in case.data.items() if key not in ABOUT}
    if "target" in details:
        details["target"] = wh40k10_cases.target_unit(details["target"])
    wanted, answers = expected(case.data), mh.odds(case.game, case.data["kind"], **details)
    for key, value in wanted.items():
        own = f"{key.removeprefix('pmf_')}_pmf" if key.startswith("pmf_") else key
        near(key, answer_to(own, answers), value)


def wh40k10_attack(case: Case) -> None:
    """An attack; every weapon of a case can attack."""
    wanted, result = expected(case.data), wh40k10_cases.ask(case.data)
    assert not result.skipped
    for key, value in wanted.items():
        if key == "p_character_slain":
            names = [group["name"] for group in case.data["target"]["groups"] if group.get("character")]
            near(key, result.groups[names[0]].p_destroyed, value)
        elif key == "raw":
            for name, mean in value.items():
                near(name, result.funnel[answer_to(name, WH40K_FUNNEL)], mean)
        else:
            near(key, answer_to(key, WH40K_ANSWERS)(result), value)


HURT = {"target", "own", "enemy"}  # inputs that are targets


def wh40k11_case(case: Case) -> None:
    """An attack, or another question."""
    if case.data["kind"] == "attack":
        return wh40k11_attack(case)
    details = {key: value for key, value in case.data.items() if key not in ABOUT}
    details |= {key: wh40k11_cases.target_unit(details[key]) for key in HURT & set(details)}
    return same_answer(expected(case.data), mh.odds(case.game, case.data["kind"], **details))


def same_answer(wanted: dict[str, Any], answers: Any) -> None:
    """Every key that is wanted, also inside of parts."""
    for key, value in wanted.items():
        own = f"{key.removeprefix('pmf_')}_pmf" if key.startswith("pmf_") else key
        got = answer_to(own, answers)
        if isinstance(value, dict):
            same_answer(value, got)
        elif key == "groups":
            same_groups(value, got)
        elif value is None or isinstance(value, (bool, str)) or (isinstance(value, list) and _words(value)):
            assert got == value, f"{key}: {got!r}, expected {value!r}"
        else:
            near(key, got, value)


def _words(value: list[Any]) -> bool:
    return all(isinstance(entry, str) for entry in value)


def same_groups(wanted: list[dict[str, Any]], got: list[dict[str, Any]]) -> None:
    assert [group["name"] for group in got] == [group["name"] for group in wanted]
    for one, other in zip(wanted, got, strict=True):
        for key, value in one.items():
            if key != "name":
                near(f"{one['name']}: {key}", answer_to(key, other), value)


def wh40k11_attack(case: Case) -> None:
    """An attack."""
    wanted, result = expected(case.data), wh40k11_cases.ask(case.data)
    assert sorted(result.skipped) == sorted(wanted.get("weapons_skipped", []))
    for key, value in wanted.items():
        if key == "groups":
            told = [
                {
                    "name": group.name,
                    "p_destroyed": group.p_destroyed,
                    "mean_models_slain": group.mean_slain,
                    "mean_wounds_lost": group.mean_lost,
                }
                for group in result.groups.values()
            ]
            same_groups(value, told)
        elif key == "raw":
            for name, mean in value.items():
                near(name, result.funnel[answer_to(name, WH40K_FUNNEL)], mean)
        elif key == "lethal_choice":
            assert dict(result.choices) == value
        elif key != "weapons_skipped":
            near(key, answer_to(key, WH40K11_ANSWERS)(result), value)


def symbol_case(case: Case) -> None:
    """A case of a game with symbol dice."""
    data = aos4_cases.only(case.data, {"id", "kind", "rule_ids", "description", "input", "expected"})
    wanted, answers = expected(data, "expected"), mh.odds(case.game, data["kind"], **data["input"])
    for key, value in wanted.items():
        if key == "approx":  # rounded floats for reading
            vector_symbols.agree(key, answers, value, vector_symbols.READING)
        else:
            vector_symbols.agree_key(key, answer_to(key, answers), value)


CHECKS: dict[str, Callable[[Case], None]] = {
    "aos1": aos_case,
    "aos4": aos_case,
    "wh40k10": wh40k10_case,
    "wh40k11": wh40k11_case,
    "diskwars": symbol_case,
    "uprising": symbol_case,
}
