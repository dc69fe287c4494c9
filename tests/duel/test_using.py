"""Abilities that somebody has to use, in duels: once, at a time that is said or the best one."""

from __future__ import annotations

from typing import Any

import pytest

import mathhammer as mh
from mathhammer.datasheets.asked import with_words
from mathhammer.duel.advice import advise
from mathhammer.duel.telling import duel_conditions, duel_not_counted

BLADE = {"name": "Blade", "attacks": 3, "hit": 3, "wound": 3, "rend": 1, "damage": 1}
BOW = {"name": "Bow", "kind": "ranged", "range": 24, "attacks": 1, "hit": 3, "wound": 3, "damage": 1}


def clan(
    name: str, *abilities: dict[str, Any], weapons: tuple[dict[str, Any], ...] = (BLADE,), **more: Any
) -> mh.Unit:
    fields = {"name": name, "models": 3, "health": 2, "save": 4, "points": 100}
    return mh.make_unit("aos4", fields | {"weapon": list(weapons), "ability": list(abilities)} | more)


def rite(use: str = "choice once per battle", **change: Any) -> dict[str, Any]:
    return {"name": "Dark Rite", "effect": [{"use": use, **(change or {"attacks": "+2"})}]}


FOE = clan("Foe")
HOW: dict[str, Any] = {"rounds": 2, "priority": "fixed"}


def chance(use: Any = (), unit: mh.Unit | None = None, **how: Any) -> float:
    return mh.duel(unit or clan("Cult", rite()), FOE, use=use, **HOW | how).p_win


def test_it_is_used_once_at_the_best_time() -> None:
    moments = {f"Dark Rite@{number}{turn}-melee" for number in (1, 2) for turn in "ab"}
    said = {when: chance({"a": when}) for when in moments}
    best = chance({"a": "Dark Rite"})
    assert best == max(said.values())
    always = chance({"a": "Dark Rite"}, clan("Cult", rite("choice")))
    assert chance() < min(said.values()) <= best < always


def test_the_answer_says_when() -> None:
    duel = mh.duel(clan("Cult", rite()), FOE, use={"a": "dark rite"}, **HOW)
    assert "a using Dark Rite@1a-melee" in duel_conditions(duel)
    assert duel_not_counted(duel) == ()
    unused = mh.duel(clan("Cult", rite()), FOE, **HOW)
    assert duel_not_counted(unused) == ("Cult: Dark Rite (not used)",)


def test_a_word_of_an_expression_is_a_use() -> None:
    worded = with_words(clan("Cult", rite()), ["Dark Rite"], "unit")
    assert mh.duel(worded, FOE, **HOW).p_win == chance({"a": "Dark Rite"})


def test_only_the_side_that_uses_it_has_it() -> None:
    cult = clan("Cult", rite())
    both = {"rounds": 1, "priority": "fixed"}
    one = mh.duel(cult, cult, use={"a": "Dark Rite@1a"}, **both)
    other = mh.duel(cult, cult, use={"b": "Dark Rite@1a"}, **both)
    plain = mh.duel(cult, cult, **both)
    assert one.p_win > plain.p_win > other.p_win


@pytest.mark.parametrize("use", ["Dark Rite", "Dark Rite@1b-melee", "Dark Rite@2"])
def test_played_as_worked_out(use: str) -> None:
    cult = clan("Cult", rite(), weapons=(BLADE, BOW))
    exact = mh.duel(cult, FOE, use={"a": use}, **HOW)
    played = mh.duel(cult, FOE, use={"a": use}, method="simulate", trials=40_000, seed=3, **HOW)
    for name in ("p_win", "p_lose"):
        expected = getattr(exact, name)
        spread = (expected * (1 - expected) / 40_000) ** 0.5
        assert abs(getattr(played, name) - expected) < 6.2 * spread


def test_once_per_round_is_one_turn_of_each() -> None:
    often = clan("Cult", rite("choice once per round"))
    assert chance({"a": "Dark Rite"}, often) == max(
        chance({"a": f"Dark Rite@{turn}"}, often) for turn in "ab"
    )
    every = clan("Cult", rite("choice once per phase"))
    assert chance({"a": "Dark Rite"}, every) == chance({"a": "Dark Rite"}, clan("Cult", rite("choice")))


def test_once_per_turn_is_one_kind_of_attack() -> None:
    arms = {"weapons": (BLADE, BOW)}
    turn = clan("Cult", rite("choice once per turn"), **arms)
    said = [chance({"a": f"Dark Rite@-{kind}"}, turn) for kind in ("melee", "ranged")]
    assert chance({"a": "Dark Rite"}, turn) == max(said)


def test_healing_once_per_battle_is_named() -> None:
    cult = clan("Cult", rite(heal="D3"))
    duel = mh.duel(cult, FOE, use={"a": "Dark Rite@1"}, **HOW)
    assert duel_not_counted(duel) == ("Cult: Dark Rite (not modelled in duels)",)
    assert duel.p_win == mh.duel(cult, FOE, **HOW).p_win
    often = clan("Cult", rite("choice", heal="D3"))
    assert mh.duel(often, FOE, use={"a": "Dark Rite"}, **HOW).p_lose < mh.duel(often, FOE, **HOW).p_lose


@pytest.mark.parametrize(
    ("use", "how", "message"),
    [
        ("Dark Rite@9", HOW, "duel: a: Dark Rite@9 is never used (the duel has rounds 1 to 2)"),
        (("Dark Rite@1", "Dark Rite@2"), HOW, "duel: a: Dark Rite is used 2 times (it may be 1 per battle)"),
        (
            "Dark Rite@x@y",
            HOW,
            "duel: a: cannot read 'Dark Rite@x@y' (write an ability, or with its time: Dark Pact@1a-melee)",
        ),
    ],
)
def test_messages(use: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.MathhammerError) as caught:
        chance({"a": use}, **how)
    assert str(caught.value) == message


def test_several_units_must_be_told_when() -> None:
    with pytest.raises(mh.MathhammerError, match=r"Dark Rite is used once per battle \(say when"):
        mh.duel([clan("Cult", rite()), FOE], [FOE], use={"a": "Dark Rite"}, rounds=1, trials=100)


def test_advice_finds_the_best_moment() -> None:
    duel = mh.duel(clan("Cult", rite()), FOE, **HOW)
    found = [one for one in advise(duel, "a") if one.use.command == "Dark Rite"]
    assert {str(one.use) for one in found} == {
        f"Dark Rite@{number}{turn}-melee" for number in (1, 2) for turn in "ab"
    }
    assert found[0].wins == chance({"a": "Dark Rite"})
    assert found[0].rule == "ability, once per battle"


def test_whose_turn_it_is_matters() -> None:
    def wins(*when: str) -> float:
        ability = {"name": "Hour", "effect": [{"when": list(when), "attacks": "+2"}]}
        return chance(unit=clan("Cult", ability))

    assert wins("my_turn", "enemy_turn") == chance(unit=clan("Cult"))
    assert chance(unit=clan("Cult")) < wins("enemy_turn") < wins("my_turn") < wins()
