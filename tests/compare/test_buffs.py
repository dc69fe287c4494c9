"""What buffs are worth: against fights with and without them."""

from __future__ import annotations

import csv
import io
import json

import pytest

import mathhammer as mh
from mathhammer.cli import main
from mathhammer.compare.buffs import COLUMNS, buffs_of, value_rows
from mathhammer.frames import value
from mathhammer.games.discovery import attacks_of

LIBERATORS, RATS = mh.load_unit("Liberators", "aos4"), mh.load_unit("Clanrats", "aos4")


def row(help_: str, side: str, **how: object) -> dict[str, object]:
    (found,) = [r for r in value_rows(LIBERATORS, [RATS], **how) if (r["help"], r["side"]) == (help_, side)]
    return found


def test_one_more_to_hit() -> None:
    before, after = mh.fight(LIBERATORS, RATS), mh.fight(LIBERATORS, RATS, effects=[{"hit_roll": 1}])
    found = row("+1 to hit", "attack")
    assert found["before"] == pytest.approx(before.damage.mean())
    assert found["change"] == pytest.approx(after.damage.mean() - before.damage.mean())
    assert found["share"] == pytest.approx(after.damage.mean() / before.damage.mean() - 1)
    assert found["slain"] == pytest.approx(after.slain.mean() - before.slain.mean())
    assert found["points"] == pytest.approx(150 * (after.lost.mean() - before.lost.mean()) / 20)
    assert found["change"] == pytest.approx(row("All-out Attack", "attack")["change"])


def test_a_ward_spares_own_wounds() -> None:
    before, after = (
        mh.fight(RATS, LIBERATORS),
        mh.fight(RATS, LIBERATORS, effects=[{"ward": 5, "on": "target"}]),
    )
    found = row("ward 5+", "defence")
    assert found["change"] == pytest.approx(before.lost.mean() - after.lost.mean())
    assert found["points"] == pytest.approx(90 * (before.lost.mean() - after.lost.mean()) / 10)
    assert found["p_destroyed"] == pytest.approx(before.p_destroyed - after.p_destroyed)


@pytest.mark.rule("AOS4-17.1")
def test_what_is_in_use_already_or_changes_nothing_is_left_out() -> None:
    names = {(r["help"], r["side"]) for r in value_rows(LIBERATORS, [RATS], commands=("all_out_attack",))}
    assert ("all out attack", "attack") not in names
    assert ("+1 to hit", "attack") not in names  # AOS4-17.1: the cap is reached
    assert ("covering fire", "attack") not in names  # no shooting here
    assert all(r["change"] > 0 for r in value_rows(LIBERATORS, [RATS]))


def test_opponents_without_weapons_give_no_defence_but_the_mirror() -> None:
    rows = value_rows(LIBERATORS, [mh.make_unit("aos4", {"name": "Wall", "health": 3, "save": 2})])
    assert {r["opponent"] for r in rows if r["side"] == "defence"} == {"Liberators (itself)"}
    with pytest.raises(mh.BadInputError, match=r"^value: no opponent \(say against whom\)$"):
        value_rows(LIBERATORS, [])


def test_a_help_that_makes_the_impossible_possible_has_no_share() -> None:
    feeble = mh.make_unit(
        "aos4",
        {
            "name": "Feeble",
            "health": 1,
            "weapon": [{"name": "Twig", "attacks": 1, "hit": 6, "wound": 6, "damage": 1}],
        },
    )
    found = [
        r
        for r in value_rows(feeble, [RATS], effects=[{"hit_roll": -1}], options={"crit_always_hits": False})
        if r["side"] == "attack" and r["help"] == "+1 to hit"
    ]
    assert found[0]["share"] is None
    assert found[0]["change"] > 0


@pytest.mark.parametrize("system", ["aos4", "wh40k10", "aos1"])
def test_every_game_has_helps_of_its_own_words(system: str) -> None:
    game = attacks_of(system)
    found = list(buffs_of(game))
    known = {field.name for field in game.effect_fields} | {"on"}
    assert all(set(change) <= known for help_ in found for change in help_.effects)
    assert {"+1 to hit", "+1 to save", "+1 Attacks"} <= {help_.name for help_ in found}
    assert {command for help_ in found for command in help_.commands} == set(game.commands) - {
        game.best_reroll
    }


def test_the_frame_and_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    table = value("Liberators", "Clanrats", system="aos4")
    assert list(table.columns) == list(COLUMNS)
    assert table["share"].is_monotonic_decreasing
    assert main(["value", "Liberators", "--vs", "Clanrats", "--format", "csv", "--top", "5"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [r["help"].lstrip("'") for r in rows] == table["help"].tolist()[:5]  # formulas are disarmed
    assert (
        main(["value", "Necron Warriors", "--weapons", "ranged", "--side", "defence", "--format", "json"])
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert {r["side"] for r in found["rows"]} == {"defence"}
    assert main(["value", "Librators"]) == 2
    assert "(did you mean 'Liberators'?)" in capsys.readouterr().err
