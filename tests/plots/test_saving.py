"""Files: the same bytes on every run, SVGs that say what they are and need no font."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from drawn import unit

import mathhammer as mh
from mathhammer import plots
from mathhammer.plots.saving import told_svg

HOSTILE = "</title><script>alert(1)</script> --> ]]> & \"Rats\" 'x'"
SVG = "{http://www.w3.org/2000/svg}"


def svg_of(name: str, **look: str) -> str:
    result = mh.fight(unit(name), unit("Rats", models=20, health=1))
    return plots.render_figure(mh.plot_pmf(result, **look), "svg").decode()


def test_an_svg_has_a_title_a_description_and_a_role() -> None:
    root = ElementTree.fromstring(svg_of("Ogors"))
    title, words = root[0], root[1]
    assert (title.tag, words.tag) == (f"{SVG}title", f"{SVG}desc")
    assert title.text == "Ogors against Rats: models slain"
    assert "models slain on average" in str(words.text)
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {words.get('id')}"


def test_hostile_names_stay_words() -> None:
    svg = svg_of(HOSTILE, title=HOSTILE, subtitle=HOSTILE, credit=HOSTILE)
    root = ElementTree.fromstring(svg)
    assert root[0].text == HOSTILE
    assert HOSTILE in str(root[1].text)
    assert not root.findall(f".//{SVG}script")
    assert "<script" not in svg


def test_two_charts_in_one_page_have_ids_of_their_own() -> None:
    ids = [re.search(r'<title id="([^"]+)"', told_svg("<svg></svg>", name, "Words."))[1] for name in "AB"]  # type: ignore[index]
    assert ids[0] != ids[1]


def test_an_svg_needs_no_font() -> None:
    root = ElementTree.fromstring(svg_of("Ogors"))
    assert not root.findall(f".//{SVG}text")
    assert "font-family" not in svg_of("Ogors")


PROGRAM = """
import sys, hashlib, mathhammer as mh
from mathhammer import plots
ax = mh.plot_pmf(mh.fight("Liberators", "Clanrats"), mh.fight("Rat Ogors", "Clanrats"), credit="Chart: Anna")
for form in ("png", "svg"):
    print(hashlib.sha256(plots.render_figure(ax, form)).hexdigest())
"""


@pytest.mark.slow
def test_another_process_writes_the_same_bytes() -> None:
    runs = [
        subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert len(set(runs[0].split())) == 2


def test_the_fonts_and_their_licence_are_in_the_package() -> None:
    folder = Path(plots.__file__).parent / "fonts"
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["Inter-Regular.otf", "Inter-SemiBold.otf", "OFL.txt"]
    licence = (folder / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert licence.startswith("Copyright (c) 2016-2022 The Inter Project Authors")
