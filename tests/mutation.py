"""Mutation testing: small faults are put into the code one at a time, and the tests must notice.

    pip install cosmic-ray
    PYTHONPATH=tests MUTATION_MAP=map.json python -m pytest -q -n 2 -p mutation_map -m "not slow"
    python tests/mutation.py --map map.json --sample 100 engine games rulestext decide | tee report.txt
    python tests/mutation.py --map map.json ... --again report.txt   # after new tests: only what survived then

The faults are cosmic-ray's; each is tried in a forked process that imports the faulty module instead of the right one, so no file is
changed and nothing is imported twice. Faults in annotations, docstrings and decorators are left out: they change nothing that runs.
A fault is judged by the tests that run its line (see mutation_map.py), the quickest first, as they stand in the suite. Prints what
survived, and the score.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib.abc
import importlib.util
import os
import random
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mutation_map import known_tests
from places import PACKAGE, ROOT

# The loops are compiled and leave no trace of their lines: those tests are asked that play them, bit by bit among others.
COMPILED = {"engine/kernels.py", "engine/lane_kernels.py"}
PLAYED_BY = tuple(f"tests/engine/test_{name}.py::" for name in ("histograms", "kernels", "simulate"))
OPERATORS = (
    "NumberReplacer ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr ReplaceOrWithAnd AddNot ZeroIterationForLoop "
    "ReplaceBreakWithContinue ReplaceContinueWithBreak ReplaceUnaryOperator_USub_UAdd ReplaceUnaryOperator_Delete_Not "
    "ReplaceBinaryOperator_Add_Sub ReplaceBinaryOperator_Sub_Add ReplaceBinaryOperator_Mul_Div ReplaceBinaryOperator_Div_Mul "
    "ReplaceBinaryOperator_FloorDiv_Mul ReplaceBinaryOperator_Mod_FloorDiv ReplaceBinaryOperator_Pow_Mul ReplaceBinaryOperator_BitAnd_BitOr "
    "ReplaceComparisonOperator_Eq_NotEq ReplaceComparisonOperator_NotEq_Eq ReplaceComparisonOperator_Lt_LtE ReplaceComparisonOperator_LtE_Lt "
    "ReplaceComparisonOperator_Gt_GtE ReplaceComparisonOperator_GtE_Gt ReplaceComparisonOperator_Lt_GtE ReplaceComparisonOperator_GtE_Lt "
    "ReplaceComparisonOperator_Gt_LtE ReplaceComparisonOperator_LtE_Gt ReplaceComparisonOperator_Is_IsNot ReplaceComparisonOperator_IsNot_Is"
).split()
MOST = 60.0  # seconds that the tests of one fault take by themselves; the quickest are chosen
PATIENCE = 6.0  # so many times as long, and a minute, of processor time, and a fault is noticed: the tests no longer end
COMPILING = 240.0  # seconds more where a kernel is compiled
LONGEST = 1800.0  # of wall time, on a machine that has much else to do


@dataclass(frozen=True, slots=True)
class Fault:
    """One faulty version of a module."""

    path: str  # below the package
    operator: str
    source: str
    line: int

    def told(self, right: str) -> str:
        """The changed lines, as a diff shows them."""
        changed = difflib.unified_diff(right.splitlines(), self.source.splitlines(), lineterm="", n=0)
        lines = [line for line in changed if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        return f"{self.path}:{self.line} {self.operator}\n    " + "\n    ".join(
            line[:1] + " " + line[1:].strip() for line in lines
        )


class _Bare(ast.NodeTransformer):
    """Takes away what never runs: annotations, docstrings, decorators."""

    def visit(self, node: ast.AST) -> Any:
        for name in ("annotation", "returns"):
            if getattr(node, name, None) is not None:
                setattr(node, name, ast.Constant(0))
        if getattr(node, "decorator_list", None):
            node.decorator_list = []  # type: ignore[attr-defined]
        body = getattr(node, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            body[0].value = ast.Constant(0)
        return self.generic_visit(node)


def bare(source: str) -> str:
    """The code without what never runs, as text to compare."""
    return ast.dump(_Bare().visit(ast.parse(source)))


def places_of(path: str) -> list[tuple[str, str, int]]:
    """Every place of a module where a fault could be put: path, operator, number of the place."""
    from cosmic_ray.ast import get_ast
    from cosmic_ray.plugins import get_operator

    nodes = list(_nodes(get_ast((ROOT / "mathhammer" / path).read_text(encoding="utf-8"))))
    found = []
    for name in OPERATORS:
        operator = get_operator(f"core/{name}")()
        found += [
            (path, name, place)
            for place in range(sum(len(list(operator.mutation_positions(node))) for node in nodes))
        ]
    return found


def faults_at(places: Sequence[tuple[str, str, int]]) -> Iterator[Fault]:
    """The faulty versions at these places, without those that change nothing, are no Python, or come twice."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    seen: dict[str, set[str]] = {}
    for path, name, place in places:
        right = (ROOT / "mathhammer" / path).read_text(encoding="utf-8")
        known = seen.setdefault(path, {bare(right)})
        source = mutate_code(right, get_operator(f"core/{name}")(), place)
        try:
            key = bare(source or right)
        except SyntaxError:
            continue
        if source is not None and key not in known:
            known.add(key)
            pairs = enumerate(zip(right.splitlines(), source.splitlines(), strict=False), 1)
            yield Fault(path, name, source, next((line for line, (a, b) in pairs if a != b), 0))


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in getattr(node, "children", ()):
        yield from _nodes(child)


class Faulty(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Gives a faulty module instead of the right one."""

    def __init__(self, fault: Fault) -> None:
        self.path = ROOT / "mathhammer" / fault.path
        parts = ("mathhammer", *Path(fault.path).with_suffix("").parts)
        self.package = parts[-1] == "__init__"
        self.name, self.source = ".".join(parts[:-1] if self.package else parts), fault.source

    def find_spec(self, name: str, *_: Any) -> Any:
        """The spec of the one module that is faulty."""
        folder = [str(self.path.parent)] if self.package else None
        return (
            importlib.util.spec_from_file_location(
                name, self.path, loader=self, submodule_search_locations=folder
            )
            if name == self.name
            else None
        )

    def pytest_sessionstart(self) -> None:
        """Comes first, before pytest's own loader of files that are named to it."""
        sys.meta_path.insert(0, self)

    def get_filename(self, _: str) -> str:
        """Where the right module lies."""
        return str(self.path)

    def get_data(self, path: str) -> bytes:
        """The faulty source; there is no compiled file to use instead."""
        if not path.endswith(".py"):
            raise OSError(path)
        return self.source.encode()


class Chosen:
    """Leaves pytest the chosen tests alone, in their order."""

    def __init__(self, names: Sequence[str]) -> None:
        self.place = {name: index for index, name in enumerate(names)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Keeps what was chosen."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self.place), key=lambda item: self.place[item.nodeid]
        )


def survives(fault: Fault, names: Sequence[str], seconds: float) -> bool:
    """Whether all tests pass with the fault, tried in a process of its own."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            import pytest

            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            limit = int(PATIENCE * seconds + 60.0 + (COMPILING if fault.path in COMPILED else 0.0))
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            faulty = Faulty(fault)
            sys.meta_path.insert(0, faulty)
            files = list(dict.fromkeys(name.partition("::")[0] for name in names))
            words = (
                "-x -q -p no:cacheprovider -p no:xdist -W ignore::pytest.PytestAssertRewriteWarning".split()
            )
            with TemporaryDirectory() as folder:
                if fault.path in COMPILED:  # what is compiled and kept is of the right module
                    os.environ["NUMBA_CACHE_DIR"] = folder
                code = int(pytest.main([*words, *files], plugins=[faulty, Chosen(names)]))
        finally:
            os._exit(code)
    ends = time.monotonic() + LONGEST
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


@dataclass(frozen=True, slots=True)
class Known:
    """Which tests run which line, and how long each takes."""

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]

    def tests_of(self, path: str, line: int) -> tuple[list[str], float]:
        """Those of the statement around a line, or of the whole module where no test runs it: tables, imports."""
        if path in COMPILED:
            return self._quickest({name for name in self.seconds if name.startswith(PLAYED_BY)})
        of_file = self.lines.get(path, {})
        tree = ast.parse((PACKAGE / path).read_text(encoding="utf-8"))
        around = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
        ]
        inner = max(around, key=lambda node: (node.lineno, -(node.end_lineno or 0)), default=None)
        body = getattr(inner, "body", None)
        last = line if inner is None else body[0].lineno - 1 if body else inner.end_lineno or line
        first = line if inner is None else inner.lineno
        names = {name for number in range(first, last + 1) for name in of_file.get(number, ())}
        return self._quickest(names or {name for several in of_file.values() for name in several})

    def _quickest(self, names: set[str]) -> tuple[list[str], float]:
        chosen, spent = [], 0.0
        for name in sorted(names, key=lambda name: (self.seconds[name], name)):
            if chosen and spent + self.seconds[name] > MOST:
                break
            chosen.append(name)
            spent += self.seconds[name]
        return chosen, spent


def main() -> None:
    """Tries the faults of the named modules, or of the core and the games."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("modules", nargs="+", help="below mathhammer/: engine, games/aos4, dice/pmf.py")
    parser.add_argument("--map", type=Path, required=True, help="what mutation_map.py has written")
    parser.add_argument(
        "--sample", type=int, default=0, help="so many faults of each module, drawn with a fixed seed; 0: all"
    )
    parser.add_argument("--seed", type=int, default=7, help="of the sample")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--again",
        type=Path,
        help="the report of an earlier run: only what survived there, in code that is still the same",
    )
    asked = parser.parse_args()
    known = Known(*known_tests(asked.map.resolve()))
    survived = asked.again.read_text(encoding="utf-8") if asked.again else None
    os.chdir(ROOT)
    import hypothesis  # noqa: F401  loaded once, for every process that is forked
    import numpy as np  # noqa: F401
    import pytest  # noqa: F401
    import scipy.stats  # noqa: F401

    total = noticed = 0
    for name in asked.modules:
        faults = [
            fault
            for fault in drawn(name, asked.sample, asked.seed)
            if survived is None or fault.told(right(fault)) in survived
        ]
        lives = tried(faults, known, asked.jobs)
        total, noticed = total + len(faults), noticed + lives.count(False)
        print(f"{name}: {lives.count(False)} of {len(faults)} faults noticed", flush=True)
    print(f"all: {noticed} of {total} faults noticed, {100 * noticed / max(1, total):.1f} %")


def drawn(name: str, sample: int, seed: int) -> list[Fault]:
    """The faults of a module or of a package, all or so many."""
    found = PACKAGE / name
    paths = [found] if found.is_file() else sorted(found.rglob("*.py"))
    places = [place for path in paths for place in places_of(path.relative_to(PACKAGE).as_posix())]
    if sample:
        random.Random(seed).shuffle(places)
    return list(islice(faults_at(places), sample or None))


def right(fault: Fault) -> str:
    """The module without the fault."""
    return (PACKAGE / fault.path).read_text(encoding="utf-8")


def tried(faults: Sequence[Fault], known: Known, jobs: int) -> list[bool]:
    """Whether each survives; those that do are printed at once. The tests must pass without the fault."""

    def alive(fault: Fault) -> bool:
        names, seconds = known.tests_of(fault.path, fault.line)
        if names and not survives(fault, names, seconds):
            return False
        if names and not survives(replace(fault, source=right(fault)), names, seconds):
            raise SystemExit(f"{fault.path}: its tests fail without any fault")
        print(f"({len(names)} tests) {fault.told(right(fault))}", flush=True)
        return True

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(alive, faults))


if __name__ == "__main__":
    main()
