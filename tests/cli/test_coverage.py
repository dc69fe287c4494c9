"""`mathhammer coverage` and `list coverage`: how much of the rules text of units counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mathhammer.cli import main

FILE = """system = "aos4"
faction = "{faction}"
source = "made up"
checked = 2026-11-18

[[unit]]
name = "Glass {faction}"
health = 2

  [[unit.ability]]
  name = "Whole"
  effect = [{{ hit_roll = "+1" }}]

  [[unit.ability]]
  name = "Part"
  rest = ["and it sings"]
  effect = [{{ attacks = "+1" }}]

  [[unit.ability]]
  name = "Words"
  rest = ["and it sings", "the sky falls"]

  [[unit.ability]]
  name = "Walk"
  about = "none"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two factions with the same abilities."""
    (tmp_path / "aos4").mkdir()
    for faction in ("Choir", "Guard"):
        (tmp_path / "aos4" / f"{faction}.toml").write_text(FILE.format(faction=faction), encoding="utf-8")
    return tmp_path


def test_abilities_by_faction_and_the_words_that_are_missing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["coverage", str(folder)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "Warhammer Age of Sigmar, 4th edition",
        "abilities about combat: 1 of 3 whole, 1 in part, 1 not read (33% whole); 1 are about other things",
        "Faction Units Combat Whole In part Not read Share Beside combat",
        "Choir 1 3 1 1 1 33% 1",
        "Guard 1 3 1 1 1 33% 1",
        "",
        "Abilities Not understood",
        "2 and it sings",
        "1 the sky falls",
    ]


def test_the_folder_of_one_game_and_the_top(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", str(folder / "aos4"), "--top", "1", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["systems"]["aos4"]
    assert found["total"] == {
        "combat": 3,
        "whole": 1,
        "part": 1,
        "unread": 1,
        "beside_combat": 1,
        "share": pytest.approx(1 / 3),
    }
    assert [group["group"] for group in found["groups"]] == ["Choir", "Guard"]
    assert found["not_understood"] == [{"words": "and it sings", "abilities": 2}]


def test_a_page_has_numbers_only(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "coverage.md"
    assert main(["coverage", str(folder), "--format", "md", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# How much of the rules text is understood\n")
    assert "| Choir | 1 | 3 | 1 | 1 | 1 | 33% | 1 |" in text
    assert "sings" not in text


def test_records(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", str(folder), "--format", "csv"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "system,group,units,combat,whole,part,unread,beside_combat,share"
    assert rows[1].startswith("aos4,Choir,1,3,1,1,1,1,0.33")


def test_messages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coverage", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"coverage: {tmp_path} holds no units (give imported datasheets, or catalogues)\n"
    )
    assert main(["coverage", str(tmp_path / "x")]) == 2
    assert capsys.readouterr().err == (
        f"coverage: {tmp_path / 'x'} is not a folder (give imported datasheets, or catalogues)\n"
    )


def test_units_of_a_list(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paste = folder / "list.toml"
    paste.write_text(
        'system = "aos4"\n[[regiment]]\n[[regiment.unit]]\nname = "Glass Choir"\n', encoding="utf-8"
    )
    assert main(["list", "coverage", str(paste), "--datasheets", str(folder)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert (
        "abilities about combat: 1 of 3 whole, 1 in part, 1 not read (33% whole); 1 are about other things"
        in lines
    )
    assert "Glass Choir 1 3 1 1 1 33% 1" in lines
    assert main(["list", "coverage", str(paste), "--datasheets", str(folder), "--format", "json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["lists"]
    assert one["abilities"]["total"]["whole"] == 1


def test_the_page_of_a_list_says_it(folder: Path) -> None:
    paste, page = folder / "list.toml", folder / "page.html"
    weapon = '\n[[unit.weapon]]\nname = "Axe"\nattacks = 2\nhit = 4\nwound = 4\ndamage = 1\n'
    sheet = folder / "aos4" / "Choir.toml"
    sheet.write_text(sheet.read_text(encoding="utf-8") + weapon, encoding="utf-8")
    paste.write_text(
        'system = "aos4"\n[[regiment]]\n[[regiment.unit]]\nname = "Glass Choir"\n', encoding="utf-8"
    )
    assert main(["report", str(paste), "--datasheets", str(folder), "-o", str(page)]) == 0
    assert "abilities about combat: 1 of 3 whole, 1 in part, 1 not read" in page.read_text(encoding="utf-8")


def test_show_tells_what_becomes_of_each_rule(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "Glass Choir", "--datasheets", str(folder)]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for line in (
        "Rule In a fight Change",
        "Whole works hit roll +1",
        "Part works attacks +1",
        "Part not understood: and it sings",
        "Words not understood: and it sings; the sky falls",
        "Walk not about combat",
    ):
        assert line in lines


def test_advice_on_an_ability_says_how_to_use_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "Slaughterbound", "Intercessor Squad", "--rounds", "1", "--advise"]) == 0
    assert 'Use the best of these with --use "a:Possessed Lord@1a-melee"' in capsys.readouterr().out
