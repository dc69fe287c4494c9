"""Simulated duels: named duels agree with the exact ones, and any number of threads gives the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from duel_units import aos, blasters, cornered, load, monster, rats

import mathhammer as mh
from mathhammer.units.unit import Unit

Z = 6.2


TRIALS = 40_000


DUELS: dict[str, tuple[Unit, Unit, dict[str, Any]]] = {
    "tiny": (aos(), aos(), {}),
    "lines": (load("aos4", "Liberators"), load("aos4", "Clanrats"), {"distance": 9}),
    "reroll": (
        load("aos4", "Liberators"),
        load("aos4", "Rat Ogors"),
        {"distance": 9, "commands": {"b": ["reroll_charge"]}},
    ),
    "b first": (load("aos4", "Liberators"), load("aos4", "Stormvermin"), {"first": "b", "rounds": 3}),
    "attack and defence": (
        load("aos4", "Liberators"),
        load("aos4", "Rat Ogors"),
        {"commands": {"a": ["all_out_attack@1"], "b": ["all_out_defence@2a"]}},
    ),
    "strike first": (
        aos(models=5, attacks=3, strike="first"),
        aos("Elf", models=6, attacks=3),
        {"first": "b"},
    ),
    "strike last": (aos(models=5, attacks=3, strike="last"), aos("Elf", models=6, attacks=3), {}),
    "damaged": (cornered(), aos("Elf", models=9, attacks=3), {}),
    "damaged against damaged": (cornered(), cornered(), {"distance": 8}),
    "priority": (load("aos4", "Liberators"), load("aos4", "Clanrats"), {"distance": 9, "priority": "roll"}),
    "rally": (
        load("aos4", "Liberators").with_lost(4),
        load("aos4", "Clanrats"),
        {"distance": 11, "rally": "a"},
    ),
    "heal": (cornered(), aos("Elf", models=9, attacks=2), {"heal": {"a": "D3"}}),
    "approach": (load("aos4", "Rat Ogors"), load("aos4", "Liberators"), {"distance": 20, "approach": "both"}),
    "a ward": (aos(models=5, health=2, attacks=3, ward=5), aos("Elf", models=6, attacks=3, ward=4), {}),
    "40k lines": (load("wh40k10", "Intercessor Squad"), load("wh40k10", "Boyz"), {"distance": 9}),
    "40k charge": (
        load("wh40k10", "Boyz"),
        load("wh40k10", "Intercessor Squad"),
        {"distance": 7, "commands": ["reroll_charge"], "rounds": 2},
    ),
    "40k monster": (monster(), load("wh40k10", "Intercessor Squad"), {}),
    "40k monsters": (monster(), monster(), {"first": "b"}),
    "40k blast": (blasters(), load("wh40k10", "Boyz"), {"distance": 30, "approach": "b"}),
    "40k save again": (
        load("wh40k10", "Intercessor Squad"),
        monster(),
        {"commands": {"a": ["command_reroll_save"]}},
    ),
    "40k zero damage": (
        monster(),
        mh.make_unit(
            "wh40k10",
            {
                "name": "Lucky",
                "wounds": 8,
                "toughness": 6,
                "save": 4,
                "damage_zero_uses": 2,
                "weapon": [{"name": "Fist", "attacks": 4, "skill": 3, "strength": 10, "ap": -2, "damage": 2}],
            },
        ),
        {},
    ),
    "40k attached": (
        mh.attach(load("wh40k10", "Captain"), load("wh40k10", "Intercessor Squad")),
        load("wh40k10", "Boyz"),
        {"distance": 8},
    ),
    "aos1": (load("aos1", "Liberators"), load("aos1", "Clanrats"), {"distance": 7}),
    "aos1 horde": (rats(models=12), rats(models=15, bravery=6), {"distance": 5, "first": "b"}),
    "aos1 priority": (
        load("aos1", "Orruk Brutes"),
        load("aos1", "Stormvermin"),
        {"distance": 9, "priority": "roll"},
    ),
}


@pytest.mark.slow
@pytest.mark.needs_jit
@pytest.mark.parametrize("name", list(DUELS))
def test_exact_and_simulate_agree(name: str) -> None:
    a, b, how = DUELS[name]
    exact = mh.duel(a, b, **how)
    played = mh.duel(a, b, method="simulate", trials=TRIALS, seed=11, **how)
    assert played.trials == TRIALS
    pairs = [(exact.p_win, played.p_win), (exact.p_lose, played.p_lose), (exact.p_ahead, played.p_ahead)]
    for place in (0, 1):
        pairs += [
            (exact.models[place][left], played.models[place][left])
            for left in range((a, b)[place].models + 1)
        ]
    pairs += [(here.p_win, there.p_win) for here, there in zip(exact.course, played.course, strict=True)]
    pairs += [
        (here.p_engaged, there.p_engaged) for here, there in zip(exact.course, played.course, strict=True)
    ]
    pairs += [
        (here.p_charged, there.p_charged) for here, there in zip(exact.course, played.course, strict=True)
    ]
    for chance, seen in pairs:
        assert abs(seen - chance) <= Z * np.sqrt(max(chance * (1 - chance), 1 / TRIALS) / TRIALS)
    for place in (0, 1):
        error = max(exact.fates[place].lost.sd(), 1e-3) / TRIALS**0.5
        assert abs(exact.fates[place].lost.mean() - played.fates[place].lost.mean()) <= Z * error
        assert exact.models[place].probs.sum() == pytest.approx(1.0, abs=1e-9)


def test_there_are_enough_duels() -> None:
    assert len(DUELS) >= 20


@pytest.mark.slow
@pytest.mark.needs_jit
def test_same_seed_same_bits_for_any_threads() -> None:
    a, b, how = DUELS["40k attached"]
    one, two, other = (
        mh.duel(a, b, method="simulate", trials=9000, seed=s, threads=t, **how)
        for s, t in ((5, 1), (5, 3), (6, 1))
    )
    assert one.course == two.course
    assert one.models == two.models
    assert one.models != other.models
