"""The notebooks: committed executed, run again here, and still saying the same."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from notebook_runs import NOTEBOOKS, executed, read

import mathhammer as mh
from mathhammer.notebook import Explorer, explore
from mathhammer.plots import Picture, alt_text

LIBERATORS, RATS = mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4")


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def said(cell: Any) -> list[str]:
    """What a cell printed or showed as text, numbers cut to six digits; widgets have no fixed text."""
    found = []
    for output in cell.outputs:
        assert output.output_type != "error", output
        text = output.text if output.output_type == "stream" else output.data.get("text/plain", "")
        if output.output_type == "stream" or "application/vnd.jupyter.widget-view+json" not in output.data:
            found.append(re.sub(r"\d+\.\d{7,}", lambda number: f"{float(number[0]):.6g}", text))
    return found


def test_there_is_a_notebook_for_each_question() -> None:
    assert [path.stem[:2] for path in NOTEBOOKS] == [f"{number:02d}" for number in range(1, 13)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_executed(path: Path) -> None:
    cells = code_cells(read(path))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert any("image/png" in output.get("data", {}) for cell in cells for output in cell.outputs)
    for cell in cells:
        said(cell)
    assert path.stat().st_size < 600_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_asks_shows_and_answers(path: Path) -> None:
    """A question, cells of at most five lines with words between them, an answer in words."""
    cells = read(path).cells
    title = cells[0].source.splitlines()[0]
    assert title.startswith("# ")
    assert title.endswith("?")
    assert cells[-1].cell_type == "markdown"
    assert cells[-1].source.startswith("**The answer.** ")
    assert len(cells[-1].source) > 150
    kinds = "".join(cell.cell_type[0] for cell in cells)
    assert "cccc" not in kinds, "four cells without a word between them"
    for cell in code_cells(read(path)):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= 5, cell.source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_uses_public_names_only(path: Path) -> None:
    trees = [ast.parse(cell.source) for cell in code_cells(read(path))]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    imports = [ast.unparse(node) for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert set(imports) <= {"import mathhammer as mh", "import pandas as pd", "from pathlib import Path"}
    assert "import mathhammer as mh" in imports
    used = [ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)]
    names = {match[1] for text in used if (match := re.match(r"mh\.(\w+)", text))}
    assert names
    assert names <= set(mh.__all__)
    inner = {match[1] for text in used if (match := re.match(r"mh\.plots\.(\w+)", text))}
    assert inner <= set(mh.plots.__all__)
    assert "Picture" not in inner, "charts show themselves"


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # the kernel's own libraries may warn
def test_a_notebook_runs_and_says_the_same(path: Path) -> None:
    """`python tests/notebook_runs.py` stores what they say now."""
    for old, new in zip(code_cells(read(path)), code_cells(executed(path)), strict=True):
        assert said(new) == said(old), old.source


# --- how results show themselves ----------------------------------------------------------------------------------------


def test_results_show_themselves() -> None:
    result = mh.fight(LIBERATORS, RATS)
    html = result._repr_html_()
    assert "Liberators against Clanrats" in html
    assert f"mean {result.slain.mean():.2f}, spread {result.slain.sd():.2f}" in html
    assert html.count("<svg") == 3
    assert len(html) < 6000
    assert "Target destroyed: 0.00%" in html
    assert repr(result).startswith("Result(Liberators against Clanrats: 6.056 slain, ")
    played = mh.fight(LIBERATORS, RATS, method="simulate", trials=2000)
    assert "2,000 trials, standard error of the mean" in played.slain._repr_html_()
    assert mh.Pmf.constant(0)._repr_html_().count("<svg") == 1


def test_charts_show_themselves() -> None:
    ax = mh.fight(LIBERATORS, RATS).plot()
    data, size = ax._repr_png_()  # type: ignore[attr-defined]
    assert data.startswith(b"\x89PNG")
    assert (repr(ax), size) == (alt_text(ax), Picture(ax)._repr_png_()[1])


def test_names_are_escaped() -> None:
    evil = mh.make_unit("aos4", {"name": "<script>x</script>", "models": 1, "health": 1})
    assert "<script>" not in mh.fight(LIBERATORS, evil)._repr_html_()
    assert "&lt;script&gt;" in mh.fight(LIBERATORS, evil)._repr_html_()


def test_a_picture_is_a_png_with_its_words() -> None:
    ax = mh.plot_pmf(mh.fight(LIBERATORS, RATS))
    data, size = Picture(ax)._repr_png_()
    assert data.startswith(b"\x89PNG")
    assert size == {"width": 800, "height": 450}
    assert repr(Picture(ax)) == alt_text(ax)


# --- the explorer -------------------------------------------------------------------------------------------------------


def test_the_explorer_turns_knobs() -> None:
    explorer = explore([LIBERATORS, "Rat Ogors"], "Clanrats", system="aos4", plain=True)
    assert isinstance(explorer, Explorer)
    plain = explorer.result()
    assert plain.slain == mh.fight(LIBERATORS, RATS).slain
    assert explorer.result("Rat Ogors").attacker == "Rat Ogors"
    assert (
        explorer.result(to_save=1).lost.mean()
        < plain.lost.mean()
        < explorer.result(to_wound=1, models=10).lost.mean()
    )
    assert "Change of the mean" in explorer._repr_html_()
    assert repr(explorer) == "Explorer(Liberators, Rat Ogors against Clanrats)"
    with pytest.raises(
        mh.UnknownNameError, match=r"explore: unknown knob 'to_hti' \(did you mean 'to_hit'\?\)"
    ):
        explorer.result(to_hti=1)
    with pytest.raises(
        mh.UnknownNameError, match=r"explore: unknown unit 'Rat' \(known: 'Liberators', 'Rat Ogors'\)"
    ):
        explorer.result("Rat")


@pytest.mark.filterwarnings("default")
def test_the_widgets_draw_anew() -> None:
    box = explore("Liberators", ["Clanrats", "Hero"], system="aos4", plain=False)
    knobs, picture = box.children
    first = picture.value
    assert "<svg" in first
    assert "Liberators against Clanrats" in first
    target = next(knob for knob in knobs.children if knob.description == "Target")
    target.value = "Hero"
    assert "Liberators against Hero" in picture.value


@pytest.mark.filterwarnings("default")
def test_the_widgets_have_the_switches_of_the_page() -> None:
    box = explore("Liberators", "Clanrats", system="aos4", plain=False)
    knobs, picture = box.children
    ours, theirs = (
        next(k for k in knobs.children if k.description == f"Of the {side}")
        for side in ("attacker", "target")
    )
    assert {"charged", "All-out Attack", "+1 to hit"} <= set(ours.options)
    assert {"in cover", "All-out Defence", "ward 5+"} <= set(theirs.options)
    ours.value, theirs.value = ("+1 to hit",), ("in cover",)
    assert "+1 to hit" in picture.value
    assert "target in cover" in picture.value


@pytest.mark.filterwarnings("default")
def test_the_widgets_keep_to_the_size_of_the_unit_that_is_chosen() -> None:
    box = explore(
        ["Liberators", "40 Clanrats", "10 Liberators: charged"], "Clanrats", system="aos4", plain=False
    )
    knobs, picture = box.children
    by_name = {knob.description: knob for knob in knobs.children}
    attacker, models = by_name["Attacker"], by_name["Models"]
    assert attacker.options == ("Liberators", "40 Clanrats", "10 Liberators: charged")
    for name, size in (("40 Clanrats", 40), ("10 Liberators: charged", 10), ("Liberators", 5)):
        attacker.value = name
        assert models.value == size
        assert f"<b>{name} against Clanrats</b>" in picture.value
        assert f"mean {mh.fight(name, 'Clanrats', system='aos4').slain.mean():.2f}" in picture.value
    models.value = 10
    assert "<b>10 Liberators against Clanrats</b>" in picture.value


def test_without_ipywidgets_the_table_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert isinstance(explore("Liberators", "Clanrats", system="aos4"), Explorer)
    assert "ipywidgets" not in (sys.modules["mathhammer.notebook"].__dict__)


def test_the_explorer_leaves_room_for_its_knobs() -> None:
    """On a laptop the picture goes below the knobs, and both keep a width at which they can be used."""
    box = explore("Liberators", "Clanrats", system="aos4", plain=False)
    knobs, picture = box.children
    assert (knobs.layout.width, knobs.layout.flex) == ("320px", "0 0 320px")
    assert box.layout.flex_flow == "row wrap"
    assert picture.layout.max_width == "100%"
    assert "max-width:100%" in picture.value


def test_a_result_shows_its_conditions() -> None:
    html = mh.fight("10 Liberators: charged", "Clanrats")._repr_html_()
    assert "Age of Sigmar 4 · exact · 10 models, melee, charged" in html
    assert "not counted: Clanrats: slain models return" in html
