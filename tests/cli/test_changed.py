"""`mathhammer changed` and `mathhammer import --check`: what an update changes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from roster_files import FIXTURES, ROSTERS, SHEETS

from mathhammer.cli import main
from mathhammer.datasheets.changes import KINDS, changes
from mathhammer.datasheets.library import Sheet

CATALOGUES = FIXTURES / "bsdata" / "wh40k10"
RATS = {
    "name": "Rats",
    "models": 10,
    "points": 90,
    "save": 5,
    "keywords": ["infantry"],
    "weapon": [{"name": "Claws", "attacks": 2}, {"name": "Tail", "attacks": 1}],
    "effect": [{"name": "Frenzy", "attacks": "+1"}],
    "not_covered": ["Gnaw (terrain)"],
}


def said(**new: object) -> list[tuple[str, str]]:
    sheets = [[Sheet("aos4", "Vermin", Path("v.toml"), 0, fields)] for fields in (RATS, RATS | new)]
    return [(change.kind, change.text) for change in changes(*sheets)]


@pytest.mark.parametrize(
    ("new", "found"),
    [
        ({}, []),
        ({"source": "elsewhere", "wargear": ["Bell"]}, []),
        ({"points": 100}, [("points", "points 90 -> 100")]),
        ({"prices": {"10": 90, "20": 190}}, [("points", "prices none -> 10: 90, 20: 190")]),
        ({"save": 4, "ward": 6}, [("profile", "save 5 -> 4"), ("profile", "ward none -> 6")]),
        ({"keywords": ["cavalry"]}, [("profile", "keywords: + cavalry, - infantry")]),
        (
            {"weapon": [{"name": "Claws", "attacks": 3, "kind": "melee"}, {"name": "Teeth", "attacks": 1}]},
            [("weapon", "Claws: attacks 2 -> 3"), ("weapon", "Tail: gone"), ("weapon", "Teeth: new")],
        ),
        ({"effect": []}, [("ability", "Frenzy: gone")]),
        ({"not_covered": []}, [("ability", "Gnaw (terrain): gone (not modelled)")]),
    ],
)
def test_what_changed(new: dict[str, object], found: list[tuple[str, str]]) -> None:
    assert said(**new) == found
    assert {kind for kind, _ in found} <= set(KINDS)


def test_units_that_come_and_go() -> None:
    one, other = (
        [Sheet("aos4", "Vermin", Path("v.toml"), 0, {"name": name, "points": 50})]
        for name in ("Rats", "Mice")
    )
    assert [(change.unit, change.kind, change.text) for change in changes(one, other)] == [
        ("Mice", "new", "is new, 50 points"),
        ("Rats", "gone", "is no longer there"),
    ]


def newer(tmp_path: Path) -> Path:
    """The datasheets of the fixtures after an update."""
    folder = tmp_path / "newer"
    shutil.copytree(SHEETS, folder)
    file = folder / "wh40k10" / "glass_choir.toml"
    text = file.read_text(encoding="utf-8").replace("points = 80", "points = 90")
    file.write_text(text.replace("attacks = 5", "attacks = 6"), encoding="utf-8")
    return folder


def test_an_update(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["changed", str(SHEETS), str(newer(tmp_path)), "--system", "wh40k10"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 change of points, 1 change of a weapon",
        "Faction      Unit           Change",
        "Glass Choir  Choir Marshal  points 80 -> 90",
        "Glass Choir  Choir Marshal  Tuning fork: attacks 5 -> 6",
    ]
    assert main(["changed", str(SHEETS), str(SHEETS), "--system", "wh40k10"]) == 0
    assert capsys.readouterr().out == "nothing changed\n"


def test_what_an_update_does_to_a_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "changed",
        str(SHEETS),
        str(newer(tmp_path)),
        "--system",
        "wh40k10",
        "--list",
        str(ROSTERS / "wtc.txt"),
    ]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "410 -> 420 points (+10) for 3 of 3 units, without enhancements"
    marshal = next(line for line in lines if line.startswith("Choir Marshal"))
    assert "80 -> 90" in marshal
    assert main([*words, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (first, second, _) = document["list"]
    assert (first["old_points"], first["new_points"], second["old_points"]) == (80, 90, 150)
    assert first["new_damage"] == pytest.approx(first["old_damage"] * 6 / 5, rel=0.1)
    assert first["new_damage"] > first["old_damage"]
    assert second["new_damage"] == second["old_damage"]


def test_the_profiles_of_the_file_itself_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A `.ros` brings the profiles of its day; both sides are looked up, and what only one side has is named."""
    words = [
        "changed",
        str(SHEETS),
        str(newer(tmp_path)),
        "--system",
        "aos4",
        "--list",
        str(ROSTERS / "kilns.ros"),
    ]
    assert main(words) == 0
    assert "not on both sides: " in capsys.readouterr().out


def test_catalogues_are_compared_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["changed", str(CATALOGUES), str(CATALOGUES), "--system", "wh40k10"]) == 0
    assert capsys.readouterr().out == "nothing changed\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["{a}/none", "{a}"],
            "{a}/none: no such folder (give a folder of datasheets as an import writes it, or of catalogues)",
        ),
        (
            ["{a}", "{a}"],
            "changed: {a} and {a} do not say of which game they are (give --system: aos4, wh40k10, wh40k11)",
        ),
        (
            ["{a}", "{a}", "--system", "aos4"],
            "{a}: holds no datasheets of aos4 and no catalogues (give a folder of datasheets as an import writes it, or of catalogues)",
        ),
        (
            ["{s}", "{s}", "--system", "wh40k10", "--list", "{r}/kilns.ros"],
            "{r}/kilns.ros: is for Warhammer Age of Sigmar, 4th edition (give a list of Warhammer 40,000, 10th edition)",
        ),
    ],
)
def test_what_cannot_be_compared(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"a": tmp_path, "s": SHEETS, "r": ROSTERS}
    assert main(["changed", *(word.format(**places) for word in words)]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == message.format(**places)


def test_import_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "catalogues", tmp_path / "sheets"
    shutil.copytree(CATALOGUES, source)
    words = ["import", str(source), "--system", "wh40k10", "-o", str(target)]
    assert main([*words, "--check"]) == 2
    told = f"{target / 'wh40k10'}: holds no import to compare with (run it without --check first)"
    assert capsys.readouterr().err == told + "\n"
    assert main(words) == 0
    capsys.readouterr()
    assert main([*words, "--check"]) == 0
    assert capsys.readouterr().out == "nothing changed\n"
    before = {file.name: file.read_bytes() for file in (target / "wh40k10").iterdir()}
    catalogue = source / "Xenos - Glass Choir.cat"
    text = catalogue.read_text(encoding="utf-8")
    assert 'value="180"' in text
    catalogue.write_text(text.replace('value="180"', 'value="190"', 1), encoding="utf-8")
    assert main([*words, "--check"]) == 0
    assert "points 180 -> 190" in capsys.readouterr().out
    assert {file.name: file.read_bytes() for file in (target / "wh40k10").iterdir()} == before
    assert main([*words, "--check", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["changes"][0]["kind"] == "points"


def test_import_says_where_catalogues_come_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "--help"]) == 0
    assert "BSData organisation on GitHub" in " ".join(capsys.readouterr().out.split())
