"""Decisions at their edges: limits that are refused, sets without points, rules behind a roll."""

from __future__ import annotations

from typing import Any

import pytest

import mathhammer as mh


def marine(name: str = "Marine", points: int | None = 20, **more: Any) -> mh.Unit:
    gun = {"name": "Gun", "kind": "ranged", "range": 24, "attacks": 4, "skill": 3, "strength": 5, "ap": -1}
    body = {"name": name, "toughness": 4, "wounds": 2, "save": 3, "weapon": [gun | {"damage": 1}], **more}
    return mh.make_unit("wh40k10", body | ({} if points is None else {"points": points}))


RATS = mh.make_unit("wh40k10", {"name": "Rats", "models": 2, "wounds": 1, "toughness": 3, "save": 5})


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"chance": 0.0}, "kill: chance 0.0 (give more than 0 and at most 1, such as 0.8)"),
        ({"chance": 1.01}, "kill: chance 1.01 (give more than 0 and at most 1, such as 0.8)"),
        ({"copies": 0}, "kill: copies is 0 (give a whole number from 1 to 20)"),
        ({"copies": 21}, "kill: copies is 21 (give a whole number from 1 to 20)"),
        ({"points": -1}, "kill: points is -1 (give a whole number from 0 to 20)"),
        ({"best": 0}, "kill: best is 0 (give a whole number from 1 to 100)"),
    ],
)
def test_what_kill_does_not_take(asked: dict[str, Any], says: str) -> None:
    with pytest.raises(mh.BadInputError) as caught:
        mh.kill(RATS, [marine()], **asked)
    assert str(caught.value) == says


def test_the_lowest_limits_are_taken() -> None:
    found = mh.kill(RATS, [marine()], chance=1e-6, copies=1, points=0, best=1)
    assert len(found.sets) == 1
    assert found.sets[0].points == 20


def test_why_nobody_can_attack() -> None:
    far = mh.make_unit("wh40k10", {"name": "Bare", "toughness": 4, "wounds": 2})
    with pytest.raises(mh.BadInputError) as caught:
        mh.kill(RATS, [far])
    assert str(caught.value).startswith("kill: no unit can attack Rats (")
    assert "no weapon" in str(caught.value)


def test_units_without_points_make_sets_without_points() -> None:
    found = mh.kill(RATS, [marine(points=None), marine("Other", points=None)], chance=0.5, copies=2)
    assert {one.points for one in found.sets} == {None}


def test_a_side_of_sixty_is_planned_and_of_sixty_one_is_not() -> None:
    one, many = [marine("One", points=10)], [marine("Foe", points=10)] * 61
    with pytest.raises(mh.BadInputError, match=r"^plan: 61 targets \(at most 60\)$"):
        mh.plan(one, many)
    assert mh.plan(one, many[:60]).proven


def test_a_re_roll_beside_a_rule_behind_a_roll() -> None:
    """The attack is a mixture: each way counts with its chance, for every policy."""
    luck = {"name": "Luck", "needs": "5+", "hit_roll": "+1"}
    lucky = marine("Lucky", effect=[luck])
    plain = mh.fight(lucky, RATS, weapons="ranged")
    found = mh.reroll(lucky, RATS, weapons="ranged")
    assert found.policies[-1][1].to_dict() == pytest.approx(plain.lost.to_dict())
    assert found.policies[-1][2] == pytest.approx(plain.p_destroyed)
    for _, lost, gone in found.policies:
        assert sum(lost) == pytest.approx(1.0)
        assert lost.at_least(2) == pytest.approx(gone)
        assert found.lost.mean() >= lost.mean() - 1e-9
