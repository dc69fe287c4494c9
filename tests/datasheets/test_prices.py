"""Prices by size: what a unit costs at every size, wherever a size is given."""

from __future__ import annotations

from pathlib import Path

import pytest

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.datasheets.json_schema import json_schema

SQUAD = {"name": "Squad", "models": 5, "health": 1, "points": 70, "prices": {"10": 150, "5": 70}}
SHEET = """system = "aos4"
faction = "Choir"
source = "invented"
checked = 2026-01-01
[[unit]]
name = "Squad"
models = 5
points = 70
prices = { 5 = 70, 10 = 150 }
health = 1
  [[unit.weapon]]
  name = "Blade"
  attacks = 2
  hit = 3
  wound = 3
  damage = 1
"""


def folder(tmp_path: Path) -> Path:
    (tmp_path / "aos4").mkdir()
    (tmp_path / "aos4" / "choir.toml").write_text(SHEET, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("models", "points"), [(1, 70), (5, 70), (6, 150), (10, 150), (11, 165), (20, 300)])
def test_each_price_holds_up_to_its_size(models: int, points: int) -> None:
    unit = mh.make_unit("aos4", SQUAD)
    assert unit.prices == ((5, 70), (10, 150))
    assert (unit.with_models(models).points, unit.with_models(10).with_models(models).points) == (
        points,
        points,
    )


def test_without_prices_points_are_in_proportion() -> None:
    plain = {key: value for key, value in SQUAD.items() if key != "prices"}
    assert mh.make_unit("aos4", plain).with_models(10).points == 140
    assert mh.make_unit("aos4", {**plain, "points": 0}).price(10) == 0


def test_expressions_and_options_know_the_price(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = folder(tmp_path)
    assert mh.unit("10 Squad", "aos4", datasheets=own).points == 150
    assert mh.unit("Squad: reinforced", "aos4", datasheets=own).points == 150
    words = ["compare", "Squad", "--models", "10", "--vs", "Clanrats", "--datasheets", str(own)]
    assert main([*words, "--format", "csv"]) == 0
    head, row = (line.split(",") for line in capsys.readouterr().out.splitlines()[:2])
    found = dict(zip(head, row, strict=False))
    assert found["points"] == "150"


def test_lists_know_the_price(tmp_path: Path) -> None:
    text = 'system = "aos4"\n[[regiment]]\n[[regiment.unit]]\nname = "Squad"\nmodels = 10\n'
    assert mh.read_roster(text, datasheets=folder(tmp_path)).units[0].points == 150


@pytest.mark.parametrize(
    ("prices", "message"),
    [
        ({"five": 70}, "Squad: prices: size 'five' (give a whole number of models from 1 to 1000)"),
        ({"0": 70}, "Squad: prices: size '0' (give a whole number of models from 1 to 1000)"),
        ({"5": -1}, "Squad: prices: 5 -1 (give a whole number from 0 to 100000)"),
        ([70], "Squad: prices [70] (give a table: points by size where they are not in proportion: "),
    ],
)
def test_prices_that_are_none(prices: object, message: str) -> None:
    with pytest.raises(mh.BadInputError) as caught:
        mh.make_unit("aos4", {**SQUAD, "prices": prices})
    assert str(caught.value).startswith(message)


def test_the_schema_knows_prices() -> None:
    known = json_schema("wh40k10")["properties"]["unit"]["items"]["properties"]["prices"]
    assert (known["type"], known["additionalProperties"]["maximum"]) == ("object", 100_000)


def test_an_attached_unit_has_one_price() -> None:
    leader = mh.load_unit("Captain", "wh40k10")
    squad = mh.make_unit(
        "wh40k10",
        {
            "name": "Squad",
            "models": 5,
            "toughness": 4,
            "wounds": 1,
            "points": 70,
            "prices": {"5": 70, "10": 150},
        },
    )
    joined = mh.attach(leader, squad.with_models(10))
    assert (joined.points, joined.prices) == (150 + (leader.points or 0), ())
