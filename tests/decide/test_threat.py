"""By distance: the chance to reach, and what comes of it."""

from __future__ import annotations

import json
from itertools import product

import pytest

import mathhammer as mh
from mathhammer.cli import main

TWO_DICE = [sum(roll) for roll in product(range(1, 7), repeat=2)]


def ogor(game: str, move: int) -> mh.Unit:
    club = {"name": "Club", "attacks": 6, "damage": 2}
    club |= {"hit": 3, "wound": 3} if game == "aos4" else {"skill": 3, "strength": 5}
    body = {"health": 4} if game == "aos4" else {"wounds": 4, "toughness": 5}
    return mh.make_unit(game, {"name": "Ogor", "models": 2, "save": 5, "move": move, "weapon": [club]} | body)


@pytest.mark.parametrize(("game", "slack"), [("aos4", 0.5), ("wh40k10", 1.0)])
@pytest.mark.parametrize("reroll", [False, True])
def test_the_charge_is_two_dice_after_the_move(game: str, slack: float, reroll: bool) -> None:
    unit = ogor(game, 6)
    found = mh.threat(unit, unit, reroll=reroll)
    apart = [one for one in found.at if one.distance > 9]  # nearer, the move stops in front of the enemy
    assert [one.distance for one in apart] == list(range(10, 10 + len(apart)))
    for one in apart:
        p = sum(total >= one.distance - 6 - slack for total in TWO_DICE) / 36
        expected = 1 - (1 - p) ** 2 if reroll else p
        assert one.p_reached == pytest.approx(expected, abs=1e-12)
        assert found.reach(one.p_reached) == one.distance
    destroyed = mh.fight(unit, unit, weapons="melee", situation="charged").p_destroyed
    last = apart[0]
    assert last.p_destroyed == pytest.approx(last.p_reached * destroyed, abs=1e-9)
    assert found.reach(2.0) is None


@pytest.mark.parametrize(
    ("game", "slack", "within"), [("aos4", 0.5, 13), ("wh40k10", 1.0, 12), ("wh40k11", 0.0, 12)]
)
def test_a_run_adds_a_die_to_the_move(game: str, slack: float, within: int) -> None:
    unit = ogor(game, 6)
    for one in mh.threat(unit, unit, run=True).at:
        if one.distance > 15:  # nearer, some moves stop in front of the enemy
            left = [one.distance - 6 - roll for roll in range(1, 7) if one.distance - 6 - roll <= within]
            wins = sum(total >= inches - slack for total in TWO_DICE for inches in left)
            assert one.p_reached == pytest.approx(wins / 216, abs=1e-12)


def test_who_runs_does_not_shoot_but_with_assault_weapons() -> None:
    bow = {
        "name": "Bow",
        "kind": "ranged",
        "range": 24,
        "attacks": 10,
        "skill": 2,
        "strength": 8,
        "damage": 1,
    }
    body = {"name": "Archer", "wounds": 2, "toughness": 3, "save": 6, "move": 6}
    plain, assault = (
        mh.make_unit("wh40k10", body | {"weapon": [bow | {"abilities": abilities}]})
        for abilities in ([], ["Assault"])
    )
    target = ogor("wh40k10", 6)
    ran = mh.threat(assault, target, run=True, distances=[20]).at[0]
    assert ran.slain == pytest.approx(mh.threat(plain, target, distances=[20]).at[0].slain, abs=1e-12)
    assert mh.threat(plain, target, run=True, distances=[20]).at[0].slain == 0.0


def test_only_what_moves_can_run() -> None:
    still = mh.make_unit(
        "aos4",
        {
            "name": "Rock",
            "health": 4,
            "weapon": [{"name": "Fall", "attacks": 1, "hit": 4, "wound": 4, "damage": 1}],
        },
    )
    with pytest.raises(mh.BadInputError, match="threat: Rock has no Move"):
        mh.threat(still, still, run=True)


def test_distances_may_be_given() -> None:
    near, far = mh.threat("Rat Ogors", "Clanrats", distances=[2, 40]).at
    assert (near.p_reached, far.p_reached, far.slain) == (1.0, 0.0, 0.0)
    assert near.slain > 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Rat Ogers"], "threat: no unit 'Rat Ogers' in "),
        (["Rat Ogors", "--vs", "Boyz"], "threat: no unit 'Boyz' in "),
        (["Rat Ogors", "--distance", "-3"], "duel: distance -3.0"),
        ([], "threat: Missing argument 'UNIT'."),
    ],
)
def test_bad_questions_give_a_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["threat", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith(message)


def test_the_command_says_what_python_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["threat", "Rat Ogors", "--vs", "Clanrats", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == mh.threat("Rat Ogors", "Clanrats").rows()
    assert main(["threat", "Rat Ogors"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[-1].endswith("%")


def test_the_chart_shows_the_chances() -> None:
    from mathhammer.plots.asking import Chart
    from mathhammer.plots.chart import draw_chart

    ogors, rats = (mh.load_unit(name, "aos4") for name in ("Rat Ogors", "Clanrats"))
    found = mh.threat(ogors, rats)
    line = draw_chart(Chart("threat", (ogors,), (rats,))).get_lines()[0]
    assert list(line.get_xdata()) == [one.distance for one in found.at]
    assert list(line.get_ydata()) == [one.p_reached for one in found.at]
    slain = draw_chart(Chart("threat", (ogors,), (rats,), of="slain")).get_lines()[0]
    assert list(slain.get_ydata()) == [one.slain for one in found.at]
    wrong = [
        (Chart("threat", (ogors,), of="slain"), "chart: 0 targets for slain by distance (give one)"),
        (Chart("threat", (ogors,) * 9), "chart: 9 curves in one chart (at most 8)"),
        (
            Chart("threat", (ogors,), (rats,), fight_options={"situation": ("charged",)}),
            "chart: threat takes units and a target only (leave out situation)",
        ),
    ]
    for chart, message in wrong:
        with pytest.raises(mh.BadInputError) as caught:
            draw_chart(chart)
        assert str(caught.value) == message
