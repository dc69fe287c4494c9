"""Readings made by hand, where they lie beside the project: as many of ours agree as we promise."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from mathhammer.cli import main

ABILITIES = ROOT.parent / "shared" / "abilities"
pytestmark = pytest.mark.skipif(not ABILITIES.is_dir(), reason="no ability texts beside the project")


def scorer() -> Any:
    spec = importlib.util.spec_from_file_location("score", ABILITIES / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            yield json.loads(line)


@pytest.mark.parametrize("system", ["wh40k10", "aos4"])
def test_readings_agree_with_those_by_hand(system: str, tmp_path: Path) -> None:
    score, out, labelled = scorer(), tmp_path / "out.jsonl", ABILITIES / "labelled" / f"{system}.jsonl"
    assert main(["read", str(labelled), "--system", system, "-o", str(out)]) == 0
    mine = {row["id"]: row for row in rows(out)}
    count: Counter[str] = Counter()
    for gold in rows(labelled):
        got = mine[gold["id"]]
        for name, want, have in zip(("plain", "full"), score.changes(gold), score.changes(got), strict=True):
            count[f"{name} right"] += (want & have).total()
            count[f"{name} wanted"] += want.total()
            count[f"{name} given"] += have.total()
        matters, claims = gold["about"] != "none", not got["rest"]
        (plain, full), (my_plain, my_full) = score.changes(gold), score.changes(got)
        count["matter"] += matters
        count["whole"] += matters and claims and full == my_full and not gold["rest"]
        count["claims"] += claims
        count["grave"] += claims and (plain != my_plain or bool(gold["rest"])) and (matters or bool(my_full))
    assert count["plain right"] >= 0.97 * count["plain given"]
    assert count["plain right"] >= 0.85 * count["plain wanted"]
    assert count["full right"] >= 0.88 * count["full given"]
    assert count["full right"] >= 0.75 * count["full wanted"]
    assert count["whole"] >= 0.65 * count["matter"]
    assert count["grave"] <= 0.03 * count["claims"]


@pytest.mark.slow
@pytest.mark.parametrize("system", ["wh40k10", "aos4"])
def test_every_text_is_read_without_an_error(
    system: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["read", str(ABILITIES / f"{system}.jsonl"), "--system", system, "-o", str(out)]) == 0
    given = list(rows(ABILITIES / f"{system}.jsonl"))
    assert [row["id"] for row in rows(out)] == [row["id"] for row in given]
    assert f"{len(given)} texts" in capsys.readouterr().err
