"""Uprising: rules one by one; dice that always show the same make the numbers plain."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import mathhammer as mh
from mathhammer.games.uprising.sides import read_side

# Dice of one face each: red a skull, blue a shield, purple a bolt, black two skulls, yellow and white nothing.
SURE = {
    "red": [["skull"]],
    "blue": [["shield"]],
    "purple": [["bolt"]],
    "black": [["skull", "skull"]],
    "yellow": [[]],
    "white": [[]],
}


def ask(question: str, **details: Any) -> dict[str, Any]:
    return dict(mh.odds("uprising", question, **details))


def fought(a: dict[str, Any], b: dict[str, Any], **more: Any) -> dict[str, Any]:
    return ask("battle", a=a, b=b, **({"faces": SURE} | more))


def units(*dice: str, **more: Any) -> dict[str, Any]:
    figures = [
        {"name": f"u{n}", "die": die.rstrip("*"), "archer": die.endswith("*")} for n, die in enumerate(dice)
    ]
    return {"kind": "units", "faction": "player", "units": figures, **more}


def garrison(*rows: str) -> dict[str, Any]:
    return {
        "kind": "garrison",
        "faction": "empire",
        "level": len(rows),
        "table": {str(n): row for n, row in enumerate(rows, 1)},
    }


def card(*rows: str, **more: Any) -> dict[str, Any]:
    table = {str(n): row for n, row in enumerate(rows, 1)}
    return {"kind": "card", "faction": "chaos", "threat": len(rows), "table": table, "destroy_vp": 3, **more}


# --- dice and heroes --------------------------------------------------------------------------------------------------


@pytest.mark.rule("UP-DICE-1", "UP-DICE-2")
def test_a_face_has_any_number_of_symbols() -> None:
    """UP-DICE-1, UP-DICE-2: two dice with a blank, a skull and a skull with a shield, counted out."""
    faces = [[], ["skull"], ["skull", "shield"]]
    law: dict[tuple[int, int, int], float] = {}
    for pair in itertools.product(faces, faces):
        shown = [symbol for face in pair for symbol in face]
        key = (shown.count("skull"), shown.count("shield"), shown.count("bolt"))
        law[key] = law.get(key, 0.0) + 1 / 9
    assert ask("pool", pool={"white": 2}, faces={"white": faces})["joint"] == pytest.approx(law)


@pytest.mark.rule("UP-DICE-4", "UP-RR-3", "UP-RR-1")
def test_the_strongest_blank_is_rerolled_first() -> None:
    """UP-DICE-4, UP-RR-3: of a black and a white blank the black die is thrown again."""
    faces = {"black": [[], ["skull"]], "white": [[], ["shield"]]}
    joint = ask("pool", pool={"black": 1, "white": 1}, reroll=1, faces=faces)["joint"]
    law: dict[tuple[int, int, int], float] = {}
    for black, white, again in itertools.product((0, 1), repeat=3):
        skulls, shields = (again, white) if black == 0 else (1, again if white == 0 else 1)
        law[skulls, shields, 0] = law.get((skulls, shields, 0), 0.0) + 1 / 8
    assert joint == pytest.approx(law)


@pytest.mark.rule("UP-HERO-2")
def test_heroes_bring_nothing_to_a_combat() -> None:
    """UP-HERO-2: a side has no place for one, and a hero alone is not a side."""
    with pytest.raises(mh.MathhammerError, match=r"battle: a: unknown field 'hero'"):
        fought(units("red", hero={"might": 3}), garrison("|R"))
    with pytest.raises(mh.BadInputError, match=r"battle: a: 0 units"):
        fought(units(), garrison("|R"))


@pytest.mark.rule("UP-QST-5")
def test_other_rolls_of_a_hero_use_the_same_dice() -> None:
    """UP-QST-5: might 2 and charisma 1 outside of quests; a bolt feeds nothing there."""
    pool = ask("hero_dice", might=2, charisma=1)["pool"]
    joint = ask("pool", pool=pool)["joint"]
    red, blue = ([2, 1, 1, 1, 0, 0], [0, 1, 0, 0, 0, 0]), ([0, 0, 1, 1, 1, 0], [1, 1, 0, 0, 0, 0])
    law: dict[tuple[int, int, int], float] = {}
    for a, b, c in itertools.product(range(6), repeat=3):
        key = (red[0][a] + red[0][b] + blue[0][c], blue[1][c], red[1][a] + red[1][b])
        law[key] = law.get(key, 0.0) + 1 / 216
    assert joint == pytest.approx(law)
    assert "god_power" not in ask("quest", hero={"magic": 1}, goals=[{"bolt": 1}])


# --- combat -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("UP-SYM-3")
def test_a_point_destroys_a_piece_and_the_rest_is_lost() -> None:
    """UP-SYM-3: two skulls take two levels, two points of threat or two units, and never more than there are."""
    won = fought(units("black", "black"), garrison("|W", "|W"))  # four skulls on two levels
    assert (won["p_win"], won["expected_losses_b"], won["expected_clash_rounds"]) == (1.0, 2.0, 1.0)
    assert fought(units("black"), card("|W", "|W", "|W", "|W", "|W"))["expected_clash_rounds"] == 3.0
    assert fought(units("white", "white", "white"), card("|K"))["expected_losses_a"] == 3.0


@pytest.mark.rule("UP-CMB-6", "UP-GAR-1")
def test_rows_are_read_anew_in_each_round() -> None:
    """UP-CMB-6, UP-GAR-1: archery takes the second level, and with it the row that would strike back."""
    archer = units("red*")
    end = fought(archer, garrison("|W", "|R"))
    assert (end["p_win"], end["expected_survivors_a"]) == (1.0, 1.0)
    both = fought(units("red"), garrison("|W", "|R"))  # without archery the upper row strikes once
    assert (both["p_lose"], both["expected_remaining_b"]) == (1.0, 1.0)


@pytest.mark.rule("UP-DEF-1")
def test_defences_stand_only_with_a_unit() -> None:
    """UP-DEF-1: tower and wall would stop the skull of a clash, but the only unit falls in archery."""
    shields = SURE | {"white": [["shield"]]}
    alone = units("yellow", tower=True, wall=True)
    end = fought(alone, garrison("RR|R"), faces=shields)
    assert (end["p_lose"], end["expected_losses_a"], end["expected_clash_rounds"]) == (1.0, 1.0, 0.0)
    two = fought(units("yellow", "red", tower=True, wall=True), garrison("RR|R"), faces=shields)
    assert (two["p_win"], two["expected_losses_a"]) == (
        1.0,
        1.0,
    )  # one skull passes the tower, none passes tower and wall


@pytest.mark.rule("UP-CMB-8")
def test_skulls_after_damage_belong_to_the_same_round() -> None:
    """UP-CMB-8: one level on the spot after archery, one in the clash, one on the spot after it."""
    walls = garrison("|W", "|W", "|W")
    assert fought(units("red", bonus={"after_damage": ["red"]}), walls)["expected_clash_rounds"] == 1.0
    assert fought(units("red"), walls)["expected_clash_rounds"] == 3.0
    late = fought(units("red", bonus={"after_damage": ["red"]}), garrison("|R"))
    assert (late["p_win"], late["expected_survivors_a"]) == (1.0, 1.0)  # gone before its clash


@pytest.mark.rule("UP-CMB-9")
def test_once_per_combat_is_once() -> None:
    """UP-CMB-9: a power of two skulls besides one skull, on five units who harm nobody: 3, 1 and 1 fall, or 3 and 2."""
    for limit, rounds in (("combat", 3.0), ("round", 2.0)):
        power = {"effect": "skulls", "n": 2, "limit": limit}
        end = fought(units(*["white"] * 5), card("|PR", god_power=power))
        assert end["expected_clash_rounds"] == rounds
        assert end["p_lose"] == 1.0


@pytest.mark.rule("UP-CMB-1", "UP-CMB-2")
def test_players_empire_and_chaos_are_enemies() -> None:
    """UP-CMB-1, UP-CMB-2: nobody fights his own side; Empire and Chaos fight by the same rules."""
    with pytest.raises(mh.BadInputError, match="both sides are player"):
        fought(units("red"), units("red"))
    assert (
        fought(garrison("|R", "|RR"), {"kind": "skeletons", "faction": "chaos", "count": 1})["p_win"] == 1.0
    )


@pytest.mark.rule("UP-AFT-2", "UP-VP-1", "UP-VP-2")
def test_a_destroyed_card_gives_its_points() -> None:
    """UP-AFT-2, UP-VP-2: also when the last unit falls with it; UP-VP-1: a level gives its point even if the combat is lost."""
    draw = fought(units("red"), card("|R"))
    assert (draw["p_draw"], draw["expected_vp_a"]) == (1.0, 3.0)
    assert fought(units("white", "red"), card("|R", "|R"))["expected_vp"] == {"player": 3.0, "chaos": 0.0}
    lost = fought(units("red"), garrison("|R", "|W", "|W"))
    assert (lost["p_win"], lost["expected_vp_a"]) == (0.0, 3.0)
    beaten = fought(units("red"), garrison("|R", "|R"))
    assert (beaten["p_lose"], beaten["expected_vp_a"]) == (1.0, 1.0)


@pytest.mark.rule("UP-THR-3", "UP-THR-4", "UP-THR-5")
def test_powers_and_points_are_data_of_a_card() -> None:
    """UP-THR-3, UP-THR-4, UP-THR-5: the Imperial Guard has two shields for a bolt, Oda two skulls for every bolt."""
    guard, oda = (
        read_side("test", {"kind": "card", "name": name, "threat": 5})
        for name in ("Imperial Guard", "Oda the Fallen")
    )
    assert [(p.effect, p.n, p.limit) for p in (*guard.powers, *oda.powers)] == [
        ("shields", 2, "round"),
        ("skulls", 2, "none"),
    ]
    assert (guard.destroy_vp, oda.destroy_vp, guard.initiative) == (5, 5, 12)
    assert guard.rows[5] == (("white", "blue"), ("purple", "blue", "blue", "red", "yellow", "yellow"))


@pytest.mark.rule("UP-TER-1", "UP-TER-6", "UP-TER-7")
def test_hexes_without_effect() -> None:
    """UP-TER-1, UP-TER-6: ice, the Capital and unexplored hexes leave pools and bolts as they are, a cursed hex does not."""
    a, b = units("purple", "red", "red*"), garrison("R|BR", "RR|BBR")
    plain = [fought(a, b, terrain=terrain) for terrain in ("ice", "capital", "unexplored")]
    assert [{k: v for k, v in end.items() if k != "explain"} for end in plain[1:]] == [
        {k: v for k, v in plain[0].items() if k != "explain"}
    ] * 2
    assert (
        fought(units("purple", "red"), card("|B"), terrain="ice")["p_win"] == 1.0
    )  # the bolt takes the shield away
    with pytest.raises(
        mh.BadInputError, match="it can go on for ever"
    ):  # cursed: in every round the shield stays (UP-TER-7)
        fought(units("purple", "red"), card("|B"), terrain="cursed")


# --- words and defaults -----------------------------------------------------------------------------------------------


@pytest.mark.rule("UP-NEM-2", "UP-NEM-3")
def test_the_first_choice_in_words() -> None:
    """UP-NEM-2, UP-NEM-3."""
    found = ask("soft_target", hexes={"north": {"units": 2}, "south": {"units": 1}, "east": {}})
    assert found["explain"].startswith("First choice: south.")


def test_goals_are_counted_from_1_in_words() -> None:
    lines = ask("quest", pool={"red": 2}, goals=[{"skull": 1}, {"skull": 2}], faces=SURE)[
        "explain"
    ].splitlines()
    assert [line.split(",")[0] for line in lines if line.startswith("Goal")] == ["Goal 1", "Goal 2"]


@pytest.mark.rule("UP-DEF-2")
def test_a_side_has_no_more_than_it_says() -> None:
    """UP-DEF-2: no tower, no rerolls and no initiative of its own."""
    side = read_side("a", units("red"))
    assert (side.tower, side.wall, side.reroll, side.initiative) == (False, False, 0, 0)
    town = read_side("b", garrison("R|R"))
    assert (town.tower, town.wall, town.reroll) == (False, False, 0)


@pytest.mark.rule("UP-QST-4")
def test_the_error_of_the_expected_points() -> None:
    """UP-QST-4: points of 0 or 3 on one die, so their spread is that of a coin, three times as wide."""
    faces = SURE | {"red": [["skull"], []]}
    found = ask(
        "quest",
        pool={"red": 1},
        goals=[{"skull": 1}],
        success_vp=3,
        faces=faces,
        method="simulate",
        trials=10_000,
        seed=4,
    )
    share = found["p_success"]
    assert found["expected_vp"] == pytest.approx(3 * share)
    assert found["standard_errors"]["expected_vp"] == pytest.approx(3 * (share * (1 - share) / 10_000) ** 0.5)


@pytest.mark.rule("UP-CMB-8")
def test_bolts_after_damage_feed_no_power() -> None:
    """UP-CMB-8: in the window only skulls count, so a bolt in it does not become two skulls."""
    power = {"effect": "skulls", "n": 2, "limit": "round"}
    end = fought(units("red"), card("|W", "|W", "|W", god_power=power, bonus={"after_damage": ["purple"]}))
    assert (end["p_win"], end["expected_clash_rounds"]) == (1.0, 3.0)


@pytest.mark.rule("UP-SYM-2")
def test_both_sides_strike_at_once() -> None:
    """UP-SYM-2: one unit and one level, a skull each: both are gone, nobody was faster."""
    end = fought(units("red"), garrison("|R"))
    assert (end["p_draw"], end["expected_clash_rounds"]) == (1.0, 1.0)


@pytest.mark.rule("UP-RR-2")
def test_a_side_that_rerolls_its_blanks_does_so_in_every_round() -> None:
    """UP-RR-2: half of the faces are blank; two blanks in a row have a chance of a quarter, in each round."""
    faces = SURE | {"white": [[], ["skull"]], "blue": [[]]}
    end = fought(units("blue", "blue"), card("|W", reroll=1), faces=faces)
    assert end["expected_clash_rounds"] == pytest.approx(2 / (3 / 4))


@pytest.mark.rule("UP-GAR-1", "UP-GAR-2")
def test_garrisons_have_a_level_and_the_dice_of_the_table() -> None:
    """UP-GAR-2: a white die in archery and a blue one in a clash for each level; UP-GAR-1: level 1 to 3, and one must be said."""
    for level in (1, 2, 3):
        end = fought(units("red*"), {"kind": "garrison", "level": level}, faces=SURE | {"blue": [[]]})
        assert (end["p_win"], end["expected_clash_rounds"]) == (1.0, level - 1.0)
    shot = fought(
        units("yellow", "yellow"), {"kind": "garrison", "level": 2}, faces=SURE | {"white": [["skull"]]}
    )
    assert (shot["p_lose"], shot["expected_clash_rounds"]) == (1.0, 0.0)
    for wrong, message in (
        ({}, r"level is missing"),
        ({"level": 4}, r"level is 4 \(give a whole number from 1 to 3\)"),
    ):
        with pytest.raises(mh.BadInputError, match=rf"^battle: b: {message}"):
            fought(units("red"), {"kind": "garrison", **wrong})


@pytest.mark.rule("UP-SKE-1")
def test_skeletons_roll_a_red_die_each() -> None:
    """UP-SKE-1: two of them, two skulls, two units gone in the first clash; one of them takes two rounds."""
    for count, rounds in ((2, 1.0), (1, 2.0)):
        end = fought(
            units("blue", "blue"), {"kind": "skeletons", "count": count}, faces=SURE | {"blue": [[]]}
        )
        assert (end["p_lose"], end["expected_clash_rounds"]) == (1.0, rounds)
