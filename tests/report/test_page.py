"""`mathhammer report`: one page that needs nothing else, read as text and used in a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from matplotlib.colors import to_rgb
from roster_files import ROSTERS, SHEETS

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.datasheets.library import sheets
from mathhammer.lists.army import army_of
from mathhammer.plots.heatmap import contrast
from mathhammer.report import make_report
from mathhammer.report import page as report
from mathhammer.report.cells import Cell, page_table
from mathhammer.report.grid import make_grid
from mathhammer.report.heat import DARK_INK_UP_TO, LIGHT_INK_UP_TO

UNITS = {
    "Hammers": ("Liberators", "Liberators", "Retributors", "Stormdrake Guard", "Lord-Terminos"),
    "Claws": ("Clanrats", "Rat Ogors", "Ratling Guns", "Hell Pit Abomination"),
}


def roster(name: str, units: tuple[str, ...]) -> Any:
    body = "".join(f"[[regiment.unit]]\nname = '''{unit}'''\n" for unit in units)
    return mh.read_roster(f"system = 'aos4'\nname = '''{name}'''\n[[regiment]]\n{body}")


BOTH = [roster(name, units) for name, units in UNITS.items()]


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    assert main(["report", *words]) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


class Reader(HTMLParser):
    """Collects tags, ids and links of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                self.links.append(value or "")


# --- as text ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2])
def test_a_page_is_whole_and_needs_no_other_file(number: int) -> None:
    page = make_report(BOTH[:number])
    read = Reader(page)
    assert len(read.ids) == len(set(read.ids))
    assert {link for link in read.links if not link.startswith("#")} == {"data:,"}
    assert {link[1:] for link in read.links if link.startswith("#")} <= set(read.ids)
    assert "://" not in page
    assert "default-src 'none'" in page
    assert len(page.encode()) < 120_000
    assert page == make_report(BOTH[:number])


def test_cells_hold_the_numbers_of_fight() -> None:
    page = make_report(BOTH[:1])
    retributors, horde = mh.load_unit("Retributors", "aos4"), mh.load_unit("Horde", "aos4")
    result = mh.fight(retributors, horde, weapons="melee")
    assert f">{result.damage.mean():.1f}<small>" in page
    assert f"melee: wounds lost {result.lost.mean():.1f} ± {result.lost.sd():.1f}" in page
    assert "Liberators ×2" in page
    assert "800 (by the datasheets) points, 5 units" in page
    page = make_report(BOTH)
    rats = mh.load_unit("Clanrats", "aos4")
    removed = mh.fight(retributors, rats, weapons="melee").lost.mean() / 20 * 150
    assert f">{removed:.0f}<small>" in page
    assert "Claws against Hammers: mean points removed" in page
    assert "Hammers: who should attack whom" in page


def test_the_better_attack_is_shown() -> None:
    guns, rats = mh.load_unit("Ratling Guns", "aos4"), mh.load_unit("Clanrats", "aos4")
    ((cell,),) = make_grid(army_of([guns]), [rats], "", points=False).cells
    shot, struck = (mh.fight(guns, rats, weapons=kind).damage.mean() for kind in ("ranged", "melee"))
    assert (cell.kind, cell.value) == ("ranged" if shot > struck else "melee", max(shot, struck))
    ((unarmed,),) = make_grid(army_of([mh.load_unit("Horde", "aos4")]), [rats], "", points=False).cells
    assert (unarmed.result, unarmed.why) == (None, "no attack")


def test_a_question_too_large_says_so_in_its_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise mh.TooLargeError("fight: too <large>")

    monkeypatch.setattr("mathhammer.report.grid.fight", refuse)
    assert 'title="fight: too &lt;large&gt;">-' in make_report(BOTH[:1])


def test_every_name_is_escaped() -> None:
    evil = "<script>alert(1)</script>\"'&"
    text = (ROSTERS / "army.toml").read_text(encoding="utf-8")
    army = mh.read_roster(text, datasheets=SHEETS)
    from dataclasses import replace

    entries = [
        replace(entry, name=evil, keywords=(evil,), unit=entry.unit and replace(entry.unit, name=evil))
        for entry in army.entries
    ]
    block = replace(army.blocks[0], name=evil, entries=tuple(entries))
    hurt = replace(army, name=evil, faction=evil, blocks=(block,), warnings=(evil,))
    for page in (make_report([hurt]), make_report([hurt, hurt])):
        assert "<script>alert" not in page
        assert Reader(page).tags.count("script") == 1
        assert "&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39;&amp;" in page


def test_a_page_of_large_lists_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [unit.name for unit in sheets("aos4") if unit.path.name == "stormcast_eternals.toml"]
    large = roster("Large", tuple(names))
    assert len(make_report([large, large]).encode()) < 400_000
    monkeypatch.setattr(report, "MOST_CARDS", 3)
    page = make_report(BOTH)
    assert "More than 3 cells: the distributions are left out." in page
    assert "class=card" not in page


def test_a_number_that_is_not_known_is_a_dash() -> None:
    table = page_table("points", ["Unit", "Points"], [["A", None], ["B", 5], ["C", -3]])
    cells = sorted((row[1] for row in table.rows), key=lambda cell: cell.sort_by)
    assert cells == [Cell("-", float("-inf")), Cell("-3", -3), Cell("5", 5)]


def test_one_or_two_lists() -> None:
    with pytest.raises(mh.BadInputError, match=r"report: 0 lists \(give one or two\)"):
        make_report([])


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("share", [step / 100 for step in range(101)])
def test_numbers_of_a_heat_map_can_be_read(share: float, dark: bool) -> None:
    style = files("mathhammer.report").joinpath("templates", "report.css").read_text(encoding="utf-8")
    found = re.findall(r"--paper: (#\w+);.*?--heat: (#\w+)", style)
    paper, heat = (to_rgb(colour) for colour in found[1 if dark else 0])
    cell = tuple(a + (b - a) * share for a, b in zip(paper, heat, strict=True))
    white = share <= LIGHT_INK_UP_TO if dark else share > DARK_INK_UP_TO
    ink = "#fff" if white else "#000"
    assert contrast(to_rgb(ink), cell) >= 4.4


# --- the command --------------------------------------------------------------------------------------------------------


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    out, err = run(capsys, str(ROSTERS / "kilns.ros"), "-o", str(path))
    assert out == ""
    assert "Star Wyrm: Gaze" in err
    page = path.read_text(encoding="utf-8")
    assert "<title>Night kilns</title>" in page
    assert "930 of 1000 points, 6 units, 33 models" in page
    out, _ = run(capsys, str(ROSTERS / "kilns.ros"))
    assert out == page
    both, _ = run(capsys, str(ROSTERS / "kilns.ros"), str(ROSTERS / "army.toml"), "--datasheets", str(SHEETS))
    assert "<title>Night kilns against By hand</title>" in both


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("none.rosz",), "none.rosz: no such file (give a file or the text of a list)"),
        ((str(ROSTERS / "kilns.ros"),) * 3, "report: 3 lists (give one or two)"),
        (
            (str(ROSTERS / "diskwars.toml"),),
            ": no unit with a profile (import its catalogue, or add datasheets)",
        ),
        (
            (str(ROSTERS / "kilns.ros"), str(ROSTERS / "glass.ros")),
            "report: Night kilns plays aos4, Glass plays wh40k10 (give two lists of one game)",
        ),
    ],
)
def test_messages(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str) -> None:
    out, err = run(capsys, *words, code=2)
    assert out == ""
    assert message in err.splitlines()[-1]


# --- in a browser -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a reader sees: the page of two lists, opened and used in Chromium."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    node = shutil.which("node")
    if browser is None or node is None:
        pytest.skip(f"needs {'chromium' if browser is None else 'node'} (apt-get install chromium nodejs)")
    found = subprocess.run([node, "-e", "require('playwright-core')"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip(
            "needs playwright-core on NODE_PATH (npm install --prefix DIR playwright-core; NODE_PATH=DIR/node_modules)"
        )
    folder = tmp_path_factory.mktemp("report")
    page = folder / "report.html"
    page.write_text(make_report(BOTH), encoding="utf-8")
    script = Path(__file__).with_name("report_in_browser.cjs")
    done = subprocess.run(
        [node, script, page, browser, folder],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=dict(os.environ),
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    answer["pictures"] = sorted(path.name for path in folder.glob("*.png"))
    return answer


@pytest.mark.slow
def test_nothing_goes_wrong_and_nothing_is_fetched(seen: dict[str, Any]) -> None:
    assert seen["errors"] == []
    assert seen["requests"] == []
    assert seen["title"] == "Hammers against Claws"
    assert seen["pictures"] == ["card_dark.png", "card_light.png", "dark.png", "light.png"]


@pytest.mark.slow
def test_a_cell_opens_its_distribution(seen: dict[str, Any]) -> None:
    assert (seen["cards_before"], seen["cards_after"], seen["focus_back"]) == (0, 0, True)
    assert "Liberators against Clanrats" in seen["card"]
    assert "wounds lost" in seen["card"]
    assert seen["bars"] == 2
    assert seen["card_by_keys"] == "Liberators against Rat Ogors"
    assert seen["cards_closed_by_keys"] == 0


@pytest.mark.slow
def test_a_click_sorts_a_table(seen: dict[str, Any]) -> None:
    numbers = [int(text) for text in seen["unsorted"]]
    assert numbers != sorted(numbers, reverse=True)
    assert [int(text) for text in seen["sorted_down"]] == sorted(numbers, reverse=True)
    assert [int(text) for text in seen["sorted_up"]] == sorted(numbers)
    assert seen["aria"] == "descending"


@pytest.mark.slow
def test_dark_pages_paper_and_readers_without_scripts(seen: dict[str, Any]) -> None:
    assert seen["dark"] == "rgb(20, 24, 31)"
    assert seen["print"] == ["rgb(255, 255, 255)", False, False]
    assert (seen["card_without_script"], seen["closed_without_script"]) == (1, 0)
