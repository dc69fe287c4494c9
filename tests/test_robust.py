"""What once was answered wrongly without a word, or ended in a traceback: each has a sentence or the right answer."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.datasheets.checking import check_file
from mathhammer.datasheets.library import sheets

GUARD = mh.make_unit(
    "aos4",
    {
        "name": "Guard",
        "models": 5,
        "health": 2,
        "save": 4,
        "weapon": [
            {"name": "Hammer", "attacks": 2, "hit": 3, "wound": 3, "rend": 1, "damage": 1},
            {"name": "Bow", "kind": "ranged", "range": 12, "attacks": 1, "hit": 3, "wound": 3, "damage": 1},
        ],
    },
)
LUCKY = mh.make_unit(
    "aos4",
    {
        "name": "Lucky",
        "health": 3,
        "weapon": [{"name": "Club", "attacks": 2, "hit": 4, "wound": 4, "damage": 1}],
        "effect": [{"name": "Luck", "needs": "4+", "hit_roll": "+1"}],
    },
)


def test_a_weapon_named_twice_strikes_once() -> None:
    once = mh.fight(GUARD, GUARD, weapons=["Hammer"]).lost
    assert mh.fight(GUARD, GUARD, weapons=["Hammer", "hammer", "HAMMER"]).lost == once


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"weapons": []}, "fight: Guard: no weapon is named (known: 'Hammer', 'Bow')"),
        ({"effects": [5]}, "effects: 5 is not an effect (write {...} or a list of them)"),
        ({"effects": "x"}, "effects: 'x' is not an effect (write {...} or a list of them)"),
        ({"friends": "x"}, "fight: friends is 'x' (give units, such as [load_unit(...)])"),
        ({"friends": [None]}, "fight: friends: None is not a unit (use load_unit or make_unit)"),
        ({"options": 5}, "fight: options is 5 (give a mapping from option to value)"),
        ({"distance": 10**400}, f"fight: distance {str(10**400)[:40]} (give inches from 0 to 1000)"),
        ({"distance": float("nan")}, "fight: distance nan (give inches from 0 to 1000)"),
        ({"distance": True}, "fight: distance True (give inches from 0 to 1000)"),
        ({"round": 2.0}, "fight: battle round 2.0 (give a whole number from 1 on)"),
    ],
)
def test_what_fight_does_not_take(asked: dict[str, Any], says: str) -> None:
    with pytest.raises(mh.BadInputError) as caught:
        mh.fight(GUARD, GUARD, **asked)
    assert str(caught.value) == says


def test_a_unit_has_a_name() -> None:
    with pytest.raises(
        mh.BadInputError, match=r"^load_unit: None is not a name \(give the name of a unit\)$"
    ):
        mh.load_unit(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("distance", [9, np.int64(9), np.float32(9), np.float64(9.0)])
def test_distances_of_numpy(distance: Any) -> None:
    shot = mh.fight(GUARD, GUARD, weapons="ranged", distance=distance, round=np.int64(2)).lost
    assert shot == mh.fight(GUARD, GUARD, weapons="ranged", distance=9.0, round=2).lost
    assert mh.duel(GUARD, GUARD, distance=distance).p_win == mh.duel(GUARD, GUARD, distance=9.0).p_win


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda p: p.cut(-2), "pmf: cap -2 (give a whole number from 0 on)"),
        (lambda p: p.at_least(float("nan")), "pmf: nan is not a whole number"),
        (lambda p: p.at_most("x"), "pmf: 'x' is not a whole number"),
        (lambda p: p.between(0, 1.5), "pmf: 1.5 is not a whole number"),
        (lambda p: p.binomial(-1, 0.5), "pmf: number of dice -1 (give a whole number from 0 on)"),
        (lambda p: p.binomial(2, 1.5), "pmf: chance 1.5 (give a number from 0 to 1)"),
    ],
)
def test_what_a_distribution_does_not_take(ask: Any, says: str) -> None:
    with pytest.raises(mh.BadInputError) as caught:
        ask(mh.Pmf([0.5, 0.5]))
    assert str(caught.value) == says


def test_many_dice() -> None:
    many = mh.Pmf.binomial(2000, 0.5)
    assert (many.mean(), many.sd()) == pytest.approx((1000.0, 500**0.5), rel=1e-12)
    assert many[0] == pytest.approx(0.5**2000, rel=1e-9)
    assert mh.Pmf.binomial(0, 0.3).to_dict() == {0: 1.0}
    assert mh.Pmf.binomial(3, 1 / 3).probs == pytest.approx(np.array([8, 12, 6, 1]) / 27, abs=1e-15)


@pytest.mark.parametrize("unit", [GUARD, LUCKY], ids=lambda unit: unit.name)
@pytest.mark.parametrize(
    "asked", [{}, {"method": "simulate", "trials": 2000, "seed": 3}], ids=["exact", "simulated"]
)
def test_answers_travel_to_other_processes(unit: mh.Unit, asked: dict[str, Any]) -> None:
    fight = mh.fight(unit, GUARD, **asked)
    again = pickle.loads(pickle.dumps(fight))
    assert (again.lost, again.slain, again.damage) == (fight.lost, fight.slain, fight.damage)
    assert (again, hash(again)) == (fight, hash(fight))
    assert fight != mh.fight(unit, LUCKY, **asked)
    assert (str(again.conditions), again.not_counted) == (str(fight.conditions), fight.not_counted)
    duel = mh.duel(unit, GUARD, **asked)
    other = pickle.loads(pickle.dumps(duel))
    assert (other.p_win, other.models) == (duel.p_win, duel.models)
    assert other.swapped().p_win == duel.swapped().p_win


# --- one ability, however it is spelled ------------------------------------------------------------------------------------

BODIES: dict[str, dict[str, Any]] = {
    "aos1": {"wounds": 2, "bravery": 6},
    "aos4": {"health": 2},
    "wh40k10": {"wounds": 2, "toughness": 4},
    "wh40k11": {"wounds": 2, "toughness": 4},
}
SIGMAR_GUN = {"hit": 3, "wound": 3, "rend": 1}
GUNS = {"aos1": SIGMAR_GUN, "aos4": SIGMAR_GUN}
MET = ([], ["charged"], ["in_combat"], ["half_range"], ["stationary"], ["target_in_cover"])


def known_abilities(system: str) -> list[str]:
    """Every weapon ability that a shipped datasheet writes."""
    weapons = [weapon for sheet in sheets(system) for weapon in sheet.fields.get("weapon", [])]
    return sorted({word for weapon in weapons for word in weapon.get("abilities", [])})


def shooters(system: str, ability: str) -> mh.Unit:
    gun = {"name": "Gun", "kind": "ranged", "range": 24, "attacks": 3, "damage": 2, "abilities": [ability]}
    gun |= GUNS.get(system, {"skill": 3, "strength": 5, "ap": -1})
    return mh.make_unit(system, {"name": "Ones", "save": 4, "weapon": [gun], **BODIES[system]})


def seen(unit: mh.Unit, foe: mh.Unit, situation: list[str]) -> float | str:
    """The mean wounds lost, or why it may not be asked."""
    try:
        return mh.fight(unit, foe, situation=situation).lost.mean()
    except mh.MathhammerError as error:
        return str(error)


@pytest.mark.parametrize("system", BODIES)
def test_an_ability_acts_the_same_however_it_is_spelled(system: str) -> None:
    body = {"name": "Foe", "models": 10, "save": 4, **BODIES[system]}
    foe = mh.make_unit(system, body | {"keywords": ["monster", "vehicle", "infantry", "cavalry", "hero"]})
    abilities = known_abilities(system)
    assert abilities
    for ability in abilities:
        plain = [seen(shooters(system, ability), foe, situation) for situation in MET]
        for spelled in (ability.lower(), ability.upper(), ability.replace(" ", "  ")):
            again = [seen(shooters(system, spelled), foe, situation) for situation in MET]
            assert again == plain, spelled


def test_a_matrix_with_a_friend_goes_on_in_a_new_process(tmp_path: Path) -> None:
    """What a friend gives is part of the question, and told alike by every process, whatever order its sets have."""
    words = [
        "matrix",
        "Liberators",
        "--vs",
        "Clanrats",
        "--system",
        "aos4",
        "--with",
        "Lord-Terminos",
    ]
    words += ["--resume", str(tmp_path / "rows.npz"), "--format", "csv"]
    said = []
    for hashed in ("1", "2", "3"):
        environment = os.environ | {"PYTHONHASHSEED": hashed}
        done = subprocess.run(
            [sys.executable, "-m", "mathhammer", *words], capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert len(set(said)) == 1


def test_a_sheet_with_many_faults_is_checked_in_no_time(tmp_path: Path) -> None:
    units = "".join(f'[[unit]]\nname = "u{number}"\nmodels = "x"\nhealth = 1\n' for number in range(1500))
    path = tmp_path / "many.toml"
    path.write_text(f'system = "aos4"\nfaction = "x"\n{units}', encoding="utf-8")
    started = time.process_time()
    faults = check_file(path)
    assert len(faults) == 1500
    assert [str(fault).partition(",")[0].rpartition(":")[2] for fault in faults[:2]] == ["5", "9"]
    assert time.process_time() - started < 4.0  # it took longer once; now a tenth of that


@pytest.mark.parametrize("name", ["Rats [/b]", "[red]Rats", "Rats\x1b[31m", "=Rats", "", "R|ats"])
def test_names_are_shown_as_they_are_or_escaped(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Markup is no markup, and an escape sequence reaches no terminal, whatever a name holds."""
    folder = tmp_path / "aos4"
    folder.mkdir()
    (folder / "mine.toml").write_text(
        f'system = "aos4"\nfaction = {json.dumps(name)}\n[[unit]]\nname = {json.dumps(name or "Rats")}\nhealth = 1\n'
        '[[unit.weapon]]\nname = "Claw"\nattacks = 2\nhit = 4\nwound = 4\ndamage = 1\n',
        encoding="utf-8",
    )
    asked = name or "Rats"
    for form in ("table", "csv", "md", "json"):
        code = main(
            [
                "compare",
                asked,
                "--vs",
                "Clanrats",
                "--system",
                "aos4",
                "--datasheets",
                str(tmp_path),
                "--format",
                form,
            ]
        )
        out, err = capsys.readouterr()
        assert code in (0, 2)
        assert "\x1b" not in out + err
        assert "Traceback" not in out + err
        assert form == "json" or code == 2 or asked.partition("\x1b")[0] in out.replace("\\", "")
