"""Killed, interrupted, doubled, out of space: the old files or the new ones, whole, and a sentence."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import numpy as np
import pytest
from places import TESTS
from roster_files import FIXTURES, ROSTERS, SHEETS

import mathhammer as mh
from mathhammer import files
from mathhammer.battlescribe.convert import MARK
from mathhammer.cli import cli, main
from mathhammer.compare import matrix
from mathhammer.compare.checkpoint import Checkpoint
from mathhammer.compare.matrix import _prepare, fill_matrix
from mathhammer.datasheets.library import load_unit, user_folder
from mathhammer.engine.jit import announce_compiling

pytestmark = pytest.mark.slow

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and forks of POSIX")
COMMAND = [sys.executable, "-m", "mathhammer"]
KILLING = str(TESTS / "killing.py")
MATRIX = ["matrix", "Liberators", "Rat Ogors", "--system", "aos4", "--vs", "Clanrats"]
LIMITED = """
import resource, sys
from mathhammer.cli import main
before = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), before[1]))
code = main(sys.argv[2:])
resource.setrlimit(resource.RLIMIT_FSIZE, before)
sys.exit(code)
"""
POST = """
system = "aos4"
[[table]]
file = "tables/matrix.md"
kind = "matrix"
attackers = ["Liberators"]
targets = ["Clanrats"]
[[table]]
file = "slain.md"
kind = "compare"
attackers = ["Liberators"]
targets = ["Clanrats"]
"""


def whole(folder: Path) -> dict[str, bytes]:
    """Every file of a folder that is not a temporary one."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(files.PART)
    }


def left_over(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.name.endswith(files.PART)]


def struck(number: str, moments: str, template: Path, folder: Path, *words: str) -> list[int]:
    """How runs ended that were struck at one moment after the other, or at so many random times."""
    done = subprocess.run(
        [sys.executable, KILLING, number, moments, str(template), str(folder), *words],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder for each command, with what an earlier run has left there."""
    root = tmp_path_factory.mktemp("templates")
    for name in WORDS:
        (root / name).mkdir()
    shutil.copytree(FIXTURES / "bsdata" / "aos4", root / "import" / "in")
    text = (root / "import" / "in" / "Emberfolk.cat").read_text(encoding="utf-8")
    second = text.replace('id="fac-1" name="Emberfolk"', 'id="fac-2" name="Ashfolk"')
    (root / "import" / "in" / "Ashfolk.cat").write_text(second, encoding="utf-8")
    (root / "import" / "out" / "aos4").mkdir(parents=True)
    (root / "import" / "out" / "aos4" / "emberfolk.toml").write_text(
        f"{MARK}\nold = true\n", encoding="utf-8"
    )
    (root / "post" / "post.toml").write_text(POST, encoding="utf-8")
    (root / "post" / "slain.md").write_text("old\n", encoding="utf-8")
    (root / "matrix" / "out.csv").write_text("old\n", encoding="utf-8")
    (root / "report" / "out.html").write_text("old\n", encoding="utf-8")
    (root / "atlas" / "mine" / "aos4").mkdir(parents=True)
    (root / "atlas" / "mine" / "aos4" / "mine.toml").write_text(FEW, encoding="utf-8")
    return {path.name: path for path in root.iterdir()}


FEW = """
system = "aos4"
[[unit]]
name = "Orcs"
health = 2
[[unit.weapon]]
name = "Axe"
attacks = 2
hit = 4
wound = 4
damage = 1
"""
LIST = FIXTURES / "rosters" / "kilns.ros"
WORDS = {
    "import": ["import", "{}/in", "--system", "aos4", "-o", "{}/out"],
    "post": ["post", "{}/post.toml"],
    "matrix": [*MATRIX, "--format", "csv", "--workers", "1", "--resume", "{}/rows.npz", "-o", "{}/out.csv"],
    "report": ["report", str(LIST), str(LIST), "-o", "{}/out.html"],
    "atlas": ["atlas", "{}/mine", "--workers", "1", "-o", "{}/atlas"],
}
MADE = {
    "import": ["out/aos4/ashfolk.toml", "out/aos4/emberfolk.toml"],
    "post": ["slain.md", "tables/matrix.md"],
    "matrix": ["out.csv", "rows.npz"],
    "report": ["out.html"],
    "atlas": ["atlas/aos4-00000.parquet", "atlas/manifest.json"],
}


@POSIX
@pytest.mark.parametrize("moments", ["calls", "100"])
@pytest.mark.parametrize("command", WORDS)
def test_a_kill_at_any_moment_leaves_whole_files_and_the_next_run_completes(
    command: str,
    moments: str,
    templates: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ended = struck("SIGKILL", moments, templates[command], tmp_path, *WORDS[command])
    assert ended[-1] == 0
    if moments == "calls":
        assert set(ended[:-1]) == {-signal.SIGKILL}
        assert len(ended) > 7 * len(MADE[command])
    else:
        assert set(ended[:-1]) <= {-signal.SIGKILL, 0}
        assert len(ended) == 101
        assert ended.count(-signal.SIGKILL) > 50
    before, after = whole(templates[command]), whole(tmp_path / str(len(ended) - 1))
    assert (
        sorted(set(after) - set(before) | {name for name in before if before[name] != after[name]})
        == MADE[command]
    )
    rows_done = []
    seen: set[Any] = set()  # many moments leave the same state: the next run is tried once for each
    monkeypatch.setattr(files, "STALE_AFTER", -1.0)
    monkeypatch.setattr(os, "fsync", lambda _: None)
    for place in (tmp_path / str(number) for number in range(len(ended) - 1)):
        found = whole(place)
        for name, content in found.items():
            if name == "rows.npz":
                with np.load(place / name) as stored:
                    rows_done.append(int(stored["done"].sum()))
            elif (
                name == "atlas/manifest.json" and content != after[name]
            ):  # written before the first tile too
                assert not json.loads(content)["complete"]
            else:
                assert content in (before.get(name), after[name]), name
        assert set(before) <= set(found) <= set(after)
        if (state := (tuple(found.items()), len(left_over(place)))) in seen:
            continue
        seen.add(state)
        assert main([word.replace("{}", str(place)) for word in WORDS[command]]) == 0
        assert whole(place) == after
        assert left_over(place) == []  # what the killed one left is gone
    if moments == "calls":
        assert len(seen) > (5 if len(MADE[command]) > 1 else 2)
        assert not rows_done or set(rows_done) == {1, 2}  # rows that were finished are not lost
    capsys.readouterr()


@POSIX
def test_a_server_that_is_killed_leaves_nothing_and_the_next_one_answers(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(TESTS / "killing_servers.py"), str(tmp_path), "100"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {"ended": [-signal.SIGKILL] * 100, "right": True, "left": []}


@POSIX
@pytest.mark.needs_jit
def test_a_first_compilation_that_is_killed_leaves_whole_machine_code_or_none(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    done = subprocess.run(
        [sys.executable, str(TESTS / "killing_compilers.py"), str(tmp_path / "made"), "100"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")},
    )
    said = json.loads(done.stdout)
    assert said["right"]
    assert len(said["ended"]) == 101
    assert said["ended"][-1] == 0
    assert said["ended"].count(-signal.SIGKILL) > 20


@POSIX
@pytest.mark.parametrize("command", ["import", "post"])
def test_ctrl_c_at_any_moment_leaves_all_old_or_all_new(
    command: str, templates: dict[str, Path], tmp_path: Path
) -> None:
    ended = struck("SIGINT", "calls", templates[command], tmp_path, *WORDS[command])
    assert set(ended[:-1]) == {130}
    before, after = whole(templates[command]), whole(tmp_path / str(len(ended) - 1))
    for place in (tmp_path / str(number) for number in range(len(ended) - 1)):
        assert whole(place) in (before, after)
    states = [whole(tmp_path / str(number)) == after for number in range(len(ended) - 1)]
    assert True in states
    assert False in states
    untidy = [number for number in range(len(ended)) if left_over(tmp_path / str(number))]
    assert len(untidy) < len(ended) / 4  # only runs that were struck while they tidied up


# --- processes of a matrix ------------------------------------------------------------------------------------------------------

LONG = """
import sys
import mathhammer.cli.matrix as command
from mathhammer.compare import checkpoint, matrix as matrices
from mathhammer.cli import main
from mathhammer.datasheets.library import load_unit
checkpoint.SAVE_EVERY = 0.1
units = [load_unit(name, "aos4").with_lost(lost) for name in ("Liberators", "Rat Ogors", "Clanrats") for lost in range(4)] * 300
command.find_many = lambda names, *_: units if names == ("A",) else units[:600]
sys.exit(main(["matrix", "A", "--vs", "B", "--workers", "2", "--resume", "rows.npz", "-o", "out"]))
"""


def long_matrix(folder: Path) -> subprocess.Popen[str]:
    """A matrix with two processes of its own that has written its first rows."""
    process = subprocess.Popen(
        [sys.executable, "-c", LONG], cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until = time.monotonic() + 60
    while not (folder / "rows.npz").exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    assert process.poll() is None
    return process


@POSIX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_the_processes_of_a_matrix_end_with_it(number: signal.Signals, tmp_path: Path) -> None:
    process = long_matrix(tmp_path)
    try:
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.kill()
        _, said = process.communicate(
            timeout=30
        )  # comes back only when every process that holds stderr has ended
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert said.strip() == ("mathhammer: interrupted" if number == signal.SIGINT else "")
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    with np.load(tmp_path / "rows.npz") as stored:
        assert 0 < stored["done"].sum() < 3_600
    assert not (tmp_path / "out").exists()


def test_ctrl_c_is_left_to_the_first_process() -> None:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, initializer=_prepare, initargs=((), {})) as pool:
        assert pool.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN


def _die(_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@POSIX
def test_a_worker_that_dies_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    units = [load_unit("Liberators", "aos4")] * 20
    monkeypatch.setattr(matrix, "_prepared_rows", _die)
    with pytest.raises(mh.BadInputError) as caught:
        fill_matrix(units, units, workers=2)
    assert (
        str(caught.value) == "matrix: a process ended on its own, probably out of memory (use fewer workers)"
    )


# --- two at once ----------------------------------------------------------------------------------------------------------------


def at_once(*calls: tuple[list[str], Path]) -> list[tuple[int, str]]:
    started = [
        subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True) for words, folder in calls
    ]
    said = [process.communicate(timeout=300)[1] for process in started]
    return [(process.returncode, text) for process, text in zip(started, said, strict=True)]


EAGER = "import sys; from mathhammer.compare import checkpoint, matrix; checkpoint.SAVE_EVERY, matrix.PIECE = -1.0, 1; from mathhammer.cli import main; sys.exit(main(sys.argv[1:]))"


def test_two_matrices_share_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        *MATRIX,
        "Liberators",
        "Rat Ogors",
        "--format",
        "csv",
        "--resume",
        str(tmp_path / "rows.npz"),
        "-o",
    ]
    calls = [
        ([sys.executable, "-c", EAGER, *words, str(tmp_path / name)], tmp_path) for name in ("a.csv", "b.csv")
    ]
    assert at_once(*calls) == [(0, ""), (0, "")]
    assert main([*words[:-3], "-o", str(tmp_path / "alone.csv")]) == 0
    assert len({(tmp_path / f"{name}.csv").read_bytes() for name in ("a", "b", "alone")}) == 1
    with np.load(tmp_path / "rows.npz") as stored:
        assert stored["done"].all()
    assert left_over(tmp_path) == []
    capsys.readouterr()


def test_rows_of_another_run_are_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "rows.npz"
    mine, other = (Checkpoint(path, "question", np.full((4, 1, 4), value)) for value in (1.0, 2.0))
    other.mark([0, 1])
    other.write()
    mine.mark([3])
    mine.write()
    assert mine.done.tolist() == [True, True, False, True]
    assert mine.values[:, 0, 0].tolist() == [2.0, 2.0, 1.0, 1.0]
    again = Checkpoint(path, "question", np.zeros((4, 1, 4)))
    assert again.values[:, 0, 0].tolist() == [2.0, 2.0, 0.0, 1.0]


def test_another_question_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "rows.npz"
    mine, other = (Checkpoint(path, question, np.zeros((4, 1, 4))) for question in ("mine", "other"))
    other.mark([0])
    other.write()
    before = path.read_bytes()
    with pytest.raises(mh.BadInputError) as caught:
        mine.write()
    assert (
        str(caught.value) == f"matrix: {path} belongs to another question (delete it, or name another file)"
    )
    assert path.read_bytes() == before


def test_two_imports_into_one_folder(templates: dict[str, Path], tmp_path: Path) -> None:
    words = ["import", str(templates["import"] / "in"), "--system", "aos4", "-o", str(tmp_path)]
    code = f"import sys; from mathhammer.cli import main; sys.exit(max(main({words!r}) for _ in range(8)))"
    folder = tmp_path / "aos4"
    stop = threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not stop.is_set():
            for path in folder.glob("*.toml"):
                seen.append(len(tomllib.loads(path.read_text(encoding="utf-8"))["unit"]))

    reader = threading.Thread(target=read)
    reader.start()
    calls = [
        ([sys.executable, "-c", f"import os; os.dup2(os.open(os.devnull, os.O_WRONLY), 1); {code}"], tmp_path)
    ] * 2
    ended = at_once(*calls)
    stop.set()
    reader.join()
    assert [returned for returned, _ in ended] == [0, 0]
    assert set(seen) == {6}
    assert sorted(os.listdir(folder)) == ["ashfolk.toml", "emberfolk.toml"]


def test_two_processes_compile_at_once(tmp_path: Path) -> None:
    words = [
        *COMMAND,
        "compare",
        "Liberators",
        "--vs",
        "Clanrats",
        "--method",
        "simulate",
        "--trials",
        "20000",
        "--seed",
        "5",
    ]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    started = [
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=300) for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert said[0][0] == said[1][0]
    announced = "mathhammer: compiling the simulation kernel (once per machine, a few seconds)\n"
    assert {text for _, text in said} <= {"", announced}
    later = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
    assert (later.stdout, later.stderr) == (said[0][0], "")
    # a full disk while the machine code is stored is one sentence as well
    environment["NUMBA_CACHE_DIR"] = str(tmp_path / "full")
    full = subprocess.run(
        [sys.executable, "-c", LIMITED, "500", *words[3:]], capture_output=True, text=True, env=environment
    )
    assert full.returncode == 2
    assert full.stderr.splitlines()[-1].endswith(": File too large")
    assert "Traceback" not in full.stderr


# --- no place for machine code ----------------------------------------------------------------------------------------------------

NO_PLACE = """
import sys, tempfile
def refuse(*_, **__): raise PermissionError(13, "Permission denied")
tempfile.TemporaryFile = refuse  # by which numba finds out whether a folder can be written
"""


def test_kernels_do_without_a_cache(capsys: pytest.CaptureFixture[str]) -> None:
    code = (
        NO_PLACE
        + "import mathhammer.duel.kernels, mathhammer.pools.kernels, mathhammer.compare.sweep_kernels; from mathhammer.engine import kernels; print(kernels.play.stats.cache_path)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("None\n", "")
    announce_compiling(
        SimpleNamespace(
            __module__="a.b", __name__="play", signatures=[], stats=SimpleNamespace(cache_path=None)
        ),
        "duel",
    )
    said = (
        "mathhammer: compiling the duel kernel (every time, a few seconds; set NUMBA_CACHE_DIR to keep it)\n"
    )
    assert capsys.readouterr().err == said


def test_a_simulation_without_a_cache() -> None:
    words = [
        "compare",
        "Liberators",
        "--vs",
        "Clanrats",
        "--method",
        "simulate",
        "--trials",
        "20000",
        "--seed",
        "5",
    ]
    code = f"{NO_PLACE}\nfrom mathhammer.cli import main\nsys.exit(main({words!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        done.stderr
        == "mathhammer: compiling the simulation kernel (every time, a few seconds; set NUMBA_CACHE_DIR to keep it)\n"
    )
    assert (
        done.stdout == subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=True).stdout
    )


# --- every command that writes ------------------------------------------------------------------------------------------------------

KILNS = str(ROSTERS / "kilns.ros")
WRITERS: dict[str, list[str]] = {
    "situations": ["situations", "aos4"],
    "commands": ["commands", "aos4"],
    "options": ["options", "aos4"],
    "new unit": ["new", "unit", "aos4"],
    "compare": ["compare", "Liberators", "--vs", "Clanrats"],
    "kill": ["kill", "Clanrats", "--with", "Liberators"],
    "survive": ["survive", "Clanrats", "--against", "Liberators"],
    "plan": ["plan", "Liberators", "Clanrats"],
    "reroll": ["reroll", "Captain: melee", "--vs", "Boyz"],
    "choices": ["choices", "Necron Warriors", "--vs", "Marines", "--system", "wh40k11"],
    "threat": ["threat", "Rat Ogors"],
    "pile": ["pile", "Liberators", "--vs", "Clanrats"],
    "matrix": ["matrix", "Liberators", "--vs", "Clanrats"],
    "value": ["value", "Liberators", "--vs", "Clanrats"],
    "optimise": ["optimise", "Intercessor Squad", "--vs", "Marines"],
    "duel": ["duel", "Liberators", "Rat Ogors", "--rounds", "1"],
    "quick": ["quick", "20x 3+ 3+ -1 2", "--vs", "4+ health 2 x10"],
    "chance": ["chance", "charge", "9"],
    "units": ["units", "rat"],
    "read": ["read", "This unit has Ward (2+).", "--system", "aos4"],
    "show": ["show", "Rat Ogors"],
    "shoot": ["shoot", "Reikland Crossbowmen", "--range", "medium", "--at", "Rock Orc Shaman"],
    "clash": ["clash", "Karl Franz > Orc Boyz: counter 3"],
    "round": ["round", "Orc Boyz", "--event", "magic 1"],
    "regiments": ["regiments", "Orc Boyz", "--vs", "Orc Boyz", "--assume", "counter 2"],
    "recruit": ["recruit", "2 salt", "--vs", "garrison 1", "--people", "Duerkhar"],
    "split": ["split", "Liberators", "--system", "aos1", "--at", "Clanrats=5"],
    "quest": ["quest", "--hero", "magic 1, cunning 1", "--goal", "3 skulls"],
    "battle": ["battle", "3 Younglings, Koloth", "--vs", "Imperial Guard 3"],
    "chart": ["chart", "at_least", "Liberators", "--vs", "Clanrats"],
    "report": ["report", KILNS],
    "coverage": ["coverage", str(FIXTURES / "bsdata" / "aos4")],
    "list coverage": ["list", "coverage", KILNS],
    "list compare": ["list", "compare", KILNS, KILNS],
    "list report": ["list", "report", KILNS],
    "list show": ["list", "show", KILNS],
    "conformance": ["conformance", "--system", "aos1"],
    "changed": ["changed", str(SHEETS), str(SHEETS), "--system", "aos4"],
}


def commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        elif command is not None:
            yield f"{before}{name}", command


def test_every_command_with_an_output_is_tried() -> None:
    writing = {
        name for name, command in commands(cli) if any("-o" in option.opts for option in command.params)
    }
    assert writing - {"import", "atlas"} == set(WRITERS)  # these write folders


def out_of_space(_: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("name", WRITERS)
def test_no_command_writes_past_a_full_disk_or_a_missing_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "out.svg"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", out_of_space)
    assert main([*WRITERS[name], "-o", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert (
        said.err.splitlines()[-1]
        == f"{path}: cannot be written (No space left on device; nothing was changed)"
    )
    assert whole(tmp_path) == {"out.svg": b"old"}
    assert left_over(tmp_path) == []
    monkeypatch.undo()
    below = path / "x.svg"  # below a file no folder can be: even the superuser is refused
    assert main([*WRITERS[name], "-o", str(below)]) == 2
    assert (
        capsys.readouterr().err.splitlines()[-1]
        == f"{below}: cannot be written (give a file in a folder that exists)"
    )


@POSIX
@pytest.mark.parametrize("command", WORDS)
def test_a_disk_that_takes_only_so_many_bytes(
    command: str, templates: dict[str, Path], tmp_path: Path
) -> None:
    shutil.copytree(templates[command], tmp_path / "x")
    before = whole(tmp_path / "x")
    words = [word.replace("{}", str(tmp_path / "x")) for word in WORDS[command]]
    done = subprocess.run([sys.executable, "-c", LIMITED, "60", *words], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    *said, error = done.stderr.splitlines()
    assert error.endswith(": cannot be written (File too large; nothing was changed)")
    assert all(line.startswith("Night kilns: ") for line in said)  # what is not understood of a list
    assert bool(said) == (command == "report")
    assert whole(tmp_path / "x") == before
    assert left_over(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_stdout_on_a_full_disk() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, *WRITERS["chance"]], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "mathhammer: output: No space left on device\n")


# --- files --------------------------------------------------------------------------------------------------------------------------


@POSIX
def test_what_is_no_file_is_written_to_and_stays_what_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    files.replace_file(pipe, b"through")
    reader.join(timeout=10)
    assert got == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@POSIX
def test_links_and_rights_are_kept(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_bytes(b"old")
    (tmp_path / "real" / "a.txt").chmod(0o600)
    (tmp_path / "link.txt").symlink_to(tmp_path / "real" / "a.txt")
    files.replace_file(tmp_path / "link.txt", b"new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real" / "a.txt").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "real" / "a.txt").stat().st_mode) == 0o600
    before = os.umask(0o027)
    try:
        files.replace_file(tmp_path / "fresh.txt", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "fresh.txt").stat().st_mode) == 0o640


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    files.replace_file(
        tmp_path / ("ä" * 120 + ".txt"), b"long"
    )  # 244 bytes: the temporary name must not be longer
    for name, message in (
        ("x" * 300, f"{tmp_path / ('x' * 300)}: cannot be written (File name too long; nothing was changed)"),
        ("a\0b", f"{str(tmp_path / 'a') + chr(0) + 'b'!r}: cannot be written (no file can have that name)"),
        (".", f"{tmp_path}: cannot be written (give a file in a folder that exists)"),
    ):
        with pytest.raises(mh.BadInputError) as caught:
            files.replace_file(tmp_path / name, b"")
        assert str(caught.value) == message
    assert len(os.listdir(tmp_path)) == 1


def test_a_read_only_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    for name in ("open", "unlink"):
        monkeypatch.setattr(os, name, refuse)
    with pytest.raises(mh.BadInputError) as caught:
        files.replace_file(tmp_path / "a.txt", b"")
    assert (
        str(caught.value)
        == f"{tmp_path / 'a.txt'}: cannot be written (Read-only file system; nothing was changed)"
    )


def test_only_forsaken_leftovers_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (".a.txt.0123456789ab.part", ".b.txt.0123456789ab.part", ".a.txt", "a.part"):
        (tmp_path / name).touch()
    files.replace_file(tmp_path / "a.txt", b"1")  # they are young: somebody may be writing
    assert len(os.listdir(tmp_path)) == 5
    real = time.time()
    monkeypatch.setattr(time, "time", lambda: real + files.STALE_AFTER + 60)
    files.replace_file(tmp_path / "a.txt", b"2")
    assert sorted(os.listdir(tmp_path)) == [".a.txt", ".b.txt.0123456789ab.part", "a.part", "a.txt"]


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as it does where nobody knows the home
    for name in ("MATHHAMMER_DATASHEETS", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert load_unit("Liberators", "aos4").models == 5
    with pytest.raises(mh.BadInputError) as caught:
        user_folder()
    assert (
        str(caught.value)
        == "datasheets: you have no home folder (set MATHHAMMER_DATASHEETS to one for your own)"
    )
    assert main(["import", str(FIXTURES / "bsdata" / "aos4"), "--system", "aos4"]) == 2
    capsys.readouterr()


def test_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")  # a file: nothing can be made below it
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "MATHHAMMER_DATASHEETS")
    }
    environment["HOME"] = environment["USERPROFILE"] = environment["LOCALAPPDATA"] = str(tmp_path / "home")
    shown = subprocess.run([*COMMAND, *WRITERS["compare"]], capture_output=True, text=True, env=environment)
    assert (shown.returncode, shown.stderr) == (0, "")
    source = str(FIXTURES / "bsdata" / "aos4")
    done = subprocess.run(
        [*COMMAND, "import", source, "--system", "aos4"], capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(str(tmp_path / "home"))
    assert done.stderr.endswith("(Not a directory)\n")


def test_a_chart_where_no_home_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")
    environment = os.environ | dict.fromkeys(
        ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), str(tmp_path / "home")
    )
    done = subprocess.run(
        [*COMMAND, *WRITERS["chart"], "-o", str(tmp_path / "a.svg")],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")
