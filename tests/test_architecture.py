"""Imports go downwards only, and importing the package stays light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import PACKAGE

from mathhammer.games.discovery import game_keys

# From the ground up: a package may import packages of lower floors only.
FLOORS = [
    {"_version", "dataclass", "errors"},
    {"files", "text", "names", "tables", "views", "registry", "checks"},
    {"dice"},
    {"units"},
    {"engine"},
    {"pools"},
    {"games"},
    {"rulestext"},
    {"datasheets", "conformance", "one_reroll"},
    {"fight", "odds"},
    {"duel", "compare"},
    {"battlescribe", "decide"},
    {"lists"},
    {"frames", "plots", "report"},
    {"notebook", "serve"},
    {"cli"},
]
FLOOR = {name: level for level, names in enumerate(FLOORS) for name in names}
# What a game may see besides dice, units and other games: chains and plans, never an engine.
FOR_GAMES = ("engine.chain", "engine.plan", "pools.battle")
HEAVY = ("numba", "pandas", "matplotlib", "scipy.stats", "jinja2", "platformdirs", "starlette", "uvicorn")


def imports_of(path: Path) -> set[str]:
    """Everything a file imports at run time, wherever in the file; type-checking blocks do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            found.add(node.module or "")
            found |= {
                f"{node.module}.{alias.name}"
                for alias in node.names
                if (node.module or "").startswith("mathhammer")
            }
    return found


def code_lines(path: Path) -> list[str]:
    """The lines of a file without docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    hidden: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
            and ast.get_docstring(node) is not None
        ):
            hidden |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return [
        line.partition("  #")[0]
        for number, line in enumerate(text.splitlines(), 1)
        if number not in hidden and not line.lstrip().startswith("#")
    ]


def module_of(name: str) -> str | None:
    parts = name.split(".")
    return parts[1] if parts[0] == "mathhammer" and len(parts) > 1 else None


FILES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if path.name != "__main__.py" and path != PACKAGE / "__init__.py" and "_datasheets" not in path.parts
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_downwards(path: Path) -> None:
    own = path.relative_to(PACKAGE).with_suffix("").parts[0]
    assert own in FLOOR, f"{own} has no floor: add it to FLOORS"
    for name in imports_of(path):
        module = module_of(name)
        if module is None or module == own:
            continue
        assert FLOOR[module] < FLOOR[own], f"{own} imports {module}"


def test_there_are_few_floors() -> None:
    assert len(FLOORS) <= 16
    assert set(FLOOR) == {path.relative_to(PACKAGE).with_suffix("").parts[0] for path in FILES}


GAMES = [path for path in FILES if "games" in path.parts]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_games_see_no_engine_and_hold_no_arrays(path: Path) -> None:
    for name in imports_of(path):
        if module_of(name) in ("engine", "pools"):
            assert name.removeprefix("mathhammer.").startswith(FOR_GAMES), f"a game imports {name}"
    assert not {name.split(".")[0] for name in imports_of(path)} & {
        "numpy",
        "pandas",
        "numba",
        "scipy",
        "matplotlib",
    }


def test_no_file_outside_the_games_names_a_game() -> None:
    """A command of one game (`cli/<key>/`) belongs to it; examples in docstrings may name what they like."""
    keys = re.compile(rf"\b({'|'.join(game_keys())})\b")
    named = []
    for path in FILES:
        if "games" in path.parts or set(path.relative_to(PACKAGE).parts[:-1]) & set(game_keys()):
            continue
        named += [
            f"{path.relative_to(PACKAGE)}: {line.strip()}" for line in code_lines(path) if keys.search(line)
        ]
    assert named == []


def test_every_compiled_loop_lives_in_a_kernel_file() -> None:
    for path in FILES:
        if path.name != "jit.py":  # the others would refuse to start where machine code cannot be kept
            assert not {name for name in imports_of(path) if name.split(".")[0] == "numba"}, path
        if "kernels" not in path.name:
            assert "mathhammer.engine.jit.njit" not in imports_of(path), path


@pytest.mark.parametrize("statement", ["import mathhammer"])
def test_import_is_light(statement: str) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", statement], capture_output=True, text=True, check=True
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "mathhammer.engine.exact" in loaded
    for heavy in HEAVY:
        assert not {name for name in loaded if name == heavy or name.startswith(heavy + ".")}, heavy
