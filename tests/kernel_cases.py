"""Small questions that reach every branch of the compiled loops; run as a program, this file prints their answers as JSON.

A hundred trials or a block or two of lanes each, so that they can be played with the JIT switched off as well.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

import mathhammer as mh
from mathhammer.compare.matrix import fill_matrix
from mathhammer.dice.pmf import Pmf
from mathhammer.engine.chain import Chain, Roll
from mathhammer.engine.plan import Group, Packet, Plan, Target, Volley
from mathhammer.engine.simulate import simulate

SEED = 2**63 - 1  # the largest: sums of counters run over 64 bits at once


def fought(attacker: mh.Unit, target: mh.Unit, trials: int = 700, **how: Any) -> dict[str, list[float]]:
    """What every trial of a fight came to."""
    result = mh.fight(
        attacker, target, method="simulate", trials=trials, seed=SEED, threads=1, samples=True, **how
    )
    assert result.samples is not None
    return {"law": result.end.tolist()} | {key: values.tolist() for key, values in result.samples.items()}


# --- fights -------------------------------------------------------------------------------------------------------


def orruk(*weapons: dict[str, Any]) -> mh.Unit:
    plain = {"attacks": 1, "hit": 3, "wound": 3, "rend": 1, "damage": 1}
    carried = [{"name": f"w{place}", **plain, **weapon} for place, weapon in enumerate(weapons)]
    return mh.make_unit("aos4", {"name": "Orruk", "health": 1, "weapon": carried})


RATS = mh.make_unit("aos4", {"name": "Rats", "models": 20, "health": 1, "save": 5, "ward": 6})


def gun(**more: Any) -> dict[str, Any]:
    return {
        "name": "Gun",
        "kind": "ranged",
        "range": 24,
        "attacks": 1,
        "skill": 3,
        "strength": 5,
        "ap": -1,
        "damage": 2,
        **more,
    }


def blade(**more: Any) -> dict[str, Any]:
    return {"name": "Blade", "attacks": 2, "skill": 3, "strength": 5, "ap": -1, "damage": 1, **more}


def marine(*weapons: dict[str, Any], **more: Any) -> mh.Unit:
    return mh.make_unit(
        "wh40k10", {"name": "Marine", "wounds": 2, "toughness": 4, "save": 3, "weapon": list(weapons), **more}
    )


GUARDED = mh.attach(mh.load_unit("Captain", "wh40k10"), mh.load_unit("Intercessor Squad", "wh40k10"))


def joined() -> mh.Unit:
    """So many states that the steps of several packets together would not fit."""
    groups = [
        {"name": "Squad", "models": 20, "wounds": 6, "save": 5},
        {"name": "Captain", "models": 1, "wounds": 6, "character": True},
    ]
    return mh.make_unit(
        "wh40k10", {"name": "Joined", "models": 21, "toughness": 4, "group": groups, "attached": True}
    )


def orders_matter() -> list[float]:
    """Two kinds of packets that land at once on groups with different saves, so that they land attack by attack; a third one waits."""
    two = Pmf.constant(2)
    better, late = (
        Packet(kind, (two, two), (1.0, 1.0), (0.0, 0.0), rank=rank)
        for kind, rank in (("better", None), ("late", 0))
    )
    packets = (Packet("plain", (two, two), (1 / 3, 5 / 6), (0.0, 0.0)), better, late)
    target = Target((Group("shields", 2, 3), Group("crew", 2, 1)), tracks=((0, 1),))
    hit = Chain(
        "hit",
        (
            (
                "hit",
                Roll(needs=3, crit_on=6, fails_up_to=1, on_success=("plain",), on_crit=("better", "late")),
            ),
        ),
    )
    plan = Plan(
        (Volley("w", Pmf.constant(2), hit, packets), Volley("v", Pmf.of([0.0, 0.5, 0.5]), hit, packets)),
        target,
    )
    return simulate(plan, attacker="a", target="t", trials=700, seed=SEED, threads=1).end.tolist()


def very_many_ends() -> dict[str, float]:
    """Three blows of 30000 points on 4+: more than a 16-bit counter holds."""
    hit = Chain("hit", (("hit", Roll(needs=4, on_success=("harm",))),))
    blow = Volley("w", Pmf.constant(1), hit, (Packet("harm", (Pmf.constant(30_000),), (1.0,), (0.0,)),))
    plan = Plan((blow, blow, blow), Target((Group("g", 1, 60_000),), spills=True))
    result = simulate(plan, attacker="a", target="t", trials=700, seed=SEED, threads=1)
    return {str(points): share for points, share in result.damage.to_dict().items()}


FIGHTS: dict[str, Callable[[], Any]] = {
    "two cuts, two blocks": lambda: fought(orruk({"attacks": 2, "damage": 2}), RATS, trials=1500),
    "folded, four cuts": lambda: fought(orruk({"damage": "D3", "abilities": ["Crit (Mortal)"]}), RATS),
    "random attacks": lambda: fought(orruk({"attacks": "D3"}), RATS),
    "spilling rows": lambda: fought(
        orruk({"attacks": 2, "damage": "D6", "abilities": ["Crit (2 Hits)"]}), RATS
    ),
    "likely hits": lambda: fought(orruk({"hit": 2, "wound": 2, "rend": 4, "attacks": 2}), RATS),
    "very many ends": very_many_ends,
    "rows of wounds": lambda: fought(marine(gun(attacks=2)), marine(models=3)),
    "devastating wounds wait": lambda: fought(
        marine(gun(abilities=["Devastating Wounds", "Sustained Hits 1"]), gun(name="Other", attacks="D3")),
        GUARDED,
    ),
    "a roll again": lambda: fought(
        marine(gun(skill=4, attacks=2, abilities=["Devastating Wounds"])),
        marine(models=3),
        commands="command_reroll_hit",
    ),
    "attack by attack": orders_matter,
    "packet by packet": lambda: fought(
        marine(gun(attacks=7, abilities=["Precision", "Devastating Wounds"])), joined()
    ),
}


# --- duels --------------------------------------------------------------------------------------------------------


def duelled(a: Any, b: Any, trials: int = 100, **how: Any) -> dict[str, Any]:
    """How duels went, turn by turn, and what is left of every unit."""
    found = mh.duel(a, b, method="simulate", trials=trials, seed=SEED, threads=1, **how)
    fates = [(fate.models, fate.lost) for fate in found.fates]
    return plain(
        {
            "course": found.course,
            "models": found.models,
            "fates": fates,
            "ahead": found.p_ahead,
            "behind": found.p_behind,
        }
    )


def warband(name: str, models: int = 3, **more: Any) -> mh.Unit:
    axe = {"name": "Axe", "attacks": 2, "hit": 3, "wound": 4, "damage": 1}
    bow = {"name": "Bow", "kind": "ranged", "range": 12, "attacks": 1, "hit": 4, "wound": 3, "damage": 1}
    fields = {
        "name": name,
        "models": models,
        "health": 2,
        "save": 5,
        "move": 5,
        "points": 100,
        "weapon": [axe, bow],
    }
    return mh.make_unit("aos4", fields | more)


def shaken(name: str, models: int) -> mh.Unit:
    spear = {"name": "Spear", "attacks": 2, "hit": 3, "wound": 3, "damage": 1}
    return mh.make_unit(
        "aos1", {"name": name, "models": models, "wounds": 1, "save": 6, "bravery": 4, "weapon": [spear]}
    )


ARCHERS = warband(
    "Archers",
    weapon=[{"name": "Bow", "kind": "ranged", "range": 12, "attacks": 1, "hit": 4, "wound": 3, "damage": 1}],
)
LISTS = (
    [warband("Orcs"), warband("Goblins", 5, health=1), ARCHERS],
    [warband("Elves", strike="first"), warband("Ents", 2, strike="last")],
)
DUELS: dict[str, Callable[[], Any]] = {
    "charges and bows": lambda: duelled(
        warband("Orcs"),
        warband("Elves"),
        distance=14,
        approach="both",
        rounds=3,
        commands=["reroll_charge@1"],
    ),
    "priority and rally": lambda: duelled(
        warband("Orcs", 4).with_lost(3), warband("Elves"), distance=11, priority="roll", rally="a"
    ),
    "healing": lambda: duelled(
        warband("Trolls", health=5), warband("Elves", 5), heal={"a": "D3"}, situation="charged"
    ),
    "battleshock": lambda: duelled(shaken("Rats", 8), shaken("Orcs", 8), distance=5, first="b"),
    "pistols in combat": lambda: duelled(
        marine(gun(), blade()), marine(gun(abilities=["Pistol"]), models=2), distance=9
    ),
    "excess is lost": lambda: duelled(
        marine(blade(attacks=3, damage="D3"), models=2), marine(blade(), models=3)
    ),
    **{
        f"lists by {policy}": lambda policy=policy: duelled(*LISTS, policy=policy, trials=30)
        for policy in ("nearest", "points", "weakest")
    },
}

# --- symbol dice --------------------------------------------------------------------------------------------------


def played(system: str, question: str, **details: Any) -> Any:
    return plain(mh.odds(system, question, method="simulate", trials=300, seed=SEED, **details))


SHOT = {
    "faces": {"hit": 2, "crit": 1, "miss": 1, "scatter": 2, "chaos": 1},
    "dice": 4,
    "strength": "d6",
    "range": "long",
    "target": {"id": "t", "stamina": 5},
}
NEIGHBOURS = [{"id": "x", "stamina": 4, "damage": 2}, {"id": "y", "stamina": 2}]
BAND = {
    "kind": "units",
    "faction": "player",
    "units": [{"name": f"u{n}", "die": die} for n, die in enumerate(("blue", "red", "white"))],
}
GARRISON = {
    "kind": "garrison",
    "faction": "empire",
    "level": 2,
    "table": {str(n): {"archery": ["white"] * n, "clash": ["blue"] * n} for n in (1, 2)},
}
SYMBOLS: dict[str, Callable[[], Any]] = {
    "a volley": lambda: played("diskwars", "ranged", **SHOT),
    "a volley that scatters": lambda: played("diskwars", "ranged", **SHOT, neighbours=NEIGHBOURS),
    "a pool with rerolls": lambda: played(
        "uprising", "pool", pool={"red": 2, "white": 1, "black": 1}, reroll=1
    ),
    "a campaign": lambda: played(
        "uprising", "campaign", a={**BAND, "reroll": 1}, enemies=[GARRISON, GARRISON]
    ),
}

# --- large matrices -----------------------------------------------------------------------------------------------


def swept() -> Any:
    shooters = [
        marine(gun(abilities=["Devastating Wounds"], attacks="D3"), models=2),
        marine(gun(), gun(name="Other", abilities=["Lethal Hits"])),
        marine(gun(damage="D3")),
    ]
    targets = [marine(models=3), marine(wounds=4, fnp=5), marine(wounds=4, save=5), GUARDED]
    return fill_matrix(shooters, targets, workers=1, compiled=True).values.tolist()


CASES: dict[str, Callable[[], Any]] = {**FIGHTS, **DUELS, **SYMBOLS, "a matrix": swept}


def plain(value: Any) -> Any:
    """An answer as JSON can hold it, with every bit of every number."""
    if isinstance(value, Pmf):
        return value.probs.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


if __name__ == "__main__":
    json.dump({name: case() for name, case in CASES.items()}, sys.stdout)
