"""`@command`: how a command makes itself known, with the line that `mathhammer --help` shows of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def command(name: str, line: str, *, rank: int, **options: Any) -> Callable[[Any], click.Command]:
    """As `click.command`; `line` and `rank` say what is in the list of commands, and where."""
    del rank  # read in the file, before it is loaded
    return click.command(name, short_help=line, **options)
