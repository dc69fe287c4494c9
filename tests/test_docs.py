"""The documentation holds everything that there is, its blocks run, and its links lead somewhere."""

from __future__ import annotations

import doctest
import html
import importlib
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import unquote

import click
import pytest
from console_blocks import PAGES
from pages import text_pages
from pages.commands import command_of
from pages.gallery import entries, words_of
from pages.names import GROUPS
from places import ROOT

import mathhammer as mh
from mathhammer.cli import commands
from mathhammer.conformance import counts, rules
from mathhammer.datasheets.checking import check_file
from mathhammer.datasheets.json_schema import json_schema
from mathhammer.games.discovery import attacks_of, game_keys, get_game
from mathhammer.games.telling import command_text, flag_text
from mathhammer.games.words import commands_of
from mathhammer.plots.kinds import CHART_KINDS
from mathhammer.plots.post import read_post

DOCS = ROOT / "docs"
TOLD = [*PAGES, *(ROOT / f"{name}.md" for name in ("SECURITY", "CHANGELOG"))]
WITH_ATTACKS = [key for key in game_keys() if get_game(key).attacks is not None]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
# What a block may be: console blocks are run and compared by test_readme, Python ones as doctests; the others
# are read or parsed below. `text` is neither: a grammar.
LANGUAGES = {"console", "python", "bash", "toml", "text"}


def blocks(language: str) -> list[tuple[Path, str]]:
    """Every block of a language, with its page."""
    return [
        (page, block)
        for page in PAGES
        for name, block in FENCE.findall(page.read_text(encoding="utf-8"))
        if name == language
    ]


# --- everything is there ----------------------------------------------------------------------------------


def test_every_command_has_a_page() -> None:
    pages = text_pages()
    for name, entry in commands().items():
        assert f"mathhammer.cli.{entry.module}:" in pages[f"commands/{name}.md"]
        assert f"[`{name}`]({name}.md) | {entry.line}" in pages["commands/index.md"]


def test_every_public_name_stands_in_one_group() -> None:
    grouped = [name for _, _, names in GROUPS.values() for name in names.split()]
    assert sorted(grouped) == sorted(mh.__all__)
    pages = text_pages()
    for key, (_, _, names) in GROUPS.items():
        for name in names.split():
            assert f"\n## {name}\n" in pages[f"python/{key}.md"]


@pytest.mark.parametrize("key", WITH_ATTACKS)
def test_every_word_of_a_game_stands_on_its_page(key: str) -> None:
    page, attacks = text_pages()[f"games/{key}.md"], attacks_of(key)
    for flag, what in attacks.situations.items():
        assert f"| {flag_text(flag)} | {what}" in page
    for name, what in commands_of(attacks, reactions=True).items():
        assert f"| {command_text(attacks, name)} | {what}" in page
    for name in attacks.readings:
        assert f"| `{name}` |" in page
    for ability in attacks.abilities.known:
        assert f"| `{ability.example}` | `{ability.rule}` |" in page


@pytest.mark.parametrize("key", game_keys())
def test_every_rule_and_question_stands_on_the_page_of_its_game(key: str) -> None:
    page = text_pages()[f"games/{key}.md"]
    assert all(f"| `{rule.id}` | {rule.label} |" in page for rule in rules(key))
    assert all(f"| `{name}` |" in page for name in get_game(key).questions)


def test_every_effect_word_stands_in_the_language_of_effects() -> None:
    guide = (ROOT / "datasheets" / "README.md").read_text(encoding="utf-8")
    assert "{include} ../../datasheets/README.md" in (DOCS / "reference" / "datasheets.md").read_text()
    words = {field.name for key in WITH_ATTACKS for field in attacks_of(key).effect_fields}
    assert len(words) > 40
    assert {word for word in words if not re.search(rf"`{word}\b", guide)} == set()


def test_every_kind_of_chart_is_in_the_gallery() -> None:
    assert list(entries()) == list(CHART_KINDS)
    gallery = text_pages()["gallery.md"]
    for kind in CHART_KINDS:
        assert f"\n## {kind}\n" in gallery
        assert f"mathhammer chart {kind} " in gallery
        assert f"gallery/{kind}-dark.png" in gallery


def test_every_schema_of_json_is_named() -> None:
    page = (DOCS / "reference" / "json.md").read_text(encoding="utf-8")
    stated = {
        schema
        for path in Path(mh.__file__).parent.rglob("*.py")
        for schema in re.findall(r'"(mathhammer-[a-z-]+/\d+)"', path.read_text(encoding="utf-8"))
    }
    assert len(stated) > 15
    assert {schema for schema in stated if f"`{schema}`" not in page} == set()


def test_the_figures_of_conformance_are_those_of_today() -> None:
    every = counts(rules())
    ids, covered, out = (sum(getattr(c, what) for c in every) for what in ("ids", "covered", "out"))
    page = (DOCS / "explanation" / "right.md").read_text(encoding="utf-8")
    assert f"{ids} ids, {covered} covered, {out} out of scope." in page


def test_a_kind_without_an_entry_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = tmp_path / "gallery.toml"
    short.write_text('[pmf]\ncommand = "Liberators"\nwhen = "."\n', encoding="utf-8")
    monkeypatch.setattr("pages.gallery.ENTRIES", short)
    with pytest.raises(ValueError, match=r"armies, .* \(write one entry for each kind of chart\)"):
        entries()


# --- the blocks -------------------------------------------------------------------------------------------


def test_blocks_are_of_known_languages() -> None:
    found = {name for page in PAGES for name, _ in FENCE.findall(page.read_text(encoding="utf-8"))}
    assert found <= LANGUAGES
    assert len(blocks("console")) > 25
    assert all(">>> " in block for _, block in blocks("python"))


@pytest.mark.parametrize(
    "page", sorted({page for page, _ in blocks("python")}), ids=lambda page: str(page.relative_to(ROOT))
)
def test_python_blocks_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    outcome = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_commands_in_bash_blocks_are_understood() -> None:
    """They write files, install or serve, so they are not run: their words must be options that there are."""
    lines = [line for _, block in blocks("bash") for line in block.splitlines()]
    lines += [f"mathhammer chart {shlex.join(words_of(kind))}" for kind in CHART_KINDS]
    asked = [shlex.split(line, comments=True) for line in lines if line.startswith("mathhammer ")]
    assert len(asked) > 15
    for words in asked:
        command = command_of(words[1])
        with command.make_context(words[1], list(words[2:])) as context:
            assert isinstance(context, click.Context)


def test_datasheets_and_posts_in_the_pages_are_valid(tmp_path: Path) -> None:
    units = [block for _, block in blocks("toml") if re.search(r"^\[\[unit\]\]", block, re.MULTILINE)]
    assert len(units) >= 2
    for number, block in enumerate(units):
        path = tmp_path / f"{number}.toml"
        path.write_text(block, encoding="utf-8")
        assert check_file(path) == []
    for _, block in blocks("toml"):
        tomllib.loads(block)
    assert read_post(ROOT / "notebooks" / "post.toml").charts


def test_the_guide_of_json_names_what_compare_answers(capsys: pytest.CaptureFixture[str]) -> None:
    from mathhammer.cli import main

    assert main(["compare", "Liberators", "--vs", "Clanrats", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    page = (DOCS / "reference" / "json.md").read_text(encoding="utf-8")
    for name in (*document, *document["rows"][0]):
        assert f"`{name}`" in page, name
    assert json_schema("aos4")["title"]


def test_every_word_of_the_page_of_expressions_is_understood() -> None:
    page = (DOCS / "reference" / "expressions.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and "`" in line]
    words = {word for row in rows for word in re.findall(r"`([^`]+)`", row.rpartition(" | ")[0])}
    assert len(words) > 25
    units = [("Liberators", "aos4"), ("Intercessor Squad", "wh40k10"), ("Rat Ogors", "aos4")]
    for word in words:
        assert any(_reads(f"{name}: {word}", system) for name, system in units), word


def _reads(expression: str, system: str) -> bool:
    """Whether a fight understands the expression."""
    try:
        mh.fight(expression, "Clanrats" if system == "aos4" else "Boyz", system=system)
    except mh.MathhammerError:
        return False
    return True


def test_commands_in_sentences_are_there() -> None:
    """What stands in a sentence as `mathhammer NAME --option` is a command with that option."""
    asked = {
        tuple(code.split())
        for page in TOLD
        for code in re.findall(r"`(mathhammer [a-z][^`]*)`", FENCE.sub("", page.read_text(encoding="utf-8")))
    }
    assert len(asked) > 30
    for _, name, *words in asked:
        command = command_of(name)
        inner = getattr(command, "commands", {}).get(words[0]) if words else None
        known = {option for one in (command, inner) if one for p in one.params for option in p.opts}
        used = {word.strip("[]").partition("=")[0] for word in words if word.strip("[").startswith("-")}
        assert used <= known | {"--help", "-h"}, (name, words)


# --- the links --------------------------------------------------------------------------------------------

LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_links_between_files_lead_somewhere() -> None:
    """As a reader of the repository follows them; pages that are worked out are only there once built."""
    made = {f"docs/generated/{name}" for name in text_pages()} | {"docs/generated/notebooks/index.md"}
    for page in TOLD:
        for link in LINK.findall(re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)):
            if link.startswith(("#", "http")):
                continue
            path = (page.parent / link.partition("#")[0]).resolve()
            inside = path.is_relative_to(ROOT) and path.relative_to(ROOT).as_posix() in made
            assert inside or path.exists(), f"{page.relative_to(ROOT)}: {link}"


@pytest.mark.slow
def test_the_site(tmp_path: Path) -> None:
    """Built without a warning; every option stands in it, no link is dead, nothing is fetched."""
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "-E", str(DOCS), str(tmp_path / "site")]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    site = {path: path.read_text(encoding="utf-8") for path in (tmp_path / "site").rglob("*.html")}
    assert len(site) > 80
    _every_option_is_there(tmp_path / "site" / "generated" / "commands")
    _examples_are_blocks(tmp_path / "site" / "generated" / "python")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        assert tmp_path / "site" / "generated" / "notebooks" / f"{path.stem}.html" in site
    anchors = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in site.items()}
    for path, text in site.items():
        _links_are_alive(path, text, anchors)
        assert not re.search(r'(?:<script[^>]*\ssrc|<link[^>]*\shref|<img[^>]*\ssrc)="(?:https?:)?//', text)


def _examples_are_blocks(folder: Path) -> None:
    """No example of a docstring is taken for a parameter, or for a text."""
    for path in folder.glob("*.html"):
        text = re.sub(r"<pre>.*?</pre>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert "&gt;&gt;&gt;" not in text, path.name


def _every_option_is_there(folder: Path) -> None:
    for name in commands():
        text = html.unescape(re.sub(r"<[^>]+>", "", (folder / f"{name}.html").read_text(encoding="utf-8")))
        shown = [command_of(name)]
        shown += list(getattr(shown[0], "commands", {}).values())
        for option in (p for c in shown for p in c.params if isinstance(p, click.Option)):
            assert all(spelling in text for spelling in option.opts), f"{name}: {option.opts}"


def _links_are_alive(path: Path, text: str, anchors: dict[Path, set[str]]) -> None:
    for link in re.findall(r'<a\b[^>]*\shref="([^"]+)"', text):
        if link.startswith(("http", "mailto", "data:")):
            continue
        file, _, anchor = html.unescape(unquote(link)).partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.is_file(), f"{path.name}: {link}"
        if anchor and target in anchors:
            assert anchor in anchors[target], f"{path.name}: {link}"


LIMIT = re.compile(r"^\| [^|]+ \| ([\d,]+) \| `([\w.]+)\.([A-Z_]+)` \|$", re.MULTILINE)


def test_limits_are_those_of_the_code() -> None:
    """A reader finds the limit that holds, and a limit does not move without a word."""
    rows = LIMIT.findall((DOCS / "reference" / "limits.md").read_text(encoding="utf-8"))
    assert len(rows) > 20
    for number, module, name in rows:
        held = getattr(importlib.import_module(f"mathhammer.{module}"), name)
        assert int(number.replace(",", "")) == held, (module, name)


def test_every_limit_of_the_engine_is_documented() -> None:
    told = {
        (module, name)
        for _, module, name in LIMIT.findall((DOCS / "reference" / "limits.md").read_text(encoding="utf-8"))
    }
    for path in sorted((ROOT / "mathhammer" / "engine").glob("*.py")):
        for name in re.findall(r"^(MOST_[A-Z]+) = ", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert (f"engine.{path.stem}", name) in told
