"""Lists as players really paste them: lost indentation and brackets, remarks, sizes, wargear, other editions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from roster_files import ROSTERS, SHARED, SHEETS, needs_shared

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.lists import Roster, check_list, read_roster, read_rosters
from mathhammer.lists.flat import like_model
from mathhammer.lists.lookup import resolve
from mathhammer.names import Names, normal

HEAD = "Breaking glass ({} points)\n\nGlass Choir\nShatter Lance\nIncursion (1000 points)\n\n"
HEADED = "+ FACTION KEYWORD: Xenos - Glass Choir\n+ DETACHMENT: Shatter Lance\n+ TOTAL ARMY POINTS: {}pts\n\n"


def read(text: str, datasheets: Path = SHEETS) -> Roster:
    return read_roster(text, datasheets=datasheets)


def stripped(name: str) -> str:
    return "\n".join(line.strip() for line in (ROSTERS / name).read_text(encoding="utf-8").splitlines())


# --- 3: app text without indentation ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["wh40k_app.txt", "newrecruit_gw.txt", "wtc.txt", "wtc_compact.txt"])
def test_lost_indentation_loses_no_model(name: str) -> None:
    whole, flat = read_roster(ROSTERS / name, datasheets=SHEETS), read(stripped(name))
    assert [(entry.name, entry.models, entry.carried()) for entry in flat.entries] == [
        (entry.name, entry.models, entry.carried()) for entry in whole.entries
    ]
    assert (flat.points, flat.models, flat.units) == (whole.points, whole.models, whole.units)


def test_the_older_layout_tells_models_by_order() -> None:
    """Only the first item below a model has a bullet; no name helps here, and there is no datasheet."""
    text = HEAD.format(200) + (
        "BATTLELINE\n\nOdd Lot (200 points)\n• 4x Zig\n• 4x Zag\n3x Zug\n1x Zog\n• 1x Zerg\n• 1x Zag\n"
        "• Enhancement: Crown\n\nExported with App Version: v1.40.1 (94), Data Version: v675\n"
    )
    (entry,) = read(text).entries
    assert [(kind.name, kind.number, [str(item) for item in kind.items]) for kind in entry.kinds] == [
        ("Zig", 4, ["4x Zag", "3x Zug", "Zog"]),
        ("Zerg", 1, ["Zag"]),
    ]
    assert (entry.models, [extra.name for extra in entry.enhancements]) == (5, ["Crown"])


def test_one_model_with_several_weapons_stays_one() -> None:
    text = HEAD.format(75) + "CHARACTERS\n\nGlass Barge (75 points)\n• 2x Chime gun\n1x Hull\n1x Bell\n"
    (entry,) = read(text).entries
    assert (entry.models, entry.kinds, entry.carried()) == (1, (), {"Chime gun": 2, "Hull": 1, "Bell": 1})


def test_names_tell_models_where_every_line_has_a_bullet() -> None:
    text = HEADED.format(150) + (
        "Shard Wardens (150 pts)\n• 1x Warden Sergeant\n• 1x Shard rifle\n• 9x Shard Warden\n• 9x Shard rifle\n"
    )
    army = read(text)
    assert [(kind.name, kind.number) for kind in army.entries[0].kinds] == [
        ("Warden Sergeant", 1),
        ("Shard Warden", 9),
    ]
    assert "the indentation is lost: models are told from their wargear by order and name" in army.warnings


@pytest.mark.parametrize(
    ("unit", "name", "model"),
    [
        ("Gutter Boyz", "Boy", True),
        ("Gutter Boyz", "Boss Nob", True),
        ("Shard Wardens", "Shard Warden w/ banner", True),
        ("Shard Wardens", "Icon of Shards", False),
        ("Glass Engine", "Glass Engine claws", False),
        ("Glass Engine", "Lens cannon", False),
    ],
)
def test_names_of_models(unit: str, name: str, model: bool) -> None:
    assert like_model(unit, name) == model


def sheet(folder: Path, extra: str = "", *, models: int = 10, points: int = 150) -> Path:
    """A datasheet of one unit whose models have names of their own."""
    (folder / "wh40k10").mkdir(exist_ok=True)
    (folder / "wh40k10" / "choir.toml").write_text(
        f'system = "wh40k10"\nfaction = "Glass Choir"\nsource = "x"\nchecked = 2026-01-01\n[[unit]]\nname = "Odd Lot"\n'
        f"models = {models}\npoints = {points}\ntoughness = 4\nwounds = 1\n{extra}\n"
        '[[unit.weapon]]\nname = "Zag"\nattacks = 1\nskill = 3\nstrength = 4\ndamage = 1\n',
        encoding="utf-8",
    )
    return folder


def test_the_datasheet_tells_models_and_wargear(tmp_path: Path) -> None:
    folder = sheet(tmp_path, 'model_names = ["Zig", "Zerg"]\nwargear = ["Banner"]')
    text = HEADED.format(150) + "Odd Lot (150 pts)\n• 9x Zig\n• 9x Zag\n• 1x Banner\n• 1x Zerg\n• 1x Zag\n"
    army = read(text, folder)
    (entry,) = army.entries
    assert ([(kind.name, kind.number) for kind in entry.kinds], entry.models) == (
        [("Zig", 9), ("Zerg", 1)],
        10,
    )
    assert army.missing == ()  # the banner is no weapon, and known not to be one
    (tmp_path / "b").mkdir()
    unknown = read(text, sheet(tmp_path / "b", 'model_names = ["Zig", "Zerg"]'))
    assert [str(one) for one in unknown.missing] == ["Odd Lot: no weapon 'Banner'"]


def test_models_that_cannot_be_told_are_said() -> None:
    text = HEADED.format(150) + "Odd Lot (150 pts)\n• 9x Zig\n• 9x Zag\n"
    army = read(text)
    assert army.entries[0].models is None
    assert "Odd Lot: its models cannot be told from what they carry" in army.warnings


def test_too_few_models_are_said(tmp_path: Path) -> None:
    text = HEADED.format(150) + "Odd Lot (150 pts)\n• 8x Zig\n    • 8x Zag\n"
    assert read(text, sheet(tmp_path)).warnings == (
        "Odd Lot: 8 models in the list, its datasheet has at least 10",
        "Odd Lot: 150 points are the price of 10 models, 8 are in the list",
    )


def test_a_list_without_models_takes_those_of_the_datasheet(tmp_path: Path) -> None:
    army = read(
        HEADED.format(150) + "Odd Lot (150 pts)\n• 1x Zag\n\nOdd Lot (150 pts)\n    • 1x Zag\n",
        sheet(tmp_path),
    )
    told = "Odd Lot: its models are not in the list, 10 are taken as on the datasheet"
    assert told in army.warnings
    assert army.units[0].models == 10


def test_points_of_another_size_are_said(tmp_path: Path) -> None:
    folder = sheet(tmp_path, "prices = { 5 = 70, 10 = 150 }", models=5, points=70)
    right = read(HEADED.format(150) + "10x Odd Lot (150 pts)\n• 10x Zig\n    • 10x Zag\n", folder)
    assert (right.warnings, right.units[0].points) == ((), 150)
    wrong = read(HEADED.format(150) + "5x Odd Lot (150 pts)\n• 5x Zig\n    • 5x Zag\n", folder)
    assert wrong.warnings == ("Odd Lot: 150 points are the price of 10 models, 5 are in the list",)


# --- 4 and 5: what is missing, and what to do -------------------------------------------------------------------------------


def test_what_is_missing_names_where_catalogues_come_from() -> None:
    from mathhammer.lists.coverage import coverage_of

    advice = coverage_of(read(HEADED.format(150) + "Odd Lot (150 pts)\n• 1x Zag\n")).advice()
    assert "mathhammer import FOLDER --system wh40k10" in advice
    assert "the BSData organisation on GitHub" in advice


@pytest.mark.parametrize("command", ["show", "check", "report"])
def test_every_command_says_what_to_do_about_it(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["list", command, str(ROSTERS / "wh40k_app.txt"), "--datasheets", str(SHEETS)])
    out = capsys.readouterr().out
    assert "without one: Stray Hound; mathhammer import FOLDER --system wh40k10 reads catalogues" in out


# --- 6: names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "Scourge of Ghyran Cinderguard",
        "Scourge of Ghyran: Cinderguard",
        "Cinderguard (Scourge of Ghyran)",
        "Cinderguard [SoG]",
        "SoG Cinderguard",
    ],
)
def test_scourges_in_every_spelling(name: str) -> None:
    assert normal(name) == "cinderguard scourge of ghyran"
    assert normal(name.replace("Ghyran", "Aqshy").replace("SoG", "SoA")) == "cinderguard scourge of aqshy"


def test_names_with_a_word_told_twice() -> None:
    names = Names([("Kurn Hunters with Kurn Greatswords", 1), ("Kurn Hunters with Kurn Bows", 2)])
    assert names.find("Kurn Hunters with Greatswords").thing == 1
    assert names.find("Kurn Hunters w/ Kurn Bows").thing == 2


@pytest.mark.parametrize(
    ("name", "taken", "missing"),
    [
        ("Glass Choir Odd Lot", ("Glass Choir Odd Lot: taken as Odd Lot",), []),  # the faction in front
        ("Odd", (), ["no unit 'Odd' (did you mean 'Odd Lot'?)"]),
        ("Veiled Odd Lot", (), ["no unit 'Veiled Odd Lot' (did you mean 'Odd Lot'?)"]),
    ],
)
def test_another_unit_with_the_same_words_is_only_suggested(
    tmp_path: Path, name: str, taken: tuple[str, ...], missing: list[str]
) -> None:
    army = read(HEADED.format(150) + f"{name} (150 pts)\n• 10x Zig\n    • 10x Zag\n", sheet(tmp_path))
    assert (army.warnings, [str(one) for one in army.missing]) == (taken, missing)


def test_a_hero_of_whom_there_is_one_may_have_a_shorter_name(tmp_path: Path) -> None:
    folder = sheet(tmp_path, 'keywords = ["EPIC HERO"]', models=1)
    army = read(HEADED.format(150) + "Odd (150 pts)\n• 1x Zig\n    • 1x Zag\n", folder)
    assert (army.warnings, army.missing) == (("Odd: taken as Odd Lot",), ())


# --- 8: so many with this and that ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behind", "carried"),
    [
        ("2 with Tuning fork, Bell", {"Tuning fork": 2, "Bell": 2}),
        ("2 with Tuning fork, 2x Bell", {"Tuning fork": 2, "Bell": 4}),
        ("1 with Tuning fork, Bell, 1 with Lens", {"Tuning fork": 1, "Bell": 1, "Lens": 1}),
        ("Tuning fork, Bell", {"Tuning fork": 1, "Bell": 1}),
    ],
)
def test_so_many_with(behind: str, carried: dict[str, int]) -> None:
    army = read(HEADED.format(150) + f"2x Choir Marshal (150 pts): {behind}\n")
    assert (army.entries[0].models, army.entries[0].carried()) == (2, carried)


# --- 12: remarks, brackets, headers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("Choir Marshal (95 points) - my favourite", "my favourite"),
        ("Choir Marshal (95 points) [painted]", "[painted]"),
        ("Choir Marshal (95 points) *", ""),
        ("Choir Marshal (95 points", ""),
        ("Choir Marshal 95 points)", ""),
    ],
)
def test_remarks_and_lost_brackets(line: str, remark: str) -> None:
    army = read(HEAD.format(95) + f"CHARACTERS\n\n{line}\n  • 1x Tuning fork\n")
    assert [(entry.name, entry.points) for entry in army.entries] == [("Choir Marshal", 95)]
    said = [warning for warning in army.warnings if "remark" in warning]
    assert said == ([f"line 9: a remark behind the points is left out: '{remark}'"] if remark else [])


AOS = "Kilns {}/1000 pts\n\nEmberfolk | Bellows Host\nDrops: 1\nGeneral's Regiment\n"


@pytest.mark.parametrize(
    ("line", "remark"),
    [
        ("Ember Warden (120) - my favourite", "my favourite"),
        ("Ember Warden (120) (painted)", "(painted)"),
        ("Ember Warden (120", ""),
        ("Ember Warden 120)", ""),
    ],
)
def test_remarks_and_lost_brackets_in_age_of_sigmar(line: str, remark: str) -> None:
    army = read(AOS.format(120) + f"{line}\n• General\n")
    assert [(entry.name, entry.points, entry.general) for entry in army.entries] == [
        ("Ember Warden", 120, True)
    ]
    assert army.warnings == (
        (f"line 6: a remark behind the points is left out: '{remark}'",) if remark else ()
    )


def test_a_formation_that_costs_points_is_no_unit() -> None:
    text = (
        "sigdex kilns 150/1000 pts\n\nEmberfolk\nBellows Host (30)\nGeneral's Handbook 2026-27\nDrops: 1\n\n"
        "General's Regiment\nEmber Warden (120)\n• General\n\nCreated with Sigdex: sigdex.io\n"
    )
    army = read(text)
    assert [entry.name for entry in army.entries] == ["Ember Warden"]
    assert (army.formation, [(extra.name, extra.points) for extra in army.extras], army.difference) == (
        "Bellows Host",
        [("Bellows Host", 30)],
        0,
    )


def test_a_header_without_a_total() -> None:
    army = read("Emberfolk | Bellows Host\nDrops: 1\nGeneral's Regiment\nEmber Warden (120)\n• General\n")
    assert ([entry.name for entry in army.entries], army.points, army.declared) == (
        ["Ember Warden"],
        120,
        None,
    )
    assert army.warnings == ("no total is given: nothing tells whether a unit was lost",)
    untitled = read(
        "Glass Choir\nShatter Lance\n\nCHARACTERS\n\nChoir Marshal (80 points)\n• 1x Tuning fork\n\nGlass Barge (75 points)\n• 1x Chime gun\n"
    )
    assert (untitled.faction, untitled.formation, untitled.points) == ("Glass Choir", "Shatter Lance", 155)


def test_a_lost_first_heading_loses_no_unit() -> None:
    text = (ROSTERS / "wh40k_app.txt").read_text(encoding="utf-8").replace("CHARACTERS\n", "")
    assert [entry.name for entry in read(text).entries][:2] == ["Choir Marshal", "Vésper the Unbroken"]


def test_a_bundle_without_units_is_said() -> None:
    army = read(AOS.format(210) + "Ember Warden (120)\n• General\nRegiments of Renown\nHearth Singers (90)\n")
    assert army.warnings == ("Hearth Singers: a Regiment of Renown without units (was a heading lost?)",)


def test_what_a_list_with_gaps_lacks_cannot_be_checked() -> None:
    whole = read(AOS.format(120) + "Ember Warden (120)\n")
    assert "broken" in {finding.verdict for finding in check_list(whole) if finding.rule == "AC-3.2"}
    gaps = read(AOS.format(120) + "Ember Warden (120)\n• General\n".replace("• General", "Genral!"))
    found = [finding for finding in check_list(gaps) if finding.what.startswith("no general")]
    assert [finding.verdict for finding in found] == ["cannot check"]
    assert found[0].what.endswith("parts of the list were not read")


# --- 13: WarOrgan -----------------------------------------------------------------------------------------------------------


def test_warorgan() -> None:
    army = read_roster(ROSTERS / "warorgan.txt", datasheets=SHEETS)
    assert (army.format, army.name, army.faction, army.formation, army.battlepack, army.limit) == (
        "warorgan",
        "Tuned glass",
        "Glass Choir",
        "Shatter Lance",
        "Incursion",
        1000,
    )
    assert army.warnings == ()


def test_weapons_with_and_in_their_name_are_put_together(tmp_path: Path) -> None:
    folder = sheet(tmp_path, models=1)
    file = folder / "wh40k10" / "choir.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('"Zag"', '"Teeth and claws"'), encoding="utf-8")
    army = read(
        "A [150 points]\nGlass Choir\n\nOdd Lot [150 points]\n\t• Teeth and claws\n\nCreated with WarOrgan\n",
        folder,
    )
    assert army.missing == ()
    assert [(weapon.name, weapon.optional) for weapon in army.units[0].weapons] == [
        ("Teeth and claws", False)
    ]


# --- editions ---------------------------------------------------------------------------------------------------------------

NINTH = "list: is for Warhammer 40,000, 9th edition or older (lists of the 10th and 11th edition are read)"
THIRD = "list: is for Age of Sigmar, 3rd edition or older (lists of the 4th edition are read)"


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("newrecruit_native.txt", "# ++", "++ Battalion Detachment 0CP [20 PL, 5CP] ++\n# ++", NINTH),
        ("aos_app.txt", "Drops: 3", "Allegiance: Emberfolk\nGrand Strategy: Burn\nDrops: 3", THIRD),
    ],
)
def test_other_editions_are_refused_by_name(name: str, old: str, new: str, message: str) -> None:
    text = (ROSTERS / name).read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(mh.BadInputError) as caught:
        read(text.replace(old, new, 1))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("wh40k_app.txt", "Shatter Lance\n", "Shatter Lance (3 Detachment Points)\n"),
        ("wh40k_app.txt", "  • Warlord\n", "  • Attached as: Leader (Character)\n"),
        ("wh40k_app.txt", "App Version: v1.40.1", "App Version: v2.0.5"),
        ("wh40k_app.txt", "CHARACTERS\n", "Attached Unit 1\n\nCHARACTERS\n"),
        ("wh40k_app.txt", "Enhancement: Ringing Crown", "Enhancement: Ringing Crown (Upgrade)"),
        ("newrecruit_gw.txt", "Shatter Lance (Resonance)", "Shatter Lance, Tin Drum (Resonance)"),
        ("newrecruit_gw.txt", "+ LIST NAME", "+ FORCE DISPOSITION: Take\n+ LIST NAME"),
        ("warorgan.txt", "Detachment: Shatter Lance", "Detachments: Shatter Lance, Tin Drum"),
    ],
)
def test_one_mark_tells_the_11th_edition(name: str, old: str, new: str) -> None:
    text = (ROSTERS / name).read_text(encoding="utf-8")
    assert old in text
    assert read(text).system == "wh40k10"
    assert read(text.replace(old, new, 1)).system == "wh40k11"


def test_a_formation_with_a_comma_in_brackets_is_of_this_edition() -> None:
    text = (ROSTERS / "newrecruit_gw.txt").read_text(encoding="utf-8")
    assert read(text.replace("(Resonance)", "(Resonance, twice)")).formation == "Shatter Lance"


def test_the_11th_edition_in_a_tree_is_told_by_its_id() -> None:
    text = (ROSTERS / "glass.ros").read_text(encoding="utf-8")
    other = re.sub(r'gameSystemId="[^"]+"', 'gameSystemId="sys-352e-adc2-7639-d610"', text)
    other = re.sub(r'gameSystemName="[^"]+"', 'gameSystemName="Warhammer 40,000"', other)
    assert read(other).system == "wh40k11"


ATTACHED = """Host (400 points)

Glass Choir
Strike Force (2000 points)
Shatter Lance, Tin Drum and Long Note (3 Detachment Points)
Force Dispositions: Take and Hold, Disruption

Attached Units
Attached Unit 1

Cantor (100 points)
• Attached as: Leader (Character)
  • Warlord
  • 1x Baton

Drummer (50 points)
• Attached as: Support (Character)
  • 1x Sticks
  • Enhancement: Louder (Upgrade)

Choristers (100 points)
• Attached as: Bodyguard (Battleline)
  • 5x Chorister
    • 5x Reed

OTHER DATASHEETS

Bell (150 points)
  • 1x Clapper
"""


def test_an_attached_unit_of_the_11th_edition() -> None:
    roster = read(ATTACHED)
    assert (roster.system, roster.faction, roster.limit) == ("wh40k11", "Glass Choir", 2000)
    assert roster.formation == "Shatter Lance, Tin Drum and Long Note (3 Detachment Points)"
    assert [(entry.name, entry.leads, entry.role) for entry in roster.entries] == [
        ("Cantor", "Choristers", "CHARACTER"),
        ("Drummer", "Choristers", "CHARACTER"),
        ("Choristers", "", "BATTLELINE"),
        ("Bell", "", "OTHER DATASHEETS"),
    ]
    assert [entry.general for entry in roster.entries] == [True, False, False, False]
    assert [extra.name for extra in roster.entries[1].enhancements] == ["Louder (Upgrade)"]
    assert roster.points == 400


# --- real files -------------------------------------------------------------------------------------------------------------


@needs_shared
def test_every_real_list_of_the_11th_edition_is_read_as_one() -> None:
    files = sorted((SHARED / "rosters" / "wh40k11").iterdir())
    assert files
    for file in files:
        (roster,) = read_rosters(file)
        assert roster.system == "wh40k11"
        assert roster.points == roster.declared
        assert roster.formation


@needs_shared
@pytest.mark.parametrize(
    "name",
    [
        "world-eaters.gwapp.txt",
        "world-eaters.wtc.txt",
        "tau.wtc-compact.txt",
        "world-eaters.newrecruit-nr.txt",
    ],
)
def test_real_lists_without_indentation(name: str) -> None:
    text = (SHARED / "rosters" / "wh40k10" / name).read_text(encoding="utf-8")
    flat = "\n".join(line.strip() for line in text.splitlines())
    whole, hurt = mh.read_roster(text), mh.read_roster(flat)
    assert [(entry.name, entry.models, entry.carried()) for entry in hurt.entries] == [
        (entry.name, entry.models, entry.carried()) for entry in whole.entries
    ]


def test_what_is_looked_up_stays_as_told() -> None:
    army = read_roster(ROSTERS / "wh40k_app.txt", datasheets=SHEETS)
    assert resolve(army, SHEETS) == army


# --- what was read wrong without a word -------------------------------------------------------------------------------------


def test_a_number_before_a_weapon_counts_it(tmp_path: Path) -> None:
    """ListForge writes a choice without what is in it: `2 magma cutters`."""
    text = "Name - Glass Choir - Lance (150 Points)\n\nVehicle:\nOdd Lot (150 pts)\n  • 2 Zags\n"
    file = sheet(tmp_path, models=1) / "wh40k10" / "choir.toml"
    gun = file.read_text(encoding="utf-8").replace("attacks", 'kind = "ranged"\nrange = 12\nattacks')
    file.write_text(gun, encoding="utf-8")
    army = read(text, tmp_path)
    assert ([weapon.copies for weapon in army.units[0].weapons], army.missing) == ([2], ())


def test_weapons_of_which_none_is_known_are_said(tmp_path: Path) -> None:
    text = HEADED.format(150) + "Odd Lot (150 pts)\n• 10x Zig\n    • 10x {}\n"
    told = "Odd Lot: no weapon in the list is on its datasheet, whose own are taken"
    assert read(text.format("Kustom choppa"), sheet(tmp_path)).warnings == (told,)
    assert read(text.format("Zag"), sheet(tmp_path)).warnings == ()
    (tmp_path / "known").mkdir()
    known = sheet(tmp_path / "known", 'wargear = ["Banner"]')  # a banner alone says nothing of weapons
    assert read(text.format("Banner"), known).warnings == ()


SIGMAR = "Kilns {0}/2000 pts\nEmberfolk | Bellows Host\nDrops: 1\nRegiment 1\nCinderguard ({0})\n{1}\n"


def test_bullets_that_run_on_are_two() -> None:
    (entry,) = read(SIGMAR.format(280, "• Reinforced • Glowing Brand")).entries
    assert (entry.reinforced, [extra.name for extra in entry.enhancements]) == (True, ["Glowing Brand"])
    assert entry.size == 20


def test_a_misspelt_reinforced_is_said() -> None:
    army = read(SIGMAR.format(280, "• Rein-orced"))
    assert "line 6: not understood: 'Rein-orced' (did you mean 'Reinforced'?)" in army.warnings
    assert army.entries[0].enhancements == ()


def test_points_of_a_larger_unit_are_said() -> None:
    army = read(SIGMAR.format(310, "• General"))  # twice what it cost in an older handbook
    told = "Cinderguard: 310 points, where 10 models cost 140 (is the unit larger?)"
    assert told in army.warnings
    assert read(SIGMAR.format(160, "• General")).warnings == ()


def test_a_unit_that_ran_into_the_next_bundle_is_said() -> None:
    text = (
        "Kilns 300/2000 pts\nEmberfolk | Bellows Host\nDrops: 1\nRegiments of Renown\nThe Lost Bellows (150)\n"
        "Ember Warden\nCinderguard The Found Bellows (150)\nEmber Warden\n"
    )
    told = "Cinderguard The Found Bellows: begins with the name of a unit, Cinderguard (two lines in one?)"
    assert told in read(text).warnings


def test_a_detachment_may_make_a_character(tmp_path: Path) -> None:
    """New Recruit writes it as an item: `Houndpack Lance Character, Warlord`."""
    text = HEADED.format(150) + "Odd Lot (150 pts)\n• 1x Zag\n• {}Warlord\n"
    folder = sheet(tmp_path, 'keywords = ["BEAST"]', models=1)

    def broken(words: str) -> list[str]:
        findings = check_list(read(text.format(words), folder), 2000)
        return [finding.rule for finding in findings if "not a Character" in finding.what]

    assert (broken("Shatter Lance Character, "), broken("")) == ([], ["WH40K-WARLORD"])


def test_several_items_behind_one_bullet_are_several(tmp_path: Path) -> None:
    """New Recruit writes what is no weapon so: `2x Gun Drone, 2x Shield Drone`."""
    text = HEADED.format(150) + "Odd Lot (150 pts)\n• 5x Zig\n    • 5x Zag\n    • 2x Zug, 3x Zog, Banner\n"
    assert read(text).entries[0].carried() == {"Zag": 5, "Zug": 2, "Zog": 3, "Banner": 1}
    single = HEADED.format(75) + "Glass Barge (75 pts)\n• 2x Zug, Zog\n• 1x Hull\n"
    assert read(single).entries[0].carried() == {"Zug": 2, "Zog": 1, "Hull": 1}


def test_a_weapon_with_a_comma_in_its_name_is_one(tmp_path: Path) -> None:
    folder = sheet(tmp_path)
    file = folder / "wh40k10" / "choir.toml"
    whip = file.read_text(encoding="utf-8").replace('"Zag"', '"Cleaver, whip and claws"')
    file.write_text(whip, encoding="utf-8")
    army = read(
        HEADED.format(150)
        + "Odd Lot (150 pts)\n• 10x Zig\n    • 4x Cleaver, whip and claws\n    • 1x Banner\n",
        folder,
    )
    assert [str(one) for one in army.missing] == ["Odd Lot: no weapon 'Banner'"]
    assert [(weapon.name, weapon.bearers) for weapon in army.units[0].weapons] == [
        ("Cleaver, whip and claws", 4)
    ]


@needs_shared
def test_one_army_in_two_styles_of_the_11th_edition() -> None:
    folder = SHARED / "rosters" / "wh40k11"
    one, other = (read_roster(folder / f"tau.newrecruit-{style}.txt") for style in ("gw", "tournament"))
    assert [(entry.name, entry.points, entry.models, entry.carried()) for entry in one.entries] == [
        (entry.name, entry.points, entry.models, entry.carried()) for entry in other.entries
    ]


@pytest.mark.rule("WH40K11-25.04-ENHTWICE", "WH40K11-25.04-ENHBEARER", "WH40K11-25.04-UPGRADE")
def test_new_recruit_does_not_mark_upgrades(tmp_path: Path) -> None:
    """So a list of the 11th edition with one twice, on units that are no Characters, breaks no rule."""
    unit = "Odd Lot (165 pts)\n• 1x Zag\n• Negation Emitters (+15 pts)\n"
    lines = "+ FACTION KEYWORD: Glass Choir\n+ DETACHMENT: Lance\n+ FORCE DISPOSITION: Take\n+ TOTAL ARMY POINTS: {}pts\n\n"
    folder = sheet(tmp_path, 'keywords = ["BEAST"]', models=1)
    (tmp_path / "wh40k11").mkdir()
    text = (folder / "wh40k10" / "choir.toml").read_text(encoding="utf-8").replace("wh40k10", "wh40k11")
    (tmp_path / "wh40k11" / "choir.toml").write_text(text, encoding="utf-8")

    def about(times: int) -> list[str]:
        found = check_list(read(lines.format(165 * times) + unit * times, folder), 2000)
        return [f"{one.verdict}: {one.what}" for one in found if "25.04-ENH" in one.rule and not one.unit]

    assert about(2) == [
        "cannot check: negation emitters is there 2 times: whether it is an Upgrade (up to 3 times)"
    ]
    assert about(4) == ["broken: negation emitters is there 4 times"]
    bearers = check_list(read(lines.format(165) + unit, folder), 2000)
    assert [f"{one.verdict}: {one.what}" for one in bearers if one.rule.endswith("ENHBEARER")] == [
        "cannot check: no Character, but has Negation Emitters: whether that is an Upgrade"
    ]
