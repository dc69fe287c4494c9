"""Who attacks whom: every assignment tried the long way, proofs, limits, reach, bad input."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import permutations, product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_armies import COMMANDS, GAMES, SEEDS, Commanded, destroyed, mean_lost, unit

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.cli.plan import proof
from mathhammer.decide import columns, improving


def best_value(attackers: tuple[Commanded, ...], target: mh.Unit, goal: str) -> float:
    if not attackers:
        return 0.0
    if goal == "removed":
        most = max(mean_lost(order, target) for order in permutations(attackers))
        return (target.points or 0) * most / target.health
    most = max(destroyed(order, target) for order in permutations(attackers))
    return most if goal == "chance" else (target.points or 0) * most


def best_plan(units: list[mh.Unit], targets: list[mh.Unit], goal: str, commands: tuple[str, ...]) -> float:
    """The value of the best of all assignments, with at most one command in all."""
    ways: list[list[tuple[int, tuple[str, ...]]]] = [
        [(-1, ()), *((t, use) for t in range(len(targets)) for use in [(), *((c,) for c in commands)])]
        for _ in units
    ]
    values = []
    for chosen in product(*ways):
        if sum(len(use) for _, use in chosen) > 1:
            continue
        sets = [
            tuple((u, use) for u, (t, use) in zip(units, chosen, strict=True) if t == place)
            for place in range(len(targets))
        ]
        each = [best_value(some, target, goal) for some, target in zip(sets, targets, strict=True)]
        values.append(prod(each) if goal == "chance" else sum(each))
    return max(values)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_plan_finds_what_trying_everything_finds(
    game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = [unit(game, 5000 + 10 * seed + place) for place in range(3)]
    targets = [unit(game, 5000 + 10 * seed + place) for place in (5, 6)]
    goal = ("removed", "destroyed", "chance")[seed % 3]
    asked: dict[str, Any] = {"destroy": [t.name for t in targets]} if goal == "chance" else {"goal": goal}
    commands = COMMANDS[game] if seed % 4 == 1 else ()
    expected = best_plan(units, targets, goal, commands)
    if goal == "chance" and expected < 1e-9:
        with pytest.raises(mh.BadInputError, match="plan: "):
            mh.plan(units, targets, **asked)
        return
    found = mh.plan(units, targets, points=len(commands) and 1, **asked)
    assert found.proven
    assert (found.gap, found.most >= 3) == (0.0, True)
    assert found.value == pytest.approx(expected, abs=1e-6, rel=1e-6)
    assert found.greedy <= found.value + 1e-6
    assert sum(one.command_points for one in found.attacks) <= 1
    attacking = [name for one in found.attacks for name in one.attackers]
    assert len(attacking) + len(found.idle) == len(units)
    monkeypatch.setattr("mathhammer.decide.plan.FIRST_ROOM", 2)  # nearly all sets are found by their prices
    priced = mh.plan(units, targets, points=len(commands) and 1, **asked)
    assert priced.proven
    assert (priced.larger, priced.value) == (False, pytest.approx(expected, abs=1e-6, rel=1e-6))


def test_greedy_is_beaten_where_it_takes_the_wrong_target() -> None:
    found = mh.plan(["Liberators", "Rat Ogors"], ["Clanrats", "Stormvermin"], system="aos4")
    assert found.value > found.greedy + 1.0
    assert found.proven


def test_the_value_is_that_of_the_piles() -> None:
    found = mh.plan(
        ["Liberators", "Liberators", "Rat Ogors"], ["Clanrats", "Stormvermin"], points=1, system="aos4"
    )
    for attack in found.attacks:
        words = [name.replace(" (All-out Attack)", ": all-out attack") for name in attack.attackers]
        pile = mh.pile(words, attack.target, system="aos4")
        assert attack.p_destroyed == pytest.approx(pile.p_destroyed, abs=1e-12)
        assert attack.lost == pytest.approx(pile.lost, abs=1e-12)


def test_split_fire_is_worth_something_and_adds_up() -> None:
    gun = {"kind": "ranged", "range": 24, "attacks": 4, "skill": 3, "ap": 0, "damage": 1}
    arms = [gun | {"name": "Bolter", "strength": 4}, gun | {"name": "Cannon", "strength": 12, "attacks": 2}]
    arms[1] |= {"ap": -4, "damage": 6}
    tank = {"name": "Tank", "toughness": 10, "wounds": 12, "save": 3, "points": 150}
    shooter = mh.make_unit("wh40k10", tank | {"name": "Shooter", "weapon": arms})
    other = mh.make_unit("wh40k10", tank)
    gang = mh.make_unit(
        "wh40k10", {"name": "Gang", "models": 10, "toughness": 3, "wounds": 1, "save": 6, "points": 60}
    )
    whole = mh.plan([shooter], [other, gang])
    split = mh.plan([shooter], [other, gang], split=True)
    assert [one.attackers for one in split.attacks] == [("Shooter: Cannon",), ("Shooter: Bolter",)]
    assert split.value > whole.value + 1
    cannon, bolter = (mh.fight(shooter, t, weapons=w) for t, w in ((other, ["Cannon"]), (gang, ["Bolter"])))
    expected = 150 * cannon.lost.mean() / 12 + 60 * bolter.lost.mean() / 10
    assert split.value == pytest.approx(expected)


def test_who_cannot_reach_does_not_attack() -> None:
    ours, theirs = ["Liberators", "Rat Ogors"], ["Clanrats", "Stormvermin"]
    found = mh.plan(ours, theirs, system="aos4", reach={"Liberators": ["Clanrats"]})
    assert {one.target: one.attackers for one in found.attacks} == {
        "Clanrats": ("Liberators",),
        "Stormvermin": ("Rat Ogors",),
    }
    none = mh.plan(ours, theirs, system="aos4", reach={"cannot": {"Liberators": theirs}})
    assert none.idle == ("Liberators",)


def test_the_proof_says_which_sets_were_weighed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["plan", "Stormcast Eternals", "Clanrats + Rat Ogors", "--system", "aos4"]
    assert main([*words, "--most", "2"]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.endswith(": all of up to 2 attackers on one target)")
    assert main(words) == 0
    assert re.search(
        r"^proven best, gap 0 \([\d,]+ sets that matter: all of up to 12 attackers on one target\)$",
        capsys.readouterr().out.splitlines()[-1],
    )
    monkeypatch.setattr(improving, "ROOM", 200)
    assert main([*words, "--goal", "destroyed"]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith("proven best, gap 0 (")
    assert line.endswith(" attackers on one target, and the most promising larger ones)")
    few = mh.plan(["Liberators", "Rat Ogors"], ["Clanrats"], system="aos4")
    assert (few.larger, few.proven) == (False, True)


def test_who_hardly_adds_anything_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "plan",
        "10 Liberators: charged + 10 Liberators: charged + Rat Ogors + 40 Clanrats",
        "5 Clanrats",
    ]
    assert main([*words, "--destroy", "5 Clanrats"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (line,) = [line for line in lines if line.startswith("hardly needed, less than 0.1% together: ")]
    spare = line.partition(": ")[2]
    army = words[1].split(" + ")
    found = mh.plan(army, ["5 Clanrats"], destroy="5 Clanrats")
    assert ", ".join(found.spare) == spare
    needed = list(found.attacks[0].attackers)
    for name in found.spare:
        needed.remove(name)
    assert mh.pile(needed, "5 Clanrats").p_destroyed > 0.999 * found.value
    few = mh.plan(["Liberators", "Rat Ogors"], ["Clanrats", "Stormvermin"], system="aos4")
    assert few.spare == ()


def test_weights_stand_for_points() -> None:
    ours, theirs = ["Liberators"], ["Clanrats", "Stormvermin"]
    for name in theirs:
        found = mh.plan(ours, theirs, system="aos4", weights={name: 1.0})
        assert [one.target for one in found.attacks] == [name]
        assert found.value < 1.0


def test_a_time_limit_is_told_with_its_gap(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plan", "Space Marines", "Orks", "--seconds", "0.000001", "--most", "2"]
    assert main([*words, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["value"] >= document["greedy"] - 1e-6
    assert document["bound"] >= document["value"] - 1e-6
    found = mh.plan(["Liberators", "Rat Ogors"], ["Clanrats"], system="aos4")
    stopped = replace(found, proven=False, bound=1.25 * found.value)
    assert stopped.gap == pytest.approx(0.25)
    assert proof(stopped).startswith("stopped by the time limit: another plan is at most 25.0% better (")


def test_the_command_says_what_python_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reach = tmp_path / "reach.toml"
    reach.write_text('[can]\nLiberators = ["Clanrats"]\n', encoding="utf-8")
    words = ["plan", "Liberators + Rat Ogors", "Clanrats + Stormvermin", "--system", "aos4", "--points", "1"]
    assert main([*words, "--reach", str(reach), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = mh.plan(
        ["Liberators", "Rat Ogors"],
        ["Clanrats", "Stormvermin"],
        system="aos4",
        points=1,
        reach={"Liberators": ["Clanrats"]},
    )
    assert document["rows"] == json.loads(json.dumps(found.rows()))
    assert main(words) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("proven best, gap 0 (")
    assert main([*words, "--destroy", "Clanrats"]) == 0
    assert "all of them destroyed: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Liberators", ""], "plan: no units (give a list, a faction, or units with ' + ' between them)"),
        (["Librators", "Clanrats"], "plan: no unit "),
        (["Liberators", "Boyz"], "plan: no unit "),
        (["Liberators", "list.rosz"], "plan: list.rosz: no such file (give a list, or the name of a unit)"),
        (
            ["Liberators", "Clanrats", "--weight", "x"],
            "plan: --weight 'x' (write TARGET=N, such as Clanrats=2)",
        ),
        (
            ["Liberators", "Clanrats", "--weight", "Clanrats=0"],
            "plan: no target weighs anything (give one of them more than 0)",
        ),
        (["Liberators", "Clanrats", "--weight", "Rats=1"], "plan: unknown target 'Rats'"),
        (["Liberators", "Clanrats", "--destroy", "Clanrat"], "plan: unknown target 'Clanrat' (did you mean"),
        (
            ["Liberators", "Clanrats", "--destroy", "Clanrats"],
            "plan: Clanrats cannot be destroyed by those who",
        ),
        (
            ["Liberators", "Clanrats", "--points", "-1"],
            "plan: points is -1 (give a whole number from 0 to 20)",
        ),
        (["Liberators", "Clanrats", "--seconds", "0"], "plan: 0.0 seconds (give more than 0)"),
        (
            ["Liberators", "Clanrats", "--reach", "no.toml"],
            "no.toml: cannot be read (No such file or directory",
        ),
        (["Liberators", "Clanrats", "--kind", "ranged"], "plan: no attacker can hurt a target (see who can"),
    ],
)
def test_bad_plans_give_a_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[can]\nA = ["Clanrats"]\n', "reach: can: unknown attacker 'A'"),
        ('[can]\nLiberators = ["Rats"]\n', "reach: can: Liberators: unknown target 'Rats'"),
        ("[can]\nLiberators = 3\n", "reach: can: Liberators: 3 (give a list of targets)"),
        ("can = 3\n", "reach: can: 3 is not a table (give attacker = [targets])"),
        (
            '[can]\nLiberators = ["Clanrats"]\n[cannot]\nLiberators = ["clanrats"]\n',
            "reach: Liberators can and cannot reach Clanrats (leave one of them out)",
        ),
        ("[can\n", "{path}: not TOML: "),
        ("can = " + "9" * 5000, "{path}: a number in it is too long"),
        ("can = " + "[" * 5000, "{path}: n"),
        (
            '[cannot]\nLiberators = ["Clanrats"]\n',
            "plan: no attacker can hurt a target (see who can reach whom)",
        ),
    ],
)
def test_bad_reach_files_give_a_sentence(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "reach.toml"
    path.write_text(text, encoding="utf-8")
    assert main(["plan", "Liberators", "Clanrats", "--reach", str(path)]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(message.format(path=path))


def test_of_many_sets_the_most_promising_grow_each_in_its_best_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def column(value: float, bits: int, tag: int = 0) -> columns.Column:
        return columns.Column(0, (), value, np.zeros(1), bits, tag, 0)

    level = {
        (0, 1): column(3.0, 0b11),
        (1, 0): column(4.0, 0b11),
        (0, 2): column(1.0, 0b101),
        (2, 1): column(5.0, 0b110),
        (1, 2): column(5.0, 0b110),  # no better than the one before it
        (3, 1): column(2.0, 0b110, tag=1),  # the same units, with a command
    }
    assert list(columns._promising(level)) == [(2, 1), (1, 0), (3, 1), (0, 2)]
    monkeypatch.setattr(columns, "PROMISING", 2)
    assert columns._promising(level) == {(2, 1): level[2, 1], (1, 0): level[1, 0]}


def test_a_command_is_used_once_however_many_points_there_are() -> None:
    sword = {"name": "Sword", "attacks": 5, "hit": 4, "wound": 4, "damage": 1}
    prey = {"health": 9, "models": 3, "save": 5, "points": 100}
    ours = [mh.make_unit("aos4", {"name": f"A{n}", "health": 2, "weapon": [sword]}) for n in range(2)]
    theirs = [mh.make_unit("aos4", {"name": f"T{n}"} | prey) for n in range(2)]
    none, one, two = (mh.plan(ours, theirs, points=points, most=1) for points in range(3))
    assert none.value < one.value == pytest.approx(two.value, abs=1e-9)
    assert [found.proven for found in (none, one, two)] == [True, True, True]
    assert sum("All-out Attack" in name for attack in two.attacks for name in attack.attackers) == 1
