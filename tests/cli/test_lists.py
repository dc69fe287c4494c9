"""`mathhammer list`: what a player sees, and the exit codes."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from roster_files import ROSTERS, SHEETS

from mathhammer.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(["list", *words]) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(capsys, "show", str(ROSTERS / "kilns.ros"))
    known, *lines = out.splitlines()
    assert known == "Night kilns: 6 of 6 units, 900 of 900 points have a datasheet"
    assert lines[:7] == [
        "Night kilns (Warhammer Age of Sigmar, 4th edition)",
        "Emberfolk | Bellows Host | General's Handbook 2026-27",
        "930 points of 1000, 6 units, 33 models",
        "Spell lore: Lore of Soot",
        "Manifestation lore: Forge Spirits",
        "Bellows Host: 30 points",
        "",
    ]
    assert lines[7] == "Regiment 1"
    assert lines[8].split() == ["Unit", "Models", "Health", "Points", "Loadout", "Keywords"]
    assert lines[9].split(maxsplit=5)[:5] == ["Ember", "Warden", "1", "6", "130"]
    assert "general, Glowing Brand, Tongs" in lines[9]
    assert "reinforced, 19x Coal Pick, Slag Thrower" in lines[10]
    assert "Star Wyrm: Gaze" in err


def test_show_a_list_of_names(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(capsys, "show", str(ROSTERS / "wtc.txt"), "--datasheets", str(SHEETS))
    assert "warlord, Ringing Crown, Tuning fork, Echo pistol" in out
    assert "Shard Wardens      10      10     150" in out
    assert err.splitlines() == [
        "missing: no profile of a weapon Echo pistol (Choir Marshal), Chime of Dawn (Shard Wardens); "
        "wargear that is none needs none"
    ]
    bare, _ = run(capsys, "show", str(ROSTERS / "wtc.txt"))
    assert "Choir Marshal       1       -      95" in bare


def test_show_all_lists_of_a_paste(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "show", str(ROSTERS / "aos_app_two.txt"), "--datasheets", str(SHEETS))
    assert "First (" in out
    assert "Second (" in out


def test_show_for_programs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, _ = run(capsys, "show", str(ROSTERS / "kilns.ros"), "--format", "json")
    document = json.loads(out)
    assert document["schema"] == "mathhammer-list/1"
    (army,) = document["lists"]
    assert (army["points"], army["models"], army["format"]) == (930, 33, "ros")
    assert army["blocks"][0]["units"][1]["loadout"] == "19x Coal Pick; 1x Slag Thrower"
    out, _ = run(capsys, "show", str(ROSTERS / "kilns.ros"), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["unit"] for row in rows][:2] == ["Ember Warden", "Cinderguard"]
    assert rows[1]["health"] == "40"
    out, _ = run(capsys, "show", str(ROSTERS / "kilns.ros"), "--format", "md")
    assert "| Unit | Models | Health | Points | Loadout | Keywords |" in out
    target = tmp_path / "list.md"
    out, _ = run(capsys, "show", str(ROSTERS / "kilns.ros"), "--format", "md", "-o", str(target))
    assert out == ""
    assert target.read_text(encoding="utf-8").startswith("Night kilns")


def test_formulas_are_disarmed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "evil.toml"
    path.write_text(
        'system = "aos4"\n[[regiment]]\nname = "@SUM(A1)"\n[[regiment.unit]]\nname = "=cmd()"\nkeywords = ["+1"]\n',
        encoding="utf-8",
    )
    out, _ = run(capsys, "show", str(path), "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert (row["unit"], row["block"], row["keywords"]) == ("'=cmd()", "'@SUM(A1)", "'+1")


@pytest.mark.rule("AOS4-AC-3.1", "AOS4-AC-1.2.1", "AOS4-AC-1.2")
def test_check(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "check", str(ROSTERS / "army.toml"), "--datasheets", str(SHEETS))
    assert out.splitlines() == [
        "By hand: 4 of 4 units, 550 of 550 points have a datasheet",
        "cannot check AC-3.1: whether each hero's battle profile allows the units beside it: it is not in the data",
        "note AC-1.2.1: at least 50 points below the limit: one more command point in the first round",
        "note AC-3.7: Ash Totem: costs 10 points (handbooks from 2025-26 on price faction terrain)",
        "By hand: no broken rule found, 1 cannot be checked",
    ]
    out, _ = run(
        capsys, "check", str(ROSTERS / "army.toml"), "--datasheets", str(SHEETS), "--limit", "500", code=1
    )
    assert out.splitlines()[1:3] == [
        "broken AC-1.2: 550 points where 500 are allowed",
        "broken AC-1.2: Cinderguard: 280 points, more than half of 500",
    ]
    assert out.splitlines()[-1] == "By hand: 2 broken rules, 1 cannot be checked"


@pytest.mark.rule("DW-ARMY-7")
def test_check_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "check", str(ROSTERS / "diskwars.toml"), "--format", "json", code=1)
    document = json.loads(out)
    assert document["schema"] == "mathhammer-list-check/1"
    assert document["lists"][0]["legal"] is False
    assert document["lists"][0]["findings"][0] == {
        "verdict": "broken",
        "rule": "DW-ARMY-7",
        "unit": "",
        "what": "regiment 1: 1 small units against 2 medium and large ones",
    }


def test_bad_input_is_two(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, err = run(capsys, "check", str(tmp_path / "none"), code=2)
    assert err == f"{tmp_path / 'none'}: no such file (give a file or the text of a list)\n"
    for name in ("kilns.ros", "wtc.txt"):  # with profiles of its own, and without
        _, err = run(capsys, "show", str(ROSTERS / name), "--datasheets", str(tmp_path / "none"), code=2)
        assert (
            err
            == f"datasheets: {tmp_path / 'none'} is not a folder (give one that holds aos4/*.toml and the like)\n"
        )
    _, err = run(capsys, "check", str(ROSTERS / "kilns.ros"), "--limit", "0", code=2)
    assert "0 is not in the range" in err


def test_a_list_from_stdin() -> None:
    text = (ROSTERS / "wtc.txt").read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "mathhammer", "list", "show", "-"], input=text, capture_output=True, check=True
    )
    assert "425 points" in done.stdout.decode()


def test_help_names_both_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--help"]) == 0
    out = capsys.readouterr().out
    assert "show" in out
    assert "check" in out
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert "list " in out
    assert "import " in out
