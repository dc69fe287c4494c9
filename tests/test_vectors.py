"""Every vector of every game, exact; `pytest -m vectors --vectors=DIR` runs those of another folder, and nothing else."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aos1_cases
import aos4_cases
import pytest
from conftest import vectors_folder
from places import OWN_VECTORS, ROOT
from rule_markers import known_rules
from vector_checks import CHECKS
from vector_files import Case, cases_of

from mathhammer.games.discovery import game_keys


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "vector" in metafunc.fixturenames:
        rows = [
            pytest.param(
                case,
                id=case.id,
                marks=[pytest.mark.rule(rule) for rule in case.rules if rule in known_rules()],
            )
            for case in cases_of(vectors_folder(metafunc.config))
        ]
        metafunc.parametrize("vector", rows)


@pytest.mark.vectors
def test_vector(vector: Case) -> None:
    assert not vector.fault, vector.fault
    CHECKS[vector.game](vector)


# --- the run itself ---------------------------------------------------------------------------------------------------


def own(game: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((OWN_VECTORS / f"{game}.json").read_text(encoding="utf-8"))
    return content


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Pytest in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-q", *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "300"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def write(folder: Path, **files: Any) -> Path:
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


@pytest.mark.slow
def test_the_marker_runs_the_vectors_and_nothing_else(tmp_path: Path) -> None:
    for game in game_keys():
        content = own(game)
        write(
            tmp_path,
            **{
                game: content | {"cases": content["cases"][:1], "aux_cases": content.get("aux_cases", [])[:1]}
            },
        )
    done = run("-m", "vectors", f"--vectors={tmp_path}")
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith("8 passed, "), (
        done.stdout
    )  # two of either Age of Sigmar, one each


@pytest.mark.slow
def test_a_folder_outside_is_named_after_an_equals_sign_or_beside_a_path(tmp_path: Path) -> None:
    """Pytest looks for its settings above every word that names a folder, before it knows `--vectors`."""
    write(tmp_path, aos1=own("aos1"))
    done = run("tests/test_vectors.py", "-m", "vectors", "--vectors", str(tmp_path))
    assert done.stdout.splitlines()[-1].startswith("24 passed, "), done.stdout
    assert run("-m", "vectors", "--vectors", str(tmp_path)).returncode == 4


def test_every_key_is_compared_and_what_is_unknown_fails(tmp_path: Path) -> None:
    """One wrong number in every game, an unknown answer, an unknown input, a game that is not here, a file that is not JSON."""
    for game in game_keys():
        content = own(game)
        case = content["cases"][0]
        name = "expected" if "expected" in case else "expect"
        key, value = next(
            (key, value) for key, value in case[name].items() if isinstance(value, (int, float, str, dict))
        )
        wrong = copy.deepcopy(case) | {"id": f"WRONG-{game}", name: {key: off(value)}}
        strange = copy.deepcopy(case) | {"id": f"STRANGE-{game}", name: case[name] | {"mean_rainfall": 1.0}}
        weather = copy.deepcopy(case) | {"id": f"WEATHER-{game}", "weather": "rain"}
        write(tmp_path, **{game: content | {"cases": [case, wrong, strange, weather], "aux_cases": []}})
    write(
        tmp_path,
        wh40k99={"game": "wh40k99", "cases": [own("wh40k10")["cases"][0]]},
        aos4_more={"system": "aos4", "cases": []},
    )
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    done = run("-m", "vectors", f"--vectors={tmp_path}")
    assert done.returncode == 1
    for game in game_keys():
        for kind in ("WRONG", "STRANGE", "WEATHER"):
            assert f"FAILED tests/test_vectors.py::test_vector[{kind}-{game}]" in done.stdout
    assert (
        "wh40k99.json: no game 'wh40k99' here (known: aos1, aos4, diskwars, uprising, wh40k10, wh40k11)"
        in done.stdout
    )
    assert "aos4_more.json: no case in it" in done.stdout
    assert "broken.json: not JSON" in done.stdout
    assert "mean_rainfall: not an answer that is known here" in done.stdout
    assert "unknown inputs ['weather']" in done.stdout
    assert done.stdout.splitlines()[-1].startswith(
        f"{3 * len(game_keys()) + 3} failed, {len(game_keys())} passed, "
    )


def off(value: Any) -> Any:
    """A value that is wrong."""
    if isinstance(value, dict):
        return {key: off(one) for key, one in value.items()}
    if isinstance(value, str):
        return "1/7" if "/" in value else f"{value} not"
    return value + 0.001


@pytest.mark.slow
@pytest.mark.parametrize("words", [("-m", "vectors"), ("tests/dice",)])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "ERROR: --vectors {folder}: no such folder"),
        ({}, "ERROR: --vectors {folder}: no vectors in it (files such as aos4.json)"),
        (
            {"aos4": {"system": "aos4", "cases": []}},
            "ERROR: --vectors {folder}: no case in it (aos4.json: no case in it)",
        ),
    ],
)
def test_a_folder_without_a_case_is_an_error(
    tmp_path: Path, content: Any, message: str, words: tuple[str, ...]
) -> None:
    folder = tmp_path / "vectors"
    if content is not None:
        folder.mkdir()
        write(folder, **content)
    done = run(*words, f"--vectors={folder}")
    assert done.returncode == 4
    assert done.stderr.strip() == message.format(folder=folder)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ([], "x.json: not a file of vectors (it needs a list `cases`)"),
        ({"cases": [{}], "more_cases": []}, "x.json: unknown entries ['more_cases'] (known: "),
        ({"cases": {}}, "x.json: `cases` and `aux_cases` are lists"),
        ({"system": "aos4", "cases": [{"note": "nameless"}]}, "x.json cases 1: not a case with an id"),
    ],
)
def test_what_is_wrong_with_a_file(tmp_path: Path, content: Any, sentence: str) -> None:
    cases = cases_of(write(tmp_path, x=content, aos1=own("aos1")))
    assert cases[-1].fault.startswith(sentence)
    assert not any(case.fault for case in cases[:-1])


def test_the_options_of_a_file_hold_for_its_cases(tmp_path: Path) -> None:
    """Two cases of the fourth edition have an option of their own; said for the whole file it is the same."""
    content = own("aos4")
    special = [case for case in content["cases"] if case.get("options")]
    for place, case in enumerate(special):
        plain = {key: value for key, value in case.items() if key != "options"}
        folder = tmp_path / str(place)
        folder.mkdir()
        write(folder, aos4=content | {"options_default": case["options"], "cases": [plain], "aux_cases": []})
        (vector,) = cases_of(folder)
        CHECKS["aos4"](vector)
        with pytest.raises(AssertionError, match="expected"):
            CHECKS["aos4"](Case("", "aos4", plain))
    assert len(special) == 2


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda case: case.update(weather="rain"), "weather"),
        (lambda case: case["target"].update(health=2), "health"),
        (lambda case: case["modifiers"].update(crit_on=5), "crit_on"),
        (lambda case: case["weapons"][0].update(champions=1), "champions"),
    ],
)
def test_unknown_inputs_are_failures(change: Callable[[dict[str, Any]], None], named: str) -> None:
    case = own("aos1")["cases"][0]
    change(case)
    with pytest.raises(AssertionError, match=named):
        aos1_cases.ask(case)


def test_weapons_of_one_name_are_told_apart() -> None:
    case = own("aos4")["cases"][13]  # one change names a weapon
    twice = case | {"weapons": [weapon | {"name": "Claw"} for weapon in case["weapons"]]}
    ops = [op | {"weapon": "Claw"} for op in case["modifiers"]["attacks"]]
    both = aos4_cases.ask(twice | {"modifiers": case["modifiers"] | {"attacks": ops}})
    everywhere = [{key: value for key, value in op.items() if key != "weapon"} for op in ops]
    assert both.damage.mean() == pytest.approx(
        aos4_cases.ask(case | {"modifiers": case["modifiers"] | {"attacks": everywhere}}).damage.mean()
    )


def test_vectors_name_rules_that_exist() -> None:
    assert {rule for case in cases_of(OWN_VECTORS) for rule in case.rules} <= known_rules()
