"""What abilities are worth: each unit with and without each of them."""

from __future__ import annotations

from typing import Any

import pytest

import mathhammer as mh
from mathhammer.compare.buffs import value_rows

AXE = {"name": "Axe", "attacks": 4, "hit": 4, "wound": 4, "rend": 1, "damage": 1}


def clan(name: str, *abilities: dict[str, Any]) -> mh.Unit:
    fields = {"name": name, "models": 5, "health": 2, "save": 4, "points": 100}
    return mh.make_unit("aos4", fields | {"weapon": [AXE], "ability": list(abilities)})


RITE = {"name": "Rite", "effect": [{"use": "choice", "attacks": "+1"}]}
HIDE = {"name": "Hide", "effect": [{"ward": 5}]}
VOW = {
    "name": "Vow",
    "effect": [
        {"use": "choice", "when": ["if rage"], "attacks": "+2"},
        {"use": "choice", "when": ["if calm"], "hit_roll": "+1"},
    ],
}


def rows(unit: mh.Unit, foe: mh.Unit) -> dict[tuple[str, str], dict[str, Any]]:
    found = value_rows(unit, [foe])
    return {(row["help"], row["side"]): row for row in found if row["kind"].startswith("ability")}


def test_each_ability_against_the_unit_without_it() -> None:
    cult, foe = clan("Cult", RITE, HIDE), clan("Foe")
    found = rows(cult, foe)
    assert set(found) == {("Rite", "attack"), ("Hide", "defence")}
    with_it = mh.fight(cult, foe, use="Rite").damage.mean()
    without = mh.fight(clan("Cult"), foe).damage.mean()
    assert found["Rite", "attack"]["change"] == pytest.approx(with_it - without)
    assert found["Rite", "attack"]["before"] == pytest.approx(without)
    spared = mh.fight(foe, clan("Cult")).lost.mean() - mh.fight(foe, cult).lost.mean()
    assert found["Hide", "defence"]["change"] == pytest.approx(spared)


def test_what_the_opponent_has_costs() -> None:
    found = rows(clan("Cult"), clan("Foe", RITE, HIDE))
    assert set(found) == {("Foe: Rite", "defence"), ("Foe: Hide", "attack")}
    assert all(row["change"] < 0 for row in found.values())


def test_a_choice_is_a_row_for_each_of_its_ways() -> None:
    found = rows(clan("Cult", VOW), clan("Foe"))
    assert set(found) == {("Vow (rage)", "attack"), ("Vow (calm)", "attack")}


def test_what_changes_nothing_here_is_left_out() -> None:
    late = {"name": "Late", "effect": [{"when": ["charged"], "attacks": "+1"}]}
    assert rows(clan("Cult", late), clan("Foe")) == {}
    charged = value_rows(clan("Cult", late), [clan("Foe")], situation="charged")
    assert "Late" in [row["help"] for row in charged]
