"""Knocks out one rule after the other and demands that a test marked with its id fails.

    python tests/knockout.py [ID ...] [--game KEY] [--tests PATH] [--write]

Every ability and each of its hooks, every function whose docstring cites a rule, every statement and entry that cites one (in a comment
or in a text) is taken away in turn: an edit leaves the draft as it is, a function returns the neutral value of its type, an `if` is false,
an entry, element or argument disappears. The tests are collected once; each knock-out is made in a forked process, which runs the tests
and vectors marked with the id, the quickest first, until one fails. Rules whose knock-out nobody notices are listed as "cited, not tested",
and the exit code is 1. With `--write` the list goes to tests/unnoticed.json, for `mathhammer conformance`.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from _pytest.runner import runtestprotocol
from knockout_live import Loaded
from knockout_sites import Site, sites_in
from places import PACKAGE, ROOT, TESTS
from rule_markers import rules_of

from mathhammer.conformance import Rule, find_rules, rules
from mathhammer.errors import MathhammerError
from mathhammer.games.abilities import Ability
from mathhammer.games.discovery import game_keys, get_game

SECONDS = 30  # of processor time: a knock-out that makes the tests run longer than this is noticed
PATIENCE = 900.0  # of wall time, on a machine that has much else to do
STORED = TESTS / "unnoticed.json"
HOOKS = "edit critical may_attack allows cover reached_by picks_characters once extra instead lower_is_better".split()
NOT_CODE = {"conformance.py"}  # what it names is not a citation


@dataclass(frozen=True, slots=True)
class Knockout:
    """One thing that is taken away: what it is called, the rules that it states, and how."""

    name: str
    ids: tuple[str, ...]
    make: Callable[[], None]


@dataclass(slots=True)
class Outcome:
    """What became of a rule: its knock-outs that a test noticed, and those that none did."""

    noticed: list[str] = field(default_factory=list)
    unnoticed: list[str] = field(default_factory=list)


def knockouts(loaded: Loaded) -> list[Knockout]:
    """Everything that can be knocked out, in the order of the files."""
    made = [_of_ability(ability, hook, loaded) for ability, hook in _hooks()]
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name not in NOT_CODE and "_datasheets" not in path.parts:
            made += [_of_site(site, loaded) for site in sites_in(path)]
    return made


def _hooks() -> Iterator[tuple[Ability, str]]:
    plain = {one.name: None if one.default is MISSING else one.default for one in fields(Ability)}
    for key in game_keys():
        attacks = get_game(key).attacks
        for ability in attacks.abilities.known if attacks is not None else ():
            for hook in HOOKS:
                if getattr(ability, hook) != plain[hook]:
                    yield ability, hook


def _of_ability(ability: Ability, hook: str, loaded: Loaded) -> Knockout:
    plain = next(one.default for one in fields(Ability) if one.name == hook)

    def make() -> None:
        object.__setattr__(ability, hook, plain)
        loaded.forget()

    return Knockout(f"ability {ability.name} ({hook})", (ability.rule,), make)


def _of_site(site: Site, loaded: Loaded) -> Knockout:
    return Knockout(str(site), site.ids, lambda: loaded.swap(site))


# --- one process for each -------------------------------------------------------------------------------------------------


def in_children(
    works: Sequence[Callable[[], Any]], jobs: int, seconds: int, done: Callable[[int, Any], None]
) -> None:
    """Runs each piece of work in a forked process, so many at once; hands over what it returned, None if it did not end well."""
    waiting = list(enumerate(works))[::-1]
    running: dict[int, tuple[int, str, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            number, work = waiting.pop()
            handle, file = tempfile.mkstemp()
            os.close(handle)
            running[_fork(work, file, seconds)] = (number, file, time.monotonic() + PATIENCE)
        pid, _ = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            for child, (_, _, ends) in running.items():
                if time.monotonic() > ends:
                    os.kill(child, signal.SIGKILL)
            time.sleep(0.005)
            continue
        number, file, _ = running.pop(pid)
        text = Path(file).read_text(encoding="utf-8")
        os.unlink(file)
        done(number, json.loads(text) if text else None)


def _fork(work: Callable[[], Any], file: str, seconds: int) -> int:
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        try:
            text = json.dumps(work())
        except BaseException:
            text = json.dumps({"error": traceback.format_exc()})
        Path(file).write_text(text, encoding="utf-8")
        os._exit(0)
    return pid


def fails(item: pytest.Item) -> bool:
    """Whether a test fails here and now."""
    return any(report.failed for report in runtestprotocol(item, nextitem=None, log=False))


# --- the run --------------------------------------------------------------------------------------------------------------


class Run:
    """A pytest plugin: collects the marked tests, and knocks out instead of running them."""

    def __init__(self, asked: Sequence[Rule], jobs: int) -> None:
        self.asked, self.jobs = {rule.id: rule for rule in asked}, jobs
        self.tests: dict[str, list[pytest.Item]] = {}
        self.outcomes: dict[str, Outcome] = {rule.id: Outcome() for rule in asked}
        self.faults: list[str] = []
        self.knockouts = 0
        self.endless: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self) -> None:
        from hypothesis import settings  # pytest loads it first, as a plugin

        settings.register_profile("few", derandomize=True, deadline=None, max_examples=12)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        loaded = Loaded()
        gc.collect()
        gc.freeze()  # what is here now stays: no child copies it to count it
        items = [item for item in session.items if set(rules_of(item)) & set(self.asked)]
        taken = self._baseline(items)
        for item in sorted(items, key=lambda item: taken.get(item.nodeid, 0.0)):
            if item.nodeid in taken:
                for rule in rules_of(item):
                    self.tests.setdefault(rule, []).append(item)
        wanted = [one for one in knockouts(loaded) if set(one.ids) & set(self.asked)]
        self.knockouts = len(wanted)
        works = [self._work(one) for one in wanted]
        in_children(works, self.jobs, SECONDS, lambda number, result: self._note(wanted[number], result))
        return True

    def _baseline(self, items: list[pytest.Item]) -> dict[str, float]:
        """How long each test takes with all rules in place; one that fails even so proves nothing, and is reported."""
        taken: dict[str, float] = {}

        def work(part: list[pytest.Item]) -> dict[str, Any]:
            seconds = {}
            for item in part:
                start = time.perf_counter()
                failed = fails(item)
                seconds[item.nodeid] = None if failed else time.perf_counter() - start
            return seconds

        def note(_number: int, result: dict[str, Any] | None) -> None:
            for test, seconds in (result or {"the tests": None}).items():
                if seconds is None:
                    self.faults.append(f"{test}: fails with all rules in place")
                elif test == "error":
                    self.faults.append(str(seconds))
                else:
                    taken[test] = seconds

        parts = [items[start :: self.jobs] for start in range(self.jobs)]
        in_children([lambda part=part: work(part) for part in parts], self.jobs, 3600, note)  # type: ignore[misc]
        return taken

    def _work(self, one: Knockout) -> Callable[[], dict[str, str]]:
        def work() -> dict[str, str]:
            one.make()
            found = {}
            for rule in one.ids:
                tests = self.tests.get(rule, []) if rule in self.asked else []
                found[rule] = next((item.nodeid for item in tests if fails(item)), "")
            return found

        return work

    def _note(self, one: Knockout, result: dict[str, str] | None) -> None:
        if result is not None and "error" in result:
            self.faults.append(f"{one.name}: cannot be knocked out\n{result['error']}")
            return
        if result is None:
            self.endless.append(one.name)
        for rule in one.ids:
            if rule in self.asked:
                outcome = self.outcomes[rule]
                noticed = result is None or result[rule]
                (outcome.noticed if noticed else outcome.unnoticed).append(one.name)


def report(run: Run) -> Iterator[str]:
    """What the run says: rules that nobody tests, and what went wrong."""
    yield from run.faults
    for rule, outcome in run.outcomes.items():
        if run.asked[rule].out:
            continue
        marked = len(run.tests.get(rule, []))
        for name in outcome.unnoticed:
            yield f"{rule}: cited, not tested: {name} ({marked} tests and vectors are marked with it)"
        if not outcome.noticed and not outcome.unnoticed and not run.asked[rule].fixed:
            yield f"{rule}: nothing to knock out (cite it where it is stated, or say why not in rules.toml: fixed)"


def untested(run: Run) -> dict[str, list[str]]:
    """The places of each rule whose knock-out nobody notices."""
    return {rule: outcome.unnoticed for rule, outcome in run.outcomes.items() if outcome.unnoticed}


def marked_files(given: Sequence[str]) -> list[str]:
    """The test files with rule markers."""
    if given:
        return list(given)
    return [
        str(path)
        for path in sorted(TESTS.rglob("test_*.py"))
        if "mark.rule(" in path.read_text(encoding="utf-8")
    ]


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument("--game", choices=game_keys())
    parser.add_argument("--tests", action="append", default=[], metavar="PATH")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(words)
    every = [rule for rule in rules(given.game) if not rule.out]
    try:
        asked = find_rules("knockout", given.ids, every) if given.ids else every
    except MathhammerError as error:
        parser.error(str(error))
    run = Run(asked, given.jobs)
    options = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=few"]
    code = pytest.main(
        ["-c", str(ROOT / "pyproject.toml"), *options, *marked_files(given.tests)], plugins=[run]
    )
    lines = list(report(run))
    print(*lines, sep="\n" if lines else "")
    open_rules = untested(run)
    if run.endless:
        print("noticed by tests that did not end:", "; ".join(run.endless))
    print(f"{len(asked)} rules, {run.knockouts} knock-outs; cited, not tested: {len(open_rules)} rules")
    if given.write:
        STORED.write_text(json.dumps(open_rules, indent=1) + "\n", encoding="utf-8")
    return 1 if lines or code not in (0, 5) else 0


if __name__ == "__main__":
    sys.exit(main())
