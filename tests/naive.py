"""The referee: rolls every die as the rules say, attack after attack, many games side by side.

It imports nothing from the package and shares no code with it. A case is a case of `tests/vectors`.
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
        """A fresh roll of dice text in every game."""
        found = re.fullmatch(r"(\d*)D(\d)([+-]\d+)?", str(text).upper())
        if not found:
            return np.full(self.games, int(text))
        total = np.full(self.games, int(found[3] or 0))
        for _ in range(int(found[1] or 1)):
            total += (self.d6() + 1) // 2 if found[2] == "3" else self.d6()
        return total


# --- Age of Sigmar, 4th edition ------------------------------------------------------------------------------------


def _characteristic(value: Rolls, ops: list[dict[str, Any]], low: int) -> Rolls:
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
    return np.maximum(low, value)


def _roll_aos4(
    table: Table, needs: int | None, modifier: int, mode: str, crit_on: int = 7, crit_hits: bool = True
) -> tuple[Rolls, Rolls]:
    """(success, critical) of one D6 in every game, after one re-roll where the mode asks for it."""

    def judge(die: Rolls) -> tuple[Rolls, Rolls]:
        reached = (
            (die + modifier >= needs) & (die != 1) if needs is not None else np.zeros(table.games, dtype=bool)
        )
        crit = (die >= crit_on) & (die != 1)
        return (reached | crit, crit) if crit_hits else (reached, crit & reached)

    die = table.d6()
    success, crit = judge(die)
    again = {
        "none": np.zeros(table.games, dtype=bool),
        "ones": (die == 1) & ~success,
        "failed": ((die < needs) if needs is not None else np.ones(table.games, dtype=bool)) & ~success,
        "any": ~success,
        "non_crit": ~crit,
    }[mode]
    die = np.where(again, table.d6(), die)
    return judge(die)


def _clamp(value: int, low: int | None, high: int | None) -> int:
    value = value if low is None else max(low, value)
    return value if high is None else min(high, value)


def aos4(case: dict[str, Any], seed: int, games: int) -> dict[str, Rolls]:
    """Damage after wards and models slain in every game."""
    table = Table(seed, games)
    state, target, mods = case["attacker_state"], case["target"], case["modifiers"]
    options = {"crit_always_hits": True, "save_cap_includes_rend": True} | case.get("options", {})
    commands = mods.get("commands", [])
    keywords = {word.upper() for word in target["keywords"]}
    guarded = (
        "HERO" in keywords and not keywords & {"MONSTER", "WAR MACHINE"} and target["near_friendly_non_hero"]
    )
    pool = np.zeros(games, dtype=int)
    for weapon in case["weapons"]:
        ranged = weapon["type"] == "ranged"
        abilities = set(weapon["abilities"])
        far = state["distance"] is not None and state["distance"] > 12
        if ranged and (
            (state["in_combat"] and "shoot_in_combat" not in abilities)
            or (target["obscured"] and "FLY" not in keywords and not state["in_combat"])
            or (guarded and "INFANTRY" in keywords and far)
        ):
            continue
        companion = "companion" in abilities

        def reaches(value: int, companion: bool = companion) -> bool:
            return value < 0 or not companion

        hit_mod = (
            sum(v for v in mods.get("hit", []) if reaches(v))
            + ("all_out_attack" in commands)
            - ("covering_fire" in commands)
        )
        if target["in_cover"] and not target["charged"] and "FLY" not in keywords:
            hit_mod -= 1
        if ranged and guarded:
            hit_mod -= 1
        hit_mod = _clamp(hit_mod, -1, 1)
        wound_mod = _clamp(sum(v for v in mods.get("wound", []) if reaches(v)), -1, 1)

        def ops(
            stat: str, weapon: dict[str, Any] = weapon, companion: bool = companion
        ) -> list[dict[str, Any]]:
            named = [op for op in mods.get(stat, []) if op.get("weapon", weapon["name"]) == weapon["name"]]
            return [
                op
                for op in named
                if not companion or op.get("by") == "enemy" or (op["op"] == "add" and op["value"] < 0)
            ]

        rend_ops = ops("rend") + [
            {"op": "add", "value": 1}
            for anti in weapon["anti"]
            if (target["charged"] if anti == "charge" else anti.upper() in keywords)
        ]
        rend = int(_characteristic(np.array([weapon["rend"]]), rend_ops, 0)[0])
        save_mods = sum(mods.get("save", [])) + ("all_out_defence" in commands)
        save_mod = (
            _clamp(save_mods - rend, None, 1)
            if options["save_cap_includes_rend"]
            else _clamp(save_mods, None, 1) - rend
        )
        damage_ops = ops("damage") + (
            [{"op": "add", "value": 1}] if "charge_damage" in abilities and state["charged"] else []
        )
        crit_on = min(weapon.get("crit_on", 6), 6 if companion else mods.get("crit_on", 6))
        crits = [name for name in ("crit_two_hits", "crit_auto_wound", "crit_mortal") if name in abilities]
        crit_rule = weapon.get("crit_choice") or (crits[0] if crits else "")
        reroll = {
            roll: "none" if companion else mods.get(f"reroll_{roll}", "none") for roll in ("hit", "wound")
        }

        def wound_and_save(
            active: Rolls,
            weapon=weapon,
            wound_mod=wound_mod,
            reroll=reroll,
            save_mod=save_mod,
            damage_ops=damage_ops,
        ) -> Rolls:
            wounds, _ = _roll_aos4(table, weapon["wound"], wound_mod, reroll["wound"])
            return save_only(active & wounds, save_mod, damage_ops, weapon)

        def save_only(
            active: Rolls, save_mod: int, damage_ops: list[dict[str, Any]], weapon: dict[str, Any]
        ) -> Rolls:
            saved, _ = _roll_aos4(table, target["save"], save_mod, mods.get("reroll_save", "none"))
            return np.where(active & ~saved, _characteristic(table.dice(weapon["damage"]), damage_ops, 1), 0)

        for model in range(weapon["models"]):
            bonus = (
                [{"op": "add", "value": 1}] if model < weapon.get("champions", 0) and not companion else []
            )
            number = _characteristic(table.dice(weapon["attacks"]), ops("attacks") + bonus, 1)
            for attack in range(int(number.max())):
                active = attack < number
                hits, crit = _roll_aos4(
                    table, weapon["hit"], hit_mod, reroll["hit"], crit_on, options["crit_always_hits"]
                )
                hits, crit = hits & active, crit & active
                special = crit if crit_rule else np.zeros(games, dtype=bool)
                pool += wound_and_save(hits & ~special)
                if crit_rule == "crit_two_hits":
                    pool += wound_and_save(special) + wound_and_save(special)
                if crit_rule == "crit_auto_wound":
                    pool += save_only(special, save_mod, damage_ops, weapon)
                if crit_rule == "crit_mortal":
                    pool += np.where(special, _characteristic(table.dice(weapon["damage"]), damage_ops, 1), 0)
    for text in mods.get("mortal_damage", []):
        pool += table.dice(text)
    if target["ward"]:
        best = min(target["ward"])
        kept = pool.copy()
        for point in range(int(pool.max(initial=0))):
            die = table.d6()
            if mods.get("reroll_ward", "none") == "ones":
                die = np.where(die == 1, table.d6(), die)
            elif mods.get("reroll_ward", "none") in ("failed", "any"):
                die = np.where(die < best, table.d6(), die)
            kept -= (point < pool) & (die >= best)
        pool = kept
    slain = np.minimum(target["models"], (target["damage_allocated"] + pool) // target["health"])
    return {"damage": pool, "slain": slain}
