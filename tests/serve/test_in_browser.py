"""The whole way through the page in Chromium: search, switch, compare, link, lists, phone, dark, keys only."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from roster_files import ROSTERS

pytestmark = pytest.mark.slow
EVIL = '<img src=x onerror="window.evil=1">'


def tools() -> tuple[str, str]:
    """Browser and node, or the test is skipped."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    node = shutil.which("node")
    if browser is None or node is None:
        pytest.skip(f"needs {'chromium' if browser is None else 'node'} (apt-get install chromium nodejs)")
    found = subprocess.run([node, "-e", "require('playwright-core')"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip("needs playwright-core on NODE_PATH (npm install --prefix DIR playwright-core)")
    return browser, node


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a player sees who uses the page."""
    browser, node = tools()
    folder = Path(os.environ.get("MATHHAMMER_PICTURES") or tmp_path_factory.mktemp("page"))
    other = folder / "other.ros"
    text = (ROSTERS / "kilns.ros").read_text(encoding="utf-8")
    hostile = EVIL.replace("<", "&lt;").replace('"', "&quot;")
    other.write_text(re.sub(r'name="Night[^"]*"', f'name="Night {hostile}"', text), encoding="utf-8")
    program = subprocess.Popen(
        [sys.executable, "-m", "mathhammer", "serve", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert program.stdout is not None
        address = re.search(r"http://[^/]+", program.stdout.readline())
        assert address
        script = Path(__file__).with_name("page_in_browser.cjs")
        done = subprocess.run(
            [node, script, address[0], browser, folder, ROSTERS / "kilns.ros", other],
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
    finally:
        program.kill()
        program.wait()
        program.stdout.close()  # type: ignore[union-attr]
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_nothing_goes_wrong_and_nothing_foreign_is_fetched(seen: dict[str, Any]) -> None:
    assert seen["errors"] == []
    assert seen["foreign"] == []
    assert seen["evil_ran"] == "no"


def test_search_switch_compare(seen: dict[str, Any]) -> None:
    assert seen["found"] == "Liberators"
    assert seen["reference_targets"] == 8
    assert seen["plain"].startswith("6.06")
    assert seen["switched"].startswith("7.35")
    assert "+1 to hit" in seen["conditions"]
    assert [name.removeprefix("★ ") for name in seen["compared"]] == ["Liberators: +1 to hit", "Rat Ogors"]
    assert seen["best"] == 1
    assert seen["profile"] == "3+ wounds 2 x10"
    assert seen["targets"] == 2


def test_the_link_repeats_the_question_and_the_answer_can_be_taken_along(seen: dict[str, Any]) -> None:
    assert "a=Liberators%3A+%2B1+to+hit" in seen["link"]
    assert seen["same_by_link"]
    assert seen["chips_by_link"] == 2  # the buff, and the weapons as they are
    assert seen["command"].startswith("mathhammer compare 'Liberators: +1 to hit' 'Rat Ogors' --vs Clanrats")
    assert seen["markdown"].splitlines()[-1].startswith("| ")
    assert seen["csv"].startswith("attacker,target,kind")
    assert seen["told"] in ("Picture copied", "Picture saved")
    assert "on the die" in seen["explained"]
    assert seen["after_back"] == 1


def test_lists_and_the_distribution_behind_a_cell(seen: dict[str, Any]) -> None:
    assert "have a datasheet" in seen["coverage"]
    assert seen["maps_of_one"] == 1
    assert "strikes first" in seen["verdict"]
    assert EVIL in seen["verdict"]
    assert seen["map_top"] < 500  # on the first screen of the answer
    assert "wounds lost on average" in seen["cell"]
    assert seen["bars"] > 1
    assert seen["focus_back"]


def test_what_holds_for_all_attacks_of_lists(seen: dict[str, Any]) -> None:
    assert "charged" in seen["list_conditions"]
    assert "ls=charged" in seen["list_link"]
    assert seen["list_focus"] == "charged"
    assert seen["list_command"] == "mathhammer report kilns.ros other.ros --situation charged -o report.html"
    assert seen["list_csv"].startswith("attacker,target,kind,lost,slain,p_destroyed")
    assert not seen["game_of_lists"]  # a list says itself which game it is of


def test_duel_and_errors(seen: dict[str, Any]) -> None:
    assert seen["rounds"] == 3
    assert seen["duel_markdown"].splitlines()[2].startswith("| Round")
    assert seen["no_game"].startswith("link: 'chess' is no game of this page (Age of Sigmar 1, ")
    assert "did you mean 'Liberators'?" in seen["sentence"]


def test_dark_print_and_phone(seen: dict[str, Any]) -> None:
    assert seen["dark"] == seen["dark_stays"] == "rgb(20, 24, 31)"
    assert seen["print"] == ["rgb(255, 255, 255)", False]
    for name in ("phone_light", "phone_dark", "phone_light_lists", "phone_dark_lists"):
        assert seen[name] <= 360
    for name in ("phone_light", "phone_dark"):  # the answer in a line stays in sight below the switches
        assert seen[f"{name}_brief"].startswith(
            "Against 40 Clanrats: in cover: 10 Liberators: charged, +1 to hit "
        )


def test_keys_alone(seen: dict[str, Any]) -> None:
    assert seen["expanded"] == "true"
    assert seen["active"].startswith("Stormvermin")
    assert seen["by_keys"] >= 1
    assert seen["skipped_to"] == "results"
    assert seen["skip_keeps"]
    assert "Stormvermin" in seen["said"]
    assert seen["unlabelled"] == []
