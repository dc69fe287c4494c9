"""A turn is data: a made-up turn, with steps moved or left out, changes the exact and the simulated duel alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from duel_units import aos, marine, rats
from likelihood import LIMIT, z_score

import mathhammer as mh
from mathhammer.duel.exact import STEPS, run_exactly
from mathhammer.duel.moving import charge_reaches
from mathhammer.duel.result import read_moments
from mathhammer.duel.script import CODES, compile_script
from mathhammer.duel.setup import Setup
from mathhammer.duel.simulate import simulate_duel
from mathhammer.games import turns as steps_of_turns
from mathhammer.games.aos1.turns import CHARGE as AOS1_CHARGE
from mathhammer.games.aos4.turns import CHARGE as AOS4_CHARGE
from mathhammer.games.discovery import attacks_of
from mathhammer.games.turns import Charge, Fight, HelpItself, Move, Shoot, Step, Turns, charge_total
from mathhammer.games.wh40k10.turns import CHARGE as WH40K_CHARGE

TRIALS = 2_000
FLEE = steps_of_turns.Tests  # by another name: pytest takes a class called Tests for tests
BOW = {"name": "Bow", "kind": "ranged", "range": 18, "attacks": 3, "hit": 3, "wound": 4, "damage": 1}
AXE = {"name": "Axe", "attacks": 3, "hit": 3, "wound": 4, "damage": 1}
RIFLE = {"name": "Gun", "kind": "ranged", "range": 18, "attacks": 3, "skill": 3, "strength": 4, "ap": 0}
BLADE = {"name": "Blade", "attacks": 3, "skill": 3, "strength": 4, "ap": 0, "damage": 1}


def sides(system: str) -> tuple[mh.Unit, mh.Unit]:
    """Two units that shoot, walk, charge and strike."""
    if system == "aos4":
        bows = {"weapon": [{**BOW, "abilities": ["Shoot in Combat"]}, AXE], "move": 4}
        return aos("Bows", models=5, health=2, **bows), aos("Elves", models=6, **bows, strike="first")
    if system == "aos1":
        more: dict[str, Any] = {"weapon": [BOW, AXE], "move": 4}
        return rats(models=8, **more), rats(models=9, bravery=5, **more)
    guns = {"weapon": [{**RIFLE, "damage": 1, "abilities": ["Pistol"]}, BLADE], "move": 4, "save": 5}
    return marine("Guns", models=5, wounds=2, **guns), marine("Others", models=6, **guns)


def made_up(setup: Setup, *kinds: type) -> Setup:
    """The same duel in a game whose turn has these steps, in this order."""
    turns = setup.turns
    steps: list[Step] = [step for kind in kinds for step in turns.steps if isinstance(step, kind)]
    attacks = replace(setup.attacks, turns=replace(turns, steps=tuple(steps)))
    return replace(setup, system=replace(setup.system, attacks=attacks))


ORDERS: dict[str, tuple[type, ...]] = {
    "as it is": (HelpItself, Move, Shoot, Charge, Fight, FLEE),
    "no shooting": (HelpItself, Move, Charge, Fight, FLEE),
    "charge before shooting": (HelpItself, Move, Charge, Shoot, Fight, FLEE),
    "shooting before moving": (HelpItself, Shoot, Move, Charge, Fight, FLEE),
    "moving last": (HelpItself, Shoot, Charge, Fight, FLEE, Move),
    "no move": (HelpItself, Shoot, Charge, Fight, FLEE),
    "no charge": (HelpItself, Move, Shoot, Fight, FLEE),
    "no fight": (HelpItself, Move, Shoot, Charge, FLEE),
    "fight before charge": (HelpItself, Move, Shoot, Fight, Charge, FLEE),
    "tests before fighting": (HelpItself, Move, Shoot, FLEE, Charge, Fight),
    "no tests": (HelpItself, Move, Shoot, Charge, Fight),
    "help last": (Move, Shoot, Charge, Fight, FLEE, HelpItself),
}


def results(setup: Setup) -> tuple[mh.Duel, mh.Duel]:
    def other() -> mh.Duel:
        raise AssertionError("nobody asks for the other order")

    return read_moments(setup, run_exactly(setup), other), simulate_duel(setup, TRIALS, 5, 1, other)


@pytest.mark.slow
@pytest.mark.needs_jit
@pytest.mark.parametrize("system", ["aos4", "aos1", "wh40k10"])
@pytest.mark.parametrize("name", list(ORDERS))
def test_both_engines_follow_the_steps(system: str, name: str) -> None:
    a, b = sides(system)
    options: dict[str, Any] = {"distance": 13, "approach": "both", "rounds": 2, "heal": {"a": "D3"}}
    options |= {"rally": "b"} if system == "aos4" else {}
    setup = made_up(mh.duel(a, b.with_lost(2), **options).setup, *ORDERS[name])
    exact, played = results(setup)
    for here, there in zip(exact.fates, played.fates, strict=True):
        assert abs(z_score(here.lost, there.lost.mean(), TRIALS)) < LIMIT
    for before, after in zip(exact.course, played.course, strict=True):
        for chance, seen in ((before.p_engaged, after.p_engaged), (before.p_charged, after.p_charged)):
            assert abs(seen - chance) <= LIMIT * max(chance * (1 - chance), 1 / TRIALS) ** 0.5 / TRIALS**0.5


@pytest.mark.parametrize("name", [name for name in ORDERS if name not in ("as it is", "help last")])
def test_a_step_that_is_moved_or_left_out_matters(name: str) -> None:
    """The agreement above is not one of turns that are all alike."""
    bows = {"weapon": [{**BOW, "range": 10}, AXE], "move": 4}
    a, b = (aos(one, models=5, **bows) for one in "AB")
    if "tests" in name:
        a, b = sides("aos1")
    setup = mh.duel(a, b, distance=13, approach="both", rounds=2).setup
    changed, usual = (run_exactly(made_up(setup, *ORDERS[order]))[-1].states for order in (name, "as it is"))
    assert abs(changed - usual).max() > 1e-3


def test_every_kind_of_step_is_known_to_both_engines() -> None:
    kinds = {HelpItself, Move, Shoot, Charge, Fight, FLEE}
    assert set(STEPS) == set(CODES) == kinds
    a, b = sides("aos1")
    script = compile_script(mh.duel(a, b, distance=9).setup)
    assert script.steps.tolist() == list(range(6))


def test_a_step_comes_once_in_a_turn() -> None:
    with pytest.raises(
        ValueError, match=r"turns: a step stands twice in a turn \(each kind of step comes once\)"
    ):
        Turns(steps=(Shoot("near"), Shoot("near")), reach=3.0)


# --- one statement of what a charge needs


@pytest.mark.parametrize(
    ("charge", "distance", "total"),
    [
        (AOS4_CHARGE, 9, 9),
        (AOS4_CHARGE, 9.5, 9),
        (AOS4_CHARGE, 9.6, 10),
        (AOS4_CHARGE, 12.5, 12),
        (AOS4_CHARGE, 12.6, 13),
        (AOS1_CHARGE, 12, 12),
        (AOS1_CHARGE, 12.1, 13),  # declared within 12 inches
        (WH40K_CHARGE, 9, 8),
        (WH40K_CHARGE, 12, 11),
        (WH40K_CHARGE, 12.001, 13),
        (WH40K_CHARGE, 0.5, 0),
    ],
)
def test_what_a_charge_needs(charge: Charge, distance: float, total: int) -> None:
    assert charge.needs(distance) == total
    assert (charge_reaches(charge) < distance).sum() == total  # as the kernel counts


@pytest.mark.parametrize("system", ["aos4", "aos1", "wh40k10"])
def test_odds_and_duels_ask_the_same_statement(system: str) -> None:
    charge = attacks_of(system).turns.step(Charge)
    for tenths in range(31, 120):
        away = tenths / 10
        assert mh.odds(system, "charge", distance=away)["needed"] == charge_total(away, charge.slack)
        assert charge.needs(away) == min(13, charge.total(away))
