"""The command line as a user meets it: stdout, stderr, exit codes."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

import mathhammer as mh
from mathhammer.cli import cli, commands, main
from mathhammer.cli.answer import Answer
from mathhammer.cli.output import sparkline
from mathhammer.tables import Column, Table, as_csv

ESCAPE = "\x1b"


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(list(words)) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


# --- compare ------------------------------------------------------------------------------------------------------------


def test_compare_shows_the_numbers_of_fight(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(
        capsys,
        "compare",
        "liberators",
        "RAT OGORS",
        "--vs",
        "clanrats",
        "Clawlord on Gnaw-beast",
        "--system",
        "aos4",
    )
    conditions, not_counted, *lines = out.splitlines()
    assert conditions == "Age of Sigmar 4 · exact · melee, smallest sizes unless named"
    assert not_counted == (
        "not counted: Clanrats: slain models return at the end of the enemy's turns too; Clanrats: Seething Swarm (counts in duels only); Rat Ogors: Unleashed Warp-fury (not used)"
    )
    assert len(lines) == 5
    assert lines[0].split()[:5] == ["Target", "Attacker", "Kind", "Damage", "Slain"]
    result = mh.fight(mh.load_unit("Rat Ogors", "aos4"), mh.load_unit("Clawlord on Gnaw-beast", "aos4"))
    row = lines[4]
    assert f"{result.damage.mean():.2f} ± {result.damage.sd():.2f}" in row
    assert f"{result.slain.mean():.2f} ± {result.slain.sd():.2f}" in row
    assert "/".join(str(result.damage.quantile(q)) for q in (0.1, 0.5, 0.9)) in row
    assert f"{result.p_destroyed:.1%}" in row
    assert f"{result.damage.mean() / 140 * 100:.2f}" in row
    assert err == ""


def test_vs_alone_means_the_reference_targets(capsys: pytest.CaptureFixture[str]) -> None:
    bare, _ = run(capsys, "compare", "Liberators", "--vs")
    without, _ = run(capsys, "compare", "Liberators")
    followed, _ = run(capsys, "compare", "Liberators", "--vs", "--sort", "name")
    assert bare == without == followed
    table, profiles = bare.split("\n\n")
    assert (len(table.splitlines()), len(profiles.splitlines())) == (10, 8)


def test_everything_that_changes_a_fight_reaches_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = "compare Liberators --vs Clanrats --models 10 --situation charged,target_in_cover --command all_out_attack --weapons Warhammer"
    out, _ = run(
        capsys,
        *words.split(),
        "--distance",
        "1",
        "--round",
        "2",
        "--option",
        "spearhead=yes",
        "--format",
        "csv",
    )
    (row,) = csv.DictReader(io.StringIO(out))
    unit = mh.load_unit("Liberators", "aos4").with_models(10)
    wanted = mh.fight(
        unit,
        mh.load_unit("Clanrats", "aos4"),
        weapons=["Warhammer"],
        situation=("charged", "target_in_cover"),
        commands="all_out_attack",
        distance=1,
        round=2,
        options={"spearhead": True},
    )
    assert float(row["slain"]) == wanted.slain.mean()
    assert row["models"] == "10"


def test_a_leaders_gift_is_added_with_with(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write_sheet(tmp_path)
    plain, _ = run(
        capsys, "compare", "My Unit", "--vs", "My Unit", "--datasheets", str(tmp_path), "--format", "csv"
    )
    gifted, _ = run(
        capsys,
        "compare",
        "My Unit",
        "--vs",
        "My Unit",
        "--with",
        "My Leader",
        "--datasheets",
        str(tmp_path),
        "--format",
        "csv",
    )
    warded, _ = run(
        capsys,
        "compare",
        "My Unit",
        "--vs",
        "My Unit",
        "--target-with",
        "My Leader",
        "--datasheets",
        str(tmp_path),
        "--format",
        "csv",
    )
    damage = [float(next(csv.DictReader(io.StringIO(text)))["damage"]) for text in (plain, gifted, warded)]
    assert damage[1] == pytest.approx(damage[0] * 4 / 3)
    assert damage[2] == pytest.approx(damage[0] * 5 / 6)


def write_sheet(folder: Path) -> Path:
    (folder / "aos4").mkdir(exist_ok=True)
    path = folder / "aos4" / "mine.toml"
    path.write_text(
        """
system = "aos4"
faction = "Mine"
source = "made up for a test"
checked = 2026-11-16
[[unit]]
name = "My Unit"
models = 5
health = 1
  [[unit.weapon]]
  name = "Club"
  attacks = 2
  hit = 4
  wound = 4
  damage = 1
[[unit]]
name = "My Leader"
health = 5
  [[unit.effect]]
  name = "Gift"
  on = "friends"
  hit_roll = "+1"
  ward = 6
""",
        encoding="utf-8",
    )
    return path


def test_sorting_and_points(capsys: pytest.CaptureFixture[str]) -> None:
    for sort, column in (
        ("damage", "damage"),
        ("slain", "slain"),
        ("destroyed", "p_destroyed"),
        ("points", "damage_per_100"),
    ):
        out, _ = run(capsys, "compare", "Liberators", "Rat Ogors", "--sort", sort, "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        groups = [list(group) for _, group in itertools.groupby(rows, key=lambda row: row["target"])]
        assert len(groups) == 8  # the rows of a target stay together
        for group in (*groups, [group[0] for group in groups]):
            values = [float(row[column]) for row in group]
            assert values == sorted(values, reverse=True)
    plain, _ = run(capsys, "compare", "Rat Ogors", "--vs", "Clanrats")
    scaled, _ = run(capsys, "compare", "Rat Ogors", "--vs", "Clanrats", "--per-100-points")
    assert "8.33 ± 3.47" in plain
    assert "5.95 ± 2.48" in scaled


def test_full_shows_waste_points_and_who_does_more(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("Liberators", "Rat Ogors", "Stormvermin")
    out, _ = run(capsys, "compare", *names, "--vs", "Clanrats", "Hero", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    clanrats = mh.load_unit("Clanrats", "aos4")
    results = [mh.fight(mh.load_unit(name, "aos4"), clanrats) for name in names]
    first = results[0].damage
    for row, result in zip(rows[:3], results, strict=True):
        assert float(row["overkill"]) == pytest.approx(result.damage.mean() - result.lost.mean())
        assert float(row["points_removed"]) == pytest.approx(150 * result.lost.mean() / 20)
        more = sum(result.damage[k] * first.at_most(k - 1) for k in range(len(result.damage)))
        assert (row["p_more"] == "") if result is results[0] else float(row["p_more"]) == pytest.approx(more)
    assert sorted(row["rank"] for row in rows[:3]) == ["1", "2", "3"]
    out, _ = run(capsys, "compare", *names, "--vs", "Clanrats", "--full")
    assert "Beats first" in out.splitlines()[2]
    _, err = run(capsys, "compare", "Skeleton Warriors", "--system", "aos1", "--per-100-points", code=2)
    assert err == "compare: Skeleton Warriors has no points (drop --per-100-points)\n"


def test_json_carries_schema_method_and_errors(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "compare", "Liberators", "--vs", "Clanrats", "--format", "json")
    exact = json.loads(out)
    assert (exact["schema"], exact["system"], exact["method"], exact["trials"]) == (
        "mathhammer-compare/1",
        "aos4",
        "exact",
        None,
    )
    (row,) = exact["rows"]
    assert row["damage_se"] == 0.0
    assert sum(row["slain_pmf"].values()) == pytest.approx(1.0)
    assert row["funnel"]["attacks"] == 11
    words = (
        "compare",
        "Liberators",
        "--vs",
        "Clanrats",
        "--format",
        "json",
        "--method",
        "simulate",
        "--trials",
        "20000",
        "--seed",
        "5",
    )
    out, _ = run(capsys, *words)
    played = json.loads(out)
    assert (played["method"], played["trials"], played["seed"]) == ("simulate", 20000, 5)
    assert played["rows"][0]["damage_se"] > 0
    again, _ = run(capsys, *words)
    assert again == out


def test_markdown_and_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "table.md"
    out, _ = run(capsys, "compare", "Liberators", "--vs", "Clanrats", "--format", "md", "-o", str(target))
    assert out == ""
    text = target.read_text(encoding="utf-8")
    conditions, _, table = text.split("\n\n")  # a table begins a paragraph
    assert conditions == "Age of Sigmar 4 · exact · 5 models, melee"
    assert table.startswith("| Target | Attacker | Kind |")
    assert len(table.splitlines()) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["table.md"]  # no temporary file is left
    _, err = run(
        capsys, "compare", "Liberators", "--vs", "Clanrats", "-o", str(tmp_path / "no" / "x.txt"), code=2
    )
    assert err.endswith("cannot be written (give a file in a folder that exists)\n")


def test_charts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, magic in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml")):
        for _ in range(2):
            run(
                capsys,
                "compare",
                "Liberators",
                "Rat Ogors",
                "--vs",
                "Clanrats",
                "--chart",
                str(tmp_path / name),
            )
        assert (tmp_path / name).read_bytes().startswith(magic)
    first = (tmp_path / "a.svg").read_bytes()
    run(capsys, "compare", "Liberators", "Rat Ogors", "--vs", "Clanrats", "--chart", str(tmp_path / "b.svg"))
    assert (tmp_path / "b.svg").read_bytes() == first
    _, err = run(
        capsys, "compare", "Liberators", "--vs", "Clanrats", "--chart", str(tmp_path / "a.gif"), code=2
    )
    assert err == f"chart: {str(tmp_path / 'a.gif')!r} is not a picture (name it .png or .svg)\n"


@pytest.mark.rule("AOS4-16.0")
def test_remarks_go_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(
        capsys, "compare", "Rat Ogors", "--vs", "Clanrats", "--weapons", "ranged", "--distance", "20"
    )
    assert len(out.splitlines()) == 4
    assert err == "Rat Ogors, Warpfire Gun: does not attack Clanrats, 20 inches away, range 10 (AOS4-16.0)\n"


# --- the other commands ---------------------------------------------------------------------------------------------------


def test_quick_reads_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(
        capsys, "quick", "20x 3+ 3+ -1 2 crit(mortal)", "--vs", "4+ ward 5+ health 2 x10", "--format", "json"
    )
    (row,) = json.loads(out)["rows"]
    assert row["damage"] == pytest.approx(10.37037037)
    out, _ = run(
        capsys,
        "quick",
        "5xD6 3+ 4+ rend 1 D3 companion",
        "4x 2+ 2+ 1",
        "--vs",
        "-",
        "6+ x20 hero",
        "--format",
        "json",
    )
    rows = json.loads(out)["rows"]
    assert rows[0]["funnel"]["attacks"] == pytest.approx(5 * 3.5 + 5 * 4)
    assert len(rows) == 2
    out, _ = run(
        capsys,
        "quick",
        "10x 3+ 3+ 1 anti-hero",
        "--vs",
        "4+ health 5 hero",
        "4+ health 5",
        "--format",
        "json",
    )
    hero, other = json.loads(out)["rows"]
    assert hero["damage"] == pytest.approx(other["damage"] * 4 / 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["20x 3+ 3+ -1 2 crit(mortl)", "--vs", "4+"],
            "quick: '20x 3+ 3+ -1 2 crit(mortl)': cannot read 'crit(mortl)' (did you mean 'Crit (Mortal)'?)",
        ),
        (
            ["20x 3+", "--vs", "4+"],
            "quick: no wound in '20x 3+' (write something like '20x 3+ 3+ -1 2 crit(mortal)'; wound is the '3+')",
        ),
        (
            ["20x 3+ 3+ 1 %", "--vs", "4+"],
            "quick: cannot read '%' in '20x 3+ 3+ 1 %' (write something like '20x 3+ 3+ -1 2 crit(mortal)')",
        ),
        (["20x 3+ 3+ 4+ 1", "--vs", "4+"], "quick: wound is given twice (3 and 4)"),
        (
            ["20x 1+ 3+ 1", "--vs", "4+"],
            "you, 20x 1+ 3+ 1: hit 1+ is not a roll of a D6 (give 2 to 6, 3 means 3+)",
        ),
        (
            ["20x 3+ 3+ 1", "--vs", "4+ 5"],
            "quick: cannot read '5' in '4+ 5' (write something like '4+ ward 5+ health 2 x10')",
        ),
        (
            ["--system", "wh40k10", "10x2 3+ S5 AP-1 D2", "--vs", "3+ W2"],
            "quick: no toughness in '3+ W2' (write something like 'T4 3+ 4++ fnp 5+ W2 x10')",
        ),
        (["20x 3+ 3+ 1"], "quick: Missing option '--vs'. (see mathhammer quick --help)"),
    ],
)
def test_quick_messages(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    out, err = run(capsys, "quick", *words, code=2)
    assert (out, err) == ("", message + "\n")


@pytest.mark.rule("AOS4-C-6.0")
def test_show_tells_how_many_of_a_weapon_a_model_has(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "show", "Forgefiend", "--system", "wh40k10")
    assert "2 x Hades autocannon" in out
    out, _ = run(capsys, "show", "Forgefiend", "--system", "wh40k10", "--format", "json")
    gun = json.loads(out)["unit"]["weapon"][0]
    assert (gun["name"], gun["copies"], gun["attacks"]) == ("Hades autocannon", 2, 6)


def test_explain_units_show(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "explain", "Liberators", "Clanrats", "--models", "10", "--command", "all_out_attack")
    assert "+1 All-out Attack (AOS4-C-6.0)" in out
    assert "Attacks: 8 models x 2" in out
    out, _ = run(capsys, "units", "ogor", "--system", "aos4")
    assert "Rat Ogors" in out
    assert "Liberators" not in out
    out, _ = run(capsys, "show", "clawlord on gnaw-beast")
    assert "Clawlord on Gnaw-beast (Skaven, Warhammer Age of Sigmar, 4th edition)" in out
    assert re.search(r"Warpforged Halberd +melee +- +all +5 +3\+ +4\+ +1", out)
    assert re.search(r"Cornered Rat +works when damaged +attacks \+3 \(with Warpforged Halberd\)", out)
    _, err = run(capsys, "units", "xyzzy", code=2)
    assert err == "units: none with 'xyzzy' (try a shorter word, or mathhammer units)\n"


def test_chance(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "chance", "charge", "9", "--reroll")[0].splitlines()[:2] == [
        "needed: 9",
        "success: 47.84%",
    ]
    assert "success: 56.94%" in run(capsys, "chance", "charge", "9", "--reroll", "--reroll-dice", "subset")[0]
    assert "answered now: 66.67%" in run(capsys, "chance", "pray", "7", "--ritual-points=4")[0]
    for words in (("rally", "2", "--slain", "3"), ("cast", "7", "--unbind"), ("unbind", "8"), ("run", "5")):
        assert run(capsys, "chance", *words)[0]
    out, _ = run(capsys, "chance", "charge", "9", "--format", "json")
    assert json.loads(out)["answer"]["p_success"] == pytest.approx(10 / 36)
    assert (
        "mean mortal wounds: 3" in run(capsys, "chance", "grenade", "Terminators", "--system", "wh40k10")[0]
    )
    listed, _ = run(capsys, "chance")
    assert "charge" in listed
    assert "A charge roll" in listed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chance", "chrage", "9"], "chance: unknown question 'chrage' (did you mean 'charge'?)"),
        (
            ["chance", "charge", "9", "--rerol"],
            "chance: charge: unknown detail 'rerol' (did you mean 'reroll'?)",
        ),
        (["chance", "charge", "nine"], "odds: charge: needed is 'nine' (give a whole number)"),
        (
            ["chance", "grenade", "Terminatros", "--system", "wh40k10"],
            "chance: no unit 'Terminatros' in wh40k10 (did you mean 'Terminators'?)",
        ),
        (["chance", "charge", "9", "--modifier"], "chance: charge: --modifier needs a value"),
        (["chance", "unbind", "9", "1", "2"], "chance: unbind: unexpected argument '2'"),
        (["compare", "Librators"], "(did you mean 'Liberators'?)"),
        (
            ["compare", "Liberators", "--vs", "Clanrat"],
            "compare: no unit 'Clanrat' in aos4 (did you mean 'Clanrats'?)",
        ),
        (
            ["compare", "Liberators", "--situation", "chraged"],
            "fight: unknown situation 'chraged' (did you mean 'charged'?)",
        ),
        (["compare", "Liberators", "--command", "charge"], "fight: unknown command 'charge'"),
        (
            ["compare", "Liberators", "--models", "-3"],
            "Liberators: -3 models (give a whole number from 1 to 1000)",
        ),
        (
            ["compare", "Liberators", "--trials", "5"],
            "compare: --trials goes with --method simulate (see mathhammer compare --help)",
        ),
        (["compare", "Liberators", "--option", "x"], "--option 'x' (write NAME=VALUE)"),
        (
            ["compare", "Liberators", "--datasheets", "/nowhere"],
            "datasheets: /nowhere is not a folder (give one that holds aos4/*.toml and the like)",
        ),
        (["compare"], "compare: Missing argument 'ATTACKERS...'. (see mathhammer compare --help)"),
        (["comparre"], "mathhammer: no command 'comparre' (did you mean 'compare'?)"),
        (["compare", "Liberators", "--frmat", "json"], "--frmat"),
        (["show", "Nobody at all"], "show: no unit 'Nobody at all'"),
        (["schema", "aos9"], "schema: Invalid value for"),
    ],
)
def test_one_sentence_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    out, err = run(capsys, *words, code=2)
    assert out == ""
    assert message in err
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("command", commands())
def test_every_help_has_an_example_that_works(
    capsys: pytest.CaptureFixture[str], command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    out, _ = run(capsys, command, "--help")
    found = re.findall(r"^\s+mathhammer (.*)$", out, re.MULTILINE)
    assert found, out
    for example in found:
        import shlex

        words = shlex.split(example.partition(" > ")[0])
        assert words[0] == command
        if command != "serve":  # it runs until Ctrl-C: tests/serve starts it
            run(capsys, *words)


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "--help")
    for name in commands():
        assert re.search(rf"^  {name} ", out, re.MULTILINE)
    assert set(commands()) == set(cli.list_commands(None))  # type: ignore[arg-type,attr-defined]
    assert run(capsys, "--version")[0] == f"mathhammer, version {mh.__version__}\n"


# --- pipes, terminals, interrupts -----------------------------------------------------------------------------------------


def shell(*words: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "mathhammer", *words], capture_output=True, env=os.environ | env, check=False
    )


def test_a_pipe_gets_plain_columns() -> None:
    done = shell("compare", "Liberators", "--vs", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0
    assert ESCAPE.encode() not in done.stdout
    assert not re.search(r"[│┃─━]", done.stdout.decode())
    assert len(done.stdout.decode().splitlines()) == 19
    plain = shell("compare", "Liberators", "--vs", "Clanrats", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert plain.returncode == 0, plain.stderr


def test_head_ends_quietly() -> None:
    done = subprocess.run(
        f"{sys.executable} -m mathhammer units | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("Unit")
    assert done.stderr == ""


@pytest.mark.slow
def test_ctrl_c_ends_with_a_sentence() -> None:
    words = ["compare", "Liberators", "--vs", "Clanrats", "--method", "simulate", "--trials", "20000000000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "mathhammer", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip().splitlines()[-1] == "mathhammer: interrupted"
    assert "Traceback" not in err


def test_compare_stays_light() -> None:
    code = "import sys; from mathhammer.cli import main; main(['compare', 'Liberators', '--vs', 'Clanrats']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "mathhammer.engine.exact" in loaded
    assert not loaded & {"numba", "pandas", "matplotlib", "scipy.stats", "scipy", "jinja2"}


def test_a_duel_of_two_units_reads_no_other_games() -> None:
    code = (
        "import sys; from mathhammer.cli import main; main(['duel', 'Liberators', 'Rat Ogors'])\n"
        "from mathhammer.games.records import load; print(load.cache_info().misses, *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    parsed, *loaded = done.stderr.split()
    assert parsed == "0"
    # the packages of their commands hold names only; their modules are not loaded
    assert not [
        name for name in loaded if re.search(r"games\.(diskwars|uprising)|cli\.(diskwars|uprising)\.", name)
    ]


def test_json_needs_no_table_and_a_table_no_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Each form of an answer is worked out only when it is asked for."""

    def refuse() -> Any:
        raise AssertionError("not asked for")

    rows = Table(
        [Column("Unit", "unit"), Column("Slain", "slain", right=True)], [{"unit": "Rats", "slain": None}]
    )
    shown = Answer(lambda: ["Two lines", "", rows], refuse, refuse)
    shown.write({"form": "table"})
    assert capsys.readouterr().out == "Two lines\n\nUnit  Slain\nRats      -\n"
    shown.write({"form": "md", "output": str(tmp_path / "a.md")})
    assert (tmp_path / "a.md").read_text().endswith("| Unit | Slain |\n|---|---:|\n| Rats | - |\n")
    Answer(refuse, lambda: {"a": 1}, refuse).write({"form": "json", "output": None})
    assert json.loads(capsys.readouterr().out) == {"a": 1}
    Answer(refuse, refuse, lambda: (["unit"], [["Rats"]])).write({"form": "csv"})
    assert capsys.readouterr().out == "unit\nRats\n"


def test_units_and_profiles_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "units", "ogor", "--system", "aos4", "--format", "json")
    assert json.loads(out) == {
        "schema": "mathhammer-units/1",
        "units": [{"unit": "Rat Ogors", "system": "aos4", "faction": "Skaven", "models": 3, "points": 140}],
    }
    out, _ = run(capsys, "units", "ogor", "--system", "aos4", "--format", "csv")
    assert out.splitlines() == ["unit,system,faction,models,points", "Rat Ogors,aos4,Skaven,3,140"]
    for name in ("Rat Ogors", "Orc Boyz", "Imperial Guard"):
        out, _ = run(capsys, "show", name, "--format", "json")
        assert json.loads(out)["schema"] == "mathhammer-unit/1"
        assert json.loads(out)["unit"]["name"].lower() == name.lower()


@pytest.mark.parametrize("command", [*commands(), "list show", "list check", "list report", "list compare"])
def test_helps_say_default_and_never_left_out(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, *command.split(), "--help")
    text = " ".join(out.split())
    assert not re.search(r"[Ll]eft out:|if left out|gifts|is no |eleven|nobody", text)


def test_csv_disarms_formulas() -> None:
    assert as_csv(["a"], [["=1+1"], ["-x"], [-1], [0.5], [None]]).splitlines() == [
        "a",
        "'=1+1",
        "'-x",
        "-1",
        "0.5",
        '""',
    ]


def test_sparkline_cells_hold_equal_shares_of_values() -> None:
    even = mh.Pmf.of(dict.fromkeys(range(0, 40, 2), 1 / 20))
    assert len(set(sparkline(even)[:-1])) == 1
    assert sparkline(mh.Pmf.constant(0)) in ("█", "#")
