"""The knock-out itself: it notices a rule that is tested, names one that is not, and takes away what it says it does."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from knockout_sites import sites_in
from places import PACKAGE, ROOT, TESTS


def run(*words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(TESTS / "knockout.py"), *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_rules_that_are_tested_are_noticed() -> None:
    """An ability, its hooks, a function, an argument, an entry of a table, a statement."""
    done = run(
        "WH40K-LANCE",
        "WH40K-PISTOL",
        "AOS1-COVER",
        "DW-DMG-5",
        "--tests",
        "tests/games",
        "--tests",
        "tests/test_vectors.py",
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith("4 rules, ")
    assert done.stdout.splitlines()[-1].endswith(" knock-outs; cited, not tested: 0 rules")


@pytest.mark.slow
def test_a_test_that_does_not_notice_is_reported(tmp_path: Path) -> None:
    """It calls the rule and looks at nothing; the other one fails whatever is knocked out, so it proves nothing."""
    path = tmp_path / "test_made_up.py"
    path.write_text(
        "import pytest\nimport mathhammer as mh\n"
        "@pytest.mark.rule('AOS1-COVER')\ndef test_calls_it():\n    assert mh.odds('aos1', 'priority')\n"
        "@pytest.mark.rule('AOS1-COVER')\ndef test_fails_anyway():\n    assert not mh\n"
    )
    done = run("AOS1-COVER", "--tests", str(path))
    assert done.returncode == 1
    assert "::test_fails_anyway: fails with all rules in place" in done.stdout
    assert "AOS1-COVER: cited, not tested: games/aos1/attack.py:" in done.stdout
    assert "(1 tests and vectors are marked with it)" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("cited, not tested: 1 rules")


def test_a_rule_that_nobody_knows() -> None:
    done = run("WH40K-LANCF")
    assert done.returncode == 2
    assert "knockout: unknown rule 'WH40K-LANCF' (did you mean 'WH40K-LANCE'?)" in done.stderr


SOURCE = '''
def worth(unit, flags: frozenset[str]) -> int:
    """DW-DMG-5."""
    total = unit + 1  # DW-RNG-2
    if "cover" in flags:  # DW-RNG-3
        total += 1
    # DW-RNG-4
    for one in flags:
        total -= 1
    lines.append("said to a reader (DW-RNG-5)")
    yield Modifier(1, "Cover (DW-RNG-6)") if flags else None
    return Roll(
        needs=3,
        only=6 if flags else None,  # DW-RNG-7
        limit=(-1, 1),
        limit_source="DW-RNG-8",
    )


TABLE = {
    "a": 1,  # DW-RNG-9
    "b": 2,
}
'''


def test_what_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knockout_sites.PACKAGE", tmp_path)
    path = tmp_path / "made_up.py"
    path.write_text(SOURCE, encoding="utf-8")
    whole = ast.unparse(ast.parse(SOURCE)).splitlines()
    taken = {}
    for site in sites_in(path):
        lines = ast.unparse(site.tree).splitlines()
        taken[site.ids] = (
            [line.strip() for line in whole if line not in lines],
            [line.strip() for line in lines if line not in whole],
        )
    assert taken == {
        ("DW-DMG-5",): ([], ["return"]),  # a generator of nothing
        ("DW-RNG-2",): (["total = unit + 1"], ["total = unit"]),
        ("DW-RNG-3",): (["if 'cover' in flags:"], ["if False:"]),
        ("DW-RNG-4",): (["for one in flags:"], ["for one in ():"]),
        ("DW-RNG-6",): (
            ["yield (Modifier(1, 'Cover (DW-RNG-6)') if flags else None)"],
            ["yield (None if flags else None)"],
        ),
        ("DW-RNG-7",): (
            ["return Roll(needs=3, only=6 if flags else None, limit=(-1, 1), limit_source='DW-RNG-8')"],
            ["return Roll(needs=3, limit=(-1, 1), limit_source='DW-RNG-8')"],
        ),
        ("DW-RNG-8",): (
            ["return Roll(needs=3, only=6 if flags else None, limit=(-1, 1), limit_source='DW-RNG-8')"],
            ["return Roll(needs=3, only=6 if flags else None, limit_source='DW-RNG-8')"],
        ),
        ("DW-RNG-9",): (["TABLE = {'a': 1, 'b': 2}"], ["TABLE = {'b': 2}"]),
    }


@pytest.mark.slow
def test_every_module_can_be_read() -> None:
    """No citation of the package stands where its code without it would be no Python."""
    files = [path for path in sorted(PACKAGE.rglob("*.py")) if "_datasheets" not in path.parts]
    sites = [site for path in files for site in sites_in(path)]
    assert len(sites) > 400
    for site in sites:
        compile(site.tree, site.path, "exec")
