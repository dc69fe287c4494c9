"""Where rule ids are cited: in the package and its data, in the tests, in the vectors; nothing is imported for it, only read."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from places import DATASHEETS as SHEETS
from places import PACKAGE, TESTS

from mathhammer.conformance import SHORT

ABOUT_CITATIONS = {
    "conformance.py",
    "rule_citations.py",
    "test_conformance.py",
}  # what they name is no citation
FULL = re.compile(r"(?<![\w-])(?:AOS4|AOS1|WH40K|DW|UP)-[A-Z0-9]+(?:[-.][A-Z0-9]+)*")
SHORTER = [(game, re.compile(rf"(?<![\w-])(?:{pattern.pattern})")) for game, pattern in SHORT.items()]
Places = dict[str, set[str]]


def ids_in(text: str) -> set[str]:
    """The ids that a text cites, in full; vectors have names of their own."""
    found = {name for name in FULL.findall(text) if "-V-" not in name}
    return found | {f"{game}-{name}" for game, pattern in SHORTER for name in pattern.findall(text)}


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
    found: Places = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name not in ABOUT_CITATIONS and "_datasheets" not in path.parts:
            for cited, name in cited_in(path):
                place = path.relative_to(PACKAGE).as_posix()
                found.setdefault(cited, set()).add(f"{place}: {name}" if name else place)
    for path in sorted(SHEETS.rglob("*.toml")):
        for cited in ids_in(path.read_text(encoding="utf-8")):
            found.setdefault(cited, set()).add(f"datasheets/{path.relative_to(SHEETS).as_posix()}")
    return found


def places_in_tests() -> Places:
    """Which tests cite each id; a table or helper counts for its file."""
    found: Places = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        if path.name not in ABOUT_CITATIONS:
            place = path.relative_to(TESTS).as_posix()
            for cited, name in cited_in(path):
                found.setdefault(cited, set()).add(f"{place}::{name}" if name.startswith("test_") else place)
    return found


def vector_places() -> Places:
    """Which cases of the vectors name each id."""
    found: Places = {}
    for path in sorted((TESTS / "vectors").glob("*.json")):
        given = json.loads(path.read_text(encoding="utf-8"))
        for case in [*given["cases"], *given.get("aux_cases", [])]:
            for cited in case.get("rules", case.get("rule_ids", [])):
                found.setdefault(cited, set()).add(case["id"])
    return found


def everything_cited() -> Places:
    """Every id cited anywhere in the package, its data, the tests and the vectors, with the files that do."""
    found: Places = {}
    for path in [*PACKAGE.rglob("*.py"), *SHEETS.rglob("*.toml"), *TESTS.rglob("*.py")]:
        if path.name not in ABOUT_CITATIONS and "_datasheets" not in path.parts:
            for cited in ids_in(path.read_text(encoding="utf-8")):
                found.setdefault(cited, set()).add(path.name)
    for cited, cases in vector_places().items():
        found.setdefault(cited, set()).update(cases)
    return found


def ids_of_document(text: str, game: str) -> set[str]:
    """The ids that a rules document defines: in full, short inside tables, after a slash, as a range, or a number in brackets."""
    found = {name for name in ids_in(text) if name.startswith(f"{game}-") and not name.endswith("-V")}
    for module, more in re.findall(rf"({game}-(?:[A-Z]+-)?)[\d.]+((?: / [\d.]+)+)", text):
        found |= {module + number for number in re.findall(r"[\d.]+", more)}
    for chapter, low, high in re.findall(r"\b([A-Z]+-\d+)\.(\d)-\d+\.(\d)\b", text):
        found |= {f"{game}-{chapter}.{number}" for number in range(int(low), int(high) + 1)}
    known = {name.rpartition("-")[2] for name in found}
    if any(name[len(game) + 1].isdigit() for name in found):  # a game whose rules are numbered
        found |= {
            f"{game}-{number}" for number in re.findall(r"(?<!\d )\((\d+\.\d)\)", text) if number not in known
        }
    families = {
        name
        for name in found
        if not name[-1].isdigit() and any(other.startswith(f"{name}-") for other in found)
    }
    return found - (families - {"AOS1-TERRAIN"})  # Terrain is a rule of its own besides its six kinds
