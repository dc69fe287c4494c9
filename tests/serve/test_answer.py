"""The answer of the page is the answer of `mathhammer compare` and of `mathhammer.fight`."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.compare.varying import varied
from mathhammer.games.discovery import attacks_of, game_keys, get_game
from mathhammer.serve import answer
from mathhammer.serve.answer import SAVE
from mathhammer.serve.catalogue import game_words, search, unit

FIGHTING = [key for key in game_keys() if get_game(key).attacks is not None]
QUESTIONS: list[dict[str, Any]] = [
    {"attackers": ["10 Liberators: charged", "Rat Ogors"], "targets": ["40 Clanrats: in cover", "Hero"]},
    {"attackers": ["Liberators"], "commands": ["all_out_attack"], "situation": ["target in cover"]},
    {"attackers": ["Liberators: +1 to hit"], "targets": ["4+ ward 5+ health 2 x10"], "weapons": "melee"},
    {
        "attackers": ["Khorne Berzerkers: charged", "Khorne Berzerkers: all"],
        "targets": ["T4 3+ W2 x10"],
        "system": "wh40k10",
    },
    {"attackers": ["Intercessor Squad: ranged"], "system": "wh40k10", "distance": 10, "round": 2},
    {"attackers": ["Liberators"], "targets": ["Clanrats"], "friends": ["Lord-Terminos"]},
    {"attackers": ["Castigators"], "targets": ["Clanrats"], "weapons": "all"},
    {
        "attackers": ["Intercessor Squad"],
        "targets": ["Boyz: in cover, +1 to save"],
        "system": "wh40k10",
        "options": {"save_cap": "benign"},
    },
]


def only_known(question: dict[str, Any]) -> dict[str, Any]:
    """Options that the game has: their names are its own."""
    if "options" not in question:
        return question
    readings = attacks_of(question["system"]).readings
    name = next(iter(readings))
    return question | {"options": {name: readings[name].default}}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["attackers"][0])
def test_the_command_and_the_python_line_give_the_same(
    question: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer(only_known(question))
    words = shlex.split(found["command"])
    assert words[0] == "mathhammer"
    assert main([*words[1:], "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert len(printed["rows"]) == len(found["rows"])
    for shown, told in zip(found["rows"], printed["rows"], strict=True):
        for name, value in told.items():
            assert shown[name] == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value)
    table = eval(found["python"], {"mathhammer": mh})
    by_pair = {(row["attacker"], row["target"], row["kind"]): row["damage"] for row in found["rows"]}
    for _, row in table.iterrows():
        assert by_pair[row["attacker"], row["target"], row["kind"]] == pytest.approx(row["damage"], abs=1e-12)
    assert printed["conditions"] == found["conditions"]
    assert printed["not_counted"] == found["not_counted"]


def test_every_number_is_that_of_the_fight() -> None:
    found = answer({"attackers": ["10 Liberators: charged"], "targets": ["40 Clanrats: in cover"]})
    (row,) = found["rows"]
    result = mh.fight("10 Liberators: charged", "40 Clanrats: in cover", system="aos4")
    assert row["slain"] == pytest.approx(result.slain.mean(), abs=1e-12)
    assert row["lost"] == pytest.approx(result.lost.mean(), abs=1e-12)
    assert row["damage"] == pytest.approx(result.damage.mean(), abs=1e-12)
    assert row["p_destroyed"] == pytest.approx(result.p_destroyed, abs=1e-12)
    assert row["at_least"] == pytest.approx(
        [result.slain.at_least(k) for k in range(len(result.slain))], abs=1e-12
    )
    assert row["explain"] == result.explain()
    assert found["lines"][0] == str(result.conditions)
    assert found["csv"].splitlines()[0].startswith("attacker,target,kind")
    assert "| 40 Clanrats: in cover | 10 Liberators: charged |" in found["markdown"]


def test_the_table_by_save_changes_nothing_but_the_save() -> None:
    found = answer({"attackers": ["Liberators"], "targets": ["Hero", "Clanrats"], "by_save": 1})
    assert found["by_save"]["target"] == "Clanrats"
    clanrats = mh.load_unit("Clanrats", "aos4")
    for save, damage in zip((2, 3, 4, 5, 6, None), found["by_save"]["rows"][0]["damage"], strict=True):
        assert damage == pytest.approx(
            mh.fight("Liberators", varied(clanrats, SAVE, save), system="aos4").damage.mean(), abs=1e-12
        )


def test_a_simulation_is_capped_and_says_so() -> None:
    question = {"attackers": ["Liberators"], "targets": ["Clanrats"], "method": "simulate", "trials": 2000}
    found = answer(question | {"seed": 3})
    assert (found["method"], found["trials"], found["seed"]) == ("simulate", 2000, 3)
    assert found["by_save"] is None
    with pytest.raises(
        mh.BadInputError, match=r"trials is 1000000000 \(give a whole number from 1 to 200000\)"
    ):
        answer(question | {"trials": 10**9})


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ([], "answer: the question is [] (give an object, such as {})"),
        ({}, "answer: no attackers (give a list of units, such as ['Liberators'])"),
        (
            {"attackers": []},
            "answer: attackers is [] (give a list of 1 to 6 texts of at most 300 characters)",
        ),
        ({"attackers": ["Librators"]}, "did you mean 'Liberators'?"),
        (
            {"attackers": ["Liberators"], "targts": []},
            "answer: unknown field 'targts' (did you mean 'targets'?)",
        ),
        ({"attackers": ["Liberators"], "system": "chess"}, "unknown system 'chess'"),
        ({"attackers": ["Liberators: chraged"]}, "(did you mean 'charged'?)"),
        ({"attackers": ["Liberators"], "situation": ["chraged"]}, "unknown situation 'chraged'"),
        ({"attackers": ["300 Liberators"]}, "answer: Liberators: 300 models (at most 200 on the page)"),
        ({"attackers": ["Liberators"] * 6, "targets": ["Clanrats"] * 12}, "(at most 48 pairs)"),
        (
            {"attackers": ["Liberators"], "trials": 5},
            "answer: trials are for a simulation (give method simulate)",
        ),
        (
            {"attackers": ["Liberators"], "distance": True},
            "answer: distance is True (give a number from 0 to 200)",
        ),
        ({"attackers": ["\ud800"]}, "answer: attackers holds something that is no character (write it anew)"),
        (
            {"attackers": ["Liberators"], "method": "guess"},
            "answer: method is 'guess' (give one of 'exact', 'simulate')",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(question: Any, message: str) -> None:
    with pytest.raises(mh.MathhammerError) as error:
        answer(question)
    assert message in str(error.value)


@pytest.mark.parametrize("system", FIGHTING)
def test_every_switch_of_the_page_is_a_word_that_is_understood(system: str) -> None:
    words = game_words(system)
    attacker = search({"system": system})["units"][0]["name"]
    target = words["targets"][0]["name"]
    for side, text in (("attacker", attacker), ("target", target)):
        shown = unit({"system": system, "text": text, "side": side})
        offered = [one["word"] for kind in ("situations", "commands", "abilities") for one in shown[kind]]
        for word in [*offered, *shown["buffs"]]:
            said = unit({"system": system, "text": f"{text}: {word}", "side": side})
            assert said["words"] == [word]
    line = " ".join(
        one["text"].format(one["value"]) for one in words["sliders"] if one["value"] != one["none"]
    )
    assert unit({"system": system, "text": line, "side": "target"})["profile"]
    for one in words["sliders"]:
        for value in (one["low"], one["high"]):
            others = [
                o["text"].format(o["value"])
                for o in words["sliders"]
                if o["name"] != one["name"] and o["value"] != o["none"]
            ]
            typed = others if value == one["none"] else [*others, one["text"].format(value)]
            assert answer({"system": system, "attackers": [attacker], "targets": [" ".join(typed)]})["rows"]


def test_the_table_by_save_tells_melee_from_ranged() -> None:
    found = answer({"attackers": ["Boyz: all"], "targets": ["T4 3+ W2 x10"], "system": "wh40k11"})
    assert [(row["attacker"], row["kind"]) for row in found["by_save"]["rows"]] == [
        ("Boyz: all", "melee"),
        ("Boyz: all", "ranged"),
    ]
