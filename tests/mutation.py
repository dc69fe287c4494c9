"""Mutation testing: small faults are put into the code one at a time, and the tests must notice.

    pip install cosmic-ray && python tests/mutation.py [--sample N] [--jobs N] [MODULE ...] | tee report.txt
    python tests/mutation.py ... --again report.txt      # after new tests: only what survived then

The faults are cosmic-ray's; each is tried in a forked process that imports the faulty module instead of the right one, so no file is
changed and nothing is imported twice. Faults in annotations, docstrings and decorators are left out: they change nothing that runs.
The tests are those that ask exactly, without simulation, so that a fault costs seconds. Prints what survived, and the score.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib.abc
import importlib.util
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from places import ROOT

CORE = (
    "dice/pmf",
    "dice/notation",
    "engine/chain",
    "engine/plan",
    "engine/table",
    "engine/landing",
    "engine/exact",
    "engine/simplify",
)
FIGHTING = [
    "test_vectors.py",
    "engine/test_exact.py",
    "engine/test_chain.py",
    "test_fight.py",
    "test_odds.py",
    "test_properties.py",
]
TESTS = {  # the start of a module's path -> the test files that know most about it, the quickest first
    "dice/pmf.py": ["dice/test_pmf.py", "test_vectors.py", "engine/test_exact.py"],
    "dice/notation.py": ["dice/test_notation.py", "test_vectors.py", "test_fight.py"],
    "games/aos4/turns.py": ["duel"],
    "games/aos1/turns.py": ["duel"],
    "games/wh40k10/turns.py": ["duel"],
    "games/aos4": [
        "test_vectors.py",
        "games/test_rules_aos4.py",
        "test_fight.py",
        "test_odds.py",
        "test_properties.py",
    ],
    "games/aos1": [
        "test_vectors.py",
        "games/test_aos1.py",
        "games/test_aos1_warscrolls.py",
        "games/test_abilities.py",
        "test_properties.py",
    ],
    "games/wh40k10": [
        "test_vectors.py",
        "games/test_wh40k10.py",
        "games/test_rules_wh40k10.py",
        "compare/test_matrix.py",
        "test_properties.py",
    ],
    "games/diskwars": [
        "test_vectors.py",
        "games/test_diskwars.py",
        "games/test_rules_diskwars.py",
        "games/test_diskwars_round.py",
        "games/test_symbol_input.py",
    ],
    "games/uprising": [
        "test_vectors.py",
        "games/test_uprising.py",
        "games/test_rules_uprising.py",
        "games/test_uprising_cards.py",
        "games/test_uprising_best.py",
        "games/test_symbol_input.py",
    ],
    "games/": [*FIGHTING, "games/test_aos1.py", "games/test_wh40k10.py"],
    "": [*FIGHTING, "games/test_wh40k10.py"],
}
WITHOUT = "not simulat and not played and not naive and not referee and not agree and not three_ways and not thread and not engines and not too_large_says_so"
OPERATORS = (
    "NumberReplacer ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr ReplaceOrWithAnd AddNot ZeroIterationForLoop "
    "ReplaceBreakWithContinue ReplaceContinueWithBreak ReplaceUnaryOperator_USub_UAdd ReplaceUnaryOperator_Delete_Not "
    "ReplaceBinaryOperator_Add_Sub ReplaceBinaryOperator_Sub_Add ReplaceBinaryOperator_Mul_Div ReplaceBinaryOperator_Div_Mul "
    "ReplaceBinaryOperator_FloorDiv_Mul ReplaceBinaryOperator_Mod_FloorDiv ReplaceBinaryOperator_Pow_Mul ReplaceBinaryOperator_BitAnd_BitOr "
    "ReplaceComparisonOperator_Eq_NotEq ReplaceComparisonOperator_NotEq_Eq ReplaceComparisonOperator_Lt_LtE ReplaceComparisonOperator_LtE_Lt "
    "ReplaceComparisonOperator_Gt_GtE ReplaceComparisonOperator_GtE_Gt ReplaceComparisonOperator_Lt_GtE ReplaceComparisonOperator_GtE_Lt "
    "ReplaceComparisonOperator_Gt_LtE ReplaceComparisonOperator_LtE_Gt ReplaceComparisonOperator_Is_IsNot ReplaceComparisonOperator_IsNot_Is"
).split()
SECONDS = 120.0  # a fault that makes the tests run longer than this is noticed


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


def survives(fault: Fault, files: Sequence[str]) -> bool:
    """Whether all tests pass with the fault, tried in a process of its own."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            import pytest

            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            faulty = Faulty(fault)
            sys.meta_path.insert(0, faulty)
            words = [
                "-x",
                "-q",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:xdist",
                "--hypothesis-profile=few",
                "-W",
                "ignore::pytest.PytestAssertRewriteWarning",
                "-m",
                "not slow",
                "-k",
                WITHOUT,
            ]
            code = int(pytest.main([*words, *files], plugins=[faulty]))
        finally:
            os._exit(code)
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


def files_for(path: str) -> list[str]:
    """The module's own examples, then the test files for it."""
    wanted = next(files for start, files in TESTS.items() if path.startswith(start))
    return [f"mathhammer/{path}", *(f"tests/{name}" for name in wanted if (ROOT / "tests" / name).exists())]


def main() -> None:
    """Tries the faults of the named modules, or of the core and the games."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "modules",
        nargs="*",
        help="below mathhammer/: dice/pmf.py, games/aos4; left out: the core and the games",
    )
    parser.add_argument(
        "--sample",
        type=int,
        default=0,
        help="so many faults of each module or game, drawn with a fixed seed; 0: all",
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--again",
        type=Path,
        help="the report of an earlier run: only what survived there, in code that is still the same",
    )
    asked = parser.parse_args()
    if asked.again:
        asked.again = asked.again.resolve()
    os.chdir(ROOT)
    package = ROOT / "mathhammer"
    wanted = asked.modules or [*(f"{name}.py" for name in CORE), "systems"]
    import hypothesis  # noqa: F401  loaded once, for every process that is forked
    import numpy as np  # noqa: F401
    import pytest  # noqa: F401
    import scipy.stats  # noqa: F401

    total = killed = 0
    for name in wanted:
        found = package / name
        paths = [found] if found.is_file() else sorted(found.rglob("*.py"))
        places = [place for path in paths for place in places_of(path.relative_to(package).as_posix())]
        if asked.sample:
            random.Random(7).shuffle(places)
        faults = list(islice(faults_at(places), asked.sample or None))
        if asked.again:
            survived = asked.again.read_text(encoding="utf-8")
            faults = [
                fault
                for fault in faults
                if fault.told((package / fault.path).read_text(encoding="utf-8")) in survived
            ]
        for path in sorted({fault.path for fault in faults}):  # the tests must pass without a fault
            right = (package / path).read_text(encoding="utf-8")
            assert survives(Fault(path, "none", right, 0), files_for(path)), (
                f"{path}: its tests fail without any fault"
            )
        with ThreadPoolExecutor(asked.jobs) as pool:
            lives = list(pool.map(lambda fault: survives(fault, files_for(fault.path)), faults))
        for fault, alive in zip(faults, lives, strict=True):
            if alive:
                print(fault.told((package / fault.path).read_text(encoding="utf-8")), flush=True)
        total, killed = total + len(faults), killed + lives.count(False)
        print(f"{name}: {lives.count(False)} of {len(faults)} faults noticed", flush=True)
    print(f"all: {killed} of {total} faults noticed, {100 * killed / max(1, total):.1f} %")


if __name__ == "__main__":
    main()
