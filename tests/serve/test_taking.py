"""What is taken along from lists and duels: the numbers of the page, as CSV and as Markdown."""

from __future__ import annotations

import csv
import io

import pytest
from asking_page import post, upload
from roster_files import ROSTERS

KILNS = upload((ROSTERS / "kilns.ros").read_bytes())


def test_cells_of_two_lists() -> None:
    found = post("/api/lists", {"list": KILNS, "other": KILNS}).json()
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    cells = [
        (name, column, cell)
        for heat in found["maps"]
        for name, line in zip(heat["rows"], heat["cells"], strict=True)
        for column, cell in zip(heat["columns"], line, strict=True)
    ]
    assert len(rows) == len(cells)
    for row, (name, column, cell) in zip(rows, cells, strict=True):
        assert (row["attacker"], row["target"], row["kind"]) == (name, column, cell["kind"])
        if cell["value"] is not None:
            assert float(row["lost"]) == pytest.approx(cell["lost"])
            assert float(row["slain"]) == pytest.approx(cell["slain"])


def test_a_list_as_markdown() -> None:
    found = post("/api/list", {"list": KILNS, "situation": ["charged"]}).json()
    said = found["markdown"].splitlines()
    assert said[0] == found["conditions"]
    assert "charged" in said[0]
    (heat,) = found["maps"]
    assert f"{heat['title']}: {heat['what']}" in said
    lines = [line for line in said if line.startswith("| ")]
    assert lines[1].startswith(f"| {heat['rows'][0]} ")
    assert f"{heat['cells'][0][0]['value']:.1f} {heat['cells'][0][0]['kind']}" in lines[1]


def test_the_command_of_lists() -> None:
    question = {"list": KILNS, "other": KILNS, "names": ["a b.ros", "c.ros"], "commands": ["all-out attack"]}
    found = post("/api/lists", question | {"anyway": True}).json()
    assert found["command"] == (
        "mathhammer report 'a b.ros' c.ros --command 'all-out attack' --anyway -o report.html"
    )


def test_rounds_of_a_duel() -> None:
    found = post("/api/duel", {"a": "Liberators", "b": "Clanrats", "rounds": 2}).json()
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    assert [float(row["p_win"]) for row in rows] == pytest.approx([one["p_win"] for one in found["rounds"]])
    assert [float(row["models_b"]) for row in rows] == pytest.approx(
        [one["models"][1] for one in found["rounds"]]
    )
    said = found["markdown"].splitlines()
    assert said[0] == found["conditions"]["text"]
    assert said[2].split("|")[2].strip() == "Liberators has won"
    assert f"{found['rounds'][1]['p_win']:.1%}" in said[-1]
