"""Duels whose every bit is fixed: the same units, orders and seeds must always end in the same states.

`python tests/scripted_duels.py` writes their histograms anew. Do so only for a change that is meant to change
what a simulated duel plays, and say so in the commit.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mathhammer as mh
from mathhammer.units.unit import Unit

FILE = Path(__file__).with_name("duel") / "scripted.json"
TRIALS = 300


SPEAR = {"name": "Spear", "attacks": 2, "hit": 4, "wound": 4, "damage": 1}
BOW = {"name": "Bow", "kind": "ranged", "range": 18, "attacks": 2, "hit": 4, "wound": 4, "damage": 1}
CLUB = {"name": "Club", "attacks": 3, "hit": 4, "wound": 3, "rend": 1, "damage": 2}
BLADE = {"name": "Blade", "attacks": 2, "skill": 3, "strength": 4, "ap": 0, "damage": 1}
PISTOL = {"name": "Pistol", "kind": "ranged", "range": 12, "attacks": 1, "skill": 3, "strength": 4}
RIFLE = {"name": "Rifle", "kind": "ranged", "range": 24, "attacks": 2, "skill": 3, "strength": 4}
FIST = {"name": "Fist", "attacks": 3, "skill": 4, "strength": 8, "ap": -2, "damage": 2}


def _aos1(name: str, models: int, wounds: int, bravery: int, *weapons: dict[str, Any]) -> Unit:
    fields = {"name": name, "models": models, "wounds": wounds, "save": 5, "bravery": bravery, "move": 6}
    return mh.make_unit("aos1", {**fields, "points": 20 * models * wounds, "weapon": list(weapons)})


def _aos4(name: str, models: int, health: int, *weapons: dict[str, Any], **more: Any) -> Unit:
    fields = {"name": name, "models": models, "health": health, "save": 4, "move": 5}
    return mh.make_unit("aos4", {**fields, "points": 12 * models * health, "weapon": list(weapons), **more})


def _forty(name: str, models: int, wounds: int, *weapons: dict[str, Any], **more: Any) -> Unit:
    fields = {"name": name, "models": models, "wounds": wounds, "toughness": 4, "save": 4, "move": 6}
    return mh.make_unit(
        "wh40k10", {**fields, "points": 15 * models * wounds, "weapon": list(weapons), **more}
    )


def scripted() -> dict[str, tuple[Any, Any, dict[str, Any]]]:
    """Name -> both sides and the options of a duel: all games, one unit and several a side, all policies."""
    rats, bows = _aos1("Rats", 12, 1, 4, SPEAR), _aos1("Bows", 8, 1, 5, BOW, SPEAR)
    ogres = _aos1("Ogres", 3, 4, 6, CLUB)
    crit = {**SPEAR, "abilities": ["Crit (Mortal)"]}
    cornered = {"name": "Cornered", "when": ["damaged"], "attacks": "+1"}
    aos_a = [
        _aos4("Guard", 5, 2, crit),
        _aos4("Archers", 6, 1, {**BOW, "abilities": ["Shoot in Combat"]}, SPEAR),
        _aos4("Riders", 3, 3, {**CLUB, "abilities": ["Charge (+1 Damage)"]}, move=10, strike="last"),
    ]
    aos_b = [
        _aos4("Horde", 15, 1, SPEAR, keywords=["musician (1/5)"]),
        _aos4("Brutes", 3, 4, CLUB, effect=[cornered], ward=6),
        _aos4("Elite", 6, 1, {**crit, "attacks": 3}, strike="first"),
    ]
    rapid = {**RIFLE, "ap": -1, "damage": 1, "abilities": ["Rapid Fire 1"]}
    pistol = {**PISTOL, "ap": 0, "damage": 1, "abilities": ["Pistol"]}
    mortar = {**RIFLE, "range": 36, "attacks": "D6", "ap": 0, "damage": 1, "abilities": ["Blast"]}
    forty_a = [
        _forty("Squad", 5, 2, rapid, pistol, BLADE),
        _forty("Mortars", 3, 2, mortar, BLADE),
        _forty("Fists", 4, 3, FIST, BLADE, fnp=5),
    ]
    forty_b = [
        _forty("Mob", 12, 1, pistol, {**BLADE, "attacks": 3}),
        _forty("Gunners", 4, 1, rapid, BLADE),
        _forty("Chief", 1, 8, FIST, fights_first=True, damage_zero_uses=1),
    ]
    rules: dict[str, Any] = {"distance": 9, "priority": "roll", "rally": "b", "heal": {"a": "D3"}}
    cases: dict[str, tuple[Any, Any, dict[str, Any]]] = {
        "aos4 one": (aos_a[0], aos_b[1], rules),
        "aos4 walk": (aos_b[1], aos_a[0], {"distance": 21.5, "approach": "both", "first": "b"}),
        "aos4 commands": (
            aos_a[0],
            aos_b[0],
            {"commands": {"a": ["all_out_attack@1"], "b": ["reroll_charge"]}, "distance": 8},
        ),
        "aos1 one": (rats, ogres, {"distance": 7, "first": "b", "priority": "fixed"}),
        "aos1 charged": (ogres, rats, {"situation": "charged", "priority": "roll"}),
        "wh40k10 one": (forty_a[0], forty_b[0], {"distance": 11, "rounds": 4}),
        "wh40k10 charged": (forty_b[0], forty_a[0], {"situation": "charged"}),
    }
    for policy in ("nearest", "points", "weakest"):
        cases |= {
            f"aos4 {policy}": (aos_a, aos_b, {"policy": policy, "priority": "roll"}),
            f"aos1 {policy}": (
                [rats, bows, ogres],
                [bows, ogres],
                {"policy": policy, "distance": 20, "priority": "fixed"},
            ),
            f"wh40k10 {policy}": (forty_a, forty_b, {"policy": policy, "first": "b", "charge": "both"}),
        }
    cases["aos4 engaged"] = (aos_a, aos_b, {"distance": 1, "policy": "points"})
    cases["wh40k10 shooters"] = (forty_a, forty_b, {"charge": "b", "approach": "b", "distance": 30})
    return cases


def histograms(a: Any, b: Any, options: dict[str, Any]) -> dict[str, Any]:
    """How often each unit ended with so many wounds lost, and the sums of each turn."""
    played = mh.duel(a, b, method="simulate", trials=TRIALS, seed=77, **options)
    lost = [
        {str(value): round(chance * TRIALS) for value, chance in fate.lost.to_dict().items()}
        for fate in played.fates
    ]
    turns = [
        [round(value * TRIALS) for value in (point.p_win, point.p_lose, *point.models, point.p_engaged)]
        + [round(point.p_charged * TRIALS), *(round(points, 6) for points in point.points_lost)]
        for point in played.course
    ]
    return {"lost": lost, "turns": turns}


if __name__ == "__main__":
    rows = [
        f"  {json.dumps(name)}: {json.dumps(histograms(*case), separators=(',', ':'))}"
        for name, case in scripted().items()
    ]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
