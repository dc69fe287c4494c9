"""The README and the documentation show what you get; `python tests/console_blocks.py` writes their output anew."""

from __future__ import annotations

import re

import pytest
from console_blocks import PAGES, examples_of, output_of
from places import ROOT

README = ROOT / "README.md"
EXAMPLES = [(page, *example) for page in PAGES for example in examples_of(page)]


@pytest.mark.parametrize(
    ("command", "shown"),
    [example[1:] for example in EXAMPLES],
    ids=[f"{page.relative_to(ROOT)}: {command}" for page, command, _ in EXAMPLES],
)
def test_a_page_shows_what_you_get(command: str, shown: str) -> None:
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
    assert ".venv/bin/python -m sphinx -q -W docs docs/_build\n" in ci


def test_the_readme_is_short() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    shown = re.findall(r"^```console\n\$ mathhammer (\w+)", text, re.MULTILINE)
    assert shown[:2] == ["compare", "list"]
    assert re.search(r"^mathhammer chart ", text, re.MULTILINE)
    python = re.search(r"^## Ten lines of Python\n\n```python\n(.*?)```", text, re.DOTALL | re.MULTILINE)
    assert python is not None
    assert python[1].strip()
    assert text.count("![") == 1
