"""What `duel` refuses, in its own words."""

from __future__ import annotations

from typing import Any

import pytest
from duel_units import aos, load, marine, rats

import mathhammer as mh

WALL = aos("Wall", health=5, weapon=[])


MESSAGES: list[tuple[Any, Any, dict[str, Any], str]] = [
    (
        WALL,
        WALL,
        {},
        r"duel: Wall \(a\) and Wall \(b\) cannot hurt each other \(give one of them weapons that get through\)",
    ),
    (
        aos(),
        WALL,
        {"distance": 30},
        r"duel: Orc and Wall never meet: 30 inches apart, no charge reaches and nobody shoots so far",
    ),
    (
        aos(),
        aos(),
        {"rounds": 0},
        r"duel: 0 rounds \(give 1 to 50, or None: until one side is gone, at most 50\)",
    ),
    (aos(), aos(), {"rounds": 10**9}, r"duel: 1000000000 rounds \(give 1 to 50"),
    (aos(), aos(), {"first": "c"}, r"duel: unknown first 'c' \(known: 'a', 'b'\)"),
    (aos(), aos(), {"distance": -1}, r"duel: distance -1 \(give inches from 0 to 1000\)"),
    (aos(), aos(), {"distance": float("nan")}, r"duel: distance nan"),
    (aos(), aos(), {"charge": "all"}, r"duel: unknown charge 'all'"),
    (aos(), aos(), {"priority": "dice"}, r"duel: unknown priority 'dice'"),
    (
        marine(),
        marine(),
        {"priority": "roll"},
        r"duel: nobody rolls for the first turn of a round in Warhammer 40,000",
    ),
    (marine(), marine(), {"rally": "a"}, r"duel: there is no Rally in Warhammer 40,000"),
    (aos(), marine(), {}, r"duel: units of aos4 and wh40k10 \(choose one game\)"),
    (aos(), ["Orc"], {}, r"duel: b: \['Orc'\] is not a unit \(use load_unit or make_unit\)"),
    (aos(), [], {}, r"duel: b: \[\] is not a unit"),
    (
        aos(),
        aos(),
        {"situation": "in_combat"},
        r"duel: a: 'in_combat' follows from the duel itself \(leave it out\)",
    ),
    (aos(), aos(), {"situation": "flying"}, r"duel: a: unknown situation 'flying'"),
    (aos(), aos(), {"situation": "charged", "distance": 9}, r"duel: a: 'charged' and a distance"),
    (aos(), aos(), {"weapons": ["Sword"]}, r"duel: Orc: unknown weapon 'Sword'"),
    (aos(), aos(), {"method": "guess"}, r"duel: unknown method 'guess'"),
    (aos(), aos(), {"trials": 100}, r'duel: trials are for a simulation \(use method="simulate"\)'),
    (aos(), aos(), {"method": "simulate", "trials": 0}, r"duel: trials 0 \(give a whole number from 1 to"),
    (aos(), aos(), {"method": "simulate", "seed": -1}, r"duel: seed -1 \(give a whole number from 0"),
    (
        aos(),
        aos(),
        {"method": "simulate", "threads": 0},
        r"duel: threads 0 \(give a whole number from 1 on\)",
    ),
    (rats(), rats(), {"options": {"allocation": "fresh_first"}}, r"duel: fresh_first is not covered"),
    (
        [WALL, WALL],
        WALL,
        {},
        r"duel: no unit of either side can hurt an enemy \(give one of them weapons that get through\)",
    ),
    (
        [aos(), aos()],
        aos(),
        {"method": "exact"},
        r'duel: 3 units at once have too many states for exact \(use method="simulate"\)',
    ),
    ([aos()] * 101, aos(), {}, r"duel: 102 units \(give at most 100 of both sides together\)"),
    (
        [aos()] * 50,
        aos(),
        {"trials": 10**8},
        r"duel: 100000000 trials of 51 units would take hours \(ask for at most",
    ),
    (
        marine(),
        marine("Horde", models=1000, wounds=7),
        {"method": "simulate", "trials": 100},
        r"duel: Marine against Horde has too many states \(use fewer models\)",
    ),
    (
        aos(models=1000, health=4),
        aos(models=1000, health=4),
        {},
        r'duel: exact needs 48 million states for these units \(use method="simulate"\)',
    ),
    (
        mh.make_unit("wh40k10", {"name": "Hurt", "wounds": 4, "toughness": 4, "wounded": 2}),
        marine(),
        {},
        r"duel: Hurt has wounded models \(say with_lost for the whole unit instead\)",
    ),
    (
        mh.make_unit(
            "wh40k10",
            {
                "name": "Sniper",
                "wounds": 1,
                "toughness": 4,
                "weapon": [
                    {
                        "name": "Knife",
                        "attacks": 1,
                        "skill": 3,
                        "strength": 4,
                        "ap": 0,
                        "damage": 1,
                        "abilities": ["Precision"],
                    }
                ],
            },
        ),
        mh.attach(load("wh40k10", "Captain"), load("wh40k10", "Intercessor Squad")),
        {},
        r"duel: Sniper may pick the Character in Intercessor Squad with Captain \(a duel keeps one order of losses",
    ),
]


@pytest.mark.rule("AOS1-SILENT-4")
@pytest.mark.parametrize(
    ("a", "b", "how", "message"), MESSAGES, ids=[text[:60] for _, _, _, text in MESSAGES]
)
def test_messages(a: Any, b: Any, how: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.MathhammerError, match=message):
        mh.duel(a, b, **how)
