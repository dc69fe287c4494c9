"""The console blocks of the README and of the documentation: commands and what they print.

`python tests/console_blocks.py` runs every command again and writes what it prints below it.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

from places import ROOT

from mathhammer.cli import main

BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "datasheets" / "README.md",
    *sorted(p for p in (ROOT / "docs").rglob("*.md") if not {"_build", "generated"} & set(p.parts)),
]


def examples(block: str) -> list[tuple[str, str]]:
    """(command, shown output) of each `$` line in a block."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    assert not parts[0], f"output before the first command: {parts[0]}"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def output_of(command: str) -> str:
    """What a command prints in the root of the project, where it must end well."""
    words = shlex.split(command)
    assert words[0] == "mathhammer"
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(Utf8()) as stdout:
        assert main(words[1:]) == 0, command
    return stdout.getvalue()


class Utf8(io.StringIO):
    """What a UTF-8 terminal's pipe looks like."""

    encoding = "utf-8"


def examples_of(page: Path) -> list[tuple[str, str]]:
    """All examples of a page."""
    return [e for block in BLOCK.findall(page.read_text(encoding="utf-8")) for e in examples(block)]


def renewed(found: re.Match[str]) -> str:
    """A block with what its commands print now."""
    commands = [line[2:] for line in found[1].splitlines() if line.startswith("$ ")]
    return "```console\n" + "".join(f"$ {command}\n{output_of(command)}" for command in commands) + "```"


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(BLOCK.sub(renewed, path.read_text(encoding="utf-8")), encoding="utf-8")
