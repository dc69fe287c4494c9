"""What a person at a terminal sees, through a pseudo-terminal of several widths: no line is longer, no word is broken."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from places import ROOT
from roster_files import ROSTERS, SHEETS

from mathhammer.cli import main

KILNS, ARMY = str(ROSTERS / "kilns.ros"), str(ROSTERS / "army.toml")
COMMANDS = {
    "compare": ["compare", "Liberators", "Rat Ogors", "--vs", "Clanrats", "Clawlord on Gnaw-beast"],
    "compare --full": ["compare", "Liberators", "--vs", "--full"],
    "compare, battleshock": ["compare", "Skeleton Warriors", "--system", "aos1"],
    "pile": ["pile", "Liberators: charged", "Rat Ogors", "--vs", "Clanrats"],
    "kill": ["kill", "Clanrats", "--with", "Stormcast Eternals", "--system", "aos4"],
    "survive": ["survive", "Liberators", "--against", "Skaven", "--system", "aos4"],
    "plan": ["plan", "Liberators + Rat Ogors", "Clanrats + Stormvermin", "--system", "aos4", "--points", "1"],
    "reroll": ["reroll", "Gladiator Lancer: Lancer laser destroyer", "--vs", "Deff Dread"],
    "threat": ["threat", "Rat Ogors", "--vs", "Clanrats"],
    "matrix": ["matrix", "Skaven", "--system", "aos4", "--vs", "Skaven"],
    "value": ["value", "Liberators", "--vs", "Clanrats", "Clawlord on Gnaw-beast"],
    "optimise": ["optimise", "Skaven", "--system", "aos4", "--limit", "1000"],
    "duel": ["duel", "Liberators", "Rat Ogors", "--distance", "9", "--advise"],
    "duel --explain": ["duel", "Liberators", "Rat Ogors", "--distance", "9", "--explain"],
    "list show": ["list", "show", KILNS],
    "list report": ["list", "report", KILNS],
    "list compare": ["list", "compare", KILNS, ARMY, "--datasheets", str(SHEETS)],
    "list check": ["list", "check", ARMY, "--datasheets", str(SHEETS)],
    "units": ["units"],
    "show": ["show", "Intercessor Squad"],
    "show a card": ["show", "Imperial Guard"],
    "explain": ["explain", "Liberators", "Clanrats"],
    "conformance": ["conformance"],
    "conformance ID": ["conformance", "WH40K-DEVW", "AC-3.1"],
    "shoot": ["shoot", "3", "--strength", "5", "--range", "medium", "--at", "Orc Boyz"],
    "clash": ["clash", "Orc Boyz>Marienburg Swordsmen: stamina 6"],
    "quest": ["quest", "--hero", "magic 1, cunning 3", "--goal", "3 skulls"],
    "battle": ["battle", "3 Younglings, Koloth", "--vs", "Imperial Guard 3"],
    "chance": ["chance", "charge", "9", "--reroll"],
    "chance, all": ["chance"],
}
WIDTHS = (60, 80, 100, 120)
MARK = "=== "
NOTE = "left out for width: "
NOTE_WORDS = {"left", "out", "for", "width:", "--format", "csv", "json", "has", "everything"}
RUN_ALL = """
import json, sys
from mathhammer.cli import main
for name, words in json.loads(sys.argv[1]).items():
    print("=== " + name)
    assert main(words) == 0
"""


def seen(argv: list[str], columns: int, **env: str) -> str:
    """What a process writes to a terminal that wide; the size is the terminal's own, not a variable's."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    around = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    around |= {"TERM": "xterm", "LC_ALL": "C.UTF-8", **env}
    process = subprocess.Popen(argv, stdout=follower, stderr=subprocess.DEVNULL, env=around, cwd=ROOT)
    os.close(follower)
    text = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    assert process.wait() == 0
    os.close(leader)
    return text.decode().replace("\r\n", "\n")


def without_style(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.fixture(
    scope="module",
    params=[pytest.param(width, marks=() if width == 80 else pytest.mark.slow) for width in WIDTHS],
)
def screen(request: pytest.FixtureRequest) -> tuple[int, dict[str, str]]:
    """The width, and the screen of every command."""
    import json

    text = without_style(seen([sys.executable, "-c", RUN_ALL, json.dumps(COMMANDS)], request.param))
    parts = [part.partition("\n") for part in text.split(MARK)[1:]]
    return request.param, {name: shown for name, _, shown in parts}


class Utf8(io.StringIO):
    """What a UTF-8 pipe looks like."""

    encoding = "utf-8"


@pytest.fixture(scope="module")
def piped() -> dict[str, str]:
    """Every command into a pipe: all columns, whole words."""
    texts = {}
    for name, words in COMMANDS.items():
        with contextlib.redirect_stdout(Utf8()) as stdout, contextlib.redirect_stderr(io.StringIO()):
            assert main(words) == 0
        texts[name] = stdout.getvalue()
    return texts


def words_of(text: str) -> set[str]:
    return set(re.sub("[─;,]", " ", text).split())


def test_every_command_fits_the_screen(screen: tuple[int, dict[str, str]], piped: dict[str, str]) -> None:
    """No long line, no broken word, nothing missing but the columns that the note names."""
    width, shown = screen
    assert list(shown) == list(COMMANDS)
    for command, text in shown.items():
        assert text.strip(), command
        long = [line for line in text.splitlines() if len(line) > width]
        assert not [line for line in long if " " in line], command
        assert not long or command == "conformance ID"  # a path stays whole: it is there to be copied
        whole = words_of(piped[command])
        broken = words_of(text) - NOTE_WORDS - whole
        cut = {word for word in broken if "…" in word}
        assert broken == cut, command  # a long name may have dots
        # a number is never cut, but it may be shown without its spread
        assert not [word for word in cut if re.search(r"\d\.\d*…|…\d*%", word)], command
        if NOTE in text:
            note = " ".join(text.partition(NOTE)[2].split())
            assert re.search(r"; --format (csv|json) has everything$", note), command
        elif not cut:
            brief = {word for word in whole if word not in words_of(text)}
            assert not brief or "±" in brief, command


def test_what_is_left_out_at_80_columns() -> None:
    """The example of the README keeps names, damage, models slain and the chance to destroy."""
    shown = without_style(seen([sys.executable, "-m", "mathhammer", *COMMANDS["compare"]], 80))
    lines = shown.splitlines()
    head = next(line.split() for line in lines if line.startswith("Target"))
    assert head[:6] == ["Target", "Attacker", "Kind", "Damage", "Slain", "Destroyed"]
    assert "Clanrats                Liberators  melee  6.06 ± 2.05  6.06 ± 2.05       0.0%" in lines
    note = " ".join(shown.partition("left out")[2].split())
    assert (
        note == "for width: Damage 10/50/90 %, Per 100 pts, Best, Distribution; --format csv has everything"
    )


def test_style_only_where_it_is_wanted() -> None:
    argv = [sys.executable, "-m", "mathhammer", "compare", "Liberators", "--vs", "Clanrats"]
    assert "\x1b[1mTarget" in seen(argv, 120)
    both = [*argv[:4], "Rat Ogors", *argv[4:]]
    best = [line for line in seen(both, 120).splitlines() if line.startswith("\x1b[32m")]
    assert ["Rat Ogors" in line for line in best] == [True]  # the best of its target
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        plain = seen(argv, 120, **env)
        assert "\x1b" not in plain
        assert "────" in plain


def test_remarks_and_progress_on_a_terminal() -> None:
    """stderr on a terminal: remarks are wrapped, and the progress bar of a long answer leaves nothing behind."""
    code = (
        "import sys, time; sys.stderr = sys.stdout\n"
        "from mathhammer.cli.output import progress, remark\n"
        "with progress('fighting') as tell:\n"
        "    for done in range(1, 5): time.sleep(0.15); tell(done, 4)\n"
        "remark('word ' * 20)\n"
    )
    text = seen([sys.executable, "-c", code], 60)
    assert "fighting" in text
    assert "75%" in text
    after = text.rpartition("\r\x1b[K")[2]
    assert "fighting" not in after
    assert [len(line) <= 60 for line in after.strip().splitlines()] == [True, True]
    quick = code.replace("0.15", "0")
    assert "fighting" not in seen([sys.executable, "-c", quick], 60)
