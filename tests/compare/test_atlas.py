"""An atlas: cells are what fights say, a killed run goes on, and every executor writes the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.compare import atlas as spec
from mathhammer.compare import atlas_run, atlas_tiles, sweep
from mathhammer.compare.atlas import parts_of, tiles_of
from mathhammer.compare.atlas_situations import read_situations

WORDS = {"aos4": ("hit", "wound", "rend"), "wh40k10": ("skill", "strength", "ap")}


def sheet(system: str) -> str:
    """Units that a sweep takes apart in every way: several weapons, effects, no weapon, no points."""
    lines = [f'system = "{system}"', 'faction = "Testers"', 'source = "made up"']
    a, b, c = WORDS[system]
    body = "health" if system == "aos4" else "wounds"
    for number in range(9):
        lines += [
            "[[unit]]",
            f'name = "Unit {number}"',
            f"models = {1 + number}",
            f"{body} = {1 + number % 3}",
        ]
        lines += [
            f"save = {3 + number % 4}",
            'keywords = ["infantry"]' if number % 2 else 'keywords = ["monster"]',
        ]
        lines += ["toughness = 5"] if system == "wh40k10" else []
        lines += [f"points = {90 + number}"] if number != 3 else []
        for arm in range(0 if number == 4 else 1 + number % 3):
            kind = "ranged" if arm == 1 else "melee"
            special = (
                ["Blast", "Lethal Hits"]
                if system == "wh40k10"
                else ["Crit (Mortal)", "Anti-MONSTER (+1 Rend)"]
            )
            lines += ["[[unit.weapon]]", f'name = "Arm {arm}"', f'kind = "{kind}"', f"attacks = {2 + arm}"]
            lines += ["range = 18"] if kind == "ranged" else []
            lines += [
                f"{a} = 3",
                f"{b} = 4",
                f"{c} = {-arm if c == 'ap' else arm}",
                f"damage = {['1', chr(34) + 'D3' + chr(34)][arm % 2]}",
            ]
            lines += (
                [f'abilities = ["{special[number % 2]}"]'] if kind == "ranged" or system == "aos4" else []
            )
        if number == 5:
            lines += ["[[unit.effect]]", 'name = "Rage"', 'when = ["models >= 3"]', 'hit_roll = "+1"']
        if number == 6:
            lines += ["[[unit.effect]]", 'name = "Mist"', 'on = "attacker"', 'hit_roll = "-1"']
        if number == 7:
            lines += [
                "[[unit.effect]]",
                'name = "Hatred"',
                'when = ["target has MONSTER"]',
                'wound_roll = "+1"',
            ]
        if number == 8:
            lines += ["[[unit.effect]]", 'name = "Many"', 'when = ["target models >= 4"]', 'attacks = "+1"']
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sheets")
    for system in WORDS:
        (root / system).mkdir()
        (root / system / "testers.toml").write_text(sheet(system), encoding="utf-8")
    return root


SITUATIONS: list[dict[str, Any]] = [
    {"name": "plain"},
    {"name": "charge", "situation": "charged", "weapons": "melee"},
    {"name": "aimed", "buffs": ["+1 to hit"], "target_buffs": ["-1 to wound"]},
]
HOW: dict[str, dict[str, Any]] = {
    "plain": {},
    "charge": {"situation": "charged", "weapons": "melee"},
    "aimed": {},
}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec, "ATTACKERS_EACH", 2)


@pytest.fixture(scope="module")
def whole(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run in one go, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        small_tiles(patch)
        place = tmp_path_factory.mktemp("whole") / "atlas"
        mh.atlas(folder, place, situations=SITUATIONS, workers=1)
    return contents(place)


@pytest.mark.slow
def test_every_cell_is_what_fight_says(folder: Path, tmp_path: Path) -> None:
    made = mh.atlas(folder, tmp_path / "atlas", situations=SITUATIONS, workers=1)
    seen = 0
    for tile, about in zip(made.tiles, made.manifest["tiles"], strict=True):
        table = pyarrow.parquet.read_table(tile)
        assert [str(field.type) for field in table.schema][4:] == ["float"] * 5
        assert table.num_rows == about["rows"]
        for row in table.to_pylist():
            seen += 1
            where = {"system": about["system"], "datasheets": folder}
            attacker, target = (mh.load_unit(row[side], **where) for side in ("attacker", "target"))
            if row["situation"] == "aimed":
                attacker = mh.unit(f"{attacker.name}: +1 to hit", **where)
                target = mh.unit(f"{target.name}: -1 to wound", **where)
            try:
                result = mh.fight(attacker, target, **HOW[row["situation"]])
            except mh.BadInputError:
                assert row["kind"] == ""
                assert [row[name] for name in list(row)[4:]] == [None] * 5
                continue
            harm = result.lost if result.pool is None else result.damage
            wanted = [harm.mean(), result.lost.mean(), result.slain.mean(), result.p_destroyed]
            assert [row[name] for name in list(row)[4:8]] == pytest.approx(wanted, rel=1e-6, abs=1e-12)
            points = target.points
            worth = None if points is None else points * result.lost.mean() / target.health
            assert row["points_removed"] == (None if worth is None else pytest.approx(worth, rel=1e-6))
    assert seen == made.manifest["cells"] == 2 * 3 * 81


def test_the_manifest_says_what_it_holds(folder: Path, tmp_path: Path) -> None:
    made = mh.atlas([folder / "aos4"], tmp_path / "atlas", situations=SITUATIONS, workers=1)
    manifest = json.loads((tmp_path / "atlas" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest == made.manifest
    assert (manifest["schema"], manifest["mathhammer"], manifest["complete"]) == (
        "mathhammer-atlas/1",
        mh.__version__,
        True,
    )
    [game] = manifest["games"]
    assert game["units"][2] == {
        "name": "Unit 2", "factions": ["Testers"], "models": 3, "health": 9, "points": 92,
        "kinds": ["melee", "ranged"], "not_covered": [],
    }  # fmt: skip
    assert game["no_weapon"] == ["Unit 4"]
    assert game["situations"][1] == {"name": "charge", "weapons": "melee", "situation": ["charged"]}
    assert list(game["datasheets"]) == ["aos4/testers.toml"]
    assert len(game["datasheets"]["aos4/testers.toml"]) == 64
    assert repr(made) == f"Atlas({tmp_path / 'atlas'}: 243 fights in 1 tiles)"


@pytest.mark.parametrize("way", ["two processes", "threads", "a pool"])
def test_another_executor_writes_the_same_bytes(
    way: str, folder: Path, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_tiles(monkeypatch)
    if way == "two processes":
        mh.atlas(folder, tmp_path / "atlas", situations=SITUATIONS, workers=2)
    else:
        pool: Executor = ThreadPoolExecutor(2) if way == "threads" else ProcessPoolExecutor(2)
        with pool:
            mh.atlas(folder, tmp_path / "atlas", situations=SITUATIONS, executor=pool)
    assert contents(tmp_path / "atlas") == whole


def test_it_goes_on_from_finished_tiles_and_mends_a_broken_one(
    folder: Path, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_tiles(monkeypatch)
    place, seen = tmp_path / "atlas", []

    def stop(done: int, wanted: int) -> None:
        seen.append((done, wanted))
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mh.atlas(folder, place, situations=SITUATIONS, workers=1, progress=stop)
    assert len(list(place.glob("*.parquet"))) == 3
    (place / "aos4-00001.parquet").write_bytes(whole["aos4-00001.parquet"][:-20])
    again: list[int] = []
    made = mh.atlas(
        folder, place, situations=SITUATIONS, workers=1, progress=lambda done, _: again.append(done)
    )
    assert again == list(range(2, 11))
    assert made.manifest["complete"]
    assert contents(place) == whole


KILLED = """
import sys
from mathhammer.compare import atlas, atlas_run
atlas.ATTACKERS_EACH = 2
atlas_run.atlas({folder!r}, {place!r}, situations={situations!r}, workers={workers})
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_goes_on_to_the_same_bytes(
    workers: int, folder: Path, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_tiles(monkeypatch)
    place = tmp_path / "atlas"
    code = KILLED.format(folder=str(folder), place=str(place), situations=SITUATIONS, workers=workers)
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    while not list(place.glob("*.parquet")) and process.poll() is None:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    for _ in range(600):  # workers that have lost their parent finish their tile and end
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        pytest.fail("a worker goes on without its parent")
    assert not json.loads((place / "manifest.json").read_text(encoding="utf-8"))["complete"]
    for leftover in place.glob(".*.part"):
        leftover.unlink()  # removed by a later run once it is old
    mh.atlas(folder, place, situations=SITUATIONS, workers=1)
    assert contents(place) == whole


def dies_once(part: Any, tile: Any, folder: str) -> str:
    """A worker that is killed with the third tile, the first time."""
    mark = Path(folder).parent / "died"
    if tile.path.endswith("00002.parquet") and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return atlas_tiles.write_tile(part, tile, folder)


def always_dies(part: Any, tile: Any, folder: str) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the worker's function is inherited by forking")
def test_a_lost_process_costs_its_tiles_only(
    folder: Path, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_tiles(monkeypatch)
    monkeypatch.setattr(atlas_run, "write_tile", dies_once)
    told: list[int] = []
    mh.atlas(
        folder,
        tmp_path / "atlas",
        situations=SITUATIONS,
        workers=2,
        progress=lambda done, _: told.append(done),
    )
    assert (tmp_path / "died").exists()
    assert told == sorted(told)  # what was finished stays so
    for leftover in (tmp_path / "atlas").glob(".*.part"):
        leftover.unlink()  # of a process that ended with the lost one; a later run removes it once it is old
    assert contents(tmp_path / "atlas") == whole
    monkeypatch.setattr(atlas_run, "write_tile", always_dies)
    with pytest.raises(mh.BadInputError, match="a process ended on its own, probably out of memory"):
        mh.atlas(folder, tmp_path / "other", situations=SITUATIONS, workers=2)


def test_two_runs_at_once_share_a_folder(
    folder: Path, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_tiles(monkeypatch)
    place = tmp_path / "atlas"
    code = KILLED.format(folder=str(folder), place=str(place), situations=SITUATIONS, workers=1)
    process = subprocess.Popen([sys.executable, "-c", code])
    mh.atlas(folder, place, situations=SITUATIONS, workers=1)
    assert process.wait() == 0
    assert contents(place) == whole


@pytest.mark.slow
def test_a_dask_cluster_that_loses_a_worker(
    folder: Path, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    small_tiles(monkeypatch)
    place, killed = tmp_path / "atlas", []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:

        def kill_one(done: int, wanted: int) -> None:
            if done >= 2 and not killed:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        made = mh.atlas(
            folder, place, situations=SITUATIONS, scheduler=cluster.scheduler_address, progress=kill_one
        )
    assert killed
    assert made.manifest["complete"]
    assert contents(place) == whole


class Lost(ThreadPoolExecutor):
    """An executor whose workers are gone."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        raise BrokenExecutor


class Elsewhere(ThreadPoolExecutor):
    """An executor on machines that do not share the folder."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result("somewhere")
        return done


@pytest.mark.slow
def test_a_dask_cluster_that_is_lost(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tile that kills every worker is given up with a sentence."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(atlas_run, "write_tile", always_dies)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        pytest.raises(mh.BadInputError) as caught,
    ):
        mh.atlas(folder, tmp_path / "atlas", scheduler=cluster.scheduler_address)
    assert str(caught.value).startswith("atlas: the dask cluster was lost (KilledWorker; the same command")


def test_executors_that_cannot_do_it(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(
        mh.BadInputError, match=r"a process ended on its own, .*\(use fewer workers; the same comm"
    ):
        mh.atlas(folder, tmp_path / "a", executor=Lost())
    with pytest.raises(mh.BadInputError, match=r"was written, but not here \(workers need the same folder"):
        mh.atlas(folder, tmp_path / "b", executor=Elsewhere())
    with pytest.raises(mh.BadInputError, match=r"atlas: executor 'dsak' \(write processes or dask\)"):
        mh.atlas(folder, tmp_path / "c", executor="dsak")
    with pytest.raises(mh.BadInputError, match="a scheduler goes with dask"):
        mh.atlas(folder, tmp_path / "c", executor="processes", scheduler="tcp://127.0.0.1:1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "{}: no situation in it (write one or more [[situation]] with a name)"),
        ("[[situation]]\n", '{}: situation 1 has no name (write name = "...")'),
        ("[[situatoin]]\n", "{}: unknown table 'situatoin' (write [[situation]])"),
        ("situation = 3", "{}: no situation in it (write one or more [[situation]] with a name)"),
        (
            '[[situation]]\nname = "a"\n[[situation]]\nname = "a"',
            "{}, situation 'a': there are two of that name (give each its own)",
        ),
        ('[[situation]]\nname = "a"\nweapon = "melee"', "{}, situation 'a': unknown key 'weapon' (did you mean 'weapons'?)"),
        ('[[situation]]\nname = "a"\nsituation = "chraged"', "atlas, aos4, situation 'a': unknown situation 'chraged' (did you mean 'charged'?)"),
        ('[[situation]]\nname = "a"\nweapons = "mele"', "atlas, aos4, situation 'a': weapons is 'mele' (did you mean 'melee'?)"),
        ('[[situation]]\nname = "a"\ndistance = -3', "atlas, aos4, situation 'a': distance -3"),
        ('[[situation]]\nname = "a"\nbuffs = ["+1 to hti"]', "atlas, aos4, situation 'a': buffs: cannot read '+1 to hti' (did you mean '+1 to hit'?)"),
        ('[[situation]]\nname = "a"\nbuffs = ["reinforced"]', "atlas, aos4, situation 'a': buffs: 'reinforced' is a size"),
        ('[[situation]]\nname = "a"\nsystem = "wh40k10"', "atlas: situation 'a' is for 'wh40k10', which is not asked for"),
        ("name = ", "{}: not TOML"),
    ],
)  # fmt: skip
def test_bad_situations(
    text: str, message: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.toml"
    path.write_text(text, encoding="utf-8")
    assert main(["atlas", str(folder / "aos4"), "--situations", str(path), "-o", str(tmp_path / "a")]) == 2
    assert capsys.readouterr().err.startswith(message.format(path))
    assert not (tmp_path / "a").exists()


def test_bad_inputs(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "diary.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    here = str(folder / "aos4")
    for words, message in (
        (["aos5"], "atlas: 'aos5' is neither a game nor a folder (did you mean 'aos4'?)\n"),
        (["diskwars"], "atlas: Warhammer: Diskwars has no units with weapons"),
        ([str(tmp_path / "empty")], f"atlas: {tmp_path / 'empty'} holds no units (give the folder that"),
        ([here, "--workers", "0"], "atlas: workers 0 (give a whole number from 1 on)\n"),
        ([here, "--situations", str(tmp_path / "none.toml")], f"{tmp_path / 'none.toml'}: cannot be read"),
        (
            [here, "--scheduler", "nonsense://1"],
            "atlas: the scheduler at nonsense://1 does not answer (ValueError",
        ),
    ):
        assert main(["atlas", *words, "-o", str(tmp_path / "out")]) == 2
        assert capsys.readouterr().err.startswith(message)
        assert (tmp_path / "out").exists() == ("--scheduler" in words)
    assert main(["atlas", here, "-o", str(tmp_path / "full")]) == 2
    assert capsys.readouterr().err == f"atlas: {tmp_path / 'full'} holds other files (name a new folder)\n"
    assert main(["atlas", here, "-o", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err == f"atlas: {tmp_path / 'file'} is not a folder (name another one)\n"


def test_another_question_is_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, place = str(folder / "aos4"), str(tmp_path / "a")
    assert main(["atlas", here, "-o", place, "--workers", "1"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("81 fights in 1 tile, 0.0 MB: ")
    assert out[1:3] == [
        "Warhammer Age of Sigmar, 4th edition: 9 units, 1 situation",
        "aos4: no weapon: Unit 4",
    ]
    assert main(["atlas", str(folder), "-o", place]) == 2
    assert capsys.readouterr().err.startswith(f"atlas: {place} holds the atlas of another question")
    (tmp_path / "a" / "manifest.json").write_text("{}", encoding="utf-8")
    assert main(["atlas", here, "-o", place]) == 2
    assert capsys.readouterr().err.startswith(
        f"atlas: {tmp_path / 'a' / 'manifest.json'} is not the manifest"
    )


def test_a_dry_run_writes_nothing(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["atlas", str(folder), "-o", str(tmp_path / "a"), "--dry-run"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "162 fights in 2 tiles; nothing was worked out (drop --dry-run)",
        "Warhammer Age of Sigmar, 4th edition: 9 units, 1 situation",
        "Warhammer 40,000, 10th edition: 9 units, 1 situation",
    ]
    assert not (tmp_path / "a").exists()


def test_without_pyarrow(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(mh.BadInputError) as caught:
        mh.atlas(folder, tmp_path / "a")
    assert (
        str(caught.value) == "atlas: needs pyarrow, which is not installed (pip install 'mathhammer[dask]')"
    )


def test_what_is_refused_is_named(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command against the wrong kind of target, and words that only some units understand."""
    told = [{"name": "smoke", "commands": "smokescreen"}, {"name": "arm 2", "buffs": ["Arm 2"]}]
    made = mh.atlas(folder / "wh40k10", tmp_path / "a", situations=told, workers=1)
    reasons = {
        (one["attacker"], one["target"], one["situation"]): one["reason"] for one in made.manifest["refused"]
    }
    assert "cannot read 'Arm 2'" in reasons["Unit 0", "", "arm 2"]
    assert ("Unit 2", "", "arm 2") not in reasons
    rows = [row for path in made.tiles for row in pyarrow.parquet.read_table(path).to_pylist()]
    blank = {(row["attacker"], row["situation"]) for row in rows if row["kind"] == ""}
    assert ("Unit 0", "arm 2") in blank
    assert ("Unit 2", "arm 2") not in blank


def test_what_is_too_much_for_the_exact_engine_is_named_and_the_rest_is_there(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = mh.atlas(folder / "wh40k10", tmp_path / "a", workers=1)
    real, asked = sweep.exactly, []

    def heavy(plan: Any) -> Any:
        asked.append(plan)
        if len(asked) % 3 == 0:
            raise mh.TooLargeError("fight: exact needs 7 million states")
        return real(plan)

    monkeypatch.setattr(sweep, "exactly", heavy)
    made = mh.atlas(folder / "wh40k10", tmp_path / "b", workers=1)
    named = {(one["attacker"], one["target"]) for one in made.manifest["refused"]}
    assert {one["reason"] for one in made.manifest["refused"]} == {"fight: exact needs 7 million states"}
    assert 0 < len(named) < 81
    before, after = (pyarrow.parquet.read_table(one.tiles[0]).to_pylist() for one in (plain, made))
    for row, other in zip(before, after, strict=True):
        if (row["attacker"], row["target"]) in named:
            assert [other[name] for name in list(row)[3:]] == ["", *[None] * 5]
        else:
            assert row == other


def test_units_of_one_name_are_told_apart_and_copies_are_one(tmp_path: Path) -> None:
    (tmp_path / "aos4").mkdir()
    unit = '[[unit]]\nname = "Rats"\nmodels = 5\nhealth = {}\nsave = 5\n{}\n'
    for faction, health, points in (
        ("A", 1, "points = 60"),
        ("B", 1, ""),
        ("C", 2, "points = 70"),
        ("D", 1, "points = 60"),
    ):
        text = f'system = "aos4"\nfaction = "{faction}"\nsource = "x"\n' + unit.format(health, points)
        (tmp_path / "aos4" / f"{faction}.toml").write_text(text, encoding="utf-8")
    [part] = parts_of([tmp_path], [])
    assert part.names == ("Rats (A)", "Rats (C)")
    assert part.factions == (("A", "D", "B"), ("C",))


def test_many_situations_make_small_tiles(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = parts_of([folder / "aos4"], [{"name": str(n)} for n in range(100)])
    for most in (90, 1000, 100_000):
        monkeypatch.setattr(spec, "MOST_ROWS", most)
        tiles = tiles_of(parts)
        assert sum(tile.rows(9) for tile in tiles) == 8100
        assert max(tile.rows(9) for tile in tiles) <= most
        assert len({tile.path for tile in tiles}) == len(tiles)


def test_situations_of_a_game_are_for_that_game(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(
        '[[situation]]\nname = "a"\nsystem = "aos4"\ncommands = "all-out attack"\n', encoding="utf-8"
    )
    parts = {part.system: part for part in parts_of([folder], read_situations(path))}
    assert [one.how for one in parts["aos4"].situations] == [{"commands": ("all_out_attack",)}]
    assert [one.name for one in parts["wh40k10"].situations] == ["plain"]
