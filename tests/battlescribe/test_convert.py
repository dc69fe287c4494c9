"""Catalogues into datasheets: nothing lost, everything understood or reported, all of it or nothing."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from roster_files import FIXTURES, SHARED, needs_shared

import mathhammer as mh
from mathhammer.battlescribe import convert as storing
from mathhammer.battlescribe.abilities import known_ability, mended, tokens
from mathhammer.battlescribe.catalogues import MOST_STEPS
from mathhammer.battlescribe.convert import convert
from mathhammer.battlescribe.values import UnreadableError, count, inches, number, roll
from mathhammer.battlescribe.weapons import spelled
from mathhammer.cli import main
from mathhammer.datasheets.checking import check_file
from mathhammer.datasheets.library import sheets
from mathhammer.text import is_dash

CATALOGUES = FIXTURES / "bsdata"


def sheet(folder: Path, file: str) -> dict[str, dict[str, Any]]:
    content = tomllib.loads((folder / file).read_text(encoding="utf-8"))
    return {unit["name"]: unit for unit in content["unit"]}


def imported(
    tmp_path: Path, system: str, capsys: pytest.CaptureFixture[str]
) -> tuple[dict[str, dict[str, Any]], str]:
    assert main(["import", str(CATALOGUES / system), "--system", system, "-o", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert captured.err == f"use them with --datasheets {tmp_path}\n"
    (file,) = (tmp_path / system).iterdir()
    assert check_file(file) == []
    return sheet(tmp_path / system, file.name), captured.out


# --- our own catalogues -------------------------------------------------------------------------------------------------------


def test_age_of_sigmar(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    units, report = imported(tmp_path, "aos4", capsys)
    assert report.splitlines() == [
        f"1 faction, 6 units, 8 weapons written to {tmp_path / 'aos4'}",
        "weapon abilities: 9 of 10 understood (90.0%)",
        "no abilities about combat",
        "kept as comments, not understood: Blood-hungry (1)",
        "units left out: 1",
        "  Emberfolk, Ghost: Health '-' is not a number",
        "units that a catalogue has twice, written once: 1",
        "  Emberfolk, Kiln Drake",
        "rules not modelled: 3",
        "  Emberfolk, Ember Warden: Odd Dice: Atk 'D7' is not a number or dice text; the weapon is left out",
        "  Emberfolk, Kiln Drake: Maw: Atk 'X' is not a number or dice text; the weapon is left out",
        "  Emberfolk, Kiln Drake (2): Maw: Atk 'X' is not a number or dice text; the weapon is left out",
        "links to catalogues that are not here: 1",
    ]
    assert list(units) == ["Cinderguard", "Ember Warden", "Kiln Drake", "Kiln Drake (2)", "Ash Totem", "Loop"]
    guards = units["Cinderguard"]
    assert guards["source"] == "Emberfolk.cat, entry cinderguard, revision 7"
    assert (guards["models"], guards["points"], guards["health"], guards["ward"]) == (10, 140, 2, 6)
    assert guards["keywords"] == ["infantry", "champion", "emberfolk"]
    pick, gush, jet = guards["weapon"]  # the default split of the models; no weapon from the noise of traits
    assert (pick["models"], pick["champions"], pick["abilities"]) == (9, 1, ["Crit (Mortal)"])
    assert (gush["name"], gush["models"], gush["range"], gush["attacks"]) == (
        "Slag Thrower: Gush",
        1,
        10,
        "D6",
    )
    assert (jet["optional"], jet["range"], jet["damage"], jet["abilities"]) == (
        True,
        18,
        "D3",
        ["Anti-MONSTER (+1 Rend)"],
    )
    assert units["Ember Warden"]["weapon"][0]["abilities"] == ["Companion", "Anti-HERO (+1 Rend)"]
    assert (units["Kiln Drake"]["points"], units["Kiln Drake (2)"]["points"]) == (210, 230)
    assert [weapon["name"] for weapon in units["Kiln Drake"]["weapon"]] == ["Maw", "Maw (ranged)"]
    assert units["Kiln Drake"]["move"] == "2D6"
    text = (tmp_path / "aos4" / "emberfolk.toml").read_text(encoding="utf-8")
    assert "  # not understood: Blood-hungry" in text
    assert "  # not covered: Odd Dice: Atk 'D7'" in text
    assert mh.load_unit("cinderguard", "aos4", datasheets=tmp_path).with_models(20).weapons[0].bearers == 18


@pytest.mark.rule("WH40K-UNITT")
def test_warhammer_40k(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    units, report = imported(tmp_path, "wh40k10", capsys)
    assert "weapon abilities: 14 of 15 understood (93.3%)" in report
    assert "kept as comments, not understood: Humming (1)" in report
    assert (
        "  Xenos - Glass Choir, Shard Wardens: Prism gun: S '2D6' is not a number; the weapon is left out"
        in report
    )
    marshal = units["Choir Marshal"]
    assert {
        key: marshal[key] for key in ("save", "invuln", "fnp", "deadly_demise", "stealth", "leadership")
    } == {
        "save": 2,
        "invuln": 4,
        "fnp": 5,
        "deadly_demise": "D3",
        "stealth": True,
        "leadership": 6,
    }
    assert {weapon["name"]: weapon.get("optional", False) for weapon in marshal["weapon"]} == {
        "Tuning fork": False,
        "Echo pistol": False,  # the default of its group
        "Plasma lute (soft)": True,
        "Plasma lute (loud)": True,
    }
    assert marshal["weapon"][0]["abilities"] == ["Precision", "Anti-Epic hero 2+"]
    wardens = units["Shard Wardens"]
    assert [(group["name"], group["models"], group["wounds"]) for group in wardens["group"]] == [
        ("Shard Wardens", 9, 1),
        ("Warden Cantor", 1, 2),
    ]
    assert {
        weapon["name"]: (weapon.get("models"), weapon.get("optional", False)) for weapon in wardens["weapon"]
    } == {
        "Shard rifle": (None, False),
        "Close combat weapon": (None, False),  # all carry one; who strikes with what is decided in a fight
        "Bell hammer": (1, False),
        "Prism gun (burst)": (2, True),
    }
    walker = units["Prism Walker"]
    assert [(weapon["name"], weapon.get("copies", 1)) for weapon in walker["weapon"]] == [
        ("Lens cannon", 2),
        ("Breath", 1),
        ("Feet", 1),
    ]
    assert (walker["move"], walker["effect"]) == (
        20,
        [{"name": "Invulnerable save, ranged", "when": ["ranged"], "invuln": 5}],
    )
    hounds = units["Glass Hounds"]  # models inside a choice, priced by the model
    assert (hounds["models"], hounds["points"], hounds.get("save")) == (8, 40, None)
    assert sheets("wh40k10", tmp_path)[0].faction == "Glass Choir"


def test_a_single_file_is_read_with_its_neighbours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["import", str(CATALOGUES / "aos4" / "Emberfolk.cat"), "--system", "aos4", "-o", str(tmp_path)])
        == 0
    )
    assert "6 units" in capsys.readouterr().out


def test_a_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            ["import", str(CATALOGUES / "aos4"), "--system", "aos4", "-o", str(tmp_path / "out"), "--dry-run"]
        )
        == 0
    )
    captured = capsys.readouterr()
    assert captured.out.startswith("1 faction, 6 units, 8 weapons read\n")
    assert captured.err == ""
    assert not (tmp_path / "out").exists()


def test_a_report_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            ["import", str(CATALOGUES / "aos4"), "--system", "aos4", "-o", str(tmp_path), "--format", "json"]
        )
        == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert report["schema"] == "mathhammer-import/1"
    assert report["factions"] == {"Emberfolk": {"units": 8, "weapon_names": 7}}
    assert report["abilities_not_understood"] == {"Blood-hungry": 1}


def test_the_folder_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("MATHHAMMER_DATASHEETS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert main(["import", str(CATALOGUES / "aos4"), "--system", "aos4"]) == 0
    assert (tmp_path / "share" / "mathhammer" / "datasheets" / "aos4" / "emberfolk.toml").is_file()
    monkeypatch.setenv("MATHHAMMER_DATASHEETS", str(tmp_path / "mine"))
    assert main(["import", str(CATALOGUES / "aos4"), "--system", "aos4"]) == 0
    assert (tmp_path / "mine" / "aos4" / "emberfolk.toml").is_file()
    assert mh.load_unit("Kiln Drake").points == 210
    capsys.readouterr()


# --- all or nothing -----------------------------------------------------------------------------------------------------------


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_importing_again_replaces_and_keeps_ones_own_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imported(tmp_path / "one", "aos4", capsys)
    folder = tmp_path / "one" / "aos4"
    (folder / "mine.toml").write_text("# my own\n", encoding="utf-8")
    (folder / "emberfolk.toml").write_text(storing.MARK + "\nstale", encoding="utf-8")
    assert main(["import", str(CATALOGUES / "aos4"), "--system", "aos4", "-o", str(tmp_path / "one")]) == 0
    assert (folder / "mine.toml").read_text(encoding="utf-8") == "# my own\n"
    assert "stale" not in (folder / "emberfolk.toml").read_text(encoding="utf-8")
    assert sorted(os.listdir(tmp_path / "one")) == ["aos4"]
    capsys.readouterr()


def test_a_file_written_by_hand_is_never_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "aos4").mkdir()
    own = tmp_path / "aos4" / "emberfolk.toml"
    own.write_text("# mine\n", encoding="utf-8")
    assert main(["import", str(CATALOGUES / "aos4"), "--system", "aos4", "-o", str(tmp_path)]) == 2
    assert (
        capsys.readouterr().err
        == f"{own}: is there already and was not made by an import (choose another folder with -o)\n"
    )
    assert everything(tmp_path) == {"aos4/emberfolk.toml": b"# mine\n"}


def two_factions(folder: Path) -> Path:
    """The catalogues of our own game with a second faction."""
    shutil.copytree(CATALOGUES / "aos4", folder)
    text = (folder / "Emberfolk.cat").read_text(encoding="utf-8")
    (folder / "Ashfolk.cat").write_text(
        text.replace('id="fac-1" name="Emberfolk"', 'id="fac-2" name="Ashfolk"'), encoding="utf-8"
    )
    return folder


@pytest.mark.parametrize("failing", ["fsync", "replace"])
@pytest.mark.parametrize("before", [True, False])
def test_a_failure_changes_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    failing: str,
    before: bool,
) -> None:
    source, out = two_factions(tmp_path / "in"), tmp_path / "out"
    (out / "aos4").mkdir(parents=True)
    if before:
        for name in ("ashfolk.toml", "emberfolk.toml"):
            (out / "aos4" / name).write_text(f"{storing.MARK}\nold {name}", encoding="utf-8")
    old = everything(out)
    real = getattr(os, failing)
    calls = []

    def second(*given: Any) -> None:
        calls.append(given)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(*given)

    monkeypatch.setattr(os, failing, second)
    assert main(["import", str(source), "--system", "aos4", "-o", str(out)]) == 2
    monkeypatch.undo()
    assert (
        capsys.readouterr().err
        == f"{out / 'aos4' / 'emberfolk.toml'}: cannot be written (No space left on device; nothing was changed)\n"
    )
    assert everything(out) == old
    assert main(["import", str(source), "--system", "aos4", "-o", str(out)]) == 0
    assert sorted(everything(out)) == ["aos4/ashfolk.toml", "aos4/emberfolk.toml"]
    assert b"old" not in everything(out)["aos4/ashfolk.toml"]
    capsys.readouterr()


def test_a_broken_catalogue_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(CATALOGUES / "aos4", tmp_path / "in")
    (tmp_path / "in" / "Zzz.cat").write_text("<catalogue", encoding="utf-8")
    assert main(["import", str(tmp_path / "in"), "--system", "aos4", "-o", str(tmp_path / "out")]) == 2
    assert (
        capsys.readouterr().err
        == f"{tmp_path / 'in' / 'Zzz.cat'}: line 1 is not XML: unclosed token (export the file again)\n"
    )
    assert not (tmp_path / "out").exists()


def test_an_interruption_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    imported(tmp_path, "aos4", capsys)
    before = everything(tmp_path)

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stop)
    assert main(["import", str(CATALOGUES / "aos4"), "--system", "aos4", "-o", str(tmp_path)]) == 130
    monkeypatch.undo()
    assert capsys.readouterr().err.strip() == "mathhammer: interrupted"
    assert everything(tmp_path) == before
    assert os.listdir(tmp_path) == ["aos4"]


def test_mutated_catalogues_are_read_or_refused(tmp_path: Path) -> None:
    dice = random.Random("mathhammer catalogues")
    for system in ("aos4", "wh40k10"):
        for path in (CATALOGUES / system).iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        cats = sorted((CATALOGUES / system).glob("*.cat"))
        for _ in range(60):
            path = dice.choice(cats)
            data = bytearray(path.read_bytes())
            for _ in range(dice.randint(1, 5)):
                at = dice.randrange(len(data))
                word = dice.choice(
                    [
                        b'"',
                        b"-1",
                        b"99999",
                        b"unit",
                        b"model",
                        b"X",
                        b"\xff",
                        b"<a>",
                        b"e0",
                        b"id-0004",
                        b"cinderguard",
                        b"+",
                        b"wardens",
                    ]
                )
                data[at : at + dice.choice((0, 0, len(word)))] = word
            (tmp_path / path.name).write_bytes(data)
            try:
                report = convert(tmp_path, system)
                assert report.units <= 20
            except mh.MathhammerError as error:
                assert "\n" not in str(error)
            (tmp_path / path.name).write_bytes(path.read_bytes())
        for path in tmp_path.iterdir():
            path.unlink()


# --- complaints ---------------------------------------------------------------------------------------------------------------

AOS = 'gameSystemId="e51d-b1a3-75fc-dc3g"'


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.cat", f'<catalogue name="x" {AOS}/>', "{folder}: no unit found (give a folder with the faction catalogues and the .gst file)"),
        ("a.cat", "<roster/>", "{file}: is <roster>, no catalogue (give a .gst or .cat file)"),
        ("a.cat", '<catalogue name="Kill Team" gameSystemId="x"/>', "{file}: is for another game (Kill Team) (give catalogues of Warhammer Age of Sigmar, 4th edition)"),
        ("a.cat", '<catalogue gameSystemId="sys-352e-adc2-7639-d6a9"/>', "{file}: is for Warhammer 40,000, 10th edition (give catalogues of Warhammer Age of Sigmar, 4th edition)"),
        ("a.cat", '<!DOCTYPE a [<!ENTITY b "c">]><catalogue/>', "{file}: has a document type or entities (rosters and catalogues have none)"),
        ("a.txt", "", "{folder}: holds no catalogues (give a folder of .gst and .cat files, or of .json catalogues)"),
    ],
)  # fmt: skip
def test_what_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, message: str
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / name).write_text(text, encoding="utf-8")
    assert main(["import", str(folder), "--system", "aos4", "-o", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == message.format(folder=folder, file=folder / name) + "\n"
    assert not (tmp_path / "out").exists()


def test_paths_that_are_no_catalogues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.toml").write_text("", encoding="utf-8")
    for given, message in (
        (
            tmp_path / "none",
            "no such file or folder (give a folder of .gst and .cat files, or of .json catalogues)",
        ),
        (
            tmp_path / "x.toml",
            "is not a catalogue (give a .gst, .cat or .json catalogue, or a folder of them)",
        ),
    ):
        assert main(["import", str(given), "--system", "aos4", "-o", str(tmp_path)]) == 2
        assert capsys.readouterr().err == f"{given}: {message}\n"
    assert main(["import", str(CATALOGUES / "aos4"), "--system", "aos4", "-o", str(tmp_path / "x.toml")]) == 2
    assert (
        capsys.readouterr().err
        == f"{tmp_path / 'x.toml' / 'aos4' / 'emberfolk.toml'}: cannot be read (Not a directory)\n"
    )


def test_links_that_multiply_are_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = "".join(
        f'<selectionEntry type="upgrade" name="e{n}" id="e{n}"><entryLinks>'
        + "".join(f'<entryLink id="l{n}-{k}" type="selectionEntry" targetId="e{n + 1}"/>' for k in range(4))
        + "</entryLinks></selectionEntry>"
        for n in range(40)
    )
    profile = '<profiles><profile name="Bomb" typeName="Unit"><characteristics><characteristic name="Health">1</characteristic></characteristics></profile></profiles>'
    root = f'<selectionEntry type="unit" name="Bomb" id="b">{profile}<entryLinks><entryLink id="l" type="selectionEntry" targetId="e0"/></entryLinks></selectionEntry>'
    text = f'<catalogue name="x" {AOS}><sharedSelectionEntries>{entries}</sharedSelectionEntries><selectionEntries>{root}</selectionEntries></catalogue>'
    (tmp_path / "a.cat").write_text(text, encoding="utf-8")
    assert main(["import", str(tmp_path), "--system", "aos4", "-o", str(tmp_path / "out")]) == 2
    assert (
        capsys.readouterr().err
        == f"catalogues: links of one unit lead to more than {MOST_STEPS} entries (the files are damaged)\n"
    )


def test_names_lead_nowhere(tmp_path: Path) -> None:
    for path in (CATALOGUES / "aos4").iterdir():
        text = path.read_text(encoding="utf-8").replace('name="Emberfolk"', 'name="../../evil\u202e"')
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    report = convert(tmp_path, "aos4")
    assert list(report.files) == ["evil.toml"]


# --- the frequencies of the whole repositories --------------------------------------------------------------------------------

READERS: dict[str, Any] = {
    "Atk": count, "Dmg": count, "A": count, "D": count, "Hit": roll, "Wnd": roll, "BS": roll, "WS": roll, "Save": roll, "SV": roll,
    "Rnd": number, "AP": number, "S": number, "T": number, "W": number, "LD": number, "OC": number, "Control": number, "Health": number,
    "Banishment": number, "Move": inches, "M": inches, "Rng": inches, "Range": inches,
}  # fmt: skip
WITHOUT_NUMBER = ("*", "X", "Melee", "2D6", "D6+6")


def rows(name: str) -> list[dict[str, str]]:
    with (SHARED / "frequencies" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def unescaped(text: str) -> str:
    return "" if text == "<missing>" else text.replace("\\u00a0", "\u00a0").replace("\\u2011", "\u2011")


@needs_shared
@pytest.mark.parametrize("system", ["aos4", "wh40k10"])
def test_every_real_value_is_read_or_reported(system: str) -> None:
    refused: Counter[str] = Counter()
    read = 0
    for row in rows(f"{system}-characteristics.tsv"):
        reader = READERS.get(row["characteristic"])
        if reader is None or (row["profile_type"], row["characteristic"]) == ("Melee Weapons", "Range"):
            continue
        value = unescaped(row["value"])
        try:
            reader(value)
            read += int(row["count"])
        except UnreadableError:
            refused[value] += int(row["count"])
    assert read > 10_000
    assert all(value in WITHOUT_NUMBER or value.startswith("⟝See") for value in refused), refused
    assert refused.total() < 25


@needs_shared
@pytest.mark.parametrize(("system", "unknown"), [("aos4", {"blood-hungry", "wyrdflame"}), ("wh40k10", None)])
def test_real_abilities_are_understood(system: str, unknown: set[str] | None) -> None:
    understood: Counter[str] = Counter()
    strange: Counter[str] = Counter()
    for row in rows(f"{system}-weapon-abilities-raw.tsv"):
        for token in tokens(unescaped(row["value"])):
            known = known_ability(system, token)
            (strange if known is None else understood)[token.lower() if known is None else known] += int(
                row["count"]
            )
    share = understood.total() / (understood.total() + strange.total())
    assert share >= 0.95, strange
    assert understood.total() + strange.total() > 1_800
    if unknown is not None:
        assert set(strange) == unknown
    else:
        assert share >= 0.99


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("Anit-**Infantry** (+1 Rend)", "Anti-Infantry (+1 Rend)"),
        ("Anti-**^^Cavalry^^** +1 Rend)", "Anti-Cavalry (+1 Rend)"),
        ("**^^Anti-**^^Monster^^**\u00a0(+1 Rend)", "Anti-Monster (+1 Rend)"),
        ("Anti-**^^Hero (+1 Rend)^^**", "Anti-Hero (+1 Rend)"),
        ("Charge (+1 Damage", "Charge (+1 Damage)"),
        ("Twin Linked", "Twin-linked"),
        ("Anti Vehicle 3+", "Anti-Vehicle 3+"),
    ],
)
def test_slips_of_real_catalogues_are_mended(raw: str, clean: str) -> None:
    assert list(tokens(raw)) == [clean]
    assert mended(clean) == clean


def test_values_and_names() -> None:
    assert is_dash(" – ")
    assert spelled("➤ L7 missile launcher - blast")[0] == "L7 missile launcher (blast)"
    for bad in ("999999999D6", "D7", "1+", "NaN", "-3"):
        with pytest.raises(UnreadableError):
            roll(bad) if bad == "1+" else count(bad)


# --- the real catalogues ------------------------------------------------------------------------------------------------------

REAL = {
    "aos4": {
        "Fyreslayers": (23, 20),
        "Ironjawz": (24, 34),
        "Kruleboyz": (25, 41),
        "Sons of Behemat": (11, 20),
    },
    "wh40k10": {
        "Chaos - World Eaters": (61, 173),
        "Imperium - Adeptus Titanicus": (4, 32),
        "Xenos - Leagues of Votann": (25, 72),
        "Library - Titans": (8, 32),
        "Xenos - Necrons": (66, 116),
        "Unaligned Forces": (22, 40),
    },
}


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("system", REAL)
def test_the_real_catalogues(system: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = convert(SHARED / "bsdata" / system, system)
    folder = storing.store(report, tmp_path)
    assert {name: found for name, found in report.factions.items() if name in REAL[system]} == REAL[system]
    assert report.left_out == []  # no unit lost
    assert report.units == sum(units for units, _ in report.factions.values())
    assert report.share >= 0.95
    assert main(["check", *map(str, sorted(folder.iterdir()))]) == 0
    capsys.readouterr()
    shipped = {sheet.name: sheet.fields for sheet in sheets(system) if sheet.path.name != "targets.toml"}
    compared = 0
    for made in sheets(system, tmp_path):
        if (
            made.path.parent == folder
            and made.name in shipped
            and made.faction in ("Ironjawz", "Kruleboyz", "Fyreslayers", "Sons of Behemat", "World Eaters")
        ):
            keys = (
                "models",
                "health",
                "save",
                "ward",
                "control",
                "toughness",
                "wounds",
                "leadership",
                "objective_control",
            )
            assert {key: made.fields.get(key) for key in keys} == {
                key: shipped[made.name].get(key) for key in keys
            }, made.name
            compared += 1
    assert compared >= 14


@needs_shared
@pytest.mark.parametrize("system", REAL)
def test_every_imported_unit_fights(system: str, tmp_path: Path) -> None:
    folder = storing.store(convert(SHARED / "bsdata" / system, system), tmp_path)
    target = mh.load_unit("Line infantry" if system == "aos4" else "Marines", system)
    fights = 0
    for made in sheets(system, tmp_path):
        if made.path.parent != folder:
            continue
        unit = made.unit()
        for kind in sorted({weapon.kind for weapon in unit.weapons if not weapon.optional}):
            assert mh.fight(unit, target, weapons=kind).funnel["attacks"] > 0
            fights += 1
    assert fights > 90


def test_imported_units_that_replace_rules_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A unit that is shipped with effects worked out by hand loses them: a remark says so."""
    from mathhammer.cli.import_ import shipped_rules

    report = convert(CATALOGUES / "aos4", "aos4")
    assert shipped_rules(report) == ""
    files = {"rats.toml": 'system = "aos4"\n[[unit]]\nname = "Grey Seer on Screaming Bell"\n'}
    assert shipped_rules(replace(report, files=files)) == "Grey Seer on Screaming Bell"
    monkeypatch.setenv("MATHHAMMER_DATASHEETS", str(tmp_path))
    assert main(["import", str(CATALOGUES / "aos4"), "--system", "aos4"]) == 0
    assert capsys.readouterr().err == "every command finds them\n"
