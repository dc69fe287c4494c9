"""What files and names from strangers cannot do: run code, reach the network, write elsewhere, take for ever."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.parsers import expat

import pytest
from places import TESTS
from roster_files import FIXTURES, ROSTERS

import mathhammer as mh
from mathhammer.battlescribe.convert import TAKEN, convert
from mathhammer.cli import main
from mathhammer.datasheets.checking import check_file
from mathhammer.datasheets.library import load_unit
from mathhammer.games.buff_words import WORDS
from mathhammer.games.discovery import game_keys, get_game, listed_games
from mathhammer.lists.text_wh40k import UNIT
from mathhammer.plots.post import read_post
from mathhammer.tables import as_markdown, as_table

PACKAGE = Path(mh.__file__).parent
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "_datasheets" not in path.parts)
TREES = {str(path.relative_to(PACKAGE)): ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
CATALOGUES = FIXTURES / "bsdata" / "aos4"
AUDITED = [sys.executable, str(TESTS / "audited.py")]

# --- what the code may use --------------------------------------------------------------------------------------------------------

NEVER_IMPORTED = set(
    "pickle marshal shelve dbm cPickle dill joblib cloudpickle subprocess pty socket ssl urllib http ftplib smtplib poplib imaplib xmlrpc "
    "socketserver asyncio requests httpx aiohttp urllib3 webbrowser yaml ctypes cffi code codeop runpy builtins".split()
)
NEVER_CALLED = {"eval", "exec", "compile", "__import__"}
NEVER_OF = {  # module -> what of it is never used
    "os": {
        "system",
        "popen",
        "execv",
        "execve",
        "execvp",
        "execl",
        "execlp",
        "spawnl",
        "spawnv",
        "posix_spawn",
        "startfile",
    },
    "pd": {"read_pickle", "to_pickle", "eval", "read_html", "read_csv"},
    "np": {"save", "fromregex", "genfromtxt"},
    "tempfile": {"mktemp"},
    "shutil": {"unpack_archive"},
}
# each exception by itself, with its reason
MAY_IMPORT_BY_NAME = {
    "plots/chart.py": "the file of a kind of chart, found by the folder",
    "views.py": "frames, charts and the names of packages that are loaded on use: fixed tables",
    "cli/__init__.py": "the module of a command: a fixed table",
    "cli/own_games.py": "the folders beside it, by the keys of the games",
    "notebook.py": "only looks whether ipywidgets is installed",
    "serve/app.py": "only reads the files of its own page",
    "report/page.py": "only reads its own style sheet and script",
    "lists/readers.py": "the readers beside it, found by the folder",
    "games/discovery.py": "the games beside it, found by the folder",
}
MAY_START_PROCESSES = {
    "compare/atlas_run.py": "the same for an atlas: its tiles, from our own processes",
    "compare/matrix.py": "our own work in our own processes; what they send each other is our own, over their own pipes",
}
MAY_LISTEN = {  # file -> what of the above it imports, and why
    "cli/serve.py": (
        {"socket", "webbrowser"},
        "listens where the user says, and opens the page when asked to",
    ),
}
MAY_CALL = {  # file -> which of the above it calls, and why
    "dataclass.py": (
        {"exec"},
        "writes a constructor out of the names of a class's fields, as the standard library does",
    ),
}
MAY_LOAD_ARRAYS = {"compare/checkpoint.py": "the file of an interrupted matrix, with allow_pickle=False"}


MADE_OF_FIELD_NAMES = """exec(f"def __init__({', '.join(words)}):\\n{''.join(lines) or ' pass'}", known)"""


@cache
def imported(file: str) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(TREES[file]):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)


def importing(module: str) -> set[str]:
    return {file for file in TREES if module in {name.split(".")[0] for name in imported(file)}}


@cache
def calls(file: str) -> tuple[tuple[str, ast.Call], ...]:
    """Every call of a function by its name, or by a module's and its name."""
    found = []
    for node in ast.walk(TREES[file]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.append((node.func.id, node))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            found.append((f"{node.func.value.id}.{node.func.attr}", node))
    return tuple(found)


def test_nothing_runs_code_unpickles_or_dials() -> None:
    wrong = []
    for file, tree in TREES.items():
        allowed = MAY_LISTEN[file][0] if file in MAY_LISTEN else set()
        wrong += [(file, name) for name in imported(file) if name.split(".")[0] in NEVER_IMPORTED - allowed]
        wrong += [
            (file, name)
            for name in imported(file)
            if name.startswith("xml.") and not name.startswith("xml.parsers")
        ]
        called_here = {called for called, _ in calls(file)} - MAY_CALL.get(file, (set(), ""))[0]
        wrong += [(file, called) for called in called_here & NEVER_CALLED]
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.attr in NEVER_OF.get(node.value.id, ())
            ):
                wrong.append((f"{file}:{node.lineno}", ast.unparse(node)))
    assert wrong == []


def test_the_exceptions_are_these() -> None:
    assert importing("importlib") == set(MAY_IMPORT_BY_NAME)
    assert importing("socket") == importing("webbrowser") == set(MAY_LISTEN)
    assert not {
        name for _, node in calls("cli/serve.py") for name in [ast.unparse(node.func)] if "connect" in name
    }
    assert importing("multiprocessing") == set(MAY_START_PROCESSES)
    assert [
        (file, ast.unparse(node)) for file in TREES for called, node in calls(file) if called == "exec"
    ] == [("dataclass.py", MADE_OF_FIELD_NAMES)]
    loading = {
        (file, ast.unparse(node)) for file in TREES for called, node in calls(file) if called == "np.load"
    }
    assert {file for file, _ in loading} == set(MAY_LOAD_ARRAYS)
    assert all("allow_pickle=False" in call for _, call in loading)


WRITES = {
    "write_text",
    "write_bytes",
    "mkdir",
    "makedirs",
    "rename",
    "renames",
    "symlink_to",
    "touch",
    "savefig",
    "tofile",
    "to_csv",
}
WRITES |= {"to_json", "to_excel", "to_parquet", "extract", "extractall", "copyfile", "copytree", "rmtree"}
# everything else goes through `files`: a temporary file, then its place
MAY_WRITE = {
    "files.py": {"write_bytes", "mkdir"},  # a device or a pipe; a copy of an old file; a new folder
    "battlescribe/convert.py": {"mkdir"},  # the folder of a game
    "plots/post.py": {"mkdir"},  # a folder that a post names
    "plots/saving.py": {"savefig"},  # into memory
}


def test_only_one_module_writes_files() -> None:
    found: dict[str, set[str]] = {}
    for file, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                about = {node.func.attr} & WRITES
                modes = [
                    part.value
                    for part in ast.walk(node)
                    if isinstance(part, ast.Constant) and node.func.attr == "open"
                ]
                about |= (
                    {"open"}
                    if any(
                        isinstance(mode, str) and set(mode) & set("wax+") and len(mode) < 4 for mode in modes
                    )
                    else set()
                )
                if about:
                    found.setdefault(file, set()).update(about)
    assert found == MAY_WRITE
    assert {
        file
        for file in TREES
        for called, _ in calls(file)
        if called in ("open", "os.open", "os.replace", "os.link")
    } == {
        "files.py",
        "cli/__init__.py",  # the null device, for output that nobody reads any more
    }


def test_a_pickle_is_not_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pickle

    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "owned"),)

    path = tmp_path / "rows.npz"
    path.write_bytes(pickle.dumps(Evil()))
    assert main(["matrix", "Liberators", "--vs", "Clanrats", "--resume", str(path)]) == 2
    assert (
        capsys.readouterr().err
        == f"matrix: {path} is not a file of an interrupted matrix (delete it, or name another file)\n"
    )
    assert not (tmp_path / "owned").exists()


# --- what commands do to the world ------------------------------------------------------------------------------------------------

KILNS = str(ROSTERS / "kilns.ros")


def audited(folder: Path, *commands: list[str]) -> list[dict[str, Any]]:
    """What each command did: exit code, paths it touched, sockets it wanted, files it read."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "numba"), "MATHHAMMER_DATASHEETS": ""}
    done = subprocess.run(
        [*AUDITED, json.dumps(commands)], capture_output=True, text=True, cwd=folder, env=environment
    )
    assert "Traceback" not in done.stderr, done.stderr
    told: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    caches = ("/matplotlib", "/numba", "/fontconfig")
    for found in told:
        found["touched"] = {
            path
            for path in found["touched"]
            if path != os.devnull and not any(cache in path for cache in caches)
        }
    return told


def test_no_network_and_no_file_that_nobody_asked_for(tmp_path: Path) -> None:
    *silent, written = audited(
        tmp_path,
        ["compare", "Liberators", "--vs", "Clanrats"],
        ["list", "show", KILNS],
        ["list", "report", KILNS],
        ["report", KILNS],
        ["chart", "at_least", "Liberators", "--vs", "Clanrats"],
        ["import", str(CATALOGUES), "--system", "aos4", "--dry-run"],
        ["compare", "Liberators", "--vs", "Clanrats", "-o", "out.txt"],
    )
    for found in silent:
        assert (found["code"], found["touched"], found["wanted"]) == (0, set(), [])
    assert {Path(path).parent for path in written["touched"]} == {tmp_path}  # the audit does see files


def archive(*entries: tuple[zipfile.ZipInfo | str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in entries:
            made.writestr(name, data)
    return out.getvalue()


def symlink_entry(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info


def test_an_archive_is_read_in_memory(tmp_path: Path) -> None:
    secret = tmp_path / "secret.ros"
    secret.write_bytes(Path(KILNS).read_bytes())
    for number, name in enumerate(
        ("../../evil.ros", "/tmp/evil.ros", "..\\..\\evil.ros", "C:\\evil.ros", "a/../../../evil.ros")
    ):
        (tmp_path / f"{number}.rosz").write_bytes(archive((name, Path(KILNS).read_bytes())))
    (tmp_path / "link.rosz").write_bytes(archive((symlink_entry("in.ros"), str(secret).encode())))
    *slipping, linked = audited(tmp_path, *(["list", "show", f"{name}.rosz"] for name in (*range(5), "link")))
    assert [(found["code"], found["touched"]) for found in slipping] == [(0, set())] * 5
    assert (linked["code"], linked["touched"]) == (2, set())
    assert str(secret) not in linked["opened"]


def test_an_entity_opens_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    head = f'<!DOCTYPE x [<!ENTITY a SYSTEM "file://{secret}"><!ENTITY % b SYSTEM "http://localhost:9/x.dtd"> %b;]>'
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.cat").write_text(f"{head}<catalogue>&a;</catalogue>", encoding="utf-8")
    (tmp_path / "x.ros").write_text(f"{head}<roster>&a;</roster>", encoding="utf-8")
    for found in audited(
        tmp_path, ["import", "in", "--system", "aos4", "-o", "out"], ["list", "show", "x.ros"]
    ):
        assert (found["code"], found["touched"], found["wanted"]) == (2, set(), [])
        assert str(secret) not in found["opened"]


# --- names that would be paths, code or commands ----------------------------------------------------------------------------------

HOSTILE = (
    "../../evil",
    "/etc/evil",
    "..\\..\\evil",
    "C:\\evil",
    "\\\\host\\evil",
    "x" * 5000,
    "CON",
    "Nul",
    "com1",
    "targets",
    ".",
    "..",
    "~root",
    "-rf",
    "$(touch evil)",
    "`touch evil`",
    '"""\nevil = true\n[[unit]]\nname = "',
    "<script>alert(1)</script>",
    "\u202eevil\u2066",
    "\x1b[2Jevil",
    "evil\u0000evil",
    "%00%2e%2e%2fevil",
    "$\\frac",
)


def as_attribute(text: str) -> str:
    """Text for an XML attribute: every unusual character by its number, and what XML cannot hold left out."""
    marks = (mark for mark in text if mark in "\t\n\r" or ord(mark) >= 32)
    return "".join(mark if mark.isalnum() else f"&#{ord(mark)};" for mark in marks)


def hostile_catalogues(folder: Path, name: str) -> Path:
    """Our own catalogues with a hostile name for the faction, a unit, its weapon, a characteristic and an ability."""
    folder.mkdir()
    for path in CATALOGUES.iterdir():
        text = path.read_text(encoding="utf-8")
        for word in ("Emberfolk", "Cinderguard", "Blood-hungry", "Odd Dice", "D7"):
            text = re.sub(rf'(?<=name="){word}(?=")|(?<=>){word}(?=<)', lambda _: as_attribute(name), text)
        (folder / path.name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[1:20])
def test_names_in_catalogues_lead_nowhere(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = hostile_catalogues(tmp_path / "in", name), tmp_path / "out"
    report = convert(source, "aos4")
    assert main(["import", str(source), "--system", "aos4", "-o", str(out), "--all"]) == 0
    said = capsys.readouterr()
    assert all(line.isprintable() for line in said.out.splitlines())
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file() and path.parent != source]
    assert file.parent == out / "aos4"
    assert re.fullmatch(r"[a-z0-9_]{1,90}\.toml", file.name)
    assert file.stem not in TAKEN
    assert check_file(file) == []
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    assert set(content) == {"system", "faction", "source", "checked", "unit"}
    assert len(content["unit"]) == report.units
    assert len(report.files) == 1


OUTSIDE = "is outside the post's folder (name a file inside it)"
NO_NAME = "holds characters that no file's name should (use letters and digits)"


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("../evil.md", OUTSIDE),
        ("a/../../evil.md", OUTSIDE),
        ("/tmp/evil.md", OUTSIDE),
        ("..\\evil.md", OUTSIDE),
        ("\\evil.md", OUTSIDE),
        ("C:evil.md", OUTSIDE),
        ("C:\\evil.md", OUTSIDE),
        ("\\\\host\\share\\evil.md", OUTSIDE),
        ("a\0b.md", NO_NAME),
        ("a\nb.md", NO_NAME),
        ("\x1b[2J.md", NO_NAME),
    ],
)
def test_a_post_writes_in_its_folder_only(
    file: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "post"
    folder.mkdir()
    table = f'[[table]]\nfile = {json.dumps(file)}\nkind = "compare"\nattackers = ["Liberators"]\ntargets = ["Clanrats"]\n'
    (folder / "post.toml").write_text(table, encoding="utf-8")
    assert main(["post", str(folder / "post.toml")]) == 2
    assert capsys.readouterr().err == f"{folder / 'post.toml'}, table 1: {file!r} {message}\n"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["post.toml"]


@pytest.mark.parametrize("length", [300, 5000])
def test_a_post_with_a_name_too_long(length: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = f'[[table]]\nfile = "{"x" * length}.md"\nkind = "compare"\nattackers = ["Liberators"]\ntargets = ["Clanrats"]\n'
    (tmp_path / "post.toml").write_text(table, encoding="utf-8")
    assert main(["post", str(tmp_path / "post.toml")]) == 2
    assert capsys.readouterr().err.endswith(
        "x.md: cannot be written (File name too long; nothing was changed)\n"
    )
    assert os.listdir(tmp_path) == ["post.toml"]


def test_a_post_below_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = '[[table]]\nfile = "post.toml/x.md"\nkind = "compare"\nattackers = ["Liberators"]\ntargets = ["Clanrats"]\n'
    (tmp_path / "post.toml").write_text(table, encoding="utf-8")
    assert main(["post", str(tmp_path / "post.toml")]) == 2
    assert (
        capsys.readouterr().err
        == f"{tmp_path / 'post.toml'}: cannot be written (File exists; nothing was changed)\n"
    )
    assert (tmp_path / "post.toml").read_text(encoding="utf-8") == table


@pytest.mark.parametrize("file", ["link/evil.md", "link.md"])
def test_a_post_does_not_follow_links_outside(file: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "mine.md").write_text("mine", encoding="utf-8")
    folder = tmp_path / "post"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    (folder / "link.md").symlink_to(tmp_path / "elsewhere" / "mine.md")
    (folder / "inside").symlink_to(folder / "pictures")  # a link that stays inside is fine
    table = '[[table]]\nkind = "compare"\nattackers = ["Liberators"]\ntargets = ["Clanrats"]\nfile = '
    (folder / "post.toml").write_text(f'{table}"{file}"', encoding="utf-8")
    with pytest.raises(mh.BadInputError) as caught:
        read_post(folder / "post.toml")
    leads = f"{file!r} is a link that leads outside the post's folder (remove it, or name another file)"
    assert str(caught.value) == f"{folder / 'post.toml'}: {leads}"
    (folder / "post.toml").write_text(f'{table}"inside/fine.md"', encoding="utf-8")
    assert read_post(folder / "post.toml").files() == ["inside/fine.md"]


PRINTABLE = [name for name in HOSTILE if name.isprintable() and len(name) < 300 and "$" not in name]


def test_hostile_units_in_a_post(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own" / "aos4").mkdir(parents=True)
    weapon = '[[unit.weapon]]\nname = "Axe"\nattacks = 2\nhit = 3\nwound = 3\ndamage = 1\n'
    units = [f"[[unit]]\nname = {json.dumps(name)}\nhealth = 1\nsave = 4\n{weapon}" for name in PRINTABLE]
    head = 'system = "aos4"\nfaction = "../../evil"\nsource = "s"\nchecked = 2026-11-16\n'
    (tmp_path / "own" / "aos4" / "x.toml").write_text(head + "\n".join(units), encoding="utf-8")
    assert [load_unit(name, "aos4", datasheets=tmp_path / "own").name for name in PRINTABLE] == PRINTABLE
    names, evil = json.dumps(PRINTABLE), "../../<script>alert(1)</script>"
    post = f'system = "aos4"\ndatasheets = "own"\nalt = true\n[[chart]]\nfile = "a.svg"\nkind = "bands"\ntitle = "{evil}"\nattackers = {names}\ntargets = ["Clanrats"]\n'
    post += f'[[table]]\nfile = "a.md"\nkind = "matrix"\nattackers = {names}\ntargets = {names}\n'
    (tmp_path / "post.toml").write_text(post, encoding="utf-8")
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert main(["post", str(tmp_path / "post.toml")]) == 0
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} - {path.name for path in before} == {
        "a.svg",
        "a.svg.txt",
        "a.md",
    }
    picture = (tmp_path / "a.svg").read_text(encoding="utf-8")
    expat.ParserCreate().Parse(picture, True)
    assert "<script" not in picture
    assert "<script" not in (tmp_path / "a.md").read_text(encoding="utf-8")
    capsys.readouterr()


def test_names_in_tables_end_no_cell_and_reach_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert as_markdown(["a|b"], [["<b>\nx"]], [False]) == "| a\\|b |\n|---|\n| &lt;b> x |"
    assert as_table(["a\x1b[2J"], [["b\r\nc"]], [False]) == "a\\x1b[2J\nb\\r\\nc"
    (tmp_path / "x.toml").write_text(
        'system = "aos4"\n[[unit]]\nname = "a\\u001b[2J\\nb"\n', encoding="utf-8"
    )
    assert main(["check", str(tmp_path / "x.toml")]) == 1
    said = capsys.readouterr().out
    assert "a\\x1b[2J\\nb: name" in said
    assert all(line.isprintable() for line in said.splitlines())


# --- patterns ---------------------------------------------------------------------------------------------------------------------

LIMIT = 0.4  # seconds of the processor for one pattern and one text; a pattern that does not try over and over takes milliseconds
LENGTH = 20_000
METHODS = ("match", "search", "fullmatch", "sub", "split", "findall", "finditer")
# patterns that are put together when a program runs, and how they come into this test
PUT_TOGETHER = {
    "lists/text_wh40k.py: UNIT": "from the module",
    "games/abilities.py: spelling": "from the abilities of each game",
    "registry.py: ": "reads our own files, for a fixed decorator",
    "games/buff_words.py: ": "from the abilities of each game, tried below through `quick`; words by themselves, see `patterns`",
    "games/one_line.py: part": "one of two classes of characters",
    "games/one_line.py: compiled": "they see a line of at most 300 characters: tried below through `quick`",
}


def pattern_calls() -> Iterator[tuple[str, str, ast.Call, str]]:
    """Every use of `re`: file, function, call, and the name that takes the result."""
    for name in importing("re"):
        if name.startswith("rulestext/"):  # sentences are cut to a length: tests/rulestext/test_hostile.py
            continue
        parents = {child: node for node in ast.walk(TREES[name]) for child in ast.iter_child_nodes(node)}
        for called, node in calls(name):
            if called.startswith("re.") and called.removeprefix("re.") in (*METHODS, "compile"):
                above: ast.AST = node
                while not isinstance(above, ast.stmt):
                    above = parents[above]
                yield (
                    name,
                    called.removeprefix("re."),
                    node,
                    ast.unparse(above.targets[0]) if isinstance(above, ast.Assign) else "",
                )


def written(file: str, node: ast.Call) -> str | None:
    """The text of a pattern: in the call itself, or under a name of its file."""
    text = node.args[0]
    if isinstance(text, ast.Name):
        named = [
            line.value
            for line in TREES[file].body
            if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == text.id
        ]
        text = named[0] if named else text
    return text.value if isinstance(text, ast.Constant) else None


def flags_of(node: ast.Call) -> int:
    named = [part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute) and part.attr.isupper()]
    return sum(getattr(re, name) for name in named)


@cache
def methods_in(file: str) -> dict[str, set[str]]:
    """What a file calls on each name that could be a pattern."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(TREES[file]):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in METHODS
            and isinstance(node.value, ast.Name)
            and node.value.id != "re"
        ):
            found.setdefault(node.value.id, set()).add(node.attr)
    return found


def methods_on(file: str, taken: str) -> set[str]:
    """What is called on a compiled pattern: by its name where it is made or imported, else whatever its file calls on anything."""
    users = [
        name
        for name in TREES
        if taken in methods_in(name) and (name == file or f".{taken}" in " ".join(imported(name)))
    ]
    return set().union(*(methods_in(name)[taken] for name in users)) or set().union(
        *methods_in(file).values()
    )


@cache
def patterns() -> dict[tuple[str, int], set[str]]:
    """Every pattern of the package with the methods that are called on it."""
    found: dict[tuple[str, int], set[str]] = {
        (UNIT.pattern, UNIT.flags): methods_on("lists/text_wh40k.py", "UNIT")
    }
    for name, method, node, taken in pattern_calls():
        if (text := written(name, node)) is not None:
            made = re.compile(text, flags_of(node))
            found.setdefault((made.pattern, made.flags), set()).update(
                methods_on(name, taken) if method == "compile" else {method}
            )
    for pattern, _ in WORDS:
        found.setdefault((pattern, re.IGNORECASE), set()).add("fullmatch")
    for attacks in filter(None, (get_game(key).attacks for key in game_keys())):
        for ability in attacks.abilities.known:
            found.setdefault((ability.pattern.pattern, ability.pattern.flags), set()).add("fullmatch")
    for mark in (mark for lists in listed_games().values() for mark in lists.marks):
        for flags in {flags for pattern, flags in found if pattern == mark.pattern} | {mark.flags}:
            found.setdefault((mark.pattern, flags), set()).add("fullmatch")
    return found


PIECES = (
    " ", "\n", "\t", "\u00a0", "a", "A", "1", "(", ")", "[", "-", "*", "'", "a ", "1 ", "x ", "1x ", " (", "(1", "(1 ", "[1 ", "a, ", "1,", "• ",
    ": ", " - ", "1 with ", "a (1", " 1/1", "+1 ", "D6", "w1: ", "✦", "anti-", "1 PL", "(1 pts", "\nsystem ",
)  # fmt: skip
HEADS = ("1x ", "- ", "# ", "+ A", "[", "(", "a (", "1 ", "➤ ", "sog ", "spell lore ")


def nasty(pattern: str) -> Iterator[str]:
    """Long texts: one piece over and over, after a beginning that fits, and the words of the pattern itself."""
    words = re.findall(r"[A-Za-z]{3,}", pattern)
    for piece in (*PIECES, *{f"{word} " for word in words[:6]}, " ".join(words) + " "):
        yield (piece * LENGTH)[:LENGTH] + "!"
    for head in (*HEADS, *{f"{word} " for word in words[:4]}):
        for piece in (" ", " ("):
            yield head + (piece * LENGTH)[:LENGTH] + ")"


class LateError(Exception):
    """The time is up."""


def late(*_: object) -> None:
    raise LateError


def too_long(pattern: re.Pattern[str], methods: set[str], limit: float = LIMIT) -> str:
    """For which text the pattern takes longer than the limit; empty when for none."""
    before = signal.signal(signal.SIGVTALRM, late)
    text, method = "", ""
    try:
        for text in nasty(pattern.pattern):
            for method in methods:
                signal.setitimer(signal.ITIMER_VIRTUAL, limit)
                if method == "sub":
                    pattern.sub("", text)
                elif method in ("split", "findall", "finditer"):
                    pattern.split(text)
                else:
                    getattr(pattern, method)(text)
    except LateError:
        return f"{method} of {text[:20]!r} ... {text[-5:]!r}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return ""


def test_every_pattern_is_collected() -> None:
    assert len(patterns()) > 100
    assert not [pattern for pattern, methods in patterns().items() if not methods]
    elsewhere = {
        f"{name}: {taken}" for name, _, node, taken in pattern_calls() if written(name, node) is None
    }
    assert elsewhere == set(PUT_TOGETHER)


CLOCK = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a clock for the processor's time")


@pytest.mark.slow
@CLOCK
def test_no_pattern_takes_long() -> None:
    found = {
        pattern: too_long(re.compile(pattern, flags), methods)
        for (pattern, flags), methods in patterns().items()
    }
    assert {pattern: text for pattern, text in found.items() if text} == {}


@CLOCK
def test_the_clock_finds_patterns_that_take_long() -> None:
    assert too_long(re.compile(r"(.+?)\s*\((\d{1,3}) models?\)"), {"fullmatch"}, limit=0.2)
    assert too_long(re.compile(r"(a+)+!!"), {"fullmatch"}, limit=0.2)


@pytest.mark.parametrize("system", ["aos4", "aos1", "wh40k10"])
def test_typed_profiles_are_read_in_no_time(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    started = time.process_time()
    for piece in PIECES:
        for target in (True, False):
            text = (piece * 300)[:300]
            words = ["20x 3+ 3+", "--vs", text] if target else [text, "--vs", "4+"]
            assert main(["quick", "--system", system, *words]) == 2
    assert time.process_time() - started < 10
    assert main(["quick", "--system", system, "x" * 301, "--vs", "4+"]) == 2
    assert "301 characters are too many" in capsys.readouterr().err
