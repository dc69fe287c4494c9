"""Options, markers and shared pieces of the suite."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings
from places import OWN_VECTORS, TESTS
from rule_markers import unknown_rules
from vector_files import NoVectorsError, cases_of

os.environ["XDG_DATA_HOME"] = os.devnull  # what somebody imported on this machine is not part of the tests
settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("deep", derandomize=False, deadline=None, max_examples=1700, print_blob=True)
settings.load_profile("fixed")
if (
    signal.getsignal(signal.SIGINT) == signal.SIG_IGN
):  # started in the background: the programs under test must still hear Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors",
        default=None,
        metavar="DIR",
        help="run the vectors of another folder instead of tests/vectors",
    )


def pytest_configure(config: pytest.Config) -> None:
    """A folder of vectors that cannot be checked is an error, whatever tests were asked for."""
    try:
        cases_of(vectors_folder(config))
    except NoVectorsError as error:
        raise pytest.UsageError(str(error)) from None
    everywhere = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if config.getoption("markexpr") == "vectors" and everywhere:
        config.args = [
            str(TESTS / "test_vectors.py")
        ]  # all of them are there: nothing else need be collected


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every id of a rule marker is a rule of a game."""
    if faults := unknown_rules(items):
        raise pytest.UsageError("\n".join(faults))


def vectors_folder(config: pytest.Config) -> Path:
    given = config.getoption("--vectors")
    return OWN_VECTORS if given is None else Path(given)
