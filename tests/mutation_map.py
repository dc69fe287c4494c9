"""Which tests run which line, as a plugin of pytest; tests/mutation.py picks by it who must notice a fault.

    PYTHONPATH=tests MUTATION_MAP=map.json .venv/bin/python -m pytest -q -p mutation_map -m "not slow" [-n 2]

Writes, for every file of the package that is measured, the tests of every line, and how long each test took. Several processes write files
of their own beside the named one; `known_tests` reads them together.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage
from places import PACKAGE

MEASURED = ("engine", "games", "rulestext", "decide", "dice")


class Watching:
    """Notes, for each test, the lines that it was the reason for."""

    def __init__(self) -> None:
        include = [str(PACKAGE / name / "*") for name in MEASURED]
        self.coverage = Coverage(data_file=None, include=include, config_file=False)
        self.coverage.start()
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        result = yield
        self.coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.seconds[report.nodeid] = report.duration

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        data = self.coverage.get_data()
        tests = list(self.seconds)
        place = {name: index for index, name in enumerate(tests)}
        lines: dict[str, dict[int, list[int]]] = {}
        for file in data.measured_files():
            of_file = lines.setdefault(Path(file).relative_to(PACKAGE).as_posix(), {})
            for line, contexts in data.contexts_by_lineno(file).items():
                if numbers := sorted(place[name] for name in contexts if name in place):
                    of_file[line] = numbers
        path = f"{os.environ['MUTATION_MAP']}.{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
        Path(path).write_text(
            json.dumps({"tests": tests, "seconds": list(self.seconds.values()), "lines": lines}),
            encoding="utf-8",
        )


def pytest_configure(config: pytest.Config) -> None:
    """Watches in every process that runs tests itself."""
    if os.environ.get("PYTEST_XDIST_WORKER") or not getattr(config.option, "numprocesses", None):
        config.pluginmanager.register(Watching(), "mutation-map")


def known_tests(path: Path) -> tuple[dict[str, dict[int, list[str]]], dict[str, float]]:
    """The tests of every line of every file, and how long each takes."""
    lines: dict[str, dict[int, list[str]]] = {}
    seconds: dict[str, float] = {}
    for part in sorted(path.parent.glob(f"{path.name}.*")):
        stored: dict[str, Any] = json.loads(part.read_text(encoding="utf-8"))
        seconds |= dict(zip(stored["tests"], stored["seconds"], strict=True))
        for file, of_file in stored["lines"].items():
            for line, numbers in of_file.items():
                names = [stored["tests"][number] for number in numbers]
                lines.setdefault(file, {}).setdefault(int(line), []).extend(names)
    return lines, seconds
