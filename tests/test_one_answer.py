"""One question has one answer, whichever way it is asked: a fight, a matrix, a pile (which
strikes as a duel does), a comparison.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import random_units
from hypothesis import assume, given
from hypothesis import strategies as st
from test_properties import Meeting, meetings

import mathhammer as mh
from mathhammer.compare.matrix import fill_matrix
from mathhammer.compare.sweep import Sweep
from mathhammer.datasheets.library import sheets
from mathhammer.games.discovery import attacks_of
from mathhammer.serve.answer import answer

AGREE = 1e-12
WAYS = random_units.GAMES


def close(value: float | list[float]) -> object:
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


@st.composite
def gatherings(draw: st.DrawFn, system: str) -> tuple[list[mh.Unit], list[mh.Unit], dict[str, Any]]:
    """Attackers and targets, some of them alike but for their size, their losses or a rule; a friend on either side."""
    kind = draw(st.sampled_from(["melee", "ranged"]))
    attackers = [mh.make_unit(system, draw(random_units.units(system, kind))) for _ in range(2)]
    bodies = [draw(random_units.units(system, kind)) for _ in range(2)]
    targets = [mh.make_unit(system, body) for body in bodies]
    for body in bodies:
        if not body.get("group"):
            targets.append(mh.make_unit(system, body | {"models": draw(st.integers(1, 12))}))
    targets.append(targets[0].with_lost(draw(st.integers(0, max(0, targets[0].health - 1)))))
    friends = [mh.make_unit(system, draw(random_units.units(system, kind))) for _ in range(2)]
    situations = sorted(attacks_of(system).situations)
    return (
        attackers,
        targets,
        {
            "weapons": kind,
            "situation": draw(st.lists(st.sampled_from(situations), max_size=2, unique=True)),
            "distance": draw(st.none() | random_units.INCHES),
            "round": draw(st.sampled_from([None, 1, 2])),
            "friends": friends[: draw(st.integers(0, 1))],
            "target_friends": friends[1 : draw(st.integers(1, 2))],
        },
    )


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [False, True], ids=["matrix", "atlas"])
@pytest.mark.parametrize("system", WAYS)
def test_many_at_once_are_what_each_fight_says(system: str, compiled: bool) -> None:
    """What a matrix and an atlas share between targets that are alike changes no number."""

    @given(gatherings(system))
    def check(gathering: tuple[list[mh.Unit], list[mh.Unit], dict[str, Any]]) -> None:
        attackers, targets, how = gathering
        refused: dict[int, str] = {}
        for attacker in attackers:
            try:
                cells = replace(Sweep.of(targets, compiled=compiled, **how), refused=refused).row(attacker)
            except mh.MathhammerError:
                cells = None
            for place, target in enumerate(targets):
                try:
                    fight = mh.fight(attacker, target, **how)
                except mh.MathhammerError:
                    assert cells is None or place in refused
                    continue
                if cells is None:
                    continue
                assert cells[place, 1:4].tolist() == close(
                    [fight.lost.mean(), fight.slain.mean(), fight.p_destroyed]
                )

    check()


BUFFS = ("+1 to hit", "-1 to wound", "reroll hits", "+1 attack", "+1 damage", "crit on 5+")
SHIPPED = {system: [sheet.name for sheet in sheets(system) if sheet.fields.get("weapon")] for system in WAYS}


@st.composite
def expressions(draw: st.DrawFn, system: str) -> str:
    """A shipped unit, sometimes of another size, with typed buffs."""
    name = draw(st.sampled_from(SHIPPED[system]))
    words = draw(st.lists(st.sampled_from(BUFFS), max_size=2, unique=True))
    return f"{name}: {', '.join(words)}" if words else name


@pytest.mark.slow
@pytest.mark.parametrize("system", WAYS)
def test_the_page_says_what_a_fight_says(system: str) -> None:
    situations = sorted(attacks_of(system).situations)

    @given(
        st.lists(expressions(system), min_size=1, max_size=2, unique=True),
        st.lists(expressions(system), min_size=1, max_size=2, unique=True),
        st.lists(st.sampled_from(situations), max_size=2, unique=True),
        st.none() | st.integers(1, 30),
    )
    def check(attackers: list[str], targets: list[str], situation: list[str], distance: int | None) -> None:
        asked = {"system": system, "attackers": attackers, "targets": targets, "situation": situation}
        how: dict[str, Any] = {"situation": situation, "distance": distance}
        try:
            rows = answer(asked | ({} if distance is None else {"distance": distance}))["rows"]
        except mh.MathhammerError:
            assume(False)
        assert len(rows) == len(attackers) * len(targets)
        for row in rows:
            if row["lost"] is None:
                with pytest.raises(mh.MathhammerError):
                    mh.fight(
                        mh.unit(row["attacker"], system=system), mh.unit(row["target"], system=system), **how
                    )
                continue
            fight = mh.fight(
                mh.unit(row["attacker"], system=system), mh.unit(row["target"], system=system), **how
            )
            assert row["lost"] == close(fight.lost.mean())
            assert row["p_destroyed"] == close(fight.p_destroyed)
            assert row["at_least"] == close([fight.slain.at_least(k) for k in range(len(fight.slain))])

    check()
