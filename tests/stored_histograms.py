"""Simulated attacks whose histograms are stored, of all three attack games.

`python tests/stored_histograms.py` writes the stored file anew; it is meant to be written only when a
change of the dice or of a rule is wanted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from kernel_cases import GUARDED, RATS, gun, joined, marine, orruk

import mathhammer as mh
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Roll
from mathhammer.engine.plan import Group, Packet, Plan, Target, Volley
from mathhammer.engine.simulate import simulate

STORED = Path(__file__).parent / "engine" / "histograms.json"
QUICK, MANY = 2_500, 300_001  # trials: with the JIT off, and several pieces of blocks for three threads


def spears(**more: Any) -> mh.Unit:
    spear = {"name": "Spear", "attacks": 2, "hit": 4, "wound": 3, "rend": 1, "damage": 1, **more}
    return mh.make_unit("aos1", {"name": "Spears", "models": 5, "wounds": 1, "save": 5, "weapon": [spear]})


def order_matters() -> Plan:
    """Two kinds that land at once and do not commute, a queue behind them, a random number of attacks."""
    two = Pmf.constant(2)
    better, late = (
        Packet(kind, (two, two), (1.0, 1.0), (0.0, 0.0), rank=rank)
        for kind, rank in (("better", None), ("late", 0))
    )
    packets = (Packet("plain", (two, two), (1 / 3, 5 / 6), (0.0, 0.0)), better, late)
    roll = Roll(needs=3, crit_on=6, fails_up_to=1, on_success=("plain",), on_crit=("better", "late"))
    hit = Chain("hit", (("hit", roll),))
    target = Target((Group("shields", 2, 3), Group("crew", 2, 1)), tracks=((0, 1),))
    volleys = (Volley("w", Pmf.constant(3), hit, packets), Volley("v", Pmf.of([0.0, 0.5, 0.5]), hit, packets))
    return Plan(volleys, target)


def blows() -> Plan:
    """More points in the pool than a 16-bit counter holds."""
    hit = Chain("hit", (("hit", Roll(needs=4, on_success=("damage",))),))
    blow = Volley("w", Pmf.constant(1), hit, (Packet("damage", (Pmf.constant(30_000),), (1.0,), (0.0,)),))
    return Plan((blow, blow, blow), Target((Group("g", 1, 60_000),), spills=True))


def plan(attacker: mh.Unit, target: mh.Unit, **options: Any) -> Callable[[], Plan]:
    return lambda: mh.fight(attacker, target, **options).plan


BRUTES = marine(models=3, wounds=3, fnp=5)
PLANS: dict[str, Callable[[], Plan]] = {
    "aos4: two thresholds": plan(orruk({"attacks": 4, "damage": 2}), RATS),
    "aos4: folded D3, Crit (Mortal)": plan(orruk({"damage": "D3", "abilities": ["Crit (Mortal)"]}), RATS),
    "aos4: a random number of attacks": plan(orruk({"attacks": "2D6"}), RATS),
    "aos4: rows of a pool": plan(
        orruk({"attacks": 6, "damage": "D6", "abilities": ["Crit (2 Hits)"]}, {"attacks": "D3"}), RATS
    ),
    "aos4: likely hits": plan(orruk({"hit": 2, "wound": 2, "rend": 4, "attacks": 5}), RATS),
    "aos4: extra mortal damage": plan(
        orruk({"attacks": 3}), RATS, effects=({"mortal_on_crit": "D3", "mortal_damage": "D6"},)
    ),
    "aos1: spears": plan(spears(), spears()),
    "aos1: D3 damage, re-rolls": plan(
        spears(damage="D3"), spears(), effects=({"reroll_hit": "failed", "reroll_wound": "ones"},)
    ),
    "wh40k10: wounds are lost": plan(marine(gun(attacks=4)), marine(models=3)),
    "wh40k10: devastating wounds wait": plan(
        marine(gun(abilities=["Devastating Wounds", "Sustained Hits 1"]), gun(name="Other", attacks="D6")),
        GUARDED,
    ),
    "wh40k10: Command Re-roll": plan(
        marine(gun(skill=4, attacks=2, abilities=["Devastating Wounds"])),
        marine(models=3),
        commands="command_reroll_hit",
    ),
    "wh40k10: Command Re-roll, random damage": plan(
        marine(gun(skill=4, attacks="D3", damage="D6")), BRUTES, commands="command_reroll_wound"
    ),
    "wh40k10: extra mortal wounds": plan(
        marine(gun(attacks=4)), BRUTES, effects=({"mortal_on_crit_wound": 1, "mortal_damage": "D3"},)
    ),
    "wh40k10: Precision": plan(marine(gun(attacks=5, abilities=["Precision"])), GUARDED),
    "wh40k10: packet by packet": plan(
        marine(gun(attacks=7, abilities=["Precision", "Devastating Wounds"])), joined()
    ),
    "attack by attack": order_matters,
    "a pool past 16 bits": blows,
}


def histogram(name: str, trials: int, threads: int) -> dict[str, Any]:
    """How often each end came, and a checksum of all trials in order."""
    result = simulate(
        PLANS[name](), attacker="a", target="t", trials=trials, seed=2**62 + 11, threads=threads, samples=True
    )
    assert result.samples is not None
    ends = result.samples.get("damage", result.samples["lost"])
    values, counts = np.unique(ends, return_counts=True)
    shares = np.rint(result.end * trials).astype(int)
    return {
        "ends": dict(zip(map(str, values.tolist()), counts.tolist(), strict=True)),
        "states": crc32(json.dumps(shares.tolist()).encode()),
        "trials": crc32(ends.astype("<i8").tobytes()),
    }


if __name__ == "__main__":
    rows = {
        name: {"quick": histogram(name, QUICK, threads=1), "many": histogram(name, MANY, threads=2)}
        for name in PLANS
    }
    STORED.write_text(
        "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()) + "\n}\n",
        encoding="utf-8",
    )
