"""Datasheets: every shipped unit, every complaint with its line, folders of one's own."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest
from places import ROOT

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.datasheets.checking import check_file
from mathhammer.datasheets.json_schema import json_schema
from mathhammer.datasheets.library import reference_targets, sheets, user_folder
from mathhammer.datasheets.lines import line_of
from mathhammer.datasheets.reading import COMMON_EFFECT
from mathhammer.games.discovery import attacks_of
from mathhammer.games.records import data_folder
from mathhammer.units.effects import SCOPES

SYSTEMS = ("aos4", "wh40k10", "aos1")
FILES = [path for system in SYSTEMS for path in sorted((data_folder() / system).glob("*.toml"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_shipped_files_have_no_fault(path: Path) -> None:
    assert [str(fault) for fault in check_file(path)] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_shipped_unit_fights_every_reference_target(system: str) -> None:
    targets = reference_targets(system)
    assert len(targets) == 8
    fights = 0
    for sheet in sheets(system):
        unit = sheet.unit()
        for kind in sorted({weapon.kind for weapon in unit.weapons if not weapon.optional}):
            for target in targets:
                result = mh.fight(unit, target, weapons=kind)
                assert result.lost.probs.sum() == pytest.approx(1.0)
                assert result.funnel["attacks"] > 0
                fights += 1
        for weapon in unit.weapons:
            assert mh.fight(unit, targets[0], weapons=[weapon.name]).lost.mean() >= 0
    assert fights > 100


@pytest.mark.parametrize(
    ("system", "units", "factions"), [("aos4", 40, 6), ("wh40k10", 40, 6), ("aos1", 12, 3)]
)
def test_the_library_is_as_large_as_promised(system: str, units: int, factions: int) -> None:
    found = [sheet for sheet in sheets(system) if sheet.path.name != "targets.toml"]
    assert len(found) >= units
    assert len({sheet.faction for sheet in found}) >= factions
    names = [sheet.name.lower() for sheet in sheets(system)]
    assert len(set(names)) == len(names)


def test_the_worked_example_from_the_shipped_units() -> None:
    liberators, clawlord = (
        mh.load_unit("Liberators", system="aos4"),
        mh.load_unit("Clawlord on Gnaw-beast", system="aos4"),
    )
    result = mh.fight(liberators, clawlord, situation="charged", options={"spearhead": True})
    assert result.damage.mean() == pytest.approx(110 / 27)
    assert result.p_destroyed == pytest.approx(0.09865505682643332)


# --- complaints -----------------------------------------------------------------------------------------------------------

GOOD = """system = "aos4"
faction = "Mine"
source = "a test"
checked = 2026-11-16

[[unit]]
name = "Rat Ogors"
health = 4

  [[unit.weapon]]
  name = "Claws"
  attacks = 5
  hit = 4
  wound = 3
  damage = 2

  [[unit.effect]]
  name = "Frenzy"
  when = ["charged"]
  attacks = "+1"

[[unit]]
name = "Clanrats"
health = 1
"""


def complaints(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return [str(fault).replace(str(tmp_path) + "/", "") for fault in check_file(path)]


def test_a_good_file_has_no_fault(tmp_path: Path) -> None:
    assert complaints(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "hit = 4",
            "hit = 1",
            "mine.toml:13, Rat Ogors, Claws: hit 1+ is not a roll of a D6 (give 2 to 6, 3 means 3+)",
        ),
        (
            "damage = 2",
            'damage = "2D"',
            "mine.toml:15, Rat Ogors, Claws: damage: '2D' is not dice text (write a number, D3, D6, 2D6 or D6+1)",
        ),
        (
            "damage = 2",
            'damage = 2\n  abilities = ["Crit (Mortl)"]',
            "mine.toml:16, Rat Ogors, Claws: unknown ability 'Crit (Mortl)' (did you mean 'Crit (Mortal)'?)",
        ),
        (
            '"charged"',
            '"chargd"',
            "mine.toml:19, Rat Ogors, Frenzy: unknown condition 'chargd' (did you mean 'charged'?)",
        ),
        (
            'attacks = "+1"',
            'atacks = "+1"',
            "mine.toml:20, Rat Ogors, Frenzy: unknown field 'atacks' (did you mean 'attacks'?)",
        ),
        ("health = 1", "helth = 1", "mine.toml:24, Clanrats: unknown field 'helth' (did you mean 'health'?)"),
        ('faction = "Mine"\n', "", "mine.toml: faction is missing (give it at the top of the file)"),
        ('system = "aos4"', 'system = "aos5"', "mine.toml: unknown system 'aos5' (did you mean 'aos4'?)"),
        (
            '"Clanrats"',
            '"Rat Ogors"',
            "mine.toml:23, Rat Ogors: is in this file twice (give each unit its own name)",
        ),
    ],
)
def test_a_fault_is_told_with_file_line_and_the_right_word(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in GOOD
    assert message in complaints(tmp_path, GOOD.replace(old, new, 1))


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        GOOD.replace("hit = 4", "hit = 9").replace("health = 1", "health = -1").replace('"charged"', '"x"'),
        encoding="utf-8",
    )
    assert main(["check", str(path)]) == 1
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 3
    assert captured.err == "1 file, 3 faults\n"
    assert main(["check", str(data_folder() / "aos4" / "skaven.toml")]) == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "system is missing (give it at the top of the file)"),
        (b"name = ", "not TOML:"),
        (b"\xff\xfe\x00", "not UTF-8 text (save it as UTF-8)"),
        (b"x = " + b"[" * 5000, "broken.toml: n"),
        (b'system = "aos4"\nx = ' + b"9" * 5000, "broken.toml: a number in it is too long"),
        (b'system = "aos4"\nunit = 3', "unit must be a list of tables (write [[unit]])"),
        (b'system = "aos4"\nfaction = "Mine"', "broken.toml: holds no unit (write [[unit]])"),
        (
            b'system = "aos4"\nfacton = "Mine"',
            "broken.toml: unknown field 'facton' (did you mean 'faction'?)",
        ),
    ],
)
def test_broken_files_give_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    assert main(["check", str(path)]) == 1
    captured = capsys.readouterr()
    assert message in captured.out
    assert "Traceback" not in captured.err
    assert main(["check", str(tmp_path / "none.toml")]) == 1
    assert "no such file" in capsys.readouterr().out


def test_what_is_no_datasheet_at_all(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with (tmp_path / "large.toml").open("wb") as file:
        file.truncate(20_000_001)
    for name, why in (
        ("folder", "cannot be read (Is a directory)"),
        ("large", "larger than 20 MB (split it)"),
    ):
        with pytest.raises(mh.BadInputError) as caught:
            check_file(tmp_path / f"{name}.toml")
        assert str(caught.value) == f"{tmp_path / name}.toml: {why}"


def test_a_file_in_the_folder_of_another_game(tmp_path: Path) -> None:
    (tmp_path / "wh40k10").mkdir()
    (tmp_path / "wh40k10" / "mine.toml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(mh.BadInputError) as caught:
        mh.load_unit("Rat Ogors", "wh40k10", datasheets=tmp_path)
    assert (
        str(caught.value)
        == f"{tmp_path / 'wh40k10' / 'mine.toml'}: system is 'aos4' (write system = \"wh40k10\")"
    )


def test_a_game_without_reference_targets() -> None:
    with pytest.raises(mh.BadInputError) as caught:
        reference_targets("diskwars")
    assert str(caught.value) == "datasheets: diskwars has no reference targets (say against whom)"


def test_a_bad_unit_is_refused_where_it_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "aos4").mkdir()
    (tmp_path / "aos4" / "mine.toml").write_text(GOOD.replace("hit = 4", "hit = 9"), encoding="utf-8")
    assert main(["compare", "Rat Ogors", "--vs", "Clanrats", "--datasheets", str(tmp_path)]) == 2
    assert "mine.toml:13, Rat Ogors, Claws: hit 9+ is not a roll of a D6" in capsys.readouterr().err


def test_lines_are_found_in_nested_tables() -> None:
    text = (
        "[[unit]]\nname='a'\n[[unit.weapon]]\nhit=1\n[[unit.weapon]]\nhit=2\n[[unit]]\n[[unit.weapon]]\nhit=3"
    )
    assert line_of(text, ("unit", 0, "weapon", 1, "hit")) == 6
    assert line_of(text, ("unit", 1, "weapon", 0, "hit")) == 9
    assert line_of(text, ("unit", 1)) == 7
    assert line_of(text, ("unit", 1, "weapon", 0, "damage")) == 8  # the table that should hold it
    assert line_of(text, ()) is None
    assert line_of(text, ("unlike", 0)) is None


TRICKY = """\
system = "aos4"  # [[unit]]
notes = '''
[[unit]]
name = "not a unit"
'''
more = \"\"\"[[unit]] \\\"\"\"
name = "neither" \"\"\"
head.line = 8
head."quoted.key" = [  # 9
  "]", '[[unit]]', { a = 1 },
  [1,
   2],
]

[[unit]]  # 15
name = "[[unit]]"
weapon = [{ name = "a", hit = 3 },
  # a comment with ] and "
  { name = "b",  hit = 9, range.short = 6 }]

  [[unit.effect]]  # 21
  when = [
    "charged",
    "x",
  ]

[[unit]]  # 27
  [unit.body]
  size = { deep = [{ x = 1 }, { x = 2 }] }
  [[unit.effect]]
  on = "unit"
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("system",), 1),
        (("notes",), 2),
        (("more",), 6),
        (("head", "line"), 8),
        (("head", "quoted.key"), 9),
        (("head", "quoted.key", 2, "a"), 10),
        (("head", "quoted.key", 3, 1), 12),
        (("unit", 0), 15),
        (("unit", 0, "weapon", 0, "hit"), 17),
        (("unit", 0, "weapon", 1, "hit"), 19),
        (("unit", 0, "weapon", 1, "damage"), 19),
        (("unit", 0, "weapon", 1, "range", "short"), 19),
        (("unit", 0, "effect", 0, "when"), 22),
        (("unit", 0, "effect", 0, "when", 1), 24),
        (("unit", 1), 27),
        (("unit", 1, "body", "size", "deep", 1, "x"), 29),
        (("unit", 1, "effect", 0, "on"), 31),
        (("nowhere",), None),
    ],
)
def test_lines_of_inline_tables_dotted_keys_arrays_and_texts(
    path: tuple[str | int, ...], line: int | None
) -> None:
    tomllib.loads(TRICKY)
    assert line_of(TRICKY, path) == line
    assert line_of(TRICKY.replace("\n", "\r\n"), path) == line


def test_a_fault_in_an_inline_table_names_its_line(tmp_path: Path) -> None:
    text = (
        GOOD
        + 'weapon = [\n  { name = "Bite", attacks = 1, hit = 4, wound = 4, damage = 1 },\n  { name = "Claw", hit = 1 },\n]\n'
    )
    first = len(GOOD.splitlines()) + 1
    assert complaints(tmp_path, text) == [
        f"mine.toml:{first + 2}, Clanrats, Claw: attacks is missing (Attacks, a number or dice text)",
        f"mine.toml:{first + 2}, Clanrats, Claw: damage is missing (Damage, a number or dice text)",
        f"mine.toml:{first + 2}, Clanrats, Claw: hit 1+ is not a roll of a D6 (give 2 to 6, 3 means 3+)",
        f"mine.toml:{first + 2}, Clanrats, Claw: wound is missing (Wound, 3 means 3+)",
    ]


@pytest.mark.parametrize("path", sorted(data_folder().rglob("*.toml")), ids=lambda path: path.name)
def test_every_value_of_the_shipped_files_has_its_line(path: Path) -> None:
    """The line holds the key, whatever the file looks like."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()

    def look(value: object, place: tuple[str | int, ...]) -> None:
        items = (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        )
        for key, item in items:
            number = line_of(text, (*place, key))
            assert number is not None
            if isinstance(key, str) and not isinstance(item, list):
                assert key in lines[number - 1]
            look(item, (*place, key))

    look(tomllib.loads(text), ())


# --- folders --------------------------------------------------------------------------------------------------------------


def test_an_own_folder_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "aos4").mkdir()
    (tmp_path / "aos4" / "mine.toml").write_text(GOOD, encoding="utf-8")
    assert mh.load_unit("Rat Ogors", "aos4").weapons[0].name != "Claws"
    assert mh.load_unit("Rat Ogors", "aos4", datasheets=tmp_path).weapons[0].name == "Claws"
    assert (
        mh.load_unit("Liberators", "aos4", datasheets=tmp_path).models == 5
    )  # the shipped ones are still there
    monkeypatch.setenv("MATHHAMMER_DATASHEETS", str(tmp_path))
    assert mh.load_unit("rat ogors", "aos4").weapons[0].name == "Claws"


def test_names_of_several_games(tmp_path: Path) -> None:
    for system, body in (("aos4", "health = 1"), ("wh40k10", "toughness = 4\nwounds = 1")):
        (tmp_path / system).mkdir()
        header = f'system = "{system}"\nfaction = "F"\nsource = "s"\nchecked = 2026-11-16\n'
        (tmp_path / system / "x.toml").write_text(
            f'{header}[[unit]]\nname = "Twin"\n{body}\n', encoding="utf-8"
        )
    with pytest.raises(mh.BadInputError) as caught:
        mh.load_unit("Twin", datasheets=tmp_path)
    assert str(caught.value) == "load_unit: 'Twin' is a unit of aos4 and wh40k10 (say which system)"
    assert mh.load_unit("Twin", "aos4", datasheets=tmp_path).system == "aos4"
    assert mh.load_unit("Liberators").system == "aos4"  # an older edition has them too


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_schema_knows_every_field(system: str) -> None:
    made = json_schema(system)
    json.dumps(made)
    unit = made["properties"]["unit"]["items"]
    game = attacks_of(system)
    assert {field.name for field in game.unit_fields} <= set(unit["properties"])
    assert {field.name for field in game.weapon_fields} <= set(
        unit["properties"]["weapon"]["items"]["properties"]
    )
    assert {field.name for field in game.effect_fields} <= set(
        unit["properties"]["effect"]["items"]["properties"]
    )


def test_the_guide_names_every_scope_condition_and_change() -> None:
    guide = (ROOT / "datasheets" / "README.md").read_text(encoding="utf-8")
    words = {field.name for system in SYSTEMS for field in attacks_of(system).effect_fields} | set(SCOPES)
    words |= {field.name for field in COMMON_EFFECT} - {"name", "enemy"}
    assert not {word for word in words if f"`{word}`" not in guide}


def test_what_was_imported_is_found_without_saying_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("MATHHAMMER_DATASHEETS", raising=False)
    folder = tmp_path / "mathhammer" / "datasheets" / "aos4"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(GOOD, encoding="utf-8")
    assert mh.load_unit("Rat Ogors", "aos4").weapons[0].name == "Claws"


def test_the_users_folder_is_where_the_system_keeps_such_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import platformdirs
    from platformdirs.macos import MacOS

    monkeypatch.delenv("MATHHAMMER_DATASHEETS", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    if sys.platform == "linux":
        assert user_folder() == tmp_path / "share" / "mathhammer" / "datasheets"
        monkeypatch.delenv("XDG_DATA_HOME")
        assert user_folder() == tmp_path / ".local" / "share" / "mathhammer" / "datasheets"
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(platformdirs, "PlatformDirs", MacOS)
    library = tmp_path / "Library" / "Application Support"
    assert user_folder() == library / "mathhammer" / "datasheets"
    monkeypatch.setenv("MATHHAMMER_DATASHEETS", "/mine")
    assert user_folder() == Path("/mine")
