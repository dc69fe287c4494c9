"""Several units at one target: equal to the long way, exact = played, orders, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from small_armies import GAMES, SEEDS, best_order, destroyed, mean_lost, plain, unit

import mathhammer as mh
from mathhammer.cli import main


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_pile_is_fight_after_fight(game: str, seed: int) -> None:
    units = tuple(unit(game, 10 * seed + place) for place in range(3))
    target = unit(game, 10 * seed + 5)
    found = mh.pile(units, target)
    for number, step in enumerate(found.steps, 1):
        some = plain(units[:number])
        assert step.p_destroyed == pytest.approx(destroyed(some, target), abs=1e-12)
        lost = mean_lost(some, target)
        assert sum(one.lost for one in found.steps[:number]) == pytest.approx(lost, abs=1e-12)
        assert 1.0 - step.p_needed == pytest.approx(destroyed(some[:-1], target), abs=1e-12)
    best = best_order(plain(units), target)
    assert found.best_p_destroyed == pytest.approx(best, abs=1e-9)
    assert mh.pile(units, target, order="best").p_destroyed == pytest.approx(best, abs=1e-9)
    if found.order_matters is False:
        assert found.p_destroyed == pytest.approx(best, abs=1e-9)


def test_played_piles_come_to_the_same() -> None:
    """Fight after fight with rolled dice: what the first leaves, the second attacks."""
    hammers, ogors = (mh.load_unit(name, "aos4") for name in ("Liberators", "Rat Ogors"))
    rats = mh.load_unit("Clanrats", "aos4").with_models(10)
    trials, total = 40_000, 0.0
    first = mh.fight(hammers, rats, method="simulate", trials=trials, seed=5, samples=True)
    assert first.samples is not None
    lost, counts = np.unique(first.samples["lost"], return_counts=True)
    for wounds, number in zip(lost.tolist(), counts.tolist(), strict=True):
        if wounds == rats.health:
            total += number
            continue
        left = rats.with_lost(wounds)
        total += number * mh.fight(ogors, left, method="simulate", trials=number, seed=wounds).p_destroyed
    exact = mh.pile([hammers, ogors], rats).p_destroyed
    assert abs(total / trials - exact) < 6.2 * (exact * (1 - exact) / trials) ** 0.5


def test_the_order_matters_where_a_rule_looks_at_losses() -> None:
    sword = {"name": "Sword", "attacks": 4, "hit": 4, "wound": 4, "damage": 1}
    plain_unit = mh.make_unit("aos4", {"name": "Plain", "health": 2, "weapon": [sword]})
    blood = {"name": "Smells blood", "when": ["target_damaged"], "attacks": "+4"}
    hunter = mh.make_unit("aos4", {"name": "Hunter", "health": 2, "weapon": [sword], "effect": [blood]})
    prey = mh.make_unit("aos4", {"name": "Prey", "health": 5})
    wrong, right = mh.pile([hunter, plain_unit], prey), mh.pile([plain_unit, hunter], prey)
    assert (wrong.order_matters, right.order_matters) == (True, True)
    assert wrong.best_order == ("Plain", "Hunter")
    assert wrong.best_p_destroyed == pytest.approx(right.p_destroyed)
    assert right.p_destroyed > wrong.p_destroyed + 0.01
    assert mh.pile([plain_unit, plain_unit], prey).order_matters is False


def test_shooting_comes_before_combat_and_all_means_both() -> None:
    found = mh.pile(["Intercessor Squad: melee", "Intercessor Squad: ranged"], "Boyz")
    assert [step.kind for step in found.steps] == ["ranged", "melee"]
    both = mh.pile(["Intercessor Squad", "Captain"], "Boyz", weapons="all")
    assert [step.kind for step in both.steps] == ["ranged", "ranged", "melee", "melee"]
    assert both.p_destroyed > mh.pile(["Intercessor Squad", "Captain"], "Boyz").p_destroyed


def test_waste_and_what_is_left() -> None:
    hammer = {"name": "Hammer", "attacks": 1, "hit": 2, "wound": 2, "damage": 6}
    giant = mh.make_unit("aos4", {"name": "Giant", "health": 9, "weapon": [hammer]})
    rat = mh.make_unit("aos4", {"name": "Rat", "health": 1})
    first, second = mh.pile([giant, giant], rat).steps
    p = 25 / 36
    assert first.wasted == pytest.approx(5 * p)
    assert (second.p_needed, second.wasted) == (pytest.approx(1 - p), pytest.approx((1 - p) * 5 * p))
    assert second.left.to_dict() == pytest.approx({0: 1 - (1 - p) ** 2, 1: (1 - p) ** 2})


def test_a_roster_and_a_faction_are_sides() -> None:
    rats = mh.read_roster('system = "aos4"\n[[regiment]]\n[[regiment.unit]]\nname = "Clanrats"\n')
    assert [step.attacker for step in mh.pile(rats, "Liberators").steps] == ["Clanrats"]
    assert len(mh.pile("Skaven", "Liberators", system="aos4").steps) > 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Librators", "--vs", "Clanrats"], "pile: no unit 'Librators' in "),
        (["Liberators", "--vs", "Clanrat z"], "pile: no unit 'Clanrat z' in aos4"),
        (["Liberators"], "pile: 0 targets (give one: --vs TARGET)"),
        (["Liberators", "--vs", "Clanrats", "Rat Ogors"], "pile: 2 targets (give one: --vs TARGET)"),
        ([], "pile: Missing argument 'ATTACKERS...'. (see mathhammer pile --help)"),
        (["Clanrats", "--vs", "Boyz"], "pile: no unit 'Boyz' in aos4"),
        (["Clanrats: ranged", "--vs", "Liberators"], "fight: Clanrats has no ranged weapon"),
        (["Liberators", "--vs", "Clanrats", "--situation", "chraged"], "fight: unknown situation 'chraged'"),
    ],
)
def test_bad_piles_give_a_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pile", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith(message)


def test_python_gets_sentences_too() -> None:
    with pytest.raises(mh.BadInputError, match="pile: no attacker"):
        mh.pile([], "Clanrats", system="aos4")
    with pytest.raises(mh.BadInputError, match="pile: order 'worst'"):
        mh.pile(["Clanrats"], "Clanrats", order="worst")
    with pytest.raises(mh.BadInputError, match="is not a list of units"):
        mh.pile(3, "Clanrats")  # type: ignore[arg-type]


def test_the_command_says_what_python_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pile", "Liberators", "Rat Ogors", "--vs", "Clanrats", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "mathhammer-pile/1"
    assert document["rows"] == mh.pile(["Liberators", "Rat Ogors"], "Clanrats").rows()
    assert main(["pile", "Liberators", "Rat Ogors", "--vs", "Clanrats"]) == 0
    text = capsys.readouterr().out
    assert "10.6%" in text
    assert text.splitlines()[-1] == "order: it does not matter here"
    hurt = [
        "pile",
        "Clawlord on Gnaw-beast",
        "Liberators: charged",
        "--vs",
        "Rat Ogors: 3 lost",
        "--format",
        "md",
    ]
    assert main(hurt) == 0
    assert "| Liberators: charged" in capsys.readouterr().out


LIST = """system = "aos4"
name = "Band"
[[regiment]]
[[regiment.unit]]
name = "Rat Ogors"
[[regiment.unit]]
name = "Clanrats"
models = 40
"""


def test_a_list_is_a_pile_of_all_its_units(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "band.toml"
    path.write_text(LIST, encoding="utf-8")
    assert main(["pile", str(path), "--vs", "Liberators", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found = mh.pile(["Rat Ogors", "40 Clanrats"], "Liberators", system="aos4")
    assert document["rows"] == json.loads(json.dumps(found.rows()))
    assert document["conditions"]["text"] == "Age of Sigmar 4 · exact · melee, sizes as in the list"
    assert main(["pile", str(path), "--vs", "Liberators", "--weapons", "ranged"]) == 0
    said = capsys.readouterr()
    assert "Clanrats  ranged" not in said.out
    assert said.err.splitlines()[-1].startswith("left out: 40 Clanrats: fight: Clanrats has no ranged weapon")
    for words in (["--models", "3"], ["--buff", "+1 to hit"]):
        assert main(["pile", str(path), "--vs", "Liberators", *words]) == 2
        message = f"pile: {words[0]} with a list (leave it out, or name the units)"
        assert capsys.readouterr().err.splitlines()[-1] == message
    path.write_text(LIST.replace("Rat Ogors", "Clanrats"), encoding="utf-8")
    assert main(["pile", str(path), "--vs", "Liberators", "--weapons", "ranged"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "pile: no unit can attack Liberators"


def test_uses_that_one_attack_grants_are_spent_first_and_end_with_it() -> None:
    """A target that cancels one hit's damage by itself, and one more against the first unit of the pile."""

    def shooter(attacks: int, **more: object) -> mh.Unit:
        gun = {"name": "Gun", "kind": "ranged", "attacks": attacks, "skill": 4, "strength": 4, "damage": 1}
        body = {"name": "Shooter", "toughness": 4, "wounds": 1, "weapon": [gun]}
        return mh.make_unit("wh40k10", body | more)

    def target(**more: object) -> mh.Unit:
        body = {"name": "Target", "toughness": 4, "wounds": 3, "effect": [{"damage_zero_uses": 1} | more]}
        return mh.make_unit("wh40k10", body)

    kind = {"name": "Too kind", "on": "target", "damage_zero_uses": 1}
    past = 0.25  # of the attacks that hit and wound
    for first, lost in (
        (shooter(1), past * past),  # the own use is spent by the first
        (shooter(1, effect=[kind]), 0.0),  # the granted one is spent, its own is left for the second
        (shooter(2, effect=[kind]), past**3),
    ):
        assert mh.pile([first, shooter(1)], target(name="Wards")).lost == pytest.approx(lost, abs=1e-12)


def test_a_situation_that_changes_the_wounds_of_the_target_is_refused() -> None:
    axe = {"name": "Axe", "attacks": 2, "hit": 3, "wound": 3, "damage": 2}
    orcs = mh.make_unit("aos1", {"name": "Orcs", "wounds": 1, "models": 3, "weapon": [axe]})
    general = mh.make_unit("aos1", {"name": "General", "wounds": 5})
    assert mh.pile([orcs], general).lost == pytest.approx(mh.fight(orcs, general).lost.mean(), abs=1e-12)
    with pytest.raises(mh.BadInputError, match="the situation changes the wounds of General"):
        mh.pile([orcs], general, situation="target_empowered")


def test_in_the_best_order_all_shoot_before_anyone_strikes() -> None:
    sword = {"name": "Sword", "attacks": 4, "hit": 4, "wound": 4, "damage": 1}
    bow = sword | {"name": "Bow", "kind": "ranged"}
    blood = {"name": "Smells blood", "when": ["target_damaged"], "attacks": "+4"}
    striker = mh.make_unit("aos4", {"name": "Striker", "health": 2, "weapon": [sword]})
    archer = mh.make_unit("aos4", {"name": "Archer", "health": 2, "weapon": [bow], "effect": [blood]})
    prey = mh.make_unit("aos4", {"name": "Prey", "health": 5})
    found = mh.pile([archer, striker], prey, order="best")
    assert [step.kind for step in found.steps] == ["ranged", "melee"]
    twice = mh.pile([archer, archer], prey).p_destroyed  # the rule helps whoever comes second
    assert found.best_p_destroyed == found.p_destroyed < twice
