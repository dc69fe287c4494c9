"""Uprising: what cards, havens, items and orders of enemies do to a combat, against enumeration of every face."""

from __future__ import annotations

from typing import Any

import naive_uprising as naive
import pytest

import mathhammer as mh

LETTERS = {"W": "white", "Y": "yellow", "R": "red", "B": "blue", "P": "purple", "K": "black"}
YOUNGLING, KOLOTH = {"die": "blue", "cost": 2}, {"die": "black", "cost": 7, "rider": True}
TRIALS = 200_000


def ask(question: str, **details: Any) -> dict[str, Any]:
    return dict(mh.odds("uprising", question, **details))


def rows(*texts: str) -> dict[int, tuple[list[str], list[str]]]:
    """Rows of dice for threat 1, 2, ..."""
    found = {}
    for threat, text in enumerate(texts, 1):
        archery, clash = text.split("|")
        found[threat] = ([LETTERS[c] for c in archery], [LETTERS[c] for c in clash])
    return found


def band(*units: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"faction": "player", "units": list(units), **more}


def card(
    faction: str, strength: int, dice: dict[int, Any], power: dict[str, Any], **more: Any
) -> dict[str, Any]:
    whole = {"faction": faction, "card": True, "strength": strength, "rows": dice, "most": max(dice)}
    return {**whole, "powers": [power], **more}


def garrison(level: int) -> dict[str, Any]:
    dice = rows("W|B", "WW|BB", "WWW|BBB")
    return {"faction": "empire", "garrison": True, "strength": level, "rows": dice}


MESSIAH = card(
    "chaos", 3, rows("W|BWW", "WW|BBW", "WW|RBBW"), {"effect": "none", "limit": "combat"}, red_with=True
)
BANISHED = card(
    "chaos",
    3,
    rows("B|R", "B|RW", "BB|PRW"),
    {"effect": "destroy", "units": 1, "threat": 2, "limit": "round"},
    reroll=2,
)
LICH = rows("W|WWW", "W|YWWW", "W|PYWWW", "WW|PYYWW", "WW|PRYYW", "WW|PRRYY", "WWW|KPRRY")
LICH_QUEEN = card("chaos", 3, LICH, {"effect": "grow", "n": 1, "limit": "round"})
WYRM = rows("R|R", "R|RR", "R|RRR", "RR|RRRR")
BLOODWYRM = card("chaos", 3, WYRM, {"effect": "curse", "limit": "combat"})
SIREN = card(
    "chaos", 2, rows("B|PW", "BB|PWW", "BB|PYWW"), {"effect": "leave", "limit": "combat"}, stops_bolts=True
)
EMPEROR = card("empire", 2, rows("W|PBY", "WW|PYW"), {"effect": "vp", "n": 2, "limit": "round"})


def check(
    a: str, b: str, naive_a: dict[str, Any], naive_b: dict[str, Any], terrain: str = "ice"
) -> dict[str, Any]:
    """Exact is the enumeration, and simulation agrees with it."""
    exact = ask("battle", a=a, b=b, terrain=terrain)
    found = naive.combat(naive_a, naive_b, terrain)
    for name in ("win", "lose", "draw", "left"):
        assert exact[f"p_{name}"] == pytest.approx(naive.chance(found["ends"], name), abs=1e-10)
    played = ask("battle", a=a, b=b, terrain=terrain, method="simulate", trials=TRIALS, seed=11)
    error = max(played["standard_errors"]["p_win"], 1e-6)
    assert abs(played["p_win"] - exact["p_win"]) / error < 6.2
    spread = played["standard_errors"]["expected_vp_a"]
    assert abs(played["expected_vp_a"] - exact["expected_vp_a"]) <= 6.2 * spread + 1e-6
    return {**exact, "naive": found}


# --- the False Messiah's red die ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.rule("UP-THR-5", "UP-DEF-1")
def test_the_false_messiah_sees_havens_and_empire() -> None:
    """UP-THR-5: a tower stands at a haven, a garrison is an Empire unit; with the power of each round it was 6.7 %."""
    found = check("3 Younglings, tower", "False Messiah 3", band(*[YOUNGLING] * 3, tower=True), MESSIAH)
    assert found["p_win"] == pytest.approx(0.0649, abs=5e-5)
    every_round = {"kind": "card", "name": "False Messiah", "threat": 3, "god_power": {"effect": "none"}}
    assert ask("battle", a="3 Younglings, tower", b=every_round)["p_win"] == pytest.approx(0.0672, abs=5e-5)
    found = check("garrison 2", "False Messiah 3", garrison(2), MESSIAH)
    assert found["p_win"] == pytest.approx(0.0072, abs=5e-5)
    for side in ("3 Younglings, haven", "3 Younglings, wall"):
        lines = ask("battle", a=side, b="False Messiah 3")["explain"]
        assert "clash: red, red" in lines.replace("2 red", "red, red")
    assert (
        "archery: 2 white; first clash: red, 2 blue, white"
        in ask("battle", a="3 Younglings", b="False Messiah 3")["explain"]
    )


# --- powers ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.rule("UP-THR-3", "UP-THR-5")
def test_the_banished_destroys_the_most_expensive_unit() -> None:
    """Koloth (7 resources) goes before damage, once per round; its die still counts in that round."""
    army = band(*[YOUNGLING] * 3, KOLOTH)
    found = check("3 Younglings, Koloth", "Banished 3", army, BANISHED)
    assert found["p_win"] == pytest.approx(0.2148, abs=5e-5)
    two = check(
        "2 Younglings, Koloth", "Banished 2", band(*[YOUNGLING] * 2, KOLOTH), {**BANISHED, "strength": 2}
    )
    assert two["p_win"] > found["p_win"]
    guard = card(
        "empire", 3, rows("W|RWW", "WW|BRWW", "WW|BRYWW"), {"effect": "shields", "n": 2, "limit": "round"}
    )
    check("Imperial Guard 3", "Banished 3", guard, BANISHED)  # 2 threat of a legion


@pytest.mark.slow
@pytest.mark.rule("UP-THR-1", "UP-THR-3")
def test_the_lich_queen_grows_before_damage() -> None:
    """UP-THR-1: a point more before damage, at most 7; beyond that it is a point for Chaos."""
    found = check("3 Younglings, Koloth", "Lich Queen 3", band(*[YOUNGLING] * 3, KOLOTH), LICH_QUEEN)
    assert found["p_win"] == pytest.approx(0.4914, abs=5e-5)
    top = check("2 Younglings", "Lich Queen 7", band(*[YOUNGLING] * 2), {**LICH_QUEEN, "strength": 7})
    assert top["naive"]["points"][1] > 0
    assert top["expected_vp"]["chaos"] == pytest.approx(top["naive"]["points"][1], abs=1e-10)


@pytest.mark.rule("UP-TER-7", "UP-NEM-3", "UP-THR-3")
def test_the_curse_of_the_bloodwyrm() -> None:
    """UP-TER-7: bolts of players are void from the next round on; UP-NEM-3: garrisons, tower and wall go."""
    purple = {"die": "purple"}
    check("2 purple warriors, blue warrior", "Bloodwyrm 3", band({"die": "blue"}, purple, purple), BLOODWYRM)
    check(
        "2 Younglings, tower, wall", "Bloodwyrm 3", band(*[YOUNGLING] * 2, tower=True, wall=True), BLOODWYRM
    )
    end = check("garrison 2", "Bloodwyrm 3", garrison(2), BLOODWYRM)
    plain = card("chaos", 3, WYRM, {"effect": "none", "limit": "combat"})
    assert end["p_lose"] > naive.chance(naive.combat(garrison(2), plain)["ends"], "lose") + 0.01
    haven = ask("battle", a="2 Younglings, haven", b="Bloodwyrm 3")
    assert "the hex is cursed after damage (UP-TER-7, UP-NEM-3)" in haven["explain"]
    assert haven["p_haven_lost"] > haven["p_lose"]


@pytest.mark.rule("UP-THR-3", "UP-BOLT-4")
def test_the_siren_leaves_and_the_emperor_scores() -> None:
    """After damage the Siren is gone with her first bolt, and nobody scores; each of his rounds with a bolt 2 points."""
    found = check("3 Younglings", "Siren 2", band(*[YOUNGLING] * 3), SIREN)
    assert found["p_left"] > 0.2
    # the hex is free then: a later enemy is fought
    on = ask("campaign", a="3 Younglings", enemies=["Siren 2"])
    assert on["p_clear_through"][0] == pytest.approx(found["p_win"] + found["p_left"])
    emperor = check("3 Younglings", "New Emperor 2", band(*[YOUNGLING] * 3), EMPEROR)
    assert emperor["expected_vp"]["empire"] == pytest.approx(emperor["naive"]["points"][1], abs=1e-10)
    assert emperor["expected_vp"]["empire"] > 1


@pytest.mark.rule("UP-THR-3")
def test_the_warlock_removes_defences_or_threat() -> None:
    """Each bolt takes the wall, then the tower, then the haven; of a horde a point of threat."""
    faces = {"purple": [["bolt"]], "white": [[]], "blue": [["shield"]], "red": [["skull"]]}
    army = {"kind": "units", "units": [{"name": "u", "die": "red"}], "wall": True}

    def warlock(threat: int) -> dict[str, Any]:
        dice = {str(n): "|P" for n in range(1, threat + 1)}
        power = {"effect": "raze", "n": 1, "limit": "none"}
        return {"kind": "card", "faction": "empire", "threat": threat, "table": dice, "god_power": power}

    # a round for each point of threat, and a bolt in each: the wall, then the haven
    assert ask("battle", a=army, b=warlock(1), faces=faces)["p_haven_lost"] == 0.0
    assert ask("battle", a=army, b=warlock(2), faces=faces)["p_haven_lost"] == 1.0
    horde = {"kind": "card", "faction": "chaos", "threat": 2, "table": {"1": "|", "2": "|"}}
    quick = ask("battle", a=warlock(1), b=horde, faces=faces)
    assert (quick["p_win"], quick["expected_clash_rounds"]) == (1.0, 2.0)


def test_limits_and_points_of_cards_are_those_printed() -> None:
    """S6: limits by round or combat, and what else the cards print."""
    from mathhammer.games.uprising.sides import read_side

    powers = {}
    for name in ("Executioner", "False Messiah", "Siren", "Bloodwyrm", "Warlock", "New Emperor", "Courtesan"):
        side = read_side("x", {"kind": "card", "name": name, "threat": 1})
        powers[name] = (side.powers[0].effect, side.powers[0].limit)
    assert powers == {
        "Executioner": ("destroy", "combat"),
        "False Messiah": ("none", "combat"),
        "Siren": ("leave", "combat"),
        "Bloodwyrm": ("curse", "combat"),
        "Warlock": ("raze", "none"),
        "New Emperor": ("vp", "round"),
        "Courtesan": ("none", "round"),
    }
    assert read_side("x", {"kind": "card", "name": "Courtesan", "threat": 1}).initiative == 2


@pytest.mark.rule("UP-AFT-2")
def test_points_for_the_courtesan_are_skulls_of_the_hero() -> None:
    """A point for each skull of the hero's dice: two red ones show 5/3 on average; without a hero it is not known."""
    unknown = ask("battle", a="3 Younglings", b="Courtesan 2")
    assert unknown["expected_vp"]["player"] is None
    assert "player not known" in unknown["explain"]
    known = ask("battle", a="3 Younglings", b="Courtesan 2", hero={"might": 2})
    assert known["expected_vp"]["player"] == pytest.approx((known["p_win"] + known["p_draw"]) * 5 / 3)


# --- several combats ---------------------------------------------------------------------------------------


def in_a_row(a: dict[str, Any], enemies: list[dict[str, Any]], item: int) -> tuple[list[float], list[float]]:
    """The chance to clear each enemy, and the points that powers bring; the item of `first` in one combat."""
    going: dict[Any, float] = {(naive.begin(a, enemies[0])[1], False): 1.0}
    cleared, points = [], [0.0, 0.0]
    for number, enemy in enumerate(enemies, 1):
        own = a if number == item else {**a, "first": []}
        after: dict[Any, float] = {}
        for (alive, cursed), chance in going.items():
            done = naive.combat(own, enemy, start=naive.begin(own, enemy, alive, cursed))
            for (outcome, left, _, now_cursed), share in done["ends"].items():
                if outcome in ("win", "left"):
                    after[left, now_cursed] = after.get((left, now_cursed), 0.0) + chance * share
            lost = naive.chance(done["ends"], "lose") + naive.chance(done["ends"], "draw")
            won = naive.chance(done["ends"], "win") + naive.chance(done["ends"], "draw")
            points[0] += chance * won * enemy.get("vp", 0)
            points[1] += chance * lost * a.get("vp", 0)
        going = after
        cleared.append(sum(going.values()))
    return cleared, points


GUARD = card(
    "empire", 1, rows("W|RWW", "WW|BRWW", "WW|BRYWW"), {"effect": "shields", "n": 2, "limit": "round"}, vp=5
)


@pytest.mark.slow
@pytest.mark.rule("UP-VP-1", "UP-VP-2", "UP-CMB-7")
def test_every_faction_scores_in_several_combats() -> None:
    """UP-VP-2: Chaos scores the legion that it destroys, the Empire the horde."""
    wyrm = {**BLOODWYRM, "strength": 4, "vp": 4}
    clear, points = in_a_row(wyrm, [garrison(2), {**GUARD, "strength": 3}], 0)
    asked = {"a": "Bloodwyrm 4", "enemies": ["garrison 2", "Imperial Guard 3"]}
    found = ask("campaign", **asked)
    assert found["p_clear_through"] == pytest.approx(clear, abs=1e-10)
    assert found["expected_vp"] == pytest.approx({"chaos": points[0], "empire": points[1]}, abs=1e-10)
    assert min(found["expected_vp"].values()) > 1.5
    assert "Expected points (UP-VP-1, UP-VP-2): chaos 1.8656, empire 3.0187." in found["explain"]
    played = ask("campaign", **asked, method="simulate", trials=TRIALS, seed=5)
    error = played["standard_errors"]["expected_vp_a"]
    assert abs(played["expected_vp_a"] - found["expected_vp_a"]) / error < 6.2


@pytest.mark.rule("UP-GEN-3", "UP-CMB-7")
def test_an_item_is_discarded_in_one_combat() -> None:
    """UP-GEN-3: 60.5 % kept for the Imperial Guard, 43.7 % used at once; the better one unless it is said."""
    asked: dict[str, Any] = {
        "a": {
            "kind": "units",
            "units": [{"name": "Younglings", "count": 3}],
            "bonus": {"first_clash": ["red"] * 2},
        },
        "enemies": ["garrison 1", "Imperial Guard 1"],
    }
    army = band(*[YOUNGLING] * 3, first=["red", "red"])
    for item, percent in ((1, 0.437), (2, 0.605)):
        clear, _ = in_a_row(army, [garrison(1), GUARD], item)
        found = ask("campaign", **asked, item_in=item)
        assert found["p_clear_through"] == pytest.approx(clear, abs=1e-10)
        assert clear[-1] == pytest.approx(percent, abs=5e-4)
    best = ask("campaign", **asked)
    assert (best["item_in"], round(best["p_clear_through"][-1], 3)) == (2, 0.605)
    assert best["p_by_item"] == pytest.approx({1: 0.43713062, 2: 0.60508030}, abs=1e-7)
    played = ask("campaign", **asked, method="simulate", trials=TRIALS, seed=3)
    error = played["standard_errors"]["p_clear_through"][-1]
    assert abs(played["p_clear_through"][-1] - best["p_clear_through"][-1]) / error < 6.2
    with pytest.raises(
        mh.BadInputError, match=r"^campaign: item_in is 3 \(give a whole number from 1 to 2\)$"
    ):
        ask("campaign", **asked, item_in=3)


@pytest.mark.rule("UP-CMB-7")
def test_garrisons_come_first() -> None:
    """UP-CMB-7: whatever the order in which enemies are named; "given" keeps it."""
    asked = {"a": "3 Younglings", "enemies": ["Imperial Guard 1", "garrison 1"]}
    army = band(*[YOUNGLING] * 3)
    by_rule, _ = in_a_row(army, [garrison(1), GUARD], 0)
    as_given, _ = in_a_row(army, [GUARD, garrison(1)], 0)
    assert ask("campaign", **asked)["p_clear_through"] == pytest.approx(by_rule, abs=1e-10)
    assert ask("campaign", **asked, order="given")["p_clear_through"] == pytest.approx(as_given, abs=1e-10)
    assert by_rule[-1] == pytest.approx(0.418, abs=5e-4)
    assert as_given[-1] == pytest.approx(0.395, abs=5e-4)


# --- graveyards, havens, symbols of cards ------------------------------------------------------------------


@pytest.mark.rule("UP-VP-3", "UP-VP-4", "UP-AFT-1")
def test_graveyard_and_haven_points_of_a_combat() -> None:
    """UP-VP-3, UP-VP-4: 2 points for a faction in a graveyard; UP-AFT-1: the haven goes where only enemies remain."""
    army = band(*[YOUNGLING] * 2, haven=True)
    ends = naive.combat(army, garrison(2))["ends"]
    found = ask("battle", a="2 Younglings, haven", b="garrison 2")
    hurt = sum(share for (_, left, _, _), share in ends.items() if len(left) < 2)
    assert found["p_graveyard"] == {"empire": {"player": pytest.approx(hurt, abs=1e-10)}}
    assert found["expected_graveyard_vp"] == {"empire": pytest.approx(2 * hurt, abs=1e-10)}
    lost = naive.chance(ends, "lose")
    assert found["p_haven_lost"] == pytest.approx(lost, abs=1e-10)
    assert found["expected_haven_vp"] == pytest.approx(2 * (1 - lost), abs=1e-10)
    assert ask("battle", a="2 Younglings", b="garrison 2")["p_haven_lost"] is None
    # garrisons that Chaos destroys count as one faction there, cards do not
    chaos = ask("battle", a="garrison 1", b="False Messiah 3")
    assert list(chaos["p_graveyard"]["chaos"]) == ["garrison"]
    assert chaos["p_graveyard"]["empire"] == {}
    row = ask("campaign", a="2 Younglings, haven", enemies=["garrison 1", "Imperial Guard 1"])
    unhurt = row["survivors_a"].to_dict().get(2, 0.0)
    assert row["expected_graveyard_vp"]["empire"] == pytest.approx(2 * (1 - unhurt), abs=1e-10)


@pytest.mark.rule("UP-CMB-8")
def test_symbols_that_cards_add() -> None:
    """UP-CMB-8: a skull in every clash is a die that always shows one."""
    faces = {"blue": [["shield"], ["skull"], []], "black": [["skull"]]}
    units = [{"name": "u", "die": "blue", "count": 2}]
    foe = {"kind": "garrison", "level": 2, "table": {"1": "B|B", "2": "BB|BB"}}
    side = {"kind": "units", "units": units}
    by_die = ask("battle", a={**side, "bonus": {"clash": ["black"]}}, b=foe, faces=faces)
    by_card = ask("battle", a={**side, "symbols": {"clash": {"skull": 1}}}, b=foe, faces=faces)
    assert by_card["p_win"] == pytest.approx(by_die["p_win"], abs=1e-12)
    late = {"after_damage": {"skull": 1}}
    assert ask("battle", a={**side, "symbols": late}, b=foe, faces=faces)["expected_clash_rounds"] <= 1.0
    with pytest.raises(mh.MathhammerError, match=r"battle: a: symbols: clash: unknown field 'skul'"):
        ask("battle", a={**side, "symbols": {"clash": {"skul": 1}}}, b=foe, faces=faces)


@pytest.mark.rule("UP-UNIT-1", "UP-UNIT-2", "UP-GEN-2")
@pytest.mark.parametrize(
    ("side", "message"),
    [
        (
            "5 Younglings, Koloth",
            "battle: a: 6 units (give 1 to 5, the most of a faction on a hex, UP-UNIT-1)",
        ),
        ("2 Koloth", "battle: a: 2 Koloth (there are 1 of them in the box, UP-UNIT-1, UP-UNIT-2)"),
        (
            "2 Younglings, 2 Hunters",
            "battle: a: units of Duerkhar and Mohyar (give units of one faction, UP-UNIT-1)",
        ),
    ],
)
def test_units_of_a_hex(side: str, message: str) -> None:
    """UP-UNIT-1, UP-GEN-2."""
    with pytest.raises(mh.BadInputError) as error:
        ask("battle", a=side, b="garrison 1")
    assert str(error.value) == message


@pytest.mark.rule("UP-VP-4", "UP-VP-5")
def test_bought_points_may_be_given_to_any_player() -> None:
    """UP-VP-4, UP-VP-5: three points bought by the first player win the game for the second."""
    players = [{"havens": 3, "resources": 15}, {"havens": 1}]
    chaos = {"vp": 4}
    best = ask("scoring", players=players, chaos=chaos)
    assert (best["players"], best["bought"], best["players_win"]) == ([6, 5], [0, 3], True)
    buyer = ask("scoring", players=players, chaos=chaos, bought="buyer")
    assert (buyer["players"], buyer["players_win"]) == ([9, 2], False)
    said = ask("scoring", players=[{**players[0], "to": 2}, players[1]], chaos=chaos)
    assert said["players"] == [6, 5]
    with pytest.raises(
        mh.BadInputError, match=r"^scoring: player 1: to is 3 \(give a whole number from 1 to 2\)$"
    ):
        ask("scoring", players=[{"to": 3}, {}])


@pytest.mark.rule("UP-SKE-2")
def test_the_power_of_skeletons_in_words() -> None:
    """UP-SKE-2."""
    told = ask("battle", a="3 Younglings", b="2 skeletons")["explain"]
    assert "Bolts feed its god power first (no limit): a skeleton placed after damage (UP-SKE-2)" in told
