"""One question has one answer, whichever way it is asked: a fight, a matrix, a pile (which
strikes as a duel does), a comparison.
"""

from __future__ import annotations

import pytest
import random_units
from hypothesis import assume, given
from test_properties import Meeting, meetings

import mathhammer as mh
from mathhammer.compare.matrix import fill_matrix

AGREE = 1e-12
WAYS = random_units.GAMES


def close(value: float) -> object:
    return pytest.approx(value, abs=AGREE, rel=AGREE)


@pytest.mark.parametrize("system", WAYS)
def test_a_matrix_says_what_a_fight_says(system: str) -> None:
    @given(meetings(system))
    def check(meeting: Meeting) -> None:
        attacker, target, how = meeting
        fight = mh.fight(attacker, target, **how)
        cells = fill_matrix([attacker], [target], workers=1, **how)
        assert cells.of("lost")[0, 0] == close(fight.lost.mean())
        assert cells.of("slain")[0, 0] == close(fight.slain.mean())
        assert cells.of("p_destroyed")[0, 0] == close(fight.p_destroyed)

    check()


@pytest.mark.parametrize("system", WAYS)
def test_a_pile_of_one_says_what_a_fight_says(system: str) -> None:
    @given(meetings(system))
    def check(meeting: Meeting) -> None:
        attacker, target, how = meeting
        # who strikes again does so in a pile and in a duel; a fight is one attack
        assume(not any(effect.change("strike_again") for effect in (*attacker.effects, *target.effects)))
        fight = mh.fight(attacker, target, **how)
        try:
            pile = mh.pile([attacker], target, **how)
        except mh.MathhammerError:  # a pile keeps one order of losses, and knows units with few states only
            assume(False)
        assert pile.lost == close(fight.lost.mean())
        assert pile.p_destroyed == close(fight.p_destroyed)
        assert pile.steps[0].left.mean() == close(target.models_left - fight.slain.mean())

    check()


@pytest.mark.parametrize("system", WAYS)
def test_a_comparison_says_what_a_fight_says(system: str) -> None:
    @given(meetings(system))
    def check(meeting: Meeting) -> None:
        attacker, target, how = meeting
        fight = mh.fight(attacker, target, **how)
        row = mh.compare([attacker], [target], **how).iloc[0]
        assert row["lost"] == close(fight.lost.mean())
        assert row["p_destroyed"] == close(fight.p_destroyed)

    check()
