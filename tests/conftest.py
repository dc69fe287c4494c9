"""Options and shared pieces of the suite."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings
from places import OWN_VECTORS

os.environ["XDG_DATA_HOME"] = os.devnull  # what somebody imported on this machine is not part of the tests
settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60)
settings.register_profile("deep", derandomize=False, deadline=None, max_examples=1200, print_blob=True)
settings.register_profile("few", derandomize=True, deadline=None, max_examples=12)  # for tests/mutation.py
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


def vectors_folder(config: pytest.Config) -> Path:
    given = config.getoption("--vectors")
    return Path(given) if given else OWN_VECTORS
