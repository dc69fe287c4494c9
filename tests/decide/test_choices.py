"""Optional rules: equal to trying every way in every state with `fight`, never below a fixed decision."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest

import mathhammer as mh
from mathhammer.cli import main

WAYS = {"aos4": ("Crit (Mortal)", "Crit (Auto-wound)", "Crit (2 Hits)"), "wh40k11": ("always", "never")}
WORDS = {"always": "Lethal Hits", "never": "no Lethal Hits"}


def blades(game: str, seed: int) -> tuple[mh.Unit, mh.Unit]:
    """A unit with two weapons about which there is something to decide, and a target."""
    rolls = Random(seed)

    def weapon(name: str) -> dict[str, Any]:
        body: dict[str, Any] = {"name": name, "kind": "ranged", "range": 24, "attacks": rolls.randint(1, 3)}
        body["damage"] = rolls.choice([1, 2, 3, "D3"])
        if game == "aos4":
            body |= {"hit": rolls.randint(2, 5), "wound": rolls.randint(2, 6), "rend": rolls.randint(0, 2)}
            return body | {"abilities": list(rolls.sample(WAYS[game], 2))}
        body |= {"skill": rolls.randint(2, 5), "strength": rolls.randint(3, 8), "ap": -rolls.randint(0, 3)}
        more = rolls.choice(
            [["Devastating Wounds"], ["Devastating Wounds", "Sustained Hits 1"], ["Twin-linked"]]
        )
        return body | {"abilities": ["Lethal Hits", *more]}

    one: dict[str, Any] = {"name": "Blades", "save": 4, "weapon": [weapon("First"), weapon("Second")]}
    other: dict[str, Any] = {"name": "Foe", "models": rolls.randint(1, 3), "save": rolls.randint(2, 6)}
    if game == "aos4":
        return mh.make_unit(game, one | {"health": 3}), mh.make_unit(
            game, other | {"health": rolls.randint(1, 4)}
        )
    body = {"wounds": rolls.randint(1, 3), "toughness": rolls.randint(3, 9)}
    return mh.make_unit(game, one | body), mh.make_unit(game, other | body)


def by_trying(attacker: mh.Unit, target: mh.Unit, goal: str) -> float:
    """What the best of all ways leads to, each weapon a fight of its own against what is left."""

    @cache
    def value(place: int, lost: int) -> float:
        if place == len(attacker.weapons) or lost >= target.health:
            return float(lost) if goal == "lost" else float(lost >= target.health)
        weapon = attacker.weapons[place]
        crits = [word for word in weapon.abilities if word.startswith("Crit")]
        tried = []
        for way in crits or WAYS["wh40k11"]:
            result = mh.fight(
                attacker, target.with_lost(lost), weapons=[weapon.name], choices={weapon.name: way}
            )
            tried.append(sum(p * value(place + 1, lost + more) for more, p in result.lost.to_dict().items()))
        return max(tried)

    return value(0, 0)


@pytest.mark.parametrize("goal", ["lost", "destroyed"])
@pytest.mark.parametrize("game", WAYS)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.rule("WH40K11-24.23", "AOS4-20.0")
def test_the_best_is_the_best_of_all_ways(game: str, seed: int, goal: str) -> None:
    attacker, target = blades(game, seed)
    answer = mh.choices(attacker, target, goal=goal)
    key = {"lost": "lost", "destroyed": "p_destroyed"}[goal]
    best, *fixed = answer.rows()
    assert best[key] == pytest.approx(by_trying(attacker, target, goal), abs=1e-9)
    assert len(fixed) == 4
    assert best[key] >= max(row[key] for row in fixed) - 1e-12
    assert answer.lost.mean() == pytest.approx(best["lost"], abs=1e-9)


@pytest.mark.parametrize("game", WAYS)
def test_a_fixed_decision_is_that_fight(game: str) -> None:
    attacker, target = blades(game, 3)
    for row in mh.choices(attacker, target).rows()[1:]:
        parts = dict(part.split(": ", 1) for part in row["decision"].split("; "))
        said = {word: value for value, word in WORDS.items()}
        chosen = {name: said.get(words, words) for name, words in parts.items()}
        result = mh.fight(attacker, target, choices=chosen)
        assert row["lost"] == pytest.approx(result.lost.mean(), abs=1e-12)
        assert row["p_destroyed"] == pytest.approx(result.p_destroyed, abs=1e-12)


def test_the_decision_may_depend_on_what_is_left() -> None:
    """Sure small damage is enough once the target is nearly gone: found among small armies, not made up."""
    told = [line for seed in range(40) for line in mh.choices(*blades("aos4", seed), goal="destroyed").advice]
    assert any(" wounds lost; " in line for line in told)
    decided = {seed: mh.choices(*blades("aos4", seed), goal="destroyed").advice[-1] for seed in (28, 38)}
    assert decided == {
        28: "Second: Crit (2 Hits) at 0 wounds lost; Crit (Mortal) at 2 to 4 wounds lost",
        38: "Second: Crit (Auto-wound) at 0 to 4, 7 to 8 wounds lost; Crit (2 Hits) at 5 to 6 wounds lost",
    }


@pytest.mark.parametrize("game", ["wh40k10", "wh40k11"])
@pytest.mark.rule("WH40K-PRECISION", "WH40K11-24.28")
def test_precision_or_not(game: str) -> None:
    rifle = {
        "name": "Rifle",
        "kind": "ranged",
        "range": 36,
        "attacks": 4,
        "skill": 2,
        "strength": 6,
        "ap": -2,
    }
    rifle |= {"damage": 2, "abilities": ["Precision"]}
    body: dict[str, Any] = {"toughness": 4, "wounds": 1, "save": 4}
    snipers = mh.make_unit(game, body | {"name": "Snipers", "weapon": [rifle]})
    captain = {"name": "Captain", "models": 1, "wounds": 4, "save": 2, "character": True}
    squad = {"name": "Squad", "models": 5, "wounds": 2, "save": 5}
    led = mh.make_unit(
        game, {"name": "Led", "toughness": 4, "wounds": 2, "save": 5, "group": [squad, captain]}
    )
    always = {"characters_protected": "always"} if game == "wh40k10" else {}
    picked = mh.fight(snipers, led, options=always)
    spread = mh.fight(snipers, led, options=always | {"precision_choice": "none"})
    for goal, best in (("lost", spread), ("character", picked)):
        answer = mh.choices(snipers, led, goal=goal, options=always)
        assert [row["decision"] for row in answer.rows()[1:]] == [
            "Rifle: Precision on a Character",
            "Rifle: no Precision",
        ]
        for row, result in zip(answer.rows(), (best, picked, spread), strict=True):
            assert row["lost"] == pytest.approx(result.lost.mean(), abs=1e-12)
            assert row["p_character_slain"] == pytest.approx(result.p_character_slain, abs=1e-12)
    answer = mh.choices(snipers, led, goal="character", options=always)
    assert answer.advice == ("Rifle: Precision on a Character",)


def test_the_command_says_what_python_says(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["choices", "Necron Warriors", "--vs", "Marines", "--system", "wh40k11"]
    assert main([*words, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    answer = mh.choices("Necron Warriors", "Marines", system="wh40k11")
    assert document["rows"] == answer.rows()
    assert document["policy"] == ["Gauss flayer: Lethal Hits"]
    assert main(words) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Gauss flayer: Lethal Hits"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Liberators", "--vs", "Clanrats"], "choices: no weapon of Liberators has an optional rule here"),
        (["Liberatos", "--vs", "Clanrats"], "choices: no unit 'Liberatos' in "),
        (
            ["Necron Warriors", "--vs", "Marines", "--system", "wh40k11", "--goal", "character"],
            "choices: Marines has no Character (choose another goal)",
        ),
    ],
)
def test_bad_questions_give_a_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["choices", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith(message)


def test_python_gets_sentences_too() -> None:
    with pytest.raises(mh.UnknownNameError, match="choices: unknown goal 'killed'"):
        mh.choices("Liberators", "Clanrats", goal="killed")
    with pytest.raises(mh.BadInputError, match="a decision is given already"):
        mh.choices("Necron Warriors", "Marines", system="wh40k11", choices={"Gauss flayer": "never"})


def test_only_where_there_is_a_choice_something_is_said() -> None:
    gun = {"kind": "ranged", "range": 24, "attacks": 2, "skill": 3, "strength": 4, "ap": 0, "damage": 1}
    weapons = [gun | {"name": "Plain"}, gun | {"name": "Deadly", "strength": 9, "abilities": ["Lethal Hits"]}]
    attacker = mh.make_unit(
        "wh40k11", {"name": "A", "toughness": 4, "wounds": 2, "save": 3, "weapon": weapons}
    )
    target = mh.make_unit("wh40k11", {"name": "T", "toughness": 4, "wounds": 9, "save": 3})
    assert mh.choices(attacker, target).advice == ("Deadly: Lethal Hits",)


def test_a_decision_is_told_for_each_roll_of_a_rule() -> None:
    gun = {"name": "Gun", "kind": "ranged", "range": 24, "attacks": 2, "skill": 3, "strength": 9, "damage": 1}
    body = {"name": "A", "toughness": 4, "wounds": 9, "save": 3}
    lucky = [{"name": "Luck", "needs": "4+", "hit_roll": "+1"}]
    attacker = mh.make_unit(
        "wh40k11", body | {"weapon": [gun | {"abilities": ["Lethal Hits"]}], "effect": lucky}
    )
    advice = mh.choices(attacker, mh.make_unit("wh40k11", body)).advice
    assert advice == ("no rule rolled: Gun: Lethal Hits", "Luck: Gun: Lethal Hits")
