"""Where rule ids are cited in the package and its data, which tests are marked with them, and which vectors name them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ability_rows import rules_of_rows
from places import DATASHEETS as SHEETS
from places import PACKAGE, TESTS

from mathhammer.conformance import SHORT

ABOUT_CITATIONS = {
    "conformance.py",
    "rule_citations.py",
    "test_conformance.py",
    "test_knockout.py",
}  # what they name is not a citation
FULL = re.compile(r"(?<![\w-])(?:AOS4|AOS1|WH40K11|WH40K|DW|UP)-[A-Z0-9]+(?:[-.][A-Z0-9]+)*")
SHORTER = [(game, re.compile(rf"(?<![\w-])(?:{pattern.pattern})")) for game, pattern in SHORT.items()]
Places = dict[str, set[str]]


def ids_in(text: str) -> set[str]:
    """The ids that a text cites, in full; vectors have names of their own."""
    full = {name for name in FULL.findall(text) if "-V-" not in name}
    return full | {f"{game}-{name}" for game, pattern in SHORTER for name in pattern.findall(text)}


def owners(tree: ast.Module) -> Iterator[tuple[range, str]]:
    """The lines of each function, method, class and named table, with its name; the innermost comes last."""
    for node in tree.body:
        first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", []))])
        lines = range(first, (node.end_lineno or node.lineno) + 1)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield lines, node.name
            for inner in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(inner, ast.FunctionDef):
                    yield (
                        range(inner.lineno, (inner.end_lineno or inner.lineno) + 1),
                        f"{node.name}.{inner.name}",
                    )
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            named = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(named, ast.Name):
                yield lines, named.id


@cache
def cited_in(path: Path) -> tuple[tuple[str, str], ...]:
    """(id, name of what it stands in) for every citation of a Python file; no name for the module itself."""
    text = path.read_text(encoding="utf-8")
    names: dict[int, str] = {}
    for lines, name in owners(ast.parse(text)):
        names |= dict.fromkeys(lines, name)
    lines = enumerate(text.splitlines(), 1)
    return tuple((cited, names.get(number, "")) for number, line in lines for cited in sorted(ids_in(line)))


def code_places() -> Places:
    """Where the package and its data files cite each id."""
    places: Places = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name not in ABOUT_CITATIONS and "_datasheets" not in path.parts:
            for cited, name in cited_in(path):
                place = path.relative_to(PACKAGE).as_posix()
                places.setdefault(cited, set()).add(f"{place}: {name}" if name else place)
    for path in sorted(SHEETS.rglob("*.toml")):
        for cited in ids_in(path.read_text(encoding="utf-8")):
            places.setdefault(cited, set()).add(f"datasheets/{path.relative_to(SHEETS).as_posix()}")
    return places


def places_in_tests() -> Places:
    """Which tests are marked with each id."""
    places: Places = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for test, marked in marks_in(path):
            places.setdefault(marked, set()).add(f"{path.relative_to(TESTS).as_posix()}::{test}")
    for marked in rules_of_rows():
        places.setdefault(marked, set()).add("games/test_abilities.py::test_every_row")
    return places


@cache
def marks_in(path: Path) -> tuple[tuple[str, str], ...]:
    """(test, id) for every rule marker on a test of a file, and on the rows of its parameters."""
    return tuple(
        (node.name, str(given.value))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for decorator in node.decorator_list
        for call in ast.walk(decorator)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.rule"
        for given in call.args
        if isinstance(given, ast.Constant)
    )


def vector_places() -> Places:
    """Which cases of the vectors name each id."""
    places: Places = {}
    for path in sorted((TESTS / "vectors").glob("*.json")):
        given = json.loads(path.read_text(encoding="utf-8"))
        for case in [*given["cases"], *given.get("aux_cases", [])]:
            for cited in case.get("rules", case.get("rule_ids", [])):
                places.setdefault(cited, set()).add(case["id"])
    return places


def everything_cited() -> Places:
    """Every id cited anywhere in the package, its data, the tests and the vectors, with the files that do."""
    places: Places = {}
    for path in [*PACKAGE.rglob("*.py"), *SHEETS.rglob("*.toml"), *TESTS.rglob("*.py")]:
        if path.name not in ABOUT_CITATIONS and "_datasheets" not in path.parts:
            for cited in ids_in(path.read_text(encoding="utf-8")):
                places.setdefault(cited, set()).add(path.name)
    for cited, cases in vector_places().items():
        places.setdefault(cited, set()).update(cases)
    return places


def ids_of_document(text: str, game: str) -> set[str]:
    """The ids that a rules document defines: in full, short inside tables, after a slash, as a range, or a number in brackets."""
    ids = {name for name in ids_in(text) if name.startswith(f"{game}-") and not name.endswith("-V")}
    for module, more in re.findall(rf"({game}-(?:[A-Z]+-)?)[\d.]+((?: / [\d.]+)+)", text):
        ids |= {module + number for number in re.findall(r"[\d.]+", more)}
    for chapter, low, high in re.findall(r"\b([A-Z]+-\d+)\.(\d)-\d+\.(\d)\b", text):
        ids |= {f"{game}-{chapter}.{number}" for number in range(int(low), int(high) + 1)}
    known = {name.rpartition("-")[2] for name in ids}
    if any(name[len(game) + 1].isdigit() for name in ids):  # a game whose rules are numbered
        ids |= {
            f"{game}-{number}" for number in re.findall(r"(?<!\d )\((\d+\.\d)\)", text) if number not in known
        }
    families = {
        name for name in ids if not name[-1].isdigit() and any(other.startswith(f"{name}-") for other in ids)
    }
    return ids - (families - {"AOS1-TERRAIN"})  # Terrain is a rule of its own besides its six kinds
