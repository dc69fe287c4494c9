"""What one use of a command is worth."""

from __future__ import annotations

import pytest
from duel_units import aos, load, marine

import mathhammer as mh
from mathhammer.duel.advice import advise


def test_advice_compares_exact_values() -> None:
    a, b = load("aos4", "Liberators"), load("aos4", "Rat Ogors")
    fought = mh.duel(a, b, distance=9, rounds=3)
    found = [one for one in advise(fought, "a") if not one.refused]
    assert [one.gain for one in found] == sorted((one.gain for one in found), reverse=True)
    for one in found:
        again = mh.duel(a, b, distance=9, rounds=3, commands=[str(one.use)])
        assert again.p_win == pytest.approx(one.wins)
        assert one.gain == pytest.approx(again.p_win - again.p_lose - fought.p_win + fought.p_lose)
        assert one.trade == pytest.approx(again.trade - fought.trade)
    names = {one.use.command for one in found}
    reactions = {"redeploy", "covering_fire", "counter_charge", "power_through", "retreat"}
    assert names <= {"all_out_attack", "all_out_defence", "reroll_charge"} | reactions
    assert {"all_out_attack", "all_out_defence", "reroll_charge", "counter_charge"} <= names
    theirs = advise(fought, "b")
    assert max(one.gain for one in theirs) > 0


def test_command_reroll_now_or_later() -> None:
    fought = mh.duel(marine(models=5), marine("Xenos", models=5), rounds=2)
    found = {str(one.use): one for one in advise(fought, "a")}
    assert found["command_reroll_wound@1a-melee"].gain > found["command_reroll_wound@2b-melee"].gain > 0
    captain = mh.attach(load("wh40k10", "Captain"), load("wh40k10", "Intercessor Squad"))
    refused = [
        one.refused for one in advise(mh.duel(captain, load("wh40k10", "Boyz"), rounds=1), "a") if one.refused
    ]
    assert any("cannot use tank_shock: it is for Vehicle units" in text for text in refused)


@pytest.mark.slow
def test_advice_messages() -> None:
    with pytest.raises(mh.BadInputError, match="advice is for two single units"):
        advise(mh.duel([aos(), aos()], aos(), trials=10), "a")
    with pytest.raises(mh.BadInputError, match="advice compares exact values"):
        advise(mh.duel(aos(), aos(), method="simulate", trials=10), "a")
