"""Lists as text: every exporter's shape, read line by line, nothing dropped without a word."""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import dedent

import pytest
from roster_files import ROSTERS, SHEETS

import mathhammer as mh
from mathhammer.lists import Roster, read_roster, read_rosters
from mathhammer.lists.formats import toml_list

# file -> format, units, priced lines, declared, counted, models, fighting units
EXPECTED = {
    "aos_app.txt": ("aos-app", 9, 8, 1010, 1010, None, 6),
    "sigdex.txt": ("sigdex", 2, 2, 240, 240, None, 1),
    "newrecruit_aos.txt": ("newrecruit-aos", 3, 2, 290, 260, 21, 3),
    "listbot.txt": ("listbot", 5, 5, 840, 840, 28, 5),
    "wh40k_app.txt": ("wh40k-app", 6, 6, 665, 665, 17, 5),
    "bcp.txt": ("bcp", 2, 2, 1170, 1170, 11, 2),
    "newrecruit_gw.txt": ("newrecruit-gw", 3, 3, 350, 350, 12, 3),
    "wtc.txt": ("wtc", 3, 3, 425, 425, 12, 3),
    "wtc_compact.txt": ("wtc-compact", 3, 3, 425, 425, 12, 3),
    "newrecruit_native.txt": ("newrecruit-native", 3, 3, 425, 425, 12, 3),
    "listforge.txt": ("listforge-text", 3, 3, 425, 425, 12, 3),
    "warorgan.txt": ("warorgan", 3, 3, 425, 425, 12, 3),
    "army.toml": ("toml", 4, 4, 550, 550, 31, 4),
}


def read(name: str) -> Roster:
    return read_roster(ROSTERS / name, datasheets=SHEETS)


@pytest.mark.parametrize("name", EXPECTED)
def test_every_format_is_detected_and_adds_up(name: str) -> None:
    army = read(name)
    found = (
        army.format,
        len(army.entries),
        army.priced,
        army.declared,
        army.points,
        army.models,
        len(army.units),
    )
    assert found == EXPECTED[name]
    text = (ROSTERS / name).read_text(encoding="utf-8")
    assert read_roster(text, datasheets=SHEETS) == army  # pasted
    assert read_roster(text.replace("\n", "\r\n").encode(), datasheets=SHEETS) == army
    assert read_roster("\ufeff" + text + "\n```\n", datasheets=SHEETS) == army


def test_the_age_of_sigmar_app() -> None:
    army = read("aos_app.txt")
    assert (army.name, army.faction, army.formation, army.drops, army.limit) == (
        "Night Kilns",
        "Emberfolk",
        "Bellows Host",
        3,
        2000,
    )
    assert [(block.name, block.kind, block.points, len(block.entries)) for block in army.blocks] == [
        ("General's Regiment", "regiment", None, 3),
        ("Regiment 1", "regiment", None, 2),
        ("The Lost Bellows", "renown", 150, 2),
        ("Auxiliary Units", "auxiliary", None, 1),
        ("Faction Terrain", "terrain", None, 1),
    ]
    assert [(lore.kind, lore.name, lore.points) for lore in army.lores] == [
        ("spell", "Lore of Soot", None),
        ("manifestation", "Forge Spirits", 10),
    ]
    assert [(extra.name, extra.points) for extra in army.extras] == [
        ("Auxiliaries", 20),
        ("Bellows Host", 30),
    ]
    hero, guards, scourge = army.blocks[0].entries
    assert (hero.general, hero.enhancements[0].name, hero.enhancements[0].points, hero.line) == (
        True,
        "Glowing Brand",
        10,
        13,
    )
    assert (guards.reinforced, guards.models, guards.size, guards.carried()) == (
        True,
        None,
        20,
        {"Slag Thrower": 2},
    )
    assert guards.unit is not None
    assert {weapon.name: (weapon.bearers, weapon.optional) for weapon in guards.unit.weapons} == {
        "Coal Pick": (18, True),
        "Slag Thrower": (2, False),
    }
    assert scourge.unit is None  # another warscroll of the same name is suggested, never taken
    assert army.blocks[1].entries[1].models == 2
    assert army.blocks[1].entries[1].keywords == ("legends",)
    assert army.blocks[2].entries[0].bundle == "The Lost Bellows"
    assert [str(name) for name in army.missing] == [
        "no unit 'Scourge of Aqshy: Cinderguard' (did you mean 'Cinderguard'?)",
        "no unit 'Stray Bellower'",
    ]
    assert army.warnings == ("Hearth Singer: taken as Hearth Singers",)


def test_two_lists_in_one_paste() -> None:
    first, second = read_rosters(ROSTERS / "aos_app_two.txt", datasheets=SHEETS)
    assert (first.name, first.army_of_renown, first.formation, first.points) == (
        "First",
        True,
        "Soot Choir",
        140,
    )
    assert first.warnings == ("line 10: 'ash totem' has no points and no heading (taken as faction terrain)",)
    assert (second.name, second.formation, second.points, second.entries[0].general) == (
        "Second",
        "Bellows Host",
        120,
        True,
    )
    assert second.warnings == ("line 22: not understood: 'what is this'",)
    told = read("aos_app_two.txt").warnings[-1]
    assert told.endswith("aos_app_two.txt: holds 2 lists, this is the first (read_rosters gives them all)")


def test_unpriced_terrain_is_said() -> None:
    army = read("newrecruit_aos.txt")
    assert army.warnings == (
        "points: 290 declared, 260 counted; no points are given for Ash Totem",
        "Cinderguard: 140 points are the price of 10 models, 20 are in the list",
    )
    assert army.entries[1].reinforced
    assert army.entries[1].items == ()


def test_listbot_gives_model_counts() -> None:
    army = read("listbot.txt")
    assert [(entry.name, entry.models) for entry in army.blocks[0].entries] == [
        ("Ember Warden", None),
        ("Cinderguard", 20),
        ("Hearth Singers", 5),
    ]
    assert [(lore.name, lore.points, lore.kind) for lore in army.lores] == [
        ("Lore of Soot", 20, "spell"),
        ("Manifestations of Ash", None, "manifestation"),
    ]
    assert army.blocks[0].entries[0].enhancements[0].name == "Glowing Brand"
    assert army.warnings == ("line 14: not understood: 'A remark of the player that nobody under…'",)


def test_the_40k_app() -> None:
    army = read("wh40k_app.txt")
    assert (army.name, army.faction, army.formation, army.battlepack, army.limit) == (
        "Breaking glass",
        "Glass Choir",
        "Shatter Lance",
        "Incursion",
        1000,
    )
    assert [(block.name, block.kind) for block in army.blocks] == [
        ("Characters", "detachment"),
        ("Battleline", "detachment"),
        ("Dedicated transports", "detachment"),
        ("Other datasheets", "detachment"),
        ("Allied units", "allied"),
    ]
    marshal, vesper, wardens, barge, *_ = army.entries
    assert (marshal.general, marshal.enhancements[0].name, marshal.carried()) == (
        True,
        "Ringing Crown",
        {"Tuning fork": 1, "Echo pistol": 1},
    )
    assert vesper.unit is not None  # accents do not matter
    assert [(kind.name, kind.number) for kind in wardens.kinds] == [("Warden Cantor", 1), ("Shard Warden", 9)]
    assert wardens.carried() == {"Close combat weapon": 10, "Shard rifle": 9, "Prism gun": 1}
    assert wardens.unit is not None
    assert wardens.unit.name == "Shard Wardens"
    assert (barge.models, barge.carried()) == (1, {"Chime gun": 2})
    assert "Shard Warden: taken as Shard Wardens" in army.warnings
    missing = [str(name) for name in army.missing]
    assert "Choir Marshal: no weapon 'Echo pistol'" in missing
    assert "no unit 'Stray Hound'" in missing


def test_lost_indentation() -> None:
    army = read("bcp.txt")
    assert (army.faction, army.declared) == ("Space Choirs - Glass Choir", 1170)
    assert [(kind.name, kind.number, len(kind.items)) for kind in army.entries[1].kinds] == [
        ("Warden Cantor", 1, 1),
        ("Shard Warden", 9, 2),
    ]


def test_what_only_the_header_says() -> None:
    army = read("newrecruit_gw.txt")
    assert (army.name, army.limit, army.formation) == ("Headed glass", 1000, "Shatter Lance")
    assert army.entries[0].general
    assert [extra.name for extra in army.entries[0].enhancements] == ["Ringing Crown"]
    assert [extra.name for extra in army.entries[2].enhancements] == ["Cracked Bell"]
    assert army.warnings == ("units: 4 declared, 3 counted",)


@pytest.mark.parametrize(
    "name", ["wtc.txt", "wtc_compact.txt", "newrecruit_native.txt", "listforge.txt", "warorgan.txt"]
)
def test_one_list_in_five_texts(name: str) -> None:
    army = read(name)
    marshal, wardens, walker = army.entries
    assert marshal.general
    assert sum(kind.number for kind in wardens.kinds) == 10
    expected = {"Shard rifle": 9, "Chime of Dawn": 1, "Close combat weapon": 9, "Prism gun": 1}
    assert wardens.carried() == expected
    assert walker.carried() == {"Lens cannon": 3}
    assert walker.unit is not None
    if name != "newrecruit_native.txt":  # there an enhancement looks like any other item
        assert [extra.name for extra in marshal.enhancements] == ["Ringing Crown"]


def test_the_list_written_by_hand() -> None:
    army = read("army.toml")
    assert (army.name, army.limit, army.lores[0].kind, army.difference) == ("By hand", 1000, "spell", 0)
    hero, double, single = army.blocks[0].entries
    assert (hero.general, hero.enhancements[0].kind, hero.enhancements[0].points) == (True, "artefact", 10)
    assert double.unit is not None
    assert single.unit is not None
    assert (double.unit.models, single.unit.models, double.unit.points) == (20, 10, 280)
    assert {weapon.name: (weapon.bearers, weapon.optional) for weapon in double.unit.weapons} == {
        "Coal Pick": (18, False),
        "Slag Thrower": (2, False),
    }


def test_the_documented_example_is_a_list() -> None:
    documented = str(toml_list.__doc__)
    examples = [
        dedent(part) for part in re.findall(r"(?:^(?:    .*)?\n)+", documented, re.MULTILINE) if "=" in part
    ]
    army = read_roster(examples[0])
    assert (army.system, army.points, army.difference, army.limit) == ("aos4", 460, 0, 2000)
    assert [(unit.name, unit.models) for unit in army.units] == [
        ("Clawlord on Gnaw-beast", 1),
        ("Clanrats", 40),
    ]
    disks = read_roster('system = "diskwars"\n' + examples[1])
    assert [entry.name for entry in disks.entries] == ["Karl Franz", "Marienburg Swordsmen", "Halberdiers"]


@pytest.mark.parametrize(
    ("language", "heading", "warlord", "enhancement"),
    [
        ("French", "PERSONNAGES", "Seigneur de Guerre", "Optimisation :"),
        ("German", "CHARAKTERMODELLE", "Kriegsherr", "Verbesserung:"),
        ("Spanish", "PERSONAJES", "Señor de la guerra", "Mejora:"),
        ("Italian", "PERSONAGGI", "Signore della guerra", "Potenziamento:"),
    ],
)
def test_the_app_in_another_language_is_refused(
    language: str, heading: str, warlord: str, enhancement: str
) -> None:
    text = (ROSTERS / "wh40k_app.txt").read_text(encoding="utf-8")
    told = f"list: is in {language} (export it in English, or as .ros, .rosz or .json from New Recruit)"
    for english, other in (("CHARACTERS", heading), ("Warlord", warlord), ("Enhancement:", enhancement)):
        with pytest.raises(mh.BadInputError, match=re.escape(told)):
            read_roster(text.replace(english, other), datasheets=SHEETS)


def test_windows_text_is_read_with_a_warning() -> None:
    data = (ROSTERS / "wh40k_app.txt").read_text(encoding="utf-8").replace("•", "*").encode("cp1252")
    army = read_roster(data, datasheets=SHEETS)
    assert army.warnings[0] == "list: not UTF-8, read as Windows-1252 (check accents in names)"
    assert army.entries[1].name == "Vésper the Unbroken"
    assert read_roster(
        (ROSTERS / "wh40k_app.txt").read_text(encoding="utf-8").encode("utf-16"), datasheets=SHEETS
    ) == read("wh40k_app.txt")


# --- what pasting does to a text ------------------------------------------------------------------------------------------


def spaced(text: str) -> str:
    return text.replace("\n", "\n\n")


def squeezed(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.strip())


def unruled(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.strip("-+ ") or not line)


def adorned(text: str) -> str:
    return text.replace("\n", " \t\n").replace(" (", "\u00a0(") + "\n\n\n```"


@pytest.mark.parametrize("damage", [spaced, squeezed, unruled, adorned])
@pytest.mark.parametrize("name", [name for name in EXPECTED if name != "army.toml"])
def test_damage_done_by_pasting(name: str, damage: Callable[[str], str]) -> None:
    whole = read(name)
    hurt = read_roster(damage((ROSTERS / name).read_text(encoding="utf-8")), datasheets=SHEETS)
    assert (hurt.format, hurt.points, hurt.declared, len(hurt.entries), hurt.models) == (
        whole.format,
        whole.points,
        whole.declared,
        len(whole.entries),
        whole.models,
    )
    assert [entry.carried() for entry in hurt.entries] == [entry.carried() for entry in whole.entries]


def test_prose_and_emoji_are_said_not_dropped() -> None:
    text = (
        (ROSTERS / "wh40k_app.txt")
        .read_text(encoding="utf-8")
        .replace("BATTLELINE", "I love this one 🎲 so much\n\nBATTLELINE")
    )
    army = read_roster(text, datasheets=SHEETS)
    assert army.points == 665
    assert "line 20: not understood: 'I love this one 🎲 so much'" in army.warnings
