"""Uprising: Curse of the Last Emperor: worked examples, messages, properties, and three ways to one answer."""

from __future__ import annotations

import json
from fractions import Fraction
from math import sqrt
from typing import Any

import naive_symbols
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import OWN_VECTORS

import mathhammer as mh
from mathhammer.dice.symbols import Die, pool_distribution
from mathhammer.games.discovery import get_game
from mathhammer.games.records import records
from mathhammer.games.uprising.pools import COLOURS, SYMBOLS, dice_box
from mathhammer.games.uprising.sides import read_side
from mathhammer.units.unit import Unit

LIMIT = 6.2
CASES = json.loads((OWN_VECTORS / "uprising.json").read_text(encoding="utf-8"))["cases"]
BOX = dice_box("tests", None)
FACES = {colour: [list(face) for face in die.faces] for colour, die in BOX.dice.items()}
PLAYERS = {"kind": "units", "faction": "player", "units": []}


def ask(question: str, **details: Any) -> dict[str, Any]:
    return dict(mh.odds("uprising", question, **details))


def units(*dice: str, **more: Any) -> dict[str, Any]:
    return {
        "kind": "units",
        "faction": "player",
        "units": [{"name": f"u{n}", "die": die} for n, die in enumerate(dice)],
        **more,
    }


def garrison(level: int) -> dict[str, Any]:
    rows = {str(n): {"archery": ["white"] * n, "clash": ["blue"] * n} for n in range(1, level + 1)}
    return {"kind": "garrison", "faction": "empire", "level": level, "table": rows}


def card(threat: int, dice: list[str], **more: Any) -> dict[str, Any]:
    rows = {str(n): {"archery": dice[:1], "clash": dice[:n]} for n in range(1, threat + 1)}
    return {"kind": "card", "faction": "chaos", "threat": threat, "table": rows, "destroy_vp": 2, **more}


# --- worked examples of the rules -------------------------------------------------------------------------------------


@pytest.mark.rule("UP-DICE-1")
def test_dice_means() -> None:
    means = {
        "white": ("1/3", "1/3", "0"),
        "yellow": ("2/3", "0", "0"),
        "red": ("5/6", "0", "1/6"),
        "blue": ("1/2", "1/3", "0"),
        "purple": ("2/3", "0", "1/2"),
        "black": ("4/3", "0", "1/6"),
    }
    for colour, wanted in means.items():
        assert pool_distribution((BOX.dice[colour],), SYMBOLS).means() == tuple(
            Fraction(text) for text in wanted
        )


def test_e1_younglings_and_skeletons() -> None:
    skeletons = {"kind": "skeletons", "faction": "chaos", "count": 2}
    answer = ask("round", a=PLAYERS, b=skeletons, rolled_a=[1, 1, 0], rolled_b=[2, 0, 0])
    assert (answer["damage_a"], answer["damage_b"]) == (1, 1)


@pytest.mark.rule("UP-BOLT-1", "UP-BOLT-3", "UP-BOLT-4", "UP-THR-4")
def test_e2_the_new_emperor_at_threat_2() -> None:
    """UP-THR-4; UP-BOLT-1, UP-BOLT-3, UP-BOLT-4: one bolt for the power, the next against a shield."""
    emperor = read_side("test", {"kind": "card", "name": "New Emperor", "threat": 2})
    assert emperor.rows[2][1] == ("purple", "yellow", "white")
    assert emperor.destroy_vp == 5
    assert (
        ask("pool", pool={"purple": 1, "yellow": 1, "white": 1})["joint"][2, 1, 2] > 0
    )  # the roll of the example
    b = {"kind": "card", "faction": "empire", "god_power": {"effect": "none", "limit": "round"}}
    answer = ask("round", a=PLAYERS, b=b, rolled_a=[3, 2, 0], rolled_b=[2, 1, 2])
    assert (answer["damage_a"], answer["damage_b"], answer["god_uses_b"]) == (1, 2, 1)
    assert "1 bolts into god powers" in answer["explain"]


def test_e2_is_impossible_with_the_alternative_dice() -> None:
    answer = ask("pool", pool={"purple": 1, "yellow": 1, "white": 1}, faces="alt")
    assert (2, 1, 2) not in answer["joint"]
    assert answer["dice_set"] == "alt"


def test_e3_quest_points() -> None:
    from mathhammer.games.uprising.quests import Goal, Quest

    quest = Quest((Goal((4, 0, 0)), Goal((0, 1, 0), 1), Goal((0, 0, 1), 1)), 2, 0)
    assert quest.vp((3, 2, 1)) == 2  # shield and bolt
    assert quest.vp((4, 1, 0)) == 1  # with the skulls
    assert quest.vp((4, 1, 1)) == 2  # all three
    assert quest.vp((4, 0, 0)) == 0  # failure: no bonuses


@pytest.mark.parametrize(("rolled", "met"), [((3, 1, 0), 2), ((0, 1, 1), 2), ((3, 0, 1), 2), ((3, 0, 0), 1)])
def test_e4_any_two_of_three(rolled: tuple[int, int, int], met: int) -> None:
    from mathhammer.games.uprising.quests import Goal, Quest

    assert Quest((Goal((3, 0, 0)), Goal((0, 1, 0)), Goal((0, 0, 1))), 2, 0).met(rolled) == met


@pytest.mark.rule("UP-HERO-1", "UP-HERO-3")
def test_e5_e6_hero_dice() -> None:
    """UP-HERO-1, UP-HERO-3."""
    assert ask("hero_dice", magic=1, cunning=3, yellow=2)["pool"] == {"purple": 1, "yellow": 2, "white": 1}
    assert ask("hero_dice", charisma=3)["pool"] == {"blue": 3}
    assert ask("hero_dice", might=2)["pool"] == {"red": 2}
    goals = [{"skull": 3}, {"shield": 1}]
    by_hero = ask("quest", hero={"magic": 1, "cunning": 3, "yellow": 2}, goals=goals)
    assert (
        by_hero["p_success"]
        == ask("quest", pool={"purple": 1, "yellow": 2, "white": 1}, goals=goals)["p_success"]
    )


@pytest.mark.rule("UP-DEF-1", "UP-ECO-2", "UP-UNIT-2")
def test_e7_build_by_the_rule() -> None:
    """UP-ECO-2, UP-UNIT-2, UP-DEF-1."""
    pay = {"Younglings": "plunder", "Spearsingers": "salt"}
    answer = ask("build", units={"Younglings": 2, "Spearsingers": 1}, towers=1, pay=pay)
    assert answer["cost"] == {"salt": 2, "plunder": 5, "food": 0}
    assert ask("build", units={"Sellswords": 2}, pay={"Sellswords": "food"})["cost"] == {
        "salt": 0,
        "plunder": 0,
        "food": 4,
    }  # any two


@pytest.mark.rule("UP-VP-4", "UP-VP-5")
def test_e8_e9_scoring() -> None:
    """UP-VP-4; UP-VP-5: a tie with Chaos is not a victory."""
    answer = ask(
        "scoring", players=[{"havens": 3, "hex_vp": 2}], empire={"graveyard": {"krowh": 1, "druwhn": 2}}
    )
    assert answer["players"] == [8]
    assert answer["empire"] == 4
    assert answer["players_win"]
    assert not ask("scoring", players=[{"havens": 2}], chaos={"curses": 2, "graveyard": {"garrisons": 3}})[
        "players_win"
    ]


@pytest.mark.rule("UP-NEM-2", "UP-NEM-3")
def test_e10_the_weaker_garrison_is_the_softer_target() -> None:
    """UP-NEM-2, UP-NEM-3."""
    hexes = {"strong": {"units": 2}, "weak": {"units": 1}, "empty": {}}
    assert ask("soft_target", hexes=hexes)["choice"] == "weak"
    assert ask("soft_target", hexes={**hexes, "home": {"units": 5, "haven": True}})["choice"] == "home"


@pytest.mark.rule("UP-RR-1")
def test_a_reroll_of_all_dice_changes_no_law() -> None:
    """UP-RR-1."""
    plain, again = (ask("pool", pool={"red": 2}, reroll=reroll) for reroll in (0, "all"))
    assert plain["joint"] == again["joint"]
    assert "all dice thrown again" in again["explain"]


@pytest.mark.rule("UP-ECO-3")
def test_e12_production() -> None:
    """UP-ECO-3."""
    home, salt = {"salt": 1, "plunder": 1, "food": 1}, {"salt": 2}
    answer = ask("production", circle={"salt": 5, "plunder": 2, "food": 1}, hexes=[home, salt, salt])
    assert answer["resources"] == {"salt": 10, "plunder": 3, "food": 2}


@pytest.mark.rule("UP-SKE-4")
def test_e13_skeletons_become_a_horde() -> None:
    answer = ask("place_skeletons", hexes={"A": 2, "B": 1}, placed=["B", "A"])
    assert (answer["hexes"], answer["hordes"]) == ({"A": 0, "B": 2}, ["A"])
    dry = ask("place_skeletons", hexes={"A": 2}, placed=["B", "B"], reserve=0)  # UP-SKE-4
    assert (dry["hordes"], dry["hexes"], dry["reserve"]) == (["A"], {"A": 0, "B": 1}, 1)
    assert ask("place_skeletons", hexes={}, placed=["B"], reserve=0)["chaos_vp"] == 1


@pytest.mark.rule("UP-THR-1")
def test_threat_beyond_the_maximum_is_points() -> None:
    """UP-THR-1."""
    answer = ask("raise_threat", threat=6, by=3)
    assert (answer["threat"], answer["vp"]) == (7, 2)


# --- rules one by one -------------------------------------------------------------------------------------------------


@pytest.mark.rule("UP-CMB-9")
def test_once_per_combat_powers_are_used_up() -> None:
    """UP-CMB-9: skulls once per combat lie between no power and skulls every round."""
    dice = ["purple", "purple", "red"]
    chances = [
        ask("battle", a=units(*["blue"] * 4), b=card(3, dice, god_power=power))["p_lose"]
        for power in (
            {"effect": "none", "limit": "round"},
            {"effect": "skulls", "n": 2, "limit": "combat"},
            {"effect": "skulls", "n": 2, "limit": "round"},
            {"effect": "skulls", "n": 2, "limit": "none"},
        )
    ]
    assert chances == sorted(chances)
    assert len(set(chances)) == 4


def test_a_power_used_once_leaves_the_bolts_to_shields() -> None:
    b = {"kind": "card", "faction": "chaos", "god_power": {"effect": "skulls", "n": 2, "limit": "combat"}}
    answer = ask("round", a=PLAYERS, b=b, rolled_a=[0, 3, 0], rolled_b=[1, 0, 3])
    assert (answer["damage_a"], answer["god_uses_b"]) == (2, 1)  # 3 skulls against 3 shields less 2


@pytest.mark.rule("UP-BOLT-2")
def test_players_may_feed_god_powers_first() -> None:
    """UP-BOLT-2."""
    power = {"effect": "skulls", "n": 2, "limit": "round"}
    a = {
        **PLAYERS,
        "bolt_policy": "god_power_first",
        "god_power": [power, {"effect": "shields", "n": 1, "limit": "round"}],
    }
    answer = ask("round", a=a, b=garrison(1), rolled_a=[1, 0, 3], rolled_b=[2, 1, 0])
    assert (answer["damage_b"], answer["damage_a"], answer["god_uses_a"]) == (3, 1, 2)


@pytest.mark.rule("UP-THR-5")
def test_spymaster_and_siren() -> None:
    """UP-THR-5: abilities that are always on."""
    spy = {"kind": "card", "faction": "empire", "stops_shields": True}
    siren = {"kind": "card", "faction": "chaos", "stops_bolts": True}
    rolled: dict[str, Any] = {"rolled_a": [0, 3, 2], "rolled_b": [2, 2, 0]}
    assert ask("round", a=PLAYERS, b=spy, **rolled)["damage_a"] == 2
    siren_rolls = {**rolled, "rolled_a": [2, 0, 2]}
    assert ask("round", a=PLAYERS, b=siren, **siren_rolls)["damage_b"] == 0
    assert ask("round", a=PLAYERS, b={**siren, "stops_bolts": False}, **siren_rolls)["damage_b"] == 2
    assert read_side("x", {"kind": "card", "name": "Spymaster", "threat": 1}).stops_shields
    assert read_side("x", {"kind": "card", "name": "Siren", "threat": 1}).stops_bolts
    assert read_side("x", {"kind": "card", "name": "Banished", "threat": 1}).reroll == 2


def pools(answer: dict[str, Any], side: str) -> str:
    return next(line for line in answer["explain"].splitlines() if line.startswith(f"Side {side}"))


@pytest.mark.rule(
    "UP-CMB-4", "UP-CMB-5", "UP-DICE-4", "UP-TER-2", "UP-TER-5", "UP-RR-2", "UP-DEF-2", "UP-DEF-3"
)
def test_pools_by_round_and_terrain() -> None:
    """UP-CMB-4, UP-CMB-5; UP-TER-2 to UP-TER-5; UP-DICE-4: highlands keep the strongest die."""
    army = {
        "kind": "units",
        "units": [
            {"name": "archers", "die": "yellow", "archer": True},
            {"name": "riders", "die": "red", "rider": True},
            {"name": "warriors", "die": "blue"},
        ],
        "tower": True,
        "wall": True,
        "bonus": {"first_clash": ["black"]},
    }
    ice = pools(ask("battle", a=army, b=garrison(2)), "a")
    assert (
        "archery: yellow, white; first clash: black, red, 2 blue, yellow, white; clash: red, 2 blue, yellow, white"
        in ice
    )
    assert "archery: red, yellow, white;" in pools(
        ask("battle", a=army, b=garrison(2), terrain="badlands"), "a"
    )
    assert "archery: yellow;" in pools(ask("battle", a=army, b=garrison(2), terrain="highlands"), "a")
    assert "clash: 2 blue, yellow, 2 white" in pools(
        ask("battle", a=army, b=garrison(2), terrain="marsh"), "a"
    )
    assert "rerolls up to 2 blanks; first clash" in pools(
        ask("battle", a=army, b=garrison(2), terrain="forest"), "a"
    )


@pytest.mark.rule("UP-THR-5")
def test_cards_add_dice_by_terrain_and_condition() -> None:
    """UP-THR-5."""
    army = units("blue", "blue")
    plain = pools(ask("battle", a=army, b={"kind": "card", "name": "Assassin", "threat": 3}), "b")
    assert "archery: 2 white;" in plain
    assert "archery: 2 red, 2 white;" in pools(
        ask("battle", a=army, b={"kind": "card", "name": "Assassin", "threat": 3}, terrain="badlands"), "b"
    )
    messiah = {"kind": "card", "name": "False Messiah", "threat": 1}
    assert "clash: blue, 2 white" in pools(ask("battle", a=army, b=messiah), "b")
    assert "clash: red, blue, 2 white" in pools(
        ask("battle", a=army, b={**messiah, "conditions": ["haven_or_empire"]}), "b"
    )
    assert "no archery round" in pools(
        ask("battle", a=army, b={"kind": "card", "name": "Oda the Fallen", "threat": 2}), "b"
    )
    assert "clash: 2 blue" in pools(
        ask("battle", a=army, b={"kind": "card", "name": "Courtesan", "threat": 2}), "b"
    )


@pytest.mark.rule("UP-CAS-1", "UP-CAS-2")
def test_casualty_order() -> None:
    """UP-CAS-1, UP-CAS-2."""
    a = {"kind": "units", "units": [{"name": "strong", "die": "black"}, {"name": "weak", "die": "white"}]}
    default = ask("battle", a=a, b=garrison(2))
    other = ask("battle", a={**a, "casualty_order": ["strong"]}, b=garrison(2))
    assert "order (UP-CAS-2): weak, strong." in default["explain"]
    assert "order (UP-CAS-2): strong, weak." in other["explain"]
    assert default["p_win"] > other["p_win"] + 0.01


@pytest.mark.rule("UP-AFT-2", "UP-VP-1", "UP-VP-2")
def test_points_of_every_faction() -> None:
    """UP-VP-1, UP-VP-2; UP-AFT-2: a card that is destroyed gives its points, in a draw too."""
    empire = ask("battle", a=garrison(3), b=card(1, ["white"]))
    assert empire["expected_vp_a"] == empire["expected_vp"]["empire"]
    assert empire["expected_vp"]["empire"] == pytest.approx(2 * (empire["p_win"] + empire["p_draw"]))
    player = ask("battle", a=units("blue", "blue"), b=garrison(2))
    assert player["expected_vp"]["player"] == pytest.approx(player["expected_vp_a"])
    assert player["expected_vp"]["empire"] == 0.0


def test_the_campaign_in_the_order_of_the_rules() -> None:
    army = units(*["red"] * 5)
    enemies = [
        {"kind": "card", "name": "Executioner", "threat": 1},
        {"kind": "card", "name": "Warlock", "threat": 1},
        garrison(1),
    ]
    lines = ask("campaign", a=army, enemies=enemies, order="rules")["explain"].splitlines()
    found = [line.split(",")[1].split("(")[0].strip() for line in lines if line.startswith("Enemy")]
    assert found == ["garrison", "Warlock", "Executioner"]


@pytest.mark.rule("UP-SKE-1")
def test_a_horde_in_a_campaign_is_fought_if_it_is_given() -> None:
    army = units(*["blue"] * 3)
    skeletons = {"kind": "skeletons", "count": 2}
    open_end = ask("campaign", a=army, enemies=[skeletons])
    single = ask("battle", a=army, b=skeletons)
    assert open_end["p_clear_through"][0] == pytest.approx(single["p_win"])
    assert open_end["p_horde_formed"] == pytest.approx(single["p_horde_formed"])
    assert open_end["expected_survivors_a"] == pytest.approx(single["expected_survivors_a"])
    fought = ask("campaign", a=army, enemies=[skeletons], horde=card(1, ["white"]))
    assert single["p_win"] < fought["p_clear_through"][0] < single["p_win"] + single["p_horde_formed"]


@pytest.mark.rule("UP-GEN-2")
def test_every_datasheet_reads() -> None:
    cards = records("uprising", "units.toml", "card")
    assert len(cards) == 16
    for record in cards.values():
        most = max((int(row) for row in record.get("rows", {"3": ""})), default=1)
        side = read_side(record["name"], {"kind": "card", "name": record["name"], "threat": most})
        assert (side.strength, side.faction) == (most, record["faction"])
        assert record["confidence"] in ("high", "medium", "low")
    figures = records("uprising", "units.toml", "player_unit")
    assert len(figures) == 16
    assert sum(record["number"] for record in figures.values()) == 48  # UP-GEN-2
    assert read_side("x", {"kind": "units", "units": ["Koloth"]}).figures[0].die == "black"
    assert read_side("x", {"kind": "garrison", "level": 3}).rows[3] == (("white",) * 3, ("blue",) * 3)


@pytest.mark.parametrize(
    "name", sorted(record["name"] for record in records("uprising", "units.toml", "card").values())
)
def test_every_card_can_be_fought(name: str) -> None:
    answer = ask("battle", a=units("blue", "blue", "black"), b={"kind": "card", "name": name, "threat": 5})
    total = sum(answer[name] for name in ("p_win", "p_lose", "p_draw", "p_horde_formed", "p_left"))
    assert total == pytest.approx(1.0, abs=1e-12)
    assert (answer["p_left"] > 0) == (name == "Siren")
    assert answer["dice_set"] == "default"


# --- messages ---------------------------------------------------------------------------------------------------------

BLUE = units("blue")
GOAL = [{"skull": 1}]


@pytest.mark.rule("UP-SKE-3", "UP-UNIT-1", "UP-GEN-2")
@pytest.mark.parametrize(
    ("question", "details", "message"),
    [
        ("pool", {"pool": {"blu": 1}}, "pool: unknown colour 'blu' (did you mean 'blue'?)"),
        ("pool", {"pool": {"blue": -1}}, "pool: blue is -1 (give a whole number from 0 to 60)"),
        (
            "pool",
            {"pool": {"blue": 1}, "faces": {"blue": []}},
            "pool: the blue die has no faces (give 1 to 100, each a list of symbols)",
        ),
        (
            "pool",
            {"pool": {"blue": 1}, "faces": {"red": [[]]}},
            "pool: no faces are given for blue dice (give them: faces = {'blue': [[...], ...]})",
        ),
        (
            "pool",
            {"pool": {"blue": 1}, "faces": {"blue": [["skul"]]}},
            "pool: blue die: unknown symbol 'skul' (did you mean 'skull'?)",
        ),
        ("pool", {"pool": {"blue": 40, "red": 40}}, "pool: 80 dice (give at most 60)"),
        (
            "pool",
            {"pool": {"blue": 1}, "faces": {"blue": [[]] * 101}},
            "pool: the blue die has 101 faces (give 1 to 100)",
        ),
        (
            "pool",
            {"pool": {"blue": 1}, "faces": "old"},
            "pool: unknown dice set 'old' (known: 'alt', 'default')",
        ),
        (
            "pool",
            {"pool": {"blue": 1}, "reroll": -1},
            "pool: reroll is -1 (give a whole number from 0 to 60)",
        ),
        ("quest", {"pool": {"blue": 1}, "goals": []}, "quest: 0 goals (give 1 to 10)"),
        (
            "quest",
            {"pool": {"blue": 1}, "goals": GOAL, "need": 2},
            "quest: need is 2 (give a whole number from 1 to 1)",
        ),
        (
            "quest",
            {"pool": {"blue": 1}, "goals": [{"vp": 1}]},
            "quest: goal 1 asks for nothing (give skull, shield or bolt with a minimum)",
        ),
        (
            "best_cunning",
            {"cunning": -1, "goals": GOAL},
            "best_cunning: cunning is -1 (give a whole number from 0 to 60)",
        ),
        ("battle", {"a": BLUE, "b": card(1, ["red"]), "terrain": "swamp"}, "battle: unknown terrain 'swamp'"),
        (
            "battle",
            {"a": BLUE, "b": {"kind": "card", "name": "Bloodwyrm", "threat": -2}},
            "battle: b: threat is -2 (give a whole number from 1 to 20)",
        ),
        (
            "battle",
            {"a": BLUE, "b": {"kind": "card", "name": "Bloodworm", "threat": 2}},
            "battle: b: unknown card 'Bloodworm' (did you mean 'Bloodwyrm'?)",
        ),
        (
            "battle",
            {"a": BLUE, "b": {"kind": "card", "name": "Banished", "threat": 6}},
            "battle: b: table has no row 6 (give every row from 1 to 6)",
        ),
        (
            "battle",
            {"a": BLUE, "b": {"kind": "skeletons", "count": 3}},
            "battle: b: 3 skeletons (give 1 or 2: three become a horde, a card, UP-SKE-3)",
        ),
        (
            "battle",
            {"a": BLUE, "b": {"kind": "garrison", "level": 4}},
            "battle: b: level is 4 (give a whole number from 1 to 3)",
        ),
        (
            "battle",
            {"a": PLAYERS, "b": garrison(1)},
            "battle: a: 0 units (give 1 to 5, the most of a faction on a hex, UP-UNIT-1)",
        ),
        (
            "battle",
            {"a": BLUE, "b": BLUE},
            "battle: both sides are player (give enemies: players, Empire and Chaos fight each other)",
        ),
        (
            "battle",
            {"a": units("blue", faction="chaos"), "b": garrison(1)},
            "battle: a: units of the faction 'chaos' (give player)",
        ),
        ("battle", {"a": units("pink"), "b": garrison(1)}, "battle: a: unit 1: unknown die 'pink'"),
        (
            "battle",
            {"a": {"kind": "units", "units": ["Yunglings"]}, "b": garrison(1)},
            "battle: a: unit 1: unknown player unit 'Yunglings' (did you mean 'Younglings'?)",
        ),
        (
            "battle",
            {"a": {**BLUE, "casualty_order": ["x"]}, "b": garrison(1)},
            "battle: a: casualty_order names 'x', which is not there (give names of its units)",
        ),
        (
            "battle",
            {"a": {**BLUE, "bolt_policy": "god_power_first"}, "b": garrison(1)},
            "battle: a: bolt_policy 'god_power_first' with 0 god powers (god_power_first needs 1 to 4, negate_shields none)",
        ),
        (
            "battle",
            {"a": {**BLUE, "towr": True}, "b": garrison(1)},
            "battle: a: unknown field 'towr' (did you mean 'tower'?)",
        ),
        (
            "battle",
            {"a": {}, "b": garrison(1)},
            "battle: a: kind is missing (give kind (units, garrison, skeletons or card)",
        ),
        (
            "battle",
            {"a": 3, "b": garrison(1)},
            "battle: a: int is not a mapping (give kind (units, garrison, skeletons or card)",
        ),
        (
            "battle",
            {"a": BLUE, "b": garrison(1), "faces": {"blue": [["shield"]], "white": [[]]}},
            "battle: it can go on for ever, as neither side can harm the other (give a side dice with blows)",
        ),
        (
            "battle",
            {"a": BLUE, "b": {"kind": "card", "faction": "chaos", "threat": 1, "table": {"1": "RX"}}},
            "battle: b: row 1: 'RX' is not a row (write archery|clash, such as 'WB|PBR')",
        ),
        (
            "battle",
            {"a": BLUE, "b": {"kind": "card", "faction": "chaos", "threat": 1, "table": {"one": "R|R"}}},
            "battle: b: table row 'one' (give a whole number from 1 to 20)",
        ),
        (
            "battle",
            {"a": BLUE, "b": {"kind": "card", "faction": "chaos", "threat": 1}},
            "battle: b: table is missing (give threat to archery and clash dice, or the name of a card)",
        ),
        (
            "battle",
            {
                "a": BLUE,
                "b": {
                    "kind": "card",
                    "faction": "chaos",
                    "threat": 1,
                    "table": {"1": {"archery": ["red"] * 61, "clash": []}},
                },
            },
            "battle: b: row 1: 61 dice in archery (give at most 60)",
        ),
        ("campaign", {"a": BLUE, "enemies": []}, "campaign: 0 enemies (give 1 to 30)"),
        (
            "round",
            {"a": PLAYERS, "b": garrison(1), "rolled_a": [1], "rolled_b": [0, 0, 0]},
            "round: rolled_a is [1] (give three numbers: skulls, shields, bolts)",
        ),
        ("soft_target", {"hexes": {}}, "soft_target: no hexes (give at least one, with its units and haven)"),
        ("raise_threat", {"threat": -1}, "raise_threat: threat is -1 (give a whole number from 1 to 7)"),
        (
            "place_skeletons",
            {"hexes": {"A": 3}, "placed": []},
            "place_skeletons: A is 3 (give a whole number from 0 to 2)",
        ),
        (
            "place_skeletons",
            {"hexes": dict.fromkeys("ABCDEF", 2), "placed": ["A"]},
            "place_skeletons: 12 skeletons stand already (there are 11, UP-GEN-2)",
        ),
        (
            "build",
            {"units": {"Koloth": 1}, "pay": {"Koloth": "plunder"}},
            "build: Koloth cannot be paid with plunder (give one of salt)",
        ),
        (
            "scoring",
            {"players": [{"haven": 1}]},
            "scoring: player 1: unknown field 'haven' (did you mean 'havens'?)",
        ),
    ],
)
def test_messages(question: str, details: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        ask(question, **details)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("limit", "question", "details", "message"),
    [
        (
            "dice.symbols.MOST_CELLS",
            "pool",
            {"pool": {"red": 5, "black": 6}},
            "pool: exact needs more than 3 results for 11 dice (use fewer dice)",
        ),
        (
            "pools.compiling.MOST_PAIRS",
            "battle",
            {"a": units("blue", "red"), "b": garrison(1)},
            "battle: 4 pairs of results in one round are too many (use fewer dice)",
        ),
        (
            "pools.compiling.MOST_STATES",
            "battle",
            {"a": units("blue", "red"), "b": garrison(3)},
            "battle: more than 3 states (use smaller sides)",
        ),
        (
            "pools.simulate.MOST_STAGES",
            "battle",
            {"a": units("blue", "blue"), "b": garrison(3), "method": "simulate", "trials": 500},
            "battle: not over after 3 rounds (give a side dice with more blows)",
        ),
    ],
)
def test_what_is_too_large(
    monkeypatch: pytest.MonkeyPatch, limit: str, question: str, details: dict[str, Any], message: str
) -> None:
    monkeypatch.setattr(f"mathhammer.{limit}", 3)
    with pytest.raises(mh.MathhammerError) as caught:
        ask(question, **details)
    assert str(caught.value) == message


def test_there_is_no_plain_fight() -> None:
    system = get_game("uprising")
    assert set(system.questions) >= {"pool", "quest", "best_cunning", "round", "battle", "campaign"}
    someone = Unit("uprising", "Koloth", (), "threat")
    assert system.attacks is None
    with pytest.raises(
        mh.BadInputError, match=r"^fight: Uprising: .* has no units with weapons \(ask mathhammer"
    ):
        mh.fight(someone, someone)


# --- properties -------------------------------------------------------------------------------------------------------

POOL = st.lists(st.sampled_from(COLOURS), min_size=0, max_size=4)


@given(POOL, st.integers(0, 4))
def test_pool_distributions_add_up_and_rerolls_leave_fewer_blanks(colours: list[str], reroll: int) -> None:
    number = {colour: colours.count(colour) for colour in colours}
    plain, again = ask("pool", pool=number), ask("pool", pool=number, reroll=reroll)
    for answer in (plain, again):
        assert sum(answer["joint"].values()) == pytest.approx(1.0, abs=1e-12)
    assert sum(again["mean"]) >= sum(plain["mean"]) - 1e-12
    if not reroll:
        assert again["joint"] == plain["joint"]


@pytest.mark.rule("UP-RR-2")
@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.lists(st.integers(0, 3), max_size=2))
def test_rerolls_by_enumeration(blanks: list[int], rerolls: list[int]) -> None:
    """UP-RR-2: the law against the tree of all throws, one branch after the other; no effect throws a die twice."""
    dice = tuple(Die(f"d{n}", ((("skull",),) * 2 + ((),) * blank)) for n, blank in enumerate(blanks))

    def tree(shown: list[bool], left: tuple[int, ...], place: int, effect: int) -> dict[int, Fraction]:
        if effect == len(left) + 1:
            return {sum(shown): Fraction(1)}
        if place == len(dice):
            return tree(shown, left, 0, effect + 1)
        if effect and (shown[place] or left[effect - 1] == 0):
            return tree(shown, left, place + 1, effect)
        now = left if not effect else (*left[: effect - 1], left[effect - 1] - 1, *left[effect:])
        found: dict[int, Fraction] = {}
        for skull, ways in ((True, 2), (False, blanks[place])):
            after = [*shown[:place], skull, *shown[place + 1 :]] if effect else [*shown, skull]
            for key, chance in tree(after, now, place + 1, effect).items():
                found[key] = found.get(key, Fraction(0)) + chance * Fraction(ways, 2 + blanks[place])
        return found

    law = pool_distribution(dice, ("skull",), tuple(rerolls))
    assert {counts[0]: Fraction(weight, law.total) for counts, weight in law.weights.items()} == tree(
        [], tuple(rerolls), 0, 0
    )


@given(
    POOL.filter(bool), st.integers(1, 3), st.sampled_from(["ice", "marsh", "forest", "highlands", "cursed"])
)
def test_battles_end_and_balance(colours: list[str], level: int, terrain: str) -> None:
    answer = ask("battle", a=units(*colours), b=garrison(level), terrain=terrain)
    assert answer["p_win"] + answer["p_lose"] + answer["p_draw"] == pytest.approx(1.0, abs=1e-12)
    assert answer["expected_survivors_a"] + answer["expected_losses_a"] == pytest.approx(
        len(colours), abs=1e-9
    )
    assert answer["expected_remaining_b"] + answer["expected_losses_b"] == pytest.approx(level, abs=1e-9)


@given(POOL.filter(bool), st.sampled_from(COLOURS))
def test_one_more_unit_never_hurts(colours: list[str], more: str) -> None:
    fewer, with_it = (
        ask("battle", a=units(*dice), b=garrison(2))["p_win"] for dice in (colours, [*colours, more])
    )
    assert with_it >= fewer - 1e-12


@given(st.integers(0, 4))
def test_the_best_split_is_the_best(cunning: int) -> None:
    goals = [{"skull": 2}, {"shield": 1}]
    best = ask("best_cunning", pool={"purple": 1}, cunning=cunning, goals=goals)
    assert best["yellow"] + best["white"] == cunning
    for yellow in range(cunning + 1):
        split = {"purple": 1, "yellow": yellow, "white": cunning - yellow}
        assert ask("quest", pool=split, goals=goals)["p_success"] <= best["p_success"] + 1e-12


# --- three ways to one answer -----------------------------------------------------------------------------------------

POWER = {"effect": "skulls", "n": 1, "limit": "combat"}
HARD = [
    {
        "id": "powers of both sides",
        "input": {
            "terrain": "forest",
            "a": units(
                "purple",
                "purple",
                "red",
                bolt_policy="god_power_first",
                god_power=[POWER, {"effect": "shields", "n": 2, "limit": "round"}],
                reroll=1,
            ),
            "b": card(
                4,
                ["purple", "red", "purple", "white"],
                god_power={"effect": "skulls", "n": 2, "limit": "combat"},
                reroll=2,
            ),
        },
    },
    {
        "id": "dice after damage",
        "input": {
            "a": units(
                "blue",
                "blue",
                "red",
                bonus={"after_damage": ["yellow"], "archery": ["red"], "clash": ["white"]},
            ),
            "b": {"kind": "skeletons", "faction": "chaos", "count": 2, "bonus": {"after_damage": ["white"]}},
        },
    },
    {
        "id": "no shields, no archery",
        "input": {
            "a": units("blue", "blue", "white", "black"),
            "b": card(
                3,
                ["red", "blue", "purple"],
                stops_shields=True,
                skips_archery=True,
                god_power={"effect": "none", "limit": "none"},
            ),
        },
    },
    {
        "id": "no bolts, dice by condition",
        "input": {
            "terrain": "badlands",
            "a": units("purple", "red", "black", casualty_order=["u2", "u0"]),
            "b": card(
                3,
                ["red", "blue", "yellow"],
                stops_bolts=True,
                extra=[
                    {"when": "badlands", "archery": ["red", "red"]},
                    {"when": "target_marker", "clash": ["purple"]},
                ],
                conditions=["target_marker"],
            ),
        },
    },
    {
        "id": "chaos attacks",
        "input": {"a": {"kind": "skeletons", "faction": "chaos", "count": 2}, "b": garrison(3)},
    },
]
BATTLES = [case for case in CASES if case["kind"] == "battle"] + HARD
CAMPAIGNS = [case for case in CASES if case["kind"] == "campaign"] + [
    {
        "id": "skeletons, then their horde, then a garrison",
        "input": {
            "a": units(*["blue"] * 4, "red"),
            "enemies": [{"kind": "skeletons", "faction": "chaos", "count": 2}, garrison(1)],
            "horde": card(2, ["red", "white"]),
        },
    }
]
QUESTS = [case for case in CASES if case["kind"] == "quest"] + [
    {
        "id": "with rerolls",
        "input": {
            "pool": {"red": 2, "white": 2, "purple": 1},
            "goals": [{"skull": 4, "vp": 1}, {"shield": 1, "vp": 2}, {"bolt": 2}],
            "need": 2,
            "success_vp": 1,
            "reroll": 2,
        },
    }
]


def with_faces(case: dict[str, Any]) -> dict[str, Any]:
    return {"faces": FACES, **case["input"]}


def close(exact: float, seen: float, error: float) -> None:
    assert abs(seen - exact) <= LIMIT * error + 1e-9


def close_share(p: float, seen: float, trials: int) -> None:
    close(p, seen, sqrt(max(0.0, p * (1 - p)) / trials))


@pytest.mark.parametrize("case", BATTLES, ids=lambda case: case["id"])
def test_simulated_battles_agree_with_exact(case: dict[str, Any]) -> None:
    trials = 200_000
    asked = with_faces(case)
    exact, played = (
        ask("battle", **asked),
        ask("battle", **asked, method="simulate", trials=trials, seed=20261116),
    )
    assert played["trials"] == trials
    for key in ("p_win", "p_lose", "p_draw", "p_horde_formed"):
        close_share(exact[key], played[key], trials)
    for key in ("expected_losses_a", "expected_losses_b", "expected_vp_a", "expected_clash_rounds"):
        close(exact[key], played[key], played["standard_errors"][key])
    for key in ("survivors_a", "remaining_b"):
        for value, chance in exact[key].to_dict().items():
            close_share(chance, played[key][value], trials)


@pytest.mark.parametrize("case", BATTLES, ids=lambda case: case["id"])
def test_the_referee_agrees_with_exact_battles(case: dict[str, Any]) -> None:
    games = 100_000
    asked = with_faces(case)
    exact, seen = ask("battle", **asked), naive_symbols.battle(asked, games, seed=3)
    a, b = seen["left"]
    close_share(exact["p_win"], ((a > 0) & (b == 0)).mean(), games)
    close_share(exact["p_lose"], ((a == 0) & (b > 0)).mean(), games)
    close_share(exact["p_draw"], ((a == 0) & (b == 0)).mean(), games)
    close_share(exact["p_horde_formed"], seen["horde"].mean(), games)
    for key, values in (
        ("expected_losses_a", seen["lost"][0]),
        ("expected_losses_b", seen["lost"][1]),
        ("expected_vp_a", seen["vp"]),
        ("expected_clash_rounds", seen["rounds"]),
        ("expected_survivors_a", a),
        ("expected_remaining_b", b),
    ):
        close(exact[key], values.mean(), values.std() / sqrt(games))


@pytest.mark.parametrize("case", CAMPAIGNS, ids=lambda case: case["id"])
def test_campaigns_three_ways(case: dict[str, Any]) -> None:
    trials = 100_000
    asked = with_faces(case)
    exact, played = (
        ask("campaign", **asked),
        ask("campaign", **asked, method="simulate", trials=trials, seed=5),
    )
    seen = naive_symbols.campaign(asked, trials, seed=8)
    for p, mine, theirs in zip(
        exact["p_clear_through"], played["p_clear_through"], seen["p_clear_through"], strict=True
    ):
        close_share(p, mine, trials)
        close_share(p, theirs, trials)
    close(exact["expected_vp_a"], played["expected_vp_a"], played["standard_errors"]["expected_vp_a"])
    close(exact["expected_vp_a"], seen["vp"].mean(), seen["vp"].std() / sqrt(trials))
    for survivors in (played["expected_survivors_a"], seen["survivors"].mean()):
        close(exact["expected_survivors_a"], survivors, exact["survivors_a"].sd() / sqrt(trials))


@pytest.mark.parametrize("case", QUESTS, ids=lambda case: case["id"])
def test_quests_three_ways(case: dict[str, Any]) -> None:
    trials = 200_000
    asked = with_faces(case)
    exact, played = ask("quest", **asked), ask("quest", **asked, method="simulate", trials=trials, seed=5)
    seen = naive_symbols.quest(asked, trials, seed=8)
    for found in (played, seen):
        close_share(exact["p_success"], found["p_success"], trials)
        for p, share in zip(exact["p_goal"], found["p_goal"], strict=True):
            close_share(p, share, trials)
    spread = seen["vp"].std() / sqrt(trials)
    close(exact["expected_vp"], played["expected_vp"], spread)
    close(exact["expected_vp"], seen["vp"].mean(), spread)


def test_simulated_pools_agree_with_exact() -> None:
    asked: dict[str, Any] = {"pool": {"red": 2, "white": 1, "black": 1}, "reroll": 1}
    exact, played = ask("pool", **asked), ask("pool", **asked, method="simulate", trials=300_000, seed=2)
    assert set(played["joint"]) <= set(exact["joint"])
    for counts, chance in exact["joint"].items():
        close_share(chance, played["joint"].get(counts, 0.0), 300_000)


def test_the_same_seed_gives_the_same_battles_however_they_are_cut() -> None:
    from mathhammer.pools import simulate as symbol_play

    asked: dict[str, Any] = {
        "a": units("blue", "red"),
        "enemies": [garrison(2), garrison(1)],
        "method": "simulate",
        "trials": 3000,
        "seed": 4,
    }
    whole = ask("campaign", **asked)
    block = symbol_play.BLOCK
    try:
        symbol_play.BLOCK = 501
        assert ask("campaign", **asked) == whole
    finally:
        symbol_play.BLOCK = block
    assert ask("campaign", **{**asked, "seed": 5}) != whole


def test_the_referee_rolls_what_the_faces_say() -> None:
    rng = np.random.default_rng(1)
    rolled = naive_symbols.throw(rng, {"white": [["skull", "shield"], []]}, ["white"] * 2, 10_000, [])
    assert set(map(tuple, rolled.tolist())) == {(0, 0, 0), (1, 1, 0), (2, 2, 0)}
