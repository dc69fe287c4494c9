"""The referee for Age of Sigmar, 1st edition: rolls every die as the rules say, many games side by side.

It imports nothing from the package and shares no code with it. A case is a case of `tests/vectors/aos1.json`.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

Rolls = np.ndarray


class Table:
    """So many games played at once, each with its own dice."""

    def __init__(self, seed: int, games: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.games = games

    def d6(self) -> Rolls:
        return self.rng.integers(1, 7, self.games)

    def dice(self, text: Any) -> Rolls:
        """A fresh roll of dice text in every game; a D3 is a halved D6."""
        found = re.fullmatch(r"(\d*)D(\d)([+-]\d+)?", str(text).upper())
        if not found:
            return np.full(self.games, int(text))
        total = np.full(self.games, int(found[3] or 0))
        for _ in range(int(found[1] or 1)):
            total += (self.d6() + 1) // 2 if found[2] == "3" else self.d6()
        return total

    def succeeds(self, needs: int | None, modifier: int, again: str, ones_fail: bool) -> Rolls:
        """One D6 in every game against a value, rolled again where the permission reaches."""

        def judge(die: Rolls) -> Rolls:
            if needs is None:
                return np.zeros(self.games, dtype=bool)
            return (die + modifier >= needs) & ((die > 1) | (not ones_fail))

        die = self.d6()
        failed = ~judge(die)
        if again == "ones":
            repeat = failed & (die == 1)
        elif again == "failed":  # judged before modifiers, but a success in the end is kept
            short = np.ones(self.games, dtype=bool) if needs is None else die < needs
            repeat = failed & (short | ((die == 1) & ones_fail))
        elif again == "any":
            repeat = failed
        else:
            assert again == "none"
            repeat = np.zeros(self.games, dtype=bool)
        return judge(np.where(repeat, self.d6(), die))


def _characteristic(value: Rolls, ops: list[dict[str, Any]]) -> Rolls:
    for op in ops:
        if op["op"] == "set":
            value = np.full_like(value, op["value"])
    for op in ops:
        if op["op"] == "mul":
            value = value * op["value"]
        if op["op"] == "div":
            value = value // op["value"]
    for op in ops:
        if op["op"] == "add":
            value = value + op["value"]
    return np.maximum(0, value)


def play(case: dict[str, Any], seed: int, games: int) -> dict[str, Rolls]:
    """In every game: wounds after wards, models slain, models fled."""
    table = Table(seed, games)
    phase, target, mods = case["attacker_state"]["phase"], case["target"], case["modifiers"]
    ones_fail = case.get("options", {}).get("ones_always_fail", False)
    hit_mod, wound_mod = sum(mods.get("hit", [])), sum(mods.get("wound", []))
    guard = sum(mods.get("save", [])) + mods.get("mystic_shield", 0)
    if target["in_cover"] and not (phase == "combat" and target["charged"]):
        guard += 1
    again = {roll: mods.get(f"reroll_{roll}", "none") for roll in ("hit", "wound", "save", "ward")}
    pool = np.zeros(games, dtype=int)
    for weapon in case["weapons"]:
        if weapon["type"] != {"combat": "melee", "shooting": "ranged"}[phase]:
            continue

        def ops(stat: str, name: str = weapon["name"]) -> list[dict[str, Any]]:
            return [op for op in mods.get(stat, []) if op.get("weapon", name) == name]

        rend = int(_characteristic(np.array([weapon["rend"]]), ops("rend"))[0])
        for _ in range(weapon["models"]):
            number = _characteristic(table.dice(weapon["attacks"]), ops("attacks"))
            for attack in range(int(number.max())):
                hits = (attack < number) & table.succeeds(weapon["hit"], hit_mod, again["hit"], ones_fail)
                wounds = hits & table.succeeds(weapon["wound"], wound_mod, again["wound"], ones_fail)
                saved = table.succeeds(target["save"], guard - rend, again["save"], ones_fail)
                pool += np.where(
                    wounds & ~saved, _characteristic(table.dice(weapon["damage"]), ops("damage")), 0
                )
    for text in mods.get("mortal_wounds", []):
        pool += table.dice(text)
    if target["ward"]:
        kept = pool.copy()
        for point in range(int(pool.max(initial=0))):
            kept -= (point < pool) & table.succeeds(min(target["ward"]), 0, again["ward"], False)
        pool = kept
    slain = _allocate(pool, target, mods.get("allocation", "wounded_first"))
    return {"damage": pool, "slain": slain, "fled": _battleshock(table, slain, target, mods)}


def _allocate(pool: Rolls, target: dict[str, Any], allocation: str) -> Rolls:
    """Fills one model after the other and counts those that are full."""
    fresh = [target["wounds"]] * (target["models"] - 1)
    wounded = [target["wounds"] - target["wounds_suffered"]]
    order = wounded + fresh if allocation == "wounded_first" else fresh + wounded
    left = pool.copy()
    slain = np.zeros_like(pool)
    alive = np.ones(len(pool), dtype=bool)
    for wounds in order:
        alive &= left >= wounds  # the first model that survives takes all that is left
        slain += alive
        left = np.where(alive, left - wounds, left)
    return slain


def _battleshock(table: Table, slain: Rolls, target: dict[str, Any], mods: dict[str, Any]) -> Rolls:
    lost = slain + target["slain_earlier_this_turn"]
    left = target["models"] - slain
    if target["bravery"] is None or mods.get("inspiring_presence", False):
        return np.zeros_like(slain)
    excess = table.d6() + lost - (target["bravery"] + sum(mods.get("bravery", [])) + left // 10)
    return np.where((lost > 0) & (left > 0), np.clip(excess, 0, left), 0)
