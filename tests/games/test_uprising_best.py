"""Uprising: best play of quests and combats, and which units to recruit, against plain enumeration."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import naive_uprising as naive
import pytest

import mathhammer as mh

TRIALS = 200_000


def ask(question: str, **details: Any) -> dict[str, Any]:
    return dict(mh.odds("uprising", question, **details))


# --- dice to reroll ----------------------------------------------------------------------------------------


def naive_quest(
    dice: list[str], goals: list[tuple[int, int, int]], need: int, most: int, vp: list[int] | None = None
) -> float:
    """The best mean over all choices of dice to roll again: every face, every set of dice."""

    def value(faces: Any) -> float:
        shown = [sum(face[k] for face in faces) for k in range(3)]
        met = [all(s >= g for s, g in zip(shown, goal, strict=True)) for goal in goals]
        if sum(met) < need:
            return 0.0
        return 1.0 if vp is None else float(sum(v for v, ok in zip(vp, met, strict=True) if ok))

    total = 0.0
    for first in product(*(naive.FACES[die] for die in dice)):
        best = 0.0
        for number in range(most + 1):
            for chosen in combinations(range(len(dice)), number):
                again = 0.0
                for faces in product(*(naive.FACES[dice[n]] for n in chosen)):
                    now = list(first)
                    for n, face in zip(chosen, faces, strict=True):
                        now[n] = face
                    again += value(now)
                best = max(best, again / 6**number)
        total += best
    return total / 6 ** len(dice)


@pytest.mark.rule("UP-RR-1", "UP-RR-3")
def test_the_best_dice_to_reroll() -> None:
    """UP-RR-1: 2 bolts of two red dice and a purple one: 30.1 % with blanks only, 46.3 % at best."""
    asked: dict[str, Any] = {"pool": {"red": 2, "purple": 1}, "goals": [{"bolt": 2}], "reroll": "any"}
    assert ask("quest", **asked)["p_success"] == pytest.approx(0.3014, abs=5e-5)
    best = ask("quest", **asked, best="chance")
    assert best["p_success"] == pytest.approx(0.4631, abs=5e-5)
    assert best["p_success"] == pytest.approx(
        naive_quest(["red", "red", "purple"], [(0, 0, 2)], 1, 3), abs=1e-12
    )
    assert "any number of dice rerolled as is best for chance (UP-RR-1)" in best["explain"]
    played = ask("quest", **asked, best="chance", method="simulate", trials=TRIALS, seed=2)
    assert abs(played["p_success"] - best["p_success"]) / played["standard_errors"]["p_success"] < 6.2


@pytest.mark.rule("UP-RR-1", "UP-QST-3", "UP-QST-4")
@pytest.mark.parametrize("most", [1, 2])
def test_rerolls_for_several_goals(most: int) -> None:
    """UP-QST-3, UP-QST-4: two of three goals, for success or for points."""
    goals = [{"skull": 2}, {"shield": 1, "vp": 2}, {"bolt": 1, "vp": 1}]
    least, vp = [(2, 0, 0), (0, 1, 0), (0, 0, 1)], [0, 2, 1]
    asked: dict[str, Any] = {
        "pool": {"red": 1, "white": 1, "purple": 1},
        "goals": goals,
        "need": 2,
        "reroll": most,
    }
    dice = ["red", "white", "purple"]
    by_chance = ask("quest", **asked, best="chance")
    assert by_chance["p_success"] == pytest.approx(naive_quest(dice, least, 2, most), abs=1e-12)
    by_points = ask("quest", **asked, best="points")
    assert by_points["expected_vp"] == pytest.approx(naive_quest(dice, least, 2, most, vp), abs=1e-12)
    assert by_points["expected_vp"] >= by_chance["expected_vp"] - 1e-12
    assert by_points["p_success"] <= by_chance["p_success"] + 1e-12


def test_best_rerolls_of_too_many_dice_are_refused() -> None:
    pool = {"red": 6, "white": 6, "purple": 6, "black": 6}
    with pytest.raises(
        mh.MathhammerError, match=r"^pool: best play needs more than 3000000 choices for 24 dice"
    ):
        ask("quest", pool=pool, goals=[{"bolt": 9}], reroll="any", best="chance")
    with pytest.raises(
        mh.MathhammerError, match=r"^quest: unknown aim of best play 'win' \(known: 'chance', 'points'\)"
    ):
        ask("quest", pool={"red": 1}, goals=[{"bolt": 1}], best="win")


@pytest.mark.rule("UP-HERO-3")
def test_cunning_split_by_points() -> None:
    """UP-HERO-3: shields need white dice and bring 3 points, skulls are likelier with yellow ones."""
    goals = [{"skull": 2}, {"shield": 2, "vp": 3}]
    asked: dict[str, Any] = {"cunning": 3, "goals": goals}
    chance, points = ask("best_cunning", **asked), ask("best_cunning", **asked, by="points")
    by_hand_chance, by_hand_points = [], []
    for yellow in range(4):
        dice = [naive.FACES["yellow"]] * yellow + [naive.FACES["white"]] * (3 - yellow)
        met = vp = 0
        for faces in product(*dice):
            skulls, shields = sum(f[0] for f in faces), sum(f[1] for f in faces)
            met += skulls >= 2 or shields >= 2
            vp += 3 * (shields >= 2)
        by_hand_chance.append(met / 216)
        by_hand_points.append(vp / 216)
    assert chance["p_by_yellow"] == pytest.approx(by_hand_chance)
    assert chance["vp_by_yellow"] == pytest.approx(by_hand_points)
    assert (chance["yellow"], points["yellow"]) == (
        by_hand_chance.index(max(by_hand_chance)),
        by_hand_points.index(max(by_hand_points)),
    )
    assert (chance["yellow"], points["yellow"]) == (3, 0)


# --- combats -----------------------------------------------------------------------------------------------

GARRISON = {
    "faction": "empire",
    "garrison": True,
    "strength": 2,
    "rows": {1: (["white"], ["blue"]), 2: (["white"] * 2, ["blue"] * 2)},
}


@pytest.mark.rule("UP-BOLT-2")
def test_the_best_use_of_bolts() -> None:
    """UP-BOLT-2: two druids, one of them once per combat, or shields: every roll is used as is best."""
    powers = [
        {"effect": "skulls", "n": 2, "limit": "combat"},
        {"effect": "shields", "n": 2, "limit": "round"},
    ]
    army = {
        "kind": "units",
        "units": [{"name": "p", "die": "purple"}, {"name": "b", "die": "blue"}],
        "god_power": powers,
        "bolt_policy": "god_power_first",
    }
    units = {"faction": "player", "units": [{"die": "blue"}, {"die": "purple"}], "powers": powers}
    usual = ask("battle", a=army, b="garrison 2")
    best = ask("battle", a=army, b="garrison 2", best="chance")
    assert best["p_win"] == pytest.approx(naive.best_value(units, GARRISON), abs=1e-10)
    assert best["p_win"] > usual["p_win"] + 0.002
    assert "as well" not in best["explain"]
    assert "for the best chance to win (UP-BOLT-2, UP-CAS-1, UP-TER-3)" in best["explain"]
    played = ask("battle", a=army, b="garrison 2", best="chance", method="simulate", trials=TRIALS, seed=9)
    assert abs(played["p_win"] - best["p_win"]) / played["standard_errors"]["p_win"] < 6.2
    # the same from the other side of the table
    swapped = ask("battle", a="garrison 2", b=army, best="chance")
    assert swapped["p_lose"] == pytest.approx(best["p_win"], abs=1e-10)
    played = ask("battle", a="garrison 2", b=army, best="chance", method="simulate", trials=TRIALS, seed=9)
    assert abs(played["p_lose"] - best["p_win"]) / played["standard_errors"]["p_lose"] < 6.2


@pytest.mark.rule("UP-BOLT-2", "UP-VP-1")
def test_the_best_use_of_bolts_for_points() -> None:
    """UP-VP-1: a point for each level; whoever plays for points spends bolts on skulls where others save themselves."""
    powers = [{"effect": "skulls", "n": 1, "limit": "round"}, {"effect": "shields", "n": 2, "limit": "round"}]
    army = {
        "kind": "units",
        "units": [{"name": "p", "die": "purple", "count": 2}],
        "god_power": powers,
        "bolt_policy": "god_power_first",
    }
    units = {"faction": "player", "units": [{"die": "purple"}] * 2, "powers": powers}
    points = ask("battle", a=army, b="garrison 2", best="points")
    chance = ask("battle", a=army, b="garrison 2", best="chance")
    assert points["expected_vp_a"] == pytest.approx(naive.best_value(units, GARRISON, points=True), abs=1e-10)
    assert chance["p_win"] == pytest.approx(naive.best_value(units, GARRISON), abs=1e-10)
    assert points["expected_vp_a"] >= chance["expected_vp_a"]
    played = ask("battle", a=army, b="garrison 2", best="points", method="simulate", trials=TRIALS, seed=5)
    error = played["standard_errors"]["expected_vp_a"]
    assert abs(played["expected_vp_a"] - points["expected_vp_a"]) / error < 6.2


@pytest.mark.rule("UP-CAS-1")
def test_the_best_casualties() -> None:
    """UP-CAS-1: an archer has done its part after archery; the weakest die is not always the one to give up."""
    army = {
        "kind": "units",
        "units": [
            {"name": "archer", "die": "red", "archer": True},
            {"name": "blue", "die": "blue"},
            {"name": "white", "die": "white"},
        ],
    }
    units = {
        "faction": "player",
        "units": [{"die": "white"}, {"die": "blue"}, {"die": "red", "archer": True}],
    }
    best = ask("battle", a=army, b="garrison 2", best="chance")
    assert best["p_win"] == pytest.approx(naive.best_value(units, GARRISON), abs=1e-10)
    assert best["p_win"] >= ask("battle", a=army, b="garrison 2")["p_win"]
    for order in (["archer"], ["blue"], ["white"]):
        assert (
            best["p_win"]
            >= ask("battle", a={**army, "casualty_order": order}, b="garrison 2")["p_win"] - 1e-12
        )


@pytest.mark.rule("UP-TER-3")
def test_the_best_die_on_highlands() -> None:
    """UP-TER-3: of a blue and a yellow archer the weaker colour hits more often."""
    army = {
        "kind": "units",
        "units": [
            {"name": "b", "die": "blue", "archer": True},
            {"name": "y", "die": "yellow", "archer": True},
        ],
    }
    best = ask("battle", a=army, b="garrison 2", terrain="highlands", best="chance")
    chances = []
    for die in ("blue", "yellow"):
        units = {
            "faction": "player",
            "units": [{"die": "yellow", "archer": True}, {"die": "blue", "archer": True}],
            "highlands": die,
        }
        chances.append(naive.best_value(units, GARRISON, "highlands"))
    assert best["p_win"] == pytest.approx(max(chances), abs=1e-10)
    assert max(chances) > min(chances)
    played = ask(
        "battle",
        a=army,
        b="garrison 2",
        terrain="highlands",
        best="chance",
        method="simulate",
        trials=TRIALS,
        seed=4,
    )
    assert abs(played["p_win"] - best["p_win"]) / played["standard_errors"]["p_win"] < 6.2


@pytest.mark.rule("UP-TER-3", "UP-CMB-8")
def test_choosing_a_die_adds_no_symbols() -> None:
    """UP-CMB-8: symbols of cards count after rolls only; with a sure skull after damage a level falls each round."""
    archers = [{"name": "b", "die": "blue", "archer": True}, {"name": "y", "die": "yellow", "archer": True}]
    army = {"kind": "units", "units": archers, "symbols": {"after_damage": {"skull": 1}}}
    answer = ask("battle", a=army, b="garrison 2", terrain="highlands", best="chance")
    assert answer["expected_losses_b"] == pytest.approx(2 - answer["expected_remaining_b"])
    assert answer["expected_losses_a"] == pytest.approx(2 - answer["expected_survivors_a"])


@pytest.mark.rule("UP-BOLT-2", "UP-CMB-7")
def test_best_play_looks_ahead_to_later_combats_and_to_points() -> None:
    """UP-CMB-7: what is kept for the second combat counts; points may be worth more than the chance to clear."""
    army = {
        "kind": "units",
        "units": [{"name": "y", "die": "yellow", "archer": True}, {"name": "p", "die": "purple", "count": 2}],
        "god_power": {"effect": "shields", "n": 2, "limit": "round"},
        "bolt_policy": "god_power_first",
    }
    enemies = ["garrison 1", "Imperial Guard 1"]
    usual, chance, points = (
        ask("campaign", a=army, enemies=enemies, best=best) for best in (None, "chance", "points")
    )
    power = {"effect": "shields", "n": 2, "limit": "round"}
    units = {
        "faction": "player",
        "units": [{"die": "yellow", "archer": True}, {"die": "purple"}, {"die": "purple"}],
        "powers": [power],
    }
    small = {**GARRISON, "strength": 1}
    guard = {
        "faction": "empire",
        "card": True,
        "strength": 1,
        "powers": [power],
        "rows": {1: (["white"], ["red", "white", "white"])},
    }
    known: dict[Any, float] = {}

    def later(left: Any) -> float:
        if left not in known:
            known[left] = naive.best_value(units, guard, alive=left)
        return known[left]

    assert chance["p_clear_through"][-1] == pytest.approx(
        naive.best_value(units, small, later=later), abs=1e-10
    )
    assert chance["p_clear_through"][-1] >= usual["p_clear_through"][-1] - 1e-12
    assert points["expected_vp_a"] >= max(usual["expected_vp_a"], chance["expected_vp_a"]) - 1e-12
    assert chance["p_clear_through"][-1] >= points["p_clear_through"][-1] - 1e-12
    with pytest.raises(mh.BadInputError, match=r"^battle: best play is for players"):
        ask("battle", a="garrison 1", b="Bloodwyrm 1", best="chance")
    with pytest.raises(mh.BadInputError, match=r"^campaign: best play is for players"):
        ask("campaign", a="Bloodwyrm 1", enemies=["garrison 1"], best="chance")


# --- recruiting --------------------------------------------------------------------------------------------


@pytest.mark.rule("UP-ECO-2", "UP-UNIT-2", "UP-UNIT-1")
def test_which_units_for_these_resources_win() -> None:
    """UP-ECO-2: Duerkhar with 4 salt and 3 food: two of the basic units, in any mixture, or Koloth; each as a battle."""
    asked: dict[str, Any] = {"resources": {"salt": 4, "food": 3}, "b": "garrison 2", "people": "duerkhar"}
    found = ask("recruit", **asked)
    sets = ["2 Younglings", "Younglings, Spearsingers", "2 Spearsingers", "Koloth"]
    by_hand = {units: ask("battle", a=units, b="garrison 2")["p_win"] for units in sets}
    assert {row["units"]: row["p_win"] for row in found["sets"]} == pytest.approx(by_hand)
    chances = [row["p_win"] for row in found["sets"]]
    assert chances == sorted(chances, reverse=True)
    assert (found["best_set"], found["tried"]) == (found["sets"][0]["units"], 4)
    assert found["battle"]["p_win"] == found["sets"][0]["p_win"]
    played = ask("recruit", **asked, method="simulate", trials=50_000, seed=1)
    error = played["battle"]["standard_errors"]["p_win"]
    assert abs(played["battle"]["p_win"] - found["battle"]["p_win"]) / error < 6.2


@pytest.mark.rule("UP-DEF-1", "UP-UNIT-1", "UP-ECO-2")
def test_recruits_by_brute_force() -> None:
    """UP-DEF-1, UP-UNIT-1: every set is paid for, none can be added to; counted by trying all payments."""
    purse = {"salt": 3, "plunder": 3, "food": 2}
    found = ask("recruit", resources=purse, b="garrison 1", people="Mohyar", haven=True, show=500)
    any_two = [p for p in product(range(3), repeat=3) if sum(p) == 2]
    costs = {
        "Sellswords": (any_two, 4),
        "Hunters": (any_two, 4),
        "Berserkers": ([(2, 0, 3)], 2),
        "Slavers": ([(3, 2, 0)], 2),
    }

    def paid(counts: tuple[int, ...], built: int) -> bool:
        bills = [costs[name][0] for name, n in zip(costs, counts, strict=True) for _ in range(n)]
        return any(
            all(
                sum(p[k] for p in payment) + built * (k == 1) <= have for k, have in enumerate(purse.values())
            )
            for payment in product(*bills)
        )

    fits = {
        (counts, tower, wall)
        for counts in product(*(range(most + 1) for _, most in costs.values()))
        for tower in (0, 1)
        for wall in (0, 1)
        if 0 < sum(counts) <= 5 and paid(counts, tower + wall)
    }
    largest = 0
    for counts, tower, wall in fits:
        more = [(tuple(n + (k == place) for k, n in enumerate(counts)), tower, wall) for place in range(4)]
        more += [(counts, 1, wall)] * (not tower) + [(counts, tower, 1)] * (not wall)
        largest += not any(other in fits for other in more)
    assert found["tried"] == len(found["sets"]) == largest > 3
    assert any(row["units"].endswith(", tower, wall") for row in found["sets"])


@pytest.mark.parametrize(
    ("details", "message"),
    [
        (
            {"resources": {"salt": 1}},
            "recruit: these resources pay for no unit (give more salt, plunder or food)",
        ),
        (
            {"resources": {"gold": 1}},
            "recruit: resources: unknown field 'gold' (known: 'food', 'plunder', 'salt')",
        ),
        (
            {"resources": {"salt": 5}, "people": "Durkhar"},
            "recruit: unknown people 'Durkhar' (did you mean 'Duerkhar'?)",
        ),
    ],
)
def test_recruit_messages(details: dict[str, Any], message: str) -> None:
    people = {"people": "Duerkhar"} | details
    with pytest.raises(mh.MathhammerError) as error:
        ask("recruit", b="garrison 1", **people)
    assert str(error.value).startswith(message)
