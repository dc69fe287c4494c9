"""The commands of Uprising: best play, items, recruits, text sides."""

from __future__ import annotations

import json

import pytest

import mathhammer as mh
from mathhammer.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(list(words)) == code
    return capsys.readouterr()


def test_an_item_of_a_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("battle", "3 Younglings", "--vs", "Imperial Guard 1", "garrison 1", "--bonus")
    out, _ = run(capsys, *words, "first clash: 2 red")
    assert "Imperial Guard 1               60.5%" in out
    assert "The item is used against Imperial Guard 1 (against garrison 1 43.7%)" in out
    out, _ = run(capsys, *words, "first clash of 1: 2 red")
    assert "Imperial Guard 1               43.7%" in out
    _, err = run(capsys, *words, "clash of 1: red", code=2)
    assert err == "battle: 'clash of 1' (only dice of an item, for a first clash, are for one combat)\n"
    _, err = run(capsys, *words, "first clash of 1: red", "--bonus", "first clash of 2: red", code=2)
    assert err == "battle: --bonus names several combats (an item is discarded in one)\n"


@pytest.mark.rule("UP-AFT-1", "UP-VP-3", "UP-VP-4")
def test_symbols_and_points_in_a_battle(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(
        capsys, "battle", "3 Younglings", "--vs", "garrison 2", "--bonus", "clash: 1 skull", "--explain"
    )
    assert "  Cards add 1 skull (clash)." in out
    out, _ = run(capsys, "battle", "3 Younglings", "--vs", "Courtesan 2")
    assert "not known" in out
    assert "0.00" not in out.splitlines()[1]
    out, _ = run(capsys, "battle", "3 Younglings, haven", "--vs", "Siren 3")
    assert "the enemy leaves" in out
    assert "(haven, lost" in out
    out, _ = run(capsys, "battle", "Bloodwyrm 4", "--vs", "garrison 2", "Imperial Guard 3")
    assert "Expected points: chaos 1.866, empire 3.019" in out


@pytest.mark.rule("UP-RR-1", "UP-RR-3")
def test_best_play_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    quest = ("quest", "2 red, purple", "--goal", "2 bolts", "--reroll", "any")
    out, _ = run(capsys, *quest)
    assert "Success (1 of 1): 30.14%" in out
    assert "Best choice of dice to reroll (--best chance): 46.31%" in out
    out, _ = run(capsys, *quest, "--best", "chance")
    assert "Success (1 of 1): 46.31%" in out
    assert "Blanks only, strongest first: 30.14%" in out
    points = ("quest", "--hero", "cunning 3", "--goal", "2 skulls", "--goal", "2 shields, 3 VP")
    assert "Cunning 3 yellow, 0 white: 74.07%, 0 points (best, used here" in run(capsys, *points)[0]
    out, _ = run(capsys, *points, "--best", "points")
    assert "3 white: 41.67%, 0.7778 points (best, used here; UP-HERO-3)" in out
    battle = ("battle", "3 Younglings, Koloth", "--vs", "Banished 3", "--best", "chance", "--format", "json")
    found = json.loads(run(capsys, *battle)[0])["answer"]
    wanted = mh.odds("uprising", "battle", a="3 Younglings, Koloth", b="Banished 3", best="chance")
    assert found["p_win"] == pytest.approx(wanted["p_win"])
    assert found["best"] == "chance"


@pytest.mark.rule("UP-UNIT-2")
def test_recruit_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(capsys, "recruit", "4 salt, 3 food", "--vs", "garrison 2", "--people", "Duerkhar")
    assert out.splitlines()[1].split() == ["2", "Spearsingers", "Duerkhar", "42.6%"]
    assert "4 sets tried against garrison 2; best: 2 Spearsingers" in out
    assert err == "Spearsingers: the dice are assumed (UP-UNIT-2)\n"
    _, err = run(capsys, "recruit", "salt", "--vs", "garrison 2", code=2)
    assert err == "recruit: salt needs a number (write something like '5 salt, 3 plunder')\n"


def test_chance_takes_sides_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "chance",
        "--system",
        "uprising",
        "battle",
        "--a",
        "3 Younglings, tower",
        "--b",
        "False Messiah 3",
    )
    assert run(capsys, *words)[0].startswith("win: 6.49%")
    row = (
        "chance",
        "--system",
        "uprising",
        "campaign",
        "--a",
        "3 Younglings",
        "--enemies",
        '["garrison 1", "2 skeletons"]',
    )
    assert "clear through:" in run(capsys, *row)[0]


def test_help_names_the_words_of_a_side(capsys: pytest.CaptureFixture[str]) -> None:
    out = " ".join(run(capsys, "battle", "--help")[0].split())
    for word in ("tower, wall, haven and reroll 2", "target marker", "haven or empire", "garrison 2"):
        assert word in out
