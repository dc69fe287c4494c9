"""Lists that are partly known: said first, and no verdict; whose gifts count; twins, names and points."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.lists.army import army_of, army_values, friends_of
from mathhammer.report import make_report

HEAD = 'system = "wh40k10"\nname = "{}"\n[[regiment]]\n'
UNIT = '[[regiment.unit]]\nname = "{}"\npoints = {}\n'


def written(folder: Path, name: str, **units: int) -> str:
    path = folder / f"{name}.toml"
    text = "".join(UNIT.format(unit.replace("_", " "), points) for unit, points in units.items())
    path.write_text(HEAD.format(name) + text, encoding="utf-8")
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(list(words)) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


@pytest.fixture
def partly(tmp_path: Path) -> str:
    return written(tmp_path, "Partly", Jakhals=65, Fnord_Engines=200)


@pytest.fixture
def whole(tmp_path: Path) -> str:
    return written(tmp_path, "Whole", Jakhals=65, Eightbound=150)


def test_the_first_line_says_how_much_is_known(
    capsys: pytest.CaptureFixture[str], partly: str, whole: str
) -> None:
    """B8."""
    out, _ = run(capsys, "list", "report", partly)
    first, advice, *_ = out.splitlines()
    assert first == "Partly: 1 of 2 units, 65 of 265 points have a datasheet"
    assert advice == (
        "without one: Fnord Engines; mathhammer import FOLDER --system wh40k10 reads catalogues (the BSData "
        "organisation on GitHub has them)"
    )
    assert "no answer to" not in out
    assert out.splitlines()[-1].startswith("No verdict: 1 of 2 units, 65 of 265 points")
    assert "no answer to" in run(capsys, "list", "report", partly, "--anyway")[0]
    found = json.loads(run(capsys, "list", "report", partly, "--format", "json")[0])
    assert (found["name"], found["coverage"]["share"], found["lacks"]) == ("Partly", 65 / 265, None)
    assert found["missing"] == ["no unit 'Fnord Engines'"]
    assert "no answer to" in run(capsys, "list", "report", whole)[0]


def test_no_win_chance_for_half_a_list(capsys: pytest.CaptureFixture[str], partly: str, whole: str) -> None:
    _, err = run(capsys, "duel", partly, whole, code=2)
    assert "1 of 2 units, 65 of 265 points have a datasheet: no win chance (" in err
    out, err = run(capsys, "duel", partly, whole, "--anyway", "--trials", "200")
    assert "Whole" in out
    assert "Partly: win" in out  # the sides carry the names of their lists
    assert out.splitlines()[0] == "Partly: 1 of 2 units, 65 of 265 points have a datasheet"
    found = json.loads(
        run(capsys, "duel", partly, whole, "--anyway", "--trials", "200", "--format", "json")[0]
    )
    assert found["coverage"]["a"]["missing"] == ["Fnord Engines"]
    for command in ("show", "check"):
        out, _ = run(capsys, "list", command, partly, code=1 if command == "check" else 0)
        assert out.splitlines()[0] == "Partly: 1 of 2 units, 65 of 265 points have a datasheet"
    assert "unequal points: Partly 65 against Whole 215" in err
    out, err = run(capsys, "list", "compare", partly, whole)
    assert "trades better" not in out
    assert out.splitlines()[-1].startswith("No verdict: ")
    assert "unequal points: Partly 65 against Whole 215" in err
    assert "trades better" in run(capsys, "list", "compare", partly, whole, "--anyway")[0]


def test_the_page_says_it_too(partly: str) -> None:
    page = make_report([mh.read_roster(partly)])
    assert "<strong>1 of 2 units, 65 of 265 points have a datasheet</strong>" in page
    assert "no answer to" not in page
    assert "No verdict" in page
    assert "no answer to" in make_report([mh.read_roster(partly)], anyway=True)
    charged = make_report([mh.read_roster(partly)], situation=("charged",))
    assert (
        "Warhammer 40,000 10 · exact · one action of each unit, the better of melee and ranged, charged"
        in charged
    )


def test_the_page_names_what_is_not_counted(tmp_path: Path) -> None:
    page = make_report([mh.read_roster(written(tmp_path, "Eaters", Helbrute=130, Maulerfiend=130))])
    assert "rules are not counted</summary>" in page
    assert "Helbrute: may strike back out of turn" in page


@pytest.mark.rule("WH40K-LEADING")
def test_a_leaders_gift_stays_with_the_unit_he_leads() -> None:
    """B9: Khârn's re-rolls were on every unit of the list; the aura of Eightbound is on all, as a switch."""
    names = ("Khârn the Betrayer", "Eightbound", "Maulerfiend")
    kharn, pack, fiend = (mh.load_unit(name, "wh40k10") for name in names)
    marines = mh.load_unit("Marines", "wh40k10")
    alone = mh.fight(fiend, marines, weapons="melee").lost.mean()
    assert army_values(army_of([kharn, fiend]), [marines]).lost[1, 0] == pytest.approx(alone)
    helped = army_values(army_of([kharn, pack, fiend]), [marines]).lost[2, 0]
    assert helped == pytest.approx(mh.fight(fiend, marines, weapons="melee", friends=[pack]).lost.mean())
    assert helped > alone
    off = army_of([kharn, pack, fiend], auras=False)
    assert friends_of(off, fiend) == ()
    assert army_values(off, [marines]).lost[2, 0] == pytest.approx(alone)
    berzerkers = mh.load_unit("Khorne Berzerkers", "wh40k10")
    led = mh.fight(mh.attach(kharn, berzerkers), marines, weapons="melee").lost.mean()
    apart = sum(
        mh.fight(unit, mh.unit("20 Marines", "wh40k10"), weapons="melee").lost.mean()
        for unit in (kharn, berzerkers)
    )
    assert (
        mh.fight(mh.attach(kharn, berzerkers), mh.unit("20 Marines", "wh40k10"), weapons="melee").lost.mean()
        > apart
        > led
    )


@pytest.mark.rule("WH40K-LEADING")
def test_gifts_that_are_on_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = written(tmp_path, "Eaters", **{"Khârn_the_Betrayer": 100, "Eightbound": 150, "Maulerfiend": 130})
    out, _ = run(capsys, "list", "report", path)
    assert (
        "gifts that count for every unit, as if in reach: Beacons of Rage, aura (Eightbound) (--no-auras"
        in out
    )
    assert "gifts left out, as their leader leads no unit here: Legendary Killer (Khârn the Betrayer)" in out
    assert (
        "gifts left out: Beacons of Rage, aura (Eightbound)"
        in run(capsys, "list", "report", path, "--no-auras")[0]
    )


def test_situations_targets_and_commands_of_a_list(capsys: pytest.CaptureFixture[str], whole: str) -> None:
    words = ["--vs", "20 Guardsmen", "--situation", "target in cover", "--format", "json"]
    found = json.loads(run(capsys, "list", "report", whole, *words)[0])
    assert {row["target"] for row in found["damage"]} == {"Guardsmen"}
    assert found["situation"] == ["target_in_cover"]
    assert found["conditions"]["text"].endswith("the better of melee and ranged, target in cover")
    plain = json.loads(run(capsys, "list", "report", whole, "--vs", "20 Guardsmen", "--format", "json")[0])

    def ranged(document: Any) -> float:
        return sum(row["damage"] for row in document["damage"] if row["kind"] == "ranged")

    assert 0 < ranged(found) < ranged(plain)


def test_different_units_of_one_name_are_numbered() -> None:
    rats = mh.load_unit("Clanrats", "aos4")
    army = army_of([rats, rats, rats.with_models(40)])
    assert [unit.name for unit in army.units] == ["Clanrats 1", "Clanrats 1", "Clanrats 2"]
    assert [unit.name for unit in army_of([rats, rats]).units] == ["Clanrats", "Clanrats"]


def test_a_datasheet_of_another_faction_is_remarked(tmp_path: Path) -> None:
    path = tmp_path / "sons.toml"
    text = HEAD.format("Sons").replace("[[", 'faction = "Thousand Sons"\n[[', 1)
    path.write_text(text + UNIT.format("Forgefiend", 160), encoding="utf-8")
    assert mh.read_roster(path).warnings == ("Forgefiend: taken from World Eaters",)
    path.write_text(
        text.replace("Thousand Sons", "World Eaters") + UNIT.format("Forgefiend", 160), encoding="utf-8"
    )
    assert mh.read_roster(path).warnings == ()
