"""The real lists of ../shared/data, with the results its README gives; skipped where they are not."""

from __future__ import annotations

import pytest
from roster_files import SHARED, needs_shared

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.datasheets.library import reference_targets
from mathhammer.lists import read_rosters

# file -> units (priced lines), points, models where the file tells
REAL = {
    "aos4/kruleboyz-2k.json": (11, 1930, 64),
    "aos4/kruleboyz-2k.ros": (11, 1930, 64),
    "aos4/kruleboyz-2k.rosz": (11, 1930, 64),
    "aos4/sce-minimal.json": (2, 290, 4),
    "aos4/sce-minimal.ros": (2, 290, 4),
    "aos4/sce-minimal.rosz": (2, 290, 4),
    "aos4/sons-of-behemat-all-units.ros": (10, 4010, 12),
    "aos4/ironjawz-renown-heavy.app.txt": (35, 9060, None),
    "aos4/fyreslayers-older-handbook.app.txt": (17, 2220, None),
    "aos4/skaven-asterisk-bullets.app.txt": (9, 1990, None),
    "aos4/fec-size-variants.app.txt": (61, 20850, None),
    "aos4/empty-roster.app.txt": (0, 0, None),
    "aos4/sons-of-behemat.sigdex.txt": (3, 690, None),
    "aos4/kruleboyz.listbot.txt": (13, 1970, None),
    "wh40k10/necrons-battlescribe.rosz": (4, 1205, 6),
    "wh40k10/votann-battlescribe.rosz": (8, 965, 32),
    "wh40k10/chaos-knights.newrecruit.json": (4, 485, 6),
    "wh40k10/grey-knights.listforge.json": (3, 585, 12),
    "wh40k10/chaos-knights.gw-headed.txt": (16, 2000, None),
    "wh40k10/world-eaters.gwapp.txt": (16, 1995, None),
    "wh40k10/world-eaters.newrecruit-gw.txt": (16, 2000, None),
    "wh40k10/world-eaters.newrecruit-nr.txt": (16, 2000, None),
    "wh40k10/world-eaters.wtc.txt": (16, 1990, None),
    "wh40k10/world-eaters.listforge.txt": (15, 1935, None),
    "wh40k10/tau.wtc-compact.txt": (17, 1995, None),
    "wh40k10/thousand-sons.bcp.txt": (17, 2000, None),
}
FORMATS = {
    ".json": {"newrecruit-json", "listforge-json"},
    ".ros": {"ros"},
    ".rosz": {"rosz"},
    ".app.txt": {"aos-app"},
    ".sigdex.txt": {"sigdex"},
    ".listbot.txt": {"listbot"},
    ".gwapp.txt": {"wh40k-app"},
    "-gw.txt": {"newrecruit-gw"},
    "-headed.txt": {"newrecruit-gw"},
    "-nr.txt": {"newrecruit-native"},
    ".wtc.txt": {"wtc"},
    ".listforge.txt": {"listforge-text"},
    "-compact.txt": {"wtc-compact"},
    ".bcp.txt": {"bcp"},
}

pytestmark = needs_shared


@pytest.mark.parametrize("name", REAL)
def test_units_points_and_models(name: str) -> None:
    (army,) = read_rosters(SHARED / "rosters" / name)
    units, points, models = REAL[name]
    assert (army.priced, army.points, army.declared) == (units, points, points)
    if models is not None:
        assert army.models == models
    formats = next(formats for ending, formats in FORMATS.items() if name.endswith(ending))
    assert army.format in formats
    assert not [warning for warning in army.warnings if warning.startswith("points:")]
    if not name.endswith("kruleboyz.listbot.txt"):
        assert not [warning for warning in army.warnings if "not understood: '" in warning]


@pytest.mark.parametrize("name", ["kruleboyz-2k", "sce-minimal"])
def test_the_same_list_is_the_same_roster(name: str) -> None:
    first, *others = [
        mh.read_roster(SHARED / "rosters" / "aos4" / f"{name}.{ending}") for ending in ("ros", "rosz", "json")
    ]
    assert all(other == first for other in others)
    assert len(first.units) == len(first.entries)


def test_the_text_of_the_same_list() -> None:
    army = mh.read_roster(SHARED / "rosters/aos4/kruleboyz-2k.newrecruit.txt")
    assert (army.format, army.priced, len(army.entries), army.declared, army.points) == (
        "newrecruit-aos",
        10,
        11,
        1930,
        1910,
    )
    assert sum(entry.reinforced for entry in army.entries) == 4
    assert army.warnings == ("points: 1930 declared, 1910 counted; no points are given for Skaregob Totem",)
    full = mh.read_roster(SHARED / "rosters/aos4/kruleboyz-2k.ros")
    assert [entry.name for entry in army.entries] == [entry.name for entry in full.entries]
    for short, long in zip(army.units, full.units, strict=False):  # looked up against brought along
        assert (short.name, short.models, short.health, short.stat("save")) == (
            long.name,
            long.models,
            long.health,
            long.stat("save"),
        )


def test_two_lists() -> None:
    first, second = read_rosters(SHARED / "rosters/aos4/bok-two-lists-in-one.app.txt")
    assert [(army.priced, army.points, army.army_of_renown) for army in (first, second)] == [
        (17, 2000, True)
    ] * 2


def test_details_of_the_app_lists() -> None:
    renown = mh.read_roster(SHARED / "rosters/aos4/ironjawz-renown-heavy.app.txt")
    assert sum(block.kind == "renown" for block in renown.blocks) == 17
    assert renown.faction == "Ironjawz"
    crowd = mh.read_roster(SHARED / "rosters/aos4/fec-size-variants.app.txt")
    assert [(extra.name, extra.points) for extra in crowd.extras] == [("Auxiliaries", 11220)]
    assert sum(entry.points or 0 for entry in crowd.entries) == 9630
    counted = mh.read_roster(SHARED / "rosters/aos4/kruleboyz.listbot.txt")
    assert sum(entry.models or 0 for entry in counted.entries) == 69
    assert sum(entry.models is None for entry in counted.entries) == 3


def test_another_edition_is_refused_by_name() -> None:
    with pytest.raises(
        mh.BadInputError, match=r"is for 'Warhammer 40,000 8th Edition' \(lists of .* are read\)"
    ):
        mh.read_roster(SHARED / "rosters/wh40k10/not-zipped-8th-edition.rosz")


@pytest.mark.parametrize("name", [name for name in REAL if name.endswith((".ros", ".rosz"))])
def test_units_of_real_rosters_fight(name: str) -> None:
    army = mh.read_roster(SHARED / "rosters" / name)
    assert len(army.units) == len(army.entries)
    target = reference_targets(army.system)[1]
    for unit in army.units:
        for kind in sorted({weapon.kind for weapon in unit.weapons if not weapon.optional}):
            assert mh.fight(unit, target, weapons=kind).lost.mean() > 0


@pytest.mark.parametrize("name", REAL)
def test_every_real_list_is_shown_and_checked(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(SHARED / "rosters" / name)
    assert main(["list", "show", path]) == 0
    assert f"{REAL[name][1]} points" in capsys.readouterr().out
    assert main(["list", "check", path]) in (0, 1)
    assert "AC-" in capsys.readouterr().out or name.startswith("wh40k10")
