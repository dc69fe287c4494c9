"""Roster trees: `.ros`, `.rosz` and JSON of one list are one roster, with its real profiles."""

from __future__ import annotations

import base64
import gzip
import json
import zipfile
from pathlib import Path

import pytest
from roster_files import ROSTERS, SHEETS, as_new_recruit_json, zipped

import mathhammer as mh
from mathhammer.lists import Roster, read_rosters

KILNS, GLASS = ROSTERS / "kilns.ros", ROSTERS / "glass.ros"


def read(given: str | bytes | Path) -> Roster:
    (roster,) = read_rosters(given, datasheets=SHEETS)
    return roster


@pytest.mark.parametrize("path", [KILNS, GLASS], ids=lambda path: path.name)
def test_one_list_in_every_format_is_one_roster(path: Path, tmp_path: Path) -> None:
    xml = path.read_bytes()
    plain = read(path)
    assert read(zipped(xml)) == plain
    assert read(zipped(xml, method=zipfile.ZIP_STORED)) == plain
    assert read(as_new_recruit_json(xml)) == plain
    document = json.loads(as_new_recruit_json(xml))
    assert read(json.dumps([document])) == plain
    assert read(json.dumps({"name": plain.name, **document})) == plain
    unzipped = tmp_path / "list.rosz"  # a .rosz that is plain XML: the content decides, not the name
    unzipped.write_bytes(xml)
    assert read(unzipped) == plain
    assert read(xml.decode()) == plain
    assert [read(given).format for given in (xml, zipped(xml), as_new_recruit_json(xml))] == [
        "ros",
        "rosz",
        "newrecruit-json",
    ]


def test_old_converters_are_understood() -> None:
    plain = read(KILNS)
    document = json.loads(as_new_recruit_json(KILNS.read_bytes()))

    def wrapped(value: object) -> object:
        if isinstance(value, dict):
            singular = {"categories": "category"}
            made = {}
            for key, held in value.items():
                if isinstance(held, list):
                    inner = [wrapped(item) for item in held]
                    made[key] = (
                        {singular.get(key, key.removesuffix("s")): inner[0] if len(inner) == 1 else inner}
                        if inner
                        else {}
                    )
                else:
                    made[key if key == "$text" else "@_" + key] = wrapped(held)
            return made
        return value

    assert read(json.dumps({"roster": wrapped(document["roster"])})) == plain


@pytest.mark.rule("AOS4-AC-3.3")
def test_the_age_of_sigmar_list() -> None:
    army = read(KILNS)
    assert (army.system, army.name, army.faction, army.formation) == (
        "aos4",
        "Night kilns",
        "Emberfolk",
        "Bellows Host",
    )
    assert army.battlepack == "General's Handbook 2026-27"
    assert (army.points, army.declared, army.limit, army.difference) == (930, 930, 1000, 0)
    assert (army.models, len(army.entries), len(army.units)) == (33, 6, 6)
    assert [(block.name, block.kind, len(block.entries)) for block in army.blocks] == [
        ("Regiment 1", "regiment", 2),
        ("Regiment 2", "regiment", 2),
        ("Auxillary Units", "auxiliary", 1),
        ("Faction Terrain", "terrain", 1),
        ("Manifestations", "manifestation", 1),
    ]
    assert [(lore.kind, lore.name) for lore in army.lores] == [
        ("spell", "Lore of Soot"),
        ("manifestation", "Forge Spirits"),
    ]
    assert [(extra.name, extra.points, extra.kind) for extra in army.extras] == [
        ("Bellows Host", 30, "formation")
    ]
    hero, guards = army.blocks[0].entries
    assert (hero.general, hero.points) == (True, 130)
    assert [(extra.name, extra.kind, extra.points) for extra in hero.enhancements] == [
        ("Glowing Brand", "Artefacts of Power", 10)
    ]
    assert (guards.reinforced, guards.models, guards.points) == (True, 20, 280)
    assert guards.carried() == {"Coal Pick": 19, "Slag Thrower": 1}
    assert guards.keywords == ("infantry", "champion", "emberfolk")
    assert army.warnings == (
        "Cinderguard, Coal Pick: Blood-hungry not understood, left out of the numbers",
        "Star Wyrm: Gaze: Wnd \"⟝See 'Gaze' ability⟞\" is not a number; the weapon is left out",
    )
    assert army.missing == ()


@pytest.mark.rule("AOS4-AC-3.3")
def test_real_profiles_are_used_as_they_are() -> None:
    guards = read(KILNS).blocks[0].entries[1].unit
    assert guards is not None
    assert (
        guards.models,
        guards.minimum,
        guards.health,
        guards.stat("save"),
        guards.stat("ward"),
        guards.points,
    ) == (
        20,
        10,
        40,
        4,
        6,
        280,
    )
    assert guards.stat("move").plus == 4
    pick, gush, jet = guards.weapons
    assert (pick.name, pick.bearers, pick.abilities, pick.stat("champions"), pick.stat("rend")) == (
        "Coal Pick",
        19,
        ("Crit (Mortal)",),
        1,
        0,
    )
    assert (gush.name, gush.bearers, gush.range, str(gush.attacks), gush.optional) == (
        "Slag Thrower: Gush",
        1,
        10,
        "D6",
        False,
    )
    assert (jet.optional, str(jet.damage), jet.abilities) == (True, "D3", ("Anti-MONSTER (+1 Rend)",))
    target = mh.make_unit("aos4", {"name": "Post", "health": 1, "models": 20})
    assert mh.fight(guards, target, weapons="melee").funnel["attacks"] == pytest.approx(19 * 2 + 1)


def test_the_40k_list() -> None:
    army = read(GLASS)
    assert (army.system, army.faction, army.formation, army.battlepack, army.limit) == (
        "wh40k10",
        "Glass Choir",
        "Shatter Lance",
        "Strike Force",
        2000,
    )
    assert (army.points, army.models, len(army.units)) == (425, 12, 3)
    marshal, wardens, walker = army.entries
    assert (marshal.general, marshal.leads, marshal.role) == (True, "Shard Wardens", "Character")
    assert [extra.name for extra in marshal.enhancements] == ["Ringing Crown"]
    assert marshal.unit is not None
    assert (marshal.unit.stat("invuln"), marshal.unit.stat("fnp"), marshal.unit.stat("stealth")) == (
        4,
        5,
        True,
    )
    unit = wardens.unit
    assert unit is not None
    assert [(group.name, group.models, group.stat("wounds")) for group in unit.groups] == [
        ("Shard Wardens", 9, 1),
        ("Warden Cantor", 1, 2),
    ]
    carried = {weapon.name: (weapon.bearers, weapon.optional) for weapon in unit.weapons}
    assert carried == {  # the cantor's rifle has no profile of its own in the file
        "Shard rifle": (9, False),
        "Close combat weapon": (None, False),
        "Prism gun (beam)": (1, False),
        "Prism gun (burst)": (1, True),
        "Bell hammer": (1, False),
    }
    assert walker.unit is not None
    assert [weapon.label for weapon in walker.unit.weapons] == ["2 x Lens cannon", "Breath", "Feet"]
    breath, feet = walker.unit.weapons[1:]
    assert (breath.stat("skill"), breath.abilities) == (None, ("Torrent", "Ignores Cover"))
    assert (feet.stat("strength"), feet.stat("ap")) == (8, 0)
    assert (walker.unit.stat("move").plus, walker.unit.stat("invuln")) == (20, None)
    assert dict(walker.unit.effects[0].changes) == {"invuln": 5}
    for unit in army.units:
        for kind in {weapon.kind for weapon in unit.weapons}:
            assert mh.fight(unit, marshal.unit, weapons=kind).lost.mean() > 0


def test_a_difference_of_points_is_reported() -> None:
    army = read(KILNS.read_bytes().replace(b'value="930"', b'value="945"'))
    assert (army.declared, army.points, army.difference) == (945, 930, 15)
    assert army.warnings[-1] == "points: 945 declared, 930 counted"


def test_listforge_json_and_share_links() -> None:
    path = ROSTERS / "listforge.json"
    army = read(path)
    assert (army.format, army.faction, army.points, army.models, army.limit) == (
        "listforge-json",
        "Glass Choir",
        245,
        11,
        1000,
    )
    assert army.entries[0].leads == "Shard Wardens"
    link = base64.b64encode(gzip.compress(path.read_bytes(), mtime=0)).decode()
    assert link.startswith("H4sIA")
    assert read(link) == read(f"https://example.org/listforge/{link}") == army
    wardens = army.units[1]  # no profiles in the file: from the datasheets, armed as the list says
    assert {weapon.name: (weapon.bearers, weapon.optional) for weapon in wardens.weapons} == {
        "Shard rifle": (9, False),
        "Prism gun (beam)": (1, False),
        "Prism gun (burst)": (1, True),
        "Close combat weapon": (None, True),
    }


def test_odd_numbers_are_said_and_bounded() -> None:
    text = KILNS.read_text(encoding="utf-8")
    army = read(text.replace('type="model" number="18"', 'type="model" number="1e9"'))
    assert "Cinderguard: '1e9' is not a number from 0 to 10000" in army.warnings
    army = read(text.replace('value="280"', 'value="NaN"'))
    assert "Cinderguard: 'NaN' are not points" in army.warnings
    army = read(text.replace('value="930"', 'value="abc"'))
    assert army.warnings[0] == "list: the total 'abc' are not points"
    assert army.declared is None


def test_units_of_a_roster_are_public() -> None:
    assert mh.read_roster is not None
    assert "read_roster" in mh.__all__
    assert mh.read_roster(KILNS).units[0].name == "Ember Warden"
