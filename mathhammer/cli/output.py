"""How commands write: tables for people, JSON, CSV and Markdown for programs and posts;
files are replaced whole.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from math import gcd
from typing import TYPE_CHECKING, Any

import click

from mathhammer.dice.pmf import Pmf
from mathhammer.errors import printable
from mathhammer.files import replace_file
from mathhammer.tables import as_markdown as as_markdown  # one of the formats here
from mathhammer.tables import as_table

if TYPE_CHECKING:
    from collections.abc import Iterator


FORMATS = ("table", "json", "csv", "md")
BARS = "▁▂▃▄▅▆▇█"
PLAIN_BARS = "_.:-=+*#"


def unicode_out() -> bool:
    """Whether stdout can show more than ASCII."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    return encoding.startswith("utf")


def sparkline(law: Pmf, cells: int = 12) -> str:
    """A distribution drawn in one line of text: from 0 to where all but a thousandth lies.

    >>> sparkline(Pmf.of([0.1, 0.4, 0.3, 0.2]), cells=4) in ("▃█▆▄", ":#+-", "▃█▆▅", ":#+=")
    True
    """
    top = law.quantile(0.999)
    # damage 2 only ever deals even numbers: no cell may hold more of them than another
    grain = gcd(*law.to_dict()) or 1
    each = grain * -(-(top + 1) // (cells * grain))  # values to a cell
    shares = [0.0] * (top // each + 1)
    for value in range(top + 1):
        shares[value // each] += law[value]
    bars = BARS if unicode_out() else PLAIN_BARS
    most = max(shares)
    return "".join(bars[round(share / most * (len(bars) - 1))] if share > 0 else " " for share in shares)


def write_text(text: str, path: str | None) -> None:
    """To stdout, or to a file that is replaced in one go: never half a file."""
    if path is None:
        click.echo(text)
        return
    replace_file(path, (text + "\n").encode())


def as_json(document: dict[str, Any]) -> str:
    """JSON that other programs may rely on: it begins with the name and version of its schema."""
    return json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False)


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool], title: str = ""
) -> None:
    """A table for people: drawn by rich on a terminal, plain columns in a pipe."""
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        click.echo(as_table(columns, rows, right))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
    for name, is_right in zip(columns, right, strict=True):
        table.add_column(name, justify="right" if is_right else "left", overflow="fold")
    for row in rows:
        table.add_row(*[printable(cell).replace("[", "\\[") for cell in row])
    plain = "NO_COLOR" in os.environ
    Console(no_color=plain, highlight=False, force_terminal=False if plain else None, markup=not plain).print(
        table
    )


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on stderr, for people who watch a terminal; silent otherwise."""
    if not sys.stderr.isatty() or "NO_COLOR" in os.environ:
        yield lambda _done, _wanted: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, wanted: bar.update(task, completed=done, total=wanted)
