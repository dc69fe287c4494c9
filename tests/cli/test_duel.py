"""The command `mathhammer duel`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from duel_units import load
from roster_files import ROSTERS, zipped

import mathhammer as mh
from mathhammer.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(["duel", *words]) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_the_command_shows_the_numbers_of_duel(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(
        capsys,
        "Liberators",
        "Rat Ogors",
        "--distance",
        "9",
        "--rounds",
        "3",
        "--first",
        "rat ogors",
        "--reroll-charge",
        "a",
    )
    found = mh.duel(
        load("aos4", "Liberators"),
        load("aos4", "Rat Ogors"),
        distance=9,
        rounds=3,
        first="b",
        commands=["reroll_charge"],
    )
    assert f"win {found.p_win:.1%}, lose {found.p_lose:.1%}, draw {found.p_draw:.1%}" in out
    assert f"Going first is worth {found.going_first:+.1%}" in out
    assert f"{found.models[0].mean():.2f} ± {found.models[0].sd():.2f}" in out
    assert "27.8% a roll" in out
    assert err == ""


@pytest.mark.slow
@pytest.mark.rule("WH40K-CHARGE")
def test_the_command_as_json_file_and_account(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = (
        "Boyz",
        "Intercessor Squad",
        "--distance",
        "8",
        "--rounds",
        "2",
        "--command",
        "a:reroll_charge@1",
        "--heal",
        "b:1",
    )
    out, _ = run(capsys, *words, "--format", "json", "--advise")
    told = json.loads(out)
    assert told["schema"] == "mathhammer-duel/1"
    assert told["method"] == "exact"
    assert told["answer"]["p_win"] + told["answer"]["p_lose"] + told["answer"]["p_draw"] == pytest.approx(1.0)
    assert told["advice"][0]["gain"] >= told["advice"][1]["gain"]
    run(capsys, *words, "-o", str(tmp_path / "duel.txt"))
    assert "Going first" in (tmp_path / "duel.txt").read_text(encoding="utf-8")
    out, _ = run(capsys, *words, "--explain")
    assert "WH40K-CHARGE" in out
    out, _ = run(capsys, *words, "--method", "simulate", "--trials", "500", "--seed", "3")
    assert "Simulated, 500 trials, seed 3" in out
    out, _ = run(capsys, *words, "--advise")
    assert "as it is" in out


@pytest.mark.slow
def test_the_command_reads_lists(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, unit in (("one", "Liberators"), ("two", "Clanrats")):
        unit_lines = f'[[regiment.unit]]\nname = "{unit}"\npoints = 120\n' * 2
        (tmp_path / f"{name}.toml").write_text(
            f'system = "aos4"\nfaction = "x"\n[[regiment]]\n{unit_lines}', encoding="utf-8"
        )
    out, _ = run(
        capsys,
        str(tmp_path / "one.toml"),
        str(tmp_path / "two.toml"),
        "--trials",
        "500",
        "--policy",
        "points",
        "--rounds",
        "end",
    )
    assert "This battle assumes:" in out
    assert out.count("Liberators") == 2
    assert "most points" in out
    _, err = run(capsys, str(tmp_path / "three.toml"), "Clanrats", code=2)
    assert "three.toml: no such file (give a list, or the name of a unit)" in err


@pytest.mark.slow
def test_the_command_reads_zipped_lists(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("list", "list2"):
        (tmp_path / f"{name}.rosz").write_bytes(zipped((ROSTERS / "glass.ros").read_bytes()))
    out, err = run(capsys, str(tmp_path / "list.rosz"), str(tmp_path / "list2.rosz"), "--trials", "500")
    assert "Shard Wardens with Choir Marshal  b" in out  # whom the list lets lead a unit fights with it
    assert "Humming not understood" in err


def test_other_games_in_the_same_words(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "Orc Boyz: counter 3", "Marienburg Swordsmen: stamina 6, counter 2")
    assert "Marienburg Swordsmen  B" in out
    out, _ = run(capsys, "3 Younglings, Koloth", "Imperial Guard 3", "--system", "uprising")
    assert "Clash rounds" in out
    _, err = run(capsys, "Orc Boyz: counter 3", "Marienburg Swordsmen: stamina 6", "--advise", code=2)
    assert "--advise is not for diskwars (its duels are mathhammer clash)" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Liberators", "Clanrats", "--rounds", "many"], "--rounds 'many' (give 1 to 50, or end)"),
        (
            ["Liberators", "Clanrats", "--command", "all_out_attack"],
            "write a:NAME or b:NAME, such as a:all_out_attack@1",
        ),
        (["Liberators", "Clanrats", "--heal", "D3"], "write a:DICE or b:DICE, such as a:D3"),
        (
            ["Liberators", "Clanrats", "--first", "Skaven"],
            "--first 'Skaven' is neither side (give a, b, or one of 'Liberators', 'Clanrats')",
        ),
        (["Librators", "Clanrats"], "no unit 'Librators'"),
    ],
)
def test_what_the_command_refuses(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    out, err = run(capsys, *words, code=2)
    assert message in err
    assert out == ""


def test_options_and_situations_of_a_side_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("duel", "Liberators", "Stormvermin", "--system", "aos1", "--priority", "fixed")
    assert main([*words, "--option", "a:mystic_shields=1"]) == 0
    assert "Liberators: win 48.2%" in capsys.readouterr().out
    assert main([*words, "--option", "a:mystic_shields=1", "--option", "b:mystic_shields=1"]) == 0
    assert "Liberators: win 28.5%" in capsys.readouterr().out
    assert main([*words, "--option", "b:mystic_shields=1", "--explain"]) == 0
    assert "Stormvermin: option mystic_shields is 1" in capsys.readouterr().out
    assert main([*words, "--situation", "b:target_in_cover"]) == 0
    prefixed = capsys.readouterr().out
    assert main([*words, "--b-situation", "target_in_cover"]) == 0
    assert capsys.readouterr().out == prefixed
    assert main([*words, "--rounds", "2", "--command", "a:inspired", "--explain"]) == 0
    told = capsys.readouterr().out
    assert "Liberators: inspired@" in told
    assert main(["duel", "Liberators", "Stormvermin", "--system", "aos1"]) == 0
    assert "Liberators: win 29.8%" in capsys.readouterr().out


def test_split_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["split", "Liberators", "--system", "aos1", "--at", "Clanrats=3", "--at", "Stormvermin=2"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    three = mh.split(mh.load_unit("Liberators", "aos1"), [("Clanrats", 3), ("Stormvermin", 2)])
    assert lines[0] == "Liberators (5 models)"
    assert lines[2].split()[:2] == ["Clanrats", "3"]
    assert f"{three[0].lost.mean():.2f}" in lines[2]
    assert f"{three[1].p_destroyed:.1%}" in lines[3]
    assert main([*words[:4], "--at", "Clanrats"]) == 2
    assert capsys.readouterr().err == "split: --at 'Clanrats' (write TARGET=MODELS, such as Clanrats=3)\n"
    assert main([*words, "--format", "json"]) == 0
    assert '"mathhammer-split/1"' in capsys.readouterr().out
