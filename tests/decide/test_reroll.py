"""The best use of one re-roll: equal to trying every choice with literal dice, never below a fixed policy."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.engine.best_reroll import _powered, _root, _with_lowest

DICE = {"1": [1], "2": [2], "3": [3], "D3": [1, 1, 2, 2, 3, 3], "D6": [1, 2, 3, 4, 5, 6]}


@dataclass(frozen=True)
class Case:
    """One model with one weapon against models that are alike: everything a die can meet."""

    attacks: str
    skill: int
    wound: int  # what the wound roll needs: Strength and Toughness below give it
    save: int
    damage: str
    models: int
    wounds: int
    abilities: tuple[str, ...] = ()
    reroll: str = ""  # "ones": hit rolls of 1 are rolled again by a rule
    sure: bool = False  # every attack wounds without a roll

    def units(self) -> tuple[mh.Unit, mh.Unit]:
        strength = {2: 8, 3: 5, 4: 4, 5: 3, 6: 2}[self.wound]
        gun = {"name": "Gun", "kind": "ranged", "range": 24, "attacks": self.attacks, "skill": self.skill}
        gun |= {"strength": strength, "ap": 0, "damage": self.damage, "abilities": list(self.abilities)}
        body: dict[str, Any] = {"name": "Gunner", "toughness": 4, "wounds": 2, "save": 3, "weapon": [gun]}
        if self.reroll:
            body["effect"] = [{"name": "Sure", "reroll_hit": self.reroll}]
        if self.sure:
            body["effect"] = [{"name": "Sure", "auto_hit": True, "auto_wound": True}]
        foe = {"name": "Foe", "models": self.models, "wounds": self.wounds, "toughness": 4, "save": self.save}
        return mh.make_unit("wh40k10", body), mh.make_unit("wh40k10", foe)


Next = Callable[[int, int, bool], float]  # what so many ordinary and special results lead to


def literal(case: Case, goal: str) -> float:
    """The value of the best choice at every point, with each die rolled by itself."""
    total = case.models * case.wounds
    lethal, devastating = "Lethal Hits" in case.abilities, "Devastating Wounds" in case.abilities
    [extra] = [DICE[name.split()[-1]] for name in case.abilities if name.startswith("Sustained")] or [[0]]

    def end(lost: int) -> float:
        return float(lost) if goal == "lost" else float(lost >= total)

    def hurt(lost: int, damage: int) -> int:
        return min(lost + min(damage, case.wounds - lost % case.wounds), total)

    @cache
    def damage(ordinary: int, special: int, lost: int, left: bool) -> float:
        """Wounds that still have to be saved, and those that cannot be."""
        if lost >= total or not (ordinary or special):
            return end(lost)
        saved = (case.save - 1) / 6 if ordinary else 1.0
        rest = (ordinary - 1, special) if ordinary else (0, special - 1)
        value = 0.0
        if ordinary:
            value += (7 - case.save) / 6 * damage(*rest, lost, left)
        faces = DICE[case.damage]
        again = sum(damage(*rest, hurt(lost, x), False) for x in faces) / len(faces)
        for x in faces:
            keep = damage(*rest, hurt(lost, x), left)
            value += saved / len(faces) * (max(keep, again) if left and len(faces) > 1 else keep)
        return value

    def chosen(faces: tuple[int, ...], fixed: tuple[bool, ...], left: bool, value: Any) -> float:
        """Keep all dice, or roll any one again that no rule has rolled twice."""
        best: float = value(faces, left)
        for place in range(len(faces)) if left else ():
            if not fixed[place]:
                new = [(*faces[:place], face, *faces[place + 1 :]) for face in range(1, 7)]
                best = max(best, sum(value(one, False) for one in new) / 6)
        return best

    @cache
    def wounds(dice: int, sure: int, left: bool) -> float:
        def value(faces: tuple[int, ...], still: bool) -> float:
            special = sum(face == 6 for face in faces) if devastating else 0
            good = sum(face != 1 and (face == 6 or face >= case.wound) for face in faces)
            return damage(sure + good - special, special, 0, still)

        rolls = product(range(1, 7), repeat=dice)
        return sum(chosen(faces, (False,) * dice, left, value) for faces in rolls) / 6**dice

    @cache
    def hits(dice: int, left: bool) -> float:
        def value(faces: tuple[int, ...], still: bool) -> float:
            crits = sum(face == 6 for face in faces)
            good = sum(face != 1 and (face == 6 or face >= case.skill) for face in faces)
            ordinary, sure = good - (crits if lethal else 0), crits if lethal else 0
            more = list(product(extra, repeat=crits))
            return sum(wounds(ordinary + sum(each), sure, still) for each in more) / len(more)

        total_value = 0.0
        for rolls, chance in rolled(dice):
            total_value += chance * chosen(
                tuple(face for face, _ in rolls), tuple(twice for _, twice in rolls), left, value
            )
        return total_value

    def rolled(dice: int) -> Iterator[tuple[tuple[tuple[int, bool], ...], float]]:
        one: list[tuple[tuple[int, bool], float]] = [((face, False), 1 / 6) for face in range(1, 7)]
        if case.reroll:
            one = [*one[1:], *(((face, True), 1 / 36) for face in range(1, 7))]
        for some in product(one, repeat=dice):
            yield tuple(roll for roll, _ in some), float(np.prod([chance for _, chance in some]))

    if case.sure:
        return damage(int(case.attacks), 0, 0, True)
    faces = DICE[case.attacks]
    again = sum(hits(n, False) for n in faces) / len(faces)
    kept = [hits(n, True) for n in faces]
    return sum(max(keep, again) if len(faces) > 1 else keep for keep in kept) / len(faces)


CASES = [
    Case("1", 4, 4, 5, "D6", 1, 4),
    Case("2", 3, 3, 4, "D6", 1, 6),
    Case("2", 5, 2, 5, "D3", 2, 2),
    Case("2", 4, 5, 6, "3", 2, 3),
    Case("2", 3, 4, 5, "D6", 3, 2, ("Lethal Hits",)),
    Case("2", 4, 4, 3, "D6", 1, 5, ("Sustained Hits 1",)),
    Case("2", 4, 3, 2, "D3", 1, 5, ("Devastating Wounds",)),
    Case("2", 3, 6, 2, "D6", 1, 9, ("Devastating Wounds", "Lethal Hits")),
    Case("2", 6, 6, 2, "2", 2, 2, ("Sustained Hits 1", "Devastating Wounds")),
    Case("D3", 4, 4, 5, "D3", 1, 4),
    pytest.param(Case("D3", 3, 5, 4, "1", 2, 2, ("Sustained Hits 1",)), marks=pytest.mark.slow),
    Case("2", 4, 4, 4, "D6", 1, 6, (), "ones"),
    Case("2", 5, 3, 4, "2", 2, 2, ("Lethal Hits",), "ones"),
    Case("1", 4, 4, 3, "D3", 1, 5, ("Sustained Hits D3",)),
    Case("3", 4, 4, 4, "D6", 1, 8, sure=True),
]


@pytest.mark.parametrize("goal", ["lost", "destroyed"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_best_policy_is_the_best_of_all(case: Case, goal: str) -> None:
    attacker, target = case.units()
    found = mh.reroll(attacker, target, goal=goal)
    value = found.lost.mean() if goal == "lost" else found.p_destroyed
    assert value == pytest.approx(literal(case, goal), abs=1e-9)
    for name, lost, chance in found.policies:
        assert (lost.mean() if goal == "lost" else chance) <= value + 1e-9, name
    plain = mh.fight(attacker, target)
    assert found.policies[-1][1].mean() == pytest.approx(plain.lost.mean(), abs=1e-12)
    assert 0.0 <= sum(chance for _, chance in found.used) <= 1.0 + 1e-9


@pytest.mark.parametrize(
    "name", ["Vindicator", "Gladiator Lancer", "Captain", "Terminator Squad", "Eradicator Squad"]
)
@pytest.mark.parametrize("target", ["Deff Dread", "Nobz", "Boyz"])
def test_it_is_never_below_a_fixed_policy(name: str, target: str) -> None:
    found = mh.reroll(name, target, system="wh40k10")
    fixed = [lost.mean() for _, lost, _ in found.policies[1:]]
    assert found.lost.mean() >= max(fixed) - 1e-9
    assert sum(found.lost) == pytest.approx(1.0)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_fight_may_ask_for_the_best_policy(case: Case) -> None:
    attacker, target = case.units()
    result = mh.fight(attacker, target, commands="command_reroll_best")
    assert result.lost.mean() == pytest.approx(literal(case, "lost"), abs=1e-9)
    assert list(result.lost) == pytest.approx(list(mh.reroll(attacker, target).lost), abs=1e-12)


@pytest.mark.rule("WH40K-CMDREROLL")
def test_compare_shows_the_best_policy_beside_the_fixed_ones(capsys: pytest.CaptureFixture[str]) -> None:
    lancer = "Gladiator Lancer: Lancer laser destroyer"
    words = [f"{lancer}, command re-roll ({roll})" for roll in ("best", "hit", "wound", "damage")]
    assert main(["compare", lancer, *words, "--vs", "Deff Dread", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [round(row["lost"], 3) for row in rows] == [4.051, 5.476, 4.928, 5.014, 4.362]


@pytest.mark.parametrize(
    "asked",
    [
        lambda: mh.fight("Captain", "Boyz", commands="command_reroll_best", method="simulate", trials=10),
        lambda: mh.duel("Captain", "Boyz", commands={"a": "command_reroll_best"}),
        lambda: mh.pile(["Captain"], "Boyz", commands="command_reroll_best"),
        lambda: mh.matrix(["Captain"], ["Boyz"], commands="command_reroll_best"),
    ],
    ids=["simulate", "duel", "pile", "matrix"],
)
def test_a_policy_is_refused_where_only_a_plan_is_known(asked: Callable[[], object]) -> None:
    with pytest.raises(mh.BadInputError, match="command_reroll_best is for an exact attack of one unit"):
        asked()


def test_it_shows_the_best_fixed_policy_by_what_is_wanted() -> None:
    attacker, target = Case("1", 6, 2, 6, "3", 1, 3).units()
    kinds = [name for name, _, _ in mh.reroll(attacker, target).policies]
    assert kinds[1] == "hit"  # the first of the fixed ones, and here the best
    assert repr(mh.reroll(attacker, target)) == (
        "Reroll(Gunner against Foe: best 0.6944 wounds lost, hit 0.6366, without 0.3472)"
    )
    assert repr(mh.reroll(attacker, target, goal="destroyed")) == (
        "Reroll(Gunner against Foe: best 23.1% destroyed, hit 21.2%, without 11.6%)"
    )


def test_a_notebook_shows_a_row_for_each_policy() -> None:
    attacker, target = Case("1", 6, 2, 6, "3", 1, 3).units()
    shown = mh.reroll(attacker, target)._repr_html_()
    assert [head for head in ("policy", "lost", "p destroyed") if f">{head}<" in shown] == [
        "policy",
        "lost",
        "p destroyed",
    ]
    assert "<td>without</td>" in shown


def test_one_reroll_at_a_time() -> None:
    both = ["command_reroll_best", "command_reroll_hit"]
    with pytest.raises(mh.BadInputError, match="command_reroll_best and command_reroll_hit"):
        mh.fight("Captain: melee", "Boyz", commands=both)


def test_rolls_of_several_models_come_apart_again() -> None:
    each = mh.Pmf([0.0, 0.5, 0.3, 0.2])
    whole = _root(each.power(3), 3)
    assert whole is not None
    assert list(whole) == pytest.approx(list(each), abs=1e-9)
    assert _root(mh.Pmf([0.5, 0.5]), 2) is None
    counted: dict[tuple[int, int], float] = {}
    for rolls in product(range(1, 4), repeat=3):
        key = (sum(rolls), min(rolls))
        counted[key] = counted.get(key, 0.0) + float(np.prod([each[roll] for roll in rolls]))
    assert _with_lowest(each, 3) == pytest.approx(counted, abs=1e-12)


def test_the_policy_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["reroll", "Gladiator Lancer: Lancer laser destroyer", "--vs", "Deff Dread"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "used: hit 11%, wound 40%, damage 22%" in lines
    assert "hit: of 2 dice, roll a failed one again with successes: 0; else keep it" in lines
    assert lines[-1] == "damage: roll again what is 4-6; else keep it"
    assert main([*words, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["policy"] == lines[-len(document["policy"]) :]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["Liberators", "--vs", "Clanrats"],
            "reroll: Warhammer Age of Sigmar, 4th edition has no command that",
        ),
        (["Captan", "--vs", "Boyz"], "reroll: no unit 'Captan' in "),
        (["Captain"], "reroll: Missing option '--vs'"),
        (
            ["Captain: melee", "--vs", "Boyz", "--command", "command_reroll_hit"],
            "reroll: a command takes a roll again already (leave it out)",
        ),
        (["100 Boyz: ranged", "--vs", "Captain"], "reroll: up to "),
    ],
)
def test_bad_questions_give_a_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reroll", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith(message)


def test_up_to_forty_attacks_are_planned() -> None:
    attacker, target = Case("40", 4, 4, 5, "2", 1, 6).units()
    assert mh.reroll(attacker, target).lost.mean() > 0.0
    more, _ = Case("41", 4, 4, 5, "2", 1, 6).units()
    with pytest.raises(mh.TooLargeError, match=r"^reroll: up to 41 attacks \(at most 40\)$"):
        mh.reroll(more, target)


def test_several_times_the_same_dice_add_up() -> None:
    """Which of three dice came first does not matter: two kinds of tokens, and none."""
    three = _powered({(0, 0): 0.5, (1, 0): 0.3, (0, 1): 0.2}, 3)
    assert sum(three.values()) == pytest.approx(1.0)
    assert three[1, 1] == pytest.approx(6 * 0.5 * 0.3 * 0.2)
    assert three[0, 2] == pytest.approx(3 * 0.5 * 0.2**2)
