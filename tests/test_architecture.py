"""Imports go downwards only, and importing the package stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "mathhammer"
# From the ground up: a module may import modules of lower floors only.
FLOORS = [
    {"kernels_cache"},
    {"errors", "kernels", "walk_kernels", "compiling", "markdown", "cards"},
    {"pmf", "fields", "symbol_kernels", "files"},
    {"dice", "game_data"},
    {"chain", "effects", "symbols"},
    {"units", "battle"},
    {"symbol_play"},
    {"table", "systems"},
    {"merge", "conformance"},
    {"landing", "schema", "explain"},
    {"json_schema", "result", "exact"},
    {"simulate"},
    {"fight", "odds", "datasheets"},
    {"sweep"},
    {"matchups", "matrices", "duel_kernels", "duel_laws", "duel_lists", "duel_script"},
    {"duel_sides"},
    {"duel_plan"},
    {"duel_exact"},
    {"duel_result"},
    {"duel_play"},
    {"duel_setup"},
    {"duel"},
    {"duel_advice"},
    {"value", "armies", "optimise"},
    {"bsdata", "reports", "plots"},
    {"rosters", "symbol_plots", "charts", "explorer"},
    {"html", "posts"},
    {"cli"},
    {"__main__"},
]
FLOOR = {name: level for level, names in enumerate(FLOORS) for name in names}
# What a game may see: no engine, no arrays, no pandas.
FOR_SYSTEMS = {"errors", "fields", "pmf", "dice", "chain", "effects", "units", "symbols", "systems", "game_data", "battle", "symbol_play"}
HEAVY = ("numba", "pandas", "matplotlib", "scipy.stats", "rich")


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
            found |= {f"{node.module}.{alias.name}" for alias in node.names if node.module == "mathhammer"}
    return found


def module_of(name: str) -> str | None:
    parts = name.split(".")
    return parts[1] if parts[0] == "mathhammer" and len(parts) > 1 else None


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py" and "_datasheets" not in path.parts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_downwards(path: Path) -> None:
    own = path.relative_to(PACKAGE).with_suffix("").parts[0]
    assert own in FLOOR, f"{own} has no floor: add it to FLOORS"
    for name in imports_of(path):
        module = module_of(name)
        if module in (None, "__version__") or module == own:
            continue
        assert FLOOR[module] < FLOOR[own], f"{own} imports {module}"
        if own == "systems":
            assert module in FOR_SYSTEMS, f"a system imports {module}"


@pytest.mark.parametrize("path", [p for p in FILES if "systems" in p.parts], ids=lambda path: str(path.relative_to(PACKAGE)))
def test_systems_hold_no_arrays(path: Path) -> None:
    assert not {name.split(".")[0] for name in imports_of(path)} & {"numpy", "pandas", "numba", "scipy", "matplotlib"}


def test_engines_name_no_game() -> None:
    for name in ("chain", "table", "landing", "exact", "kernels", "simulate", "result"):
        text = (PACKAGE / f"{name}.py").read_text(encoding="utf-8").lower()
        text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith((">>>", "...")))
        for game in ("aos4", "aos1", "wh40k10", "diskwars", "uprising"):
            assert game not in text, f"{name} names {game}"


def test_every_compiled_loop_lives_in_a_kernel_file() -> None:
    for path in FILES:
        if path.name != "kernels_cache.py":  # the others would refuse to start where machine code cannot be kept
            assert not {name for name in imports_of(path) if name.split(".")[0] == "numba"}, path
        if "kernels" not in path.name:
            assert not {name for name in imports_of(path) if module_of(name) == "kernels_cache"}, path


@pytest.mark.parametrize("statement", ["import mathhammer"])
def test_import_is_light(statement: str) -> None:
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", statement], capture_output=True, text=True, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "mathhammer.exact" in loaded
    for heavy in HEAVY:
        assert not {name for name in loaded if name == heavy or name.startswith(heavy + ".")}, heavy
