#!/usr/bin/env python3
"""Tries the package with other versions of Python and of what it stands on, and prints a table.

    python3 .ci/versions.py                     every Python from 3.11 to 3.14 that is found here
    python3 .ci/versions.py --only 3.12         one of them
    python3 .ci/versions.py --tests tests/test_fight.py

For each Python: a fresh environment, the wheel that is built from the tree, the newest versions of
everything, and all tests that are not marked slow; on the oldest Python once more with the lowest versions
that pyproject.toml allows. Needs a
package index. The tests are run on the installed package, not on the tree. Warnings are errors with the
newest versions only: what old
versions say about their neighbours is nothing that we could change.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SHOWN = ("numpy", "numba", "pandas", "scipy", "matplotlib", "click", "jinja2", "platformdirs")
LEFT_BEHIND = shutil.ignore_patterns(
    ".git", ".venv", "venv", "__pycache__", "*.nbi", "*.nbc", ".*_cache", ".hypothesis", "dist", "build"
)
OF_THAT_TIME = ("pyparsing<3.3",)  # later ones warn of what matplotlib 3.10 calls
WARM = (  # so that no test has to wait for a compiler
    ["compare", "Liberators", "--vs", "Clanrats", "--method", "simulate", "--trials", "1000"],
    ["duel", "Liberators", "Rat Ogors", "--method", "simulate", "--trials", "1000"],
)


@dataclass(frozen=True)
class Trial:
    """One environment, and how it went."""

    python: str
    which: str
    versions: dict[str, str]
    outcome: str

    def row(self) -> str:
        """A row of the table."""
        return (
            "| "
            + " | ".join(
                [self.python, self.which, *(self.versions.get(name, "-") for name in SHOWN), self.outcome]
            )
            + " |"
        )


def find_python(version: str) -> str | None:
    """An interpreter of that version: on the path, or among those of pyenv."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for found in (
        sys.executable,
        shutil.which(f"python{version}"),
        *sorted(map(str, home.glob(f"{version}.*/bin/python")), reverse=True),
    ):
        if found is not None:
            code = "import sys; print('%d.%d' % sys.version_info[:2])"
            said = subprocess.run([found, "-c", code], capture_output=True, text=True)
            if said.returncode == 0 and said.stdout.strip() == version:
                return found
    return None


def lowest() -> list[str]:
    """The lowest versions that are allowed, as pip wants them, with neighbours of their time."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*(requirement.replace(">=", "==") for requirement in project["dependencies"]), *OF_THAT_TIME]


def test_tools() -> list[str]:
    """What the tests need, without the tools that look at the source only."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tools = project["optional-dependencies"]["dev"]
    return [tool for tool in tools if not re.match(r"ruff|mypy|pandas-stubs", tool)]


def tried(python: str, version: str, which: str, scratch: Path, tests: Sequence[str], workers: int) -> Trial:
    """Makes the environment, installs, runs the tests."""
    home = scratch / f"{version}-{which}"
    log = scratch / f"{version}-{which}.log"
    with log.open("w", encoding="utf-8") as out:

        def run(*words: str | Path, **environment: str) -> bool:
            done = subprocess.run(
                words,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=scratch / "tree",
                env=os.environ | environment,
            )
            return done.returncode == 0

        inside = home / ("Scripts" if os.name == "nt" else "bin") / "python"
        wheels = scratch / "wheels"
        if not run(python, "-m", "venv", home):
            return Trial(version, which, {}, f"no environment could be made: see {log}")
        if not any(wheels.glob("*.whl")) and not run(
            inside, "-m", "pip", "wheel", "-q", "--no-deps", "-w", wheels, ROOT
        ):
            return Trial(version, which, {}, f"the wheel could not be built: see {log}")
        (wheel,) = wheels.glob("*.whl")
        bounds = lowest() if which == "lowest" else []
        upgrade = ["--upgrade"] if which == "newest" else []
        if not run(inside, "-m", "pip", "install", "-q", *upgrade, wheel, *bounds, *test_tools()):
            return Trial(version, which, {}, f"could not be installed: see {log}")
        listed = subprocess.run(
            [inside, "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True
        ).stdout
        versions = dict(line.split("==", 1) for line in listed.splitlines() if "==" in line)
        # the tree lies in the working folder, and must not be imported from there
        safe = {"PYTHONSAFEPATH": "1"}
        where = [inside, "-c", "import mathhammer; print(mathhammer.__path__[0])"]
        package = subprocess.run(
            where, capture_output=True, text=True, cwd=scratch, env=os.environ | safe
        ).stdout.strip()
        if not Path(package).is_relative_to(home) or not all(
            run(inside, "-m", "mathhammer", *words, **safe) for words in WARM
        ):
            return Trial(version, which, versions, f"does not run: see {log}")
        started = time.monotonic()
        chosen = list(tests) if tests else ["tests", "README.md", package]
        lenient = ["-W", "default"] if which == "lowest" else []
        words = [
            "-m",
            "pytest",
            "-q",
            "-c",
            "pyproject.toml",
            "-p",
            "no:cacheprovider",
            "-m",
            "not slow",
            "-n",
            str(workers),
            *lenient,
        ]
        passed = run(inside, *words, *chosen, **safe)
    last = log.read_text(encoding="utf-8").splitlines()[-1].strip("= ")
    summary = re.sub(r" in [\d.]+s.*", "", last)
    return Trial(
        version,
        which,
        versions,
        f"{summary}, {time.monotonic() - started:.0f} s" + ("" if passed else f": see {log}"),
    )


def main() -> int:
    """Every environment, then the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--only", choices=PYTHONS, help="one version of Python")
    parser.add_argument(
        "--which", choices=("lowest", "newest"), help="only these versions of everything else"
    )
    parser.add_argument("--tests", nargs="+", default=[], metavar="PATH", help="these tests instead of all")
    parser.add_argument(
        "--workers", type=int, default=2, metavar="N", help="processes for the tests (default: 2)"
    )
    parser.add_argument(
        "--scratch", type=Path, metavar="DIR", help="where environments and logs are made and stay"
    )
    asked = parser.parse_args()
    scratch = (asked.scratch or Path(tempfile.mkdtemp(prefix="mathhammer-versions-"))).resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    for old in ("tree", "wheels"):  # of an earlier run in the same folder
        shutil.rmtree(scratch / old, ignore_errors=True)
    shutil.copytree(ROOT, scratch / "tree", ignore=LEFT_BEHIND)
    trials = []
    for version in [asked.only] if asked.only else PYTHONS:
        python = find_python(version)
        for which in ("lowest", "newest") if version == PYTHONS[0] else ("newest",):
            if asked.which not in (None, which):
                continue
            if python is None:
                trials.append(Trial(version, which, {}, "not found here"))
            else:
                trials.append(tried(python, version, which, scratch, asked.tests, asked.workers))
            print(trials[-1].row(), file=sys.stderr, flush=True)
    print(f"| Python | versions | {' | '.join(SHOWN)} | tests |\n{'|---' * (len(SHOWN) + 3)}|")
    print("\n".join(trial.row() for trial in trials))
    return 1 if any(" failed" in trial.outcome or "see " in trial.outcome for trial in trials) else 0


if __name__ == "__main__":
    sys.exit(main())
