"""The README's console examples print what it shows; `python tests/test_readme.py` writes them anew."""

from __future__ import annotations

import contextlib
import io
import re
import shlex

import pytest
from places import ROOT

from mathhammer.cli import main

README = ROOT / "README.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def examples(block: str) -> list[tuple[str, str]]:
    """(command, shown output) of each `$` line in a block."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def output_of(command: str) -> str:
    words = shlex.split(command)
    assert words[0] == "mathhammer"
    with contextlib.redirect_stdout(Utf8()) as stdout:
        assert main(words[1:]) == 0
    return stdout.getvalue()


class Utf8(io.StringIO):
    """What a UTF-8 terminal's pipe looks like."""

    encoding = "utf-8"


EXAMPLES = [
    example for block in BLOCK.findall(README.read_text(encoding="utf-8")) for example in examples(block)
]


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_the_readme_shows_what_you_get(command: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(README.parent)
    assert shown.strip()
    assert output_of(command) == shown


def test_the_readme_has_its_two_commands() -> None:
    text = README.read_text(encoding="utf-8")
    ci = (README.parent / ".ci" / "run").read_text(encoding="utf-8")
    tests = re.search(r"^python3 -m venv .*pytest.*$", text, re.MULTILINE)
    assert tests is not None
    assert re.search(r"^python3 -m venv .*mathhammer compare .*$", text, re.MULTILINE)
    assert "grep -m1 '^python3 -m venv .*pytest' README.md" in ci
    assert tests[0].endswith('-m "not slow"')  # what it leaves out runs there too
    assert ".venv/bin/python -m pytest -q -n 2 -m slow\n" in ci
    assert ".venv/bin/python tests/knockout.py\n" in ci


if __name__ == "__main__":
    text = README.read_text(encoding="utf-8")

    def renewed(found: re.Match[str]) -> str:
        commands = [line[2:] for line in found[1].splitlines() if line.startswith("$ ")]
        return "```console\n" + "".join(f"$ {command}\n{output_of(command)}" for command in commands) + "```"

    README.write_text(BLOCK.sub(renewed, text), encoding="utf-8")
