"""Broken, foreign and hostile files: bounded time and memory, one sentence each."""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import random
import re
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from garbled_files import SEEDS, mutated
from hypothesis import given
from hypothesis import strategies as st
from roster_files import ROSTERS, SHEETS, zipped

from mathhammer.battlescribe.tree import parse_json, parse_xml
from mathhammer.cli import main
from mathhammer.errors import BadInputError, MathhammerError
from mathhammer.lists import read_roster, read_rosters
from mathhammer.lists.readers import readers

KILNS = (ROSTERS / "kilns.ros").read_bytes()
SENTENCE = re.compile(r"[^\n]{1,800}")


def refused(given: str | bytes | Path) -> str:
    started = time.process_time()
    with pytest.raises(MathhammerError) as caught:
        read_rosters(given)
    assert time.process_time() - started < 10
    message = str(caught.value)
    assert SENTENCE.fullmatch(message.replace("\n", " ")), message
    return message.removeprefix("list: ")


def entity_bomb() -> bytes:
    lines = ['<!ENTITY a "aaaaaaaaaa">'] + [
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
    ]
    return f'<?xml version="1.0"?><!DOCTYPE roster [{"".join(lines)}]><roster name="&j;"/>'.encode()


def archive(*files: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files:
            made.writestr(name, data)
    return out.getvalue()


def locked() -> bytes:
    data = bytearray(zipped(KILNS))
    at = data.index(b"PK\x01\x02")
    data[6] |= 1
    data[at + 8] |= 1
    return bytes(data)


def unusual() -> bytes:
    return zipped(KILNS, method=zipfile.ZIP_LZMA)


NEWLINE, CUT = b"\n", "no element found"
HALF = KILNS[: KILNS.index(b"<force ")]
OLD = b'<roster gameSystemId="x" gameSystemName="Warhammer 40,000 8th Edition"><forces/></roster>'
READ = (
    "lists of Warhammer Age of Sigmar, 4th edition and Warhammer 40,000, 10th edition and Warhammer 40,000, "
    "11th edition are read"
)
FORMATS = (
    "40k app text from Best Coast Pairings, BattleScribe or New Recruit .ros, BattleScribe or New Recruit .rosz, "
    "ListForge JSON or share link, ListForge text, Listbot text, New Recruit JSON, New Recruit text (40k), "
    "New Recruit text (Age of Sigmar), New Recruit text (GW style), New Recruit text (WTC compact), New Recruit text (WTC style), "
    "Sigdex text, WarOrgan text, mathhammer's own TOML list, official 40k app text, official Age of Sigmar app text"
)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", f"not a list in any known format (known: {FORMATS})"),
        (b"hello\nworld\n", f"not a list in any known format (known: {FORMATS})"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "not text but bytes (give an exported list)"),
        (b"\x81\x8d\x8f\x90", "not text in any usual encoding (save it as UTF-8)"),
        (b"\xff\xfea", "not text in any usual encoding (save it as UTF-8)"),
        (entity_bomb(), "has a document type or entities (rosters and catalogues have none)"),
        (b'<!DOCTYPE r SYSTEM "file:///etc/passwd"><roster/>', "has a document type or entities (rosters and catalogues have none)"),
        (
            '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE roster []><roster/>'.encode("utf-16"),
            "has a document type or entities (rosters and catalogues have none)",
        ),
        (b"<a>" * 300, "nested more than 200 levels deep (real files have about 20)"),
        pytest.param(
            lambda: b"<roster>" + b"<a/>" * 500_001 + b"</roster>", "more than 500000 elements (no real file has)", marks=pytest.mark.slow
        ),
        (b"<roster><a></roster>", "line 1 is not XML: mismatched tag (export the file again)"),
        (HALF, f"line {HALF.count(NEWLINE) + 1} is not XML: {CUT} (export the file again)"),
        (b'<?xml version="1.0" encoding="klingon"?><roster/>', "its encoding cannot be read (save it as UTF-8)"),
        (b"<roster/>", f"is for 'an unnamed game' ({READ})"),
        (OLD, f"is for 'Warhammer 40,000 8th Edition' ({READ})"),
        (OLD.replace(b"8th", b"11th"), "holds no force (choose a faction and export the list again)"),
        (b'<roster gameSystemId="e51d-b1a3-75fc-dc3g"/>', "holds no force (choose a faction and export the list again)"),
        (b"<catalogue/>", "is a catalogue, no roster (use mathhammer import)"),
        (b"<gameSystem/>", "is a game system, no roster (use mathhammer import)"),
        (b"<svg/>", "is XML of another kind: <svg> (a .ros begins with <roster>)"),
        (b"{}", "is JSON without a roster (export the list from New Recruit or ListForge)"),
        (b"[1, 2]", "is JSON without a roster (export the list from New Recruit or ListForge)"),
        (b'{"roster": }', "line 1 is not JSON: Expecting value (export the file again)"),
        (b'{"roster":' + b"[" * 100_000, "nested more than 200 levels deep (real files have about 20)"),
        (b'{"roster": {"x": ' + b'{"a":' * 300 + b"1" + b"}" * 300 + b"}}", "nested more than 200 levels deep (real files have about 20)"),
        (b'{"roster": ' + b"9" * 5000 + b"}", "has a number of thousands of digits (no real file has)"),
        (lambda: b'{"a":"' + b"x" * 10_000_000 + b'"}', "larger than 10 MB (no real file is)"),
        (lambda: b"x" * 50_000_001, "larger than 50 MB (an army list is far smaller)"),
        (b"x" * 3_000, "line 1 has 3000 characters (an army list has at most 2000)"),
        (lambda: b"x" * 2_000_000, "2000000 characters of text (an army list has at most 1000000)"),
        (lambda: b"a\n" * 20_001, "20002 lines (an army list has at most 20000)"),
        (lambda: zipped(b" " * 40_000_000 + b"<a/>"), "unpacks to more than 7 MB (a roster is far smaller)"),
        (zipped(b"<roster/>")[:60], "the archive is damaged or cut off (export it again)"),
        (zipped(KILNS).replace(KILNS[:0] + b"inner.ros", b"inner.rox", 1), "the archive is damaged or cut off (export it again)"),
        (archive(("a.ros", KILNS), ("b.ros", KILNS)), "2 files in the archive (a .rosz holds one .ros)"),
        (archive(*[(f"{n}.ros", b"") for n in range(101)]), "101 files in the archive (a .rosz holds one .ros)"),
        (archive(), f"not a list in any known format (known: {FORMATS})"),
        (zipped(zipped(KILNS)), "holds another archive (a .rosz holds one .ros)"),
        (locked(), "is locked with a password (export it without one)"),
        (unusual(), "is packed in an unusual way (a .rosz is stored or deflated)"),
        (lambda: base64.b64encode(gzip.compress(b" " * 30_000_000)), "the share link unpacks to more than 5 MB (a roster is far smaller)"),
        (b"H4sIAAAAAAAA" * 4, "the share link is damaged or cut off (copy it again)"),
        (b'system = "aos4"\nname = ', "not TOML: Invalid value (at end of document)"),
        (b'system = "aos4"\n', "has no regiment (write [[regiment]] and, below it, [[regiment.unit]])"),
        (b'system = "aos5"\n', "unknown system 'aos5' (did you mean 'aos4'?)"),
        (b'system = "aos4"\nx = ' + b"[" * 1500, "nested too deeply"),
        (b'system = "aos4"\nregimnt = 1', "unknown field 'regimnt' (did you mean 'regiment'?)"),
        (b'system = "aos4"\n[[regiment]]\nkind = "x"', "regiment 1: unknown kind 'x' (known: 'allied', 'auxiliary', 'detachment', 'manifestation', 'regiment', 'renown', 'terrain')"),
        (b'system = "aos4"\n[[regiment]]\n[[regiment.unit]]\nmodels = 5', "regiment 1, unit 1: name is missing (give name, points, models, reinforced, general, leads, weapons, enhancements, keywords)"),
        (b'system = "aos4"\n[[regiment]]\n[[regiment.unit]]\nname = "A"\nmodels = 0', "regiment 1, unit 1: models is 0 (give a whole number from 1 to 1000)"),
        (b'system = "aos4"\n[[lore]]\nkind = "song"\nname = "A"', "lore: unknown kind 'song' (known: 'manifestation', 'prayer', 'spell')"),
        (b'system = "aos4"\nname = 3\n[[regiment]]', "name is 3 (give a line of text)"),
        (b"A (10 points)\n\nB\nC\n\nCHARACTERS\n" + b"X (1 points)\n" * 1001, "more than 1000 units (no army list has)"),
        (b"# ++ Army ++ [10 pts]\n++ Battalion Detachment 0CP [98 PL, 2,000pts] ++\n", "is for Warhammer 40,000, 9th edition or older (lists of the 10th and 11th edition are read)"),
    ],
)  # fmt: skip
def test_each_is_refused_with_one_sentence(data: bytes | Callable[[], bytes], message: str) -> None:
    assert refused(data() if callable(data) else data) == message


def test_a_zip_may_carry_litter_and_any_name() -> None:
    tidy = read_roster(KILNS)
    for name in ("../../etc/passwd", "C:\\x.ros", "\u202e.ros"):
        assert read_roster(archive(("__MACOSX/._x.ros", b"?"), (".DS_Store", b"?"), (name, KILNS))) == tidy


def test_only_regular_files(tmp_path: Path) -> None:
    assert refused(tmp_path) == f"{tmp_path}: is not a regular file (give an exported list)"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert refused(pipe) == f"{pipe}: is not a regular file (give an exported list)"
    assert (
        refused(tmp_path / "none.ros")
        == f"{tmp_path / 'none.ros'}: no such file (give a file or the text of a list)"
    )
    assert refused("") == "read_roster: nothing to read (give a file or the text of a list)"
    assert refused("a\0b") == "read_roster: nothing to read (give a file or the text of a list)"


def test_names_cannot_reach_the_terminal() -> None:
    text = KILNS.decode().replace("Star Wyrm", "Star\u202e&#x9b;31m\u200b Wyrm")
    army = read_roster(text)
    assert "Star 31m Wyrm" in [entry.name for entry in army.entries]
    for entry in army.entries:
        assert entry.name.isprintable()
    pasted = (
        (ROSTERS / "aos_app.txt")
        .read_text(encoding="utf-8")
        .replace("Ember Warden", "Ember\x1b[2J\u2066Warden")
    )
    assert all(entry.name.isprintable() for entry in read_roster(pasted).entries)


def test_a_command_gives_the_sentence_and_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bomb = tmp_path / "bomb.rosz"
    bomb.write_bytes(zipped(b" " * 40_000_000))
    for command in ("show", "check"):
        assert main(["list", command, str(bomb)]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err == f"{bomb}: unpacks to more than 7 MB (a roster is far smaller)\n"


def test_long_lines_do_not_blow_up_a_pattern() -> None:
    heads = [
        "A 1/1 pts\nDrops: 1\nRegiment 1\n",
        "A (1 points)\n\nF\n\nCHARACTERS\n",
        "+ FACTION KEYWORD: X\n",
        "# ++ A ++ [1 pts]\n",
        "A (1 points)\nAxe:\nB (1 pts)\n",
    ]
    tails = [
        " (" * 900,
        "(1" * 900,
        "1x " * 600,
        "a, " * 600,
        "[1 " * 600,
        "• " * 900,
        "1 with " * 280,
        ": " * 900,
        "((((" * 400,
        " - (" * 400,
    ]
    started = time.process_time()
    for head in heads:
        for tail in tails:
            read_rosters(head + "\n".join([tail[:1990]] * 20))
    assert time.process_time() - started < 20


# --- fuzz ---------------------------------------------------------------------------------------------------------------------


def survives(data: bytes) -> None:
    """A mutated list is read or refused; nothing else happens."""
    try:
        for roster in read_rosters(data, datasheets=SHEETS):
            assert roster.points is not None
            assert all(entry.name.isprintable() for entry in roster.entries)
    except MathhammerError as error:
        assert str(error)


@pytest.mark.parametrize("name", SEEDS)
def test_mutations_of_every_format(name: str) -> None:
    dice = random.Random(f"mathhammer {name}")
    for _ in range(60):
        survives(mutated(SEEDS[name], dice))


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    survives(data)


@given(st.text(max_size=300), st.sampled_from(sorted(SEEDS)))
def test_any_text_after_a_real_beginning(text: str, name: str) -> None:
    head = SEEDS[name][:200]
    survives(head + text.encode("utf-8", "replace"))


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["roster", "forces", "selections", "costs", "name", "number", "value", "type", "profiles", "categories", "characteristics", "$text"]), inner, max_size=5), max_leaves=25))  # fmt: skip
def test_any_json(value: object) -> None:
    survives(json.dumps({"gameSystemName": "Warhammer 40,000", "roster": value}).encode())
    survives(
        json.dumps(
            {"roster": {"gameSystemId": "e51d-b1a3-75fc-dc3g", "forces": [{"selections": [value]}]}}
        ).encode()
    )


def test_every_reader_is_fuzzed() -> None:
    formats = {read_rosters(data, datasheets=SHEETS)[0].format for data in SEEDS.values()}
    assert formats == {reader.name for reader in readers()}


def test_parsers_name_their_file() -> None:
    with pytest.raises(BadInputError, match=r"^x\.cat: larger than 50 MB \(no real file is\)$"):
        parse_xml(b"x" * 50_000_001, "x.cat")
    with pytest.raises(
        BadInputError, match=r"^x\.cat: a text of more than 2 million characters \(no real file has\)$"
    ):
        parse_xml(b"<a>" + (b"x" * 1_500_000 + b"<b/>") * 3 + b"</a>", "x.cat")
    assert parse_json('{"a": NaN}', "x.json") == {"a": "NaN"}
