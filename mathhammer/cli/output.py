"""How commands write: to a terminal, a pipe or a file. Files are replaced whole."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

import click

from mathhammer.cli.fitting import fit, wrapped
from mathhammer.dice.pmf import Pmf
from mathhammer.dice.sparkline import BARS, PLAIN_BARS, Scale
from mathhammer.dice.sparkline import sparkline as draw
from mathhammer.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 0.4  # seconds before a progress bar is worth showing


def unicode_out() -> bool:
    """Whether stdout can show more than ASCII."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    return encoding.startswith("utf")


def sparkline(pmf: Pmf, cells: int = 12, scale: Scale | None = None) -> str:
    """A distribution drawn in one line, with the signs that stdout can show.

    >>> sparkline(Pmf.of([0.1, 0.4, 0.3, 0.2]), cells=4) in ("▃█▆▄", ":#+-", "▃█▆▅", ":#+=")
    True
    """
    return draw(pmf, cells, scale, BARS if unicode_out() else PLAIN_BARS)


def write_text(text: str, path: str | None) -> None:
    """To stdout, or to a file that is replaced in one go: never half a file."""
    if path is None:
        click.echo(text)
        return
    from mathhammer.files import replace_file  # most answers go to the terminal

    replace_file(path, (text + "\n").encode())


def as_json(document: Mapping[str, Any]) -> str:
    """JSON that other programs may rely on: it begins with the name and version of its schema."""
    import json  # tables do without it

    return json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False)


def on_terminal(stream: TextIO) -> bool:
    """Whether a person watches what is written there."""
    return stream.isatty()


def _styled() -> bool:
    """Whether the terminal wants more than plain characters."""
    return "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _width() -> int:
    from shutil import get_terminal_size  # a pipe has no width

    return get_terminal_size().columns


def print_parts(parts: Sequence[str | Table], everything: str) -> None:
    """Text and tables for a person at a terminal: no line is longer than the screen, no word is broken.

    The last line names the columns for which there is no room; `everything` is the format that has them.
    """
    width, dots = _width(), "…" if unicode_out() else ".."
    left_out: dict[str, None] = {}
    for part in parts:
        if isinstance(part, str):
            click.echo(wrapped(part, width))
            continue
        for number, piece in enumerate(fit(part, width, dots)):
            if number:
                click.echo()
            for line in piece.head:
                click.echo(click.style(line, bold=True) if _styled() else line)
            rule = max(len(line) for line in (*piece.head, *piece.body))
            click.echo(("─" if unicode_out() else "-") * rule)
            for place, line in enumerate(piece.body):
                lit = place in piece.best and _styled()
                click.echo(click.style(line, fg="green") if lit else line)
            left_out |= dict.fromkeys(piece.left_out)
    if left_out:
        note = f"left out for width: {', '.join(left_out)}; --format {everything} has everything"
        click.echo(wrapped(note, width))


def say(text: str) -> None:
    """Text for people, on stdout."""
    click.echo(wrapped(text, _width()) if on_terminal(sys.stdout) else text)


def remark(line: str) -> None:
    """What a reader of the answer should know, on stderr."""
    click.echo(wrapped(line, _width()) if on_terminal(sys.stderr) else line, err=True)


@contextmanager
def progress(label: str) -> Iterator[Callable[..., None]]:
    """A progress bar on stderr once it takes a while, for people who watch a terminal; silent otherwise. What
    it is told behind the numbers stands in the place of click's own estimate.
    """
    if not on_terminal(sys.stderr) or not _styled():
        yield lambda _done, _wanted, _words="": None
        return
    bars: list[Any] = []
    begun = monotonic()

    def tell(done: int, wanted: int, words: str | None = None) -> None:
        if not bars and done < wanted and monotonic() - begun > PATIENCE:
            how: Any = {} if words is None else {"show_eta": False, "item_show_func": lambda one: one}
            bars.append(click.progressbar(length=wanted, label=label, file=sys.stderr, **how))
            bars[0].render_progress()
        for bar in bars:
            bar.update(done - bar.pos, words)

    try:
        yield tell
    finally:
        if bars:
            click.echo("\r\x1b[K", nl=False, err=True)  # nothing of it stays
