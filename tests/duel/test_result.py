"""What the answer of a duel says."""

from __future__ import annotations

import pytest
from duel_units import aos, load, rats

import mathhammer as mh


def test_points_and_survivors() -> None:
    found = mh.duel(aos(models=4, points=100), aos("Elf", points=60), rounds=1)
    assert found.points_lost[1] == pytest.approx(60 * found.p_win)
    assert found.points_lost[0] == pytest.approx(25 * (4 - found.models[0].mean()))
    assert found.trade == pytest.approx(found.points_lost[1] - found.points_lost[0])
    assert found.by_round == found.course[1:2]
    assert found.to_dict()["p_win"] == found.p_win
    assert found.standard_error(0.5) == 0.0


@pytest.mark.rule(
    "AOS4-14.3", "AOS4-19.0", "AOS4-C-6.0", "AOS4-C-5.0", "WH40K-FIGHTORDER", "AOS1-BATTLESHOCK"
)
def test_explain_names_rules_and_assumptions() -> None:
    text = mh.duel(
        load("aos4", "Liberators"),
        load("aos4", "Rat Ogors"),
        distance=9,
        commands=["all_out_attack@1", "reroll_charge"],
    ).explain()
    for part in (
        "AOS4-14.3",
        "AOS4-19.0",
        "AOS4-C-6.0",
        "AOS4-C-5.0",
        "nobody moves before a charge",
        "Casualties",
        "Points count by models lost",
    ):
        assert part in text
    text = mh.duel(load("wh40k10", "Boyz"), load("wh40k10", "Intercessor Squad"), distance=9).explain()
    assert "WH40K-FIGHTORDER" in text
    assert "AOS1-BATTLESHOCK" in mh.duel(rats(), rats(), rounds=1).explain()
