"""Warhammer: Diskwars: worked examples, messages, properties, and three ways to one answer."""

from __future__ import annotations

import json
from fractions import Fraction
from math import isclose, sqrt
from typing import Any

import naive_symbols
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from places import OWN_VECTORS

import mathhammer as mh
from mathhammer.games.discovery import get_game
from mathhammer.games.diskwars.disk import read_disk
from mathhammer.games.diskwars.melee import clashes, find_loop, read_table
from mathhammer.games.diskwars.ranged import FIRST_ROLL, SECOND_ROLL, recipients
from mathhammer.games.diskwars.turns import roll_off
from mathhammer.games.records import dice_sets, records
from mathhammer.units.unit import Unit

LIMIT = 6.2
CASES = json.loads((OWN_VECTORS / "diskwars.json").read_text(encoding="utf-8"))["cases"]
RANGED = [case for case in CASES if case["kind"] == "ranged"]
FACES = {"hit": 2, "crit": 1, "miss": 1, "scatter": 1, "chaos": 1}


def ask(question: str, **details: Any) -> dict[str, Any]:
    return dict(mh.odds("diskwars", question, **details))


def shot(**changes: Any) -> dict[str, Any]:
    return {
        "faces": FACES,
        "dice": 3,
        "strength": 3,
        "range": "medium",
        "target": {"id": "t", "stamina": 4},
        **changes,
    }


# --- worked examples of the rules -------------------------------------------------------------------------------------


def test_e1_crossbows_at_the_shaman() -> None:
    answer = ask(
        "ranged_roll",
        rolled=["miss", "crit", "chaos"],
        shooter="Reikland Crossbowmen",
        range="medium",
        target={"disk": "Rock Orc Shaman"},
    )
    assert answer["disks"] == [
        {"id": "Rock Orc Shaman", "damage": 3, "wound": 0, "destroyed": False, "activation_token": True}
    ]


def test_e2_orc_boyz_pin_swordsmen() -> None:
    boyz = {"disk": "Orc Boyz", "id": "boyz", "owner": "orc", "counter": 3}
    swords = {"disk": "Marienburg Swordsmen", "id": "swords", "owner": "empire", "stamina": 6}
    answer = ask("melee", disks=[boyz, swords], pins=[["boyz", "swords"]])
    assert answer["final"]["swords"]["damage"] == 5
    assert answer["final"]["boyz"]["damage"] == 3
    assert "boyz on swords" in answer["explain"]


@pytest.mark.parametrize("counters", [(3, 3), (2, 4), (5, 1)])
def test_e3_karl_franz_against_two(counters: tuple[int, int]) -> None:
    karl = {"disk": "Karl Franz", "id": "karl", "owner": "empire"}
    boyz = {"disk": "Orc Boyz", "id": "boyz", "owner": "orc", "counter": counters[0]}
    arrers = {"id": "arrers", "owner": "orc", "counter": counters[1], "stamina": 4}
    pins = [["karl", "boyz"], ["karl", "arrers"]]
    final = ask("melee", disks=[karl, boyz, arrers], pins=pins, targets={"attack": {"karl": "boyz"}})["final"]
    assert final["boyz"]["destroyed"]
    assert final["karl"] == {"damage": 0, "wounds": 1, "destroyed": False}
    assert final["arrers"] == {"damage": 0, "wounds": 0, "destroyed": False}


def test_e4_bolt_thrower_at_siege_range() -> None:
    archaon, kurgan = {"id": "archaon", "stamina": 6, "toughness": 1}, {"id": "kurgan", "stamina": 3}
    answer = ask(
        "ranged_roll",
        rolled=["scatter", "crit", "miss"],
        rerolled=["hit"],
        shooter="Bolt Thrower",
        range="siege",
        target=archaon,
        neighbours=[kurgan],
    )
    first, second = answer["disks"]
    assert (first["damage"], first["activation_token"]) == (3, True)
    assert (second["damage"], second["activation_token"]) == (0, False)


def test_e5_siege_weapon_at_long_range_keeps_its_hits() -> None:
    near, far = (
        ask("ranged", **shot(range=range_))["disks"][0]["p_destroyed"] for range_ in ("long", "siege")
    )
    assert near == 0.5
    assert isclose(far, 16 / 216, abs_tol=1e-12)


def test_e6_only_the_first_roll_shows_chaos() -> None:
    kurgan = {"id": "kurgan", "stamina": 3}
    answer = ask(
        "ranged_roll", **shot(rolled=["scatter", "miss", "miss"], rerolled=["chaos"], neighbours=[kurgan])
    )
    assert answer["chaos_first_roll"] == 0


def test_e7_conversions_hold_for_re_rolls() -> None:
    near = {"id": "n", "stamina": 2}
    details = shot(dice=2, strength=2, convert={"chaos": "hit"}, neighbours=[near])
    answer = ask("ranged_roll", rolled=["scatter", "miss"], rerolled=["chaos"], **details)
    assert [disk["damage"] for disk in answer["disks"]] == [0, 2]


@pytest.mark.rule("DW-MEL-1")
def test_e9_a_stack_pins_only_directly_beneath() -> None:
    """DW-MEL-1."""
    disks = [
        {"id": name, "owner": owner, "stamina": 4} for name, owner in (("A", "1"), ("B", "2"), ("C", "1"))
    ]
    table = read_table("melee", disks, (), [["C", "B", "A"]], None)
    assert table.pins == (("C", "B"), ("B", "A"))
    assert [clash[0] for clash in clashes(table)] == [("C", "B"), ("B", "A")]


@pytest.mark.rule("DW-CMD-1")
def test_e10_devious_before_bold() -> None:
    """DW-CMD-1."""
    assert ask("command_order", strategies=["bold", "devious"])["order"] == [1, 0]
    card = records("diskwars", "disks.toml", "command")["einkesseln"]
    assert (card["strategy"], card["activations"]) == ("devious", 4)


@pytest.mark.rule("DW-CMD-1", "DW-CMD-2")
@pytest.mark.parametrize(
    ("strategies", "order"),
    [
        (["bold", "devious", "steady"], [1, 0, 2]),  # E11
        (["slow", "bold", "steady", "devious"], [1, 2, 3, 0]),  # a full cycle: initiative
        (["slow", "steady", "bold"], [2, 1, 0]),
        ([None, "steady", "bold", "slow"], [2, 1, 3]),
        ([None, "slow", "bold", "steady", "devious"], [2, 3, 4, 1]),
        (["bold", "bold"], [0, 1]),
        ([None, None], []),
    ],
)
def test_e11_command_order(strategies: list[str | None], order: list[int]) -> None:
    """DW-CMD-1, DW-CMD-2."""
    assert ask("command_order", strategies=strategies)["order"] == order


@pytest.mark.rule("DW-ARMY-7", "DW-ARMY-3")
@pytest.mark.parametrize(
    ("units", "violations", "unspent"),
    [
        (["Bloodthirster", "Bloodcrushers", "Kurgan Marauders"], ["DW-ARMY-7"], 3),
        (["Bloodthirster", "Bloodcrushers", "Kurgan Marauders", "Kurgan Marauders"], ["DW-ARMY-3"], -2),
        (["Bloodthirster", "Plaguebearers", "Kurgan Marauders", "Kurgan Marauders"], [], 0),
    ],
)
def test_e12_e13_kairos(units: list[str], violations: list[str], unspent: int) -> None:
    answer = ask("army", regiments=[{"hero": "Kairos Fateweaver", "units": units}])
    assert (answer["violations"], answer["unspent_points"], answer["command_cards"]) == (
        violations,
        unspent,
        2,
    )


@pytest.mark.rule("DW-VIC-1", "DW-VIC-2")
def test_e14_a_tie_goes_to_the_better_place() -> None:
    """DW-VIC-1."""
    assert ask("victory", points=[10, 10, 4], places=[3, 2, 1])["winner"] == 1
    assert ask("victory", points=[10, 3], places=[1, 2], disks=[0, 1])["winner"] == 1  # DW-VIC-2
    assert ask("victory", points=[10, 3], places=[1, 2], disks=[0, 0])["winner"] is None


@pytest.mark.parametrize(
    ("faces", "n", "normal", "siege"),
    [
        ("assumed_default", 2, ["1/4", "1/2", "1/4"], ["25/36", "5/18", "1/36"]),
        ("default", 3, ["1/8", "3/8", "3/8", "1/8"], ["125/216", "25/72", "5/72", "1/216"]),
        ("alt_lean", 1, ["2/3", "1/3"], ["5/6", "1/6"]),
        ("alt_lean", 3, ["8/27", "4/9", "2/9", "1/27"], ["125/216", "25/72", "5/72", "1/216"]),
    ],
)
def test_reference_values(faces: str, n: int, normal: list[str], siege: list[str]) -> None:
    for range_, wanted in (("long", normal), ("siege", siege)):
        damage = ask("ranged", **shot(faces=faces, dice=n, strength=1, range=range_))["disks"][0]["damage"]
        assert [damage[k] for k in range(n + 1)] == pytest.approx(
            [float(Fraction(text)) for text in wanted], abs=1e-12
        )


@pytest.mark.rule("DW-INI-1", "DW-INI-2")
@pytest.mark.parametrize(
    ("d", "chance"), [(0, "1/2"), (1, "21/31"), (2, "13/16"), (3, "10/11"), (4, "33/34"), (5, "1"), (9, "1")]
)
def test_initiative_of_two(d: int, chance: str) -> None:
    """DW-INI-2; without a bonus it is the training game (DW-INI-1)."""
    assert roll_off((d, 0))[0] == Fraction(chance)


# --- rules one by one -------------------------------------------------------------------------------------------------


def test_the_dice_set_is_always_named() -> None:
    assert ask("ranged", **shot())["dice_set"] == "custom"
    default = ask("ranged", **{**shot(), "faces": None})
    assert default["dice_set"] == "assumed_default"
    assert "confidence low" in default["explain"]
    assert ask("unstable", faces="alt_lean")["dice_set"] == "alt_lean"
    assert [made.name for made in dice_sets("diskwars")] == ["assumed_default", "alt_lean"]


@pytest.mark.rule("DW-SCA-4")
def test_engaged_neighbours_come_first_the_larger_overlap_before_the_smaller() -> None:
    """DW-SCA-4."""
    near = [
        {"id": "far", "stamina": 3, "distance": 9},
        {"id": "close", "stamina": 3, "distance": 2},
        {"id": "little", "stamina": 3, "engaged": True, "overlap": 1, "distance": 0},
        {"id": "much", "stamina": 3, "engaged": True, "overlap": 5.5},
    ]
    rows = ask("ranged", **shot(neighbours=near))["disks"]
    assert [row["id"] for row in rows] == ["t", "much", "little", "close", "far"]


@pytest.mark.rule("DW-DMG-6")
def test_an_immune_neighbour_takes_nothing_but_the_token() -> None:
    """DW-DMG-6."""
    answer = ask("ranged", **shot(neighbours=[{"id": "n", "stamina": 1, "immune": ["ranged"]}]))
    assert answer["disks"][1]["expected_damage"] == 0.0
    assert answer["disks"][1]["p_activation_token"] > 0.05
    assert not ask("ranged", **shot(target={"id": "t", "stamina": 4, "immune": ["ranged"]}))["target_allowed"]


def test_cover_may_come_with_the_terrain_of_the_target() -> None:
    assert ask("ranged", **shot(target={"id": "t", "stamina": 4, "terrain": ["cover"]}))["dice_rolled"] == 2


@pytest.mark.rule("DW-MEL-9", "DW-TER-4")
def test_defensive_terrain_gives_a_swift_counter() -> None:
    """DW-TER-4, DW-MEL-9: whoever is destroyed early does not strike."""
    disks = [
        {"id": "a", "owner": "1", "attack": 9, "stamina": 2},
        {"id": "b", "owner": "2", "counter": 2, "stamina": 4, "terrain": ["defensive"]},
    ]
    final = ask("melee", disks=disks, pins=[["a", "b"]])["final"]
    assert final["a"]["destroyed"]
    assert not final["b"]["destroyed"]


@pytest.mark.rule("DW-MEL-9")
def test_swift_and_slow_on_one_strike_cancel_out() -> None:
    """DW-MEL-9."""
    disks = [
        {"id": "a", "owner": "1", "attack": 9, "stamina": 2, "swift": ["attack"], "slow": ["attack"]},
        {"id": "b", "owner": "2", "counter": 2, "stamina": 4},
    ]
    assert all(disk["destroyed"] for disk in ask("melee", disks=disks, pins=[["a", "b"]])["final"].values())


@pytest.mark.rule("DW-GEN-4", "DW-KW-BERSERK")
def test_friends_do_not_fight_and_berserk_spares_them() -> None:
    """DW-GEN-4, DW-KW-BERSERK."""
    disks = [
        {"id": "a", "owner": "1", "attack": 3, "stamina": 9, "berserk": True},
        {"id": "b", "owner": "1", "counter": 3, "stamina": 3},
        {"id": "c", "owner": "2", "counter": 1, "stamina": 3},
    ]
    final = ask("melee", disks=disks, pins=[["a", "b"], ["a", "c"]])["final"]
    assert final["b"] == {"damage": 0, "wounds": 0, "destroyed": False}
    assert final["c"]["destroyed"]
    assert final["a"]["damage"] == 1


@pytest.mark.rule("DW-MASS-3", "DW-MEL-6")
def test_a_disk_that_fell_above_is_not_struck_below() -> None:
    """DW-MASS-3; DW-MEL-6: what now lies on top of the lower disk starts nothing."""
    disks = [
        {"id": "top", "owner": "1", "attack": 9, "stamina": 9},
        {"id": "mid", "owner": "2", "attack": 9, "counter": 1, "stamina": 2},
        {"id": "other", "owner": "2", "attack": 1, "stamina": 3},
        {"id": "low", "owner": "1", "counter": 3, "stamina": 9},
    ]
    pins = [["top", "mid"], ["mid", "low"], ["other", "low"]]
    final = ask("melee", disks=disks, pins=pins)["final"]
    assert final["other"]["destroyed"]  # low must strike somebody: the attacker that is left
    assert final["low"]["damage"] == 1
    assert final["top"] == {"damage": 1, "wounds": 0, "destroyed": False}


@pytest.mark.rule("DW-DMG-7", "DW-DMG-8", "DW-EMP-1")
def test_empowerment_counts_for_strikes_and_stamina_and_may_be_lost() -> None:
    """DW-EMP-1, DW-DMG-7, DW-DMG-8."""
    boyz = {"stamina": 4, "damage": 4, "empowered": True}
    steps = ask("damage_sequence", disk=boyz, packets=[{"event": "lose_empowerment"}])["steps"]
    assert steps[0] == {"applied": 0, "wound": 1, "damage": 4, "wounds": 1, "destroyed": True}
    steps = ask("damage_sequence", disk=boyz, packets=[{"event": "end_phase"}, {"amount": 3}])["steps"]
    assert [step["damage"] for step in steps] == [0, 3]
    steps = ask(
        "damage_sequence",
        disk={"stamina": 4, "damage": 2, "toughness": 1},
        packets=[{"event": "stamina", "change": -2}],
    )["steps"]
    assert (steps[0]["wound"], steps[0]["damage"], steps[0]["destroyed"]) == (1, 0, False)


@pytest.mark.rule("DW-EMP-1")
def test_an_empowered_disk_strikes_harder_in_both_roles() -> None:
    """DW-EMP-1: one more attack and one more counter."""
    disks = [
        {"id": "a", "owner": "1", "attack": 3, "stamina": 9, "empowered": True},
        {"id": "b", "owner": "2", "counter": 2, "stamina": 9, "empowered": True},
    ]
    final = ask("melee", disks=disks, pins=[["a", "b"]])["final"]
    assert (final["a"]["damage"], final["b"]["damage"]) == (3, 4)


@pytest.mark.rule("DW-RNG-6")
def test_a_miss_and_chaos_do_nothing() -> None:
    """DW-RNG-6: of six faces three hit; two dice of strength 2 deal 0, 2 or 4."""
    shot = {
        "dice": 2,
        "strength": 2,
        "range": "short",
        "damage_type": "physical",
        "target": {"id": "t", "stamina": 9},
    }
    answer = ask("ranged", faces={"hit": 2, "crit": 1, "miss": 2, "chaos": 1}, **shot)
    assert answer["disks"][0]["damage"].to_dict() == pytest.approx({0: 1 / 4, 2: 1 / 2, 4: 1 / 4})


@pytest.mark.rule("DW-DMG-4", "DW-DMG-5", "DW-TER-1")
def test_a_mixed_packet_is_split_by_tag_and_wounds_once() -> None:
    """DW-DMG-4, DW-DMG-5, DW-TER-1."""
    parts = [
        {"amount": 3, "tags": ["magic"]},
        {"amount": 3, "tags": ["physical"]},
        {"amount": 5, "tags": ["impact"]},
    ]
    disk = {"stamina": 2, "toughness": 3, "resist": ["magic"], "terrain": ["fortified"]}
    assert ask("damage_sequence", disk=disk, packets=[{"parts": parts}])["steps"][0] == {
        "applied": 5,
        "wound": 1,
        "damage": 0,
        "wounds": 1,
        "destroyed": False,
    }


@pytest.mark.rule("DW-KW-IMPACT", "DW-KW-MAGIC")
def test_magic_and_impact() -> None:
    """DW-KW-MAGIC, DW-KW-IMPACT."""
    assert ask("magic", x=4, target={"stamina": 4})["p_destroyed"] == 1.0
    assert not ask("magic", x=4, target={"stamina": 4, "immune": ["magic_x"]})["target_allowed"]
    rows = ask(
        "impact", x=3, disks=[{"id": "a", "stamina": 3}, {"id": "b", "stamina": 3, "resist": ["impact"]}]
    )["disks"]
    assert [row["expected_damage"] for row in rows] == [3.0, 2.0]


@pytest.mark.rule("DW-DMG-1")
def test_dangerous_terrain_resisted() -> None:
    answer = ask(
        "dangerous_terrain", disk={"stamina": 3, "resist": ["dangerous_terrain"]}, damage_type="magic"
    )
    assert answer["damage"].to_dict() == pytest.approx({1: 1 / 3, 2: 1 / 3, 3: 1 / 3})
    assert answer["p_destroyed"] == pytest.approx(1 / 3)


def hero(**changes: Any) -> dict[str, Any]:
    return {
        "name": "H",
        "points": 20,
        "command": 1,
        "race": "orc",
        "faction": "destruction",
        "unique": True,
        **changes,
    }


def unit(**changes: Any) -> dict[str, Any]:
    return {"name": "U", "cost": 2, "size": "small", "race": "orc", "faction": "destruction", **changes}


@pytest.mark.rule(
    "DW-ARMY-1",
    "DW-ARMY-2",
    "DW-ARMY-3",
    "DW-ARMY-4",
    "DW-ARMY-5",
    "DW-ARMY-6",
    "DW-ARMY-7",
    "DW-ARMY-8",
    "DW-ARMY-9",
    "DW-ARMY-10",
    "DW-ARMY-11",
    "DW-ARMY-12",
    "DW-ARMY-13",
)
@pytest.mark.parametrize(
    ("regiments", "rule"),
    [
        ([{"hero": hero()}, {"hero": hero(name="I")}, {"hero": hero(name="J")}], "DW-ARMY-1"),
        ([{"hero": hero()}, {"units": []}], "DW-ARMY-2"),
        ([{"hero": hero(), "units": [unit(cost=21)]}], "DW-ARMY-3"),
        ([{"hero": hero()}, {"hero": hero(name="I", faction="order")}], "DW-ARMY-4"),
        ([{"hero": hero(), "units": [unit(unique=True), unit(unique=True)]}], "DW-ARMY-5"),
        ([{"hero": hero(), "units": [unit(race="chaos")]}], "DW-ARMY-6"),
        ([{"hero": hero(), "units": [unit(size="large")]}], "DW-ARMY-7"),
        ([{"hero": hero(unique=False)}], "DW-ARMY-8"),
        ([{"hero": hero(), "units": [unit()] * 4}], "DW-ARMY-9"),
        ([{"hero": hero(), "units": [unit(elite=True), unit(name="V", elite=True)]}], "DW-ARMY-10"),
        ([{"hero": hero(), "commands": ["A", "B"]}], "DW-ARMY-11"),
        ([{"hero": hero(command=2), "commands": ["A", "A"]}], "DW-ARMY-12"),
        ([{"hero": hero(), "commands": [{"title": "A", "faction": "order"}]}], "DW-ARMY-13"),
    ],
)
def test_each_army_rule_alone(regiments: list[dict[str, Any]], rule: str) -> None:
    answer = ask("army", regiments=regiments, regiment_limit=2)
    assert answer["violations"] == [rule]
    assert rule in answer["explain"]


@pytest.mark.rule("DW-GEN-6")
def test_every_datasheet_reads() -> None:
    """DW-GEN-6."""
    known = records("diskwars", "disks.toml", "disk")
    assert len(known) == 27
    for record in known.values():
        assert record["confidence"] in ("high", "medium", "low")
        disk, _ = read_disk(record["name"], {"stamina": record.get("stamina", 4), "disk": record["name"]})
        assert disk.id == record["name"]
    assert len(records("diskwars", "disks.toml", "regiment")) == 12


# --- messages ---------------------------------------------------------------------------------------------------------

PAIR = [{"id": "a", "owner": "1", "stamina": 4}, {"id": "b", "owner": "2", "stamina": 4}]


@pytest.mark.parametrize(
    ("question", "details", "message"),
    [
        (
            "ranged",
            shot(faces={"hit": 0}),
            "ranged: the combat die has no faces (give 1 to 100, each a list of symbols)",
        ),
        ("ranged", shot(faces={"hti": 1}), "ranged: faces: unknown symbol 'hti' (did you mean 'hit'?)"),
        ("ranged", shot(faces={"hit": -1}), "ranged: faces: hit is -1 (give a whole number from 0 to 100)"),
        (
            "ranged",
            shot(faces="alt"),
            "ranged: unknown dice set 'alt' (known: 'alt_lean', 'assumed_default')",
        ),
        ("ranged", shot(dice=0), "ranged: dice is 0 (give a whole number from 1 to 100)"),
        ("ranged", shot(strength="2d6"), "ranged: strength is '2d6' (give a whole number or 'd6')"),
        (
            "ranged",
            shot(range="far"),
            "ranged: unknown range 'far' (known: 'long', 'medium', 'short', 'siege')",
        ),
        (
            "ranged",
            shot(target={"stamina": 0}),
            "ranged: target: stamina is 0 (give a whole number from 1 to 100)",
        ),
        (
            "ranged",
            shot(target={"stamina": 3, "damage": 3}),
            "ranged: target: 3 damage on stamina 3 (that is a wound already: give less damage)",
        ),
        (
            "ranged",
            shot(target={"stamina": 3, "wounds": 1}),
            "ranged: target: 1 wounds on toughness 0 (such a disk is destroyed: give fewer wounds)",
        ),
        (
            "ranged",
            shot(target={"stmina": 3}),
            "ranged: target: stamina is missing (give the fields of a disk, such as id, owner,",
        ),
        (
            "ranged",
            shot(target={"stamina": 3, "tough": 1}),
            "ranged: target: unknown field 'tough' (did you mean 'toughness'?)",
        ),
        (
            "ranged",
            shot(target={"disk": "Orc Boys"}),
            "ranged: target: unknown disk 'Orc Boys' (did you mean 'Orc Boyz'?)",
        ),
        (
            "ranged",
            shot(neighbours=[{"id": "t", "stamina": 1}]),
            "ranged: the disks are ['t', 't'] (give each an id of its own)",
        ),
        (
            "ranged",
            shot(neighbours=[{"id": str(n), "stamina": 1} for n in range(21)]),
            "ranged: 21 neighbours (give at most 20)",
        ),
        (
            "ranged",
            shot(neighbours=[{"id": "x", "stamina": 1, "distance": -1}]),
            "ranged: neighbour 1: distance is -1 (give a number from 0 on)",
        ),
        ("ranged", shot(shooter=5), "odds: ranged: shooter is 5 (give a word)"),
        (
            "ranged",
            shot(convert={"mis": "hit"}),
            "ranged: convert: unknown symbol 'mis' (did you mean 'miss'?)",
        ),
        ("ranged", shot(method="guess"), "ranged: unknown method 'guess' (known: 'exact', 'simulate')"),
        (
            "ranged",
            shot(method="simulate", trials=0),
            "ranged: trials is 0 (give a whole number from 1 to 100000000)",
        ),
        (
            "ranged",
            {"range": "long", "target": {"stamina": 3}, "shooter": "Steam Tank"},
            "ranged: Steam Tank has 0 known ranged profiles (give dice and strength instead)",
        ),
        (
            "ranged",
            {"range": "long", "target": {"stamina": 3}},
            "ranged: dice is missing (give it, or a shooter whose datasheet has it)",
        ),
        (
            "ranged_roll",
            shot(rolled=["hit"]),
            "ranged_roll: rolled: ['hit'] is not a roll of 3 dice (give a list of 3 symbols)",
        ),
        (
            "ranged_roll",
            shot(strength="d6", rolled=["hit"] * 3),
            "ranged_roll: strength is 'd6' (give the number that was rolled)",
        ),
        (
            "melee",
            {"disks": [{"id": str(n), "owner": "a", "stamina": 3} for n in range(201)]},
            "melee: 201 disks (give at most 200)",
        ),
        (
            "melee",
            {"disks": PAIR, "pins": [["a", "b"], ["b", "a"]]},
            "melee: impossible stack: b on a on b (a disk cannot lie above and below another)",
        ),
        (
            "melee",
            {"disks": PAIR, "pins": [["a", "a"]]},
            "melee: 'a' pins itself (give [upper disk, lower disk])",
        ),
        ("melee", {"disks": PAIR, "pins": [["a", "c"]]}, "melee: unknown disk 'c' (known: 'a', 'b')"),
        (
            "melee",
            {"disks": PAIR, "pins": ["ab"]},
            "melee: 'ab' is not a pin (give [upper disk, lower disk])",
        ),
        ("melee", {"disks": [*PAIR, PAIR[0]]}, "melee: there are two disks 'a' (give each an id of its own)"),
        (
            "melee",
            {"disks": [{"id": "a", "stamina": 3}]},
            "melee: 'a' has no owner (give its player: friends do not fight each other)",
        ),
        (
            "melee",
            {"disks": PAIR, "pins": [["a", "b"]], "targets": {"attack": {"b": "a"}}},
            "melee: 'b' cannot strike 'a' with its attack (it must pin it, as an enemy)",
        ),
        (
            "damage_sequence",
            {"disk": {"stamina": 3}, "packets": [{"amount": -1}]},
            "damage_sequence: packet 1: amount is -1",
        ),
        (
            "damage_sequence",
            {"disk": {"stamina": 3}, "packets": [{"amount": 1, "tags": ["fire"]}]},
            "damage_sequence: packet 1: unknown tag 'fire' (known:",
        ),
        ("initiative", {"bonuses": [1]}, "initiative: 1 players (give the bonuses of 2 to 6)"),
        ("initiative", {"bonuses": [1, -1]}, "initiative: bonus is -1 (give a whole number from 0 to 1000)"),
        (
            "army",
            {"regiments": []},
            "army: no regiments (give at least one, each with hero, units and commands)",
        ),
        (
            "army",
            {"regiments": [{"hero": hero(), "units": [unit(size="huge")]}]},
            "army: regiment 1: unit 1: unknown size 'huge' (known: 'large', 'medium', 'small')",
        ),
        ("command_order", {"strategies": ["brave"]}, "command_order: unknown strategy 'brave'"),
        (
            "victory",
            {"points": [1], "places": [1, 2]},
            "victory: give points, places and disks for the same players, each place once",
        ),
    ],
)
def test_messages(question: str, details: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        ask(question, **details)
    assert str(caught.value).startswith(message)


def test_a_ring_of_clashes_is_refused() -> None:
    # Six disks of alternating owners in a ring, heights high, mid, low twice over (section 12 of the rules).
    owners = "121212"
    disks = [{"id": str(n), "owner": owners[n], "attack": 1, "counter": 1, "stamina": 4} for n in range(6)]
    pins = [["0", "1"], ["1", "2"], ["3", "2"], ["3", "4"], ["4", "5"], ["0", "5"]]
    with pytest.raises(mh.BadInputError, match="two clashes each have to be fought before the other"):
        ask("melee", disks=disks, pins=pins)


def test_there_is_no_plain_fight() -> None:
    system = get_game("diskwars")
    assert set(system.questions) >= {
        "ranged",
        "melee",
        "damage_sequence",
        "initiative",
        "dangerous_terrain",
        "unstable",
        "army",
    }
    boyz = Unit("diskwars", "Boyz", (), "toughness")
    assert system.attacks is None
    with pytest.raises(mh.BadInputError) as caught:
        mh.fight(boyz, boyz)
    assert str(caught.value) == (
        "fight: Warhammer: Diskwars has no units with weapons (ask mathhammer.odds('diskwars', ...) one of: "
        + ", ".join(system.questions)
        + ")"
    )


# --- properties -------------------------------------------------------------------------------------------------------

COUNTS = st.fixed_dictionaries({symbol: st.integers(0, 3) for symbol in FACES})


@given(
    COUNTS,
    st.integers(1, 6),
    st.sampled_from([2, 5, "d6"]),
    st.integers(0, 3),
    st.sampled_from(["long", "siege"]),
)
def test_laws_add_up(faces: dict[str, int], dice: int, strength: Any, neighbours: int, range_: str) -> None:
    assume(any(faces.values()))
    near = [{"id": f"n{n}", "stamina": 3} for n in range(neighbours)]
    answer = ask("ranged", **shot(faces=faces, dice=dice, strength=strength, neighbours=near, range=range_))
    for row in answer["disks"]:
        assert row["damage"].probs.sum() == pytest.approx(1.0, abs=1e-12)
        assert 0.0 <= row["p_destroyed"] <= row["p_wound"] <= 1.0 + 1e-12
    assert answer["chaos_first_roll"].mean() == pytest.approx(dice * faces["chaos"] / sum(faces.values()))


@given(st.integers(0, 40), st.integers(1, 7))
def test_scattered_dice_are_all_dealt_out_evenly(scatters: int, neighbours: int) -> None:
    turns = recipients(scatters, neighbours)
    dealt = [turns.count(disk) for disk in range(1, neighbours + 1)]
    assert sum(dealt) == scatters
    assert dealt == sorted(dealt, reverse=True)
    assert max(dealt) - min(dealt) <= 1


@given(st.lists(st.integers(0, 8), min_size=2, max_size=4))
def test_somebody_wins_the_roll_off(bonuses: list[int]) -> None:
    chances = roll_off(tuple(bonuses))
    assert sum(chances) == 1
    assert all(
        chances[a] <= chances[b]
        for a in range(len(bonuses))
        for b in range(len(bonuses))
        if bonuses[a] <= bonuses[b]
    )


@st.composite
def piles(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[list[str]]]:
    """Random piles of two players: a disk may pin disks that come after it, so no cycle of pins."""
    number = draw(st.integers(2, 7))
    roles = st.lists(st.sampled_from(["attack", "counter"]), max_size=2, unique=True)
    disks = [
        {
            "id": str(n),
            "owner": draw(st.sampled_from("12")),
            "attack": draw(st.integers(1, 6)),
            "counter": draw(st.integers(1, 6)),
            "stamina": draw(st.integers(2, 6)),
            "toughness": draw(st.integers(0, 2)),
            "berserk": draw(st.booleans()),
            "empowered": draw(st.booleans()),
            "swift": draw(roles),
            "slow": draw(roles),
            "resist": draw(st.sampled_from([[], ["physical"], ["magic"]])),
        }
        for n in range(number)
    ]
    pairs = [[str(a), str(b)] for a in range(number) for b in range(a + 1, number)]
    return disks, draw(st.lists(st.sampled_from(pairs), unique_by=tuple, max_size=8))


@given(piles())
def test_melee_agrees_with_the_referee(pile: tuple[list[dict[str, Any]], list[list[str]]]) -> None:
    disks, pins = pile
    wanted = naive_symbols.melee(disks, pins)
    if wanted is None:
        with pytest.raises(mh.BadInputError, match="two clashes each have to be fought before the other"):
            ask("melee", disks=disks, pins=pins)
        return
    got = ask("melee", disks=disks, pins=pins)["final"]
    for name, disk in wanted.items():
        assert got[name]["destroyed"] == disk["destroyed"]
        assert got[name]["wounds"] == disk["wounds"]
        assert disk["destroyed"] or got[name]["damage"] == disk["damage"]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=8))
def test_a_loop_is_found_exactly_when_there_is_one(edges: list[tuple[int, int]]) -> None:
    loop = find_loop(range(6), edges)
    if loop:
        assert all((loop[n], loop[(n + 1) % len(loop)]) in edges for n in range(len(loop)))
    else:
        reach = np.zeros((6, 6), dtype=bool)
        for a, b in edges:
            reach[a, b] = True
        for _ in range(6):
            reach |= (reach.astype(int) @ reach.astype(int)) > 0
        assert not reach.diagonal().any()


# --- three ways to one answer -----------------------------------------------------------------------------------------

HARD = {
    "id": "hard",
    "input": {
        "faces": {"hit": 2, "crit": 2, "miss": 1, "scatter": 3, "chaos": 1},
        "dice": 5,
        "strength": "d6",
        "damage_type": "magic",
        "range": "long",
        "cover": True,
        "convert": {"chaos": "scatter", "miss": "hit"},
        "resist_mode": "per_hit",
        "target": {
            "id": "t",
            "stamina": 7,
            "toughness": 1,
            "wounds": 1,
            "resist": ["ranged"],
            "empowered": True,
        },
        "neighbours": [
            {"id": "x", "stamina": 4, "damage": 2},
            {"id": "y", "stamina": 2, "immune": ["magic"]},
            {"id": "z", "stamina": 5, "activated": True, "resist": ["magic"]},
        ],
    },
}


def near(p: float, seen: float, trials: int) -> None:
    assert abs(seen - p) <= LIMIT * sqrt(max(0.0, p * (1 - p)) / trials) + 1e-9


def near_mean(law: mh.Pmf, seen: float, trials: int) -> None:
    assert abs(seen - law.mean()) <= LIMIT * law.sd() / sqrt(trials) + 1e-9


@pytest.mark.parametrize("case", [*RANGED, HARD], ids=lambda case: case["id"])
def test_simulate_agrees_with_exact(case: dict[str, Any]) -> None:
    trials = 400_000
    exact = ask("ranged", **case["input"])
    played = ask("ranged", **case["input"], method="simulate", trials=trials, seed=20261116)
    assert played["disks"][0]["damage"].trials == trials
    near(exact["p_no_hit_anywhere"], played["p_no_hit_anywhere"], trials)
    near_mean(exact["chaos_first_roll"], played["chaos_first_roll"].mean(), trials)
    for mine, theirs in zip(exact["disks"], played["disks"], strict=True):
        near_mean(mine["damage"], theirs["expected_damage"], trials)
        for key in ("p_wound", "p_destroyed", "p_activation_token"):
            near(mine[key], theirs[key], trials)


@pytest.mark.parametrize("case", [*RANGED, HARD], ids=lambda case: case["id"])
def test_the_referee_agrees_with_exact(case: dict[str, Any]) -> None:
    games = 200_000
    exact = ask("ranged", **case["input"])
    seen = naive_symbols.ranged(case["input"], games, seed=11)
    near(exact["p_no_hit_anywhere"], seen["p_no_hit_anywhere"], games)
    near_mean(exact["chaos_first_roll"], seen["chaos_first_roll"].mean(), games)
    for mine, theirs in zip(exact["disks"], seen["disks"], strict=True):
        near_mean(mine["damage"], theirs["damage"].mean(), games)
        for value, chance in mine["damage"].to_dict().items():
            near(chance, (theirs["damage"] == value).mean(), games)
        for key in ("p_wound", "p_destroyed", "p_activation_token"):
            near(mine[key], theirs[key], games)


def test_initiative_agrees_with_the_referee() -> None:
    games = 40_000
    for mine, seen in zip(
        ask("initiative", bonuses=[0, 1, 2])["p_win"],
        naive_symbols.initiative([0, 1, 2], games, 5),
        strict=True,
    ):
        near(mine, seen, games)


def test_the_same_seed_gives_the_same_volleys_however_they_are_cut() -> None:
    from mathhammer.pools import simulate as symbol_play
    from mathhammer.pools.battle import ScatterVolley

    volley = ScatterVolley(
        dice=3,
        first=tuple(FIRST_ROLL.values()),
        second=tuple(SECOND_ROLL.values()),
        recipients=recipients(3, 2),
        targets=3,
        strengths=6,
    )
    whole = symbol_play.play_scatter(volley, trials=5000, seed=9)
    block = symbol_play.BLOCK
    try:
        symbol_play.BLOCK = 777
        assert symbol_play.play_scatter(volley, trials=5000, seed=9) == whole
    finally:
        symbol_play.BLOCK = block
    assert symbol_play.play_scatter(volley, trials=5000, seed=10) != whole
