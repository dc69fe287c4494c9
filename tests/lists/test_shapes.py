"""Roster trees and texts of unusual shape, built where they are read: what still counts, and what is said about the rest."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from roster_files import ROSTERS, SHEETS

import mathhammer as mh
from mathhammer.lists import Roster, read_roster
from mathhammer.lists.formats import bcp
from mathhammer.lists.registry import READERS

SYSTEMS = {"aos4": "e51d-b1a3-75fc-dc3g", "wh40k10": "sys-352e-adc2-7639-d6a9"}
BODY = {"M": '6"', "T": "4", "SV": "4+", "W": "1", "LD": "7+", "OC": "2"}
RIFLE = {"Range": '24"', "A": "2", "BS": "3+", "S": "4", "AP": "0", "D": "1"}


def profile(name: str, kind: str, values: dict[str, str]) -> str:
    rows = "".join(f'<characteristic name="{key}">{value}</characteristic>' for key, value in values.items())
    return f'<profile name="{name}" typeName="{kind}"><characteristics>{rows}</characteristics></profile>'


def selection(
    name: str,
    kind: str,
    *inside: str,
    number: int = 1,
    points: int = 0,
    profiles: str = "",
    rules: str = "",
    group: str = "",
) -> str:
    cost = f'<costs><cost name="Glory" value="7"/><cost name="pts" value="{points}"/></costs>'
    below = f"<profiles>{profiles}</profiles><rules>{rules}</rules><selections>{''.join(inside)}</selections>"
    return (
        f'<selection name="{name}" type="{kind}" number="{number}" group="{group}">{cost}{below}</selection>'
    )


def force(name: str, *inside: str, forces: str = "") -> str:
    return f'<force name="{name}"><selections>{"".join(inside)}</selections><forces>{forces}</forces></force>'


def army(system: str, *inside: str, forces: str = "", datasheets: Path = SHEETS) -> Roster:
    """A list with the points of nothing but its total, and a cost of another kind before it."""
    costs = '<costs><cost name="Glory" value="7"/><cost name="pts" value="100"/></costs>'
    body = f"<forces>{force('Force', *inside, forces=forces)}</forces>"
    return read_roster(
        f'<roster name="L" gameSystemId="{SYSTEMS[system]}">{costs}{body}</roster>', datasheets=datasheets
    )


def wardens(*inside: str, body: dict[str, str] = BODY, rules: str = "") -> Roster:
    return army(
        "wh40k10",
        selection(
            "Wardens", "unit", *inside, points=100, profiles=profile("Wardens", "Unit", body), rules=rules
        ),
    )


def rifle(number: int = 1) -> str:
    return selection("Rifle", "upgrade", number=number, profiles=profile("Rifle", "Ranged Weapons", RIFLE))


# --- trees ----------------------------------------------------------------------------------------------------------------


def test_only_points_are_points() -> None:
    assert (wardens().declared, wardens().points) == (100, 100)


def test_models_inside_a_choice_count() -> None:
    (entry,) = wardens(
        selection("Nine or ten", "upgrade", selection("Warden", "model", rifle(9), number=9))
    ).entries
    assert (entry.models, [(kind.name, kind.number) for kind in entry.kinds]) == (9, [("Warden", 9)])
    assert entry.unit is not None
    assert (entry.unit.models, entry.unit.weapons[0].bearers) == (9, None)  # every model carries it


def test_weapons_that_hang_on_the_unit_go_to_most_models() -> None:
    models = (selection("Warden", "model", number=4), selection("Cantor", "model"))
    (entry,) = wardens(*models, rifle(4)).entries
    assert entry.unit is not None
    assert [(weapon.name, weapon.bearers) for weapon in entry.unit.weapons] == [("Rifle", 4)]
    (alone,) = wardens(rifle()).entries  # no model is listed at all
    assert alone.unit is not None
    assert (alone.unit.models, [weapon.name for weapon in alone.unit.weapons]) == (1, ["Rifle"])


def test_the_same_weapon_twice_is_two_of_them() -> None:
    (entry,) = wardens(selection("Warden", "model", rifle(2), rifle(1), number=3)).entries
    assert entry.unit is not None
    assert [(weapon.name, weapon.bearers) for weapon in entry.unit.weapons] == [
        ("Rifle", None)
    ]  # three rifles for three models


def test_rules_below_a_unit_are_not_rules_of_the_unit() -> None:
    model = selection("Warden", "model", selection("Cloak", "upgrade", rules='<rule name="Stealth"/>'))
    (entry,) = wardens(model).entries
    assert entry.unit is not None
    assert not entry.unit.stat("stealth")
    (whole,) = wardens(model, rules='<rule name="Stealth"/>').entries
    assert whole.unit is not None
    assert whole.unit.stat("stealth")


@pytest.mark.parametrize(
    ("body", "warning"),
    [
        (BODY | {"T": "-"}, "Wardens: T '-' is not a number"),
        (BODY | {"W": "2000"}, "Wardens: wounds 2000 (give a whole number from 1 to 1000)"),
        (BODY | {"M": "far"}, "Wardens: Move 'far' is not a number or dice text"),
    ],
)
def test_profiles_that_cannot_be_read_are_said(body: dict[str, str], warning: str) -> None:
    found = wardens(selection("Warden", "model"), body=body)
    assert [text for text in found.warnings if "Wardens" in text] == [warning]
    assert (found.entries[0].unit is None) == ("Move" not in warning)


def test_command_models_are_no_enhancements() -> None:
    champion = selection("Champion", "upgrade", group="Enhancements")
    crown = selection("Crown", "upgrade", group="Enhancements", points=15)
    (entry,) = wardens(champion, crown).entries
    assert [(extra.name, extra.points) for extra in entry.enhancements] == [("Crown", 15)]


def test_forces_inside_a_force_are_renown_unless_they_say_otherwise() -> None:
    names = ("Regiment 1", "Auxiliary Units", "The Lost Bellows")
    body = profile("Guard", "Unit", {"Move": '5"', "Health": "2", "Save": "4+", "Control": "1"})
    nested = "".join(
        force(name, selection("Guard", "unit", selection("Guard", "model"), profiles=body)) for name in names
    )
    found = army("aos4", forces=nested)
    assert [(block.name, block.kind) for block in found.blocks] == [
        ("Regiment 1", "regiment"),
        ("Auxiliary Units", "auxiliary"),
        ("The Lost Bellows", "renown"),
    ]
    here = army("aos4", selection("Guard", "unit", selection("Guard", "model"), profiles=body))
    assert [block.kind for block in here.blocks] == ["regiment"]


# --- profiles from the datasheets -----------------------------------------------------------------------------------------


def from_sheet(folder: Path, unit: str, models: int) -> Roster:
    """A list of one unit of a datasheet of one's own."""
    (folder / "wh40k10").mkdir(exist_ok=True)
    sheet = f'system = "wh40k10"\nfaction = "Choir"\n[[unit]]\nname = "Wardens"\ntoughness = 4\n{unit}'
    (folder / "wh40k10" / "choir.toml").write_text(sheet, encoding="utf-8")
    text = f'system = "wh40k10"\n[[regiment]]\n[[regiment.unit]]\nname = "Wardens"\npoints = 100\nmodels = {models}\n'
    return read_roster(text, datasheets=folder)


def test_a_size_from_the_list_goes_to_the_largest_group(tmp_path: Path) -> None:
    groups = "".join(
        f'[[unit.group]]\nname = "{name}"\nmodels = {models}\nwounds = 1\n'
        for name, models in (("Warden", 9), ("Cantor", 1))
    )
    sizes = {
        5: [("Warden", 4), ("Cantor", 1)],
        20: [("Warden", 19), ("Cantor", 1)],
        1: [("Warden", 9), ("Cantor", 1)],
    }
    for models, wanted in sizes.items():
        (unit,) = from_sheet(tmp_path, f"models = 10\n{groups}", models).units
        assert [
            (group.name, group.models) for group in unit.groups
        ] == wanted  # one model cannot be both: left as it is


def test_a_datasheet_that_is_wrong_is_said(tmp_path: Path) -> None:
    found = from_sheet(tmp_path, "wounds = 0\n", 1)
    assert found.units == ()
    sheet = tmp_path / "wh40k10" / "choir.toml"
    assert found.warnings == (f"{sheet}:6, Wardens: wounds 0 (give a whole number from 1 to 1000)",)


def test_profiles_of_the_list_stay_beside_those_of_the_datasheets() -> None:
    own = selection(
        "Shard Wardens",
        "unit",
        selection("Warden", "model", number=3),
        points=50,
        profiles=profile("W", "Unit", BODY | {"W": "7"}),
    )
    bare = selection("Shard Wardens", "unit", selection("Warden", "model", number=10), points=50)
    mine, theirs = army("wh40k10", own, bare).units
    assert (mine.models, mine.health) == (3, 21)
    assert theirs.models == 10
    assert theirs.health < 70


# --- texts ----------------------------------------------------------------------------------------------------------------


def text_of(name: str) -> str:
    return (ROSTERS / name).read_text(encoding="utf-8")


def test_a_unit_before_any_heading_opens_a_regiment() -> None:
    text = text_of("aos_app_two.txt").partition("First")[2].partition("Created with")[0]
    text = f"First{text}".replace("General's Regiment\nCinderguard (140)", "20x Cinderguard (140)")
    found = read_roster(text, datasheets=SHEETS)
    assert found.blocks[0].name == "Regiment 1"
    assert [(entry.name, entry.models) for entry in found.blocks[0].entries] == [("Cinderguard", 20)]


def test_a_reinforced_unit_of_listbot() -> None:
    text = text_of("listbot.txt").replace("- 20 x Cinderguard (280)", "- Cinderguard (280)\n[Reinforced]")
    guards = read_roster(text, datasheets=SHEETS).blocks[0].entries[1]
    assert (guards.name, guards.reinforced, guards.size) == ("Cinderguard", True, 20)


def test_the_footer_of_new_recruit_is_no_unit() -> None:
    plain = read_roster(text_of("newrecruit_native.txt"), datasheets=SHEETS)
    assert (
        read_roster(text_of("newrecruit_native.txt") + "\nCreated with New Recruit\n", datasheets=SHEETS)
        == plain
    )


def test_a_loadout_with_bullets_below_it_belongs_to_the_unit() -> None:
    """WTC: `1 with ...` on the unit itself, then indented bullets: wargear of the unit, not of a model."""
    text = text_of("wtc.txt").replace(
        "1 with 2x Lens cannon, Lens cannon", "1 with Lens cannon\n    • 2x Lens cannon"
    )
    walker = read_roster(text, datasheets=SHEETS).entries[2]
    assert walker.name == "Prism Walker"
    assert walker.carried() == {"Lens cannon": 3}


def test_a_name_like_a_share_link_is_a_name() -> None:
    text = text_of("aos_app_two.txt").replace("First 140", "H4sIA 140")
    assert read_roster(text, datasheets=SHEETS).name == "H4sIA"


def test_a_path_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("x", encoding="utf-8")
    below = tmp_path / "list.txt" / "more"
    with pytest.raises(mh.BadInputError) as caught:
        read_roster(below)
    assert str(caught.value) == f"{below}: cannot be read (Not a directory)"


def test_a_format_is_registered_once() -> None:
    before = [reader.name for reader in READERS]
    importlib.reload(bcp)
    assert [reader.name for reader in READERS] == before
