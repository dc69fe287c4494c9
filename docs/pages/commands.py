"""A page for each command, from the command itself."""

from __future__ import annotations

import importlib
import re

import click

from mathhammer.cli import cli, commands
from pages.markdown import code, contents, table


def command_of(name: str) -> click.Command:
    """A command by its name, loaded."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


def command_pages() -> dict[str, str]:
    """The list of commands, and a page for each."""
    pages = {f"commands/{name}.md": _page(name) for name in commands()}
    rows = [(f"[{code(name)}]({name}.md)", entry.line) for name, entry in commands().items()]
    pages["commands/index.md"] = "\n\n".join(
        (
            "# Commands",
            "`mathhammer COMMAND --help` prints what stands on these pages. Every answer goes to stdout and "
            "every remark to stderr. The exit code is 0, 1 where a check found faults, 2 for bad input, "
            "130 after Ctrl-C.",
            table(("Command", "What it does"), rows),
            contents(commands(), hidden=True),
        )
    )
    return pages


def _page(name: str) -> str:
    attribute = next(key for key, thing in vars(_module(name)).items() if thing is command_of(name))
    where = f"{_module(name).__name__}:{attribute}"
    return f"""```{{eval-rst}}
.. click:: {where}
   :prog: mathhammer {name}
   :nested: full
```
"""


def _module(name: str) -> object:
    return importlib.import_module(f"mathhammer.cli.{commands()[name].module}")


def show_examples(_app: object, _context: click.Context, lines: list[str]) -> None:
    """The help of a command as reStructuredText: what stands below `\\b` and a heading is a block of code,
    and other text is taken as it is.
    """
    shown: list[str] = []
    paragraph: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line.rstrip())
        elif paragraph:
            shown += [*_paragraph(paragraph), ""]
            paragraph = []
    lines[:] = shown


def _paragraph(lines: list[str]) -> list[str]:
    """One paragraph: text, or headings with code below them, whose lines begin with a bar."""
    if not all(line.startswith("|") for line in lines):
        return [escaped(" ".join(line.strip() for line in lines))]
    shown: list[str] = []
    before = False  # whether the line before is code
    for line in (line.removeprefix("|").removeprefix(" ") for line in lines):
        if line.startswith(" "):
            shown += [] if before else ["", ".. code-block:: text", ""]
            shown.append(f"   {line.removeprefix('  ')}")
        else:
            shown += ["", escaped(line)]
        before = line.startswith(" ")
    return shown


def escaped(text: str) -> str:
    """A text whose signs mean nothing to reStructuredText; `code` stays code."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(
        piece if re.fullmatch(r"`[^`]+`", piece) else re.sub(r"([\\*_|`])", r"\\\1", piece)
        for piece in pieces
    )
