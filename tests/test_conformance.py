"""The conformance table: complete, fresh, and printed by its command; `python tests/test_conformance.py` writes its files anew."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import rule_citations
from places import ROOT

from mathhammer import conformance
from mathhammer.cli import main
from mathhammer.conformance import Rule, counts, listed, rules
from mathhammer.games.discovery import game_keys, get_game
from mathhammer.tables import as_markdown

DOCUMENTS = ROOT.parent / "shared" / "rules"
UNNOTICED = ROOT / "tests" / "unnoticed.json"  # written by tests/knockout.py --write
PAGE = ROOT / "docs" / "conformance.md"
GAMES = {
    "aos4": "AOS4",
    "aos1": "AOS1",
    "wh40k10": "WH40K",
    "wh40k11": "WH40K11",
    "diskwars": "DW",
    "uprising": "UP",
}
RENEW = "run: python tests/test_conformance.py"


def scanned() -> dict[str, dict[str, list[str]]]:
    """Where every listed rule is cited now."""
    found = {
        "code": rule_citations.code_places(),
        "tests": rule_citations.places_in_tests(),
        "vectors": rule_citations.vector_places(),
        "unnoticed": {
            rule: set(places) for rule, places in json.loads(UNNOTICED.read_text(encoding="utf-8")).items()
        },
    }
    known = [rule for key in game_keys() for rule in listed(key)]
    return {
        rule: {name: in_order(rule, places[rule]) for name, places in found.items() if rule in places}
        for rule in known
    }


def in_order(rule: str, places: set[str]) -> list[str]:
    """The code of the game itself first, what only names the rule in its declarations last."""
    own = f"games/{next(key for key, game in GAMES.items() if rule.startswith(f'{game}-'))}/"
    return sorted(places, key=lambda place: ("__init__.py" in place, not place.startswith(own), place))


def as_document() -> str:
    """The generated file: one line for each rule."""
    lines = [f"  {json.dumps(rule)}: {json.dumps(places)}" for rule, places in scanned().items()]
    return '{\n "schema": "mathhammer-conformance-found/1",\n "rules": {\n' + ",\n".join(lines) + "\n }\n}\n"


def all_rules() -> list[Rule]:
    """The rules with their places as they are now, whatever the generated file says."""
    places = scanned()
    made = []
    for key in game_keys():
        for rule, entry in listed(key).items():
            cited = {name: tuple(found) for name, found in places[rule].items()}
            about = (entry.get(name, "") for name in ("out", "fixed"))
            made.append(Rule(rule, key, entry["label"], *about, **cited, state=entry.get("state", "")))
    return made


def as_page(everything: list[Rule]) -> str:
    """The page of the documentation."""
    totals = [
        (get_game(c.system).title, str(c.ids), str(c.covered), str(c.untested), str(c.out))
        for c in counts(everything)
    ]
    parts = [
        "# Conformance",
        "Every rule of every game by its id: where it is implemented, which tests and vectors exercise it, or why it is out of scope.\n"
        "This page is written by `python tests/test_conformance.py`; `mathhammer conformance` prints the same.",
        "The tests are those marked with the rule's id. `python tests/knockout.py` takes away every piece of code that states a rule,\n"
        'one at a time, and demands that a test or vector marked with it fails; rules where none does are "cited, not tested".\n'
        "`python tests/knockout.py WH40K-LANCE` tries one rule, `--game KEY` those of one game, `--write` stores what nobody noticed.",
        as_markdown(
            ("Game", "Rules", "Covered", "Cited, not tested", "Out of scope"),
            totals,
            (False, True, True, True, True),
        ),
    ]
    for key in dict.fromkeys(rule.system for rule in everything):
        rows = [
            (
                r.id,
                r.label,
                f"out of scope: {r.out}"
                if r.out
                else ", ".join(r.code) + (f" ({r.fixed})" if r.fixed else ""),
                ", ".join(r.tests),
                ", ".join(r.vectors),
            )
            for r in everything
            if r.system == key
        ]
        table = as_markdown(("Rule", "What", "Where", "Tests", "Vectors"), rows, (False,) * 5)
        parts += [f"## {get_game(key).title}", table]
    return "\n\n".join(parts) + "\n"


# --- complete -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", game_keys())
def test_every_rule_in_scope_has_a_place_and_a_test(key: str) -> None:
    found = [rule for rule in all_rules() if rule.system == key]
    assert found
    assert [rule.id for rule in found if not rule.out and not rule.code] == []
    assert [rule.id for rule in found if not rule.out and not (rule.tests or rule.vectors)] == []
    assert [rule.id for rule in found if rule.unnoticed] == []


def test_what_is_left_out_is_not_claimed_elsewhere() -> None:
    """Only the check of a list may say that it cannot look at such a rule."""
    elsewhere = [
        rule
        for rule in all_rules()
        if rule.out
        and any(not place.endswith("/army.py") and "/army.py:" not in place for place in rule.code)
    ]
    assert [rule.id for rule in elsewhere] == []


def test_every_label_is_short_and_every_reason_is_given() -> None:
    for rule in all_rules():
        assert rule.label.strip() == rule.label != ""
        assert len(rule.label.split()) <= 8, rule.id
        assert len(rule.out.split()) <= 12, rule.id
        assert len(rule.fixed.split()) <= 12, rule.id
        assert not (rule.out and rule.fixed), rule.id
        assert not rule.label.endswith("."), rule.id


def test_no_citation_is_mistyped() -> None:
    known = {rule for key in game_keys() for rule in listed(key)}
    families = {rule[:place] for rule in known for place, letter in enumerate(rule) if letter == "-"}
    assert {
        cited: files
        for cited, files in rule_citations.everything_cited().items()
        if cited not in known | families
    } == {}


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="the rules documents are not here")
@pytest.mark.parametrize("key", GAMES)
def test_the_list_has_the_ids_of_the_rules_document(key: str) -> None:
    document = rule_citations.ids_of_document(
        (DOCUMENTS / f"{key}.md").read_text(encoding="utf-8"), GAMES[key]
    )
    assert set(listed(key)) == document


# --- fresh ----------------------------------------------------------------------------------------------------------------


def test_the_generated_file_is_fresh() -> None:
    assert conformance.STORED.read_text(encoding="utf-8") == as_document(), RENEW


@pytest.mark.skipif(not PAGE.parent.is_dir(), reason="no docs here")
def test_the_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == as_page(all_rules()), RENEW


def test_the_scan_sees_what_it_should(tmp_path: Path) -> None:
    path = tmp_path / "test_x.py"
    path.write_text(
        '"""AOS4-17.0 and AMB-3."""\nTABLE = ["DW-RNG-1"]\n\n\nclass A:\n    def b(self) -> None:\n        pass  # SILENT-4\n\n\n'
        '@pytest.mark.rule("WH40K-HIT", "WH40K-WOUND")\n@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("DW-RNG-2"))])\n'
        'def test_c() -> None:\n    """AOS4-V-012 is a vector, xAC-3.1 nothing."""\n'
    )
    assert rule_citations.cited_in(path) == (
        ("AOS4-17.0", ""),
        ("AOS4-AMB-3", ""),
        ("DW-RNG-1", "TABLE"),
        ("AOS1-SILENT-4", "A.b"),
        ("WH40K-HIT", "test_c"),
        ("WH40K-WOUND", "test_c"),
        ("DW-RNG-2", "test_c"),
    )
    assert rule_citations.marks_in(path) == (
        ("test_c", "WH40K-HIT"),
        ("test_c", "WH40K-WOUND"),
        ("test_c", "DW-RNG-2"),
    )


# --- the command ----------------------------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["conformance", *words]) == code
    return capsys.readouterr().out


def test_it_prints_the_table_and_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "--system", "aos1").splitlines()
    assert lines[0].split() == ["Rule", "What", "Where", "Tests", "Vectors"]
    assert [line.split()[0] for line in lines[1:-3]] == list(listed("aos1"))
    assert lines[-3] == ""
    assert lines[-2] == "Game  Rules  Covered  Out of scope  Missing  Cited, not tested"
    assert lines[-1].split() == ["aos1", "40", "40", "0", "0", "0"]
    everything = run(capsys).splitlines()
    assert len(everything) == 1 + sum(len(listed(key)) for key in game_keys()) + 2 + len(game_keys())
    assert "out of scope: movement: the table top is not modelled" in run(capsys, "--system", "aos4")


def test_one_rule_with_all_its_places(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(capsys, "WH40K-DEVW").splitlines()
    assert told[0] == "WH40K-DEVW: Devastating Wounds (covered)"
    assert "  code     games/wh40k10/abilities.py: devastating_wounds" in told
    assert told[-1].startswith("  vectors  40K-")
    assert run(capsys, "ac-3.1") == run(capsys, "AOS4-AC-3.1")
    assert run(capsys, "AOS4-15.3").splitlines() == [
        "AOS4-15.3: pile-in (out of scope)",
        "  movement: the table top is not modelled",
    ]
    assert sum(line.startswith("DW-ARMY-") for line in run(capsys, "DW-ARMY").splitlines()) == 14


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["WH40K-DEVV"], "conformance: unknown rule 'WH40K-DEVV' (did you mean 'WH40K-DEVW'?)"),
        (["WH40K-DEVW", "--system", "aos1"], "conformance: unknown rule 'WH40K-DEVW'"),
        (["--system", "aos9"], "conformance: Invalid value for '--system'"),
    ],
)
def test_what_it_does_not_know(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert main(["conformance", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(message)
    assert len(err.splitlines()) == 1


def test_other_formats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document: dict[str, Any] = json.loads(run(capsys, "--format", "json", "--system", "uprising"))
    assert document["schema"] == "mathhammer-conformance/1"
    assert [rule["id"] for rule in document["rules"]] == list(listed("uprising"))
    assert document["summary"] == [
        {
            "system": "uprising",
            "rules": 78,
            "covered": 70,
            "out_of_scope": 8,
            "missing": 0,
            "cited_not_tested": 0,
        }
    ]
    rows = list(csv.DictReader(io.StringIO(run(capsys, "--format", "csv", "UP-DICE-3"))))
    assert rows[0]["status"] == "covered"
    assert "datasheets/uprising/dice.toml" in rows[0]["code"].split("; ")
    assert run(capsys, "--format", "md", "UP-TER-6").startswith("| Rule | What | Where | Tests | Vectors |\n")
    target = tmp_path / "table.txt"
    assert run(capsys, "--system", "aos1", "-o", str(target)) == ""
    assert target.read_text(encoding="utf-8") == run(capsys, "--system", "aos1")


def test_missing_rules_are_an_exit_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Missing" in run(capsys, "--missing")
    bare = (
        Rule("WH40K-HIT", "wh40k10", "Hit roll"),
        Rule("WH40K-OC", "wh40k10", "Objective Control", out="objectives"),
    )
    monkeypatch.setattr("mathhammer.cli.conformance.rules", lambda _system: bare)
    told = run(capsys, "--missing", code=1).splitlines()
    assert told[1].split() == ["WH40K-HIT", "Hit", "roll", "nowhere", "0", "0"]
    assert told[-1].split() == ["wh40k10", "2", "0", "1", "1", "0"]


def test_rules_that_are_cited_and_not_tested_are_an_exit_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cited = {"code": ("a.py: f",), "tests": ("test_a.py::test_f",)}
    untested = Rule("WH40K-HIT", "wh40k10", "Hit roll", **cited, unnoticed=("a.py:3 f (if)",))
    every = (untested, Rule("WH40K-OC", "wh40k10", "Objective Control", **cited))
    monkeypatch.setattr("mathhammer.cli.conformance.rules", lambda _system: every)
    told = run(capsys, "--missing", code=1).splitlines()
    assert told[1].split()[0] == "WH40K-HIT"
    assert told[-1].split() == ["wh40k10", "2", "1", "0", "0", "1"]
    assert run(capsys, "WH40K-HIT").splitlines() == [
        "WH40K-HIT: Hit roll (cited, not tested)",
        "  code     a.py: f",
        "  tests    test_a.py::test_f",
        "  nobody notices when this is taken away: a.py:3 f (if)",
    ]


def test_it_stays_light() -> None:
    code = "import sys; from mathhammer.cli import main; main(['conformance']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stderr.split()) & {"numba", "pandas", "matplotlib", "scipy", "jinja2"}


def test_a_game_whose_rules_nobody_has_listed_yet() -> None:
    assert listed("chess") == {}


def test_rules_come_from_the_shipped_files() -> None:
    assert [rule.id for rule in rules()] == [rule for key in game_keys() for rule in listed(key)]
    assert rules() == tuple(all_rules())


if __name__ == "__main__":
    conformance.STORED.write_text(as_document(), encoding="utf-8")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(as_page(all_rules()), encoding="utf-8")
