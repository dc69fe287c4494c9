"""Lists are read, joined and named in one way, whichever command asks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from roster_files import ROSTERS, SHEETS

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.lists.attached import fighting_units
from mathhammer.lists.loading import list_name, load_list, load_lists
from mathhammer.lists.loadout import loadout, points_of
from mathhammer.lists.lookup import sized
from mathhammer.units.roster import Block, Entry, Extra, Item, Roster

NAMELESS = 'system = "aos4"\n[[regiment]]\n[[regiment.unit]]\nname = "Clanrats"\n'


@pytest.mark.parametrize(
    ("roster", "name"),
    [
        (Roster("aos4", name="Mine", faction="Skaven", source="a/b.ros"), "Mine"),
        (Roster("aos4", faction="Skaven", source="a/b.ros"), "Skaven"),
        (Roster("aos4", source="a/my list.v2.ros"), "my list.v2"),
        (Roster("aos4"), "list"),
    ],
)
def test_the_name_of_a_list(roster: Roster, name: str) -> None:
    assert list_name(roster) == name


def test_every_command_uses_that_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "my rats.toml"
    path.write_text(NAMELESS, encoding="utf-8")
    post = tmp_path / "post.toml"
    for words, shown in (
        (["list", "show", str(path)], "my rats (Warhammer"),
        (["list", "check", str(path)], "my rats: "),
        (["list", "report", str(path)], "my rats: 1 of 1 unit has a datasheet"),
        (["list", "compare", str(path), str(path)], "my rats: mean points removed"),
        (["report", str(path)], "<title>my rats</title>"),
        (["chart", "armies", str(path), str(path)], "my rats"),
    ):
        assert main(words) in (0, 1)
        assert shown in capsys.readouterr().out, words
    post.write_text(
        '[[chart]]\nfile = "a.svg"\nkind = "armies"\nlists = ["my rats.toml", "my rats.toml"]\n',
        encoding="utf-8",
    )
    assert main(["post", str(post)]) == 0
    assert "my rats" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_leaders_are_joined_and_remarks_are_kept() -> None:
    glass = load_list(ROSTERS / "glass.ros")
    assert [unit.name for unit in glass.units] == ["Shard Wardens with Choir Marshal", "Prism Walker"]
    assert glass.army().units == glass.units
    wtc = load_list(ROSTERS / "wtc.txt", datasheets=SHEETS)
    assert wtc.remarks == (
        "missing: no profile of a weapon Echo pistol (Choir Marshal), Chime of Dawn (Shard Wardens); "
        "wargear that is none needs none",
    )
    first, second = load_lists(ROSTERS / "aos_app_two.txt", datasheets=SHEETS)
    assert (first.name, second.name) == ("First", "Second")
    one = load_list(ROSTERS / "aos_app_two.txt", datasheets=SHEETS)
    assert one.remarks[-1].endswith("holds 2 lists, this is the first (read_rosters gives them all)")


def test_a_duel_of_lists_joins_leaders_too(capsys: pytest.CaptureFixture[str]) -> None:
    glass = str(ROSTERS / "glass.ros")
    assert main(["duel", glass, glass, "--trials", "200", "--rounds", "1", "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert "Shard Wardens with Choir Marshal" in json.dumps(json.loads(captured.out))
    assert captured.err.startswith("Glass: ")


def test_a_loadout_in_words() -> None:
    entry = Entry(
        "Captain",
        general=True,
        reinforced=True,
        leads="Squad",
        enhancements=(Extra("Halo"),),
        items=(Item("Sword"), Item("Pistol", 2)),
    )
    assert loadout(entry, "aos4") == "general, reinforced, leads Squad, Halo, Sword, 2x Pistol"
    assert [loadout(Entry("X", general=True), game) for game in ("wh40k10", "diskwars", "aos1")] == [
        "warlord",
        "hero",
        "general",
    ]
    glass = load_list(ROSTERS / "glass.ros").roster.entries[0]
    assert glass.unit is not None
    assert points_of(Entry("X", unit=glass.unit)) == glass.unit.points


@pytest.mark.rule("WH40K-LEADER")
def test_a_leader_fights_in_the_unit_that_he_leads() -> None:
    """WH40K-LEADER: one Attached unit of six models; another game knows no such thing."""
    squad, captain = mh.load_unit("Intercessor Squad", "wh40k10"), mh.load_unit("Captain", "wh40k10")
    entries = (Entry(captain.name, leads=squad.name, unit=captain), Entry(squad.name, unit=squad))
    (joined,) = fighting_units(Roster("wh40k10", blocks=(Block("", "detachment", entries),)))
    assert (joined.name, joined.models) == ("Intercessor Squad with Captain", 6)
    apart = (Entry(captain.name, unit=captain), Entry(squad.name, unit=squad))
    assert len(fighting_units(Roster("wh40k10", blocks=(Block("", "detachment", apart),)))) == 2


@pytest.mark.rule("AOS4-AC-3.3")
def test_a_reinforced_unit_has_twice_its_models() -> None:
    """AC-3.3: twice the number of its datasheet, unless the list says how many."""
    liberators = mh.load_unit("Liberators", "aos4")
    assert sized(liberators, Entry("Liberators", reinforced=True)).models == 2 * liberators.models
    assert sized(liberators, Entry("Liberators", reinforced=True, models=7)).models == 7
    assert sized(liberators, Entry("Liberators")) == liberators
