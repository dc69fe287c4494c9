"""All against all: equal to single fights, the same for every executor, and not lost when interrupted."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import types
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.compare import checkpoint, matrix
from mathhammer.compare.landed import VALUES
from mathhammer.compare.matrix import fill_matrix
from mathhammer.compare.sweep import Sweep
from mathhammer.datasheets.library import reference_targets, sheets
from mathhammer.engine.jit import announce_compiling
from mathhammer.games.discovery import attacks_of


def random_unit(rng: np.random.Generator, system: str, number: int) -> mh.Unit:
    """A unit with one or two weapons and now and then something unusual."""

    def pick(*options: Any) -> Any:
        return options[rng.integers(len(options))]

    if system == "aos4":
        weapon = {
            "attacks": pick(1, 3, "D6"),
            "hit": int(rng.integers(2, 6)),
            "wound": int(rng.integers(2, 6)),
            "rend": int(rng.integers(0, 3)),
            "damage": pick(1, 2, "D3"),
            "abilities": pick([], ["Crit (Mortal)"], ["Crit (2 Hits)", "Anti-HERO (+1 Rend)"]),
        }
        body: dict[str, Any] = {"health": int(rng.integers(1, 5)), "save": int(rng.integers(2, 7))} | pick(
            {}, {"ward": 5}
        )
        body["keywords"] = pick([], ["hero"], ["fly"])
    else:
        weapon = {
            "attacks": pick(1, 2, "D6"),
            "skill": int(rng.integers(2, 6)),
            "strength": int(rng.integers(3, 10)),
            "ap": -int(rng.integers(0, 4)),
            "damage": pick(1, 2, "D3"),
            "abilities": pick(
                [], ["Lethal Hits"], ["Devastating Wounds"], ["Blast"], ["Anti-HERO 4+", "Sustained Hits D3"]
            ),
        }
        body = {
            "toughness": int(rng.integers(3, 9)),
            "wounds": int(rng.integers(1, 5)),
            "save": int(rng.integers(2, 7)),
        }
        body |= pick(
            {}, {"fnp": 5}, {"invuln": 4}, {"fnp_mortal": 4}, {"damage_zero_uses": 1}, {"stealth": True}
        )
        body["keywords"] = pick([], ["hero"])
    effects = pick(
        [],
        [],
        [{"name": "Rage", "when": ["target models >= 5"], "attacks": "+1"}],
        [{"name": "Mist", "on": "attacker", "hit_roll": "-1"}],
    )
    weapons = [weapon | {"name": f"w{n}"} for n in range(int(rng.integers(1, 3)))]
    if system == "wh40k10" and len(weapons) > 1:
        weapons[1]["abilities"] = [*weapons[1]["abilities"], "Extra Attacks"]
    unit = mh.make_unit(
        system,
        {
            "name": f"{system} {number}",
            "models": int(rng.integers(1, 8)),
            "weapon": weapons,
            "effect": effects,
        }
        | body,
    )
    return unit.with_lost(1) if unit.health > 1 and rng.integers(4) == 0 else unit


@pytest.mark.parametrize("system", ["aos4", "wh40k10"])
def test_every_cell_is_what_fight_says(system: str) -> None:
    rng = np.random.default_rng(8)
    units = [random_unit(rng, system, number) for number in range(24)]
    filled = fill_matrix(units, units, workers=1)
    for a, attacker in enumerate(units):
        for t, target in enumerate(units):
            result = mh.fight(attacker, target)
            harm = result.lost if result.pool is None else result.damage
            wanted = [harm.mean(), result.lost.mean(), result.slain.mean(), result.p_destroyed]
            assert filled.values[a, t] == pytest.approx(wanted, abs=1e-10)


@pytest.mark.slow
def test_the_compiled_path_gives_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    from mathhammer.compare import landed, sweep

    rng = np.random.default_rng(21)
    units = [random_unit(rng, "wh40k10", number) for number in range(60)]
    in_numpy = fill_matrix(units, units, workers=1, compiled=False).values
    loops, used = landed.loops, []
    for module in (landed, sweep):
        monkeypatch.setattr(module, "loops", lambda: used.append(1) or loops())
    in_numba = fill_matrix(units, units, workers=1, compiled=True).values
    assert len(used) > len(units)
    assert in_numba == pytest.approx(in_numpy, abs=1e-12)


def test_large_questions_take_the_compiled_path(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    units = one_weapon_units("wh40k10", "melee")
    whole = Sweep.of
    monkeypatch.setattr(
        Sweep, "of", lambda targets, **how: asked.append(how["compiled"]) or whole(targets, **how)
    )
    for cells in (10, 9):
        monkeypatch.setattr(matrix, "COMPILED_CELLS", cells)
        fill_matrix(units, units, workers=1)
    assert asked == [False, True]


def test_compiling_is_announced(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kernel = types.SimpleNamespace(
        __module__="mathhammer.loops",
        __name__="play",
        signatures=[],
        stats=types.SimpleNamespace(cache_path=str(tmp_path)),
    )
    announce_compiling(kernel, "matrix")
    assert (
        capsys.readouterr().err
        == "mathhammer: compiling the matrix kernel (once per machine, a few seconds)\n"
    )
    (tmp_path / "loops.play-12.py311.nbi").touch()
    announce_compiling(kernel, "matrix")
    kernel.signatures = ["()"]
    (tmp_path / "loops.play-12.py311.nbi").unlink()
    announce_compiling(kernel, "matrix")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("system", ["aos4", "wh40k10", "aos1"])
def test_shipped_units_with_situation_and_commands(system: str) -> None:
    units = [sheet.unit() for sheet in sheets(system)]
    attackers = [unit for unit in units if any(w.kind == "melee" and not w.optional for w in unit.weapons)][
        :6
    ]
    targets = [*reference_targets(system)][:4]
    how: dict[str, Any] = {"weapons": "melee", "situation": ("charged",)}
    filled = fill_matrix(attackers, targets, workers=1, **how)
    for a, attacker in enumerate(attackers):
        for t, target in enumerate(targets):
            assert filled.of("slain")[a, t] == pytest.approx(
                mh.fight(attacker, target, **how).slain.mean(), abs=1e-10
            )


def one_weapon_units(system: str, kind: str) -> list[mh.Unit]:
    """Units that a sweep puts together: one weapon, random attacks and damage, one kind of models."""
    weapon: dict[str, Any] = {"name": "w", "kind": kind, "attacks": "D6", "damage": "D3"} | (
        {"range": 24} if kind == "ranged" else {}
    )
    weapon |= (
        {"skill": 3, "strength": 5, "ap": -1} if system == "wh40k10" else {"hit": 3, "wound": 4, "rend": 1}
    )
    body = (
        {"toughness": 4, "wounds": 3}
        if system == "wh40k10"
        else {"wounds": 3, "bravery": 6}
        if system == "aos1"
        else {"health": 3}
    )
    words = [["infantry"], ["vehicle"], ["hero", "infantry"]]
    sheet = {"weapon": [weapon], "save": 4} | body
    return [
        mh.make_unit(system, sheet | {"name": f"{n}", "models": 2 + n, "keywords": words[n]})
        for n in range(3)
    ]


FLAGS = [
    (system, word, flag)
    for system in ("aos4", "wh40k10", "aos1")
    for word, flags in (
        ("situation", attacks_of(system).situations),
        ("commands", attacks_of(system).commands),
    )
    for flag in flags
    if flag != attacks_of(system).best_reroll  # refused: tests/decide/test_reroll.py
]


@pytest.mark.parametrize("kind", ["ranged", "melee"])
@pytest.mark.parametrize(("system", "word", "flag"), FLAGS)
def test_every_flag_and_command_means_the_same_in_a_matrix(
    system: str, word: str, flag: str, kind: str
) -> None:
    units = one_weapon_units(system, kind)
    how: dict[str, Any] = {"weapons": kind, word: flag}
    try:
        filled = fill_matrix(units, units, workers=1, **how)
    except mh.MathhammerError as refused:
        with pytest.raises(mh.MathhammerError, match=re.escape(str(refused))):
            _ = [mh.fight(units[0], target, **how) for target in units]
        return
    wanted = [[mh.fight(attacker, target, **how).slain.mean() for target in units] for attacker in units]
    assert filled.of("slain") == pytest.approx(np.array(wanted), abs=1e-10)


ATTACKERS = [
    mh.load_unit(name, "aos4") for name in ("Liberators", "Rat Ogors", "Clanrats", "Stormvermin")
] * 5
TARGETS = list(reference_targets("aos4"))


def test_the_same_numbers_from_every_executor() -> None:
    here = fill_matrix(ATTACKERS, TARGETS, workers=1)
    with ThreadPoolExecutor(2) as threads:
        assert np.array_equal(fill_matrix(ATTACKERS, TARGETS, executor=threads).values, here.values)
    with ProcessPoolExecutor(2) as processes:
        assert np.array_equal(fill_matrix(ATTACKERS, TARGETS, executor=processes).values, here.values)
    assert np.array_equal(fill_matrix(ATTACKERS, TARGETS, workers=2).values, here.values)


def test_dask_works_as_an_executor() -> None:
    distributed = pytest.importorskip(
        "distributed", reason="dask is an optional extra: pip install mathhammer[dask]"
    )
    with distributed.Client(
        processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None
    ) as client:
        filled = fill_matrix(ATTACKERS, TARGETS, executor=client.get_executor())
    assert np.array_equal(filled.values, fill_matrix(ATTACKERS, TARGETS, workers=1).values)


def test_progress_and_going_on_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.npz"
    seen: list[tuple[int, int]] = []

    def stop(done: int, wanted: int) -> None:
        seen.append((done, wanted))
        if done >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill_matrix(ATTACKERS, TARGETS, workers=1, resume=path, progress=stop)
    assert seen == [(0, 20), (8, 20)]
    again: list[int] = []
    filled = fill_matrix(
        ATTACKERS, TARGETS, workers=1, resume=path, progress=lambda done, wanted: again.append(done)
    )
    assert again == [8, 16, 20]
    assert np.array_equal(filled.values, fill_matrix(ATTACKERS, TARGETS, workers=1).values)
    assert [entry.name for entry in tmp_path.iterdir()] == ["rows.npz"]
    with pytest.raises(mh.BadInputError) as caught:
        fill_matrix(ATTACKERS, TARGETS[:2], resume=path)
    assert (
        str(caught.value) == f"matrix: {path} belongs to another question (delete it, or name another file)"
    )
    path.write_bytes(b"nonsense")
    with pytest.raises(mh.BadInputError) as caught:
        fill_matrix(ATTACKERS, TARGETS, resume=path)
    assert (
        str(caught.value)
        == f"matrix: {path} is not a file of an interrupted matrix (delete it, or name another file)"
    )


def test_finished_rows_are_kept_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SAVE_EVERY", 0.0)
    path, kept = tmp_path / "rows.npz", []

    def look(done: int, wanted: int) -> None:
        if done:
            with np.load(path) as stored:
                kept.append((done, int(stored["done"].sum())))

    fill_matrix(ATTACKERS, TARGETS, workers=1, resume=path, progress=look)
    assert kept == [(8, 8), (16, 16), (20, 20)]


def test_files_that_cannot_be_gone_on_from(tmp_path: Path) -> None:
    path = tmp_path / "rows.npz"
    fill_matrix(ATTACKERS, TARGETS, workers=1, resume=path)
    with np.load(path) as stored:
        shorter = {
            name: stored[name] if name == "fingerprint" else stored[name][:-1] for name in stored.files
        }
    np.savez_compressed(path, **shorter)
    for wrong, message in (
        (path, f"matrix: {path} is not a file of an interrupted matrix (delete it, or name another file)"),
        (path / "below", f"matrix: {path / 'below'}: cannot be read (Not a directory)"),
    ):
        with pytest.raises(mh.BadInputError) as caught:
            fill_matrix(ATTACKERS, TARGETS, workers=1, resume=wrong)
        assert str(caught.value) == message


class Broken(ThreadPoolExecutor):
    """An executor whose processes are gone."""

    def submit(self, *_: Any, **__: Any) -> Any:
        raise BrokenExecutor


def test_a_killed_process_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.npz"
    code = f"""
import mathhammer as mh; from mathhammer.compare import checkpoint, matrix as m
checkpoint.SAVE_EVERY = 0.0
units = [mh.load_unit(n, "aos4") for n in ("Liberators", "Rat Ogors")] * 4000
m.fill_matrix(units, units[:40], workers=1, resume={str(path)!r})
"""
    process = subprocess.Popen([sys.executable, "-c", code])
    while not path.exists() and process.poll() is None:
        time.sleep(0.05)
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    with np.load(path) as stored:
        assert stored["done"].any()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: fill_matrix([], TARGETS),
            "matrix: nothing to compare (give at least one attacker and one target)",
        ),
        (
            lambda: fill_matrix(ATTACKERS, [mh.load_unit("Necron Warriors", "wh40k10")]),
            "matrix: units of aos4 and wh40k10 (compare units of one game)",
        ),
        (
            lambda: fill_matrix(ATTACKERS, TARGETS, workers=0),
            "matrix: workers 0 (give a whole number from 1 on)",
        ),
        (  # an error that crosses from another process
            lambda: fill_matrix(ATTACKERS, TARGETS, workers=2, situation="chraged"),
            "fight: unknown situation 'chraged' (did you mean 'charged'?)",
        ),
        (
            lambda: fill_matrix(ATTACKERS, TARGETS, executor=Broken()),
            "matrix: a process ended on its own, probably out of memory (use fewer workers)",
        ),
        (
            lambda: fill_matrix(ATTACKERS * 500, TARGETS * 1000),
            "matrix: 80000000 cells (at most 50000000; split the attackers)",
        ),
        (
            lambda: fill_matrix(ATTACKERS, TARGETS, workers=1).of("slian"),
            "matrix: no value 'slian' (known: damage, lost, slain, p_destroyed)",
        ),
    ],
)
def test_messages(call: Any, message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        call()
    assert str(caught.value) == message


def test_the_frame_is_tidy() -> None:
    table = mh.matrix(["Liberators", "Rat Ogors"], ["Clanrats", "Stormvermin"], system="aos4")
    assert list(table.columns) == ["attacker", "target", "kind", *VALUES, "points_removed"]
    row = table[(table.attacker == "Rat Ogors") & (table.target == "Clanrats")].iloc[0]
    result = mh.fight(mh.load_unit("Rat Ogors", "aos4"), mh.load_unit("Clanrats", "aos4"))
    assert row.slain == pytest.approx(result.slain.mean())
    assert row.points_removed == pytest.approx(150 * result.lost.mean() / 20)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert (
        main(["matrix", "Liberators", "Rat Ogors", "--vs", "Clanrats", "Stormvermin", "--value", "slain"])
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Age of Sigmar 4 · exact · melee, smallest sizes unless named"
    assert lines[2].split() == ["Mean", "models", "slain", "Kind", "Clanrats", "Stormvermin"]
    assert lines[3].split()[:3] == ["Liberators", "melee", "6.06"]
    assert (
        main(["matrix", "Skaven", "--system", "aos4", "--format", "csv", "--resume", str(tmp_path / "r.npz")])
        == 0
    )
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) % 8 == 0
    assert len(rows) > 80
    assert main(["matrix", "Liberators", "--vs", "Clanrats", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "mathhammer-matrix/1"
    assert main(["matrix", "Liberators", "--method", "simulate"]) == 2
    assert capsys.readouterr().err == "matrix: is always exact (drop --method; compare simulates)\n"
